"""Looking at journals without playing them: it changes nothing, tells what is played now, and the newest come first."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from node.journal import SUFFIX, GameInfo, Journal, JournalError, glimpse
from node.resume import saved_games
from protocol.session.outputs import Record
from tests.coupled import genesis_for

if TYPE_CHECKING:
    from pathlib import Path

SECRET = b"the table's secret of 32 bytes.."
HOLD = """
import sys
from pathlib import Path
from node.journal import Journal
from protocol.session.outputs import Record
journal = Journal.open(Path(sys.argv[1]))
journal.append([Record(0, 0, bytes(9000))])
journal.commit()
print("held", flush=True)
sys.stdin.readline()
"""
GLIMPSE = """
import sys
from pathlib import Path
from node.journal import JournalError, glimpse
try:
    glimpse(Path(sys.argv[1]))
except JournalError as error:
    print(error.code)
"""


def new_journal(path: Path) -> Journal:
    """A journal of seat 1 at a table of two."""
    info = GameInfo(genesis=genesis_for(2).encode(), seat=1, seed=bytes(32), role="joiner")
    return Journal.create(path, info, SECRET, {"broker": "mqtt://192.0.2.1", "progress": None})


def state(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Every file of a folder: when it was written, and its contents."""
    return {p.name: (p.stat().st_mtime_ns, p.read_bytes()) for p in folder.iterdir()}


def test_a_list_changes_nothing_and_has_the_newest_first(tmp_path: Path) -> None:
    """Listing twice gives the same games, the newest first, and leaves every file as it was."""
    for age, name in enumerate(["new", "middle", "old"]):
        new_journal(tmp_path / f"{name}{SUFFIX}").close()
        os.utime(tmp_path / f"{name}{SUFFIX}", (9_000 - age, 9_000 - age))
    before = state(tmp_path)
    lists = [[game.name for game in saved_games(tmp_path)] for _ in range(2)]

    assert lists == [["new", "middle", "old"]] * 2
    assert state(tmp_path) == before


def test_a_game_that_is_played_here_is_busy(tmp_path: Path) -> None:
    """A journal that this very process has open is said to be busy, and looking does not let go of its lock."""
    journal = new_journal(tmp_path / f"game{SUFFIX}")
    games = saved_games(tmp_path)
    command = [sys.executable, "-c", GLIMPSE, str(journal.path)]
    elsewhere = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    journal.close()

    assert [game.busy for game in games] == [True]
    assert elsewhere == "journal/busy"
    assert [game.busy for game in saved_games(tmp_path)] == [False]


def test_a_game_that_another_process_plays_or_leaves_behind(tmp_path: Path) -> None:
    """It is busy and first in the list while that process lives; what its crash leaves behind is listed, untouched."""
    path = tmp_path / f"game{SUFFIX}"
    new_journal(path).close()
    new_journal(tmp_path / f"later{SUFFIX}").close()
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        playing = [(game.name, game.busy) for game in saved_games(tmp_path)]
        process.send_signal(signal.SIGKILL)
    before = state(tmp_path)
    left = [(game.name, game.busy, game.seat) for game in saved_games(tmp_path)]
    after = state(tmp_path)
    journal = Journal.open(path)
    records = journal.records()
    journal.close()

    assert playing == [("game", True), ("later", False)]
    assert left == [("game", False, 1), ("later", False, 1)]
    assert f"game{SUFFIX}-wal" in before
    assert after == before
    assert records == [Record(0, 0, bytes(9000))]


def test_settings_are_seen_at_once(tmp_path: Path) -> None:
    """A glimpse shows the settings as they were last changed, also when the process died right afterwards."""
    program = (
        "import os, sys; from pathlib import Path; from node.journal import Journal;"
        "j = Journal.open(Path(sys.argv[1])); j.update_settings(broker='mqtt://192.0.2.2'); os.kill(os.getpid(), 9)"
    )
    path = tmp_path / f"game{SUFFIX}"
    new_journal(path).close()
    subprocess.run([sys.executable, "-c", program, str(path)], check=False)
    seen = glimpse(path)

    assert seen.settings["broker"] == "mqtt://192.0.2.2"
    assert (seen.info.seat, seen.info.role) == (1, "joiner")


@pytest.mark.parametrize(
    ("content", "code"),
    [(None, "journal/missing"), (b"", "journal/damaged"), (b"not a database" * 100, "journal/damaged")],
)
def test_unusable_files(tmp_path: Path, content: bytes | None, code: str) -> None:
    """A missing file, an empty one and one of another kind are refused by code, and lists leave them out."""
    path = tmp_path / f"x{SUFFIX}"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(JournalError) as caught:
        glimpse(path)

    assert caught.value.code == code
    assert saved_games(tmp_path) == []
