"""How a turn may end: which card may be discarded, and what a lay must leave in hand.

Hidden cards are judged by what is known: a slot without a known face is never taken for a queen of spades, and
whoever needs the others to know what else is in hand has to show it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from protocol.errors import IllegalMove

from .actions import Slot
from .cards import QUEEN_OF_SPADES
from .melds import is_wild
from .ruleset import RuleSet
from .state import Drawn

FaceOf: TypeAlias = Callable[[Slot], int | None]
"""What a judge knows of a slot: its face, or None."""


def barred_from_going_out(rules: RuleSet, first_turn: bool, opened_this_turn: bool) -> str | None:
    """The reason code why the mover may not go out in this turn, or None."""
    if first_turn and not rules.going_out_first_turn:
        return "no_going_out_first_turn"
    if opened_this_turn and not rules.going_out_opening_turn:
        return "no_going_out_opening_turn"
    return None


def check_hand_left(rules: RuleSet, hand: Sequence[Slot], face_of: FaceOf, drawn: Drawn, barred: str | None) -> None:
    """Raises IllegalMove when, after laying, the hand leaves no legal way to end the turn.

    Codes: the `barred` one, must_keep_discard, only_queen_left.
    """
    count = len(hand)
    if count < 2 and barred is not None:
        raise IllegalMove(barred, f"{count} cards left")
    if count == 0:
        if rules.discard_required_to_go_out:
            raise IllegalMove("must_keep_discard", "no card left to discard")
        return
    if any(face_of(slot) != QUEEN_OF_SPADES for slot in hand):
        return
    if count > 1 or rules.laying_may_leave_only_queens == "false" or not _queen_may_go_last(rules, hand[0], drawn):
        raise IllegalMove("only_queen_left", f"{count} cards left, queens of spades all")


def _queen_may_go_last(rules: RuleSet, slot: Slot, drawn: Drawn) -> bool:
    """Whether the queen of spades in this slot may be discarded as the last card."""
    if rules.queen_discard == "last_card_drawn_this_turn":
        return slot in drawn.slots and (rules.queen_drawn_source == "any" or drawn.source == "stock")
    return rules.queen_discard == "last_card"


def check_discard(
    rules: RuleSet, slot: Slot, rest: Sequence[Slot], face_of: FaceOf, drawn: Drawn, barred: str | None
) -> None:
    """Raises IllegalMove unless the card in `slot` may be discarded, leaving `rest` in hand.

    Codes: queen_discard, discard_joker, discard_just_taken, the `barred` one when nothing is left.
    """
    refusal = _refusal(rules, slot, face_of, drawn, last=not rest)
    if refusal is not None and not _forced(rules, refusal, rest, face_of, drawn):
        raise IllegalMove(refusal, "this card may not be discarded now")
    if not rest and barred is not None:
        raise IllegalMove(barred, "the discard would be the last card")


def _refusal(rules: RuleSet, slot: Slot, face_of: FaceOf, drawn: Drawn, *, last: bool) -> str | None:
    """Why a card may not be discarded while there is a choice, or None."""
    face = face_of(slot)
    assert face is not None
    if face == QUEEN_OF_SPADES and not (last and _queen_may_go_last(rules, slot, drawn)):
        return "queen_discard"
    if not rules.discard_joker_allowed and is_wild(rules, face):
        return "discard_joker"
    if not rules.discard_card_just_taken_allowed and slot in drawn.slots:
        return "discard_just_taken"
    return None


def _forced(rules: RuleSet, refusal: str, rest: Sequence[Slot], face_of: FaceOf, drawn: Drawn) -> bool:
    """Whether the hand is known to hold no card that may be discarded freely, so that this one has to serve."""
    if refusal == "queen_discard":
        # Only among queens of spades, and never the last one: she would go out.
        return rules.queen_discard_two_queens and bool(rest) and all(face_of(s) == QUEEN_OF_SPADES for s in rest)
    return all(face_of(s) is not None and _refusal(rules, s, face_of, drawn, last=False) is not None for s in rest)


def proof_needed(rules: RuleSet, slot: Slot, rest: Sequence[Slot], face_of: FaceOf, drawn: Drawn) -> tuple[Slot, ...]:
    """The slots of `rest` that must be open for others to see that discarding `slot` is legal."""
    return tuple(rest) if _refusal(rules, slot, face_of, drawn, last=not rest) is not None else ()
