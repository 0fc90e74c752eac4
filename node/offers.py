"""The tables that hosts announce, each checked: the id must be made of the key that signed.

An announcement says what game is offered; whoever joins holds the host to it.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from protocol.errors import WireError
from protocol.rules.ruleset import from_canonical

from .guard import Bucket
from .messages import Announce, peek, table_id
from .room import is_full

if TYPE_CHECKING:
    from protocol.rules.ruleset import RuleSet

    from .router import Router
    from .topics import Topic

MAX_OFFERS = 200
TALK_RATE = 100.0


@dataclass(frozen=True, slots=True)
class Offer:
    """A checked announcement."""

    table: bytes
    host: bytes
    rules: RuleSet
    announce: Announce
    payload: bytes = field(default=b"", repr=False)
    """The announcement as the host signed it."""

    @property
    def full(self) -> bool:
        """Whether every seat is taken."""
        return is_full(self.announce.chairs, self.announce.seats)

    @property
    def begun(self) -> bool:
        """Whether its game has begun: nobody can sit down, everybody can look on."""
        return not self.announce.open


def read_offer(table: bytes, payload: bytes) -> Offer:
    """The offer of this table's announcement. Raises WireError for anything forged or malformed."""
    signed = peek(payload)
    announce = signed.message
    if not isinstance(announce, Announce) or signed.table != table:
        raise WireError("node/channel")
    if table_id(signed.key, announce.nonce) != table:
        raise WireError("node/signer", "this key cannot announce this table")
    try:
        rules = from_canonical(announce.rules)
    except ValueError:
        raise WireError("node/rules") from None
    signed.open()
    return Offer(table, signed.key, rules, announce, payload)


class Offers:
    """The tables announced on one broker, at most MAX_OFFERS (anybody can announce thousands)."""

    def __init__(self, router: Router) -> None:
        self._router = router
        self._found: dict[bytes, Offer] = {}
        self._limit = Bucket(TALK_RATE, MAX_OFFERS * 2)
        self.changed = asyncio.Event()
        self.other_version = False
        """Whether a table of another release was seen."""

    def on_lobby(self, topic: Topic, payload: bytes) -> None:
        """Take one lobby message."""
        if not self._limit.take(asyncio.get_running_loop().time()):
            raise WireError("limit/rate")
        if not payload:
            # anybody can clear a retained message; the host says itself, signed, when a table has closed
            return
        try:
            offer = read_offer(topic.table, payload)
        except WireError as error:
            self.other_version = self.other_version or error.code == "node/version"
            raise
        known = self._found.get(topic.table)
        if known is not None and offer.announce.revision < known.announce.revision:
            raise WireError("node/stale", "announcement")
        if known is None and len(self._found) >= MAX_OFFERS:
            raise WireError("limit/offers")
        self._found[topic.table] = offer
        self.changed.set()

    def all(self) -> tuple[Offer, ...]:
        """Every table, those with a free seat first, those that have begun last, then the newest first."""
        return tuple(sorted(self._found.values(), key=lambda o: (o.begun, o.full, -o.announce.issued, o.table)))

    def get(self, table: bytes) -> Offer | None:
        """The newest offer of a table."""
        return self._found.get(table)
