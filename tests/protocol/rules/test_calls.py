"""The last-card call: who has to make it, when a missed one can be challenged, and how the penalty is paid."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from protocol.errors import IllegalMove, InternalError
from protocol.rules import engine, scoring
from protocol.rules.actions import Lay, Placed, Play
from protocol.rules.calls import after_turn
from protocol.rules.engine import DrawOutcome
from protocol.rules.invariants import check_calls
from protocol.rules.position import format_position, parse_position
from protocol.rules.ruleset import PRESETS, RuleSet, preset, with_overrides
from protocol.rules.state import NO_CALLS, Calls, Phase, Round
from tests.protocol.rules.playout import Playout

CARD = with_overrides(preset("klassiek"), {"last_card_call": "extra_card"})
POINTS = with_overrides(preset("klassiek"), {"last_card_call": "points"})
TEAMS = with_overrides(preset("basis"), {"last_card_call": "extra_card", "team_size": 2, "team_going_out": "all"})

A, B, C, D = range(4)
START = "mover A; phase play; hand A: KC 4C; hand B: 3D 3S 3H; hand C: 5D 5S; pot: 5S; drawn stock -; turns 1 1 1"


def _position(rules: RuleSet, text: str = START + "; stock 20") -> tuple[Round, dict[int, int]]:
    state, faces = parse_position(rules, text)
    return replace(state, faces=faces), faces


def _discards(state: Round, seat: int, *, call: bool = False) -> Round:
    """The mover, who has drawn, discards its first card."""
    return engine.play(state, seat, Play(discard=state.hands[seat][0], call_last=call), state.faces)


def _takes_pot(state: Round, seat: int) -> Round:
    return engine.play(state, seat, Play(take_pot=True, discard=state.hands[seat][0]), state.faces)


def _code(state: Round, challenger: int, offender: int) -> str | None:
    """How a challenge ends; whether it holds is the same question, and a refusal leaves the state alone."""
    holds = engine.challenge_holds(state, challenger, offender)
    before = format_position(state, {})
    try:
        after = engine.challenge(state, challenger, offender)
    except IllegalMove as refused:
        assert not holds
        assert format_position(state, {}) == before
        return refused.code
    assert holds
    assert offender in engine.punishable(state)
    assert offender not in engine.punishable(after)
    return None


# ------------------------------------------------------------------ the window


@pytest.mark.must("R141", "R142")
@pytest.mark.parametrize("rules", [CARD, POINTS], ids=["extra_card", "points"])
def test_the_window_opens_with_a_draw_and_closes_with_the_own_draw(rules: RuleSet) -> None:
    """A missed call can be challenged from the next player's draw, through everybody's turns, to the own next draw."""
    state = _discards(_position(rules)[0], A)
    seen = [_code(state, B, A)]
    for seat, slot in ((B, 900), (C, 901), (A, 902)):
        state = engine.draw(replace(state, faces={**state.faces, slot: 2}), seat, slot)
        seen.append(_code(state, B, A))
        if seat != A:
            state = _discards(state, seat, call=True)
            seen.append(_code(state, B, A))
    state = engine.play(state, A, Play(discard=902, call_last=True), state.faces)
    seen.append(_code(state, B, A))

    assert seen == ["challenge_too_early", None, None, None, None, "challenge_too_late", "no_offence"]


def test_taking_the_pot_is_a_draw() -> None:
    """The window opens when the next player takes the pot, which is one play with the discard, and stays open."""
    state = _discards(_position(CARD)[0], A)
    assert _code(state, C, A) == "challenge_too_early"
    state = _takes_pot(state, B)

    assert [_code(state, challenger, A) for challenger in (B, C)] == [None, None]


def test_with_two_players_the_pot_taker_can_challenge() -> None:
    """With two at the table the window is open between the other's play with the pot and the own draw."""
    text = "mover A; phase play; hand A: KC 4C; hand B: 3D 3S; pot: 5S; drawn stock -; turns 1 1; stock 20"
    state = _takes_pot(_discards(_position(CARD, text)[0], A), B)
    assert (state.mover, state.phase) == (A, Phase.DRAW)
    assert _code(state, B, A) is None
    assert _code(engine.draw(state, A, 900), B, A) == "challenge_too_late"
    assert _code(_takes_pot(state, A), B, A) == "challenge_too_early"


