"""Joining a table: find its announcement, ask for a seat, wait for the start, check that it is the game that was shown.

The host is believed about who sits where and nothing else: the table id must be made of its key, the announcement and
the genesis must be signed by that key, and the genesis must have our key and the rules that we were shown.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from protocol.crypto.identity import SigningKey
from protocol.errors import DuizendenError, WireError
from protocol.rules.ruleset import canonical
from protocol.session.genesis import Genesis, decode_genesis

from . import gamefile
from .addresses import BrokerAddress, parse_address
from .app import Connect, connected, mqtt
from .driver import TableDriver, open_table
from .entropy import Entropy, SystemEntropy
from .guard import Bucket
from .journal import SUFFIX, GameInfo, Journal, JournalError, kept_secret
from .lobby import JOIN_EVERY
from .messages import Join, Message, Quit, Refused, Seated, Start, node_name, peek, sign, table_name
from .offers import TALK_RATE, Offer, Offers
from .profile import app_version
from .roaming import follow
from .room import LobbyError, Room
from .sealing import sealed
from .seat import Seat
from .tasks import background
from .ticket import Seen, Ticket, tickets
from .topics import LOBBY_FILTER, channel_filter, lobby_topic, node_topic
from .transport import Down, Lost, Up

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from .router import Router
    from .topics import Topic

REACH = 8.0
"""Seconds to reach the broker."""
LOOK = 1.0
"""Seconds to collect announcements once connected: retained ones come at once."""
FIRST_ANSWER = 10.0
"""Seconds to wait for the host's answer."""
TALK_BURST = 400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinConfig:
    """Whom to join where. `table` None: the only table announced on the broker."""

    broker: BrokerAddress
    name: str
    journals: Path
    table: bytes | None = None
    begins: str = ""
    """How the name of the table begins, where it is not known whole."""
    secret: bytes | None = field(default=None, repr=False)
    """Of a sealed table."""
    look: float = LOOK
    """Seconds to collect announcements; for a table that is named, three times as long at most."""
    bot: bool = False
    files: tuple[Path, ...] = ()
    records: Path | None = None
    """Folder for the game file, named after the table, besides `files`."""
    auto_continue: bool = False
    settings: dict[str, Any] = field(default_factory=dict)
    """Kept in the journal for whoever resumes the game."""

    def kept(self) -> dict[str, Any]:
        """This as settings of a ticket; `of_ticket` reads them."""
        return {
            **self.settings,
            "broker": self.broker.url(),
            "name": self.name,
            "bot": self.bot,
            "files": [str(p.resolve()) for p in self.files],
            "records": None if self.records is None else str(self.records.resolve()),
            "auto_continue": self.auto_continue,
            **kept_secret(self.secret),
        }

    @classmethod
    def of_ticket(cls, seen: Seen, journals: Path) -> JoinConfig:
        """How to come back with a ticket. Raises ValueError, TypeError or KeyError for settings that are not `kept`."""
        ours = dict(seen.settings)
        secret, records = ours.pop("secret", None), ours.pop("records")
        return cls(
            broker=parse_address(str(ours.pop("broker"))),
            name=str(ours.pop("name")),
            journals=journals,
            table=seen.offer.table,
            secret=None if secret is None else bytes.fromhex(secret),
            bot=bool(ours.pop("bot")),
            files=tuple(Path(str(file)) for file in ours.pop("files")),
            records=None if records is None else Path(str(records)),
            auto_continue=bool(ours.pop("auto_continue")),
            settings=ours,
        )


