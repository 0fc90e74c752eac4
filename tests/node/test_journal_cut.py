"""A journal whose write-ahead log ends anywhere, as after a power cut: it loads to the last committed entry."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from node.journal import GameInfo, Journal
from protocol.session.outputs import Record
from tests.coupled import genesis_for

if TYPE_CHECKING:
    from pathlib import Path

ENTRIES = 6
STRIDE = 1 if os.environ.get("DUIZENDEN_EVERY_BYTE") else 61
"""Every byte when asked for, else some: with 61, every place in a page and its frame comes up over the whole file."""


def crashed(folder: Path) -> tuple[Path, list[int], list[Record]]:
    """Files of a node that died: the journal, the size of its log after each commit, and what was recorded."""
    path, kept = folder / "game.journal", folder / "kept.journal"
    info = GameInfo(genesis=genesis_for(2).encode(), seat=1, seed=bytes(32), role="joiner")
    journal = Journal.create(path, info, bytes(32))
    log = path.with_name(f"{path.name}-wal")
    records = [Record(step, 0, bytes([step]) * (100 + 700 * step)) for step in range(ENTRIES)]
    sizes = [0]
    for record in records:
        journal.append([record])
        journal.commit()
        sizes.append(log.stat().st_size)
    shutil.copyfile(path, kept)
    shutil.copyfile(log, f"{kept}-wal")
    journal.close()
    return kept, sizes, records


@pytest.mark.timeout(3_600)
def test_a_log_cut_anywhere_loads_to_the_last_whole_entry(tmp_path: Path) -> None:
    """What was committed in full before the cut is there, nothing else is, and the journal can be written again."""
    kept, sizes, records = crashed(tmp_path)
    whole = kept.with_name(f"{kept.name}-wal").read_bytes()
    cut = tmp_path / "cut.journal"
    for length in [*range(0, len(whole), STRIDE), *sizes, *(size - 1 for size in sizes[1:])]:
        shutil.copyfile(kept, cut)
        cut.with_name(f"{cut.name}-wal").write_bytes(whole[:length])
        journal = Journal.open(cut)
        found = journal.records()
        journal.append([Record(99, 0, b"next")])
        journal.close()

        assert found == records[: sum(size <= length for size in sizes[1:])], length


@pytest.mark.parametrize("at", ["header", "frame", "page"])
def test_a_flipped_bit_costs_only_what_follows(tmp_path: Path, at: str) -> None:
    """Damage in the write-ahead log ends the log there: no entry is ever changed."""
    kept, sizes, records = crashed(tmp_path)
    log = kept.with_name(f"{kept.name}-wal")
    place = {"header": 20, "frame": sizes[3] + 9, "page": sizes[3] + 2_000}[at]
    damaged = bytearray(log.read_bytes())
    damaged[place] ^= 4
    log.write_bytes(damaged)
    journal = Journal.open(kept)
    found = journal.records()
    journal.close()

    assert found == records[: 0 if at == "header" else 3]
