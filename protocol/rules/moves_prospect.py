"""How much the cards still ahead of a walk can bring: a bound from above that is never too low.

Each suit is played out alone and easier than it is, with a price per joker instead of a number of them: whoever lays
a joker pays, and what the jokers at hand would cost is added at the end. By weak duality that is a bound at any price,
and the least over a few prices is close. Easier means: of an open run only its length counts, up to the least that a
meld has; cards of the table that lie in a run are free; a card may go to a set that its rank could make, for its part
of the jokers which that set needs even with all cards of the rank.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from math import gcd
from typing import TypeAlias

from .cards import face_of
from .melds import place_face
from .moves_problem import Problem

PRICES = (20, 40)
"""What a joker costs, in points: it saves about the first when there are some, the second when it is the last."""

_SUITS = range(4)
_END = 15
_NEVER = (-(1 << 30), -(1 << 30))

Lengths: TypeAlias = tuple[int, ...]
"""How many open runs there are of one card, two, .., of the least length or more."""
Way: TypeAlias = tuple[int, int, Lengths]
"""Natural cards that runs take at a place, jokers that they take, and the open runs after it."""


@lru_cache(maxsize=100_000)
def _ways(lengths: Lengths, cards: int, lying: int, led: int, most: int) -> tuple[Way, ...]:
    """What the runs of a suit can do with these cards and free ones; `led` jokers may precede a card that begins."""
    best: dict[tuple[int, Lengths], int] = {}
    short = sum(lengths[:-1])
    for going_on in range(lengths[-1] + 1):
        after = [0, *lengths[:-1]]
        after[-1] += going_on
        for begun, behind, used in _shares(cards, short + going_on, led):
            row = list(after)
            row[0] += begun
            row[led] += behind
            jokers = max(0, short + going_on - used - lying) + led * behind
            key = (begun + behind + used, tuple(min(count, most) for count in row))
            best[key] = min(best.get(key, jokers), jokers)
    return tuple((taken, jokers, row) for (taken, row), jokers in best.items())


def _shares(cards: int, users: int, led: int) -> Iterator[tuple[int, int, int]]:
    """Cards that begin a run, that begin one behind jokers, and that go on with one."""
    for begun in range(cards + 1):
        for behind in range(cards - begun + 1 if led else 1):
            for used in range(min(users, cards - begun - behind) + 1):
                yield begun, behind, used


class Prospect:
    """The bounds of one problem.

    `first` and `last` are the places that a run can use; `lengths` tells what a numbered row of open runs is.
    """

    def __init__(self, problem: Problem, first: int, last: int, lengths: Callable[[int], Lengths]) -> None:
        self.problem = problem
        self.lengths = lengths
        self.least = problem.rules.meld_min_cards
        self.first, self.last = first, last
        self.jokers = problem.wilds + len(problem.swaps)
        self.lying = [[0] * _END for _ in _SUITS]
        self.entering = [[0] * _END for _ in _SUITS]
        for run in problem.runs:
            self.entering[run.suit][run.low] += 1
            for place in range(run.low, run.high + 1):
                self.lying[run.suit][place] += 1
        self.most_runs = [
            max(problem.counts[place_face(s, place)] + self.lying[s][place] for place in range(1, _END)) for s in _SUITS
        ]
        # Every sum of points is a multiple of this, so that a bound may be rounded down to one.
        self.grain = gcd(problem.joker_value, *problem.values, *(offer.gain for offer in problem.swaps)) or 1
        self.tolls = tuple(self._tolls(price) for price in PRICES)
        self.offered: dict[int, list[int]] = {}
        for offer in sorted(problem.swaps, key=lambda offer: -offer.gain):
            self.offered.setdefault(offer.face, []).append(offer.gain + problem.joker_value)
        self.apart: dict[int, list[tuple[int, int]]] = {}
        self.memo: dict[tuple[int, int, int, Lengths], tuple[int, int]] = {}
        self.known: list[list[dict[int, tuple[int, int]]]] = [[{} for _ in _SUITS] for _ in range(_END + 1)]

    def _tolls(self, price: int) -> list[int | None]:
        """What a card of each rank pays to lie in a set; None where it cannot."""
        lies = {open_set.rank for open_set in self.problem.sets}
        tolls: list[int | None] = []
        for rank_ in range(13):
            held = sum(self.problem.counts[face_of(s, rank_)] for s in _SUITS)
            missing = 0 if rank_ in lies else max(0, self.least - held)
            tolls.append(price * missing // held if held and missing <= self.jokers else None)
        return tolls

    def most(self, place: int, suit_: int, rows: Sequence[int], jokers: int, low: int, chosen: int) -> int:
        """The most that can still come from a place on, for the suits before `suit_` from the next place on.

        `rows` names the open runs per suit. Of the state: the jokers left, the aces used low (four bits a suit), and
        how many cards of this rank wait to become a set.
        """
        value = self.problem.joker_value
        cheap, dear = (value + PRICES[0]) * jokers, (value + PRICES[1]) * jokers
        for s in _SUITS:
            begin = place + 1 if s < suit_ else place
            key = rows[s] << 4 | low >> 4 * s & 15
            found = self.known[begin][s].get(key)
            if found is None:
                found = self.known[begin][s][key] = self._ahead(s, begin, key & 15, self.lengths(rows[s]))
            cheap += found[0]
            dear += found[1]
        if chosen:
            cheap -= chosen * (self.tolls[0][(place - 1) % 13] or 0)
            dear -= chosen * (self.tolls[1][(place - 1) % 13] or 0)
        most = min(cheap, dear)
        return most - most % self.grain

    def _ahead(self, s: int, place: int, low: int, lengths: Lengths) -> tuple[int, int]:
        """What a suit can bring from a place on at each price, with these open runs and so many aces used low."""
        if place == _END:
            return _NEVER if any(lengths[:-1]) else (0, 0)
        if entering := self.entering[s][place]:
            lengths = (*lengths[:-1], min(lengths[-1] + entering, self.most_runs[s]))
        key = (s, place, low, lengths)
        found = self.memo.get(key)
        if found is not None:
            return found
        face = place_face(s, place)
        held = self.problem.counts[face] - (low if place == _END - 1 else 0)
        worth = self.problem.values[face]
        apart = self._apart(face, place)
        led = place - self.last + self.least - 1 if self.jokers else 0
        ways = _ways(
            lengths,
            held if self.first <= place <= self.last else 0,
            self.lying[s][place],
            led if 0 < led < self.least else 0,
            self.most_runs[s],
        )
        cheap = dear = _NEVER[0]
        for taken, jokers, row in ways:
            if jokers <= self.jokers:
                after = self._ahead(s, place + 1, low, row)
                alone = apart[held - taken]
                cheap = max(cheap, taken * worth - jokers * PRICES[0] + alone[0] + after[0])
                dear = max(dear, taken * worth - jokers * PRICES[1] + alone[1] + after[1])
        self.memo[key] = (cheap, dear)
        return cheap, dear

    def _apart(self, face: int, place: int) -> list[tuple[int, int]]:
        """What cards of a face bring that are in no run: none of them, one, ..; aces count at their high place."""
        held = self.problem.counts[face]
        if place == 1:
            return [(0, 0)] * (held + 1)
        found = self.apart.get(face)
        if found is None:
            cheap, dear = (self._gains(face, held, i) for i in range(2))
            found = self.apart[face] = list(zip(cheap, dear, strict=True))
        return found

    def _gains(self, face: int, held: int, i: int) -> list[int]:
        """What none of these cards, one, .. bring in a set or as swaps, at one price."""
        toll = self.tolls[i][face % 13]
        in_set = 0 if toll is None else max(0, self.problem.values[face] - toll)
        swaps = [gain + PRICES[i] for gain in self.offered.get(face, [])]
        return [
            max(sum(swaps[:swapped]) + (cards - swapped) * in_set for swapped in range(min(cards, len(swaps)) + 1))
            for cards in range(held + 1)
        ]
