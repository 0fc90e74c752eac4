"""Journals that something has damaged: they are refused by code, and hide no other game."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from node.journal import SUFFIX, GameInfo, Journal, JournalError, glimpse
from node.memory import MemoryLink, MemoryNet
from node.resume import resume_table, saved_games
from protocol.crypto.hashing import H32
from protocol.session.outputs import Record
from tests.coupled import genesis_for

if TYPE_CHECKING:
    from pathlib import Path

SEED = H32("test/key", b"", bytes([1]))
"""Of seat 1 in `genesis_for`."""
META = "update meta set value = ? where key = "
DAMAGE: dict[str, tuple[str, object]] = {
    "settings a list": (META + "'settings'", b"[]"),
    "settings a number": (META + "'settings'", b"5"),
    "settings nested": (META + "'settings'", b"[" * 100_000),
    "settings text": (META + "'settings'", "{}"),
    "seat beyond any": (META + "'seat'", b"9"),
    "seat negative": (META + "'seat'", b"-1"),
    "seed text": (META + "'seed'", "abc"),
    "genesis number": (META + "'genesis'", 5),
    "format text": (META + "'format'", "1"),
    "role no text": (META + "'role'", b"\xff"),
    "no meta": ("drop table meta", None),
}
RESUMED_ONLY: dict[str, tuple[str, object]] = {
    "epoch": (META + "'epoch'", b"zz"),
    "epoch huge": (META + "'epoch'", b"9" * 30),
    "no broker": (META + "'settings'", b"{}"),
    "bad broker": (META + "'settings'", b'{"broker": "::::"}'),
    "port no number": (META + "'settings'", b'{"broker": "h", "port": "x", "bind": "127.0.0.1"}'),
    "port no end": (META + "'settings'", b'{"broker": "h", "port": 1e999, "bind": "127.0.0.1"}'),
    "files no list": (META + "'settings'", b'{"broker": "127.0.0.1:1", "files": 5}'),
    "other seat": (META + "'seat'", b"0"),
    "seat of nobody": (META + "'seat'", b"5"),
    "seed short": (META + "'seed'", b"x"),
    "seed of another": (META + "'seed'", bytes(32)),
    "no secret": ("delete from secret", None),
    "secret short": ("update secret set value = ?", b"x"),
    "secret text": ("update secret set value = ?", "abc"),
    "frame text": ("update entries set frame = ?", "abc"),
    "step text": ("update entries set step = ?", "x"),
    "no entries": ("drop table entries", None),
}


def damaged(folder: Path, statement: str, value: object) -> Path:
    """A journal of seat 1 with this done to it."""
    path = folder / f"bad{SUFFIX}"
    info = GameInfo(genesis=genesis_for(2).encode(), seat=1, seed=SEED, role="joiner")
    journal = Journal.create(path, info, bytes(32), {"broker": "mqtt://127.0.0.1:1"})
    journal.append([Record(0, 0, b"frame")])
    journal.close()
    with closing(sqlite3.connect(path)) as db:
        db.execute(statement, () if value is None else (value,))
        db.commit()
    return path


@pytest.mark.parametrize("name", [*DAMAGE, *RESUMED_ONLY])
async def test_a_damaged_journal_is_refused_by_code(name: str, tmp_path: Path) -> None:
    """Whatever is wrong with the contents, resuming says that the journal is damaged, and lets go of it."""
    statement, value = (DAMAGE | RESUMED_ONLY)[name]
    path = damaged(tmp_path, statement, value)
    for _ in range(2):
        with pytest.raises(JournalError) as caught:
            async with resume_table(path, connect=lambda _: MemoryLink(MemoryNet(), "me")):
                pytest.fail("it was resumed")

        assert caught.value.code == "journal/damaged"


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_journal_hides_no_other(name: str, tmp_path: Path) -> None:
    """A list of games leaves out what cannot be read and shows the rest."""
    statement, value = DAMAGE[name]
    path = damaged(tmp_path, statement, value)
    path.rename(path.with_name(f"worse{SUFFIX}"))
    good = damaged(tmp_path, "update secret set round = 1", None)
    with pytest.raises(JournalError) as caught:
        glimpse(tmp_path / f"worse{SUFFIX}")

    assert caught.value.code == "journal/damaged"
    assert [game.path for game in saved_games(tmp_path)] == [good]


@pytest.mark.parametrize("note", ["[1]", "7", '{"stage": []}', '{"stage": "play", "totals": 3}', "null"])
def test_a_strange_note_of_progress_is_left_out(note: str, tmp_path: Path) -> None:
    """A note of how far the game was that is none of ours leaves a game that is not over."""
    damaged(tmp_path, META + "'settings'", f'{{"broker": "mqtt://127.0.0.1:1", "progress": {note}}}'.encode())
    games = saved_games(tmp_path)

    assert [(game.progress, game.over) for game in games] == [(None, False)]


def test_records_that_are_none(tmp_path: Path) -> None:
    """Reading the log or the secret of a damaged journal is a JournalError too."""
    journal = Journal.open(damaged(tmp_path, *RESUMED_ONLY["frame text"]))
    with pytest.raises(JournalError) as caught:
        journal.records()
    journal.close()

    assert caught.value.code == "journal/damaged"
