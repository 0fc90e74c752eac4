"""Moving about: the cursor along the hand, a card along the hand, a page up and down. Nothing of the game."""

from __future__ import annotations

from dataclasses import replace

from .arrange import Sort, shifted
from .intents import Edge, Leaf, Page, Row, Step
from .state import UiState


def scrolled(scroll: int, intent: Row | Leaf | Edge) -> int:
    """Where a page stands after a line, a leaf or a jump to an end, never beyond its ends."""
    match intent:
        case Edge(side, limit):
            return 0 if side < 0 else limit
        case Row(by, _, limit):
            return min(max(scroll + by, 0), limit)
        case Leaf(by, limit, size):
            return min(max(scroll + by * size, 0), limit)


def moved(state: UiState, intent: Step | Row | Edge) -> UiState:
    """The cursor along the hand: round the ends, a row further, or to an end."""
    if state.cursor is None or state.cursor not in state.order:
        return state
    last = len(state.order) - 1
    at = state.order.index(state.cursor)
    match intent:
        case Step(by):
            to = (at + by) % (last + 1)
        case Row(by, per_row, _):
            to = at + by * per_row
            to = to if 0 <= to <= last else at
        case Edge(side):
            to = 0 if side < 0 else last
    return replace(state, cursor=state.order[to])


def shifted_card(state: UiState, by: int) -> UiState:
    """The card under the cursor moved along the hand, whose order is the person's own from then on."""
    if state.cursor is None or state.page is not Page.TABLE:
        return state
    return replace(state, sort=Sort.OWN, order=shifted(state.order, state.cursor, by))
