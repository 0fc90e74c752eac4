"""Real nodes and processes at a table where the others play on: one goes, the rest plays to the end."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AsyncExitStack, suppress
from typing import TYPE_CHECKING

import pytest

from node.bots import play
from node.policy import choose
from protocol.errors import NotNow
from protocol.rules.ruleset import preset, with_overrides
from protocol.session.verify import verify_game
from protocol.session.view import Stage
from tests.client_cli.emulator import playing
from tests.client_cli.linear.scripted import Scripted
from tests.client_cli.linear.test_linear_process import follow, started
from tests.node.nodes import World

if TYPE_CHECKING:
    from pathlib import Path

    from node.driver import TableDriver

PLAY_ON = with_overrides(preset("klassiek"), {"resign": "play_on"})
SECONDS = 120.0


async def play_for(driver: TableDriver) -> None:
    """Make the moves of a seat whose screen somebody else follows."""
    while driver.view().stage is not Stage.FINISHED:
        if driver.view().my_turn:
            with suppress(NotNow):
                await driver.submit(choose(driver.view()))
        await asyncio.sleep(0)


async def all_moves(driver: TableDriver) -> None:
    """Let a bot play this seat to the end of the game."""
    async for _ in play(driver, (0.0, 0.0)):
        pass


async def test_two_screens_see_the_others_play_on(tmp_path: Path) -> None:
    """Who leaves looks on to the end; who stays reads it, goes on by Enter, and wins or loses without the leaver."""
    async with AsyncExitStack() as stack, asyncio.timeout(SECONDS):
        world = World(tmp_path, stack)
        more = {"seats": 3, "rules": PLAY_ON, "auto_continue": False, "max_rounds": 1}
        drivers = await world.table("Bram", "Cor", **more)
        staying = await stack.enter_async_context(playing(drivers[0]))
        leaving = await stack.enter_async_context(playing(drivers[2], lang="en", width=120, height=40))
        bot = asyncio.create_task(all_moves(drivers[1]))
        await staying.terminal.until(lambda text: "aan de beurt" in text)
        leaving.press("q", "g")
        await leaving.terminal.shows("Truus and Bram play on")
        leaving.press("enter")
        moves = asyncio.create_task(play_for(drivers[0]))  # it may be the first to move
        void = await staying.terminal.shows("Ronde 1 is vervallen")
        looks_on = await leaving.terminal.shows("Round 1 is void")
        staying.press("enter")
        next_round = await staying.terminal.shows("ronde 2")
        await moves
        await bot
        final = await staying.terminal.shows("Het spel is afgelopen")
        seen = await leaving.terminal.shows("The game is over")
        for screen in (staying, leaving):
            screen.press("q")
            assert await screen.running == 0

    assert "Cor nam afscheid en ging weg." in void
    assert "Truus en Bram spelen door." in void
    assert "looking on" in looks_on
    assert next_round
    for text in (final, seen):
        assert "Cor (" in text
        assert "Cor heeft gewonnen" not in text
        assert "Cor has won" not in text
    assert len({driver.view().head for driver in drivers}) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="kills by signal")
def test_a_killed_player_is_given_up_and_the_others_play_on_in_plain_lines(tmp_path: Path) -> None:
    """One of four is killed: the lines offer to wait no longer, the bots agree, and the game is played out."""
    words = ("--seats", "4", "--bots", "2", "--rounds", "1", "--rules", "klassiek", "--set", "resign=play_on")
    host = started(tmp_path / "a", "host", "--linear", "--lang", "en", "--name", "Ann", "--port", "0", *words)
    hosting, joining = Scripted("en"), Scripted("nl")
    victims: list[subprocess.Popen[bytes]] = []
    joined: list[Future[tuple[int, list[str], bytes]]] = []
    threads = ThreadPoolExecutor(max_workers=1)
    heard: list[str] = []

    def as_host(line: str) -> str | None:
        heard.append(line)
        if line.startswith("Or by address: ") and not joined:
            where = f"127.0.0.1:{line.rpartition(':')[2]}"
            victims.append(started(tmp_path / "b", "join", where, "--linear", "--lang", "nl", "--name", "Bob"))
            joined.append(threads.submit(follow, victims[0], joining.answer))
        if "The game begins." not in heard:
            seated = sum(said.startswith("In seat ") for said in heard)
            return "1" if line == "What will you do?" and seated == 3 else None
        if line.startswith("Bob ") and victims[0].poll() is None:
            victims[0].kill()  # it has moved or is about to: the round is under way
        if line == "What will you do?" and heard[-2].endswith(". Wait no longer for Bob."):
            return heard[-2].partition(".")[0]
        return hosting.answer(line)

    code, lines, raw = follow(host, as_host)
    with threads:
        other_code = joined[0].result()[0]

    assert (code, other_code) == (0, -signal.SIGKILL), raw
    assert any(line.startswith("Bob cannot be heard.") and "play on." in line for line in lines)
    assert "Round 1 does not count: the hands stay closed and nobody scores." in lines
    assert any(line.startswith("Bob (gone): total 0") for line in lines)
    assert hosting.closed
    file = next(path for path in (tmp_path / "a").rglob("*.duizenden") if "bots" not in path.parts)
    verdict = verify_game(file.read_bytes(), bytes(32))
    departed = [verdict.genesis.players[seat].name for seat in verdict.departed]
    assert (verdict.ok, verdict.complete, departed, len(verdict.results)) == (True, True, ["Bob"], 1)
