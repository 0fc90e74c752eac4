"""The referee at the golden cases: every exchange, draw, step and play of them judged by the referee too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from protocol.errors import IllegalMove
from protocol.rules import engine
from protocol.rules.actions import Exchange, Play, Slot, Step
from protocol.rules.ruleset import RuleSet
from protocol.rules.state import Round
from tests.protocol.rules import golden
from tests.referee import judge, mirror
from tests.referee.position import Position, RefusedError

HOME = Path(__file__).parents[2] / "rules_cases"
CASES = list(golden.load(HOME))


def outside(rules: RuleSet) -> bool:
    """Whether the rules use an option that the referee does not know: copies in runs, the last-card call."""
    return rules.duplicate_in_run or not rules.layoff_run_ends or rules.last_card_call != "none"


class Second:
    """Stands behind the engine and gives a second opinion on everything it is asked."""

    def __init__(self) -> None:
        self.verdicts: Counter[str] = Counter()
        self.disagreements: list[str] = []

    def check(self, state: Round, theirs: Callable[[], Round], mine: Callable[[Position], Position]) -> Round:
        """The engine's answer, after comparing it with the referee's."""
        verdict, after = "legal", None
        try:
            after = theirs()
        except IllegalMove as error:
            verdict = error.code
            raise
        finally:
            if not outside(state.rules):
                self.compare(state, verdict, after, mine)
        return after

    def compare(self, state: Round, verdict: str, after: Round | None, mine: Callable[[Position], Position]) -> None:
        """Notes where the referee says something else."""
        self.verdicts[verdict] += 1
        try:
            position = mine(mirror.from_round(state))
        except RefusedError as error:
            if error.code != verdict:
                self.disagreements.append(f"engine {verdict}, referee {error.code}")
            return
        if after is None:
            self.disagreements.append(f"engine {verdict}, referee legal")
        elif difference := mirror.differences(after, position):
            self.disagreements.append(difference)


@pytest.fixture
def second(monkeypatch: pytest.MonkeyPatch) -> Second:
    """The referee behind the engine's door."""
    behind = Second()
    play, preview, exchange, draw = engine.play, engine.preview, engine.exchange, engine.draw

    def asked_play(state: Round, seat: int, action: Play, faces: Mapping[Slot, int]) -> Round:
        return behind.check(
            state, lambda: play(state, seat, action, faces), lambda p: judge.play(p, seat, action, faces)
        )

    def asked_preview(
        state: Round, seat: int, take_pot: bool, steps: Sequence[Step], faces: Mapping[Slot, int]
    ) -> Round:
        action = Play(take_pot=take_pot, steps=tuple(steps))
        return behind.check(
            state,
            lambda: preview(state, seat, take_pot, steps, faces),
            lambda p: judge.preview(p, seat, action, faces),
        )

    def asked_exchange(state: Round, seat: int, action: Exchange, faces: Mapping[Slot, int]) -> Round:
        return behind.check(
            state,
            lambda: exchange(state, seat, action, faces),
            lambda p: judge.exchange(p, seat, action.returned, faces),
        )

    def asked_draw(state: Round, seat: int, slot: Slot) -> Round:
        return behind.check(state, lambda: draw(state, seat, slot), lambda p: judge.draw(p, seat, slot))

    monkeypatch.setattr(engine, "play", asked_play)
    monkeypatch.setattr(engine, "preview", asked_preview)
    monkeypatch.setattr(engine, "exchange", asked_exchange)
    monkeypatch.setattr(engine, "draw", asked_draw)
    return behind


SEEN = {
    *("legal", "too_short", "not_a_meld", "ace_wrap", "ace_low_not_allowed", "ace_high_not_allowed", "ace_both_ends"),
    *("run_full", "duplicate_suit", "set_full", "needs_natural", "joker_majority", "joker_identity"),
    *("single_natural_is_set", "bridge_order", "card_not_in_hand", "no_such_meld", "does_not_fit", "not_own_meld"),
    *("not_down", "layoff_joker", "layoff_opening_turn", "layoff_too_many", "must_keep_discard", "only_queen_left"),
    *("swap_not_allowed", "swap_not_allowed_opponent", "swap_mismatch", "queen_swap_opponent", "queen_swap_own"),
    *("below_opening_minimum", "opening_joker", "opening_single_set", "pot_empty", "pot_min_hand"),
    *("pot_top_must_meld", "pot_no_layoff", "pot_needs_two_hand_cards", "pot_other_cards", "pot_rest_locked"),
    *("already_drawn", "must_draw_first", "not_your_turn", "discard_required", "queen_discard"),
    *("discard_joker", "discard_just_taken", "no_going_out_first_turn", "no_going_out_opening_turn", "no_exchange"),
    *("exchange_same_card", "exchange_queen", "table_fixed", "pot_whole_pile"),
}
"""Every verdict on a move that the engine knows, but turn_over (asked before play)."""


def test_the_referee_agrees_on_every_golden_case(second: Second) -> None:
    """Engine and referee agree on every move of every golden case, and among these is every reason code of a move."""
    wrong = []
    for case in CASES:
        golden.run(case)
        wrong += [f"{case.name}: {text}" for text in second.disagreements]
        second.disagreements.clear()

    assert wrong == []
    assert SEEN - set(second.verdicts) == set()
    assert second.verdicts["legal"] > 500
