"""One turn in the making: the pot, the steps in order, the discard, each judged as the agreed rules say.

A `Turn` is the only mutable thing of the rules. `engine` makes one from a state, works on it and turns it back into a
state; nobody else sees it. Checks stand in the order of spec/10-rules.md R61, so that the first reason named is the
same everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from protocol.errors import IllegalMove

from .actions import Lay, LayOff, Placed, Slot, Step, Swap
from .cards import QUEEN_OF_SPADES
from .endings import barred_from_going_out, check_discard, check_hand_left, proof_needed
from .layoffs import lay_off, swap
from .melds import Given, is_wild, recognise
from .pot import PotRules, check_take
from .ruleset import RuleSet
from .scoring import points_table
from .state import Drawn, Meld, Round


def opening_points(rules: RuleSet, melds: Sequence[Meld], pot: PotRules | None, *, jokers: bool = False) -> int:
    """What these melds of a first lay count for towards its minimum; `jokers`: if jokers always counted."""
    worth = points_table(rules)
    jokers = jokers or rules.opening_joker == "allowed"
    points = [
        sum(worth[card.face] for card in meld.cards)
        for meld in melds
        if (pot is None or pot.counts_for_opening(meld)) and (jokers or not any(card.wild for card in meld.cards))
    ]
    return sum(points) if rules.opening_several_melds else max(points, default=0)


class Turn:
    """The mover's cards and the table while a turn is being played.

    `face` knows what this judge may know; `opened` collects the faces of slots that the turn makes public.
    """

    __slots__ = (
        "_opening",
        "_private",
        "_public",
        "down",
        "drawn",
        "hand",
        "laid",
        "melds",
        "opened",
        "opened_this_turn",
        "pot",
        "rules",
        "seat",
        "state",
        "stripped",
        "took_pot",
    )

    def __init__(self, state: Round, faces: Mapping[Slot, int]) -> None:
        self.state = state
        self.rules = state.rules
        self.seat = state.mover
        self.hand = list(state.hands[state.mover])
        self.melds = list(state.melds)
        self._public = state.faces
        self._private = faces
        self.opened: dict[Slot, int] = {}
        self.down = state.down[state.mover]
        self.opened_this_turn = state.opened_this_turn
        self.drawn = state.drawn
        self.laid = state.laid_this_turn
        self.stripped = False
        """Whether cards left the hand for the table (a swap leaves as many as before)."""
        self.pot: PotRules | None = None
        self.took_pot = False
        if self.drawn is not None and self.drawn.source == "pot":
            self.pot = PotRules.of(self.rules, self.drawn.slots)
        self._opening: list[Meld] = []

    def face(self, slot: Slot) -> int | None:
        """The face in this slot as far as it is known here."""
        face = self._public.get(slot)
        return self._private.get(slot) if face is None else face

    # -------------------------------------------------------------- the pot

    def take_pot(self, steps: Sequence[Step]) -> None:
        """Takes the whole pot into the hand. `steps` are those to come: the first may have to use the top card."""
        state = self.state
        check_take(state, self.down, steps, self.face)
        self.pot = PotRules.of(self.rules, state.pot)
        self.took_pot = True
        self.hand.extend(state.pot)
        self.drawn = Drawn("pot", state.pot)

    # -------------------------------------------------------------- steps

    def apply(self, steps: Sequence[Step], *, goes_out: bool, arranging: bool = False) -> None:
        """Carries out the steps. Melds laid one after the other while not down are one opening.

        `goes_out` says that the turn may still empty the hand (it may waive the opening minimum). `arranging` leaves
        an opening at the very end unjudged: more melds may follow.
        """
        for step in steps:
            if isinstance(step, Lay):
                self._lay(step)
                continue
            self._judge_opening(goes_out=goes_out)
            if isinstance(step, LayOff):
                self._lay_off(step)
            else:
                self._swap(step)
        if not arranging:
            self._judge_opening(goes_out=goes_out)

    def check_hand_left(self) -> None:
        """Raises IllegalMove when laying left no legal way to end the turn."""
        if self.stripped:
            assert self.drawn is not None
            check_hand_left(self.rules, self.hand, self.face, self.drawn, self._barred())

    def _barred(self) -> str | None:
        return barred_from_going_out(self.rules, self.state.turns_taken[self.seat] == 0, self.opened_this_turn)

    def _take(self, slot: Slot) -> int:
        """Removes a slot from the hand and returns its face, which becomes public."""
        face = self.face(slot)
        if face is None or slot not in self.hand:
            lies = any(card.slot == slot for meld in self.melds for card in meld.cards)
            raise IllegalMove("table_fixed" if lies else "card_not_in_hand", f"slot {slot}")
        self.hand.remove(slot)
        self.opened[slot] = face
        return face

    def _take_all(self, cards: Sequence[Placed]) -> list[Given]:
        return [(card.slot, self._take(card.slot), card.stands_for) for card in cards]

    def _check_rest_of_pot(self, slots: Sequence[Slot]) -> None:
        drawn = self.drawn
        if self.rules.pot_rest_same_turn or drawn is None or drawn.source != "pot":
            return
        if any(slot in drawn.slots and slot != drawn.slots[-1] for slot in slots):
            raise IllegalMove("pot_rest_locked", "the rest of the pot waits a turn")

    def _lay(self, step: Lay) -> None:
        given = self._take_all(step.cards)
        self._check_rest_of_pot([card.slot for card in step.cards])
        meld = recognise(self.rules, self.seat, given)
        if self.rules.opening_single_set_of_three and (self.opened_this_turn or self._opening):
            raise IllegalMove("opening_single_set", "one meld of three cards, then wait a turn")
        self.melds.append(meld)
        self.laid = self.stripped = True
        if not self.down:
            self._opening.append(meld)

    def _lay_off(self, step: LayOff) -> None:
        meld = self._meld(step.meld)
        rules = self.rules
        given = self._take_all(step.cards)
        self._check_rest_of_pot([card.slot for card in step.cards])
        if meld.owner != self.seat and not self._may_add_to(meld.owner):
            raise IllegalMove("not_own_meld", f"meld {step.meld} belongs to seat {meld.owner}")
        if rules.layoff_requires_being_down and not self.down:
            raise IllegalMove("not_down", "lay melds of your own first")
        if self.opened_this_turn:
            if rules.opening_single_set_of_three:
                raise IllegalMove("opening_single_set", "one meld of three cards, then wait a turn")
            if not rules.layoff_same_turn_as_opening:
                raise IllegalMove("layoff_opening_turn", "not in the turn of getting down")
        most = rules.layoff_cards_per_action
        if most is not None and len(given) > most:
            raise IllegalMove("layoff_too_many", f"{len(given)} cards; at most {most}")
        if not rules.layoff_joker and any(is_wild(rules, face) for _, face, _ in given):
            raise IllegalMove("layoff_joker", "jokers may not be laid off")
        self.melds[step.meld] = lay_off(rules, meld, given, step.side)
        self.laid = self.stripped = True

    def _swap(self, step: Swap) -> None:
        meld = self._meld(step.meld)
        rules = self.rules
        ours = meld.owner == self.seat or self._same_team(meld.owner)
        if not rules.joker_swap:
            raise IllegalMove("swap_not_allowed", "jokers stay where they lie")
        if not ours and not rules.joker_swap_opponent:
            raise IllegalMove("swap_not_allowed_opponent", "own jokers only")
        if rules.joker_swap_requires_being_down and not self.down:
            raise IllegalMove("not_down", "lay melds of your own first")
        face = self._take(step.slot)
        self._check_rest_of_pot([step.slot])
        swapped = swap(rules, meld, step.position, step.slot, face)
        if face == QUEEN_OF_SPADES:
            if not ours and not rules.queen_swap_opponent_joker:
                raise IllegalMove("queen_swap_opponent", "the queen of spades stays away from opponents' melds")
            if ours and not rules.queen_swap_own_joker:
                raise IllegalMove("queen_swap_own", "the queen of spades replaces no joker")
        self.hand.append(meld.cards[step.position].slot)
        self.melds[step.meld] = swapped
        self.laid = True

    def _meld(self, number: int) -> Meld:
        if not 0 <= number < len(self.melds):
            raise IllegalMove("no_such_meld", f"meld {number}")
        return self.melds[number]

    def _same_team(self, owner: int) -> bool:
        teams = self.state.team_of
        return bool(teams) and teams[owner] == teams[self.seat]

    def _may_add_to(self, owner: int) -> bool:
        return self.rules.layoff_scope == "any" or (self.rules.team_layoff and self._same_team(owner))

    # -------------------------------------------------------------- getting down

    def _judge_opening(self, *, goes_out: bool) -> None:
        melds = self._opening
        if not melds:
            return
        rules = self.rules
        if rules.opening_single_set_of_three and (len(melds) > 1 or len(melds[0].cards) != 3):
            raise IllegalMove("opening_single_set", "one meld of exactly three cards")
        waived = rules.going_out_waives_minimum and goes_out
        if rules.opening_minimum and not waived:
            self._check_minimum(melds)
        self._opening = []
        self.down = self.opened_this_turn = True

    def _check_minimum(self, melds: Sequence[Meld]) -> None:
        least = self.rules.opening_minimum
        if opening_points(self.rules, melds, self.pot) < least:
            by_jokers = opening_points(self.rules, melds, self.pot, jokers=True) >= least
            code = "opening_joker" if by_jokers else "below_opening_minimum"
            raise IllegalMove(code, f"the first lay needs {least} points")

    # -------------------------------------------------------------- the end

    def discard(self, slot: Slot | None, shown: Sequence[Slot]) -> None:
        """Ends the turn. Raises IllegalMove discard_required or a reason why this card may not go."""
        if slot is None:
            if self.hand:
                raise IllegalMove("discard_required", "a turn ends with a discard")
            if shown:
                raise IllegalMove("card_not_in_hand", "nothing is left to show")
            return
        face = self._take(slot)
        rules, hand, drawn = self.rules, self.hand, self.drawn
        assert drawn is not None
        free = rules.discard_joker_allowed and rules.discard_card_just_taken_allowed
        if hand and not shown and free and face != QUEEN_OF_SPADES:
            return
        for other in shown:
            shown_face = self.face(other)
            if shown_face is None or other not in hand or other in self.opened:
                raise IllegalMove("card_not_in_hand", f"slot {other} cannot be shown")
            self.opened[other] = shown_face
        check_discard(rules, slot, hand, self._open_face, drawn, self._barred())
        if not set(shown) <= set(proof_needed(rules, slot, hand, self._open_face, drawn)):
            raise IllegalMove("card_not_in_hand", "a card is shown that proves nothing")

    def _open_face(self, slot: Slot) -> int | None:
        """The face in this slot if everybody knows it once this turn is public."""
        face = self.opened.get(slot)
        return self._public.get(slot) if face is None else face

    def proof(self, slot: Slot) -> tuple[Slot, ...]:
        """The hidden slots to be shown with the discard of `slot`; none where showing them would not make it legal."""
        if self.drawn is None or slot not in self.hand or self.face(slot) is None:
            return ()
        rest = [other for other in self.hand if other != slot]
        try:
            check_discard(self.rules, slot, rest, self.face, self.drawn, None)
        except IllegalMove:
            return ()
        needed = proof_needed(self.rules, slot, rest, self.face, self.drawn)
        return tuple(other for other in needed if other not in self._public)
