"""What a person sees when the disk fails during a game."""

from __future__ import annotations

import pytest

from client_cli.commands.words import explain
from node.journal import JournalError
from tests.client_cli.emulator import playing
from tests.client_cli.fake_table import FakeTable


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
    said = explain(JournalError("journal/write"), lang, "x.log")

    assert said.startswith(disk)
    assert said.endswith("duizenden resume")
