"""What a session must never do whatever the others say: let a mistake of its own out, or raise for their bytes."""

from __future__ import annotations

from typing import Any

import pytest

from node.policy import choose
from protocol.errors import InternalError
from protocol.rules.actions import Draw
from protocol.session.outputs import Dropped, Publish, Record
from protocol.session.secrets import RoundSecrets
from protocol.session.session import Claim
from protocol.session.view import Stage
from protocol.wire.entry import Kind, sign_entry
from tests.coupled import Coupled


def signed(table: Coupled, seat: int, kind: Kind, body: list[Any], at: int = 0) -> bytes:
    """An entry of this seat for the step that is open at another one."""
    place = table.sessions[at].position()
    return sign_entry(table.keys[seat], table.genesis.table, place.step, seat, place.head, kind, body).frame


def test_a_mistake_of_ours_stays_inside_although_another_made_one_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our COMMIT is false and so is the one that waits here already: ours is neither published nor recorded."""
    honest = RoundSecrets.commit_body
    monkeypatch.setattr(RoundSecrets, "commit_body", lambda self: [bytes(31)] if self.seat == 1 else honest(self))
    table = Coupled(2, seed=1, choose=choose)
    first, second = table.sessions
    seats = [next(o.frame for o in session.start() if isinstance(o, Publish)) for session in (first, second)]
    first.receive(seats[1])
    second.receive(signed(table, 0, Kind.COMMIT, [bytes(31)]))
    with pytest.raises(InternalError, match="own-entry"):
        second.receive(seats[0])

    assert not any(isinstance(o, Publish) for o in second._out)
    assert [o.seat for o in second._out if isinstance(o, Record)] == [0]


def test_a_hold_that_ends_the_wait_of_two_seats_raises_nothing() -> None:
    """One of them closes the step, the other had nothing to say in it: it is dropped, and the hold counts."""
    table = Coupled(5, seed=4, choose=choose)
    table.start()
    table.run(
        until=lambda: not table.under_way and table.sessions[0].view().stage is Stage.PLAYING and mover(table) > 0
    )
    place, mover_seat = table.sessions[0].position(), mover(table)
    other, holder = [seat for seat in range(1, 5) if seat != mover_seat][:2]
    us = table.sessions[0]
    outputs = table.sessions[mover_seat].act(Draw())
    drawn = next(o.frame for o in outputs if isinstance(o, Publish))
    us.act(Claim((mover_seat, other)))
    us.receive(signed(table, other, Kind.SHARES, []))
    us.receive(drawn)
    assert us.position() == place

    heard = us.receive(signed(table, holder, Kind.HELD, [1 << mover_seat | 1 << other]))

    assert us.position().step == place.step + 1
    assert [o.code for o in heard if isinstance(o, Dropped)] == ["log/not-expected"]
    assert any(isinstance(o, Record) and o.seat == holder for o in heard)


def mover(table: Coupled) -> int:
    """Whose turn it is."""
    state = table.sessions[0].view().round
    assert state is not None
    return state.mover


def test_a_goodbye_says_nothing_else_and_nothing_after_the_end() -> None:
    """One with a body is no goodbye, and after the game there is nothing to leave."""
    table = Coupled(2, seed=2, choose=choose)
    table.start()
    wordy = table.sessions[0].receive(signed(table, 1, Kind.GOODBYE, [1]))
    table.run()
    late = table.sessions[0].receive(signed(table, 1, Kind.GOODBYE, []))

    assert [o.code for o in wordy if isinstance(o, Dropped)] == ["body/form"]
    assert [o.code for o in late if isinstance(o, Dropped)] == ["log/over"]
