"""`duizenden join`: find a table (home network, table code, address or name), sit down, wait, play."""

from __future__ import annotations

import argparse
import re
from collections.abc import Awaitable, Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from functools import partial

from node.addresses import BrokerAddress, parse_address
from node.dial import first_reachable, known
from node.discovery import Found, browse
from node.joining import JoinConfig, JoinedTable, find_offers, join_table
from node.messages import parse_table_name, table_name
from node.offers import Offer
from node.resume import SavedGame, saved_games
from node.room import LobbyError
from node.table_code import CodeError, TableCode, is_code_like, parse_code

from .context import Context, UsageError, run_async
from .options import address_of, broker_of, keep_name, name_of
from .rules import page_lines, short_lines
from .seat import play_at
from .waiting import room_lines, typed_lines, wait_in_room

LOOK = 2.0
REACH = 3.0
HELP = frozenset({"help", "hulp", "?"})
_TABLE_PREFIX = re.compile(r"[a-z2-7]{6,26}")


@dataclass(frozen=True, slots=True)
class Place:
    """A table to go to: its broker and, where several may be there, its id."""

    broker: BrokerAddress
    table: bytes | None
    secret: bytes | None = field(default=None, repr=False)


class NoTableError(UsageError):
    """Nothing was found on the home network. Exit code 2."""


def run(args: argparse.Namespace, context: Context) -> int:
    """Join a table."""
    broker = broker_of(args, context)
    name = name_of(args, context)
    context = context.for_play()
    where = args.code or " ".join(args.where) or None
    return run_async(lambda: _join(where, broker, name, context), context)


async def _join(where: str | None, broker: BrokerAddress | None, name: str, context: Context) -> int:
    where = await typed_code(where, context)
    try:
        place = await find_place(where, broker, context, partial(ask, context))
    except (NoTableError, LobbyError) as error:
        _suggest_resume(error, where if where and _TABLE_PREFIX.fullmatch(where) else None, context)
        raise
    return await join_at(place, name, context)


async def typed_code(where: str | None, context: Context) -> str | None:
    """Where to go; the table code that the person types for `-`. Raises CodeError for one that is none."""
    if where != "-":
        return where
    code = await ask(context, context.word("found.code"))
    parse_code(code)
    return code


async def join_at(place: Place, name: str, context: Context) -> int:
    """Sit down at this table, wait for the start and play. Raises LobbyError, with a hint where `resume` is meant."""
    try:
        return await _join_at(place, name, context)
    except LobbyError as error:
        if error.code in {"lobby/started", "lobby/no-table", "lobby/sealed", "lobby/silent"}:
            _suggest_resume(error, None if place.table is None else table_name(place.table), context)
        raise


def _suggest_resume(error: Exception, table: str | None, context: Context) -> None:
    """Note on the error how to go on with the game that this machine has not finished, that of this table first."""
    games = [g for g in saved_games(context.profile.games) if not g.over and not g.busy]
    ours = [g for g in games if table is not None and _is_at(g, table)]
    if ours:
        error.add_note(context.word("found.resume", game=ours[0].name))
    elif games:
        error.add_note(context.word("found.open", game=games[0].name))


def _is_at(game: SavedGame, table: str) -> bool:
    return game.table is not None and table_name(game.table).startswith(table)


async def _join_at(place: Place, name: str, context: Context) -> int:
    config = JoinConfig(
        broker=place.broker,
        name=name,
        table=place.table,
        secret=place.secret,
        journals=context.profile.games,
        records=context.profile.records,
        settings={"lang": context.lang},
    )
    async with join_table(config) as table:
        context.profile.remember(broker=place.broker.url())
        keep_name(name, context)
        if not await _wait(table, context):
            return 0
        context.say("room.begins")
        async with table.play() as driver:
            return await play_at(driver, context)


async def _wait(table: JoinedTable, context: Context) -> bool:
    room = table.room()
    context.show("\n".join(short_lines(room.rules, room.rules_name, context)))

    async def obey(line: str) -> bool:
        leave = line.lower() in {"stop", "quit", "q", "weg"}
        if line.lower() in {"regels", "rules"}:
            context.show("\n".join(page_lines(room.rules, room.rules_name, context)))
        elif line and not leave:
            unknown = [] if line.lower() in HELP else [context.word("room.unknown")]
            context.show("\n".join([*unknown, hint]))
        elif context.linear and not leave:
            context.show("\n".join([*room_lines(table.room(), context), hint]))
        return leave

    hint = context.word("room.wait_linear" if context.linear else "room.wait", title=room.title)
    async with aclosing(typed_lines(context)) as lines:  # a prompt left open would hold the terminal
        return await wait_in_room(table.updates(), lines, obey, context, hint)


# ------------------------------------------------------------------------------------------ finding

Ask = Callable[[str], Awaitable[str]]


async def ask(context: Context, question: str) -> str:
    """Ask the person for a line; empty at Ctrl-D."""
    context.show(question)
    async with aclosing(typed_lines(context)) as lines:
        async for line in lines:
            return line
    return ""


Sift = Callable[[list[Offer]], list[Offer]]
"""Which of the tables on a broker may be meant."""


def with_a_seat(offers: list[Offer]) -> list[Offer]:
    """The tables to sit down at: those with a free seat, else those that are full, never one that has begun."""
    waiting = [o for o in offers if not o.begun]
    return [o for o in waiting if not o.full] or waiting


def with_room(found: list[Found]) -> list[Found]:
    """The announced tables that may have a free seat, else all of them; a sealed one does not tell."""
    return [f for f in found if not f.full] or found


