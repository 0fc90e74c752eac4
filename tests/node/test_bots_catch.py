"""A bot challenges a missed last-card call, with its own next entry."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import pytest

from node.bots import catch
from node.policy import choose
from protocol.rules.actions import Action, Play
from protocol.rules.ruleset import preset, with_overrides
from protocol.session.outputs import Challenged
from tests.coupled import Coupled

if TYPE_CHECKING:
    from node.handle import Choice, TableHandle
    from protocol.session.view import TableView


class Seat:
    """As much of a handle as catching needs, over a seat of a coupled table."""

    def __init__(self, table: Coupled, seat: int) -> None:
        self.table = table
        self.seat = seat

    def view(self) -> TableView:
        """What the seat sees."""
        return self.table.sessions[self.seat].view()

    async def submit(self, choice: Choice) -> None:
        """Give the choice to the session."""
        self.table.carry_out(self.seat, self.table.sessions[self.seat].act(choice))


@pytest.mark.parametrize("penalty", ["extra_card", "points", "none"])
def test_a_bot_catches_a_missed_call(penalty: str) -> None:
    """Where the rule card has the call, bots of which nobody calls catch each other; elsewhere nobody is challenged."""
    rules = with_overrides(preset("klassiek"), {"last_card_call": penalty, "last_card_penalty_points": 20})

    def silent(view: TableView) -> Action:
        assert view.me is not None
        asyncio.run(catch(cast("TableHandle", Seat(table, view.me))))
        action = choose(view)
        return replace(action, call_last=False) if isinstance(action, Play) else action

    table = Coupled(3, seed=1, choose=silent, rules=rules, max_rounds=2)
    table.start()
    table.run()
    caught = [event for event in table.outputs[0] if isinstance(event, Challenged)]

    assert [session.fault for session in table.sessions] == [None] * 3
    assert bool(caught) is (penalty != "none")
    assert all(event.seat != event.offender for event in caught)
