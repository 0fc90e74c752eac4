"""How many melds there are: exact numbers, found by the engine, the move generator and the referee alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations, combinations_with_replacement
from math import comb

import pytest
from pylgrum.card import Card as PylgrumCard
from pylgrum.card import Rank, Suit
from pylgrum.errors import InvalidMeldError
from pylgrum.meld import Meld

from protocol.errors import IllegalMove
from protocol.rules import moves, scoring
from protocol.rules.cards import SUITS, face_of, rank, suit
from protocol.rules.melds import RUN, SET, recognise
from protocol.rules.ruleset import PRESETS, RuleSet, preset, with_overrides
from tests.referee import score
from tests.referee.forms import Card, new_meld
from tests.referee.position import RefusedError

KLASSIEK = preset("klassiek")
TWO_PACKS = with_overrides(KLASSIEK, {"jokers_in_deck": 0})
ONE_PACK = with_overrides(KLASSIEK, {"decks": 1, "jokers_in_deck": 0})
GIN = with_overrides(ONE_PACK, {"ace_high": False, "run_max_cards": 5})
"""One pack, no jokers, the ace low: the melds of gin rummy, whose engines list runs of three to five cards."""

RUNS_PER_SUIT = sum(15 - length for length in range(3, 15))
GIN_MELDS = 185


Run = tuple[int, int, int]
"""A run: suit, place of its first card (1 low ace .. 14 high ace), number of cards."""


def engine_meld(rules: RuleSet, faces: Sequence[int]) -> str | Run | None:
    """What the engine makes of these natural cards: "set", a run, or None."""
    try:
        meld = recognise(rules, 0, [(slot, face, None) for slot, face in enumerate(faces)])
    except IllegalMove:
        return None
    return (suit(faces[0]), meld.low, len(faces)) if meld.kind == RUN else SET


def referee_meld(rules: RuleSet, faces: Sequence[int]) -> str | Run | None:
    """What the referee makes of these natural cards: "set", a run, or None."""
    try:
        meld = new_meld(rules, 0, [Card(slot, face, wild=False, claim=None) for slot, face in enumerate(faces)])
    except RefusedError:
        return None
    return (suit(faces[0]), meld.low, len(faces)) if meld.kind == RUN else SET


def rows(suit_: int) -> Iterator[tuple[Run, list[int]]]:
    """Every selection of three or more of the fourteen places of a suit: the run it would be, and its faces."""
    for size in range(3, 15):
        for places in combinations(range(1, 15), size):
            yield (suit_, places[0], size), [face_of(suit_, (place - 1) % 13) for place in places]


def generated(rules: RuleSet) -> list[list[int]]:
    """The faces of every meld that the move generator finds in the whole deck, as listed."""
    faces = {card: rules.pack.face(card) for card in range(rules.pack.size)}
    return [[faces[card.slot] for card in lay.cards] for lay in moves.melds(rules, faces)]


def is_run(faces: Sequence[int]) -> bool:
    """Whether these cards of a meld differ in rank."""
    return len({rank(face) for face in faces}) > 1


def generated_runs(rules: RuleSet) -> list[str | Run | None]:
    """The runs that the move generator finds in the whole deck."""
    return [engine_meld(rules, faces) for faces in generated(rules) if is_run(faces)]


# ------------------------------------------------------------------ runs


def test_runs_of_one_suit() -> None:
    """Of all 16 278 selections of three and more of the places ace to ace exactly 78 are runs where they lie."""
    selections = list(rows(0))
    neighbours = [(run, faces) for run, faces in selections if engine_meld(TWO_PACKS, faces) == run]
    by_engine = [run for run, _ in neighbours]
    # The referee tries every place for every card: for it the short selections and the rows of neighbours will do.
    few = [pair for pair in selections if len(pair[1]) <= 5]
    few += [pair for pair in neighbours if len(pair[1]) > 5]
    by_referee = [run for run, faces in few if referee_meld(TWO_PACKS, faces) == run]

    assert len(selections) == 2**14 - 1 - 14 - comb(14, 2) == 16_278
    assert by_engine == by_referee
    assert len(by_engine) == RUNS_PER_SUIT == 78


def test_runs_of_all_suits() -> None:
    """The move generator finds the same 78 in every suit, 312 in all, of 3 to 14 cards, and none twice."""
    runs = generated_runs(TWO_PACKS)
    expected = {(s, low, length) for s in range(4) for length in range(3, 15) for low in range(1, 16 - length)}

    assert len(runs) == len(expected) == 312
    assert set(runs) == expected


@pytest.mark.parametrize(
    ("overrides", "per_suit"),
    [
        ({"ace_low": False}, sum(14 - length for length in range(3, 14))),
        ({"ace_high": False}, sum(14 - length for length in range(3, 14))),
        ({"ace_both_ends": False}, 77),
        ({"run_max_cards": 5}, 12 + 11 + 10),
        ({"meld_min_cards": 4}, 78 - 12),
    ],
    ids=["ace high", "ace low", "one ace", "five cards", "four at least"],
)
def test_runs_under_options(overrides: dict[str, object], per_suit: int) -> None:
    """Options on aces and lengths take away exactly the runs they name."""
    rules = with_overrides(TWO_PACKS, overrides)
    runs = generated_runs(rules)

    assert len(runs) == len(set(runs)) == 4 * per_suit
    neighbours = [(run, faces) for run, faces in rows(2) if engine_meld(TWO_PACKS, faces) == run]

    assert sum(engine_meld(rules, faces) == run for run, faces in neighbours) == per_suit
    assert sum(referee_meld(rules, faces) == run for run, faces in neighbours) == per_suit


# ------------------------------------------------------------------ sets


def sets_of(rank_: int, packs: int) -> list[tuple[int, ...]]:
    """Every selection of three or more cards of a rank from so many packs, equal cards being equal."""
    faces = [face_of(s, rank_) for s in range(4)]
    return [
        chosen
        for size in range(3, 4 * packs + 1)
        for chosen in combinations_with_replacement(faces, size)
        if max(chosen.count(face) for face in faces) <= packs
    ]


@pytest.mark.parametrize(("packs", "number"), [(1, 5), (2, 3**4 - 15), (3, 4**4 - 15), (4, 5**4 - 15)])
def test_sets_of_one_rank(packs: int, number: int) -> None:
    """A rank makes 5 sets in one pack and 66 in two; the generator, the engine and the referee find exactly these."""
    rules = with_overrides(TWO_PACKS, {"decks": packs, "jokers_in_deck": 0})
    expected = sets_of(6, packs)
    found = [tuple(sorted(faces)) for faces in generated(rules) if not is_run(faces)]

    assert len(expected) == number
    assert sorted(faces for faces in found if rank(faces[0]) == 6) == sorted(tuple(sorted(row)) for row in expected)
    assert len(found) == 13 * number
    assert all(engine_meld(rules, row) == SET for row in expected)
    assert all(referee_meld(rules, row) == SET for row in expected)


def test_sets_without_duplicates() -> None:
    """Where no suit may lie twice a rank makes 5 sets, however many packs there are."""
    rules = with_overrides(TWO_PACKS, {"same_suit_twice_in_set": False})

    assert sum(not is_run(faces) for faces in generated(rules)) == 13 * 5
    assert sum(engine_meld(rules, row) == SET for row in sets_of(6, 2)) == 5
    assert sum(referee_meld(rules, row) == SET for row in sets_of(6, 2)) == 5


# ------------------------------------------------------------------ points


@pytest.mark.parametrize(
    ("name", "total"),
    [
        *[(name, 1080) for name in ("basis", "online", "spelregelwijzer", "klassiek")],
        *[("schoppenvrouwen", 1060), ("modern", 1100)],
    ],
)
def test_points_of_the_whole_deck(name: str, total: int) -> None:
    """The cards of a deck are worth 1080 points, 1060 where a joker counts 20, 1100 where twos count 20."""
    rules = preset(name)
    ordinary = {**dict.fromkeys("3456789", 5), **dict.fromkeys("TJQK", 10), "A": 20, "2": rules.deuce_points}
    counted = 2 * 4 * sum(ordinary.values()) + 2 * 90 + rules.jokers_in_deck * (rules.joker_points or 0)
    faces = [rules.pack.face(card) for card in range(rules.pack.size)]

    assert counted == total
    assert scoring.deck_points(rules) == total
    assert sum(score.points(rules, face) for face in faces) == total
    assert name in PRESETS


# ------------------------------------------------------------------ gin rummy


def gin_by_brute_force() -> set[tuple[int, ...]]:
    """The melds of gin rummy, straight from their definition: the definition of nobody's engine."""
    melds = set()
    for r in range(13):
        cards = [face_of(s, r) for s in range(4)]
        melds |= {tuple(sorted(chosen)) for size in (3, 4) for chosen in combinations(cards, size)}
    for s in range(4):
        for low in range(13):
            melds |= {
                tuple(face_of(s, low + i) for i in range(length)) for length in (3, 4, 5) if low + length - 1 <= 12
            }
    return melds


