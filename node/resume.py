"""Going on with a game from its journal, whatever ended the process that played it.

The host's broker comes back on its old port, and the table is announced again, so that the others find it even if this
machine has another address by now. A joiner first asks the home network where its table is, then goes where it was. If
the host does not come back, any player can bring the broker along; a host that returns later goes there.
"""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from protocol.crypto.identity import SigningKey
from protocol.errors import WireError
from protocol.session.genesis import Genesis, decode_genesis
from protocol.session.view import plays_on

from .addresses import PORT, TLS_PORT, BrokerAddress, parse_address
from .app import EVERYWHERE, LOOPBACK, BrokerPlace, Connect, connected, mqtt, own_broker
from .broker import BrokerError
from .door import Relay, open_door
from .driver import TableDriver, open_table
from .hosting import numeric
from .joining import JoinConfig, join_table
from .journal import SUFFIX, Journal, JournalError, glimpse
from .messages import table_name
from .roaming import follow, locate, vouch
from .room import LobbyError
from .sealing import SealKeys, sealed
from .seat import Seat
from .tasks import background
from .ticket import SUFFIX as TICKET
from .ticket import tear_up, ticket_name, tickets

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from protocol.session.view import Player

    from .messages import Chair
    from .offers import Offer

LOOK = 2.0
"""Seconds to look for the table on the home network."""
PROBLEMS = ("journal/damaged", "journal/version")
"""What lasts of that which a glimpse of a journal can raise."""
UNFIT = (ValueError, TypeError, KeyError, OverflowError)
"""What settings that we did not write can raise when they are read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedGame:
    """A journal, or a joiner's ticket, as a list shows it.

    `busy`: another process plays it now, so nothing but its name can be read.
    """

    path: Path
    busy: bool = False
    problem: str = ""
    """Why it cannot be read: `journal/damaged` or `journal/version`; empty for a game to go on with."""
    genesis: Genesis | None = None
    offer: Offer | None = None
    """Of a ticket: the table where a seat was taken; its game has not begun on this machine."""
    seat: int = 0
    role: str = ""
    broker: str = ""
    progress: Mapping[str, Any] | None = None
    """What the node noted when it last stopped cleanly: `stage`, `round`, `totals`, and who had `departed`."""
    modified: float = 0.0

    @property
    def name(self) -> str:
        """What to type to resume it."""
        return self.path.stem

    @property
    def table(self) -> bytes | None:
        """The table's id, where it can be read."""
        known = self.genesis or self.offer
        return None if known is None else known.table

    @property
    def players(self) -> tuple[Player | Chair, ...]:
        """Who plays; of a ticket those who sat there, ourselves not among them."""
        if self.genesis is not None:
            return self.genesis.players
        return () if self.offer is None else self.offer.announce.chairs

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.progress is not None and self.progress.get("stage") in {"finished", "faulted"}

    @property
    def broken_off(self) -> bool:
        """Whether it has ended because somebody left: False where the others played on to the end."""
        departed = self.progress.get("departed") if self.over and self.progress is not None else None
        if not departed or self.genesis is None:
            return bool(departed)
        return not plays_on(self.genesis.rules, len(self.players) - len(departed))


def saved_games(folder: Path) -> list[SavedGame]:
    """The games in a folder, those that are played now first, then the newest; unreadable ones are left out.

    The tickets of joiners whose game has not begun here are among them.

    Looking changes nothing: neither a journal nor when it was last written.
    """
    games = [game for game in _all(folder) if not game.problem]
    return sorted(games, key=lambda g: (not g.busy, -g.modified, g.name))


def unreadable_games(folder: Path) -> list[SavedGame]:
    """The journals in a folder that `saved_games` leaves out, by name: each has a `problem`, and nothing but a name."""
    return sorted((game for game in _all(folder) if game.problem), key=lambda g: g.name)


def _all(folder: Path) -> list[SavedGame]:
    games = [game for path in folder.glob(f"*{SUFFIX}") if (game := _saved(path)) is not None]
    begun = {name for game in games if (name := _ticket_of(game)) is not None}
    return games + [
        SavedGame(path=t.path, offer=t.offer, role="ticket", broker=_text(t.settings, "broker"), modified=t.modified)
        for t in tickets(folder)
        if t.path.name not in begun
    ]


def _ticket_of(game: SavedGame) -> str | None:
    """The name of the ticket that this seat's game began with."""
    players = () if game.genesis is None else game.genesis.players
    return ticket_name(game.table, players[game.seat].key) if game.table and game.seat < len(players) else None


