"""The odds of a deal: exact by the hypergeometric formula, and within four sigma as the own shuffle deals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import comb, sqrt

import pytest

from protocol.crypto.deck import permutation
from protocol.rules.cards import JOKER, QUEEN_OF_SPADES, TWO, rank
from protocol.rules.ruleset import preset

DEALS = 8_000
SEATS = 4
NONCE = bytes(range(32))


def at_least_one(size: int, special: int, hand: int) -> Fraction:
    """The chance that a hand of so many cards from a deck of `size` holds one of the special cards or more."""
    return 1 - Fraction(comb(size - special, hand), comb(size, hand))


@dataclass(frozen=True)
class Odds:
    """A kind of card to look for in a hand of thirteen."""

    name: str
    wanted: Callable[[int], bool]
    chance: float


CASES = {
    "queen of spades": Odds("klassiek", lambda face: face == QUEEN_OF_SPADES, 0.22724),
    "joker": Odds("klassiek", lambda face: face == JOKER, 0.40595),
    "two": Odds("modern", lambda face: rank(face) == TWO and face != JOKER, 0.67005),
}


@pytest.mark.parametrize("odds", CASES.values(), ids=list(CASES))
def test_exact(odds: Odds) -> None:
    """The chance of one such card or more in thirteen follows from the deck alone."""
    rules = preset(odds.name)
    special = sum(odds.wanted(rules.pack.face(card)) for card in range(rules.pack.size))
    exact = at_least_one(rules.pack.size, special, rules.hand_size)
    # The same again card by card: each drawn card is none of them.
    none = Fraction(1)
    for drawn in range(rules.hand_size):
        none *= Fraction(rules.pack.size - special - drawn, rules.pack.size - drawn)

    assert exact == 1 - none
    assert f"{float(exact):.5f}" == f"{odds.chance:.5f}"


@pytest.fixture(scope="module")
def hands() -> dict[int, list[list[int]]]:
    """Card ids of a hand of thirteen of every deal, by the size of the deck; each deal from a seed of its own."""
    dealt: dict[int, list[list[int]]] = {}
    for size in (108, 104):
        dealt[size] = []
        for number in range(DEALS):
            order = permutation(number.to_bytes(32, "big"), NONCE, 0, size.to_bytes(32, "big"), size)
            seat = number % SEATS
            dealt[size].append([order[k * SEATS + seat] for k in range(13)])
    return dealt


@pytest.mark.parametrize("odds", CASES.values(), ids=list(CASES))
def test_dealt(odds: Odds, hands: dict[int, list[list[int]]]) -> None:
    """The shuffle that the protocol derives from seeds deals such cards as often as the formula says."""
    rules = preset(odds.name)
    exact = odds.chance
    seen = sum(any(odds.wanted(rules.pack.face(card)) for card in hand) for hand in hands[rules.pack.size])
    sigma = sqrt(DEALS * exact * (1 - exact))

    assert abs(seen - DEALS * exact) < 4 * sigma


@pytest.mark.parametrize("size", [104, 108])
def test_every_card_is_dealt_equally_often(hands: dict[int, list[list[int]]], size: int) -> None:
    """No card comes more often than another: each within five sigma, all together as chi-square expects."""
    counts = [0] * size
    for hand in hands[size]:
        assert len(set(hand)) == 13
        for card in hand:
            counts[card] += 1
    chance = 13 / size
    mean = DEALS * chance
    variance = DEALS * chance * (1 - chance)
    # Thirteen cards of one deal exclude each other: the sum of squares has size - 1 degrees of freedom.
    spread = sum((count - mean) ** 2 for count in counts) / variance * (size - 1) / size

    assert all(abs(count - mean) < 5 * sqrt(variance) for count in counts)
    assert abs(spread - (size - 1)) < 4 * sqrt(2 * (size - 1))
