"""How much the cards still ahead of a walk can bring: a bound from above that is never too low.

It is the least of the bounds of a relaxation (see `moves_prices`) at a few prices, summed from parts that many states
share: what each suit brings with its open runs, what sets get back, and what the jokers at hand do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import gcd
from typing import TypeAlias

from .moves_prices import Relaxation
from .moves_problem import Problem
from .moves_suits import DEAD, END, SUITS, Lengths

USUAL_PRICES = (0, 20, 60)
"""What a joker costs, in points: where there are plenty, where there are some, and where there are none."""

_NEVER = -(1 << 30)

Worth: TypeAlias = tuple[int, ...]
"""Points, at each of the prices."""


class Prospect:
    """The bounds of one problem.

    `first` and `last` are the places that a run can use; `lengths` tells what a numbered row of open runs is.
    """

    def __init__(self, problem: Problem, first: int, last: int, lengths: Callable[[int], Lengths]) -> None:
        self.joker_value = problem.joker_value
        self.lengths = lengths
        self.relaxation = Relaxation(problem, first, last)
        self.prices = [self.relaxation.usual(price) for price in USUAL_PRICES]
        # Every sum of points is a multiple of this, so that a bound may be rounded down to one.
        self.grain = gcd(problem.joker_value, *problem.values, *(offer.gain for offer in problem.swaps)) or 1
        self.suits: list[list[dict[int, Worth]]] = [[{} for _ in SUITS] for _ in range(END + 1)]
        self.back: dict[int, Worth] = {}
        self.jokers: dict[int, Worth] = {}

    def sharpen(self) -> None:
        """Makes bounds lower, at the cost of finding prices for the problem. What `of_others` said before is void."""
        self.prices.append(self.relaxation.best())
        self.suits = [[{} for _ in SUITS] for _ in range(END + 1)]
        self.back.clear()
        self.jokers.clear()

    def of_others(self, place: int, suit_: int, s: int, rows: Sequence[int], low: int) -> Worth:
        """What all suits but `s` can bring, as of `most`; `rows` names their open runs."""
        a, b, c = (
            self._of_suit(other, place + 1 if other < suit_ else place, rows[other], low >> 4 * other & 15)
            for other in SUITS
            if other != s
        )
        return tuple(map(sum, zip(a, b, c, strict=True)))

    def most(self, others: Worth, s: int, row: int, place: int, suit_: int, jokers: int, low: int, chosen: int) -> int:
        """The most that can still come from a place on, for the suits before `suit_` from the next place on.

        `others` is what other suits than `s` bring, and `row` names the open runs of that suit. Of the state: the
        jokers left, the aces used low (four bits a suit), and how many cards of this rank wait to become a set.
        """
        suit = self._of_suit(s, place + 1 if s < suit_ else place, row, low >> 4 * s & 15)
        key = (place * 5 + suit_) << 24 | chosen
        back = self.back.get(key)
        if back is None:
            back = self.back[key] = tuple(self.relaxation.back(p, place, suit_, chosen) for p in self.prices)
        paid = self.jokers.get(jokers)
        if paid is None:
            paid = self.jokers[jokers] = tuple((self.joker_value + p.joker) * jokers for p in self.prices)
        most = min(map(sum, zip(others, suit, back, paid, strict=True)))
        return most - most % self.grain

    def _of_suit(self, s: int, place: int, row: int, low: int) -> Worth:
        """What a suit can bring from a place on, with the open runs of this row and so many aces used low."""
        known = self.suits[place][s]
        key = row << 4 | low
        found = known.get(key)
        if found is None:
            found = known[key] = self._look(self.relaxation.suits.node(s, place, low, self.lengths(row)))
        return found

    def _look(self, node: int) -> Worth:
        if node == DEAD:
            return (_NEVER,) * len(self.prices)
        for prices in self.prices:
            if node >= len(prices.nodes):
                self.relaxation.weigh(prices)
        return tuple(prices.nodes[node] for prices in self.prices)