def _text(settings: Mapping[str, Any], name: str) -> str:
    return str(settings.get(name, ""))


def _saved(path: Path) -> SavedGame | None:
    try:
        seen = glimpse(path)
        genesis = decode_genesis(seen.info.genesis)
    except JournalError as error:
        if error.code == "journal/busy":
            return SavedGame(path=path, busy=True)
        return SavedGame(path=path, problem=error.code) if error.code in PROBLEMS else None
    except WireError as error:
        problem = "journal/version" if error.code == "genesis/version" else "journal/damaged"
        return SavedGame(path=path, problem=problem)
    except OSError:
        return None
    return SavedGame(
        path=path,
        genesis=genesis,
        seat=seen.info.seat,
        role=seen.info.role,
        broker=_text(seen.settings, "broker"),
        progress=_progress(seen.settings.get("progress")),
        modified=seen.modified,
    )


def _progress(noted: object) -> Mapping[str, Any] | None:
    """The note of how far a game was, or None where it is none of ours: a list can do without."""
    if not isinstance(noted, dict) or not isinstance(noted.get("stage"), str):
        return None
    return noted if all(isinstance(noted.get(key, []), list) for key in ("totals", "departed")) else None


@dataclass(frozen=True, slots=True)
class _Kept:
    """What a journal's settings say about resuming, checked."""

    broker: BrokerAddress | None
    own: tuple[str, int] | None
    """Where our own broker listened."""
    files: tuple[Path, ...]
    nonce: bytes
    """What makes the table's id of the host's key."""
    secret: bytes | None = field(repr=False)
    start: bytes
    """The host's *start* as a joiner had it."""


def _kept(journal: Journal, genesis: Genesis, key: SigningKey) -> _Kept:
    """The settings of a journal that is of one piece. Raises one of UNFIT."""
    seat, settings = journal.info.seat, journal.settings
    if seat >= len(genesis.players) or genesis.players[seat].key != key.public:
        raise ValueError("another seat's journal")
    files = tuple(Path(str(p)) for p in settings.get("files", ()))
    secret = bytes.fromhex(settings["secret"]) if "secret" in settings else None
    nonce, start = (bytes.fromhex(str(settings.get(name, ""))) for name in ("nonce", "start"))
    if settings.get("port") is not None:
        return _Kept(None, (str(settings["bind"]), int(settings["port"])), files, nonce, secret, start)
    return _Kept(parse_address(str(settings["broker"])), None, files, nonce, secret, start)


@asynccontextmanager
async def resume_table(
    path: Path,
    *,
    broker: BrokerAddress | None = None,
    serve: bool = False,
    connect: Connect = mqtt,
    log_file: Path | None = None,
    tls: Path | None = None,
) -> AsyncIterator[TableDriver]:
    """Play on from a journal until the context ends. `broker` overrides where a joiner looks for its table.

    With `serve` a joiner brings the table's broker along, unless somebody else on the home network already does; in the
    place of one with a fingerprint one with the certificate in the folder `tls`, for which our seat vouches. With a
    joiner's ticket the seat is taken again and the start awaited. Raises JournalError, BrokerError (the host's port is
    taken), WireError (the journal is of another release) or LobbyError (`tls/serve`: the broker's certificate names its
    host, so nobody would come to another; with a ticket as `join_table` does).
    """
    async with AsyncExitStack() as stack:
        if path.suffix == TICKET:
            begun = next((game.path for game in _all(path.parent) if _ticket_of(game) == path.name), None)
            if begun is None:
                yield await _with_ticket(path, broker, connect, stack)
                return
            path = begun
        journal = Journal.open(path)
        stack.callback(journal.close)
        info, settings = journal.info, journal.settings
        genesis = decode_genesis(info.genesis)
        try:
            key = SigningKey(info.seed)
            kept = _kept(journal, genesis, key)
        except UNFIT as error:
            raise JournalError("journal/damaged", f"{path}: {error!r}") from error
        connect, keys = await sealed(connect, kept.secret)
        beacon = genesis.table if keys is None else keys.beacon
        own = kept.own
        if serve and own is None:
            own = EVERYWHERE, _serve(kept.broker, journal, tls)
        moved = None
        if own is not None and settings.get("discoverable"):
            home = parse_address(str(settings["broker"]))
            moved = await locate(beacon, home, genesis, LOOK)
        if moved is not None:
            own, address = None, moved
        elif own is not None:
            place = await _own_broker_again(*own, journal.settings, stack, log_file)
            address = place.address
            journal.update_settings(port=place.port, broker=address.url())
        else:
            assert kept.broker is not None, "a table is at our broker or at another"
            address = broker or await _locate(beacon, kept.broker, genesis)
        if moved is None and journal.settings.get("discoverable"):
            await _announce(genesis, info.seat, key, address, keys, own=own is not None, stack=stack)
        router = await stack.enter_async_context(connected(address, connect))
        seat = Seat(
            genesis=genesis,
            seat=info.seat,
            key=key,
            broker=address,
            files=kept.files,
            auto_continue=bool(settings.get("auto_continue")),
            compare=bool(settings.get("compare")),
        )
        if info.role == "joiner":
            tear_up(path.with_name(ticket_name(genesis.table, key.public)))
        driver = await stack.enter_async_context(open_table(seat, journal, router))
        if info.role == "host":
            await stack.enter_async_context(open_door(router, key, genesis, kept.nonce))
        elif own is not None and kept.start:
            Relay(router, genesis, kept.start).open()
        if own is None:
            await stack.enter_async_context(background(follow(router, beacon, address, genesis), "roaming"))
        yield driver


