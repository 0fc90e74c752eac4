"""The plain odds of a deal, and the chi-square test over many deals.

Everything is exact for a fair deck: a hand is drawn without replacement, so counts are hypergeometric. With cells of
`sizes` cards out of N and `marked` marked cards, the counts of one deal have the covariance of a multinomial times
(N - marked) / (N - 1); the statistic is divided by that factor, and follows chi-square with one degree less than cells.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

from protocol.rules.cards import ACE, JOKER, QUEEN_OF_SPADES, Pack, rank
from protocol.rules.ruleset import RuleSet

from .facts import Deal

LEAST_EXPECTED = 5
"""Cards that every cell must expect before the chi-square distribution is a good guide (a common rule of thumb)."""

Marked = Callable[[int], bool]
MARKED: dict[str, Marked] = {
    "queen": lambda face: face == QUEEN_OF_SPADES,
    "joker": lambda face: face == JOKER,
    "ace": lambda face: face != JOKER and rank(face) == ACE,
}
"""The cards that people ask about."""


@cache
def _faces(pack: Pack) -> tuple[int, ...]:
    return tuple(map(pack.face, range(pack.size)))


def copies(pack: Pack, marked: Marked) -> int:
    """How many cards of the deck are marked."""
    return sum(map(marked, _faces(pack)))


def at_least(count: int, marked: int, hand: int, size: int) -> float:
    """The probability that a hand of `hand` cards out of `size` holds at least `count` of `marked` cards."""
    ways = sum(math.comb(marked, k) * math.comb(size - marked, hand - k) for k in range(count))
    return 1 - ways / math.comb(size, hand)


def percent(share: float, lang: str) -> str:
    """A probability with one decimal, as it is written in this language."""
    text = f"{100 * share:.1f} %"
    return text.replace(".", ",") if lang == "nl" else text


def chi_square_p(statistic: float, freedom: int) -> float:
    """The probability of at least this chi-square statistic by chance.

    It is the regularised upper incomplete gamma function Q(freedom / 2, statistic / 2). `freedom` is a whole number of
    at least 1, so Q is a finite sum of positive terms: Q(a + 1, x) = Q(a, x) + x^a e^-x / Gamma(a + 1), from
    Q(1/2, x) = erfc(sqrt x) or Q(1, x) = e^-x (NIST DLMF 8.4.6, 8.4.8, 8.8.6).
    """
    x = statistic / 2
    if x <= 0:
        return 1.0
    first = 0.5 if freedom % 2 else 1.0
    begin = math.erfc(math.sqrt(x)) if freedom % 2 else math.exp(-x)
    steps = (freedom - 1) // 2
    terms = (math.exp((first + k) * math.log(x) - x - math.lgamma(first + k + 1)) for k in range(steps))
    return min(1.0, math.fsum([begin, *terms]))


@dataclass(frozen=True, slots=True)
class Test:
    """A chi-square test: statistic, degrees of freedom, p-value, and the number of deals that it is about."""

    statistic: float
    freedom: int
    p: float
    deals: int


@dataclass(slots=True)
class Spread:
    """Where marked cards fell, over any number of deals: cells with what was seen and what a fair deck gives.

    What lies in no cell (the cards that were not dealt) is one more cell of the test, and not in `seen`.
    """

    seen: dict[int, int] = field(default_factory=dict)
    expected: dict[int, float] = field(default_factory=dict)
    deals: int = 0
    _groups: dict[tuple[int, int, tuple[int, ...]], list[int]] = field(default_factory=dict)

    def add(self, cells: Sequence[tuple[int, int]], marked: int, size: int) -> None:
        """One deal: `cells` are (cards in it, marked cards seen in it), `marked` of the `size` cards are marked."""
        sizes = tuple(cards for cards, _ in cells)
        counts = [count for _, count in cells]
        for cell, (cards, count) in enumerate(cells):
            self.seen[cell] = self.seen.get(cell, 0) + count
            self.expected[cell] = self.expected.get(cell, 0.0) + marked * cards / size
        self.deals += 1
        group = self._groups.setdefault((marked, size, sizes), [0] * (len(cells) + 2))
        rest = marked - sum(counts)
        group[:] = [old + new for old, new in zip(group, [*counts, rest, 1], strict=True)]

    def test(self) -> Test | None:
        """The test over all deals alike (same deck and sizes) of which there are enough; None where there are none."""
        statistic, freedom, used = 0.0, 0, 0
        for (marked, size, sizes), (*counts, deals) in self._groups.items():
            left = size - sum(sizes)
            every = [*sizes, left] if left else list(sizes)
            expected = [deals * marked * cards / size for cards in every]
            if marked == size or min(e for e in expected if e) < LEAST_EXPECTED:
                continue
            summed = sum((o - e) ** 2 / e for o, e in zip(counts, expected, strict=False) if e)
            statistic += summed * (size - 1) / (size - marked)
            freedom += sum(1 for cards in every if cards) - 1
            used += deals
        return Test(statistic, freedom, chi_square_p(statistic, freedom), used) if freedom else None


def by_seat(deals: Iterable[tuple[RuleSet, Deal]], marked: Marked) -> Spread:
    """How the marked cards fell over the seats."""
    spread = Spread()
    for rules, deal in deals:
        count = copies(rules.pack, marked)
        if count:
            spread.add([(len(hand), sum(map(marked, hand))) for hand in deal.hands], count, rules.pack.size)
    return spread


def by_place(deals: Iterable[tuple[RuleSet, Deal]], marked: Marked) -> Spread:
    """How the marked cards fell over the places of the hands: the first card of everybody, the second, and so on."""
    spread = Spread()
    for rules, deal in deals:
        rows = list(zip(*filter(None, deal.hands), strict=True))
        spread.add([(len(row), sum(map(marked, row))) for row in rows], copies(rules.pack, marked), rules.pack.size)
    return spread


def by_face(deals: Iterable[tuple[RuleSet, Deal]]) -> Spread:
    """How often every face was dealt to anybody: the deck's cards fall into faces, the dealt ones are marked."""
    spread = Spread()
    for rules, deal in deals:
        held, dealt = Counter(_faces(rules.pack)), [face for hand in deal.hands for face in hand]
        seen = Counter(dealt)
        cells = [(held[face], seen[face]) for face in range(min(rules.pack.width, JOKER + 1))]
        spread.add(cells, len(dealt), rules.pack.size)
    return spread
