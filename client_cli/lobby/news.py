"""What news from the network and the disk changes: the second half of the reducer. Pure."""

from __future__ import annotations

from dataclasses import replace

from .intents import (
    Begun,
    Busy,
    Checked,
    Ended,
    Examined,
    FilesListed,
    GamesListed,
    Goto,
    News,
    RoomChanged,
    TablesSeen,
    Told,
    VerifyMoved,
    Waited,
)
from .state import MENU, LobbyState, Note, Place, Seen


def learn(state: LobbyState, news: News) -> LobbyState:
    """The state that knows this too. Nothing ever has to be done because of news."""
    match news:
        case TablesSeen(tables):
            cursor = _first_table(state, tables)
            return replace(state, tables=tables, cursor=kept(cursor, tables), waited=state.waited and not tables)
        case Waited():
            return replace(state, waited=not state.tables)
        case Busy(note):
            return replace(state, busy=note)
        case RoomChanged(room, hosting):
            entered = state if state.place in {Place.ROOM, Place.RULES, Place.HELP} and state.room else _enter(state)
            line = min(state.line, room.seats - 1) if entered is state else 0
            return replace(entered, room=room, hosting=hosting, busy=None, line=line)
        case Begun(played):
            return replace(state, busy=Note("lobby.begins"), ask=None, note=None, before=played or state.before)
        case Ended(note, ask):
            return replace(_ended(state, note), ask=ask)
        case Told(note):
            return replace(state, note=note)
        case GamesListed(games):
            return replace(state, games=games)
        case FilesListed(files):
            return replace(state, files=files)
        case VerifyMoved(verifying):
            same = state.verifying is not None and state.verifying.path == verifying.path
            return replace(state, verifying=verifying) if same else state
        case Checked(check):
            return replace(state, checks=(*state.checks, check))
        case Examined():
            return replace(state, examined=True)
        case Goto(place):
            return replace(state, place=place, under=())


def kept(cursor: str, tables: tuple[Seen, ...]) -> str:
    """The cursor where it was; on the menu if its table has gone."""
    return cursor if cursor in MENU or any(seen.table == cursor for seen in tables) else MENU[0]


def _first_table(state: LobbyState, tables: tuple[Seen, ...]) -> str:
    """The first table that turns up gets the cursor, unless the person has moved it by then."""
    return tables[0].table if tables and not state.touched else state.cursor


def _enter(state: LobbyState) -> LobbyState:
    return replace(state, place=Place.ROOM, under=(), line=0, scroll=0, ask=None, typing=None, note=None)


def _ended(state: LobbyState, note: Note | None) -> LobbyState:
    """Out of the room or of what was under way. A refusal leaves the person where it can be tried again."""
    if state.room is None and state.place in {Place.CARD, Place.GAMES} and note is not None and note.bad:
        return replace(state, busy=None, ask=None, note=note)
    home = replace(state, place=Place.HOME, under=(), line=0, scroll=0, room=None, hosting=False)
    return replace(
        home, busy=None, ask=None, typing=None, note=note, tables=(), waited=False, cursor=MENU[0], touched=False
    )
