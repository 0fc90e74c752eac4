"""Conditions for taking the pot, and what its cards may be used for in that turn (spec/10-rules.md 12)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from protocol.errors import IllegalMove

from .actions import Lay, LayOff, Slot, Step
from .ruleset import RuleSet
from .state import Meld, Round


@dataclass(frozen=True, slots=True)
class PotRules:
    """A pot that was taken: its slots, and whether only its top card counts when the taker gets down."""

    slots: tuple[Slot, ...]
    top_only: bool

    @classmethod
    def of(cls, rules: RuleSet, slots: tuple[Slot, ...]) -> PotRules:
        """The rules for this pot, bottom first."""
        return cls(slots, rules.pot_opening_counts == "top_and_hand")

    def counts_for_opening(self, meld: Meld) -> bool:
        """Whether the meld counts towards the opening minimum: where that matters, only the top card may be in it."""
        return not self.top_only or not any(card.slot in self.slots[:-1] for card in meld.cards)


def check_take(state: Round, down: bool, steps: Sequence[Step], face_of: Callable[[Slot], int | None]) -> None:
    """Refuses to take the pot when the mover may not, with these steps to follow.

    Raises IllegalMove pot_empty, not_down, pot_min_hand, pot_no_layoff, pot_top_must_meld, card_not_in_hand,
    not_own_meld, table_fixed, pot_needs_two_hand_cards or pot_other_cards.
    """
    rules = state.rules
    hand = state.hands[state.mover]
    if not state.pot:
        raise IllegalMove("pot_empty", "there is no pot")
    if rules.pot_requires_being_down and not down:
        raise IllegalMove("not_down", "lay melds of your own first")
    if len(hand) < rules.pot_min_hand:
        raise IllegalMove("pot_min_hand", f"{len(hand)} cards in hand; {rules.pot_min_hand} are needed")
    free = rules.pot_first_turn_free and not any(state.turns_taken)
    if rules.pot_top_card_must_be_melded and not free:
        _check_first_step(state, steps, face_of)


def _check_first_step(state: Round, steps: Sequence[Step], face_of: Callable[[Slot], int | None]) -> None:
    rules = state.rules
    hand = state.hands[state.mover]
    top, others = state.pot[-1], state.pot[:-1]
    first = steps[0] if steps else None
    if isinstance(first, LayOff) and any(card.slot == top for card in first.cards):
        if not rules.pot_layoff_suffices:
            raise IllegalMove("pot_no_layoff", "the top card goes into a new meld")
        if first.meld < len(state.melds) and state.melds[first.meld].owner != state.mover:
            raise IllegalMove("not_own_meld", "the top card goes onto a meld of your own")
        return
    if not isinstance(first, Lay) or all(card.slot != top for card in first.cards):
        raise IllegalMove("pot_top_must_meld", "the first step is a meld with the top card")
    slots = [card.slot for card in first.cards]
    if any(card.slot in slots for meld in state.melds for card in meld.cards):
        raise IllegalMove("table_fixed", "a card of that meld lies on the table")
    if any(face_of(slot) is None or not (slot == top or slot in hand or slot in others) for slot in slots):
        raise IllegalMove("card_not_in_hand", "a card of that meld is not there")
    if sum(slot in hand for slot in slots) < rules.pot_needs_hand_cards:
        raise IllegalMove("pot_needs_two_hand_cards", f"{rules.pot_needs_hand_cards} own cards are needed")
    if not rules.pot_other_pile_cards_in_first_meld and any(slot in others for slot in slots):
        raise IllegalMove("pot_other_cards", "other pot cards come after that meld")
