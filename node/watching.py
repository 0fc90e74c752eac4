"""Looking on at a table: its log is public, so a watcher follows it like a player, checks everything, and sees no hand.

A watcher has a key of its own for asking, which is forgotten afterwards; nothing that it says counts for the game.
"""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from protocol.crypto.identity import SigningKey
from protocol.errors import WireError
from protocol.session.genesis import Genesis, decode_genesis

from . import gamefile
from .app import Connect, connected, mqtt
from .driver import TableDriver, open_table
from .entropy import Entropy, SystemEntropy
from .guard import Bucket
from .joining import LOOK, collect
from .journal import SUFFIX, GameInfo, Journal
from .messages import Start, Watch, node_name, peek, sign, table_name
from .offers import Offer, Offers
from .roaming import follow
from .room import LobbyError
from .sealing import sealed
from .seat import Seat
from .tasks import background
from .topics import channel_filter, node_topic

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from .addresses import BrokerAddress
    from .router import Router
    from .topics import Topic

KNOCK_EVERY = 3.0
"""Seconds between two requests for the genesis."""
START_RATE, START_BURST = 5.0, 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchConfig:
    """What to look at. `table` None: the only table announced on the broker, one that has begun before others."""

    broker: BrokerAddress
    table: bytes | None = None
    begins: str = ""
    """How the name of the table begins, where it is not known whole."""
    secret: bytes | None = field(default=None, repr=False)
    """What the code of a sealed table carries."""
    look: float = LOOK
    records: Path | None = None
    """Folder for the game file, named after the table."""


class WatchedTable:
    """A table that we look on at, before or during its game. Made by `watch_table`."""

    def __init__(self, config: WatchConfig, router: Router, offer: Offer, beacon: bytes, entropy: Entropy) -> None:
        self._config = config
        self._router = router
        self._beacon = beacon
        self._entropy = entropy
        self._key = SigningKey(entropy.take(32))
        self._limit = Bucket(START_RATE, START_BURST)
        self._genesis: Genesis | None = None
        self._known = asyncio.Event()
        self.offer = offer
        """The table as its host announced it."""

    @asynccontextmanager
    async def follow(self) -> AsyncIterator[TableDriver]:
        """Wait for the start, then follow the game until the context ends."""
        router, table = self._router, self.offer.table
        async with background(self._knock(), "knocking"):
            await self._known.wait()
        router.ignore(table, "g")
        genesis = self._genesis
        assert genesis is not None
        name = f"{table_name(table)[:8]}-0"
        who = Seat(
            genesis=genesis,
            seat=None,
            key=self._key,
            broker=self._config.broker,
            files=gamefile.places(name, (), self._config.records),
        )
        info = GameInfo(genesis=genesis.encode(), seat=0, seed=bytes(32), role="watcher")
        with tempfile.TemporaryDirectory(prefix="duizenden-") as folder:  # nothing in it is needed again
            journal = Journal.create(Path(folder) / (name + SUFFIX), info, self._entropy.take(32))
            async with (
                open_table(who, journal, router) as driver,
                background(follow(router, self._beacon, self._config.broker, genesis), "roaming"),
            ):
                yield driver

    def open(self) -> None:
        """Listen for the start."""
        router, table = self._router, self.offer.table
        router.handle(table, "g", self._on_start)
        router.handle(table, "d", self._on_start)
        router.transport.subscribe(channel_filter(table, "g"))
        router.transport.subscribe(node_topic(table, "d", self._key.public))

    async def _knock(self) -> None:
        """Ask for the genesis until it is there."""
        topic = node_topic(self.offer.table, "j", self._key.public)
        while True:
            self._router.transport.send(topic, sign(self._key, self.offer.table, Watch(nonce=self._entropy.take(16))))
            with suppress(TimeoutError):
                async with asyncio.timeout(KNOCK_EVERY):
                    await self._known.wait()

    def _on_start(self, topic: Topic, payload: bytes) -> None:
        if topic.node not in {node_name(self._key.public), node_name(self.offer.host)}:
            raise WireError("topic/stranger")
        if not self._limit.take(asyncio.get_running_loop().time()):
            raise WireError("limit/rate")
        signed = peek(payload)
        if signed.table != self.offer.table or signed.key != self.offer.host:
            raise WireError("node/signer")
        message = signed.open()
        if not isinstance(message, Start):
            raise WireError("node/channel")
        genesis = decode_genesis(message.genesis)
        if genesis.table != self.offer.table or genesis.players[0].key != self.offer.host:
            raise WireError("node/table")
        self._genesis = genesis
        self._known.set()


def _choose(offers: Offers, config: WatchConfig) -> Offer:
    """The only table that has begun, else the only one at all, of those that are meant. Raises LobbyError."""
    named = [o for o in offers.all() if table_name(o.table).startswith(config.begins)]
    wanted = [o for o in named if o.begun] or named
    if len(wanted) > 1:
        raise LobbyError("lobby/several", ", ".join(o.announce.title for o in wanted))
    if not wanted:
        nothing = "lobby/no-table" if config.secret is None else "lobby/sealed"
        raise LobbyError("lobby/version" if offers.other_version and not offers.all() else nothing)
    return wanted[0]


@asynccontextmanager
async def watch_table(
    config: WatchConfig, *, entropy: Entropy | None = None, connect: Connect = mqtt
) -> AsyncIterator[WatchedTable]:
    """A look at somebody's table for as long as the context lasts. Raises LobbyError."""
    async with AsyncExitStack() as stack:
        connect, keys = await sealed(connect, config.secret)
        router = await stack.enter_async_context(connected(config.broker, connect))
        offers = await collect(router, config.table, config.look, first=keys is not None)
        offer = _choose(offers, config)
        beacon = offer.table if keys is None else keys.beacon
        table = WatchedTable(config, router, offer, beacon, entropy or SystemEntropy())
        table.open()
        yield table