async def _with_ticket(
    path: Path, broker: BrokerAddress | None, connect: Connect, stack: AsyncExitStack
) -> TableDriver:
    """The game of a seat that was taken before: ask its host for the start, and wait until there is one."""
    seen = next((ticket for ticket in tickets(path.parent) if ticket.path == path), None)
    if seen is None:
        glimpse(path)  # says why not
        raise JournalError("journal/damaged", str(path))
    try:
        config = JoinConfig.of_ticket(seen, path.parent)
    except UNFIT as error:
        raise JournalError("journal/damaged", f"{path}: {error!r}") from error
    _, keys = await sealed(connect, config.secret)
    address = broker or await _locate(seen.offer.table if keys is None else keys.beacon, config.broker, None)
    joined = await stack.enter_async_context(join_table(replace(config, broker=address), connect=connect))
    return await stack.enter_async_context(joined.play())


def _serve(broker: BrokerAddress | None, journal: Journal, tls: Path | None) -> int:
    """Note that the table's broker is ours from now on, and on which port, as safe as it was. Raises LobbyError."""
    certified: dict[str, str] = {}
    if broker is not None and broker.tls:
        if broker.fingerprint is None or tls is None:
            raise LobbyError("tls/serve")
        certified = {"tls": str(tls.resolve())}
    port = TLS_PORT if certified else PORT
    journal.update_settings(bind=EVERYWHERE, port=port, discoverable=True, **certified)
    return port


async def _locate(beacon: bytes, stored: BrokerAddress, genesis: Genesis | None) -> BrokerAddress:
    """Where the table's broker is now: where its host announces it, else where it was."""
    if stored.host == LOOPBACK or stored.password is not None:
        return stored
    if stored.tls and stored.fingerprint is None:
        return stored  # its certificate names the host: it does not move
    return await locate(beacon, stored, genesis, LOOK) or stored


async def _own_broker_again(
    bind: str, port: int, settings: Mapping[str, Any], stack: AsyncExitStack, log_file: Path | None
) -> BrokerPlace:
    """Our broker on its old port, or on another if that is taken: the others find it by its announcement."""
    tls = Path(str(settings["tls"])) if "tls" in settings else None
    try:
        return await stack.enter_async_context(
            own_broker(bind=bind, port=port, insist=True, log_file=log_file, tls=tls)
        )
    except BrokerError:
        if not settings.get("discoverable"):
            raise
        return await stack.enter_async_context(own_broker(bind=bind, port=0, log_file=log_file, tls=tls))


async def _announce(
    genesis: Genesis,
    seat: int,
    key: SigningKey,
    address: BrokerAddress,
    keys: SealKeys | None,
    *,
    own: bool,
    stack: AsyncExitStack,
) -> None:
    """Tell the home network where the table is: for players who come back, since nobody can join any more."""
    from .discovery import Advert, announce

    seats = 0 if keys else len(genesis.players)
    signed: dict[str, Any] = {}
    if own and address.fingerprint:
        signed = {"by": seat, "signature": vouch(key, genesis.table, address.fingerprint)}
    advert = Advert(
        table=table_name(genesis.table if keys is None else keys.beacon),
        name="" if keys else genesis.players[seat].name,
        sealed=keys is not None,
        port=address.port,
        taken=seats,
        seats=seats,
        tls=address.tls,
        fingerprint=address.fingerprint or "",
        hosts=() if own else numeric(address.host),
        **signed,
    )
    await stack.enter_async_context(announce(advert))
