"""Who shuffles first, who starts, what waits for a player, and which deck a VOID names (spec/30-wire.md B7 to B9)."""

from __future__ import annotations

from typing import Any

import pytest

from node.policy import choose
from protocol.crypto import context
from protocol.crypto.hashing import H
from protocol.session.session import Leave, NextRound
from protocol.session.view import Stage
from protocol.wire.codec import decode
from protocol.wire.entry import Kind
from protocol.wire.limits import MAX_FRAME
from tests.coupled import Coupled, patient


def entries(table: Coupled, seat: int = 0) -> list[list[Any]]:
    """The entries of a seat's log, in order."""
    return [decode(decode(frame, MAX_FRAME)[0], MAX_FRAME) for frame in table.sessions[seat].log_frames()]


def begun(table: Coupled, step: int) -> Coupled:
    """A table at which everybody is at this step."""
    table.start()
    table.run(until=lambda: all(s.position().step >= step for s in table.sessions))
    return table


def between_rounds() -> Coupled:
    """A table whose first round is over; the players are asked for the next one."""
    table = Coupled(3, seed=2, choose=choose, max_rounds=0, patient_seats=True)
    table.start()
    table.run(until=lambda: all(s.view().stage is Stage.BETWEEN for s in table.sessions))
    while table.deliver_next():
        pass
    return table


@pytest.mark.must("B7")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_seat_0_shuffles_first_and_the_joint_nonce_names_the_starter(seed: int) -> None:
    """After every OPEN, and after the DRAW that needs a reshuffle, the seats shuffle from 0 up; R names who starts."""
    table = Coupled(3, seed=seed, choose=patient)
    table.start()
    table.run()
    log = entries(table)
    shuffled = [entry[3] for entry in log if entry[5] == Kind.SHUFFLE]
    keys = [p.key for p in table.genesis.players]
    ctx = context.ctx(table.genesis.table, 1, keys, table.genesis.rules_hash, 0)
    joint = context.joint_nonce(ctx, [entry[6][2] for entry in log if entry[5] == Kind.OPEN])
    first = next(entry[3] for entry in log if entry[5] in {Kind.EXCHANGE, Kind.DRAW, Kind.PLAY})

    assert len(shuffled) > 3
    assert shuffled == [0, 1, 2] * (len(shuffled) // 3)
    assert first == int.from_bytes(H("dz1/starter", joint), "little") % 3


@pytest.mark.must("B8")
def test_a_commit_waits_for_its_player_in_every_round_but_the_first() -> None:
    """Nobody was asked for round 1; in round 2 only those have committed whose player wants to go on."""
    table = between_rounds()
    table.carry_out(1, table.sessions[1].act(NextRound()))
    while table.deliver_next():
        pass
    committed = [entry[3] for entry in entries(table) if entry[5] == Kind.COMMIT]

    assert committed == [0, 1, 2, 1]
    assert {s.view().waiting_for for s in table.sessions} == {(0, 2)}


@pytest.mark.must("B9")
@pytest.mark.parametrize(("step", "chained"), [(0, False), (1, False), (2, True), (6, True)])
def test_a_void_names_the_newest_deck_of_its_round(step: int, *, chained: bool) -> None:
    """After a LEAVE in COMMIT or OPEN there is no deck: zeros. In an unfinished chain: the rctx of that."""
    table = begun(Coupled(3, seed=6, choose=choose), step)
    table.carry_out(2, table.sessions[2].act(Leave()))
    table.run()
    log = entries(table)
    (named,) = {entry[6][0] for entry in log if entry[5] == Kind.VOID}
    opened = [entry[6] for entry in log if entry[5] == Kind.OPEN]
    expected = bytes(32)
    if chained:
        keys = [p.key for p in table.genesis.players]
        ctx = context.ctx(table.genesis.table, 1, keys, table.genesis.rules_hash, 0)
        joint = context.joint_nonce(ctx, [body[2] for body in opened])
        expected = context.rctx(ctx, joint, [body[0] for body in opened], [body[1] for body in opened], 0)

    assert named == expected


@pytest.mark.must("B9")
def test_a_void_at_the_beginning_of_a_later_round_names_no_deck() -> None:
    """In the COMMIT of round 2 the decks of round 1 are no longer meant."""
    table = between_rounds()
    table.carry_out(2, table.sessions[2].act(Leave()))
    for seat in (0, 1):
        table.carry_out(seat, table.sessions[seat].act(NextRound()))
    table.run()
    log = entries(table)

    assert [entry[6][0] for entry in log if entry[5] == Kind.VOID] == [bytes(32)] * 2