def test_the_end_of_the_round_closes_the_window() -> None:
    """Once somebody is out or no card is left, nobody is punished any more."""
    state = _discards(_position(CARD)[0], A)
    drawn = engine.draw(replace(state, faces={**state.faces, 900: 2}), B, 900)
    lay = Lay(tuple(Placed(slot) for slot in drawn.hands[B][:3]))
    out = engine.play(drawn, B, Play(steps=(lay,), discard=900), drawn.faces)
    assert (out.phase, out.out, _code(out, C, A)) == (Phase.OVER, B, "challenge_too_late")

    idle = replace(state, stock=0, reshuffles=1, turns_since_lay=9)
    over = engine.end_round(idle)
    assert (over.phase, _code(over, C, A)) == (Phase.OVER, "challenge_too_late")


@pytest.mark.must("R141")
def test_several_seats_can_have_missed_the_call() -> None:
    """Every seat has its own window; those open now are listed, and each is challenged for itself."""
    state = _takes_pot(_discards(_position(CARD)[0], A), B)
    state = engine.draw(replace(state, faces={**state.faces, 900: 2}), C, 900)
    state = engine.play(_lighter(state, C), C, Play(discard=900), state.faces)
    assert state.calls.uncalled == (A, C)
    assert engine.punishable(state) == (A,)
    state = engine.draw(replace(state, mover=B), B, 901)
    assert engine.punishable(state) == (A, C)

    both = engine.challenge(engine.challenge(state, B, C), B, A)
    assert both.calls.owed == (A, C)
    assert engine.penalty_due(both) == A
    paid = engine.penalty_draw(engine.penalty_draw(both, 902), 903)
    assert (paid.hands[A][-1], paid.hands[C][-1], paid.stock) == (902, 903, both.stock - 2)
    assert engine.penalty_due(paid) is None


def _lighter(state: Round, seat: int) -> Round:
    """The state without the first card of a seat, which nobody needs any more."""
    return replace(state, hands=tuple(hand[1:] if p == seat else hand for p, hand in enumerate(state.hands)))


# ------------------------------------------------------------------ the call


@pytest.mark.must("R140")
def test_whoever_calls_has_nothing_to_fear() -> None:
    """With the call in the play, or said before the next player draws, there is no offence."""
    state = _position(CARD)[0]
    called = _discards(state, A, call=True)
    assert called.calls == NO_CALLS
    assert _code(engine.draw(called, B, 900), B, A) == "no_offence"
    assert engine.call_last(_discards(state, A), A) == called


@pytest.mark.must("R140")
def test_a_late_call_is_no_call() -> None:
    """After the next player's draw it is too late, by stock and by pot; a call of somebody else helps nobody."""
    state = _discards(_position(CARD)[0], A)
    drawn, taken = engine.draw(state, B, 900), _takes_pot(state, B)
    for now in (drawn, taken):
        assert engine.call_last(now, A) is now
        assert _code(now, B, A) is None
    assert engine.call_last(state, B) is state


@pytest.mark.must("R140")
@pytest.mark.parametrize("cards", ["KC 4C 9D", "KC"])
def test_a_call_with_other_cards_left_means_nothing(cards: str) -> None:
    """Calling with two cards left or none is neither refused nor remembered."""
    state, _ = _position(CARD, START.replace("KC 4C", cards) + "; stock 20")
    assert _discards(state, A, call=True) == _discards(state, A)
    assert _discards(state, A).calls == NO_CALLS


@pytest.mark.parametrize("name", PRESETS)
def test_no_preset_has_the_call(name: str) -> None:
    """Where there is no call, one is refused, nobody is remembered and nobody can be challenged."""
    state = _position(preset(name))[0]
    with pytest.raises(IllegalMove, match="no_offence"):
        _discards(state, A, call=True)
    state = _discards(state, A)
    with pytest.raises(IllegalMove, match="no_offence"):
        engine.call_last(state, A)
    assert state.calls == NO_CALLS
    assert _code(engine.draw(state, B, 900), B, A) == "no_offence"


@pytest.mark.must("R141")
def test_an_offence_lasts_to_the_end_of_the_own_turn() -> None:
    """A turn that ends otherwise wipes it; a second missed call in a row is an offence of its own."""
    missed = after_turn(NO_CALLS, C, missed=True)
    assert after_turn(missed, A, missed=True).uncalled == (A, C)
    assert after_turn(missed, C, missed=True) is missed
    assert after_turn(missed, C, missed=False) == NO_CALLS
    assert after_turn(NO_CALLS, C, missed=False) is NO_CALLS


# ------------------------------------------------------------------ the challenger


