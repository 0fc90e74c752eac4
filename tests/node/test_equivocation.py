"""A peer that signs two entries for one step: its fault outlives our process, and so does the log before it."""

from __future__ import annotations

import os
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from node import gamefile
from node.journal import GameInfo, Journal
from node.worker import Worker
from protocol.session.evidence import verify_evidence, write_evidence
from protocol.session.gamefile import write_game
from protocol.session.outputs import Publish
from protocol.session.session import Session
from protocol.session.verify import verify_game
from protocol.session.view import Finding
from protocol.wire.entry import Entry, Kind, parse_entry, sign_entry
from tests.coupled import Coupled

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from node.worker import Outcome

LIAR = 1


@dataclass
class Watched:
    """A table of three in which seat 0 is a worker with a journal; nothing is lost and everything is in order."""

    path: Path
    table: Coupled = field(default_factory=lambda: Coupled(3, seed=3, away={0}))
    arrived: deque[bytes] = field(default_factory=deque)

    def __post_init__(self) -> None:
        """Seat everybody."""
        info = GameInfo(genesis=self.table.genesis.encode(), seat=0, seed=bytes(32), role="host")
        self.worker = self.worker_of(Journal.create(self.path, info, self.table.secrets[0][1]))
        send = self.table.send

        def both(sender: int, frame: bytes) -> None:
            self.arrived.append(frame)
            send(sender, frame)

        self.table.send = both  # type: ignore[method-assign]
        for seat in (1, 2):
            self.table.carry_out(seat, self.table.sessions[seat].start())
        self.publish(self.worker.open())

    def worker_of(self, journal: Journal) -> Worker:
        """Seat 0 over this journal."""
        genesis, key = self.table.genesis, self.table.keys[0]

        def make(number: int, secret: bytes) -> Session:
            return Session(genesis, seat=0, key=key, secret=secret, secret_round=number, auto_continue=True)

        return Worker(journal, make)

    def publish(self, outcome: Outcome) -> None:
        """What seat 0 says goes to the others."""
        said = [o.frame for o in outcome.outputs if isinstance(o, Publish)]
        self.table.under_way += [(seat, frame) for frame in said for seat in (1, 2)]

    def run_until(self, done: Callable[[], bool]) -> None:
        """Carry messages, one at a time, until this holds."""
        while not done():
            if self.arrived:
                self.publish(self.worker.receive([self.arrived.popleft()]))
            else:
                assert self.table.deliver_next()

    @property
    def session(self) -> Session:
        """Seat 0's session."""
        assert self.worker._session is not None
        return self.worker._session

    def resume(self) -> None:
        """Stop seat 0 and start it again from its journal."""
        self.worker.close()
        self.worker = self.worker_of(Journal.open(self.path))
        self.worker.open()

    def file(self) -> bytes:
        """The game file as seat 0 would write it."""
        return write_game(self.table.genesis, self.worker.log_frames())

    def entries(self) -> list[Entry]:
        """The liar's entries that seat 0 has, oldest first."""
        frames = self.worker.log_frames()
        parsed = [parse_entry(frame, self.table.genesis.table, self.table.public) for frame in frames]
        return [entry for entry in parsed if entry.seat == LIAR]

    def lie(self, step: int, head: bytes, kind: Kind, number: int) -> bytes:
        """An entry of the liar, the same for the same number only."""
        entry = sign_entry(self.table.keys[LIAR], self.table.genesis.table, step, LIAR, head, kind, [bytes([number])])
        return entry.frame


def of_a_closed_step(watched: Watched) -> list[bytes]:
    """A second entry for a step that is long over."""
    watched.run_until(lambda: watched.session.position().step >= 8)
    first = watched.entries()[1]
    return [watched.lie(first.step, first.head, first.kind, 1)]


def of_the_open_step(watched: Watched) -> list[bytes]:
    """A second entry for a step that others have not spoken in yet."""
    watched.run_until(
        lambda: watched.session.position().step >= 1 and bool(watched.session.position().have >> LIAR & 1)
    )
    first = watched.entries()[-1]
    return [watched.lie(first.step, first.head, first.kind, 1)]


def of_a_step_to_come(watched: Watched) -> list[bytes]:
    """Two entries for a step that has not begun."""
    watched.run_until(lambda: watched.session.position().step >= 8)
    step = watched.session.position().step + 3
    return [watched.lie(step, bytes(32), Kind.DRAW, number) for number in (1, 2)]


@pytest.mark.parametrize("lies", [of_a_closed_step, of_the_open_step, of_a_step_to_come])
def test_the_fault_is_there_again_after_a_restart(tmp_path: Path, lies: Callable[[Watched], list[bytes]]) -> None:
    """The resumed node names the same seat and step with the same proof, and its game file holds."""
    watched = Watched(tmp_path / "game.journal")
    for frame in lies(watched):
        watched.worker.receive([frame])
    fault, position, file = watched.session.fault, watched.session.position(), watched.file()
    proofs = gamefile.write_evidence(tmp_path / "game.duizenden", watched.table.genesis, watched.worker.evidence())
    rulings = [verify_evidence(path.read_bytes(), os.urandom(32)) for path in proofs]
    watched.resume()
    again = watched.session.fault
    same = (watched.session.position(), watched.file(), watched.session.dead) == (position, file, True)
    kept = [write_evidence(watched.table.genesis, evidence) for evidence in watched.worker.evidence()]
    watched.worker.close()
    verdict = verify_game(file, os.urandom(32))

    assert fault is not None
    assert again is not None
    assert (fault.code, fault.seat) == ("log/equivocation", LIAR)
    assert (again.code, again.seat, again.step) == (fault.code, fault.seat, fault.step)
    assert same
    assert [path.name for path in proofs] == ["game.evidence"]
    assert [(r.proven, r.findings) for r in rulings] == [(True, (Finding(fault.code, LIAR, fault.step),))]
    assert kept == [path.read_bytes() for path in proofs]
    assert verdict.head == position.head
    assert not verdict.complete
    assert verdict.fault is None or verdict.fault.seat == LIAR
