"""Selfplay and bot processes: real processes over the real embedded broker."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import signal
from typing import TYPE_CHECKING

import pytest

from node.addresses import BrokerAddress
from node.app import LOOPBACK
from node.bots import Orders, read_orders
from node.crew import BotProcess, Crew, CrewError
from node.hosting import HostConfig, host_table
from node.messages import table_name
from node.selfplay import WORK, SelfplayConfig, selfplay
from protocol.rules.ruleset import preset
from protocol.session.verify import verify_game
from protocol.session.view import Stage
from tests.node.nodes import PATIENCE, play_out, until

if TYPE_CHECKING:
    from pathlib import Path


def config(out: Path, players: int = 2, seed: str | None = "wortel") -> SelfplayConfig:
    """One round of klassiek."""
    rules = preset("klassiek")
    return SelfplayConfig(players=players, rules=rules, rules_name="klassiek", max_rounds=1, out=out, seed=seed)


async def test_a_seed_decides_everything(tmp_path: Path) -> None:
    """Two runs from one seed end with the same head and the same files; another seed gives another game."""
    first = await selfplay(config(tmp_path / "a"))
    second = await selfplay(config(tmp_path / "b"))
    other = await selfplay(config(tmp_path / "c", seed="peen"))
    files = [(tmp_path / d / f).read_bytes() for d in "ab" for f in first.files]

    assert (first.ok, second.ok, other.ok) == (True, True, True)
    assert first.heads == second.heads
    assert len(set(files)) == 1
    assert set(other.heads).isdisjoint(first.heads)


async def test_every_node_leaves_a_game_that_verifies(tmp_path: Path) -> None:
    """A run without a seed ends with one head on all nodes, and each node's file verifies to that head."""
    result = await selfplay(config(tmp_path, players=3, seed=None))
    verdicts = [verify_game((tmp_path / f).read_bytes(), os.urandom(32)) for f in result.files]

    assert result.ok
    assert len(result.files) == len(result.scores) == 3
    assert {v.head.hex() for v in verdicts} == set(result.heads)
    assert all(v.ok and v.complete and not v.genesis.seeded for v in verdicts)
    assert {tuple(v.totals) for v in verdicts} == {result.scores}
    assert not (tmp_path / WORK).exists()


async def test_a_broker_that_is_not_there(tmp_path: Path) -> None:
    """Without a broker the run fails with a code instead of hanging."""
    nowhere = dataclasses.replace(config(tmp_path), broker=BrokerAddress("127.0.0.1", 9))
    with pytest.raises(CrewError) as caught:
        await selfplay(nowhere)

    assert caught.value.code == "lobby/unreachable"


async def test_a_bot_ends_with_its_owner() -> None:
    """A bot process ends when its standard input closes, before and after it has orders."""
    bot = BotProcess()
    await bot.until("ready", PATIENCE)
    await bot.close()

    assert await bot.report() is None


@pytest.mark.parametrize("line", ["not json", "{}", '{"role": "king", "files": [], "delay": [0, 0]}'])
async def test_orders_that_make_no_sense_are_reported(line: str) -> None:
    """A bot that cannot read its orders says so and ends; its owner gets an error, not silence."""
    bot = BotProcess()
    await bot.until("ready", PATIENCE)
    bot.say(line)
    with pytest.raises(CrewError):
        await bot.until("playing", PATIENCE)
    await bot.close()


def test_orders_survive_their_line() -> None:
    """Orders come back from the line that they are sent as."""
    orders = Orders(role="join", name="Bep", files=("a", "b"), delay=(0.5, 1.5), seed="s", table="t", seats=3)

    assert read_orders(orders.line()) == orders


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[BotProcess]:
    """The bot processes that crews start, for the test to kill."""
    processes: list[BotProcess] = []

    class Watched(BotProcess):
        """A bot process that is remembered."""

        def __init__(self, log_file: Path | None = None) -> None:
            super().__init__(log_file)
            processes.append(self)

    monkeypatch.setattr("node.crew.BotProcess", Watched)
    return processes


@pytest.mark.skipif(os.name == "nt", reason="kills by signal")
async def test_a_bot_that_dies_in_a_game_is_brought_back(tmp_path: Path, started: list[BotProcess]) -> None:
    """A crew starts a bot again from its journal when it dies in the middle of a game, and the game ends."""
    journals = tmp_path / "bots"
    journals.mkdir()
    hosting = HostConfig(
        name="Truus",
        rules=preset("klassiek"),
        rules_name="klassiek",
        seats=2,
        max_rounds=1,
        journals=tmp_path,
        bind=LOOPBACK,
        port=0,
        discoverable=False,
        auto_continue=True,
    )
    async with host_table(hosting) as table, Crew(tmp_path / "bots.log") as crew:
        name, place = crew.next_name(), table.place.address.url()
        crew.add(Orders(role="join", name=name, broker=place, table=table_name(table.table), journals=str(journals)))
        await until(lambda: table.room().full)
        _, driver = await table.start()
        await until(lambda: driver.view().my_turn or driver.view().round is not None)
        os.kill(started[0].pid, signal.SIGKILL)
        await play_out(driver)
        await driver.linger()

        assert len(started) == 2
        assert driver.view().stage is Stage.FINISHED


@pytest.mark.skipif(os.name == "nt", reason="kills by signal")
async def test_a_bot_that_dies_in_the_lobby_is_not_brought_back(started: list[BotProcess]) -> None:
    """A crew does not bring back a bot that never got into a game: its seat falls free."""
    async with Crew() as crew:
        crew.add(Orders(role="join", broker="127.0.0.1:9"))
        tasks = list(crew._tasks)
        await until(lambda: bool(started))
        os.kill(started[0].pid, signal.SIGKILL)
        await asyncio.wait_for(asyncio.gather(*tasks), PATIENCE)

    assert len(started) == 1


async def test_a_bot_whose_disk_is_full_ends_the_game_of_its_owner(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that cannot write its journal is not brought back in vain: whoever plays with it gets the disk's error."""
    reports = iter([{"report": "playing", "journal": "bot.journal"}, {"report": "failed", "code": "journal/write"}])
    lives: list[object] = []

    class Full:
        """A bot process that gets into the game and then fails."""

        def __init__(self, _: Path | None) -> None:
            lives.append(self)

        async def until(self, *_: object) -> None: ...

        def say(self, _: str) -> None: ...

        async def report(self) -> object:
            return next(reports, None)

        async def close(self) -> None: ...

    monkeypatch.setattr("node.crew.BotProcess", Full)

    async def play_with_it() -> None:
        async with asyncio.timeout(PATIENCE), Crew() as crew:
            crew.add(Orders(role="join"))
            await asyncio.Event().wait()

    with pytest.raises(CrewError) as caught:
        await play_with_it()

    assert caught.value.code == "journal/write"
    assert len(lives) == 1
