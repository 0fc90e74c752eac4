"""How a turn may end: what must be left in hand, and what may be discarded (matrix 2.9, 2.10, 3.3, 3.7)."""

from __future__ import annotations

from protocol.rules.actions import Play, Slot, Swap
from tests.referee.position import refuse_if
from tests.referee.turn import Turn, is_queen, named


def check_may_go_out(turn: Turn) -> None:
    """Raises no_going_out_first_turn or no_going_out_opening_turn."""
    at, rules = turn.at, turn.at.rules
    refuse_if(not rules.going_out_first_turn and at.turns_taken[turn.seat] == 0, "no_going_out_first_turn")
    refuse_if(not rules.going_out_opening_turn and at.opened_this_turn, "no_going_out_opening_turn")


def check_can_end(turn: Turn) -> None:
    """Raises RefusedError where what was laid or taken leaves no legal way to end the turn."""
    hand, rules = turn.hand, turn.at.rules
    if len(hand) < 2:
        check_may_go_out(turn)
    refuse_if(not hand and rules.discard_required_to_go_out, "must_keep_discard")
    if hand and all(is_queen(turn, slot) for slot in hand):
        one = len(hand) == 1 and queen_is_last(turn, hand[0])
        refuse_if(rules.laying_may_leave_only_queens == "false" or not one, "only_queen_left")


def queen_is_last(turn: Turn, slot: Slot) -> bool:
    """Whether the queen of spades, being the only card, may be discarded."""
    at = turn.at
    if at.rules.queen_discard == "last_card":
        return True
    if at.rules.queen_discard == "never":
        return False
    source = at.rules.queen_drawn_source == "any" or at.drawn_from == "stock"
    return source and slot in at.drawn


def discard(turn: Turn, action: Play) -> None:
    """Discards the named card, or ends the turn without one."""
    at, hand = turn.at, turn.hand
    if action.discard is None:
        refuse_if(bool(hand), "discard_required")
        refuse_if(bool(action.shown), "card_not_in_hand")
        return
    slot = action.discard
    face = turn.face(slot)
    refuse_if(turn.lies(slot), "table_fixed")
    refuse_if(slot not in hand or face is None, "card_not_in_hand")
    assert face is not None
    check_shown(turn, slot, action)
    # A discard is judged by what everybody sees: the cards that the play opens, not the rest of the own hand.
    turn.faces = {other: turn.faces[other] for other in named(action) if other in turn.faces}
    check_discard(turn, slot)
    if len(hand) == 1:
        check_may_go_out(turn)
    # Nothing is shown without need (spec R110).
    refuse_if(bool(action.shown) and free_choice(turn, slot), "card_not_in_hand")
    hand.remove(slot)
    at.pot.append(slot)
    at.public[slot] = face
    for other in action.shown:
        shown = turn.face(other)
        assert shown is not None
        at.public[other] = shown


def check_shown(turn: Turn, slot: Slot, action: Play) -> None:
    """Raises card_not_in_hand unless the shown cards are other cards of the hand, opened now for the first time."""
    opened = [slot]
    for step in action.steps:
        opened += [step.slot] if isinstance(step, Swap) else [card.slot for card in step.cards]
    for other in action.shown:
        wrong = other not in turn.hand or turn.face(other) is None or other in opened
        refuse_if(wrong, "card_not_in_hand")
        opened.append(other)


def free_choice(turn: Turn, slot: Slot) -> bool:
    """Whether the card may be discarded whatever else is in hand."""
    if is_queen(turn, slot):
        return len(turn.hand) == 1 and queen_is_last(turn, slot)
    return barred(turn, slot) is None


def check_discard(turn: Turn, slot: Slot) -> None:
    """Raises queen_discard, discard_joker or discard_just_taken."""
    hand, rules = turn.hand, turn.at.rules
    others = [other for other in hand if other != slot]
    if is_queen(turn, slot):
        if not others:
            refuse_if(not queen_is_last(turn, slot), "queen_discard")
            return
        forced = all(is_queen(turn, other) for other in others) and rules.queen_discard_two_queens
        refuse_if(not forced, "queen_discard")
        return
    why = barred(turn, slot)
    if why is not None:
        refuse_if(not all(is_queen(turn, other) or barred(turn, other) for other in others), why)


def barred(turn: Turn, slot: Slot) -> str | None:
    """Why a card other than the queen of spades may be discarded only where nothing else can be."""
    rules = turn.at.rules
    face = turn.face(slot)
    if not rules.discard_joker_allowed and face is not None and turn.at.wild(face):
        return "discard_joker"
    if not rules.discard_card_just_taken_allowed and slot in turn.at.drawn:
        return "discard_just_taken"
    return None
