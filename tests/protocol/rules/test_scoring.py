"""Points of decks and rounds, and how a match goes on and ends."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import InternalError
from protocol.rules.cards import FACES, JOKER, QUEEN_OF_SPADES, parse_face
from protocol.rules.ruleset import PRESETS, preset, with_overrides
from protocol.rules.scoring import (
    Match,
    card_points,
    deck_points,
    first_starter,
    hand_card_points,
    net_score,
    next_starter,
    one_decimal,
    round_points,
)
from tests.protocol.rules.playout import Playout


@pytest.mark.parametrize(
    ("name", "points"),
    [
        ("basis", 1080),
        ("online", 1080),
        ("schoppenvrouwen", 1060),
        ("spelregelwijzer", 1080),
        ("klassiek", 1080),
        ("modern", 1100),
    ],
)
def test_points_of_the_deck(name: str, points: int) -> None:
    """The points of all cards together are a constant of the preset."""
    assert deck_points(preset(name)) == points


def test_pip_scoring_leaves_jokers_alone() -> None:
    """With pip scoring 2..9 count their number, except twos that serve as jokers."""
    pips = with_overrides(preset("klassiek"), {"pip_scoring": True})
    assert [card_points(pips, parse_face(f"{rank}H")) for rank in "A23456789TJQK"] == [
        *(20, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10),
    ]
    twos = with_overrides(preset("modern"), {"pip_scoring": True})
    assert (card_points(twos, parse_face("2H")), card_points(twos, parse_face("3H"))) == (20, 3)


@pytest.mark.must("R22")
def test_only_the_queen_of_spades_costs_more_in_hand() -> None:
    """Every other card costs in hand what it is worth on the table."""
    for name in PRESETS:
        rules = preset(name)
        differ = [face for face in range(FACES) if hand_card_points(rules, face) != card_points(rules, face)]
        assert differ == ([QUEEN_OF_SPADES] if rules.queen_in_hand_penalty != 100 else [])
        assert JOKER not in differ


def test_a_hand_must_be_open_to_be_counted() -> None:
    """A round with a closed card in a hand cannot be scored."""
    playout = Playout(preset("klassiek"), 2, random.Random(3))
    with pytest.raises(InternalError):
        round_points(playout.deal(), {})


_TOTALS = st.lists(st.integers(-2000, 2000), min_size=2, max_size=7)


@pytest.mark.must("R122", "R124")
@given(totals=_TOTALS, tie=st.sampled_from(["shared", "extra_round"]))
def test_winners_have_the_most_points(totals: list[int], tie: str) -> None:
    """A match is over when somebody has 1000 (and, by agreement, nobody else as much); the highest totals win."""
    rules = with_overrides(preset("klassiek"), {"tie_at_top": tie})
    match = Match.start(rules, len(totals)).add(totals)
    best = max(totals)
    leaders = tuple(seat for seat, total in enumerate(totals) if total == best)
    over = best >= 1000 and (tie == "shared" or len(leaders) == 1)
    assert (match.is_over, match.winners) == (over, leaders if over else ())


@pytest.mark.must("R125")
@given(totals=_TOTALS)
def test_net_scores_rank_as_totals_do(totals: list[int]) -> None:
    """Net scores add up to zero and put the seats in the order of their totals."""
    match = Match.start(preset("klassiek"), len(totals)).add(totals)
    nets = [match.net(seat) for seat in range(len(totals))]
    assert sum(nets) == 0
    for a, net_a in zip(totals, nets, strict=True):
        for b, net_b in zip(totals, nets, strict=True):
            assert (a < b) == (net_a < net_b)
    assert nets == [match.final_score(seat) for seat in range(len(totals))]


@pytest.mark.must("R121")
def test_totals_add_up_over_rounds() -> None:
    """A match adds the rounds, below zero too, and is not over before its first round."""
    match = Match.start(preset("spelregelwijzer"), 3)
    assert (match.is_over, match.winners, match.counted_as(0)) == (False, (), "not_counted")
    match = match.add((100, -415, 0)).add((950, 20, -5))
    assert (match.totals, match.rounds) == ((1050, -395, -5), 2)
    assert match.winners == (0,)
    assert (match.counted_as(0), match.counted_as(1)) == ("won", "lost")
    assert match.final_score(1) == -395


@pytest.mark.must("R131")
def test_whoever_leaves_cannot_win_where_the_rules_say_so() -> None:
    """After an abort the leader wins; the leaver is passed over, except where the preset takes the leader literally."""
    for name, winner in (("klassiek", (2,)), ("online", (0,))):
        match = Match.start(preset(name), 3).add((500, 100, 300)).abort(0)
        assert (match.is_over, match.winners, match.counts_for_percentage) == (True, winner, False)


@pytest.mark.must("R31", "R121")
def test_teams_win_together() -> None:
    """The target counts for the sum of a team, and all its seats win or are passed over."""
    rules = with_overrides(preset("basis"), {"team_size": 2})
    match = Match.start(rules, 4).add((600, 700, 400, 200))
    assert (match.team_totals, match.winners) == ((1000, 900), (0, 2))
    assert Match.start(rules, 4).add((600, 300, 400, 200)).abort(0).winners == (1, 3)
    tied = with_overrides(rules, {"tie_at_top": "extra_round"})
    assert not Match.start(tied, 4).add((600, 600, 400, 400)).is_over
    assert Match.start(tied, 4).add((600, 600, 400, 399)).is_over


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(440), "440.0"),
        (Fraction(1270, 3), "423.3"),
        (Fraction(-400), "-400.0"),
        (Fraction(1, 20), "0.1"),
        (Fraction(-1, 20), "-0.1"),
        (Fraction(-1, 30), "0.0"),
        (Fraction(7, 4), "1.8"),
    ],
)
def test_one_decimal(value: Fraction, text: str) -> None:
    """Scores are shown with one decimal, halves away from zero, and zero has no sign."""
    assert one_decimal(value) == text


@pytest.mark.must("R32", "R33")
def test_starters() -> None:
    """The start rotates or is left to chance; so is the first, unless a dealer is named where dealers count."""
    assert [next_starter(preset("klassiek"), range(4), seat) for seat in (0, 3)] == [1, 0]
    assert next_starter(preset("online"), range(4), 0) is None
    assert next_starter(preset("klassiek"), range(4), None) is None
    assert first_starter(preset("basis"), 3, 2) == 0
    assert first_starter(preset("basis"), 3, None) is None
    assert first_starter(preset("klassiek"), 3, 2) is None
    assert net_score(640, [1010, 200, 350]) == 120
