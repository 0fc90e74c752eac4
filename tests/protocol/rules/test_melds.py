"""Recognising melds: order does not matter where the rules say nothing about it, aces, jokers in every number."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.errors import IllegalMove
from protocol.rules.actions import ANY_SUIT
from protocol.rules.cards import JOKER, parse_face
from protocol.rules.layoffs import lay_off, places
from protocol.rules.melds import RUN, SET, Given, recognise
from protocol.rules.notation import format_meld, parse_card
from protocol.rules.ruleset import PRESETS, RuleSet, preset, with_overrides
from protocol.rules.scoring import card_points

KLASSIEK = preset("klassiek")


def listed(text: str) -> list[Given]:
    """The cards of a text as a meld to be recognised."""
    return [(slot, *parse_card(card)) for slot, card in enumerate(text.split())]


def verdict(rules: RuleSet, cards: list[Given]) -> str:
    """`set`, `run` or the reason code of the refusal."""
    try:
        return recognise(rules, 0, cards).kind
    except IllegalMove as error:
        return error.code


_NATURAL = st.integers(0, 51)
_SET_OF_ONE_RANK = st.integers(0, 12).flatmap(
    lambda rank: st.lists(st.sampled_from([rank, rank + 13, rank + 26, rank + 39, JOKER]), min_size=3, max_size=5)
)


@settings(max_examples=150)
@given(
    faces=_SET_OF_ONE_RANK,
    name=st.sampled_from(PRESETS),
    twice=st.booleans(),
)
def test_order_says_nothing_in_sets(faces: list[int], name: str, twice: bool) -> None:
    """Every order of a selection of one rank has the same verdict, with equal suits allowed or not."""
    rules = with_overrides(preset(name), {"same_suit_twice_in_set": twice})
    copies = {face: faces.count(face) for face in faces}
    if name == "modern" and JOKER in copies:
        faces = [face if face != JOKER else parse_face("2C") for face in faces]
    cards: list[Given] = [(slot, face, None) for slot, face in enumerate(faces)]
    verdicts = {verdict(rules, list(order)) for order in permutations(cards)}
    assert len(verdicts) == 1
    if SET in verdicts and not twice:
        assert len(faces) <= 4
        assert all(count == 1 for face, count in copies.items() if face != JOKER)


@settings(max_examples=150)
@given(faces=st.lists(_NATURAL, min_size=3, max_size=5), name=st.sampled_from(PRESETS[:5]))
def test_order_says_nothing_among_natural_cards(faces: list[int], name: str) -> None:
    """Every order of natural cards has the same verdict and, as a run, the same cards at the same places."""
    cards: list[Given] = [(slot, face, None) for slot, face in enumerate(faces)]
    seen = set()
    for order in permutations(cards):
        try:
            meld = recognise(preset(name), 0, list(order))
        except IllegalMove as error:
            seen.add(error.code)
        else:
            assert [card.stands_for for card in meld.cards] == [card.face for card in meld.cards]
            seen.add(format_meld(meld) if meld.kind == RUN else meld.kind)
    assert len(seen) == 1


@settings(max_examples=100)
@given(suit=st.integers(0, 3), low=st.integers(1, 13), length=st.integers(3, 14), data=st.data())
def test_runs_with_declared_jokers_in_any_order(suit: int, low: int, length: int, data: st.DataObject) -> None:
    """A row of neighbours is a run however it is listed once every joker is declared, and never goes round the ace."""
    row = [suit * 13 + (place - 1) % 13 for place in range(low, low + length)]
    jokers = data.draw(st.sets(st.integers(0, length - 1), max_size=min(4, length - 2)))
    cards: list[Given] = [(i, JOKER if i in jokers else f, f if i in jokers else None) for i, f in enumerate(row)]
    order = data.draw(st.permutations(cards))
    if low + length - 1 > 14 and length == 13:
        return  # a whole suit: some order of it is a run from ace to king
    if low + length - 1 > 14:
        assert verdict(KLASSIEK, order) in {"ace_wrap", "joker_identity", "not_a_meld"}
        return
    meld = recognise(KLASSIEK, 0, order)
    if length == 13 and {low, meld.low} == {1, 2}:
        return  # a whole suit out of order: the ace may lie at either end
    assert (meld.kind, meld.low) == (RUN, low)
    assert [card.stands_for for card in meld.cards] == row
    # Of the two aces of fourteen cards either may be the joker.
    inner = range(1, 13) if length == 14 else range(length)
    assert [meld.cards[i].wild for i in inner] == [i in jokers for i in inner]
    assert sum(card.wild for card in meld.cards) == len(jokers)
    assert places(meld) == list(range(low, low + length))


@pytest.mark.parametrize("name", PRESETS[:5])
def test_aces(name: str) -> None:
    """A-2-3 and Q-K-A are runs, K-A-2 is none, an ace never joins kings; a low ace counts 20 as a high one does."""
    rules = preset(name)
    low, high = recognise(rules, 0, listed("AH 2H 3H")), recognise(rules, 0, listed("QH KH AH"))
    assert (low.low, high.low) == (1, 12)
    assert sum(card_points(rules, card.face) for card in low.cards) == 30
    assert sum(card_points(rules, card.face) for card in high.cards) == 40
    assert verdict(rules, listed("KH AH 2H")) == "ace_wrap"
    assert verdict(rules, listed("KH KD AS")) == "not_a_meld"
    for option in ({"ace_low": False}, {"ace_high": False}):
        for other in (low, high):
            changed = with_overrides(rules, option)
            allowed = other.low == (12 if "ace_low" in option else 1)
            got = verdict(changed, [(card.slot, card.face, None) for card in other.cards])
            assert got == (RUN if allowed else f"{next(iter(option))}_not_allowed")
        assert verdict(with_overrides(rules, option), listed("AH AD AC")) == SET


@pytest.mark.parametrize("jokers", range(5))
@pytest.mark.parametrize("name", PRESETS[:5])
def test_every_number_of_jokers_has_an_answer(name: str, jokers: int) -> None:
    """Sets and runs with none to four jokers are melds exactly where the rules' share of natural cards allows them."""
    rules = preset(name)
    for naturals in range(max(0, 3 - jokers), 4):
        cards = [*(f"7{suit}" for suit in "SHD"[:naturals]), *["X"] * jokers]
        allowed = naturals >= 1 and (naturals > jokers or not rules.joker_majority)
        why = "needs_natural" if naturals < 1 else "joker_majority"
        assert verdict(rules, listed(" ".join(cards))) == (SET if allowed else why)
        run = [*(f"{rank}H" for rank in "567"[3 - naturals :]), *(f"X={rank}H" for rank in "89TJ"[:jokers])]
        expected = RUN if allowed else why
        if allowed and naturals == 1 and jokers and rules.single_natural_is_set:
            expected = "single_natural_is_set"
        assert verdict(rules, listed(" ".join(run))) == expected


