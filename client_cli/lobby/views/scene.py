"""What every view of the lobby is given: the state, a sheet to draw on, words in one language, and what clicks mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from client_cli.glyphs import Glyphs
from client_cli.lobby.intents import Intent, Point, Press
from client_cli.lobby.keys import Bind
from client_cli.lobby.state import LobbyState, Note
from client_cli.lobby.words import say
from client_cli.theme import style
from client_cli.views.canvas import Canvas, Line, Piece, clip, wrap

MARGIN = 2


@dataclass(frozen=True, slots=True)
class Spot:
    """A rectangle of cells, and what a click in it means."""

    x: int
    y: int
    width: int
    height: int
    intent: Intent


@dataclass(frozen=True, slots=True)
class Drawing:
    """The lines of the screen, how far it scrolls and by how much at a time, and what clicks mean."""

    lines: tuple[Line, ...]
    limit: int = 0
    leaf: int = 1
    spots: tuple[Spot, ...] = ()

    def meant(self, x: int, y: int) -> Intent | None:
        """What a click in this cell means, if anything; of several spots the last one counts."""
        for spot in reversed(self.spots):
            if spot.x <= x < spot.x + spot.width and spot.y <= y < spot.y + spot.height:
                return spot.intent
        return None


@dataclass(slots=True)
class Scene:
    """One drawing in the making."""

    state: LobbyState
    glyphs: Glyphs
    canvas: Canvas
    spots: list[Spot] = field(default_factory=list)
    limit: int = 0
    leaf: int = 1

    @property
    def width(self) -> int:
        """Cells of a line."""
        return self.canvas.width

    @property
    def height(self) -> int:
        """Lines of the screen."""
        return self.canvas.height

    def say(self, code: str, /, **facts: object) -> str:
        """A sentence as plain text."""
        return say(code, self.glyphs.lang, **facts)

    def length(self, rounds: int, target: int) -> str:
        """How long a game is: so many rounds, or (for 0) to so many points."""
        if not rounds:
            return self.say("lobby.detail.target", target=target)
        return self.say("lobby.detail.round" if rounds == 1 else "lobby.detail.rounds", rounds=rounds)

    def sign(self, name: str) -> str:
        """A sign, or the letters for it."""
        return self.glyphs.sign(name)

    def note(self, note: Note) -> str:
        """A note to the person. A version that is not known is called another one."""
        unknown = self.say("lobby.unknown_version")
        facts = {key: unknown if key == "theirs" and not value else value for key, value in note.facts}
        return self.say(note.code, **facts)

    def clip(self, text: str, cells: int) -> str:
        """The text in so many cells."""
        return clip(text, max(cells, 0), self.sign("ellipsis"))

    def text(self, x: int, y: int, text: str, kind: str, cells: int) -> int:
        """Write a text in at most so many cells; returns the column after it."""
        return self.canvas.put(x, y, self.clip(text, cells), style(kind))

    def heading(self, x: int, y: int, text: str, cells: int) -> None:
        """A title over a part of the screen."""
        self.text(x, y, text, "title", cells)

    def rule(self, y: int) -> None:
        """A line across the screen."""
        self.canvas.fill(0, y, self.width, 1, style("rule"), self.sign("h"))

    def paragraph(self, x: int, y: int, pieces: Sequence[Piece], cells: int, most: int) -> int:
        """Write wrapped text in at most `most` lines; returns the line after it. What is cut off ends with a sign."""
        lines = wrap(pieces, cells)
        for place, line in enumerate(lines[:most]):
            after = self.canvas.write(x, y + place, line, limit=x + cells)
            if place == most - 1 and len(lines) > most:
                self.canvas.put(min(after, x + cells - 1), y + place, self.sign("ellipsis"), style("dim"))
        return y + min(len(lines), most)

    def row(self, x: int, y: int, cells: int, target: str | int, *, chosen: bool) -> str:
        """Prepare a row that can be chosen: its ground, the sign of the cursor, its click. Returns its style class."""
        self.spots.append(Spot(x, y, cells, 1, Point(target)))
        if not chosen:
            return "note"
        self.canvas.fill(x, y, cells, 1, style("mine"))
        self.canvas.put(x, y, self.sign("turn"), style("mine"))
        return "mine"

    def bind(self, x: int, y: int, pieces: Sequence[Piece], bind: Bind) -> int:
        """Write a key with its word; a click on it presses it, on its left half the first of several."""
        after = self.canvas.write(x, y, pieces)
        many = len(bind.acts) > 1 and bind.acts[0] is not bind.acts[1]
        half = (after - x) // 2 if many else after - x
        self.spots.append(Spot(x, y, half, 1, Press(bind.keys[0])))
        if many:
            self.spots.append(Spot(x + half, y, after - x - half, 1, Press(bind.keys[1])))
        return after

    def finished(self) -> Drawing:
        """What has been drawn."""
        return Drawing(self.canvas.lines(), self.limit, self.leaf, tuple(self.spots))


def window(cursor: int, count: int, room: int) -> int:
    """The first of `count` lines to show in `room` lines, so that the cursor is on the screen with a line around it."""
    return max(0, min(cursor - room // 2, count - room))
