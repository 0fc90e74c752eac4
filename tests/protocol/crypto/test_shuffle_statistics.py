"""That derived orders are uniform: chi-square tests with fixed seeds, limits at p = 10^-6 (spec section 8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import permutations
from math import exp, factorial

import pytest

from protocol.crypto.deck import permutation
from protocol.crypto.hashing import H32, u32

R = H32("test/statistics")


def _orders(name: str, n: int, count: int) -> list[list[int]]:
    """Orders that seeds give, each over an input deck of its own."""
    seed = H32("test/statistics/seed", name.encode())
    return [permutation(seed, R, 0, H32("test/statistics/din", u32(i)), n) for i in range(count)]


@cache
def _full(name: str) -> list[list[int]]:
    """20 000 orders of 108 cards."""
    return _orders(name, 108, 20_000)


def _chi_square(observed: Iterable[int], expected: Sequence[float]) -> float:
    return sum((o - e) ** 2 / e for o, e in zip(observed, expected, strict=True))


@pytest.mark.parametrize("honest", [0, 1, 2])
def test_orders_of_three_cards(honest: int) -> None:
    """All six orders of three cards are equally likely, although two of three seats do not shuffle at all."""
    identity = [0, 1, 2]
    counts: Counter[tuple[int, ...]] = Counter()
    for own in _orders(f"three/{honest}", 3, 6000):
        order = identity
        for seat in range(3):
            arr = own if seat == honest else identity
            order = [order[w] for w in arr]
        counts[tuple(order)] += 1

    assert _chi_square([counts[p] for p in permutations(range(3))], [1000.0] * 6) < 35


def test_positions_of_six_cards() -> None:
    """Each of six cards is at each of six positions equally often."""
    counts = Counter((k, card) for order in _orders("six", 6, 6000) for k, card in enumerate(order))

    assert _chi_square([counts[k, c] for k in range(6) for c in range(6)], [1000.0] * 36) < 75


def test_positions_of_a_whole_deck() -> None:
    """The 108 x 108 table of positions is within six standard deviations of what chance gives."""
    n, orders = 108, _full("first")
    table = [Counter(column) for column in zip(*orders, strict=True)]
    expected = [len(orders) / n] * n
    chi = sum(_chi_square([column[c] for c in range(n)], expected) for column in table)
    # rows and columns both add up to the number of orders: n/(n-1) times a chi-square of (n-1)^2 degrees of freedom
    mean, deviation = n * (n - 1), (2 * n * n) ** 0.5

    assert abs(chi - mean) < 6 * deviation


def test_fixed_points() -> None:
    """The number of cards that stay where they were follows Poisson(1)."""
    orders = _full("first")
    counts = Counter(min(5, sum(k == card for k, card in enumerate(order))) for order in orders)
    poisson = [exp(-1) / factorial(k) for k in range(5)]
    expected = [len(orders) * p for p in (*poisson, 1 - sum(poisson))]

    assert _chi_square([counts[k] for k in range(6)], expected) < 36


def test_first_card_of_two_seats() -> None:
    """The id in slot 0 after two seats' shuffles is uniform over the 108 ids."""
    first, second = _full("first"), _full("second")
    counts = Counter(a[b[0]] for a, b in zip(first, second, strict=True))

    assert _chi_square([counts[c] for c in range(108)], [len(first) / 108] * 108) < 192


def test_a_bad_shuffle_would_show() -> None:
    """The naive swap over the whole range, a classic mistake, fails the test that the real one passes."""
    counts: Counter[tuple[int, ...]] = Counter()
    for i in range(6000):
        arr = [0, 1, 2]
        for j in range(3):
            w = int.from_bytes(H32("test/naive", u32(i), u32(j)), "little") % 3
            arr[j], arr[w] = arr[w], arr[j]
        counts[tuple(arr)] += 1

    assert _chi_square([counts[p] for p in permutations(range(3))], [1000.0] * 6) > 35