@pytest.mark.must("R143")
def test_nobody_challenges_itself_its_team_or_a_stranger() -> None:
    """Only another seat of another team can, also one that is out; numbers that are no seats are no offence."""
    text = (
        "mover A; phase play; hand A: KC 4C; hand B: 3D 3S; hand C: 5D; hand D:; pot: 5S; drawn stock -; "
        "turns 1 1 1 1; stock 20"
    )
    state = engine.draw(_discards(_position(TEAMS, text)[0], A), B, 900)
    assert [_code(state, challenger, A) for challenger in (A, B, C, D)] == ["no_offence", None, "no_offence", None]
    for challenger, offender in ((B, B), (B, C), (-1, A), (4, A), (B, -4), (B, 4), (B, 10**9)):
        assert _code(state, challenger, offender) == "no_offence"


@pytest.mark.must("R144")
def test_one_challenge_for_one_offence() -> None:
    """The second challenger comes in vain, before and after the penalty."""
    state = engine.draw(_discards(_position(CARD)[0], A), B, 900)
    owing = engine.challenge(state, C, A)
    assert _code(owing, B, A) == "no_offence"
    assert _code(engine.penalty_draw(owing, 901), B, A) == "no_offence"


# ------------------------------------------------------------------ the penalty


@pytest.mark.must("R144")
def test_points_are_charged_in_the_round() -> None:
    """Each missed call costs its points, on top of the cards in hand, and no card moves."""
    state, faces = _position(POINTS)
    before = scoring.round_points(_discards(state, A), faces)
    state = engine.draw(_discards(state, A), B, 900)
    for times in (1, 2):
        after = engine.challenge(state, B, A)
        assert engine.penalty_due(after) is None
        assert (after.calls.penalties, after.hands) == ((20 * times, 0, 0), state.hands)
        state = replace(after, calls=replace(after.calls, uncalled=(A,)))
    points = scoring.round_points(state, {**faces, 900: 2})
    assert [entry.penalty for entry in points] == [40, 0, 0]
    assert points[A].total == before[A].total - 40 == points[A].table - points[A].hand - 40


@pytest.mark.must("R147")
def test_a_penalty_card_disturbs_nobodys_turn() -> None:
    """It changes the hand, the stock and the debt, and nothing else: the mover, in mid-turn, plays on."""
    state = engine.draw(_discards(_position(CARD)[0], A), B, 900)
    owing = engine.challenge(state, C, A)
    assert engine.penalty_outcome(owing) is DrawOutcome.STOCK
    paid = engine.penalty_draw(owing, 901)
    hands = ((*state.hands[A], 901), *state.hands[1:])
    assert paid == replace(state, hands=hands, stock=state.stock - 1, calls=NO_CALLS)
    assert _discards(paid, B).mover == C


@pytest.mark.must("R145")
def test_the_debt_comes_first() -> None:
    """Nobody draws, plays or ends the round while a penalty card is due; arranging cards goes on."""
    state = engine.draw(_discards(_position(CARD)[0], A), B, 900)
    owing = engine.challenge(state, C, A)
    waiting = replace(owing, phase=Phase.DRAW, drawn=None, idle_turns=9)
    with pytest.raises(IllegalMove, match="not_your_turn"):
        _discards(owing, B)
    with pytest.raises(IllegalMove, match="not_your_turn"):
        engine.draw(waiting, B, 901)
    with pytest.raises(IllegalMove, match="not_your_turn"):
        engine.draw_single(replace(waiting, stock=0, idle_turns=0), B)
    with pytest.raises(InternalError):
        engine.end_round(waiting)
    assert engine.preview(owing, B, False, (), {}).hands == owing.hands
    assert engine.end_round(engine.penalty_draw(waiting, 901)).phase is Phase.OVER


@pytest.mark.must("R146")
def test_an_empty_stock_is_filled_first() -> None:
    """The pot becomes the stock, as at a draw, and the card comes from there; the mover's turn is as it was."""
    state, _ = _position(CARD, START.replace("pot: 5S", "pot: 5S 6S") + "; stock 1")
    owing = engine.challenge(engine.draw(_discards(state, A), B, 900), C, A)
    assert engine.penalty_outcome(owing) is DrawOutcome.RESHUFFLE
    for wrong in (engine.penalty_single, engine.penalty_lapses):
        with pytest.raises(InternalError):
            wrong(owing)
    with pytest.raises(InternalError):
        engine.penalty_draw(owing, 901)
    filled, old = engine.penalty_reshuffle(owing)
    assert (old, filled.pot, filled.stock, filled.reshuffles) == (owing.pot, (), 3, 1)
    assert not set(old) & set(filled.faces)
    paid = engine.penalty_draw(filled, 901)
    assert (paid.phase, paid.mover, paid.drawn, paid.stock) == (Phase.PLAY, B, owing.drawn, 2)
    assert (paid.idle_turns, paid.turns_since_lay) == (owing.idle_turns, owing.turns_since_lay)


