"""Session and journal of one seat: what is journalled when something goes wrong, and what is said afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from node.journal import GameInfo, Journal, JournalError
from node.sync import Place
from node.worker import Worker
from protocol.rules.actions import Draw
from protocol.session.outputs import Dropped, Publish, Record
from protocol.session.session import Session
from tests.coupled import Coupled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from protocol.session.outputs import Output
    from protocol.session.session import Choice

SECRET = bytes(32)


def new_worker(path: Path, table: Coupled, seat: int = 0) -> Worker:
    """A worker with a new journal for a seat of this table."""
    info = GameInfo(genesis=table.genesis.encode(), seat=seat, seed=bytes(32), role="host")
    return worker_of(Journal.create(path, info, SECRET), table, seat)


def worker_of(journal: Journal, table: Coupled, seat: int = 0) -> Worker:
    """A worker over this journal."""

    def make(number: int, secret: bytes) -> Session:
        return Session(table.genesis, seat=seat, key=table.keys[seat], secret=secret, secret_round=number)

    return Worker(journal, make)


@pytest.fixture
def table() -> Coupled:
    """A table of two that has not begun."""
    return Coupled(2, seed=3)


@pytest.fixture
def worker(tmp_path: Path, table: Coupled) -> Iterator[Worker]:
    """Seat 0 of that table, with a new journal."""
    made = new_worker(tmp_path / "game.journal", table)
    yield made
    made.close()


@pytest.mark.parametrize(
    "speak",
    [
        lambda worker: worker.receive([b""]),
        lambda worker: worker.act(Draw()),
        lambda worker: worker.missing_at(Place()),
        lambda worker: worker.log_frames(),
    ],
)
def test_nothing_is_said_after_a_failed_write(worker: Worker, speak: Callable[[Worker], object]) -> None:
    """Once the journal has refused, every way to make the seat speak raises that very error."""
    worker._journal._broken = True
    with pytest.raises(JournalError) as first:
        worker.open()
    worker._journal._broken = False
    with pytest.raises(JournalError) as later:
        speak(worker)

    assert worker.dead
    assert first.value.code == "journal/write"
    assert later.value is first.value


OWN, PEER = Record(0, 0, b"ours"), Record(0, 1, b"a peer's")


class Buggy(Session):
    """A session with bugs: any frame but b"good" and any choice make it fail. It tells what it was restored from."""

    restored: tuple[bytes, ...] = ()

    def restore(self, frames: Sequence[bytes]) -> None:
        """Note the frames."""
        self.restored = tuple(frames)

    def start(self) -> list[Output]:
        """Say our entry, recorded unless the journal had it."""
        said = [] if OWN.frame in self.restored else [OWN]
        return [*said, Publish(OWN.frame)]

    def receive(self, frame: bytes) -> list[Output]:
        """Record one entry of a peer, or fail."""
        if frame != b"good":
            raise KeyError("a bug")
        return [PEER]

    def act(self, action: Choice) -> list[Output]:
        """Fail."""
        raise KeyError(f"a bug in {action}")


@pytest.fixture
def buggy(tmp_path: Path, table: Coupled) -> Iterator[Worker]:
    """A worker of a session with bugs, open."""
    info = GameInfo(genesis=table.genesis.encode(), seat=0, seed=bytes(32), role="host")
    journal = Journal.create(tmp_path / "buggy.journal", info, SECRET)
    made = Worker(journal, lambda *_: Buggy(table.genesis, seat=0, key=table.keys[0], secret=SECRET))
    made.open()
    yield made
    made.close()


def test_what_came_before_a_bug_is_kept(buggy: Worker) -> None:
    """Entries of a batch before the one that a bug stumbles over are journalled before the session starts again."""
    outcome = buggy.receive([b"good", b"bad", b"good"])
    session = buggy._session

    assert isinstance(session, Buggy)
    assert session.restored == (OWN.frame, PEER.frame)
    assert outcome.outputs == (PEER, Dropped("node/internal"), Publish(OWN.frame))
    assert outcome.taken == 2
    assert buggy._journal.records() == [OWN, PEER]


def test_a_bug_in_a_choice_refuses_it_and_says_the_rest_again(buggy: Worker) -> None:
    """The choice is refused as our own mistake, and what the new session wants to say is not lost."""
    outcome = buggy.act(Draw())

    assert outcome.refused is not None
    assert outcome.refused.code == "node/internal"
    assert outcome.outputs == (Publish(OWN.frame),)
    assert not buggy.dead


def test_after_a_restart_every_head_is_told(tmp_path: Path) -> None:
    """The first outcome has the head of every step of the journal, later ones only what is new: forks show anywhere."""
    table = Coupled(2, seed=3)
    table.start()
    table.run(until=lambda: table.sessions[0].position().step >= 6)
    worker = new_worker(tmp_path / "again.journal", table)
    worker._journal.append(table.journals[0])
    opened = worker.open()
    later = worker.receive([b"nothing"])
    worker.close()

    assert [step for step, _ in opened.heads] == list(range(opened.place.step + 1))
    assert opened.heads[-1] == (opened.place.step, opened.head)
    assert later.heads == opened.heads[-1:]
