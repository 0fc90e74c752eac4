"""The odds of a deal and the chi-square test, against exact counts and against scipy's values."""

from __future__ import annotations

import math
import random
from itertools import combinations

import pytest

from client_cli.report.facts import Deal
from client_cli.report.odds import MARKED, Spread, at_least, by_face, by_place, by_seat, chi_square_p, copies
from protocol.rules.ruleset import RuleSet, preset

# scipy 1.17: chi2.sf(statistic, freedom)
REFERENCE = [
    (0.001, 1, 0.9747728793699604),
    (1.0, 1, 0.31731050786291115),
    (4.5, 1, 0.033894853524689295),
    (23.0, 1, 1.620013982466468e-06),
    (1.0, 2, 0.6065306597126334),
    (26.0, 2, 2.2603294069810534e-06),
    (3.0, 3, 0.3916251762710877),
    (29.0, 3, 2.2394290022533747e-06),
    (4.0, 4, 0.40600584970983794),
    (9.0, 4, 0.06109948096033269),
    (7.0, 7, 0.42887985755305486),
    (41.0, 7, 8.095946644206398e-07),
    (6.5, 13, 0.9260508432938139),
    (59.0, 13, 7.924280224718254e-08),
    (52.0, 52, 0.47391523585161643),
    (81.0, 52, 0.006161306121498459),
    (176.0, 52, 2.218369314466254e-15),
    (82.5, 53, 0.005845578033264143),
    (107.0, 107, 0.48181743582687075),
    (341.0, 107, 3.2270459412378504e-26),
    (0.001, 400, 1.0),
    (400.0, 400, 0.4905965819927636),
    (1220.0, 400, 8.632267535070758e-84),
]


@pytest.mark.parametrize(("statistic", "freedom", "p"), REFERENCE)
def test_the_p_value_is_that_of_scipy(statistic: float, freedom: int, p: float) -> None:
    """Odd and even degrees of freedom, from nearly one to the far tail, agree to eleven digits."""
    assert chi_square_p(statistic, freedom) == pytest.approx(p, rel=1e-11)


def test_no_difference_at_all_is_certain() -> None:
    """A statistic of nought is always reached."""
    assert chi_square_p(0.0, 5) == 1.0


def test_odds_are_counted_exactly() -> None:
    """In a small deck the probability is the share of all hands that have so many marked cards."""
    hands = list(combinations(range(9), 4))
    for least in range(5):
        share = sum(sum(card < 3 for card in hand) >= least for hand in hands) / len(hands)
        assert at_least(least, 3, 4, 9) == pytest.approx(share)


def test_the_queen_of_spades_in_a_hand_of_thirteen() -> None:
    """With two packs and four jokers, 22.7 % of all hands hold a queen of spades and 40.6 % a joker."""
    pack = preset("klassiek").pack
    odds = {name: at_least(1, copies(pack, marked), 13, pack.size) for name, marked in MARKED.items()}

    assert (round(odds["queen"], 3), round(odds["joker"], 3)) == (0.227, 0.406)


def deals(rules: RuleSet, seats: int, count: int, *, stacked: bool = False) -> list[tuple[RuleSet, Deal]]:
    """So many fair deals, or deals in which the first seat gets the first hand of an unshuffled deck."""
    rng, pack, made = random.Random(7), rules.pack, []
    for _ in range(count):
        cards = list(range(pack.size))
        if not stacked:
            rng.shuffle(cards)
        faces = [pack.face(card) for card in cards]
        size = rules.hand_size
        made.append((rules, Deal(tuple(tuple(faces[size * p : size * (p + 1)]) for p in range(seats)))))
    return made


def test_p_values_of_fair_deals_are_spread_evenly() -> None:
    """Over many samples of fair deals a p-value below one half comes half of the time, for each of the tests."""
    rules = preset("klassiek")
    every = deals(rules, 4, 60 * 80)
    samples = [every[at : at + 60] for at in range(0, len(every), 60)]
    for spread in (
        lambda some: by_seat(some, MARKED["ace"]),
        lambda some: by_place(some, lambda face: face % 13 == 0),
        by_face,
    ):
        tests = [spread(sample).test() for sample in samples]
        low = sum(test is not None and test.p < 0.5 for test in tests)
        # 80 fair coins: five standard deviations of sqrt(20) to either side.
        assert abs(low - 40) < 5 * math.sqrt(20)


def test_a_stacked_deck_shows() -> None:
    """Dealing from an unshuffled deck gives p-values near nought by seat, place and face."""
    stacked = deals(preset("klassiek"), 4, 30, stacked=True)
    for spread in (by_seat(stacked, MARKED["queen"]), by_face(stacked)):
        test = spread.test()
        assert test is not None
        assert test.p < 1e-4


def test_few_deals_are_not_judged() -> None:
    """Where a cell expects fewer than five cards there is no p-value, and such deals do not spoil the others."""
    rules = preset("klassiek")
    few = by_seat(deals(rules, 3, 4), MARKED["queen"])
    mixed = by_seat([*deals(rules, 3, 4), *deals(rules, 4, 60)], MARKED["queen"])
    test = mixed.test()

    assert few.test() is None
    assert test is not None
    assert (test.deals, test.freedom, mixed.deals) == (60, 4, 64)


def test_everything_dealt_leaves_no_rest() -> None:
    """Cells that hold the whole deck have one degree of freedom less than there are cells."""
    spread = Spread()
    for k in range(20):
        spread.add([(5, 1 + k % 2), (5, 2 - k % 2)], 3, 10)
    test = spread.test()

    assert test is not None
    assert (test.freedom, spread.seen, spread.expected) == (1, {0: 30, 1: 30}, {0: 30.0, 1: 30.0})
    assert test.p == 1.0


def test_a_deck_without_jokers_has_none_to_count() -> None:
    """No joker in the deck: nothing to spread, and every other face is still counted."""
    rules = preset("modern")
    made = deals(rules, 2, 3)

    assert by_seat(made, MARKED["joker"]).deals == 0
    assert sum(by_face(made).seen.values()) == 3 * 2 * rules.hand_size
