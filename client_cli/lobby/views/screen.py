"""The whole screen of the lobby: header, one place, words, keys. `draw` is all that the application calls."""

from __future__ import annotations

from collections.abc import Callable

from client_cli.glyphs import Glyphs
from client_cli.glyphs import width as cells_of
from client_cli.lobby.keys import OPEN, Bind, line
from client_cli.lobby.state import LobbyState, Place
from client_cli.theme import style
from client_cli.views.canvas import Canvas, Piece, clip, wrap
from client_cli.views.screen import HEIGHT, WIDTH

from . import card, home, lists, pages, room
from .scene import Drawing, Scene

MOST_WORDS = 3


def draw(state: LobbyState, glyphs: Glyphs, width: int, height: int) -> Drawing:
    """The lobby for this state and size; below 80x24 one readable line. Guarantees `height` lines of `width` cells."""
    scene = Scene(state, glyphs, Canvas(width, height, style("screen"), ascii_only=glyphs.ascii))
    if width < WIDTH or height < HEIGHT:
        _too_small(scene)
        return scene.finished()
    _header(scene)
    words = _words(scene)
    body = height - 2 - len(words)
    _PLACES[state.place](scene, 1, body)
    _message(scene, height - 1 - len(words), words)
    _keys(scene, height - 1)
    return scene.finished()


def _too_small(scene: Scene) -> None:
    text = scene.say("lobby.small", width=scene.width, height=scene.height)
    if cells_of(text) > scene.width:
        text = clip(scene.say("lobby.small.short"), scene.width, "")
    scene.canvas.put(0, 0, text, style("gold"))


# ------------------------------------------------------------------ header


def _header(scene: Scene) -> None:
    state = scene.state
    scene.canvas.fill(0, 0, scene.width, 1, style("header"))
    x = scene.canvas.put(1, 0, scene.say("app.name"), style("header.name"))
    scene.canvas.put(x, 0, f" {scene.sign('dot')} {_title(scene)}", style("header"))
    end: list[Piece] = [(style("header.name"), f" {state.preferences.name} ")]
    if state.room is not None and not state.room.connected:
        end = [(style("link.down"), f" {scene.sign('off')} {scene.say('link.down')} "), *end]
    scene.canvas.right(scene.width, 0, end)


def _title(scene: Scene) -> str:
    state = scene.state
    if state.place is Place.CARD and state.card.practice:
        return scene.say("lobby.title.practice")
    rules = state.shown_rules()
    name = rules[1] if rules is not None else ""
    return scene.say(f"lobby.title.{state.place.value}", name=name)


# ------------------------------------------------------------------ words and keys


def _words(scene: Scene) -> list[list[Piece]]:
    """What is asked, typed, under way or told, in at most three lines."""
    state, width = scene.state, scene.width - 2
    if state.ask is not None:
        how = [("", " "), (style("ask.how"), f"({scene.say('lobby.ask.how')})")]
        return wrap([(style("ask"), scene.note(state.ask.note)), *how], width)[:MOST_WORDS]
    if state.typing is not None:
        return _typed(scene, width)
    if state.busy is not None:
        give_up = [("", " "), (style("dim"), scene.say("lobby.give_up"))]
        return wrap([(style("gold"), scene.note(state.busy)), *give_up], width)[:MOST_WORDS]
    if state.note is not None:
        sign, kind = ("cross", "bad") if state.note.bad else ("right", "note")
        return wrap([(style(kind), f"{scene.sign(sign)} {scene.note(state.note)}")], width)[:MOST_WORDS]
    return [[]]


def _typed(scene: Scene, width: int) -> list[list[Piece]]:
    """The line being typed, scrolled so that its cursor shows, and below it how it is meant or what is wrong."""
    state = scene.state
    typing = state.typing
    assert typing is not None
    label = scene.say(f"lobby.field.{typing.purpose}")
    room = width - cells_of(label) - 2
    first = max(0, typing.at - room)
    before, after = typing.text[first : typing.at], typing.text[typing.at :]
    under = after[:1] or " "
    field: list[Piece] = [
        (style("gold"), label),
        (style("strong"), before),
        (style("offer.number"), under),
        (style("strong"), scene.clip(after[1:], room - len(before))),
    ]
    if not after:
        field[2] = (style("offer.number"), "_")
    about = state.note
    if about is None:
        return [field, *wrap([(style("dim"), scene.say(f"lobby.field.{typing.purpose}.how"))], width)[:2]]
    return [field, *wrap([(style("bad"), f"{scene.sign('cross')} {scene.note(about)}")], width)[:2]]


def _message(scene: Scene, y: int, lines: list[list[Piece]]) -> None:
    for place, pieces in enumerate(lines):
        if scene.state.ask is not None:
            scene.canvas.fill(0, y + place, scene.width, 1, style("ask"))
        scene.canvas.write(1, y + place, pieces, limit=scene.width - 1)


def _keys(scene: Scene, y: int) -> None:
    """The key line: as many of the keys that help now as fit."""
    scene.canvas.fill(0, y, scene.width, 1, style("key.label"))
    x = 1
    for bind, label in _shown(scene.state):
        name = key_word(scene, bind.shown or bind.keys[0])
        pieces: list[Piece] = [(style("key"), name), (style("key.label"), f" {scene.say(f'lobby.key.{label}')}")]
        if x + sum(cells_of(text) for _, text in pieces) > scene.width - 1:
            break
        x = scene.bind(x, y, pieces, bind) + 2


_YES = Bind(("enter",), ())
_NO = Bind(("escape",), ())


def _shown(state: LobbyState) -> list[tuple[Bind, str]]:
    if state.ask is not None:
        return [(_YES, "yes"), (_NO, "no")]
    if state.typing is not None:
        return [(_YES, "done"), (_NO, "back")]
    if state.busy is not None:
        return [(_NO, "stop")]
    begins = state.place is Place.CARD and state.card.practice
    return [(bind, "begin" if begins and bind is OPEN else bind.name) for bind in line(state)]


def key_word(scene: Scene, key: str) -> str:
    """A key as it is written in this language; arrows as words where signs cannot be shown."""
    if key in {"enter", "escape", "backspace", "space"}:
        return scene.say(f"keyname.{key}")
    return {"↑↓": "up/down", "←→": "<-/->"}.get(key, key) if scene.glyphs.ascii else key


_PLACES: dict[Place, Callable[[Scene, int, int], None]] = {
    Place.HOME: home.draw_home,
    Place.CARD: card.draw_card,
    Place.ROOM: room.draw_room,
    Place.GAMES: lists.draw_games,
    Place.FILES: lists.draw_files,
    Place.SETTINGS: lists.draw_settings,
    Place.DOCTOR: pages.draw_doctor,
    Place.RULES: pages.draw_rules,
    Place.HELP: pages.draw_help,
}
"""Each draws on the lines from the first number on, as many as the second says."""
