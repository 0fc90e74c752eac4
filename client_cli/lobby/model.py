"""The reducer: what a key, typed text or a piece of news changes, and what has to be done because of it. Pure."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from client_cli.messages import LANGUAGES
from client_cli.theme import THEMES
from node.addresses import parse_address
from node.profile import clean_name
from node.table_code import CodeError, is_code_like, is_code_shaped, parse_way
from protocol.rules.ruleset import RuleSet

from . import editor
from .fields import typed_key, typed_text
from .intents import Intent, Point, Press, Typed
from .keys import Act, meaning
from .news import kept, learn
from .state import (
    MENU,
    SETTINGS,
    AddBot,
    Ask,
    Begin,
    Effect,
    Examine,
    Field,
    Fit,
    JoinTable,
    LeaveRoom,
    ListFiles,
    ListGames,
    LobbyState,
    LookAgain,
    Note,
    OpenTable,
    Place,
    Preferences,
    Quit,
    Remember,
    RemoveSeat,
    ResumeGame,
    Seen,
    StopVerifying,
    VerifyFile,
    Verifying,
    WatchTable,
    back,
    on_top,
)

Result: TypeAlias = tuple[LobbyState, tuple[Effect, ...]]
SYMBOLS = ("signs", "letters")
NOTICES = ("on", "off")


def reduce(state: LobbyState, intent: Intent) -> Result:
    """The next state and what has to be done. Never raises."""
    match intent:
        case Press():
            return _press(state, intent)
        case Typed(text):
            return _typed(state, text)
        case Point(row):
            return _point(state, row)
        case _:
            return learn(state, intent), ()


# ------------------------------------------------------------------ keys


def _press(state: LobbyState, press: Press) -> Result:
    if state.ask is not None:
        return _answer(state, state.ask, yes=press.key == "enter")
    if state.typing is not None:
        return _field_key(state, state.typing, press.key)
    act = meaning(state, press.key)
    if state.busy is not None:
        return (_idle(state), (LeaveRoom(),)) if act in {Act.BACK, Act.QUIT} or press.key == "escape" else (state, ())
    if act is None:
        return state, ()
    state = replace(state, note=None, touched=True)
    if act in _ACTS:
        return _ACTS[act](state)
    return _MOVES[state.place](state, act, press)


def _answer(state: LobbyState, ask: Ask, *, yes: bool) -> Result:
    """Enter says yes; every other key takes the question away and does nothing else."""
    calm = replace(state, ask=None)
    if yes and isinstance(ask.effect, WatchTable):
        calm = replace(calm, busy=Note("lobby.watching", ask.note.facts))
    return (calm, (ask.effect,)) if yes else (calm, ())


def _idle(state: LobbyState) -> LobbyState:
    return replace(state, busy=None)


# ------------------------------------------------------------------ typing


def _typed(state: LobbyState, text: str) -> Result:
    """Pasted text goes into the line being typed, else nowhere."""
    return (
        (state, ()) if state.typing is None else (replace(state, typing=typed_text(state.typing, text), note=None), ())
    )


def _field_key(state: LobbyState, field: Field, key: str) -> Result:
    if key == "escape":
        return replace(state, typing=None, note=None), ()
    if key != "enter":
        return replace(state, typing=typed_key(field, key), note=None), ()
    match field.purpose:
        case "address":
            return _to_address(state, field)
        case "file":
            return _to_file(state, field)
        case _:
            return _renamed(state, field)


def _to_address(state: LobbyState, field: Field) -> Result:
    if not field.text.strip():
        return replace(state, typing=None), ()
    with suppress(CodeError, ValueError):
        code, place = parse_way(field.text)
        seen = state.at_table
        if place is None and seen is not None and seen.fit is Fit.SEALED:
            place = seen.broker
        if place is None:
            return replace(state, note=Note("lobby.code_broker", bad=True)), ()
        return _joining(replace(state, typing=None), JoinTable(place, code.table, secret=code.secret), place.short())
    if is_code_shaped(field.text):
        return replace(state, note=Note("code/typo", bad=True)), ()
    code_like = is_code_like(field.text)
    try:
        broker = parse_address(field.text)
    except ValueError:
        note = Note("code/typo") if code_like else Note("lobby.bad_address", (("text", field.text),))
        return replace(state, note=replace(note, bad=True)), ()
    effect = JoinTable(broker, typed=field.text if code_like else "")
    return _joining(replace(state, typing=None), effect, broker.short())


def _to_file(state: LobbyState, field: Field) -> Result:
    if not field.text.strip():
        return replace(state, typing=None), ()
    return _verify(replace(state, typing=None), Path(field.text.strip()).expanduser())


def _renamed(state: LobbyState, field: Field) -> Result:
    name = clean_name(field.text)
    if not name:
        return replace(state, note=Note("lobby.no_name", bad=True)), ()
    return _prefer(replace(state, typing=None), replace(state.preferences, name=name))


def _prefer(state: LobbyState, preferences: Preferences) -> Result:
    return replace(state, preferences=preferences), (Remember(preferences),)


# ------------------------------------------------------------------ acts that mean the same everywhere


def _quit(state: LobbyState) -> Result:
    return state, (Quit(),)


def _go_back(state: LobbyState) -> Result:
    match state.place:
        case Place.ROOM if state.hosting and state.room is not None and len(state.room.chairs) > 1:
            return replace(state, ask=Ask(Note("lobby.ask.close"), LeaveRoom())), ()
        case Place.ROOM:
            return state, (LeaveRoom(),)
        case Place.FILES if state.verifying is not None:
            return replace(state, verifying=None, scroll=0), (StopVerifying(),)
        case _:
            return back(state), ()


def _host(state: LobbyState) -> Result:
    return on_top(replace(state, card=replace(state.card, practice=False, cursor="preset")), Place.CARD), ()


def _practise(state: LobbyState) -> Result:
    return on_top(replace(state, card=replace(state.card, practice=True, cursor="preset")), Place.CARD), ()


def _address(state: LobbyState) -> Result:
    purpose = "file" if state.place is Place.FILES else "address"
    return replace(state, typing=Field(purpose)), ()


def _games(state: LobbyState) -> Result:
    return replace(on_top(state, Place.GAMES), games=None), (ListGames(),)


def _files(state: LobbyState) -> Result:
    return replace(on_top(state, Place.FILES), files=None, verifying=None), (ListFiles(),)


def _doctor(state: LobbyState) -> Result:
    return replace(on_top(state, Place.DOCTOR), checks=(), examined=False), (Examine(),)


def _look(state: LobbyState) -> Result:
    if state.place is Place.DOCTOR:
        return (replace(state, checks=(), examined=False, scroll=0), (Examine(),)) if state.examined else (state, ())
    return replace(state, tables=(), waited=False, cursor=kept(state.cursor, ())), (LookAgain(),)


def _rules(state: LobbyState) -> Result:
    if state.shown_rules() is None:
        code = "lobby.no_table" if state.place is Place.CARD else "lobby.no_rules"
        return replace(state, note=Note(code, bad=True)), ()
    return on_top(state, Place.RULES), ()


def _bot(state: LobbyState) -> Result:
    if state.room is None or state.room.full:
        return replace(state, note=Note("room.full", bad=True)), ()
    return state, (AddBot(),)


def _remove(state: LobbyState) -> Result:
    room = state.room
    if room is None or not 0 < state.line < len(room.chairs):
        return replace(state, note=Note("room.nobody", bad=True)), ()
    chair = room.chairs[state.line]
    if chair.bot:
        return state, (RemoveSeat(state.line),)
    return replace(state, ask=Ask(Note("lobby.ask.remove", (("name", chair.name),)), RemoveSeat(state.line))), ()


def _begin(state: LobbyState) -> Result:
    room = state.room
    if room is None or len(room.chairs) < 2:
        return replace(state, note=Note("lobby.alone", bad=True)), ()
    free = room.seats - len(room.chairs)
    if free:
        facts = (("taken", len(room.chairs)), ("free", free))
        return replace(state, ask=Ask(Note("lobby.ask.begin", facts), Begin())), ()
    return state, (Begin(),)


_ACTS: dict[Act, Callable[[LobbyState], Result]] = {
    Act.QUIT: _quit,
    Act.BACK: _go_back,
    Act.HOST: _host,
    Act.PRACTICE: _practise,
    Act.ADDRESS: _address,
    Act.RESUME: _games,
    Act.VERIFY: _files,
    Act.SETTINGS: lambda state: (on_top(state, Place.SETTINGS), ()),
    Act.DOCTOR: _doctor,
    Act.HELP: lambda state: (on_top(state, Place.HELP), ()),
    Act.LOOK: _look,
    Act.RULES: _rules,
    Act.BOT: _bot,
    Act.REMOVE: _remove,
    Act.BEGIN: _begin,
}

# ------------------------------------------------------------------ moving and choosing, screen by screen


def _home(state: LobbyState, act: Act, _press: Press) -> Result:
    among = state.choices
    at = among.index(state.cursor)
    match act:
        case Act.UP:
            return replace(state, cursor=among[max(at - 1, 0)]), ()
        case Act.DOWN:
            return replace(state, cursor=among[min(at + 1, len(among) - 1)]), ()
        case Act.ACCEPT:
            seen = state.at_table
            return _join(state, seen) if seen is not None else _MENU[state.cursor](state)
        case _:
            return state, ()


_MENU: dict[str, Callable[[LobbyState], Result]] = {word: _ACTS[Act(word)] for word in MENU}


def _join(state: LobbyState, seen: Seen) -> Result:
    if seen.fit is Fit.SEALED:
        return _address(state)
    if seen.fit is Fit.PLAYING and seen.broker is not None:
        watching = Note("lobby.watching", (("title", seen.title),))
        return replace(state, busy=watching), (WatchTable(seen.broker, seen.table),)
    if seen.fit is not Fit.OPEN or seen.broker is None:
        facts = (("title", seen.title), ("theirs", seen.theirs), ("ours", seen.ours))
        return replace(state, note=Note(f"lobby.cannot.{seen.fit.value}", facts, bad=True)), ()
    return _joining(state, JoinTable(seen.broker, seen.table), seen.title)


def _joining(state: LobbyState, effect: JoinTable, title: str) -> Result:
    return replace(state, busy=Note("lobby.joining", (("title", title),))), (effect,)


def _card(state: LobbyState, act: Act, press: Press) -> Result:
    card = state.card
    match act:
        case Act.UP | Act.DOWN:
            card = editor.move(card, -1 if act is Act.UP else 1)
        case Act.LEAF_UP | Act.LEAF_DOWN:
            card = editor.move(card, press.leaf * (-1 if act is Act.LEAF_UP else 1))
        case Act.FIRST | Act.LAST:
            card = replace(card, cursor=editor.rows(card)[0 if act is Act.FIRST else -1])
        case Act.TOPIC | Act.TOPIC_BACK:
            card = editor.next_topic(card, 1 if act is Act.TOPIC else -1)
        case Act.LESS | Act.MORE:
            card = editor.step(card, -1 if act is Act.LESS else 1)
        case Act.RESET:
            card = editor.reset(card)
        case Act.RESET_ALL:
            note = Note("lobby.reset", (("preset", card.preset),)) if card.changed else None
            return replace(state, card=replace(card, changed=()), note=note), ()
        case Act.ACCEPT:
            return _open(state)
    return replace(state, card=card), ()


def _open(state: LobbyState) -> Result:
    rules = editor.built(state.card)
    if not isinstance(rules, RuleSet):
        return replace(state, note=Note("lobby.no_table", bad=True)), ()
    code = "lobby.practising" if state.card.practice else "lobby.opening"
    return replace(state, busy=Note(code)), (OpenTable(state.card),)


def _lines(state: LobbyState, act: Act, count: int, leaf: int) -> LobbyState:
    """The cursor of a list."""
    moves = {Act.UP: -1, Act.DOWN: 1, Act.LEAF_UP: -leaf, Act.LEAF_DOWN: leaf, Act.FIRST: -count, Act.LAST: count}
    return replace(state, line=max(0, min(state.line + moves.get(act, 0), count - 1)))


def _room(state: LobbyState, act: Act, press: Press) -> Result:
    seats = 0 if state.room is None else state.room.seats
    return _lines(state, act, seats, press.leaf), ()


def _saved(state: LobbyState, act: Act, press: Press) -> Result:
    games = state.games or ()
    if act is not Act.ACCEPT or not games:
        return _lines(state, act, len(games), press.leaf), ()
    game = games[min(state.line, len(games) - 1)]
    why = game.problem or ("busy" if game.busy else "over" if game.over else "")
    if why:
        return replace(state, note=Note(f"lobby.game.{why}", bad=True)), ()
    return replace(state, busy=Note("lobby.resuming", (("game", game.name),))), (ResumeGame(game.path),)


def _records(state: LobbyState, act: Act, press: Press) -> Result:
    if state.verifying is not None:
        return _pages(state, act, press)
    files = state.files or ()
    if act is not Act.ACCEPT or not files:
        return _lines(state, act, len(files), press.leaf), ()
    return _verify(state, files[min(state.line, len(files) - 1)].path)


def _verify(state: LobbyState, path: Path) -> Result:
    return replace(state, verifying=Verifying(path=path), scroll=0), (VerifyFile(path),)


def _settings(state: LobbyState, act: Act, press: Press) -> Result:
    setting, now = SETTINGS[state.line], state.preferences
    if act in {Act.UP, Act.DOWN}:
        return _lines(state, act, len(SETTINGS), press.leaf), ()
    by = -1 if act is Act.LESS else 1
    match setting:
        case "name" if act is Act.ACCEPT:
            return replace(state, typing=Field("name", now.name, len(now.name))), ()
        case "lang":
            return _prefer(state, replace(now, lang=_next(LANGUAGES, now.lang, by)))
        case "symbols":
            return _prefer(state, replace(now, symbols=_next(SYMBOLS, now.symbols, by)))
        case "theme":
            return _prefer(state, replace(now, theme=_next(THEMES, now.theme, by)))
        case "notice":
            return _prefer(state, replace(now, notice=_next(NOTICES, now.notice, by)))
        case _:
            return state, ()


def _next(among: tuple[str, ...], now: str, by: int) -> str:
    return among[(among.index(now) + by) % len(among)] if now in among else among[0]


def _pages(state: LobbyState, act: Act, press: Press) -> Result:
    limit = press.limit
    scroll = min(state.scroll, limit)
    moves = {Act.UP: -1, Act.DOWN: 1, Act.LEAF_UP: -press.leaf, Act.LEAF_DOWN: press.leaf}
    moves |= {Act.FIRST: -limit, Act.LAST: limit}
    return replace(state, scroll=max(0, min(scroll + moves.get(act, 0), limit))), ()


_MOVES: dict[Place, Callable[[LobbyState, Act, Press], Result]] = {
    Place.HOME: _home,
    Place.CARD: _card,
    Place.ROOM: _room,
    Place.GAMES: _saved,
    Place.FILES: _records,
    Place.SETTINGS: _settings,
    Place.DOCTOR: _pages,
    Place.RULES: _pages,
    Place.HELP: _pages,
}


def _point(state: LobbyState, row: str | int) -> Result:
    """A click moves the cursor to a row; one on the row of the cursor chooses it."""
    if state.ask is not None or state.typing is not None or state.busy is not None:
        return state, ()
    match state.place, row:
        case Place.HOME, str() if row in state.choices:
            again, moved = row == state.cursor, replace(state, cursor=row, note=None)
        case Place.CARD, str() if row in editor.rows(state.card):
            again, moved = False, replace(state, card=replace(state.card, cursor=row), note=None)
        case ((Place.ROOM | Place.GAMES | Place.FILES | Place.SETTINGS), int()):
            again, moved = row == state.line and state.place is not Place.ROOM, replace(state, line=row, note=None)
        case _:
            return state, ()
    return _press(moved, Press("enter")) if again else (moved, ())
