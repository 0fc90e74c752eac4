"""Engine and referee, two implementations of the rules that share no deciding code, over random moves."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from protocol.rules import engine, scoring
from protocol.rules.position import parse_position
from protocol.rules.ruleset import PRESETS, preset, with_overrides
from protocol.rules.scoring import Match
from protocol.rules.state import Round
from tests.referee import mirror, score
from tests.referee.deals import scattered
from tests.referee.fuzz import Report, Walker, fuzz
from tests.referee.house import HOUSE_RULES

SEEDS = (1, 2, 3, 4)
MOVES = 5_000
ROOT = Path(__file__).resolve().parents[3]

SEEN_ALWAYS = {
    *("legal", "card_not_in_hand", "too_short", "not_a_meld", "does_not_fit", "joker_identity", "joker_majority"),
    *("not_own_meld", "not_down", "no_such_meld", "pot_top_must_meld", "pot_empty", "pot_min_hand", "queen_discard"),
    *("below_opening_minimum", "opening_joker", "must_keep_discard", "discard_required", "swap_mismatch"),
    *("swap_not_allowed", "not_your_turn", "turn_over", "must_draw_first", "already_drawn", "no_exchange"),
}
"""Verdicts that every run of this length has given; rarer ones come in the long run of `tests/soak/rules.py`."""


@pytest.fixture(scope="module")
def reports() -> list[Report]:
    """The runs of the comparison."""
    return [fuzz(MOVES, seed) for seed in SEEDS]


@pytest.mark.must("R11", "R13", "R25", "R26", "R40", "R42", "R43", "R50", "R51", "R53", "R60", "R61", "R62", "R63")
@pytest.mark.must("R64", "R70", "R71", "R72", "R80", "R81", "R82", "R83", "R84", "R85", "R86", "R87", "R90", "R91")
@pytest.mark.must("R92", "R93", "R95", "R96", "R97", "R100", "R101", "R102", "R105", "R106", "R107", "R108", "R109")
@pytest.mark.must("R110", "R115", "R116", "R117", "R120", "R52")
def test_no_divergence(reports: list[Report]) -> None:
    """Engine and referee give the same verdict, reason code and next position on every random move."""
    assert [str(divergence) for report in reports for divergence in report.divergences] == []
    assert sum(report.moves for report in reports) >= 20_000


def test_the_runs_were_worth_it(reports: list[Report]) -> None:
    """Legal and illegal moves of every common kind were compared, laid cards and finished rounds among them."""
    codes: Counter[str] = sum((report.codes for report in reports), Counter())

    assert sum(report.illegal for report in reports) > 20_000 // 4
    assert codes["legal"] > 20_000 // 4
    assert SEEN_ALWAYS - set(codes) == set()
    assert all({"Lay", "LayOff", "Swap"} <= set(report.steps) for report in reports)
    assert codes["scored"] == sum(report.rounds_over for report in reports) >= 20
    assert sum(report.rules for report in reports) > 200


def test_a_wrong_engine_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison fails when the engine forgets a rule: here, that hands must keep a card to discard."""
    play = engine.play

    def careless(state: Round, *args: object) -> Round:
        rules = with_overrides(state.rules, {"discard_required_to_go_out": False})
        after = play(mirror.replace_rules(state, rules), *args)  # type: ignore[arg-type]
        return mirror.replace_rules(after, state.rules)

    monkeypatch.setattr(engine, "play", careless)
    found = fuzz(MOVES * 4, seed=1, most_divergences=1)
    lines = [str(divergence) for divergence in found.divergences]

    assert len(lines) > 0
    assert all("must_keep_discard" in line for line in lines)
    assert not any("\n" in line for line in lines)


def test_a_divergence_names_a_position_that_can_be_read_back() -> None:
    """The printed position is read back by the program's own reader, with the same cards in the same places."""
    rng = random.Random(5)
    for name in PRESETS:
        game = scattered(preset(name), rng)
        rules, _, text = mirror.describe(game.pair, game.faces).partition(" | ")
        state, faces = parse_position(preset(name), text)

        assert rules == name
        assert [len(hand) for hand in state.hands] == [len(hand) for hand in game.pair.state.hands]
        assert sorted(faces[slot] for hand in state.hands for slot in hand) == sorted(
            game.faces[slot] for hand in game.pair.state.hands for slot in hand
        )


