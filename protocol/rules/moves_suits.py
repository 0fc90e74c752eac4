"""The suits of a search for the best laydown, each played out alone and easier than it is: a graph of the ways.

Easier means: of an open run only its length counts, up to the least that a meld has; cards of the table that lie in a
run are free. What a way through the graph is worth depends on prices, which `moves_prices` sets.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from .melds import place_face
from .moves_problem import Problem

SUITS = range(4)
END = 15
"""The place after the last."""

DONE = 0
"""The node of a suit that is played out."""
DEAD = -1
"""The node of open runs that no cards ahead can finish."""

Lengths: TypeAlias = tuple[int, ...]
"""How many open runs there are of one card, two, .., of the least length or more."""
Way: TypeAlias = tuple[int, int, Lengths]
"""Natural cards that runs take at a place, jokers that they take, and the open runs after it."""
Edge: TypeAlias = tuple[int, int, int]
"""Natural cards that runs take at a place, jokers that they take, and the node after it."""


class Cell(NamedTuple):
    """The cards of a face at a place of its suit, and how many of them are still there."""

    face: int
    place: int
    held: int


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


class Suits:
    """The graph of one problem, as far as it was asked for.

    Of every node `at` has the cell and `edges` the ways on. A node comes after those that its edges lead to, so that
    one pass over them in order finds what each is worth. `first` and `last` are the places that a run can use.
    """

    def __init__(self, problem: Problem, first: int, last: int) -> None:
        self.problem = problem
        self.least = problem.rules.meld_min_cards
        self.first, self.last = first, last
        self.jokers = problem.wilds + len(problem.swaps)
        self.lying = [[0] * END for _ in SUITS]
        self.entering = [[0] * END for _ in SUITS]
        for run in problem.runs:
            self.entering[run.suit][run.low] += 1
            for place in range(run.low, run.high + 1):
                self.lying[run.suit][place] += 1
        self.most_runs = [
            max(problem.counts[place_face(s, place)] + self.lying[s][place] for place in range(1, END)) for s in SUITS
        ]
        self.numbers: dict[tuple[int, int, int, Lengths], int] = {}
        self.cell_numbers: dict[Cell, int] = {}
        self.cells: list[Cell] = []
        self.at = [DONE]
        self.edges: list[tuple[Edge, ...]] = [()]

    def node(self, s: int, place: int, low: int, lengths: Lengths) -> int:
        """The node of a suit at a place, before its cards there, with these open runs and so many aces used low."""
        if place == END:
            return DEAD if any(lengths[:-1]) else DONE
        if entering := self.entering[s][place]:
            lengths = (*lengths[:-1], min(lengths[-1] + entering, self.most_runs[s]))
        key = (s, place, low, lengths)
        found = self.numbers.get(key)
        if found is None:
            found = self.numbers[key] = self._add(s, place, low, lengths)
        return found

    def _add(self, s: int, place: int, low: int, lengths: Lengths) -> int:
        face = place_face(s, place)
        held = self.problem.counts[face] - (low if place == END - 1 else 0)
        led = place - self.last + self.least - 1 if self.jokers else 0
        ways = _ways(
            lengths,
            held if self.first <= place <= self.last else 0,
            self.lying[s][place],
            led if 0 < led < self.least else 0,
            self.most_runs[s],
        )
        edges = []
        for taken, jokers, row in ways:
            if jokers <= self.jokers:
                after = self.node(s, place + 1, taken if place == 1 else low, row)
                if after != DEAD:
                    edges.append((taken, jokers, after))
        if not edges:
            return DEAD
        if not held and len(edges) == 1 and not edges[0][1]:
            return edges[0][2]  # nothing happens here
        self.at.append(self._cell(Cell(face, place, held)))
        self.edges.append(tuple(edges))
        return len(self.edges) - 1

    def _cell(self, cell: Cell) -> int:
        number = self.cell_numbers.get(cell)
        if number is None:
            number = self.cell_numbers[cell] = len(self.cells)
            self.cells.append(cell)
        return number
