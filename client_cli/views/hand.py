"""Our own hand: boxed cards that overlap as far as they must, raised when selected, heavy-edged at the cursor.

A hand too long for one row is broken into rows; if even that is too much for the screen, the rows around the
cursor are shown and the others are announced.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from client_cli.faces import UNKNOWN
from client_cli.intents import Pick
from client_cli.model import UiState
from client_cli.theme import style

from .canvas import Canvas
from .cards import CUT, LARGE, SMALL, Look, Size, draw_face
from .scene import Scene

NARROWEST = 3
"""Cells that stay visible of an overlapped card: its edge and a rank of two letters."""


@dataclass(frozen=True, slots=True)
class Fan:
    """How the hand is laid out: size of a card, cells from card to card, cards a row, rows in all and rows shown."""

    size: Size
    pitch: int
    per_row: int
    rows: int
    shown: int

    @property
    def height(self) -> int:
        """Lines that the hand takes, one of them for raised cards of the uppermost row."""
        return self.shown * (self.size.height + (0 if self.size.foot else 1)) + (1 if self.size.foot else 0)


def fan(count: int, width: int, height: int) -> Fan:
    """The layout for so many cards on a screen of this size."""
    room = width - 4
    size = LARGE if height >= 34 else SMALL
    one_row = (room - size.width) // NARROWEST + 1
    if count <= one_row:
        pitch = size.width if count < 2 else min((room - size.width) // (count - 1), size.width + 1)
        return Fan(size, pitch, max(count, 1), 1, 1)
    most = 2 if height < 30 else 3
    small = CUT if size is SMALL else SMALL
    per_row = (room - small.width) // NARROWEST + 1
    rows = -(-count // per_row)
    if rows <= most:  # all of it is shown: rows of equal length
        per_row = max(-(-count // rows), 2)
    pitch = min((room - small.width) // (per_row - 1), small.width)
    return Fan(small, pitch, per_row, rows, min(rows, most))


def first_row(state: UiState, layout: Fan) -> int:
    """The uppermost row that is shown, so that the cursor's row is."""
    if state.cursor not in state.order:
        return 0
    at = state.order.index(state.cursor) // layout.per_row
    return min(max(at - layout.shown + 1, 0), layout.rows - layout.shown)


def draw_hand(canvas: Canvas, scene: Scene, y: int, layout: Fan) -> None:
    """The hand from line `y` on, in the middle of the screen."""
    state = scene.state
    if not state.order:
        if state.me in state.view.present and state.table is not None:
            canvas.centre(y + 2, [(style("dim"), scene.say("hand.empty"))])
        return
    first = first_row(state, layout)
    step = layout.size.height + (0 if layout.size.foot else 1)
    for shown in range(layout.shown):
        start = (first + shown) * layout.per_row
        _row(canvas, scene, y + shown * step, layout, state.order[start : start + layout.per_row])


def hidden_words(scene: Scene, layout: Fan) -> str:
    """How many cards of the hand have no place on the screen, and the keys that lead there; empty if all are shown."""
    state = scene.state
    first = first_row(state, layout) * layout.per_row
    hidden = len(state.order) - len(state.order[first : first + layout.shown * layout.per_row])
    if not hidden:
        return ""
    arrows = scene.glyphs.sign("up") + "/" + scene.glyphs.sign("down")
    return scene.say("hand.more", cards=scene.count("cards", hidden), arrows=arrows)


def _row(canvas: Canvas, scene: Scene, y: int, layout: Fan, slots: tuple[int, ...]) -> None:
    """One row of cards; line `y` is the place for raised ones."""
    state = scene.state
    span = (layout.per_row - 1) * layout.pitch + layout.size.width
    x = max((canvas.width - span) // 2, 0)
    for slot in slots:
        picked = slot in state.selected
        look = Look(picked, slot == state.cursor, "new" if slot in state.fresh else "")
        # A raised card that is cut off below reaches down to where its neighbours end.
        size = replace(layout.size, height=layout.size.height + 1) if picked and not layout.size.foot else layout.size
        face = state.faces.get(slot, UNKNOWN)
        draw_face(canvas, x, y if picked else y + 1, face, scene.glyphs, size, look)
        canvas.mark(x, y if picked else y + 1, size.width, size.height, Pick(slot))
        x += layout.pitch