async def find_place(
    where: str | None, broker: BrokerAddress | None, context: Context, ask_person: Ask, sift: Sift = with_a_seat
) -> Place:
    """Where the table is that the person means. Raises UsageError or LobbyError."""
    with suppress(CodeError):
        return await _by_code(parse_code(where or ""), broker, context, ask_person, sift)
    if broker is not None:
        table = None if where is None else parse_table_name(where)
        if where is not None and table is None:
            raise CodeError("code/typo") if is_code_like(where) else UsageError(context.word("e.address", detail=where))
        return Place(broker, table) if table else await _choose_on(broker, context, ask_person, sift)
    if where is None:
        found = await look_around(context)
        found = with_room(found) if sift is with_a_seat else found
        again = None if found else await _where_we_were(context, ask_person, sift)
        return again or await _choose_found(found, context, ask_person, sift)
    if _TABLE_PREFIX.fullmatch(where):
        matching = [f for f in await look_around(context) if f.table.startswith(where)]
        if matching or len(where) == 26:
            return await _choose_found(matching, context, ask_person, sift)
    if is_code_like(where) and not await known(where):
        raise CodeError("code/typo")
    return await _choose_on(address_of(where, context), context, ask_person, sift)


async def _by_code(
    code: TableCode, broker: BrokerAddress | None, context: Context, ask_person: Ask, sift: Sift
) -> Place:
    """Where a table code leads; `broker` is the one that goes with a code that names none."""
    place = code.broker() or broker
    if place is None:
        raise UsageError(context.word("e.code_broker"))
    if await first_reachable([place], REACH) is None:
        raise LobbyError("lobby/nobody", place.short())
    if code.secret is not None:
        return Place(place, None, code.secret)
    return await _choose_on(place, context, ask_person, sift, code.table)


async def look_around(context: Context) -> list[Found]:
    """The tables on the home network."""
    context.say("searching")
    return await browse(LOOK)


async def _where_we_were(context: Context, ask_person: Ask, sift: Sift) -> Place | None:
    """The table on the broker that was used last, if there is one: some networks hide what others announce."""
    last = context.profile.recall("broker")
    if last is None:
        return None
    try:
        return await _choose_on(parse_address(last), context, ask_person, sift)
    except (LobbyError, ValueError):
        return None


async def _choose_found(found: list[Found], context: Context, ask_person: Ask, sift: Sift) -> Place:
    if not found:
        raise NoTableError(context.word("e.not_found"))
    chosen = found[0]
    if len(found) > 1:
        rows = [
            context.word("found.sealed", number=i + 1)
            if f.sealed
            else context.word("found.one", number=i + 1, title=f.name, taken=f.taken, seats=f.seats)
            + (context.word("found.full") if f.full else "")
            for i, f in enumerate(found)
        ]
        chosen = found[await _pick(rows, context, ask_person)]
    if not chosen.sealed:
        return await place_of(chosen)
    answer = await ask_person(context.word("found.code"))
    if not answer:
        raise UsageError(context.word("e.sealed"))
    code = parse_code(answer)
    return await _by_code(code, None if code.host else (await place_of(chosen)).broker, context, ask_person, sift)


async def place_of(found: Found) -> Place:
    """The first of the table's addresses that answers. Raises LobbyError."""
    address = await first_reachable(found.addresses, REACH)
    if address is None:
        raise LobbyError("lobby/unreachable", ", ".join(a.short() for a in found.addresses))
    return Place(address, parse_table_name(found.table))


async def _choose_on(broker: BrokerAddress, context: Context, ask_person: Ask, sift: Sift, begins: str = "") -> Place:
    """The table that the person means, of those on this broker whose names begin so. Raises UsageError, LobbyError."""
    if await first_reachable([broker], REACH) is None:
        if not await known(broker.host):
            raise UsageError(context.word("e.unknown_host", host=broker.host))
        raise LobbyError("lobby/unreachable", broker.short())
    found = [o for o in await find_offers(broker) if table_name(o.table).startswith(begins)]
    offers = sift(found)
    if sift is with_a_seat:  # a table that began while we were away has one, if it is ours
        offers += [o for o in found if o.begun and o.table in _seats_kept(context)]
    if not offers:
        raise LobbyError("lobby/no-table", broker.short())
    if len(offers) == 1:
        return Place(broker, offers[0].table)
    return Place(
        broker, offers[await _pick([_row(i, o, context) for i, o in enumerate(offers)], context, ask_person)].table
    )


def _seats_kept(context: Context) -> set[bytes]:
    """The tables at which a process of ours took a seat that it did not live to play."""
    return {game.offer.table for game in saved_games(context.profile.games) if game.offer is not None}


def _row(number: int, offer: Offer, context: Context) -> str:
    a = offer.announce
    text = context.word("found.one", number=number + 1, title=a.title, taken=len(a.chairs), seats=a.seats)
    state = context.word("found.begun") if offer.begun else context.word("found.full") if offer.full else ""
    return f"{text}, {a.rules_name}{state}  ({table_name(offer.table)[:8]})"


async def _pick(rows: list[str], context: Context, ask_person: Ask) -> int:
    """The person's choice of these. Raises UsageError when nobody answers, or there is no such row."""
    context.show("\n".join(rows))
    answer = await ask_person(context.word("found.which"))
    if not answer:
        raise UsageError(context.word("e.several", tables="; ".join(rows)))
    if not (answer.isascii() and answer.isdigit() and 1 <= int(answer) <= len(rows)):
        raise UsageError(context.word("room.unknown"))
    return int(answer) - 1
