"""Whole games of bots over the log, by every preset and by a card full of house rules, to the target and verified."""

from __future__ import annotations

import pytest

from node.policy import choose
from protocol.rules.ruleset import PRESETS, RuleSet, deviations, for_players, preset, with_overrides
from protocol.session.gamefile import write_game
from protocol.session.outputs import RoundOver
from protocol.session.verify import Verdict, verify_game
from tests.coupled import Coupled

pytestmark = pytest.mark.computed
ENTROPY = bytes(32)

HOUSE_RULES = {
    "decks": 3,
    "discard_required_to_go_out": True,
    "opening_minimum": 40,
    "joker_swap": True,
    "joker_swap_opponent": True,
    "joker_swap_match": "exact_bridge",
    "pot_layoff_suffices": True,
    "queen_discard": "last_card",
    "layoff_scope": "any",
    "pip_scoring": True,
    "last_card_call": "points",
    "last_card_penalty_points": 30,
    "final_score": "own_minus_average",
    "tie_at_top": "extra_round",
}


def played(rules: RuleSet, seats: int) -> tuple[Coupled, Verdict]:
    """A game without a limit of rounds, and what a stranger says of its file."""
    table = Coupled(seats, seed=1, choose=choose, rules=rules, max_rounds=0)
    table.start()
    table.run()
    files = {write_game(table.genesis, session.log_frames()) for session in table.sessions}
    assert len(files) == 1
    return table, verify_game(files.pop(), ENTROPY)


def check(table: Coupled, verdict: Verdict, target: int) -> None:
    """The game ended by its target, alike everywhere, and its winner has the most points."""
    totals = table.sessions[0].view().totals
    rounds = sum(isinstance(output, RoundOver) for output in table.outputs[0])

    assert [session.fault for session in table.sessions] == [None] * table.n
    assert all(session.finished for session in table.sessions)
    assert (verdict.ok, verdict.complete, verdict.totals) == (True, True, totals)
    assert max(totals) >= target
    assert verdict.winners == tuple(seat for seat, total in enumerate(totals) if total == max(totals))
    assert rounds == len(verdict.results)


@pytest.mark.parametrize("name", PRESETS)
def test_a_game_of_every_preset_is_played_to_its_target_and_verified(name: str) -> None:
    """As many rounds as it takes, until somebody has reached the target."""
    rules = with_overrides(for_players(preset(name), 2), {"target_score": 120})

    check(*played(rules, 2), target=120)


def test_a_game_with_many_house_rules_is_played_to_its_target_and_verified() -> None:
    """Three packs, another exit, other swaps, calls and scores at once: the game ends and verifies as any other."""
    rules = with_overrides(preset("spelregelwijzer"), {**HOUSE_RULES, "target_score": 150})

    assert len(deviations(rules, "spelregelwijzer")) >= 10
    check(*played(rules, 3), target=150)
