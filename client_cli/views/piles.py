"""Stock and pot, as cards with their counts."""

from __future__ import annotations

from client_cli.faces import UNKNOWN
from client_cli.intents import Intent, Key, Open, Page
from client_cli.theme import style
from client_cli.turn import pot_refusal
from protocol.rules.state import Phase

from .canvas import Canvas
from .cards import LARGE, SMALL, Look, draw_back, draw_face, draw_gap
from .scene import Scene

COLUMN = 21
"""Cells of the column in which the piles lie, on a small screen."""


def draw_piles(canvas: Canvas, scene: Scene, x: int, y: int, width: int, height: int) -> int:
    """Both piles side by side in a column; returns the lines used."""
    table = scene.state.table
    if table is None or height < 3:
        return 0
    size = LARGE if height >= 14 else SMALL
    if height < size.height + 1:
        return _in_words(canvas, scene, x, y)
    gap = 4
    left = x + max((width - 2 * size.width - gap) // 2, 0)
    right = left + size.width + gap
    glyphs = scene.glyphs
    if table.stock:
        draw_back(canvas, left, y, glyphs, size)
    else:
        draw_gap(canvas, left, y, glyphs, size, glyphs.sign("dash"))
    top = _top(scene)
    if top is None:
        draw_gap(canvas, right, y, glyphs, size, glyphs.sign("dash"))
    else:
        draw_face(canvas, right, y, scene.state.faces.get(top, UNKNOWN), glyphs, size, Look(mark=_must(scene)))
    line = y + size.height
    canvas.mark(left - 2, y, size.width + 4, size.height + 1, Key.STOCK)
    canvas.mark(right - 2, y, size.width + 4, size.height + 1, _on_pot(scene))
    stock, pot = _labels(scene)
    canvas.centre(line, [(style("seat.facts"), stock)], left=left - 3, right=left + size.width + 3)
    canvas.centre(line, [(style("seat.facts"), pot)], left=right - 3, right=right + size.width + 4)
    return size.height + 1


def _on_pot(scene: Scene) -> Intent:
    """What a click on the pot means: taking it when there is something to take, else a look at it."""
    state = scene.state
    table = state.view.round
    takes = state.my_turn and table is not None and table.phase is not Phase.PLAY and not state.draft.take_pot
    return Key.POT if takes else Open(Page.POT)


def _top(scene: Scene) -> int | None:
    table = scene.state.table
    assert table is not None
    if table.phase is Phase.EXCHANGE and table.open_card is not None:
        return table.open_card
    return table.pot[-1] if table.pot else None


def _must(scene: Scene) -> str:
    """The mark of a top card that has to be melded at once by whoever takes the pot."""
    view = scene.state.view
    if not scene.state.my_turn or view.round is None or view.round.phase is not Phase.DRAW:
        return ""
    return "must" if pot_refusal(view) == "pot_top_must_meld" else ""


def _labels(scene: Scene) -> tuple[str, str]:
    table = scene.state.table
    assert table is not None
    if table.phase is Phase.EXCHANGE:
        pot = scene.say("pile.open")
    elif scene.state.draft.take_pot:
        pot = scene.say("pile.pot_taken")
    else:
        pot = f"{scene.say('pile.pot')} {len(table.pot)}"
    return f"{scene.say('pile.stock')} {table.stock}", pot


def _in_words(canvas: Canvas, scene: Scene, x: int, y: int) -> int:
    """Where no card can be drawn: the top card as a chip, and the counts."""
    stock, pot = _labels(scene)
    top = _top(scene)
    canvas.put(x + 2, y, stock, style("seat.facts"))
    canvas.mark(x + 2, y, COLUMN - 3, 1, Key.STOCK)
    canvas.mark(x + 2, y + 1, COLUMN - 3, 1, _on_pot(scene))
    after = canvas.put(x + 2, y + 1, pot + " ", style("seat.facts"))
    if top is not None:
        canvas.write(after, y + 1, scene.cards([(scene.state.faces.get(top, UNKNOWN), None)]))
    return 2
