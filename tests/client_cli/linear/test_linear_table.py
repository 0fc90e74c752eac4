"""Whole games in plain lines at a table without network, by a player that only reads the lines."""

from __future__ import annotations

import asyncio
import queue

import pytest

from client_cli.linear.lines import LONGEST, Lines
from client_cli.linear.table import run_linear
from node import policy
from tests.client_cli.fake_table import FakeTable
from tests.client_cli.linear.scripted import Scripted


async def played(table: FakeTable, lang: str) -> tuple[int, list[str], Scripted]:
    """The exit code, all lines, and the player, after a game at this table."""
    typed: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    player, shown = Scripted(lang), []

    def show(line: str) -> None:
        shown.append(line)
        answer = player.answer(line)
        if answer is not None:
            typed.put(f"{answer}\n".encode())

    dealing = asyncio.create_task(table.deal())
    code = await run_linear(table, Lines(typed.get, "utf-8"), show, lang=lang)
    dealing.cancel()
    typed.put(b"")
    return code, shown, player


@pytest.mark.parametrize("lang", ["nl", "en"])
@pytest.mark.parametrize("rules", ["klassiek", "spelregelwijzer", "online"])
async def test_a_game_by_its_lines(lang: str, rules: str) -> None:
    """A game of three rounds can be played from beginning to end by reading the lines and nothing else."""
    table = FakeTable(rules_name=rules, n=3, seed=5, max_rounds=3, choose=policy.choose)
    code, shown, player = await played(table, lang)

    assert code == 0
    assert player.closed
    assert len(table.results) == 3
    assert all(line.strip() and line.isprintable() for line in shown)


async def test_the_end_of_the_input_leaves() -> None:
    """When no more lines come the table is left, as if the person had closed the screen."""
    table = FakeTable(seed=2)
    shown: list[str] = []
    blocks = iter([b"hand\n", b"help", b""])
    code = await run_linear(table, Lines(lambda: next(blocks), "utf-8"), shown.append, lang="en")

    assert code == 0
    assert table.submitted == []
    assert any(line.startswith("help or ?") for line in shown)


async def test_a_reader_that_is_gone_ends_the_table() -> None:
    """When nobody reads the lines any more the table ends with that error."""

    def broken(_: str) -> None:
        raise BrokenPipeError

    never: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    with pytest.raises(BrokenPipeError):
        await run_linear(FakeTable(seed=2), Lines(never.get, "utf-8"), broken, lang="en")
    never.put(b"")


async def test_lines_out_of_any_bytes() -> None:
    """Lines are cut out of blocks however they come; what cannot be decoded or is too long does no harm."""
    blocks = iter([b"a\r", b"\nb", b"c\n\xff\xfe\n", b"x" * 5000, b"y\nlast", b""])
    lines = Lines(lambda: next(blocks), "utf-8")
    heard = []
    while (line := await lines.next()) is not None:
        heard.append(line)

    assert heard == ["a", "bc", "\ufffd\ufffd", "x" * LONGEST, "last"]
    assert await lines.next() is None


async def test_a_read_that_fails_is_the_end() -> None:
    """A terminal that is gone is the end of the lines."""

    def gone() -> bytes:
        raise OSError

    assert await Lines(gone, "utf-8").next() is None


async def test_waiting_can_be_given_up_without_losing_a_line() -> None:
    """Who stops waiting for a line leaves it to the next who asks."""
    source: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    lines = Lines(source.get, "utf-8")
    waiting = asyncio.create_task(lines.next())
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait({waiting})
    source.put(b"one\n")

    assert await lines.next() == "one"
    source.put(b"")
