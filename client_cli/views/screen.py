"""The whole screen: which view stands where. `draw` is all that the application calls."""

from __future__ import annotations

from dataclasses import dataclass, replace

from client_cli.glyphs import Glyphs
from client_cli.intents import Edge, Intent, Key, Leaf, Page, Row, Wheel
from client_cli.keys import Bind, useful
from client_cli.model import UiState
from client_cli.theme import style
from protocol.session.view import Stage

from . import hand, pages, seats
from .canvas import Canvas, Hit, Line, Piece, clip, rich_width, wrap
from .melds import draw_melds
from .panels import draw_fault, draw_handshake, draw_log_tail, draw_progress
from .piles import COLUMN, draw_piles
from .scene import Scene
from .status import draw_hand_line, draw_header, draw_keys, draw_message, last_event, message
from .talk import newest_lines

WIDTH = 80
HEIGHT = 24
ROOMY = 110
"""Columns from which on the end of the log stands beside the table."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """The lines of the screen, and what only this drawing knows.

    That is how far it scrolls, how the hand is broken, and what a click means in each place.
    """

    lines: tuple[Line, ...]
    limit: int = 0
    leaf: int = 1
    per_row: int = 0
    hits: tuple[Hit, ...] = ()

    def meant(self, x: int, y: int) -> Intent | None:
        """What a click in this cell means, if anything."""
        return next((hit.intent for hit in reversed(self.hits) if hit.holds(x, y)), None)


def measured(intent: Intent, drawing: Drawing | None) -> Intent:
    """The intent with what only the last drawing knows."""
    if drawing is None:
        return intent
    match intent:
        case Row():
            return replace(intent, per_row=drawing.per_row, limit=drawing.limit)
        case Leaf():
            return replace(intent, limit=drawing.limit, size=drawing.leaf)
        case Edge() | Wheel():
            return replace(intent, limit=drawing.limit)
        case _:
            return intent


def draw(state: UiState, glyphs: Glyphs, width: int, height: int) -> Drawing:
    """The screen for this state and size; below 80x24 a few words. Guarantees `height` lines of `width` cells."""
    scene = Scene(state, glyphs, width, height)
    canvas = Canvas(width, height, style("screen"), ascii_only=glyphs.ascii)
    if width < WIDTH or height < HEIGHT:
        too_small(canvas, scene)
        return Drawing(canvas.lines())
    draw_header(canvas, scene)
    if state.page is not Page.TABLE:
        words = message(scene, width - 2)[:3]
        limit, leaf = pages.draw_page(canvas, scene, 1, height - 2 - len(words))
        draw_message(canvas, scene, height - 1 - len(words), words)
        draw_keys(canvas, scene, height - 1, useful(state))
        return Drawing(canvas.lines(), limit, leaf, hits=tuple(canvas.hits))
    return draw_table(canvas, scene, message(scene, width - 2), useful(state))


def too_small(canvas: Canvas, scene: Scene) -> None:
    """That it is too small, what size it takes and how to leave: the fullest words that fit when they are wrapped."""
    facts = {"width": scene.width, "height": scene.height}
    for code in ("small", "small.short", "small.least"):
        lines = wrap([(style("gold"), scene.say(code, **facts))], scene.width)
        if len(lines) <= scene.height and all(rich_width(line) <= scene.width for line in lines):
            break
    else:
        lines = [[(style("gold"), clip(scene.say("small.least"), scene.width, ""))]]
    for place, line in enumerate(lines):
        canvas.write(0, place, line)


def draw_table(
    canvas: Canvas, scene: Scene, message_: list[list[Piece]], binds: tuple[tuple[Bind, str], ...]
) -> Drawing:
    """The table below the header: seats, melds and piles, these words, our hand, these keys."""
    layout = hand.fan(len(scene.state.order), canvas.width, canvas.height)
    keys = canvas.height - 1
    cards = keys - layout.height
    top_of_hand = cards - 1
    rule = 1 + seats.HEIGHT
    body = rule + 1
    # Many offers take lines from the table above them, but leave it some.
    words = max(3 if canvas.height < 30 else 5, min(len(message_), top_of_hand - body - 3))
    first = top_of_hand - words
    said = newest_lines(scene, canvas.width - 2)[-max(first - body - 4, 1) :]
    talk = first - len(said)
    # Where the log's end is shown beside the table, or lines are dear, the last event has no line of its own.
    end = talk if canvas.height < 26 or canvas.width >= ROOMY else talk - 1
    seats.draw_seats(canvas, scene, 1)
    canvas.fill(0, rule, canvas.width, 1, style("rule"), scene.glyphs.sign("h"))
    limit = _body(canvas, scene, body, end - body)
    if end < talk:
        canvas.write(1, end, last_event(scene, canvas.width - 2), limit=canvas.width - 1)
    for place, line in enumerate(said):
        canvas.write(1, talk + place, line, limit=canvas.width - 1)
        canvas.mark(0, talk + place, canvas.width, 1, Key.TALK)
    draw_message(canvas, scene, first, message_[:words])
    draw_hand_line(canvas, scene, top_of_hand, hand.hidden_words(scene, layout))
    hand.draw_hand(canvas, scene, cards, layout)
    draw_keys(canvas, scene, keys, binds)
    return Drawing(canvas.lines(), limit, max(end - body - 1, 1), layout.per_row, tuple(canvas.hits))


def _body(canvas: Canvas, scene: Scene, y: int, height: int) -> int:
    """Between the seats and the words: the table, or what has taken its place."""
    state = scene.state
    view = state.view
    if view.fault is not None and (view.broken_off or view.stage is Stage.FAULTED):
        draw_fault(canvas, scene, y, height)
        return 0
    first = view.round_number == 1 or view.to_compare
    if view.stage is Stage.SHUFFLING and view.handshake and first and state.people:
        draw_handshake(canvas, scene, y, height)
        return 0
    if view.stage in {Stage.SEATING, Stage.SHUFFLING, Stage.DEALING}:
        draw_progress(canvas, scene, y, height)
        return 0
    column = COLUMN if canvas.width < ROOMY else 40
    left = canvas.width - column
    limit = draw_melds(canvas, scene, y, left - 1, height)
    used = draw_piles(canvas, scene, left, y, column - 1, height)
    if height - used > 4:
        draw_log_tail(canvas, scene, left, y + used + 1, column - 2, height - used - 1)
    return limit
