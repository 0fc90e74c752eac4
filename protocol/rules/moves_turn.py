"""A turn about to be played, as the search for the best laydown is asked about it (see `moves_problem`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .actions import Slot
from .cards import JOKER, QUEEN_OF_SPADES, TWO
from .endings import barred_from_going_out
from .layoffs import places as run_places
from .melds import RUN, claimed_rank
from .moves_problem import OpenRun, OpenSet, Problem, SwapOffer
from .moves_shapes import Cards
from .moves_steps import exchangeable, middle
from .scoring import hand_card_points, points_table
from .state import Meld, Round


class Turn:
    """The turn of a seat, with the pot or without: its `state`, the `middle` of the turn, and what cards are worth.

    `known` has the faces of the table and of the own hand; `locked` are slots of the pot that this turn may not lay.
    """

    def __init__(self, state: Round, seat: int, faces: Mapping[Slot, int], *, take_pot: bool) -> None:
        self.state = state
        self.seat = seat
        self.rules = state.rules
        self.known = {**state.faces, **faces}
        self.middle = middle(state, seat, faces, take_pot=take_pot, steps=())
        self.worth = points_table(self.rules)
        self.joker = TWO if self.rules.two_as_joker else JOKER
        drawn = self.middle.drawn
        self.drawn = drawn.slots if drawn else ()
        self.locked: tuple[Slot, ...] = ()
        if drawn and drawn.source == "pot" and not self.rules.pot_rest_same_turn:
            self.locked = drawn.slots[:-1]
        self.down = state.down[seat]

    def cards(self, without: Sequence[Slot] = ()) -> Cards:
        """The cards to lay from; of equal cards those held before the draw come first, so that they go first."""
        gone = {*without, *self.locked}
        slots = [slot for slot in self.middle.hands[self.seat] if slot not in gone]
        order = {slot: number for number, slot in enumerate(sorted(slots, key=lambda s: (s in self.drawn, s)))}
        ranked = Cards.of(self.rules, {order[slot]: self.known[slot] for slot in slots})
        back = {number: slot for slot, number in order.items()}
        return Cards(
            {face: tuple(back[number] for number in numbers) for face, numbers in ranked.naturals.items()},
            tuple(back[number] for number in ranked.wilds),
        )

    def problem(self, cards: Cards, table: Sequence[Meld], *, swaps: bool, opens: bool) -> Problem:
        """What is the best that these cards can do, with these melds on the table."""
        rules, worth = self.rules, self.worth
        opening_now = opens or self.state.opened_this_turn
        may_extend = (self.down or not rules.layoff_requires_being_down or len(table) > len(self.middle.melds)) and (
            not opening_now or rules.layoff_same_turn_as_opening
        )
        runs, sets = self._open_melds(table) if may_extend else ([], [])
        return Problem(
            rules=rules,
            counts=cards.counts(),
            wilds=len(cards.wilds),
            values=[worth[face] + hand_card_points(rules, face) for face in range(52)],
            joker_value=worth[self.joker] + hand_card_points(rules, self.joker),
            runs=runs,
            sets=sets,
            swaps=self.offers(cards) if swaps and rules.joker_swap else [],
            layoff_jokers=rules.layoff_joker,
            seen=self._seen(),
            may_end=_Ending(self, opens=opens),
        )

    def ours(self, meld: Meld) -> bool:
        """Whether a meld scores for the seat: its own, and those of its team."""
        teams = self.state.team_of
        return meld.owner == self.seat or (bool(teams) and teams[meld.owner] == teams[self.seat])

    def _open_melds(self, table: Sequence[Meld]) -> tuple[list[OpenRun], list[OpenSet]]:
        runs: list[OpenRun] = []
        sets: list[OpenSet] = []
        for number, meld in enumerate(table):
            if meld.owner != self.seat and not (self.ours(meld) and self.rules.team_layoff):
                continue
            if meld.kind == RUN:
                wilds = sum(card.wild for card in meld.cards)
                suit = meld.cards[0].stands_for // 13
                runs.append(OpenRun(number, suit, meld.low, run_places(meld)[-1], len(meld.cards) - wilds, wilds))
            else:
                sets.append(OpenSet(number, claimed_rank(meld.cards[0].stands_for), meld))
        return runs, sets

    def offers(self, cards: Cards) -> list[SwapOffer]:
        """Swaps with what each gains by itself: at most one per joker, and one per face in each set."""
        rules, worth = self.rules, self.worth
        offers: dict[tuple[int, int], SwapOffer] = {}
        taken: set[tuple[int, int]] = set()
        cost = hand_card_points(rules, self.joker)
        for number, position, face in exchangeable(self.middle, sorted(cards.naturals)):
            ours = self.ours(self.middle.melds[number])
            queen = face == QUEEN_OF_SPADES
            allowed = rules.queen_swap_own_joker if ours else rules.queen_swap_opponent_joker
            if (not ours and not rules.joker_swap_opponent) or (queen and not allowed):
                continue
            gain = hand_card_points(rules, face) - cost
            if ours:
                gain += worth[face] - worth[self.joker]
            known = offers.get((number, position))
            if (number, face) not in taken and (known is None or known.gain < gain):
                if known is not None:
                    taken.discard((number, known.face))
                taken.add((number, face))
                offers[number, position] = SwapOffer(face, gain, number, position)
        return list(offers.values())

    def _seen(self) -> list[int]:
        """Copies of each face that no opponent can hold: on the table, in the pot, or in the own hand."""
        seen = [0] * 52
        slots = {card.slot for meld in self.middle.melds for card in meld.cards}
        slots.update(self.middle.pot)
        slots.update(self.middle.hands[self.seat])
        for slot in slots:
            face = self.known.get(slot, JOKER)
            if face < JOKER:
                seen[face] += 1
        return seen


class _Ending:
    """Whether the turn can end with so many cards that are no queens of spades, and queens, left to choose from."""

    def __init__(self, turn: Turn, *, opens: bool) -> None:
        rules = turn.rules
        self.rules = rules
        opened = opens or turn.state.opened_this_turn
        self.barred = barred_from_going_out(rules, turn.state.turns_taken[turn.seat] == 0, opened) is not None
        held = [turn.known[slot] for slot in turn.locked]
        self.queens = held.count(QUEEN_OF_SPADES)
        self.others = len(held) - self.queens
        drawn = turn.middle.drawn
        fresh = any(turn.known[slot] == QUEEN_OF_SPADES for slot in turn.drawn)
        source = rules.queen_drawn_source == "any" or (drawn is not None and drawn.source == "stock")
        last = rules.queen_discard == "last_card" or (
            rules.queen_discard == "last_card_drawn_this_turn" and fresh and source
        )
        self.queen_may_stay = last and rules.laying_may_leave_only_queens != "false"

    def __call__(self, others: int, queens: int) -> bool:
        others, queens = others + self.others, queens + self.queens
        if others + queens < 2 and self.barred:
            return False
        if others:
            return True
        return queens == 1 and self.queen_may_stay if queens else not self.rules.discard_required_to_go_out