def test_melds_of_gin_rummy() -> None:
    """With one pack, the ace low and no jokers the melds are the 185 of gin rummy."""
    found = [tuple(sorted(faces)) for faces in generated(GIN)]
    expected = gin_by_brute_force()

    assert len(found) == len(expected) == GIN_MELDS
    assert set(found) == expected
    assert all(engine_meld(GIN, faces) is not None for faces in expected)
    assert all(referee_meld(GIN, faces) is not None for faces in expected)


def test_melds_of_a_public_gin_rummy_engine() -> None:
    """They are exactly what the meld of pylgrum says is one, of all selections that could be (decision 15)."""
    one_suit = [[face_of(s, r) for r in range(13)] for s in range(4)]
    one_rank = [[face_of(s, r) for s in range(4)] for r in range(13)]
    three = combinations([face for faces in one_suit for face in faces], 3)
    more = (chosen for faces in one_suit for size in (4, 5) for chosen in combinations(faces, size))
    theirs = {tuple(sorted(faces)) for faces in chain(three, more, map(tuple, one_rank)) if is_theirs(faces)}

    assert len(theirs) == GIN_MELDS
    assert theirs == {tuple(sorted(faces)) for faces in generated(GIN)}


def is_theirs(faces: Sequence[int]) -> bool:
    """Whether these cards are a complete meld of pylgrum's gin rummy."""
    ranks, suits = list(Rank), list(map(Suit, SUITS))
    try:
        return bool(Meld(*(PylgrumCard(ranks[rank(face)], suits[suit(face)]) for face in faces)).complete)
    except InvalidMeldError:
        return False
