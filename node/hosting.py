"""Hosting a table: announce it, seat who comes, start the game, and answer the door afterwards.

The host has no power over the game: it decides who sits down and when to start, and signs the genesis that says so.
Every joiner checks that genesis against what it was shown.
"""

from __future__ import annotations

import asyncio
import ipaddress
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from protocol.crypto.identity import SigningKey
from protocol.errors import DuizendenError, WireError
from protocol.session.genesis import Genesis, check_genesis
from protocol.session.view import Player

from . import gamefile
from .addresses import PORT, parse_address
from .app import EVERYWHERE, LOOPBACK, BrokerPlace, Connect, connected, mqtt, own_broker
from .door import JOIN_BURST, JOIN_RATE, REFRESH, announcement, clock, open_door
from .driver import TableDriver, open_table
from .entropy import Entropy, SystemEntropy
from .guard import Bucket
from .joining import up
from .journal import SUFFIX, GameInfo, Journal, kept_secret
from .lobby import Lobby
from .messages import Chair, Join, Message, Quit, Refused, Watch, node_name, peek, sign, table_id, table_name
from .room import LobbyError, Room
from .sealing import sealed
from .seat import Seat
from .table_code import PIN_BYTES, TABLE_CHARACTERS, TableCode
from .tasks import background
from .topics import channel_filter, lobby_topic, node_topic
from .transport import Down, Lost, Up

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from protocol.rules.ruleset import RuleSet

    from .addresses import BrokerAddress
    from .discovery import Announcement
    from .router import Router
    from .topics import Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class HostConfig:
    """What the host decides. `broker` None brings the embedded one along, on `port` (any other if taken) of `bind`."""

    name: str
    rules: RuleSet
    rules_name: str
    seats: int
    journals: Path
    max_rounds: int = 0
    bot: bool = False
    broker: BrokerAddress | None = None
    bind: str = EVERYWHERE
    port: int = PORT
    tls: Path | None = None
    """Folder of this machine's certificate: the broker of our own speaks TLS."""
    insist: bool = False
    """Take this port or none."""
    discoverable: bool = True
    files: tuple[Path, ...] = ()
    records: Path | None = None
    """Folder for the game file, named after the table, besides `files`."""
    auto_continue: bool = False
    compare: bool = False
    """Whether the first shuffle waits until the host has compared the cards of the handshake with the other people."""
    secret: bytes | None = field(default=None, repr=False)
    """Of a sealed table (`node.sealing.new_secret`)."""
    seeded: bool = False
    created: int | None = None
    log_file: Path | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    """Kept in the journal for whoever resumes the game."""