class JoinedTable:
    """A joiner's waiting room. Made by `join_table`, when the host has given us a seat."""

    def __init__(
        self, config: JoinConfig, router: Router, offers: Offers, ticket: Ticket, beacon: bytes, nonce: bytes
    ) -> None:
        self._config = config
        self._router = router
        self._offers = offers
        self._ticket = ticket
        self._first = ticket.offer
        self._key = SigningKey(ticket.seed)
        self._nonce = nonce
        self.table = ticket.offer.table
        self._beacon = beacon
        self.seated = asyncio.Event()
        self._settled = asyncio.Event()
        """Set when the game starts or the door closes."""
        self._seat: int | None = None
        self._genesis: Genesis | None = None
        self._start = b""
        self._refused: LobbyError | None = None
        self._limit = Bucket(TALK_RATE, TALK_BURST)
        self._changed = asyncio.Event()

    # ------------------------------------------------------------------ for people

    def room(self) -> Room:
        """The waiting room as the host last announced it."""
        announce = (self._offers.get(self.table) or self._first).announce
        seats = [i for i, chair in enumerate(announce.chairs) if chair.key == self._key.public]
        return Room(
            table=self.table,
            title=announce.title,
            rules=self._first.rules,
            rules_name=self._first.announce.rules_name,
            seats=announce.seats,
            max_rounds=announce.max_rounds,
            chairs=announce.chairs,
            me=seats[0] if seats else self._seat,
            connected=self._router.state != "down",
            started=self._genesis is not None,
        )

    async def updates(self) -> AsyncIterator[Room]:
        """The waiting room now and after every change. One consumer; ends when the game starts or the door closes."""
        while not self._settled.is_set():
            yield self.room()
            tasks = [asyncio.ensure_future(e.wait()) for e in (self._changed, self._offers.changed, self._settled)]
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in tasks:
                    task.cancel()
            self._changed.clear()
            self._offers.changed.clear()

    @asynccontextmanager
    async def play(self) -> AsyncIterator[TableDriver]:
        """Wait for the start, then play until the context ends.

        Raises LobbyError when the host sends us away, or the game is in a journal here already (`lobby/started`), and
        JournalError.
        """
        await self._settled.wait()
        if self._refused is not None:
            raise self._refused
        genesis = self._genesis
        assert genesis is not None
        seat = next(i for i, p in enumerate(genesis.players) if p.key == self._key.public)
        name = f"{table_name(self.table)[:8]}-{seat + 1}"
        files = gamefile.places(name, self._config.files, self._config.records)
        settings = {
            **self._config.settings,
            "broker": self._config.broker.url(),
            "files": [str(p.resolve()) for p in files],
            "auto_continue": self._config.auto_continue,
            "start": self._start.hex(),
            **kept_secret(self._config.secret),
        }
        info = GameInfo(genesis=genesis.encode(), seat=seat, seed=self._ticket.seed, role="joiner")
        path = self._config.journals / (name + SUFFIX)
        try:
            journal = Journal.create(path, info, self._ticket.secret, settings)
        except JournalError as error:
            if error.code == "journal/exists":  # an earlier life got as far as that
                self._refused = LobbyError("lobby/started", self._first.announce.title)
                raise self._refused from error
            raise
        self._ticket.spend()
        who = Seat(
            genesis=genesis,
            seat=seat,
            key=self._key,
            broker=self._config.broker,
            files=files,
            auto_continue=self._config.auto_continue,
        )
        async with (
            open_table(who, journal, self._router) as driver,
            background(follow(self._router, self._beacon, self._config.broker, genesis), "roaming"),
        ):
            yield driver

    # ------------------------------------------------------------------ for `join_table`

    @property
    def key(self) -> SigningKey:
        """The key of our seat."""
        return self._key

    @property
    def ticket(self) -> Path:
        """The file to come back with (`node.resume`), until the game is in its journal."""
        return self._ticket.path

    def open(self) -> None:
        """Listen for the host and ask for a seat."""
        router, table = self._router, self.table
        router.handle(table, "d", self._on_inbox)
        router.handle(table, "g", self._on_start)
        router.transport.subscribe(node_topic(table, "d", self._key.public))
        router.transport.subscribe(channel_filter(table, "g"))
        router.listen(self._on_signal)

    async def run(self) -> None:
        """Keep asking until the game starts: that keeps the seat, and fetches a start that was lost."""
        while not self._settled.is_set():
            join = Join(name=self._config.name, bot=self._config.bot, app=app_version(), nonce=self._nonce)
            self._say(join)
            with suppress(TimeoutError):
                async with asyncio.timeout(JOIN_EVERY if self.seated.is_set() else 1.0):
                    await self._settled.wait()

    async def close(self) -> None:
        """Give the seat back if the game has not started.

        The ticket stays where the host may still begin with our key: it has not answered, or not heard that we left.
        """
        self._router.unlisten(self._on_signal)
        given_up = self._refused is not None
        try:
            if not self._settled.is_set():
                self._say(Quit(nonce=self._nonce), reliable=True)
                given_up = await self._router.transport.flush(1.0) and self.seated.is_set()
        finally:
            if given_up:
                self._ticket.spend()
            self._ticket.close()

    # ------------------------------------------------------------------ from the network

    def _on_signal(self, signal: Up | Down | Lost) -> None:  # noqa: ARG002
        self._changed.set()

    def _on_inbox(self, topic: Topic, payload: bytes) -> None:
        if topic.node != node_name(self._key.public):
            raise WireError("topic/unasked")
        message = self._from_host(payload)
        match message:
            case Start():
                self._take_start(message, payload)
            case Seated(to=to, nonce=nonce, seat=seat) if to == self._key.public and nonce == self._nonce:
                self._seat = seat
                self.seated.set()
                self._changed.set()
            case Refused(to=to, nonce=nonce, code=code) if to == self._key.public and nonce in {self._nonce, bytes(16)}:
                self._refuse(f"lobby/{code}")
            case _:
                raise WireError("node/channel")

    def _on_start(self, topic: Topic, payload: bytes) -> None:
        if topic.node != node_name(self._first.host):
            raise WireError("topic/stranger")
        message = self._from_host(payload)
        if not isinstance(message, Start):
            raise WireError("node/channel")
        self._take_start(message, payload)

    def _from_host(self, payload: bytes) -> Message:
        if not self._limit.take(asyncio.get_running_loop().time()):
            raise WireError("limit/rate")
        signed = peek(payload)
        if signed.table != self.table or signed.key != self._first.host:
            raise WireError("node/signer")
        return signed.open()

    def _take_start(self, message: Start, payload: bytes) -> None:
        if self._settled.is_set():
            return
        try:
            genesis = decode_genesis(message.genesis)
        except DuizendenError as error:
            self._refuse("lobby/rules")
            raise WireError("genesis/form", str(error)) from None
        shown = self._first
        agreed = (shown.table, canonical(shown.rules), shown.announce.rules_name)
        terms = (shown.announce.max_rounds, shown.announce.seeded)
        if agreed != (genesis.table, canonical(genesis.rules), genesis.rules_name) or terms != (
            genesis.max_rounds,
            genesis.seeded,
        ):
            self._refuse("lobby/rules")
        elif self._key.public not in {p.key for p in genesis.players}:
            self._refuse("lobby/started")
        else:
            self._genesis, self._start = genesis, payload
            self._settle()

    # ------------------------------------------------------------------ inside

    def _refuse(self, code: str) -> None:
        if not self._settled.is_set():
            self._refused = LobbyError(code)
            self._settle()

    def _settle(self) -> None:
        self._settled.set()
        self._router.ignore(self.table, "g")
        self._router.transport.unsubscribe(channel_filter(self.table, "g"))

    def _say(self, message: Message, *, reliable: bool = False) -> None:
        payload = sign(self._key, self.table, message)
        self._router.transport.send(node_topic(self.table, "j", self._key.public), payload, reliable=reliable)

    async def first_answer(self) -> None:
        """Wait until the host has given us a seat. Raises LobbyError when it refuses or does not answer."""
        waits = [asyncio.ensure_future(e.wait()) for e in (self.seated, self._settled)]
        try:
            done, _ = await asyncio.wait(waits, timeout=FIRST_ANSWER, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        if self._refused is not None:
            raise self._refused
        if not done:
            raise LobbyError("lobby/silent", table_name(self.table))


async def up(router: Router) -> None:
    """Wait until the router's transport is connected.

    Raises LobbyError: `lobby/unreachable` after REACH seconds, `tls/..` at once when the broker is not to be trusted.
    """
    connected_now = asyncio.Event()
    refusals: list[Down] = []

    def listener(signal: Up | Down | Lost) -> None:
        if isinstance(signal, Down) and signal.code:
            refusals.append(signal)
            connected_now.set()
        elif isinstance(signal, Up):
            connected_now.set()

    router.listen(listener)
    try:
        async with asyncio.timeout(REACH):
            await connected_now.wait()
    except TimeoutError:
        raise LobbyError("lobby/unreachable") from None
    finally:
        router.unlisten(listener)
    if refusals:
        raise LobbyError(refusals[0].code, refusals[0].reason)


async def find_offers(broker: BrokerAddress, *, look: float = LOOK, connect: Connect = mqtt) -> tuple[Offer, ...]:
    """The tables announced on a broker, begun ones too. Raises LobbyError `lobby/unreachable` or `lobby/version`."""
    async with connected(broker, connect) as router:
        offers = await collect(router, None, look)
        if not offers.all() and offers.other_version:
            raise LobbyError("lobby/version")
        return offers.all()


async def collect(router: Router, table: bytes | None, look: float, *, first: bool = False) -> Offers:
    """Collect announcements: of one table, or of any, until it is there, of all for a while."""
    offers = Offers(router)
    router.handle(None, "lobby", offers.on_lobby)
    router.transport.subscribe(LOBBY_FILTER if table is None else lobby_topic(table))
    await up(router)
    with suppress(TimeoutError):
        async with asyncio.timeout(3 * look if first or table is not None else look):
            while (not first or not offers.all()) if table is None else offers.get(table) is None:
                await offers.changed.wait()
                offers.changed.clear()
    return offers


def _choose(offers: Offers, config: JoinConfig, ours: Mapping[bytes, Offer]) -> Offer:
    """The table that is meant; `ours` are those where we may have a seat already. Raises LobbyError."""
    table = config.table
    if table is not None:
        offer = offers.get(table) or ours.get(table)  # nobody announces a table whose host is gone
    else:
        named = [o for o in offers.all() if table_name(o.table).startswith(config.begins)]
        open_ones = [o for o in named if not o.full and not o.begun]
        if len(open_ones) > 1:
            raise LobbyError("lobby/several", ", ".join(o.announce.title for o in open_ones))
        offer = open_ones[0] if open_ones else next(iter(named), None)
    if offer is None:
        nothing = "lobby/no-table" if config.secret is None else "lobby/sealed"
        raise LobbyError("lobby/version" if offers.other_version else nothing)
    if offer.table in ours:
        return offer
    if offer.begun:
        raise LobbyError("lobby/started", offer.announce.title)
    if offer.full and table is None:
        raise LobbyError("lobby/full", offer.announce.title)
    return offer


@asynccontextmanager
async def join_table(
    config: JoinConfig, *, entropy: Entropy | None = None, connect: Connect = mqtt
) -> AsyncIterator[JoinedTable]:
    """A seat at somebody's table for as long as the context lasts, the game included.

    A seat that an earlier process took there, and did not live to play, is taken again. Raises LobbyError, and
    JournalError or OSError where the key of the seat cannot be kept.
    """
    entropy = entropy or SystemEntropy()
    async with AsyncExitStack() as stack:
        connect, keys = await sealed(connect, config.secret)
        router = await stack.enter_async_context(connected(config.broker, connect))
        offers = await collect(router, config.table, config.look, first=keys is not None)
        kept = tickets(config.journals)
        offer = _choose(offers, config, {seen.offer.table: seen.offer for seen in kept})
        beacon = offer.table if keys is None else keys.beacon
        ticket = Ticket.again(kept, offer.table)
        seed, nonce, secret = entropy.take(32), entropy.take(16), entropy.take(32)
        if ticket is None:
            ticket = Ticket.write(config.journals, offer, seed, secret, config.kept())
        table = JoinedTable(config, router, offers, ticket, beacon, nonce)
        stack.push_async_callback(table.close)
        table.open()
        await stack.enter_async_context(background(table.run(), "joining"))
        await table.first_answer()
        yield table
