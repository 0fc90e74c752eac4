"""Two entries of a seat for one step prove equivocation wherever they arrive: every seat stops with the same name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from node.policy import choose
from protocol.session.outputs import Record
from protocol.session.session import Claim
from protocol.wire.entry import Kind, sign_entry
from tests.coupled import Coupled
from tests.protocol.session.test_departures import until_step, vanish

if TYPE_CHECKING:
    from protocol.errors import PeerFault

CHEAT = 2


def at_step(step: int) -> Coupled:
    """Three seats at a step in which the last one has not spoken, and is cut off."""
    table = until_step(Coupled(3, seed=6, choose=choose), step)
    vanish(table, {CHEAT})
    return table


def entries(table: Coupled, *kinds: Kind, head: bytes | None = None) -> list[bytes]:
    """What the cheat signs for the step that is open at seat 0."""
    place = table.sessions[0].position()
    return [
        sign_entry(table.keys[CHEAT], table.genesis.table, place.step, CHEAT, head or place.head, kind, []).frame
        for kind in kinds
    ]


def named(fault: PeerFault | None) -> tuple[str, int] | None:
    """Code and seat of a fault."""
    return None if fault is None else (fault.code, fault.seat)


def test_who_has_claimed_the_seat_sees_it_too() -> None:
    """Late entries of a seat that we claimed silent do not count, but two different ones are evidence."""
    table = at_step(9)
    table.run(until=lambda: not table.under_way and CHEAT in table.sessions[0].view().waiting_for)
    table.carry_out(0, table.sessions[0].act(Claim((CHEAT,))))
    for frame in entries(table, Kind.SHARES, Kind.DRAW):
        table.carry_out(0, table.sessions[0].receive(frame))

    assert named(table.sessions[0].fault) == ("log/equivocation", CHEAT)


def test_entries_of_another_history_are_evidence() -> None:
    """Two entries for the open step with a head that is not ours are evidence, and a restart finds it again."""
    table = at_step(9)
    for frame in entries(table, Kind.SHARES, Kind.DRAW, head=bytes(32)):
        table.carry_out(0, table.sessions[0].receive(frame))

    assert named(table.sessions[0].fault) == ("log/equivocation", CHEAT)

    table.restart(0)

    assert named(table.sessions[0].fault) == ("log/equivocation", CHEAT)


def test_one_entry_of_another_history_and_the_right_one_are_evidence() -> None:
    """An entry that fits does not wash off one that does not."""
    table = at_step(9)
    for frame in entries(table, Kind.SHARES, head=bytes(32)) + entries(table, Kind.SHARES):
        table.carry_out(0, table.sessions[0].receive(frame))

    assert named(table.sessions[0].fault) == ("log/equivocation", CHEAT)


def test_entries_for_a_step_that_claims_closed_are_evidence() -> None:
    """A seat that stopped for the evidence is not waited for in vain: the others find the same in what it shows."""
    table = at_step(9)
    table.run(until=lambda: not table.under_way and CHEAT in table.sessions[0].view().waiting_for)
    table.sync()
    both = entries(table, Kind.SHARES, Kind.DRAW)
    for seat in (0, 1):
        table.carry_out(seat, table.sessions[seat].act(Claim((CHEAT,))))
    table.run(until=lambda: not table.under_way)

    assert table.sessions[0].view().departed == (CHEAT,)

    for frame in both:
        table.carry_out(0, table.sessions[0].receive(frame))
    fault = table.sessions[0].fault

    assert named(fault) == ("log/equivocation", CHEAT)
    assert {o.frame for o in table.outputs[0] if isinstance(o, Record)} >= set(both)
