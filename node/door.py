"""The host's door once the game has begun: the genesis for its players and watchers, `started` for late joiners.

The announcement stays on the lobby topic, marked as begun, so that people can find the table and look on.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from protocol.errors import WireError
from protocol.rules.ruleset import canonical
from protocol.wire.limits import MAX_UINT

from .guard import Bucket
from .messages import Announce, Chair, Join, Refused, Signed, Start, Watch, node_name, peek, sign
from .profile import app_version
from .tasks import background
from .topics import channel_filter, lobby_topic, node_topic

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from protocol.crypto.identity import SigningKey
    from protocol.session.genesis import Genesis

    from .router import Router
    from .topics import Topic

REFRESH = 60.0
"""Seconds between two announcements of one table."""
EXPIRY = 600
JOIN_RATE, JOIN_BURST = 20.0, 60.0
"""Joins a second at one table, before any signature is checked: a living room needs two."""
BEGUN = 2**31
"""The revision of every announcement of a table that has begun: above any that its waiting room can reach."""


def clock() -> int:
    """Seconds since 1970 by this machine's clock, within what can be sent: it may show any year."""
    return min(max(int(time.time()), 0), MAX_UINT - EXPIRY)


def announcement(
    genesis: Genesis, chairs: tuple[Chair, ...], *, nonce: bytes, seats: int, revision: int, open_: bool
) -> Announce:
    """What the host offers now."""
    now = clock()
    return Announce(
        nonce=nonce,
        revision=revision,
        app=app_version(),
        title=chairs[0].name,
        rules_name=genesis.rules_name,
        rules=canonical(genesis.rules),
        seats=seats,
        max_rounds=genesis.max_rounds,
        seeded=genesis.seeded,
        chairs=chairs,
        issued=now,
        expires=now + EXPIRY,
        open=open_,
    )


class Door:
    """Answers at the door of a table that has begun. Made by `open_door`."""

    def __init__(self, router: Router, key: SigningKey, genesis: Genesis, nonce: bytes) -> None:
        self._router = router
        self._key = key
        self._genesis = genesis
        self._nonce = nonce
        self._table = genesis.table
        self._seated = {p.key for p in genesis.players}
        self._start = sign(key, genesis.table, Start(genesis=genesis.encode()))
        self._limit = Bucket(JOIN_RATE, JOIN_BURST)

    def open(self) -> None:
        """Tell everybody that the game begins, and from now on whoever asks."""
        self._router.handle(self._table, "j", self._on_knock)
        self._router.transport.subscribe(channel_filter(self._table, "j"))
        self._router.transport.send(node_topic(self._table, "g", self._key.public), self._start)

    async def run(self) -> None:
        """Keep the announcement fresh."""
        chairs = tuple(Chair(p.name, p.bot, p.key) for p in self._genesis.players)
        while True:
            offer = announcement(
                self._genesis, chairs, nonce=self._nonce, seats=len(chairs), revision=BEGUN, open_=False
            )
            signed = sign(self._key, self._table, offer)
            self._router.transport.send(lobby_topic(self._table), signed, retain=True)
            await asyncio.sleep(REFRESH)

    async def close(self) -> None:
        """Take the announcement back."""
        self._router.transport.send(lobby_topic(self._table), b"", retain=True)
        await self._router.transport.flush(1.0)

    def _on_knock(self, topic: Topic, payload: bytes) -> None:
        signed = knock(topic, payload, self._table, self._limit)
        answer, message = self._start, signed.message
        if isinstance(message, Join) and signed.key not in self._seated:
            refused = Refused(to=signed.key, nonce=message.nonce, code="started", detail="")
            answer = sign(self._key, self._table, refused)
        self._router.transport.send(node_topic(self._table, "d", signed.key), answer)


class Relay:
    """Answers in the place of a host that is gone: its start, as it signed it, to whoever has a seat or looks on."""

    def __init__(self, router: Router, genesis: Genesis, start: bytes) -> None:
        self._router = router
        self._table = genesis.table
        self._seated = {p.key for p in genesis.players}
        self._start = start
        self._limit = Bucket(JOIN_RATE, JOIN_BURST)

    def open(self) -> None:
        """Answer from now on, as long as the router is there."""
        self._router.handle(self._table, "j", self._on_knock)
        self._router.transport.subscribe(channel_filter(self._table, "j"))

    def _on_knock(self, topic: Topic, payload: bytes) -> None:
        signed = knock(topic, payload, self._table, self._limit)
        if isinstance(signed.message, Watch) or signed.key in self._seated:
            self._router.transport.send(node_topic(self._table, "d", signed.key), self._start)


def knock(topic: Topic, payload: bytes, table: bytes, limit: Bucket) -> Signed:
    """A checked *join* or *watch* for this table. Raises WireError for anything else, and above the rate."""
    if not limit.take(asyncio.get_running_loop().time()):
        raise WireError("limit/rate")
    signed = peek(payload)
    if signed.table != table or node_name(signed.key) != topic.node or not isinstance(signed.message, Join | Watch):
        raise WireError("node/signer")
    signed.open()
    return signed


@asynccontextmanager
async def open_door(router: Router, key: SigningKey, genesis: Genesis, nonce: bytes) -> AsyncIterator[None]:
    """Answer at the door of this table of ours for as long as the context lasts."""
    door = Door(router, key, genesis, nonce)
    door.open()
    try:
        async with background(door.run(), "door"):
            yield
    finally:
        await door.close()
