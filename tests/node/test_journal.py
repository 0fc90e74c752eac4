"""The journal: what was committed survives, what was not is lost from the end only, and nobody else can open it."""

from __future__ import annotations

import shutil
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from node.journal import GameInfo, Journal, JournalError
from protocol.session.outputs import KeepSecret, Record

if TYPE_CHECKING:
    from pathlib import Path

INFO = GameInfo(genesis=b"genesis bytes", seat=2, seed=b"s" * 32, role="joiner")
OLD = b"the old secret of 32 bytes......"
NEW = b"the new secret of 32 bytes......"
OPEN_ELSEWHERE = """
import sys
from pathlib import Path
from node.journal import Journal, JournalError
try:
    Journal.open(Path(sys.argv[1]))
except JournalError as error:
    print(error.code)
"""


def new_journal(folder: Path) -> Journal:
    """A journal in this folder."""
    return Journal.create(folder / "game.journal", INFO, OLD, {"broker": "mqtt://192.0.2.1", "bots": ["a"]})


def entry(n: int) -> Record:
    """The n-th of a row of distinct records."""
    return Record(n // 3, n % 3, n.to_bytes(4, "big") * (n + 1))


@pytest.mark.must("M27")
def test_everything_comes_back(tmp_path: Path) -> None:
    """A reopened journal gives back its facts, settings, secret and records in order, and counts its openings."""
    journal = new_journal(tmp_path)
    journal.append([entry(0), entry(1), KeepSecret(2, NEW), entry(2)])
    journal.update_settings(broker="mqtt://192.0.2.2")
    first_epoch = journal.epoch
    journal.close()

    again = Journal.open(tmp_path / "game.journal")
    facts = (again.info, again.secret, again.records(), again.settings["broker"], again.settings["bots"])
    epoch = again.epoch
    again.close()

    assert facts == (INFO, (2, NEW), [entry(0), entry(1), entry(2)], "mqtt://192.0.2.2", ["a"])
    assert epoch == first_epoch + 1


def test_private_files(tmp_path: Path) -> None:
    """Every file of a journal is readable by its owner only, also while it is open."""
    journal = new_journal(tmp_path)
    journal.append([entry(0)])
    journal.commit()

    modes = {p.name: stat.S_IMODE(p.stat().st_mode) for p in tmp_path.iterdir()}
    journal.close()

    assert set(modes.values()) == {0o600}


@pytest.mark.must("C101")
def test_secret_is_overwritten(tmp_path: Path) -> None:
    """After a commit with a new secret the old one is in none of the files."""
    journal = new_journal(tmp_path)
    journal.append([entry(n) for n in range(20)])
    journal.append([KeepSecret(2, NEW)])
    journal.commit()

    copies = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    journal.close()

    assert not [name for name, data in copies.items() if OLD in data]
    assert [name for name, data in copies.items() if NEW in data]


def test_seed_and_secret_are_not_shown() -> None:
    """The text form of the values does not contain the seed or the secret."""
    assert "sss" not in repr(INFO)
    assert "new secret" not in repr(KeepSecret(1, NEW))


def test_second_process_is_refused(tmp_path: Path) -> None:
    """While one process holds a journal, another cannot open it; afterwards it can."""
    journal = new_journal(tmp_path)
    command = [sys.executable, "-c", OPEN_ELSEWHERE, str(journal.path)]
    held = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    journal.close()
    freed = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    assert (held, freed) == ("journal/busy", "")


def test_second_opening_in_one_process_is_refused(tmp_path: Path) -> None:
    """The same process cannot open a journal twice either."""
    journal = new_journal(tmp_path)
    with pytest.raises(JournalError) as caught:
        Journal.open(journal.path)
    journal.close()

    assert caught.value.code == "journal/busy"


def test_creating_twice_is_refused(tmp_path: Path) -> None:
    """An existing journal is never overwritten."""
    new_journal(tmp_path).close()
    with pytest.raises(JournalError) as caught:
        new_journal(tmp_path)

    assert caught.value.code == "journal/exists"


@pytest.mark.parametrize(
    ("content", "code"),
    [(None, "journal/missing"), (b"", "journal/damaged"), (b"not a database" * 100, "journal/damaged")],
)
def test_unusable_files(tmp_path: Path, content: bytes | None, code: str) -> None:
    """A missing file, an empty one and one of another kind are refused by code."""
    path = tmp_path / "x.journal"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(JournalError) as caught:
        Journal.open(path)

    assert caught.value.code == code


def test_a_cut_at_any_byte_leaves_a_prefix(tmp_path: Path) -> None:
    """Whatever part of the write-ahead log reached the disk, the journal opens with whole batches from the start."""
    live = tmp_path / "live"
    live.mkdir()
    journal = new_journal(live)
    batches = [[entry(3 * b), entry(3 * b + 1), entry(3 * b + 2)] for b in range(6)]
    for batch in batches:
        journal.append(batch)
        journal.commit()
    snapshot = {p.name: p.read_bytes() for p in live.iterdir()}
    journal.close()
    log = snapshot["game.journal-wal"]
    allowed = [[r for batch in batches[:k] for r in batch] for k in range(len(batches) + 1)]
    seen = []
    for cut in [*range(0, len(log), 331), len(log)]:
        folder = tmp_path / "cut"
        folder.mkdir()
        (folder / "game.journal").write_bytes(snapshot["game.journal"])
        (folder / "game.journal-wal").write_bytes(log[:cut])
        again = Journal.open(folder / "game.journal")
        records = again.records()
        again.close()
        shutil.rmtree(folder)

        assert records in allowed
        seen.append(len(records))

    assert seen == sorted(seen)
    assert (seen[0], seen[-1]) == (0, 18)


def test_uncommitted_batches_are_lost_whole(tmp_path: Path) -> None:
    """A process that dies without commit loses what it appended since, and nothing else."""
    program = (
        "import os, sys; from pathlib import Path; from node.journal import Journal;"
        "from protocol.session.outputs import Record;"
        "j = Journal.open(Path(sys.argv[1])); j.append([Record(0, 0, b'kept')]); j.commit();"
        "j.append([Record(1, 0, b'lost'), Record(1, 1, b'lost')]); os.kill(os.getpid(), 9)"
    )
    new_journal(tmp_path).close()
    subprocess.run([sys.executable, "-c", program, str(tmp_path / "game.journal")], check=False)
    journal = Journal.open(tmp_path / "game.journal")
    records = journal.records()
    journal.close()

    assert records == [Record(0, 0, b"kept")]


def test_a_full_disk_is_said(tmp_path: Path) -> None:
    """When the file cannot grow, writing fails with its own code from then on; what was committed is there."""
    journal = new_journal(tmp_path)
    journal.append([entry(0)])
    journal.commit()
    journal._db.execute("pragma max_page_count = 1")
    with pytest.raises(JournalError) as full:
        journal.append([Record(n, 0, bytes(4_000)) for n in range(1, 500)])
    with pytest.raises(JournalError) as after:
        journal.append([entry(1)])
    journal.close()
    again = Journal.open(tmp_path / "game.journal")
    records = again.records()
    again.close()

    assert [caught.value.code for caught in (full, after)] == ["journal/write"] * 2
    assert records == [entry(0)]
