"""Reads the answer of a search back out of its layers: the swaps, the new melds and the lay-offs.

Nothing is decided here, except where the jokers go that the search found room for without naming a place.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from .actions import HIGH, LOW
from .cards import QUEEN_OF_SPADES
from .layoffs import swap
from .melds import place_face
from .moves_problem import Extension, OpenRun, OpenSet, Solution, SwapOffer
from .moves_runs import KIND
from .moves_shapes import WILD, Item, balanced, places, set_additions, set_limit, set_row
from .moves_walk import Choice, Walk


@dataclass(slots=True)
class _Run:
    """A run as it is written down.

    `low` are items below a run of the table, `high` those above it (or all of a new one).
    """

    descriptor: int
    suit: int
    first: int
    low: list[Item] = field(default_factory=list)
    high: list[Item] = field(default_factory=list)
    table: OpenRun | None = None

    @property
    def span(self) -> tuple[int, int]:
        """First and last place."""
        if self.table is None:
            return self.first, self.first + len(self.high) - 1
        return self.table.low - len(self.low), self.table.high + len(self.high)

    @property
    def wilds(self) -> int:
        """Jokers in it, those on the table too."""
        lying = self.table.wilds if self.table else 0
        return lying + sum(item >= WILD for item in (*self.low, *self.high))


@dataclass(slots=True)
class _Set:
    """A set as it is written down: natural cards per suit and jokers that are new."""

    rank: int
    chosen: tuple[int, ...]
    jokers: int
    table: OpenSet | None = None


class Trace:
    """The answer of a finished walk (the last of its layers has one state)."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self.problem = walk.problem
        self.layers = walk.layers
        self.worth = 0
        self.swaps: list[SwapOffer] = []
        self.open: list[list[_Run]] = [[], [], [], []]
        self.runs: list[_Run] = []
        self.sets: list[_Set] = []
        self.open_sets = list(walk.problem.sets)
        self.chosen = [0, 0, 0, 0]

    def solution(self) -> Solution:
        """The laydown that the last layer stands for."""
        state = next(iter(self.layers[-1]))
        value = self.layers[-1][state][0]
        choices: list[Choice | int | None] = []
        for layer in reversed(self.layers[1:-1]):
            _, state, choice = layer[state]
            choices.append(choice)
        for (place, suit_), choice in zip(self.walk.steps, reversed(choices), strict=True):
            if suit_ == 4:
                assert isinstance(choice, int)
                self._sets((place - 1) % 13, choice)
            else:
                assert isinstance(choice, tuple)
                self._suit(place, suit_, choice)
        for rows in self.open:
            self.runs.extend(rows)
        self._apply_swaps()
        if self.problem.joker_value:
            for _ in range((value - self.worth) // self.problem.joker_value):
                self._spare()
        exact = self.walk.exact and self.worth == value
        return Solution(self.worth, tuple(self.swaps), self._melds(), self._extensions(), exact)

    def _suit(self, place: int, suit_: int, choice: Choice) -> None:
        option, in_set, swapped = choice
        face = place_face(suit_, place)
        self.chosen[suit_] = in_set
        offers = self.walk.offers.get(face, [])[:swapped]
        self.swaps.extend(offers)
        self.worth += (option.used + in_set) * self.problem.values[face] + option.jokers * self.problem.joker_value
        self.worth += sum(offer.gain for offer in offers)
        waiting = self.open[suit_]
        done: list[_Run] = []
        for what, before, after in option.ops:
            item = face + (WILD if what == "joker" else 0)
            if what == "enter":
                done.append(_Run(after, suit_, place, table=self.problem.runs[after // KIND - 1]))
                continue
            if before < 0:
                done.append(_Run(after, suit_, place, high=[item]))
                continue
            run = next(run for run in waiting if run.descriptor == before)
            waiting.remove(run)
            if what == "end":
                self.runs.append(run)
                continue
            if what == "join":
                run.low, run.high, run.table = run.high, [], self.problem.runs[after // KIND - 1]
            else:
                run.high.append(item)
            run.descriptor = after
            done.append(run)
        waiting.extend(done)

    def _apply_swaps(self) -> None:
        """Melds on the table from which a joker was taken have one natural card more."""
        for offer in self.swaps:
            for run in self.runs:
                if run.table is not None and run.table.meld == offer.meld:
                    run.table = replace(run.table, naturals=run.table.naturals + 1, wilds=run.table.wilds - 1)
            for number, open_set in enumerate(self.open_sets):
                if open_set.meld == offer.meld:
                    lying = swap(self.problem.rules, open_set.lying, offer.position, -1, offer.face)
                    self.open_sets[number] = replace(open_set, lying=lying)
        current = {open_set.meld: open_set for open_set in self.open_sets}
        for target in self.sets:
            if target.table is not None:
                target.table = current[target.table.meld]

    def _sets(self, rank_: int, jokers: int) -> None:
        chosen, self.chosen = self.chosen, [0, 0, 0, 0]
        if not any(chosen):
            return
        plan = self.walk.sets.plan(rank_, chosen, jokers)
        assert plan is not None
        self.worth += jokers * self.problem.joker_value
        self.sets.extend(_Set(rank_, group, wild) for group, wild in plan[0])
        self.sets.extend(_Set(rank_, tuple(part), wild, target) for target, part, wild in plan[1])

    # --------------------------------------------------------------------------------------- jokers to spare

    def _spare(self) -> None:
        """Add one joker where it is hardest to swap.

        That is as the queen that opponents may not put there, else as a card of which most copies are accounted for.
        """
        ways = [*self._run_ends(), *self._set_rooms()]
        if not ways:
            return
        _, target, side = max(ways, key=lambda way: way[0])
        self.worth += self.problem.joker_value
        if isinstance(target, _Set):
            target.jokers += 1
            if target not in self.sets:
                self.sets.append(target)
            return
        low, high = target.span
        if side == LOW:
            items = target.high if target.table is None else target.low
            items.insert(0, WILD + place_face(target.suit, low - 1))
            target.first -= 1
        else:
            target.high.append(WILD + place_face(target.suit, high + 1))

    def _safety(self, face: int) -> int:
        rules = self.problem.rules
        if face == QUEEN_OF_SPADES and not rules.queen_swap_opponent_joker:
            return 100
        seen = self.problem.seen
        return seen[face] if seen else self.problem.counts[face]

    def _run_ends(self) -> list[tuple[int, _Run | _Set, str | None]]:
        rules = self.problem.rules
        first, last = places(rules)
        ways: list[tuple[int, _Run | _Set, str | None]] = []
        for run in self.runs:
            low, high = run.span
            cards = high - low + 1
            barred = 2 if rules.two_as_joker and not rules.wild_two_may_be_two else 0
            if run.table is not None and not self.problem.layoff_jokers:
                continue
            if cards >= rules.run_max_cards or not balanced(rules, cards - run.wilds, run.wilds + 1):
                continue
            if high < last and not (high == 13 and low == 1 and not rules.ace_both_ends):
                ways.append((self._safety(place_face(run.suit, high + 1)), run, HIGH))
            if low > first and low - 1 != barred and not (low == 2 and high == 14 and not rules.ace_both_ends):
                ways.append((self._safety(place_face(run.suit, low - 1)), run, LOW))
        return ways

    def _set_rooms(self) -> list[tuple[int, _Run | _Set, str | None]]:
        rules = self.problem.rules
        ways: list[tuple[int, _Run | _Set, str | None]] = []
        targets = list(self.sets)
        touched = {target.table.meld for target in targets if target.table is not None}
        if self.problem.layoff_jokers:
            targets += [_Set(o.rank, (0, 0, 0, 0), 0, o) for o in self.open_sets if o.meld not in touched]
        for target in targets:
            items: tuple[Item, ...] | None
            if target.table is None:
                naturals = sum(target.chosen)
                wilds = target.jokers + 1
                fits = naturals + wilds <= set_limit(rules) and balanced(rules, naturals, wilds)
                items = set_row(rules, target.rank, target.chosen, wilds) if fits else None
            elif self.problem.layoff_jokers:
                items = set_additions(rules, target.table.lying, target.chosen, target.jokers + 1)
            else:
                items = None
            if items is not None:
                stands = [item - WILD for item in items if item >= WILD]
                safety = min((self._safety(face) for face in stands if face < 52), default=0)
                ways.append((safety, target, None))
        return ways

    # --------------------------------------------------------------------------------------------- the answer

    def _melds(self) -> tuple[tuple[Item, ...], ...]:
        melds = [tuple(run.high) for run in self.runs if run.table is None]
        for target in self.sets:
            if target.table is None:
                row = set_row(self.problem.rules, target.rank, target.chosen, target.jokers)
                assert row is not None
                melds.append(row)
        return tuple(melds)

    def _extensions(self) -> tuple[Extension, ...]:
        extensions: list[Extension] = []
        for run in self.runs:
            if run.table is not None and run.low:
                extensions.append(Extension(run.table.meld, LOW, tuple(run.low)))
            if run.table is not None and run.high:
                extensions.append(Extension(run.table.meld, HIGH, tuple(run.high)))
        for target in self.sets:
            if target.table is not None:
                items = set_additions(self.problem.rules, target.table.lying, target.chosen, target.jokers)
                assert items is not None
                extensions.append(Extension(target.table.meld, None, items))
        # Natural cards first: a majority of them may be needed before the jokers of another end come.
        return tuple(sorted(extensions, key=lambda e: sum(item >= WILD for item in e.items)))
