"""What a turn may contain: the pot, new melds, lay-offs, swaps, getting down (matrix 2.5 - 2.8, 3.5, 3.6)."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.rules.actions import Lay, LayOff, Placed, Play, Step, Swap
from protocol.rules.cards import QUEEN_OF_SPADES, rank, suit
from tests.referee.forms import Card, claim_rank, larger_meld, new_meld
from tests.referee.position import OnTable, Position, RefusedError, TableMeld, refuse_if
from tests.referee.score import points
from tests.referee.turn import Turn, take


def take_pot(turn: Turn, action: Play) -> None:
    """Takes the pot, once its conditions hold."""
    at, rules = turn.at, turn.at.rules
    refuse_if(not at.pot, "pot_empty")
    refuse_if(at.stock_only, "already_drawn")
    refuse_if(rules.pot_requires_being_down and not at.down[turn.seat], "not_down")
    refuse_if(len(turn.old_hand) < rules.pot_min_hand, "pot_min_hand")
    *turn.rest, turn.top = at.pot
    very_first = not any(at.turns_taken)
    if rules.pot_top_card_must_be_melded and not (rules.pot_first_turn_free and very_first):
        check_pot_use(turn, action.steps[0] if action.steps else None)
    pot, at.pot, at.pot_covered = at.pot, [], False
    take(at, turn.seat, pot, "pot")


def check_pot_use(turn: Turn, step: Step | None) -> None:
    """Raises RefusedError unless the step uses the top card of the pot as the rules want it used."""
    rules = turn.at.rules
    used = [] if step is None or isinstance(step, Swap) else [card.slot for card in step.cards]
    if isinstance(step, LayOff):
        refuse_if(turn.top in used and not rules.pot_layoff_suffices, "pot_no_layoff")
    refuse_if(turn.top not in used, "pot_top_must_meld")
    refuse_if(any(turn.lies(slot) for slot in used), "table_fixed")
    allowed = [*turn.old_hand, turn.top, *turn.rest]
    refuse_if(any(slot not in allowed for slot in used), "card_not_in_hand")
    refuse_if(any(turn.at.public.get(slot, turn.faces.get(slot)) is None for slot in used), "card_not_in_hand")
    if isinstance(step, Lay):
        own = sum(slot in turn.old_hand for slot in used)
        refuse_if(own < rules.pot_needs_hand_cards, "pot_needs_two_hand_cards")
    others = any(slot in turn.rest for slot in used)
    refuse_if(others and not rules.pot_other_pile_cards_in_first_meld, "pot_other_cards")


# ------------------------------------------------------------------ steps


def do_step(turn: Turn, step: Step) -> None:
    """Does one step, or raises RefusedError."""
    if isinstance(step, Lay):
        lay(turn, step)
    elif isinstance(step, LayOff):
        lay_off(turn, step)
    else:
        swap(turn, step)
    at = turn.at
    at.laid_this_turn = True
    at.laid_since_reshuffle = True


def cards_of(turn: Turn, placed: Sequence[Placed]) -> list[Card]:
    """The named cards of the hand. Raises card_not_in_hand, pot_rest_locked."""
    cards: list[Card] = []
    for card in placed:
        face = turn.face(card.slot)
        named = [other.slot for other in cards]
        refuse_if(turn.lies(card.slot), "table_fixed")
        refuse_if(card.slot not in turn.hand or face is None or card.slot in named, "card_not_in_hand")
        assert face is not None
        cards.append(Card(card.slot, face, turn.at.wild(face), card.stands_for))
    if not turn.at.rules.pot_rest_same_turn:
        refuse_if(any(card.slot in turn.rest for card in cards), "pot_rest_locked")
    return cards


def lay(turn: Turn, step: Lay) -> None:
    """Lays a new meld."""
    cards = cards_of(turn, step.cards)
    at = turn.at
    meld = new_meld(at.rules, turn.seat, cards)
    single = at.rules.opening_single_set_of_three
    refuse_if(single and at.opened_this_turn, "opening_single_set")
    if not at.down[turn.seat]:
        turn.opening.append(meld)
    put_down(turn, meld, cards)
    at.melds.append(meld)


def put_down(turn: Turn, meld: TableMeld, cards: Sequence[Card]) -> None:
    """Moves the cards from the hand to the table and into everybody's sight."""
    for card in cards:
        turn.hand.remove(card.slot)
    for on_table in meld.cards:
        turn.at.public[on_table.slot] = on_table.face