class HostedTable:
    """The host's waiting room. Made by `host_table`."""

    def __init__(
        self, config: HostConfig, router: Router, place: BrokerPlace, entropy: Entropy, stack: AsyncExitStack
    ) -> None:
        self._config = config
        self._router = router
        self._place = place
        self._entropy = entropy
        self._stack = stack
        self._seed = entropy.take(32)
        self._key = SigningKey(self._seed)
        self._nonce = entropy.take(16)
        self.table = table_id(self._key.public, self._nonce)
        self._lobby = Lobby(Chair(config.name, config.bot, self._key.public), config.seats)
        self._limit = Bucket(JOIN_RATE, JOIN_BURST)
        self._repairs = Bucket(JOIN_RATE, JOIN_BURST)  # of its own: who spams the lobby topic keeps nobody out
        self._changed = asyncio.Event()
        self._wake = asyncio.Event()
        self._last = b""
        self.advertised: Announcement | None = None

    # ------------------------------------------------------------------ for people

    def room(self) -> Room:
        """The waiting room now."""
        config = self._config
        return Room(
            table=self.table,
            title=config.name,
            rules=config.rules,
            rules_name=config.rules_name,
            seats=config.seats,
            max_rounds=config.max_rounds,
            chairs=self._lobby.chairs,
            me=0,
            addresses=self._place.reachable,
            code=str(self.code()),
            sealed=self.secret is not None,
            elsewhere="" if self._place.port is not None else str(self._place.address),
            connected=self._router.state != "down",
            started=self._lobby.ended is not None,
        )

    async def updates(self) -> AsyncIterator[Room]:
        """The waiting room now and after every change. One consumer; ends when the game starts."""
        while self._lobby.ended is None:
            yield self.room()
            await self._changed.wait()
            self._changed.clear()

    def code(self) -> TableCode:
        """What others type to get here."""
        place = self._place
        if place.port is None:
            table = "" if self.secret else table_name(self.table)[:TABLE_CHARACTERS]
            return TableCode(table=table, secret=self.secret)
        host = parse_address(place.reachable[0]).host if place.reachable else LOOPBACK
        pin = bytes.fromhex(place.address.fingerprint or "")[:PIN_BYTES] or None
        return TableCode(host=host, port=place.port, pin=pin, secret=self.secret)

    @property
    def key(self) -> SigningKey:
        """The key of the host's seat."""
        return self._key

    @property
    def secret(self) -> bytes | None:
        """The secret of a sealed table: for its journals and our own bots."""
        return self._config.secret

    @property
    def place(self) -> BrokerPlace:
        """Where the broker is."""
        return self._place

    def remove(self, seat: int) -> bool:
        """Send the player of a seat away; False for the host's own seat or an empty one."""
        key = self._lobby.remove(seat)
        if key is None:
            return False
        self._send(node_topic(self.table, "d", key), Refused(to=key, nonce=bytes(16), code="removed", detail=""))
        self._touch()
        return True

    def check(self) -> Genesis:
        """The genesis as it would be now. Raises LobbyError `lobby/players` when nobody could play it."""
        genesis = self._genesis()
        try:
            check_genesis(genesis)
        except DuizendenError as error:
            raise LobbyError("lobby/players", error.detail) from None
        return genesis

    async def start(self) -> tuple[Genesis, TableDriver]:
        """Begin the game with those who sit here. Raises LobbyError `lobby/players`, and the room stays open."""
        genesis = self.check()
        info = GameInfo(genesis=genesis.encode(), seat=0, seed=self._seed, role="host")
        place = self._place
        name = f"{table_name(self.table)[:8]}-1"
        files = gamefile.places(name, self._config.files, self._config.records)
        compare = self._config.compare and any(not player.bot for player in genesis.players[1:])
        settings = {
            **self._config.settings,
            "broker": place.address.url(),
            "port": place.port,
            "bind": place.bind,
            "discoverable": self._config.discoverable,
            "files": [str(p.resolve()) for p in files],
            "auto_continue": self._config.auto_continue,
            "compare": compare,
            **kept_secret(self.secret),
            **({} if self._config.tls is None else {"tls": str(self._config.tls.resolve())}),
            "nonce": self._nonce.hex(),
        }
        path = self._config.journals / (name + SUFFIX)
        journal = Journal.create(path, info, self._entropy.take(32), settings)
        self._lobby.ended = "started"
        seat = Seat(
            genesis=genesis,
            seat=0,
            key=self._key,
            broker=place.address,
            files=files,
            auto_continue=self._config.auto_continue,
            compare=compare,
        )
        driver = await self._stack.enter_async_context(open_table(seat, journal, self._router))
        await self._stack.enter_async_context(open_door(self._router, self._key, genesis, self._nonce))
        self._changed.set()
        return genesis, driver

    # ------------------------------------------------------------------ for `host_table`

    def open(self) -> None:
        """Announce the table and let people in."""
        self._router.handle(self.table, "j", self._on_join)
        self._router.handle(self.table, "lobby", self._on_lobby)
        self._router.transport.subscribe(channel_filter(self.table, "j"))
        self._router.transport.subscribe(lobby_topic(self.table))
        self._router.listen(self._on_signal)
        self._touch()

    async def run(self) -> None:
        """Refresh the announcement and free silent seats until the game starts."""
        loop = asyncio.get_running_loop()
        while self._lobby.ended is None:
            self._announce()
            expiry = self._lobby.next_expiry()
            until = loop.time() + REFRESH if expiry is None else min(loop.time() + REFRESH, expiry + 0.1)
            with suppress(TimeoutError):
                async with asyncio.timeout_at(until):
                    await self._wake.wait()
            self._wake.clear()
            if self._lobby.expire(loop.time()):
                self._touch()

    async def close(self) -> None:
        """Take the announcement back, and tell whoever still waits that the table is closed."""
        self._router.unlisten(self._on_signal)
        if self._lobby.ended is None:
            self._lobby.ended = "closed"
            for chair in self._lobby.chairs[1:]:
                refused = Refused(to=chair.key, nonce=bytes(16), code="closed", detail="")
                self._send(node_topic(self.table, "d", chair.key), refused)
            self._announce()
            await self._router.transport.flush(1.0)

    # ------------------------------------------------------------------ from the network

    def _on_join(self, topic: Topic, payload: bytes) -> None:
        now = asyncio.get_running_loop().time()
        if not self._limit.take(now):
            raise WireError("limit/rate")
        signed = peek(payload)
        if signed.table != self.table or node_name(signed.key) != topic.node:
            raise WireError("node/signer")
        message = signed.open()
        before = self._lobby.revision
        match message:
            case Join():
                answer = self._lobby.join(signed.key, message, now)
                self._send(node_topic(self.table, "d", signed.key), answer)
            case Quit():
                self._lobby.quit(signed.key)
            case Watch():
                pass  # the start goes to everybody who listens
            case _:
                raise WireError("node/channel")
        if self._lobby.revision != before:
            self._touch()

    def _on_lobby(self, topic: Topic, payload: bytes) -> None:  # noqa: ARG002
        # our own echo, or somebody overwrote or cleared our announcement: put it back (at most as fast as joins go)
        overwritten = self._lobby.ended is None and payload != self._last
        if overwritten and self._repairs.take(asyncio.get_running_loop().time()):
            self._wake.set()

    def _on_signal(self, signal: Up | Down | Lost) -> None:
        if isinstance(signal, Up):
            self._wake.set()
        self._changed.set()

    # ------------------------------------------------------------------ inside

    def _touch(self) -> None:
        self._wake.set()
        self._changed.set()
        if self.advertised is not None and self.secret is None:
            self.advertised.update(taken=len(self._lobby.chairs))

    def _announce(self) -> None:
        """Publish the announcement; cleared when the table closes, so that no broker keeps it."""
        if self._lobby.ended is not None:
            self._last = b""
        else:
            offer = announcement(
                self._genesis(),
                self._lobby.chairs,
                nonce=self._nonce,
                seats=self._config.seats,
                revision=self._lobby.revision,
                open_=True,
            )
            self._last = sign(self._key, self.table, offer)
        self._router.transport.send(lobby_topic(self.table), self._last, retain=True)

    def _genesis(self) -> Genesis:
        config = self._config
        return Genesis(
            table=self.table,
            rules=config.rules,
            rules_name=config.rules_name,
            players=tuple(Player(name=c.name, bot=c.bot, key=c.key) for c in self._lobby.chairs),
            max_rounds=config.max_rounds,
            seeded=config.seeded,
            created=clock() if config.created is None else config.created,
        )

    def _send(self, topic: str, message: Message) -> None:
        self._router.transport.send(topic, sign(self._key, self.table, message))


