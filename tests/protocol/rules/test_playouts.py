"""What holds in every game: rounds of a random player under every preset and a choice of house rules."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from protocol.errors import IllegalMove, InternalError
from protocol.rules import engine, scoring
from protocol.rules.actions import ANY_SUIT, Exchange, Lay, LayOff, Placed, Play, Step, Swap
from protocol.rules.invariants import check_conservation, slots_in_play
from protocol.rules.position import format_position, parse_position
from protocol.rules.ruleset import PRESETS, preset, with_overrides
from protocol.rules.state import Meld, MeldCard, Phase, Round
from tests.protocol.rules.playout import Playout

HOUSES: list[tuple[str, dict[str, object]]] = [
    *((name, {}) for name in PRESETS),
    ("basis", {"joker_swap_match": "exact_bridge", "discard_required_to_go_out": False}),
    ("basis", {"team_size": 2, "team_going_out": "all"}),
    ("klassiek", {"opening_minimum": 30, "pot_top_card_must_be_melded": True, "layoff_scope": "any"}),
    ("klassiek", {"discard_joker_allowed": False, "discard_card_just_taken_allowed": False}),
    ("klassiek", {"duplicate_in_run": True, "layoff_run_ends": False, "pot_rest_same_turn": False}),
    ("spelregelwijzer", {"two_as_joker": True, "joker_swap": True, "queen_discard": "last_card"}),
    ("online", {"decks": 3, "same_suit_twice_in_set": False, "ace_both_ends": False}),
    ("modern", {"hand_size": 7, "joker_majority": True, "layoff_cards_per_action": 1}),
]
TEAMS = 7
"""Place in HOUSES of the rules with teams, which need four or six seats."""

PROPERTY = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def _playout(house: int, n: int, seed: int) -> Playout:
    name, overrides = HOUSES[house]
    return Playout(with_overrides(preset(name), overrides), 4 if house == TEAMS else n, random.Random(seed))


@PROPERTY
@given(house=st.integers(0, len(HOUSES) - 1), n=st.integers(2, 6), seed=st.integers(0, 2**32))
def test_rounds_end_and_lose_no_card(house: int, n: int, seed: int) -> None:
    """A random round ends, every card is in exactly one place after every step, and peers judge as the holder does."""
    playout = _playout(house, n, seed)
    state = playout.round()

    assert state.phase is Phase.OVER
    assert playout.turns < 4000
    assert state.out is None or not state.hands[state.out]
    points = scoring.round_points(state, playout.faces)
    held = [slot for hand in state.hands for slot in hand]
    worth = scoring.points_table(playout.rules)
    rest = sum(worth[playout.faces[slot]] for slot in (*playout.stock, *state.pot))
    in_hand = sum(worth[playout.faces[slot]] for slot in held)
    assert sum(entry.table for entry in points) + in_hand + rest == scoring.deck_points(playout.rules)


@PROPERTY
@given(house=st.integers(0, len(HOUSES) - 1), seed=st.integers(0, 2**32))
def test_positions_survive_text(house: int, seed: int) -> None:
    """Every position of a round, written as text and read again, is written as the same text and has as many cards."""

    def watch(state: Round, faces: dict[int, int]) -> None:
        text = format_position(state, faces)
        read, known = parse_position(state.rules, text)
        assert format_position(read, known) == text
        assert len(slots_in_play(read)) == len(slots_in_play(state))
        assert read.stock == state.stock

    playout = _playout(house, 4, seed)
    playout.watch = watch
    playout.round()


_SLOTS = st.integers(-2, 120)
_CLAIMS = st.none() | st.integers(-1, 54) | st.integers(ANY_SUIT - 1, ANY_SUIT + 14) | st.integers()
_PLACED = st.lists(st.builds(Placed, _SLOTS, _CLAIMS), max_size=5).map(tuple)
_STEPS: st.SearchStrategy[Step] = (
    st.builds(Lay, _PLACED)
    | st.builds(LayOff, st.integers(-2, 5), _PLACED, st.sampled_from([None, "low", "high", "left"]))
    | st.builds(Swap, st.integers(-2, 5), st.integers(-2, 5), _SLOTS)
)
_PLAYS = st.builds(
    Play,
    take_pot=st.booleans(),
    steps=st.lists(_STEPS, max_size=3).map(tuple),
    discard=st.none() | _SLOTS,
    call_last=st.booleans(),
    shown=st.lists(_SLOTS, max_size=2).map(tuple),
)


@PROPERTY
@given(
    house=st.integers(0, len(HOUSES) - 1),
    seed=st.integers(0, 50),
    seat=st.integers(0, 3),
    turns=st.integers(0, 12),
    plays=st.lists(_PLAYS, min_size=5, max_size=15),
)
def test_senseless_plays_are_refused(house: int, seed: int, seat: int, turns: int, plays: list[Play]) -> None:
    """Whatever a peer puts into a play, the answer is a new state without loss or IllegalMove, and nothing else."""
    playout = _playout(house, 4, seed)
    state = playout.deal()
    if state.phase is Phase.EXCHANGE:
        state = engine.exchange(state, 0, Exchange(None), {})
    for _ in range(turns):
        if state.phase is Phase.OVER:
            break
        state = playout.turn(state)
    for play in plays:
        try:
            after = engine.play(state, seat, play, playout.faces)
        except IllegalMove:
            continue
        check_conservation(after, playout.faces, playout.stock)


def test_lost_cards_are_found() -> None:
    """A slot in two places, a missing card, a changed face, a fifth joker and a wrong stock are each reported."""
    playout = Playout(preset("klassiek"), 4, random.Random(1))
    state = playout.deal()
    check_conservation(state, playout.faces, playout.stock)
    first, second, *rest = state.hands
    joker = next(slot for slot, face in playout.faces.items() if face != 52)
    slot, other = first[0], second[0]
    lying = Meld(0, "set", (MeldCard(slot, 0, 0),))
    broken: dict[str, tuple[Round, dict[int, int], list[int] | None]] = {
        "two places": (replace(state, hands=((*first[1:], other), second, *rest)), playout.faces, None),
        "a card less": (replace(state, hands=(first[1:], second, *rest)), playout.faces, None),
        "stock less": (replace(state, stock=54), playout.faces, None),
        "fifth joker": (state, {**playout.faces, joker: 52}, playout.stock),
        "wrong stock": (state, playout.faces, playout.stock[1:]),
        "face missing": (state, {s: face for s, face in playout.faces.items() if s != slot}, playout.stock),
        "closed card lies": (replace(state, melds=(lying,), hands=(first[1:], second, *rest)), {}, None),
        "out with cards": (replace(state, phase=Phase.OVER, out=0), {}, None),
    }
    for what, (wrong, faces, stock) in broken.items():
        with pytest.raises(InternalError) as found:
            check_conservation(wrong, faces, stock)
        assert found.value.code == "rules/conservation", what