@pytest.mark.must("R146")
def test_a_pot_of_one_card_goes_over_openly() -> None:
    """The only card there is goes from the pot to the offender, and everybody knows it."""
    owing = engine.challenge(engine.draw(_discards(_position(CARD, _ONE_LEFT)[0], A), B, 900), C, A)
    single = replace(owing, pot=owing.pot[-1:])
    assert engine.penalty_outcome(single) is DrawOutcome.SINGLE
    paid = engine.penalty_single(single)
    assert (paid.hands[A][-1:], paid.pot, paid.stock, paid.reshuffles) == (single.pot, (), 0, 1)
    assert paid.faces == single.faces


_ONE_LEFT = START + "; stock 1"


@pytest.mark.must("R146")
def test_without_any_card_the_penalty_lapses() -> None:
    """When every card is in a hand or on the table there is nothing to take, and the turn goes on."""
    owing = engine.challenge(engine.draw(_discards(_position(CARD, _ONE_LEFT)[0], A), B, 900), C, A)
    empty = replace(owing, pot=())
    assert engine.penalty_outcome(empty) is DrawOutcome.ROUND_ENDS
    after = engine.penalty_lapses(empty)
    assert (after.hands, after.phase, engine.penalty_due(after)) == (empty.hands, Phase.PLAY, None)
    assert _code(after, B, A) == "no_offence"


def test_nothing_is_paid_that_nobody_owes() -> None:
    """Without a debt there is no penalty card."""
    state = engine.draw(_discards(_position(CARD)[0], A), B, 900)
    assert engine.penalty_due(state) is None
    for call in (engine.penalty_outcome, engine.penalty_single, engine.penalty_reshuffle, engine.penalty_lapses):
        with pytest.raises(InternalError):
            call(state)
    with pytest.raises(InternalError):
        engine.penalty_draw(state, 901)


# ------------------------------------------------------------------ text and invariants


def test_calls_are_part_of_a_position() -> None:
    """The line says who missed the call, who owes a card and who was charged."""
    line = (
        "mover A; phase draw; hand A: KC; hand B: ?; hand C: ?; uncalled A C; owed B; turns 1 1 1; penalties 0 50 0; "
        "last_mover C"
    )
    state, faces = parse_position(POINTS, line)
    assert state.calls == Calls((A, C), (B,), (0, 50, 0))
    assert format_position(state, faces) == line
    with pytest.raises(ValueError, match="every seat"):
        parse_position(POINTS, line.replace("0 50 0", "0 50"))


@pytest.mark.parametrize(
    ("rules", "calls", "phase"),
    [
        (CARD, Calls(uncalled=(B,)), Phase.PLAY),
        (CARD, Calls(owed=(B,)), Phase.OVER),
        (CARD, Calls(uncalled=(C,), owed=(C,)), Phase.PLAY),
        (CARD, Calls(penalties=(20, 0, 0)), Phase.PLAY),
        (POINTS, Calls(owed=(B,)), Phase.PLAY),
        (preset("basis"), Calls(uncalled=(C,)), Phase.PLAY),
    ],
)
def test_senseless_calls_are_found(rules: RuleSet, calls: Calls, phase: Phase) -> None:
    """A missed call with more cards, a debt when all is over, a penalty of the wrong kind: each is reported."""
    state = _position(rules, "mover A; phase play; hand A: KC 4C; hand B: ? ?; hand C: ?; drawn stock -")[0]
    check_calls(state)
    with pytest.raises(InternalError) as found:
        check_calls(replace(state, calls=calls, phase=phase))
    assert found.value.code == "rules/calls"


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(kind=st.sampled_from(["extra_card", "points"]), n=st.integers(2, 5), seed=st.integers(0, 2**32))
def test_rounds_with_challenges_end(kind: str, n: int, seed: int) -> None:
    """Small hands, careless callers, eager challengers: no card is lost, debts are paid and the round ends."""
    rules = with_overrides(preset("klassiek"), {"last_card_call": kind, "hand_size": 4})
    playout = Playout(rules, n, random.Random(seed))
    state = playout.round()

    assert state.phase is Phase.OVER
    assert playout.turns < 4000
    assert sum(state.calls.penalties) == (20 * playout.challenges if kind == "points" else 0)


def test_random_rounds_do_have_challenges() -> None:
    """The random rounds of the property above are not without the thing that they test."""
    for rules in (CARD, POINTS):
        some = [Playout(with_overrides(rules, {"hand_size": 4}), 3, random.Random(seed)) for seed in range(12)]
        for playout in some:
            playout.round()
        assert sum(playout.challenges for playout in some) > 12
