"""Where a card comes from when one is due: the stock, or the pot turned over as the new stock (spec/10-rules.md R51).

Only what a player's draw and a penalty card have in common; who may draw is judged in `engine` and `calls`.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum

from .actions import Slot
from .state import Round


class DrawOutcome(Enum):
    """What a wish for a stock card leads to now."""

    STOCK = "stock"
    RESHUFFLE = "reshuffle"
    """The stock is empty: the pot becomes the new stock first."""
    SINGLE = "single"
    """The stock is empty and the pot is one card: it is drawn openly, nothing is shuffled."""
    ROUND_ENDS = "round_ends"
    """No card is left, or nothing has happened since the last reshuffle although everybody had a turn."""


def outcome(state: Round) -> DrawOutcome:
    """What taking a card leads to by the cards alone: ROUND_ENDS only when there is none."""
    if state.stock:
        return DrawOutcome.STOCK
    if not state.pot:
        return DrawOutcome.ROUND_ENDS
    return DrawOutcome.SINGLE if len(state.pot) == 1 else DrawOutcome.RESHUFFLE


def turned_over(state: Round) -> Round:
    """The state without its pot, which was turned over. Where its cards go is for the caller to say."""
    return replace(
        state,
        pot=(),
        reshuffles=state.reshuffles + 1,
        laid_since_reshuffle=False,
        covered=False,
    )


def new_stock(state: Round) -> tuple[Round, tuple[Slot, ...]]:
    """The state with the whole pot turned into a stock, and the slots, bottom first, whose cards are shuffled anew.

    The new stock has new slots; the old ones leave the state with their faces.
    """
    gone = set(state.pot)
    faces = {slot: face for slot, face in state.faces.items() if slot not in gone}
    return replace(turned_over(state), faces=faces, stock=len(state.pot)), state.pot
