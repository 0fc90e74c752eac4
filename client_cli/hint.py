"""What the hint makes of the screen: cards to begin with are selected, or it is said why there is nothing to lay."""

from __future__ import annotations

from dataclasses import replace

from . import turn
from .chronicle import Fact
from .intents import Page
from .state import Note, UiState, weigh


def shown(state: UiState) -> UiState:
    """The screen with the best laydown's first cards selected; what lies of our turn already is gone on from."""
    found = turn.hint(state.view, state.draft)
    if not found.steps:
        return replace(state, note=_nothing(state, found))
    note = Note("note.hint_pot" if found.with_pot else "note.hint", (("points", found.value),))
    chosen = turn.hand_cards(found.steps[0], state.order)
    cursor = chosen[0] if chosen else state.cursor
    return weigh(replace(state, selected=chosen, hint=chosen, cursor=cursor, note=note, page=Page.TABLE))


def _nothing(state: UiState, found: turn.Hint) -> Note:
    """Why there is nothing to lay: too early, worth too little, or simply nothing."""
    if not turn.may_arrange(state.view, state.draft):
        code = turn.not_yet(state.view)
        return Note("note.hint_draw" if code == "must_draw_first" else code)
    if not found.reached:
        return Note("note.no_hint")
    facts: tuple[tuple[str, Fact], ...] = (("reached", found.reached), ("minimum", state.view.rules.opening_minimum))
    return Note("note.hint_short" if state.draft.empty else "note.hint_stuck", facts)
