"""What a person sees when the disk fails during a game."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from client_cli.__main__ import main
from client_cli.commands.words import LANGUAGES, explain
from node.gamefile import write
from node.journal import JournalError
from tests.client_cli.cli_home import own_home
from tests.client_cli.emulator import playing
from tests.client_cli.fake_table import FakeTable
from tests.coupled import genesis_for


async def test_a_failing_disk_is_no_refusal() -> None:
    """The disk's error while a move is made ends the screen; it does not pass for a move that the rules refuse."""

    class FullDisk(FakeTable):
        async def submit(self, action: object) -> None:
            raise JournalError("journal/write", "disk full")

    table = FullDisk(seed=4)
    async with playing(table) as played:
        await table.deal()
        await played.terminal.shows("Jij bent aan de beurt")
        played.press("s", "enter")
        with pytest.raises(ExceptionGroup) as caught:
            await played.running

    assert caught.group_contains(JournalError, match="journal/write")


@pytest.mark.parametrize(("lang", "disk"), [("nl", "De schijf weigert"), ("en", "The disk refuses")])
def test_a_failing_disk_in_words(lang: str, disk: str) -> None:
    """The sentence says that it was the disk, and how to go on with the game."""
    said = explain(JournalError("journal/write"), lang, "x.log", played=True)

    assert said.startswith(disk)
    assert said.endswith("duizenden resume")


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "no space"), JournalError("journal/write")])
def test_a_command_that_plays_nothing_has_no_game_to_go_on_with(error: Exception) -> None:
    """Without a game of this person's the sentence is about the disk alone."""
    for lang in LANGUAGES:
        assert "duizenden resume" not in explain(error, lang, "x.log")
        assert "duizenden resume" in explain(error, lang, "x.log", played=True)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full device")
@pytest.mark.parametrize("argv", [["rules"], ["rules", "--json"], ["games"]])
def test_a_full_disk_behind_standard_output(argv: list[str], tmp_path: Path) -> None:
    """What cannot be printed is told as a full disk, with code 1."""
    home = {**os.environ, "DUIZENDEN_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "client_cli", "--lang", "en", *argv]
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(command, check=False, stdout=full, stderr=subprocess.PIPE, text=True, env=home)

    assert done.returncode == 1
    assert done.stderr == "The disk is full.\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full device")
def test_no_half_report_is_left_on_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A report that does not fit is told as a full disk, and nothing of it stays."""
    game, page = tmp_path / "game.duizenden", tmp_path / "page.html"
    write(game, genesis_for(2), [])
    page.symlink_to("/dev/full")
    with own_home(tmp_path, monkeypatch):
        code = main(["verify", "--lang", "en", str(game), "--html", str(page)])

    assert code == 2
    assert capsys.readouterr().err == "The disk is full.\n"
    assert not page.is_symlink()
