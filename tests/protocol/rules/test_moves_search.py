"""The search for the best laydown against brute force over faces, for every rule that changes what a meld is."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from protocol.rules.cards import QUEEN_OF_SPADES
from protocol.rules.melds import is_wild
from protocol.rules.moves_prices import Prices, Relaxation
from protocol.rules.moves_problem import Problem, Solution
from protocol.rules.moves_search import solve
from protocol.rules.moves_shapes import WILD, places, runs, set_rows, sets
from protocol.rules.ruleset import PRESETS, RuleSet, preset, with_overrides

PROPERTY = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])

FORMS: list[tuple[str, dict[str, object]]] = [
    *((name, {}) for name in PRESETS),
    ("klassiek", {"same_suit_twice_in_set": False}),
    ("modern", {"same_suit_twice_in_set": False}),
    ("klassiek", {"ace_both_ends": False}),
    ("basis", {"ace_low": False}),
    ("klassiek", {"ace_high": False}),
    ("klassiek", {"run_max_cards": 5}),
    ("basis", {"meld_min_cards": 4}),
    ("klassiek", {"min_naturals": 2}),
    ("spelregelwijzer", {"two_as_joker": True, "wild_two_may_be_two": False}),
    ("online", {"decks": 3}),
]

Cards = tuple[tuple[int, ...], int]
"""Natural faces and a number of jokers."""


def value(face: int) -> int:
    """A value per natural face like that of the game."""
    if face == QUEEN_OF_SPADES:
        return 300
    rank = face % 13
    return 40 if rank == 0 else 20 if rank >= 9 else 10


JOKER_VALUE = 50


def problem_of(rules: RuleSet, hand: Sequence[int], *, must_discard: bool) -> Problem:
    """The question about a hand of faces, with nothing on the table."""
    counts = [0] * 52
    for face in hand:
        if not is_wild(rules, face):
            counts[face] += 1

    def may_end(others: int, queens: int) -> bool:
        return others >= 1 or queens == 1 if must_discard else True

    return Problem(
        rules=rules,
        counts=counts,
        wilds=len(hand) - sum(counts),
        values=[value(face) for face in range(52)],
        joker_value=JOKER_VALUE,
        may_end=may_end,
    )


def by_force(problem: Problem) -> int:
    """The greatest value of disjoint melds that leave a legal end, found by trying them all."""
    rules = problem.rules
    found: dict[Cards, None] = {}
    for _, items in runs(rules, problem.counts, problem.wilds):
        naturals = tuple(sorted(item for item in items if item < WILD))
        found[naturals, len(items) - len(naturals)] = None
    for rank, chosen, jokers in sets(rules, problem.counts, problem.wilds):
        if next(set_rows(rules, rank, chosen, jokers), None) is not None:
            found[tuple(rank + 13 * s for s in range(4) for _ in range(chosen[s])), jokers] = None
    melds = list(found)
    best = 0

    def go(counts: list[int], wilds: int, start: int, worth: int) -> None:
        nonlocal best
        queens = counts[QUEEN_OF_SPADES]
        if worth > best and problem.may_end(min(2, sum(counts) - queens + wilds), min(2, queens)):
            best = worth
        for number in range(start, len(melds)):
            naturals, jokers = melds[number]
            rest = list(counts)
            for face in naturals:
                rest[face] -= 1
            if jokers <= wilds and min(rest) >= 0:
                gain = sum(problem.values[face] for face in naturals) + jokers * JOKER_VALUE
                go(rest, wilds - jokers, number, worth + gain)

    go(list(problem.counts), problem.wilds, 0, 0)
    return best


def check(problem: Problem, solution: Solution) -> None:
    """The melds of a solution are legal, of cards that are there, and worth what it says."""
    rules = problem.rules
    rest, wilds, worth = list(problem.counts), problem.wilds, 0
    for items in solution.melds:
        naturals = [item for item in items if item < WILD]
        counts = [naturals.count(face) for face in range(52)]
        jokers = len(items) - len(naturals)
        wilds -= jokers
        rest = [a - b for a, b in zip(rest, counts, strict=True)]
        worth += sum(problem.values[face] for face in naturals) + jokers * JOKER_VALUE
        rows = [row for _, row in runs(rules, counts, jokers)]
        for rank, chosen, number in sets(rules, counts, jokers):
            rows += set_rows(rules, rank, chosen, number)
        assert items in rows
    assert min(rest) >= 0
    assert wilds >= 0
    assert worth == solution.value


def some_hand(rules: RuleSet, rng: random.Random, most_jokers: int) -> list[int]:
    """A hand of cards that often belong together, small enough for brute force."""
    deck = [rules.pack.face(card) for card in range(rules.deck_size)]
    ranks: Mapping[int, set[int]] = {0: {0, 1, 2, 3, 11, 12}, 1: set(range(13)), 2: {0, 8, 9, 10, 11, 12}}
    near = ranks[rng.randrange(3)]
    suits = set(rng.sample(range(4), rng.choice([1, 2, 4])))
    deck = [f for f in deck if is_wild(rules, f) or (f % 13 in near and f // 13 in suits)]
    hand: list[int] = []
    for face in rng.sample(deck, len(deck)):
        if len(hand) < 9 and (not is_wild(rules, face) or sum(is_wild(rules, f) for f in hand) < most_jokers):
            hand.append(face)
    return hand


@PROPERTY
@given(house=st.sampled_from(FORMS), seed=st.integers(0, 2**32), discard=st.booleans(), jokers=st.integers(0, 3))
def test_the_search_finds_the_best(house: tuple[str, dict[str, object]], seed: int, discard: bool, jokers: int) -> None:
    """Nothing that brute force finds is worth more than the answer, and the answer is legal and worth what it says."""
    rules = with_overrides(preset(house[0]), house[1])
    problem = problem_of(rules, some_hand(rules, random.Random(seed), jokers), must_discard=discard)
    solution = solve(problem)

    check(problem, solution)
    best = by_force(problem)
    assert solution.value <= best
    assert solution.value == best or not solution.exact
    # Only full melds may make it inexact, and only short runs or sets of four are ever full here.
    assert solution.exact or not rules.same_suit_twice_in_set or rules.run_max_cards < 14


@PROPERTY
@given(house=st.sampled_from(FORMS), seed=st.integers(0, 2**32), jokers=st.integers(0, 3))
def test_no_prices_make_the_bound_too_low(house: tuple[str, dict[str, object]], seed: int, jokers: int) -> None:
    """Whatever a joker costs and cards in sets pay, the relaxation promises at least what brute force finds."""
    rules = with_overrides(preset(house[0]), house[1])
    rng = random.Random(seed)
    problem = problem_of(rules, some_hand(rules, rng, jokers), must_discard=False)
    relaxation = Relaxation(problem, *places(rules))
    tolls = [rng.randrange(-60, 120) for _ in range(52)]
    some = [Prices(rng.randrange(120), tolls), relaxation.usual(rng.randrange(120)), relaxation.best()]

    assert by_force(problem) <= min(relaxation.bound(prices)[0] for prices in some)


def test_a_limited_search_is_honest() -> None:
    """A search that may look at few states answers with something legal, says so, and is never better than exact."""
    rules = preset("klassiek")
    deck = [rules.pack.face(card) for card in range(rules.deck_size)]
    inexact = 0
    for seed in range(12):
        hand = [52, 52, *random.Random(seed).sample([f for f in deck if f != 52], 22)]
        problem = problem_of(rules, hand, must_discard=True)
        quick, full = solve(problem, 20), solve(problem)
        check(problem, quick)
        inexact += not quick.exact
        assert quick.value <= full.value
        assert quick.value == full.value or not quick.exact
    assert inexact > 6
