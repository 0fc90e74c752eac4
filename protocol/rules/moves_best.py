"""The best laydown of a turn: the search of `moves_search` asked about a state, and its answer turned into steps.

What is judged best, and when that is exact, is said at `laydown`. Every answer has been accepted by the engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from protocol.errors import IllegalMove

from . import engine
from .actions import HIGH, LOW, Lay, LayOff, Placed, Slot, Step, Swap
from .melds import recognise
from .moves_openings import Openings
from .moves_problem import Extension, Solution
from .moves_search import LIMIT, solve
from .moves_shapes import WILD, Cards
from .moves_steps import melds, pot_is_closed, pot_is_free, pot_melds
from .moves_turn import Turn
from .pot import PotRules
from .scoring import hand_card_points
from .state import Meld, Round
from .turn import opening_points

MOST_FIRST_STEPS = 12
MOST_FIRST_STEPS_IN_HASTE = 2
"""First steps that are tried where the turn has to begin with a certain kind of step, in small and in huge hands."""


@dataclass(frozen=True, slots=True)
class Laydown:
    """Steps, their value (points on the table and points saved in hand), and whether no other steps have more."""

    steps: tuple[Step, ...]
    value: int
    exact: bool


def laydown(
    state: Round,
    seat: int,
    faces: Mapping[Slot, int],
    *,
    take_pot: bool,
    limit: int | None = LIMIT,
    begun: tuple[Lay, ...] = (),
) -> Laydown:
    """The steps of greatest value that leave a legal end of the turn; none where there is nothing (or no pot) to take.

    Value is what the seat's (or its team's) melds gain in points, plus the points that leave its hand, which a swap
    that brings a joker into the hand reduces. `faces` has at least the own hand.

    It is exact, up to `limit` states looked at, for a seat that is down or needs no opening minimum, and takes no pot
    or one that is free. Where the turn has to begin with a certain kind of steps (melds that reach the minimum, a
    meld with the top card) it is the best of up to `MOST_FIRST_STEPS` beginnings, each followed by its exact best;
    `exact` then says whether that is as good as if there were no such rule. Swaps and lay-offs that become possible
    by getting down, and lay-offs on opponents' melds where allowed, are added afterwards.

    `begun` are the first melds of this turn, laid from `state` (after the pot if taken) by a seat that is not down and
    worth too little alone; the steps and their value are what comes after them.
    """
    if take_pot and pot_is_closed(state, seat):
        return _NOTHING
    ways = _Laydowns(state, seat, faces, take_pot, limit, begun)
    best = max(ways.candidates(), key=lambda found: found.value, default=_NOTHING)
    if not best.steps:
        return best
    best = ways.continued(best)
    return replace(best, steps=best.steps[len(begun) :], value=best.value - ways.laid_value(begun))


def opening_reach(
    state: Round, seat: int, faces: Mapping[Slot, int], *, take_pot: bool, limit: int, begun: tuple[Lay, ...] = ()
) -> int:
    """What `begun` and the best further melds count for towards the opening minimum; arguments as of `laydown`."""
    ways = _Laydowns(state, seat, faces, take_pot, limit, begun)
    return opening_points(ways.rules, ways.melds_after(begun), ways.pot)


_NOTHING = Laydown((), 0, True)


class _Laydowns:
    """The laydowns of a turn to choose from."""

    def __init__(
        self,
        state: Round,
        seat: int,
        faces: Mapping[Slot, int],
        take_pot: bool,
        limit: int | None,
        begun: tuple[Lay, ...] = (),
    ) -> None:
        self.turn = Turn(state, seat, faces, take_pot=take_pot)
        self.state = state
        self.seat = seat
        self.rules = state.rules
        self.known = self.turn.known
        self.middle = self.turn.middle
        self.down = self.turn.down
        self.take_pot = take_pot
        self.limit = limit
        self.begun = begun
        drawn = self.middle.drawn
        self.pot = PotRules.of(self.rules, drawn.slots) if drawn and drawn.source == "pot" else None
        self.openings = Openings(self.rules, self.known)

    def candidates(self) -> Iterator[Laydown]:
        """Laydowns to choose from: the unhindered best, or the best after each possible beginning."""
        rules = self.rules
        if rules.opening_single_set_of_three and (not self.down or self.state.opened_this_turn):
            yield from self._single_sets() if not self.begun else ()
            return
        bound_pot = self.take_pot and not self.begun and not pot_is_free(self.state)
        beginnings = list(islice(self._pot_beginnings(), MOST_FIRST_STEPS)) if bound_pot else []
        if bound_pot and not beginnings:
            return
        # No rule of beginnings can make more possible than this, so that whatever reaches it is the best.
        free = self._solved(self.begun, swaps=True)
        swaps = self.down or not rules.joker_swap_requires_being_down
        if not bound_pot:
            for found in self._unhindered(free, swaps=swaps):
                if self._accepted(found.steps):
                    yield replace(found, exact=found.exact and found.value >= free.value)
                    return
            if self.down or not rules.opening_minimum:
                yield from self._shortened(free.steps)
                return
        if not bound_pot:
            gone = [card.slot for lay in self.begun for card in lay.cards]
            if self.begun and self.pot is not None and self.pot.top_only:
                gone.extend(self.pot.slots)
            beginnings = list(islice(self.openings.after(self.begun, self.turn.cards(gone)), MOST_FIRST_STEPS))
        if not free.exact:
            # Too many cards to try many beginnings: the first have the fewest cards and leave the most to choose.
            beginnings = beginnings[:MOST_FIRST_STEPS_IN_HASTE]
        for steps in beginnings:
            found = self._solved(steps, swaps=swaps)
            if not self._accepted(found.steps):
                found = Laydown(tuple(steps), self.laid_value(steps), exact=False)
            if self._accepted(found.steps):
                yield replace(found, exact=free.exact and found.value >= free.value)
                if found.value >= free.value:
                    return

    def _unhindered(self, free: Laydown, *, swaps: bool) -> Iterator[Laydown]:
        """The best laydown, and the best without swaps where they may not come first and there are any."""
        yield free
        if not swaps and self.rules.joker_swap and self.turn.offers(self.turn.cards()):
            yield self._solved(self.begun, swaps=False)

    def melds_after(self, begun: Sequence[Step]) -> list[Meld]:
        """The new melds of the best laydown that begins like this, if no points were needed to get down."""
        return [self._meld(step) for step in self._solved(begun, swaps=False).steps if isinstance(step, Lay)]

    def continued(self, begun: Laydown) -> Laydown:
        """The laydown with what became possible by it: swaps after getting down, lay-offs on other seats' melds."""
        rules = self.rules
        later = (not self.down and rules.joker_swap and rules.joker_swap_requires_being_down) or (
            not self.down and rules.layoff_requires_being_down and any(self.turn.ours(m) for m in self.state.melds)
        )
        if later:
            now = engine.preview(self.state, self.seat, self.take_pot, begun.steps, self.known)
            more = _Laydowns(now, self.seat, self.known, False, self.limit)
            found = more._solved((), swaps=True)
            if found.steps and self._accepted((*begun.steps, *found.steps)):
                begun = Laydown((*begun.steps, *found.steps), begun.value + found.value, exact=False)
        if rules.layoff_scope == "any":
            begun = self._given_away(begun)
        return begun

    def _accepted(self, steps: Sequence[Step]) -> bool:
        try:
            engine.preview(self.state, self.seat, self.take_pot, steps, self.known)
        except IllegalMove:
            return False
        return True

    # ------------------------------------------------------------------------------------------------ beginnings

    def _single_sets(self) -> Iterator[Laydown]:
        """First lays of exactly one meld of three cards."""
        cards = self.turn.cards()
        hand = {slot: self.known[slot] for slots in (*cards.naturals.values(), cards.wilds) for slot in slots}
        for lay in melds(self.rules, hand):
            if len(lay.cards) == 3 and self._accepted((lay,)):
                yield Laydown((lay,), self.laid_value((lay,)), exact=True)

    def _pot_beginnings(self) -> Iterator[tuple[Step, ...]]:
        """First steps that use the top card of the pot, with further melds where the opening needs them."""
        kept: list[set[Slot]] = []
        for step in pot_melds(self.state, self.seat, self.known):
            slots = {card.slot for card in step.cards}
            if any(small <= slots for small in kept) and (self.down or not self.rules.opening_minimum):
                continue  # the same meld with fewer cards came before; the rest can be laid off
            kept.append(slots)
            if self.down or not self.rules.opening_minimum:
                yield (step,)
            elif isinstance(step, Lay):
                hand_only = self.turn.cards((*slots, *self.state.pot))
                yield from self.openings.after((step,), hand_only)

    def laid_value(self, steps: Sequence[Step]) -> int:
        """What laying these cards is worth, for lays and lay-offs on melds of ours."""
        slots = [card.slot for step in steps if not isinstance(step, Swap) for card in step.cards]
        return sum(self.turn.worth[self.known[s]] + hand_card_points(self.rules, self.known[s]) for s in slots)

    def _shortened(self, steps: Sequence[Step]) -> Iterator[Laydown]:
        """The longest beginning that the engine takes, where an agreed rule forbids the end that was planned."""
        for length in range(len(steps) - 1, 0, -1):
            if self._accepted(steps[:length]):
                after = engine.preview(self.state, self.seat, self.take_pot, steps[:length], self.known)
                value = self._standing(after) - self._standing(self.middle)
                if value > 0:
                    yield Laydown(tuple(steps[:length]), value, exact=False)
                return

    def _standing(self, state: Round) -> int:
        lying = sum(self.turn.worth[card.face] for meld in state.melds if self.turn.ours(meld) for card in meld.cards)
        return lying - sum(hand_card_points(self.rules, self.known[slot]) for slot in state.hands[self.seat])

    # ------------------------------------------------------------------------------------------------ the search

    def _solved(self, beginning: Sequence[Step], *, swaps: bool) -> Laydown:
        """The best laydown that begins with these steps."""
        used = [card.slot for step in beginning if not isinstance(step, Swap) for card in step.cards]
        cards = self.turn.cards(used)
        table = list(self.middle.melds)
        for step in beginning:
            if isinstance(step, Lay):
                table.append(self._meld(step))
            elif isinstance(step, LayOff):
                table[step.meld] = engine.preview(self.state, self.seat, self.take_pot, (step,), self.known).melds[
                    step.meld
                ]
        problem = self.turn.problem(cards, table, swaps=swaps, opens=not self.down)
        solution = solve(problem, self.limit)
        steps = [*beginning, *self._steps(solution, cards)]
        if not self.down and self.rules.joker_swap_requires_being_down:
            hand = self.middle.hands[self.seat]
            steps.sort(key=lambda step: _late(step, hand))
        # Where naturals need a majority, a swap makes room for jokers in gaps that the search does not see.
        own = {run.meld for run in problem.runs} | {open_set.meld for open_set in problem.sets}
        exact = not (self.rules.joker_majority and any(offer.meld in own for offer in problem.swaps))
        return Laydown(tuple(steps), self.laid_value(beginning) + solution.value, solution.exact and exact)

    def _meld(self, lay: Lay) -> Meld:
        given = [(card.slot, self.known[card.slot], card.stands_for) for card in lay.cards]
        return recognise(self.rules, self.seat, given)

    def _steps(self, solution: Solution, cards: Cards) -> Iterator[Step]:
        """The answer of the search as steps: swaps, new melds, lay-offs."""
        gained: list[Slot] = []
        for swap in solution.swaps:
            placed, cards = cards.take((swap.face,))
            gained.append(self.middle.melds[swap.meld].cards[swap.position].slot)
            yield Swap(swap.meld, swap.position, placed[0].slot)
        cards = Cards(cards.naturals, (*cards.wilds, *gained))
        clean_first = sorted(solution.melds, key=lambda items: any(item >= WILD for item in items))
        for items in clean_first:
            placed, cards = cards.take(items)
            yield Lay(placed)
        for extension in solution.extensions:
            placed, cards = cards.take(extension.items)
            yield from self._layoffs(extension, placed)

    def _layoffs(self, extension: Extension, placed: tuple[Placed, ...]) -> Iterator[LayOff]:
        """The lay-off in as many steps as the rules want, from the meld outwards."""
        most = self.rules.layoff_cards_per_action or len(placed)
        if extension.side == LOW:
            for end in range(len(placed), 0, -most):
                yield LayOff(extension.meld, placed[max(0, end - most) : end], LOW)
            return
        side = HIGH if extension.side == HIGH else None
        for start in range(0, len(placed), most):
            yield LayOff(extension.meld, placed[start : start + most], side)

    def _given_away(self, begun: Laydown) -> Laydown:
        """The laydown with cards that are left laid off on other seats' melds, the most expensive first."""
        steps = list(begun.steps)
        value = begun.value
        now = engine.preview(self.state, self.seat, self.take_pot, steps, self.known)
        for slot in sorted(now.hands[self.seat], key=lambda s: (-hand_card_points(self.rules, self.known[s]), s)):
            for number, meld in enumerate(now.melds):
                step = LayOff(number, (Placed(slot),))
                if not self.turn.ours(meld) and self._accepted((*steps, step)):
                    steps.append(step)
                    value += hand_card_points(self.rules, self.known[slot])
                    break
        return Laydown(tuple(steps), value, exact=begun.exact and len(steps) == len(begun.steps))


def _late(step: Step, hand: Sequence[Slot]) -> int:
    """The order of steps where swaps come after the first lay: melds of the hand, swaps, the rest."""
    if isinstance(step, Swap):
        return 1
    return 0 if isinstance(step, Lay) and all(card.slot in hand for card in step.cards) else 2
