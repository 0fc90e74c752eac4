"""What holds after every move of every game: no card comes, goes or doubles. For simulations, tests and verifiers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache

from protocol.errors import InternalError

from .actions import Slot
from .ruleset import RuleSet
from .scoring import deck_points, points_table
from .state import Phase, Round


def slots_in_play(state: Round) -> list[Slot]:
    """Every slot in a hand, on the table, in the pot, or on offer, in that order."""
    slots = [slot for hand in state.hands for slot in hand]
    slots += [card.slot for meld in state.melds for card in meld.cards]
    slots += state.pot
    return slots if state.open_card is None else [*slots, state.open_card]


@cache
def _deck(rules: RuleSet) -> tuple[Counter[int], int]:
    """How many copies of each face the deck has, and its points."""
    return Counter(map(rules.pack.face, range(rules.pack.size))), deck_points(rules)


def check_conservation(state: Round, faces: Mapping[Slot, int], stock: Sequence[Slot] | None = None) -> None:
    """Raises InternalError unless every card is in exactly one place.

    Always: no slot twice, and with the stock as many cards as the deck has. `faces` extends `state.faces`; what is
    known never holds more copies of a face than the deck. With the slots of the `stock` too (all faces known), the
    cards are exactly the deck and the points of table, hands, pot and stock add up to the deck's.
    """
    slots = slots_in_play(state)
    if len(set(slots)) != len(slots):
        raise InternalError("rules/conservation", "a slot lies in two places")
    if len(slots) + state.stock != state.rules.deck_size:
        raise InternalError("rules/conservation", f"{len(slots)} cards and {state.stock} in the stock")
    for meld in state.melds:
        for card in meld.cards:
            if state.faces.get(card.slot) != card.face:
                raise InternalError("rules/conservation", f"slot {card.slot} lies there with another face")
    if state.phase is Phase.OVER and state.out is not None and state.hands[state.out]:
        raise InternalError("rules/conservation", "the seat that went out holds cards")
    if stock is not None:
        if len(stock) != state.stock or set(stock) & set(slots):
            raise InternalError("rules/conservation", "the stock is not what is left")
        slots = [*slots, *stock]
    deck, points = _deck(state.rules)
    known = [face for slot in slots if (face := state.faces.get(slot, faces.get(slot))) is not None]
    if too_many := Counter(known) - deck:
        raise InternalError("rules/conservation", f"more copies than the deck has: {dict(too_many)}")
    if stock is None:
        return
    worth = points_table(state.rules)
    if len(known) != deck.total() or sum(worth[face] for face in known) != points:
        raise InternalError("rules/conservation", "points or cards are missing")


def check_calls(state: Round) -> None:
    """Raises InternalError unless missed calls and penalties are what they can be.

    Whoever missed the call and has not drawn since holds one card; nobody owes a card in a round that is over; each
    kind of penalty exists only at a table that has it.
    """
    kind, calls = state.rules.last_card_call, state.calls
    drew = state.mover if state.phase is Phase.PLAY else None
    if any(len(state.hands[seat]) != 1 for seat in calls.uncalled if seat != drew):
        raise InternalError("rules/calls", "no last card to call")
    if calls.owed and (state.phase is Phase.OVER or set(calls.owed) & set(calls.uncalled)):
        raise InternalError("rules/calls", "a penalty card that nobody can owe")
    allowed = {"none": (), "extra_card": ("uncalled", "owed"), "points": ("uncalled", "penalties")}[kind]
    if any(getattr(calls, name) and name not in allowed for name in ("uncalled", "owed", "penalties")):
        raise InternalError("rules/calls", f"not at a table with {kind}")
