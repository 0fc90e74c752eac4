"""A bot thinks for a moment before it moves; the table may have ended by then."""

from __future__ import annotations

from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import cast

from node.bots import play
from node.handle import Choice, Connection, TableHandle, Update
from protocol.session.session import Leave
from protocol.session.view import Stage, TableView
from tests.coupled import Coupled


class Handle:
    """A seat whose opponent leaves while it thinks."""

    def __init__(self) -> None:
        self.table = Coupled(2, seed=3, max_rounds=0)
        self.table.start()
        self.table.run(until=lambda: any(s.view().my_turn for s in self.table.sessions))
        self.me = next(i for i, s in enumerate(self.table.sessions) if s.view().my_turn)
        self.looks = 0
        self.talk = SimpleNamespace(standing=lambda: SimpleNamespace(paused_by=None))

    def view(self) -> TableView:
        """At the second look the round is void."""
        self.looks += 1
        if self.looks == 2:
            other = 1 - self.me
            self.table.carry_out(other, self.table.sessions[other].act(Leave()))
            self.table.carry_out(self.me, self.table.sessions[self.me].act(Leave()))
            self.table.run(until=lambda: self.table.sessions[self.me].finished)
        return self.table.sessions[self.me].view()

    def connection(self) -> Connection:
        """Everybody is there."""
        return Connection(state="up", broker="", peers=(True, True))

    async def updates(self) -> AsyncIterator[Update]:
        """One update, to begin with."""
        yield Update(view=self.table.sessions[self.me].view(), events=(), connection=self.connection())

    async def submit(self, action: Choice) -> None:
        """Nothing may be chosen any more."""
        raise AssertionError(f"{action} at a table that has ended")


async def test_a_round_given_up_meanwhile() -> None:
    """When the round ends while a bot thinks, it makes no move and sees the end."""
    views = [view async for view in play(cast(TableHandle, Handle()), (0.0, 0.001))]

    assert [view.stage for view in views] == [Stage.FINISHED]
