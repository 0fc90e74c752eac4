"""Session and journal of one seat: what is journalled when something goes wrong, and what is said afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from node.journal import GameInfo, Journal, JournalError
from node.sync import Place
from node.worker import Worker
from protocol.rules.actions import Draw
from protocol.session.session import Session
from tests.coupled import Coupled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

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
