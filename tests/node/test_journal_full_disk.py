"""A journal on a disk that takes no more: its own code, and no file that is half a journal."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from node.journal import GameInfo, Journal, glimpse

if TYPE_CHECKING:
    from pathlib import Path

INFO = GameInfo(genesis=bytes(5_000), seat=0, seed=bytes(32), role="host")
PROGRAM = """
import resource, sys
from pathlib import Path
from node.journal import GameInfo, Journal, JournalError
path, limit = Path(sys.argv[1]), int(sys.argv[2])
info = GameInfo(genesis=bytes(5_000), seat=0, seed=bytes(32), role="host")
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
try:
    Journal.open(path) if path.exists() else Journal.create(path, info, bytes(32))
except JournalError as error:
    print(error.code)
"""


@pytest.fixture(autouse=True)
def _limits() -> None:
    pytest.importorskip("resource", reason="this system has no limit on the size of files")


def said(path: Path, limit: int) -> str:
    """What a process that may write no file beyond this size says about making or opening this journal."""
    command = [sys.executable, "-c", PROGRAM, str(path), str(limit)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.mark.parametrize("limit", [0, 4_096, 12_000, 20_000])
def test_a_new_journal_is_whole_or_not_there(tmp_path: Path, limit: int) -> None:
    """Wherever the disk is full, making a journal fails with `journal/write` and leaves nothing."""
    assert said(tmp_path / "game.journal", limit) == "journal/write"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("limit", [0, 4_096])
def test_a_full_disk_is_no_damage(tmp_path: Path, limit: int) -> None:
    """Opening a sound journal on a full disk says so instead of calling it damaged; afterwards it opens."""
    path = tmp_path / "game.journal"
    Journal.create(path, INFO, bytes(32)).close()
    code = said(path, limit)
    again = Journal.open(path)
    info = again.info
    again.close()

    assert code == "journal/write"
    assert info == INFO


FOLD = """
import os, resource, sys
from pathlib import Path
from node.journal import Journal
from protocol.session.outputs import Record
path = Path(sys.argv[1])
journal = Journal.open(path)
for step in range(40):
    journal.append([Record(step, 0, bytes(3_000))])
    journal.commit()
limit = path.stat().st_size + 8_192
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
journal.close()
"""


def test_a_file_half_folded_is_still_listed(tmp_path: Path) -> None:
    """A disk that is full while the log is folded into the file takes a game neither from the list nor from play."""
    path = tmp_path / "game.journal"
    Journal.create(path, INFO, bytes(32)).close()
    subprocess.run([sys.executable, "-c", FOLD, str(path)], check=True)
    left = path.with_name("game.journal-wal").exists()
    seen = glimpse(path)
    again = Journal.open(path)
    records = again.records()
    again.close()

    assert left
    assert seen.info == INFO
    assert len(records) == 40