def test_tracked_jokers_never_stand_for_too_many_copies() -> None:
    """However jokers of a set are declared or not, no card is there more often than there are packs."""
    faces = [parse_face("7S"), parse_face("7S"), parse_face("7H")]
    claims = [None, *(suit * 13 + 6 for suit in range(4)), ANY_SUIT + 6]
    for first, second, third in product(claims, repeat=3):
        cards: list[Given] = [(i, face, None) for i, face in enumerate(faces)]
        cards += [(10 + i, JOKER, claim) for i, claim in enumerate((first, second, third))]
        declared = [claim % 64 for claim in (first, second, third) if claim is not None and claim < ANY_SUIT]
        full = any(faces.count(face) + declared.count(face) > 2 for face in declared)
        assert verdict(KLASSIEK, cards) == ("joker_identity" if full else SET)
        if not full:
            stands = [card.stands_for for card in recognise(KLASSIEK, 0, cards).cards]
            assert all(stands.count(face) <= 2 and face % 13 == 6 for face in stands)


def test_laying_off_one_by_one_is_the_meld_at_once() -> None:
    """A run built card by card at its ends is the run laid whole."""
    row = ["AH", "2H", "X=3H", "4H", "5H", "X=6H", "7H", "8H"]
    whole = recognise(KLASSIEK, 0, listed(" ".join(row)))
    for start in range(len(row) - 2):
        cards = [(slot, *parse_card(card)) for slot, card in enumerate(row)]
        meld = recognise(KLASSIEK, 0, cards[start : start + 3])
        for card in reversed(cards[:start]):
            meld = lay_off(KLASSIEK, meld, [card], "low")
        for card in cards[start + 3 :]:
            meld = lay_off(KLASSIEK, meld, [card], "high")
        assert meld == whole


def test_a_joker_never_slides() -> None:
    """Laying off changes neither place nor meaning of what lies there."""
    meld = recognise(KLASSIEK, 0, listed("5H 6H X"))
    grown = lay_off(KLASSIEK, meld, [(9, parse_face("8H"), None)], None)
    assert grown.cards[:3] == meld.cards
    with pytest.raises(IllegalMove, match="does_not_fit"):
        lay_off(KLASSIEK, meld, [(9, parse_face("7H"), None)], None)
