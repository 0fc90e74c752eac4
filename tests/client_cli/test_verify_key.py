"""Verifying the game so far by one key on the fairness page: from its bytes alone, with a sentence of what came out."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import TYPE_CHECKING

import pytest

from client_cli.intents import Key, Open, Page, Verified
from client_cli.model import Note
from client_cli.state import Verify
from node.policy import choose
from protocol.session.gamefile import write_game
from tests.client_cli.emulator import playing
from tests.client_cli.fake_table import FakeTable
from tests.client_cli.scenes import run, screen, text, view
from tests.coupled import Coupled

if TYPE_CHECKING:
    from pathlib import Path


@cache
def a_game() -> bytes:
    """The file of a game of two, played to its end."""
    table = Coupled(2, choose=choose, seed=3)
    table.start()
    table.run()
    return write_game(table.genesis, table.sessions[0].log_frames())


def test_only_the_fairness_page_verifies() -> None:
    """The key does nothing at the table, and says what is under way on its page."""
    assert run(screen(view()), Key.VERIFY)[1] == ()
    state, effects = run(screen(view(), Open(Page.FAIRNESS)), Key.VERIFY)

    assert effects == (Verify(),)
    assert state.note == Note("note.verifying")


@pytest.mark.parametrize(
    ("news", "words"),
    [
        (Verified("a.duizenden", proofs=812, steps=40), ("Alles klopt: 812 bewijzen", "stap 40", "a.duizenden")),
        (Verified("a.duizenden", steps=7, code="dleq/dleq", seat=2), ("Cor deed iets", "stap 7", "dleq/dleq")),
        (Verified("", code="No space left on device"), ("Nakijken lukt niet", "No space left")),
    ],
)
def test_what_came_out_is_said(news: Verified, words: tuple[str, ...]) -> None:
    """All is well with how much was checked, who did what, or why it could not be done: a sentence each."""
    shown = " ".join(text(run(screen(view(), Open(Page.FAIRNESS)), news)[0]).split())

    assert all(word in shown for word in words)


@pytest.mark.parametrize(("spoiled", "words"), [(False, "Alles klopt"), (True, "deed iets wat niet mag")])
async def test_the_key_verifies_the_file(tmp_path: Path, *, spoiled: bool, words: str) -> None:
    """The game that the node keeps is verified as by a stranger; one changed byte in it is found."""
    game = bytearray(a_game())
    if spoiled:
        game[len(game) // 2] ^= 1
    table = FakeTable()
    table.file = tmp_path / "a.duizenden"
    table.file.write_bytes(game)
    await table.deal()
    async with asyncio.timeout(60), playing(table) as played:
        played.press("e", "y")
        await played.terminal.shows(words)