def lay_off(turn: Turn, step: LayOff) -> None:
    """Adds cards to a meld."""
    at, rules = turn.at, turn.at.rules
    refuse_if(not 0 <= step.meld < len(at.melds), "no_such_meld")
    cards = cards_of(turn, step.cards)
    meld = at.melds[step.meld]
    mine = at.partners(turn.seat) if rules.team_layoff else [turn.seat]
    refuse_if(rules.layoff_scope == "own" and meld.owner not in mine, "not_own_meld")
    refuse_if(rules.layoff_requires_being_down and not at.down[turn.seat], "not_down")
    refuse_if(at.opened_this_turn and rules.opening_single_set_of_three, "opening_single_set")
    refuse_if(at.opened_this_turn and not rules.layoff_same_turn_as_opening, "layoff_opening_turn")
    most = rules.layoff_cards_per_action
    refuse_if(most is not None and len(cards) > most, "layoff_too_many")
    refuse_if(not rules.layoff_joker and any(card.wild for card in cards), "layoff_joker")
    at.melds[step.meld] = larger_meld(rules, meld, cards, step.side)
    put_down(turn, at.melds[step.meld], cards)


def swap(turn: Turn, step: Swap) -> None:
    """Puts a card in the place of a joker, which comes to the hand (3.5)."""
    at, rules = turn.at, turn.at.rules
    refuse_if(not 0 <= step.meld < len(at.melds), "no_such_meld")
    meld = at.melds[step.meld]
    opponent = meld.owner not in at.partners(turn.seat)
    refuse_if(not rules.joker_swap, "swap_not_allowed")
    refuse_if(opponent and not rules.joker_swap_opponent, "swap_not_allowed_opponent")
    refuse_if(rules.joker_swap_requires_being_down and not at.down[turn.seat], "not_down")
    (card,) = cards_of(turn, [Placed(step.slot)])
    there = meld.cards[step.position] if 0 <= step.position < len(meld.cards) else None
    refuse_if(there is None or not there.wild or card.wild, "swap_mismatch")
    assert there is not None
    refuse_if(not replaces(at, meld, there, card.face), "swap_mismatch")
    queen = card.face == QUEEN_OF_SPADES
    refuse_if(queen and opponent and not rules.queen_swap_opponent_joker, "queen_swap_opponent")
    refuse_if(queen and not opponent and not rules.queen_swap_own_joker, "queen_swap_own")
    meld.cards[step.position] = OnTable(card.slot, card.face, card.face, wild=False)
    at.public[card.slot] = card.face
    turn.hand.remove(card.slot)
    turn.hand.append(there.slot)


def replaces(at: Position, meld: TableMeld, joker: OnTable, face: int) -> bool:
    """Whether this card may take the place of this joker."""
    if meld.kind == "run" or at.rules.tracks_suit:
        return face == joker.stands_for
    if rank(face) != claim_rank(joker.stands_for):
        return False
    natural = {suit(card.face) for card in meld.cards if not card.wild}
    return suit(face) not in natural or len(natural) == 4


# ------------------------------------------------------------------ getting down (2.5)


def close_opening(turn: Turn) -> None:
    """Judges the melds laid together as the first lay, if there are any; the player is then down."""
    at, rules, melds = turn.at, turn.at.rules, turn.opening
    if not melds:
        return
    turn.opening = []
    if rules.opening_single_set_of_three:
        refuse_if(len(melds) > 1 or len(melds[0].cards) != 3, "opening_single_set")
    check_minimum(turn, melds)
    at.down[turn.seat] = True
    at.opened_this_turn = True


def check_minimum(turn: Turn, melds: Sequence[TableMeld]) -> None:
    """Raises below_opening_minimum or opening_joker where the first lay is worth too little."""
    rules = turn.at.rules
    if turn.out_at_end and rules.going_out_waives_minimum:
        return
    counting = [meld for meld in melds if opening_counts(turn, meld)]
    plain = [meld for meld in counting if not any(card.wild for card in meld.cards)]
    if enough(turn, plain if rules.opening_joker == "not_counted" else counting):
        return
    raise RefusedError("opening_joker" if enough(turn, counting) else "below_opening_minimum")


def opening_counts(turn: Turn, meld: TableMeld) -> bool:
    """Whether a meld counts for the minimum: not when made with cards of the pot taken in this turn, except its top."""
    if turn.at.rules.pot_opening_counts == "all":
        return True
    return not any(card.slot in turn.rest for card in meld.cards)


def enough(turn: Turn, melds: Sequence[TableMeld]) -> bool:
    """Whether these melds, together or (where the rules say so) one alone, reach the minimum."""
    rules = turn.at.rules
    worth = [sum(points(rules, card.face) for card in meld.cards) for meld in melds]
    total = sum(worth) if rules.opening_several_melds else max(worth, default=0)
    return total >= rules.opening_minimum
