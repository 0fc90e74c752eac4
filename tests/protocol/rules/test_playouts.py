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
from protocol.rules.cards import QUEEN_OF_SPADES
from protocol.rules.engine import DrawOutcome
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
    ("klassiek", {"hand_size": 4, "last_card_call": "extra_card"}),
    ("spelregelwijzer", {"hand_size": 5, "opening_minimum": 0, "last_card_call": "points"}),
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
    assert all(entry.total == entry.table - entry.hand - entry.penalty for entry in points)


@settings(PROPERTY, max_examples=25)
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


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("n", [2, 4])
def test_players_who_never_lay_come_to_an_end(name: str, n: int) -> None:
    """Drawing and discarding for ever ends at the second reshuffle: everybody had a turn and nothing was laid."""
    playout = Playout(preset(name), n, random.Random(7))
    state = playout.deal()
    if state.phase is Phase.EXCHANGE:
        state = engine.exchange(state, 0, Exchange(None), {})
    turns = 0
    while engine.draw_outcome(state) is not DrawOutcome.ROUND_ENDS:
        if engine.draw_outcome(state) is DrawOutcome.RESHUFFLE:
            state, old = engine.reshuffle(state)
            playout.stock = [slot + 1000 for slot in old]
            playout.faces.update({slot + 1000: playout.faces[slot] for slot in old})
        state = engine.draw(state, state.mover, playout.stock.pop(0))
        drawn = state.hands[state.mover][-1]
        other = next(slot for slot in state.hands[state.mover][::-1] if playout.faces[slot] != QUEEN_OF_SPADES)
        assert drawn == other or playout.faces[drawn] == QUEEN_OF_SPADES
        state = playout.check(engine.play(state, state.mover, Play(discard=other), playout.faces))
        turns += 1
    assert state.reshuffles == 1
    stock = playout.rules.deck_size - n * playout.rules.hand_size - 1
    assert turns == stock + (stock + 1)
    over = engine.end_round(state)
    assert (over.phase, over.out) == (Phase.OVER, None)


@pytest.mark.parametrize("n", [2, 3, 7])
def test_throwing_the_pot_back_ends_after_three_laps(n: int) -> None:
    """Taking the pot and throwing it back goes on for three laps, not for a turn more."""
    playout = Playout(preset("klassiek"), n, random.Random(7))
    state = playout.deal()
    turns = 0
    while not engine.must_end(state):
        back = state.pot[-1]
        if playout.faces[back] == QUEEN_OF_SPADES:
            back = state.hands[state.mover][0]
        state = playout.check(engine.play(state, state.mover, Play(take_pot=True, discard=back), playout.faces))
        turns += 1
    assert turns == 3 * n
    with pytest.raises(IllegalMove, match="turn_over"):
        engine.draw(state, state.mover, 999)
    with pytest.raises(IllegalMove, match="turn_over"):
        engine.play(state, state.mover, Play(take_pot=True, discard=0), playout.faces)


def test_proof_shows_no_more_than_it_has_to() -> None:
    """The other queen of spades is shown when one is discarded; nothing is shown for a discard that stays illegal."""
    rules = preset("online")
    for text, shown, code in (
        ("hand A: QS QS", 1, None),
        ("hand A: QS QS 4C", 0, "queen_discard"),
        ("hand A: QS", 0, "queen_discard"),
        ("hand A: 4C QS", 0, None),
    ):
        line = f"mover A; phase play; {text}; hand B: ?; pot: 5S; drawn stock -; turns 1 1; stock 20"
        state, faces = parse_position(rules, line)
        play = engine.with_proof(state, 0, Play(discard=state.hands[0][0]), faces)
        assert len(play.shown) == shown
        opened = {slot: faces[slot] for slot in engine.slots_to_open(state, 0, play)}
        assert len(opened) == 1 + shown
        if code is None:
            assert engine.play(state, 0, play, opened).phase is Phase.DRAW
            idle = replace(play, shown=state.hands[0][1:])
            if not shown:
                with pytest.raises(IllegalMove, match="card_not_in_hand"):
                    engine.play(state, 0, idle, faces)
            else:
                with pytest.raises(IllegalMove, match="queen_discard"):
                    engine.play(state, 0, replace(play, shown=()), opened)
        else:
            with pytest.raises(IllegalMove, match=code):
                engine.play(state, 0, play, faces)


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
