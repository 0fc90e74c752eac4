"""The last-card call and its challenge over the log: penalty cards and penalty points, agreed by everybody."""

from __future__ import annotations

from dataclasses import replace

import pytest

from node.policy import choose
from protocol.errors import IllegalMove
from protocol.rules.actions import Action, Play
from protocol.rules.ruleset import preset, with_overrides
from protocol.session.gamefile import write_game
from protocol.session.outputs import Challenged
from protocol.session.session import Challenge
from protocol.session.verify import verify_game
from protocol.session.view import TableView
from tests.coupled import Coupled


def careless(penalty: str, seed: int) -> Coupled:
    """A round in which nobody ever calls and everybody challenges as soon as it is their move."""
    rules = with_overrides(preset("klassiek"), {"last_card_call": penalty})

    def silent(view: TableView) -> Action:
        assert view.round is not None
        assert view.me is not None
        for offender in view.round.calls.uncalled:
            if offender != view.me:
                table.carry_out(view.me, table.sessions[view.me].act(Challenge(offender)))
        action = choose(view)
        return replace(action, call_last=False) if isinstance(action, Play) else action

    table = Coupled(3, seed=seed, choose=silent, rules=rules, max_rounds=2)
    table.start()
    table.run()
    return table


@pytest.mark.must("B5", "R144", "R145")
@pytest.mark.parametrize("penalty", ["extra_card", "points"])
def test_a_missed_call_is_punished_alike_everywhere(penalty: str) -> None:
    """Challenges that hold cost the agreed penalty; all seats and the verifier agree on the result."""
    caught = 0
    for seed in (0, 3):
        table = careless(penalty, seed)
        view = table.sessions[0].view()
        verdict = verify_game(write_game(table.genesis, table.sessions[2].log_frames()), bytes(32))
        caught += sum(isinstance(o, Challenged) for o in table.outputs[0])

        assert [s.fault for s in table.sessions] == [None] * 3
        assert verdict.complete
        assert view.totals == verdict.totals
        if penalty == "points":
            lost = sum(sum(r.penalties) for r in view.results)
            assert 20 * sum(isinstance(o, Challenged) for o in table.outputs[0]) == lost

    assert caught > 0


def test_a_challenge_without_an_offence_is_refused_at_home() -> None:
    """A player who challenges a seat that missed nothing is told so, and nothing is sent."""
    table = Coupled(2, seed=1, choose=choose)
    table.start()
    table.run(until=lambda: table.sessions[0].view().my_turn)

    with pytest.raises(IllegalMove, match="no_offence"):
        table.sessions[0].act(Challenge(1))