def test_the_referee_leaves_the_position_alone() -> None:
    """Judging a move changes nothing in the position that was judged."""
    rng = random.Random(11)
    for _ in range(30):
        game = scattered(preset(rng.choice(PRESETS)), rng)
        before = repr(game.pair.position)
        walker = Walker(rng, game, Report())
        walker.plays(take_pot=game.pair.position.phase == "draw")

        assert repr(walker.pair.position) == before


# ------------------------------------------------------------------ points, target, ties, starters


@pytest.mark.must("R21", "R22")
@pytest.mark.parametrize("name", PRESETS)
def test_points_of_every_card(name: str) -> None:
    """Every face has the same points on the table and in hand by both counts, with and without the house rules."""
    for house in ({}, *HOUSE_RULES):
        try:
            rules = with_overrides(preset(name), house)
        except ValueError:
            continue
        faces = {rules.pack.face(card) for card in range(rules.pack.size)}

        assert [scoring.card_points(rules, f) for f in faces] == [score.points(rules, f) for f in faces]
        assert [scoring.hand_card_points(rules, f) for f in faces] == [score.cost_in_hand(rules, f) for f in faces]


def games(rng: random.Random) -> tuple[Match, list[int]]:
    """A random score near the target, with ties and teams now and then."""
    overrides: dict[str, object] = {
        "tie_at_top": rng.choice(["shared", "extra_round"]),
        "final_score": rng.choice(["own_total", "own_minus_average"]),
        "target_score": rng.choice([1000, 1000, 500]),
        "aborted_winner_excludes_leaver": rng.random() < 0.5,
        "next_starter": rng.choice(["rotate", "random"]),
        "first_starter": rng.choice(["left_of_dealer", "random"]),
    }
    n = rng.randrange(2, 8)
    if n in {4, 6} and rng.random() < 0.5:
        overrides |= {"teams_allowed": True, "team_size": 2 if n == 4 else rng.choice([2, 3])}
    rules = with_overrides(preset(rng.choice(PRESETS)), overrides)
    totals = [rng.choice([-200, 0, 495, 500, 505, 995, 1000, 1005, 1110]) for _ in range(n)]
    match = Match(rules=rules, n=n, totals=tuple(totals), rounds=rng.randrange(3))
    return match, totals


@pytest.mark.must("R122", "R124", "R125")
def test_target_ties_and_final_scores() -> None:
    """The end of the game, its winners, shown scores and the next starter agree on random totals."""
    rng = random.Random(3)
    ended = 0
    for _ in range(3000):
        match, totals = games(rng)
        rules, n = match.rules, match.n
        if match.rounds:
            expected = score.winners(rules, totals)
            ended += bool(expected)

            assert list(match.winners) == expected
            assert match.is_over == bool(expected)
        leaver = rng.randrange(n)
        broken = match.abort(leaver)

        assert list(broken.winners) == score.aborted_winners(rules, totals, match.rounds, leaver)
        assert broken.is_over
        assert [match.final_score(seat) for seat in range(n)] == [
            score.final_score(rules, totals, seat) for seat in range(n)
        ]
        dealer = rng.choice([None, rng.randrange(n)])
        previous = rng.randrange(n)

        assert scoring.first_starter(rules, n, dealer) == score.starter(rules, n, dealer, None)
        assert scoring.next_starter(rules, range(n), previous) == score.starter(rules, n, dealer, previous)
    assert ended > 100
    assert score.final_score(preset("klassiek"), [300, 1050, 450, 600], 0) == Fraction(-400)


# ------------------------------------------------------------------ the command


def test_the_soak_command() -> None:
    """`python tests/soak/rules.py` prints what it tried as one JSON line and ends with 0 when all agree."""
    command = [sys.executable, "tests/soak/rules.py", "--moves", "500", "--seed", "9"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    summary = json.loads(done.stdout.splitlines()[-1])

    assert done.returncode == 0, done.stdout + done.stderr
    assert summary["divergences"] == 0
    assert summary["moves"] >= 500
    assert summary["presets"] == len(PRESETS)
    assert summary["illegal"] > 0