def numeric(host: str) -> tuple[str, ...]:
    """The host as addresses for an announcement, which carries numbers only; empty (this machine's) for a name."""
    try:
        return (str(ipaddress.IPv4Address(host)),)
    except ValueError:
        return ()


@asynccontextmanager
async def host_table(
    config: HostConfig, *, entropy: Entropy | None = None, connect: Connect = mqtt
) -> AsyncIterator[HostedTable]:
    """A table of our own for as long as the context lasts, its game included. Raises BrokerError or LobbyError."""
    async with AsyncExitStack() as stack:
        if config.broker is None:
            broker = own_broker(
                bind=config.bind, port=config.port, insist=config.insist, log_file=config.log_file, tls=config.tls
            )
            place = await stack.enter_async_context(broker)
        else:
            place = BrokerPlace(address=config.broker, reachable=(config.broker.short(),))
        connect, keys = await sealed(connect, config.secret)
        router = await stack.enter_async_context(connected(place.address, connect))
        table = HostedTable(config, router, place, entropy or SystemEntropy(), stack)
        if config.broker is not None and config.broker.tls:
            await up(router)  # a broker that is not to be trusted is refused before anybody waits for it
        if config.discoverable:
            from .discovery import Advert, announce  # not needed, and slow to load, for a table on loopback

            # of a sealed table nobody learns more than that there is one
            advert = Advert(
                table=table_name(table.table if keys is None else keys.beacon),
                name="" if keys else config.name,
                port=place.address.port,
                taken=0 if keys else 1,
                seats=0 if keys else config.seats,
                sealed=keys is not None,
                tls=place.address.tls,
                fingerprint=place.address.fingerprint or "",
                hosts=() if place.port is not None else numeric(place.address.host),
            )
            table.advertised = await stack.enter_async_context(announce(advert))
        table.open()
        stack.push_async_callback(table.close)
        await stack.enter_async_context(background(table.run(), "lobby"))
        yield table
