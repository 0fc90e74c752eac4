"""Real processes over the real broker, killed without warning in the middle of a game: the game goes on."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

import pytest

from node.app import LOOPBACK
from node.bots import Orders
from node.crew import BotProcess
from node.hosting import HostConfig, host_table
from node.messages import table_name
from protocol.rules.ruleset import canonical, preset
from protocol.session.verify import verify_game
from tests.node.nodes import play_out, until
from tests.proxy import FaultProxy

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SECONDS = 90.0
THINK = (0.05, 0.05)
"""Slow enough to be killed in the middle of a round."""


async def seated(bot: BotProcess, orders: Orders, kind: str) -> Mapping[str, Any]:
    """Give a fresh bot process its orders and wait for this report."""
    await bot.until("ready", SECONDS)
    bot.say(orders.line())
    return await bot.until(kind, SECONDS)


def orders_for(seat: int, folder: Path, **more: Any) -> Orders:
    """Orders of a bot with its own folder."""
    journals = folder / f"seat{seat}"
    journals.mkdir()
    file = str(folder / f"seat{seat}.duizenden")
    return Orders(name=f"P{seat}", journals=str(journals), files=(file,), delay=THINK, **more)


async def kill(bot: BotProcess) -> None:
    """Kill the process at once, as a power cut would."""
    os.kill(bot.pid, signal.SIGKILL)
    while await bot.report() is not None:
        pass


@pytest.mark.skipif(os.name == "nt", reason="kills by signal")
@pytest.mark.parametrize("victim", [0, 1])
async def test_a_killed_node_goes_on_with_the_same_game(tmp_path: Path, victim: int) -> None:
    """A node killed in the middle of a round (the host with its broker too) comes back, and all end with one head."""
    rules = canonical(preset("klassiek")).decode()
    async with AsyncExitStack() as stack:
        bots = [BotProcess(tmp_path / f"log{i}") for i in range(3)]
        for bot in bots:
            stack.push_async_callback(bot.close)
        host = orders_for(0, tmp_path, role="host", rules=rules, rules_name="klassiek", seats=3, max_rounds=1)
        hosting = await seated(bots[0], host, "hosting")
        for i in (1, 2):
            joining = orders_for(i, tmp_path, role="join", broker=hosting["broker"], table=hosting["table"])
            await seated(bots[i], joining, "seated")
        bots[0].say("start")
        journals = [str((await bot.until("playing", SECONDS))["journal"]) for bot in bots]
        await bots[2].until("turn", SECONDS)

        await kill(bots[victim])
        bots[victim] = again = BotProcess(tmp_path / f"log{victim}")
        stack.push_async_callback(again.close)
        await seated(again, Orders(role="resume", journal=journals[victim], delay=(0.0, 0.0)), "playing")
        ends = [await bot.until("over", SECONDS) for bot in bots]

    assert len({end["head"] for end in ends}) == 1
    assert all(end["finished"] and end["audits"] and end["fault"] is None for end in ends)
    verdict = verify_game((tmp_path / f"seat{victim}.duizenden").read_bytes(), os.urandom(32))
    assert (verdict.ok, verdict.complete, verdict.head.hex()) == (True, True, ends[0]["head"])


@pytest.mark.skipif(os.name == "nt", reason="stops by signal")
async def test_a_frozen_process_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped at its turn until its connection is gone and the others miss it, a node needs nobody's help to go on."""
    monkeypatch.setattr("node.sync.SUSPECT", 1.0)
    rules, journals = preset("klassiek"), tmp_path / "host"
    journals.mkdir()
    config = HostConfig(
        name="Anna",
        rules=rules,
        rules_name="klassiek",
        seats=2,
        max_rounds=1,
        journals=journals,
        bind=LOOPBACK,
        port=0,
        discoverable=False,
        auto_continue=True,
    )
    async with AsyncExitStack() as stack:
        table = await stack.enter_async_context(host_table(config))
        proxy = await stack.enter_async_context(FaultProxy(table.place.address.port))
        bot = BotProcess(tmp_path / "log")
        stack.push_async_callback(bot.close)
        way = f"mqtt://127.0.0.1:{proxy.port}"
        await seated(bot, orders_for(1, tmp_path, role="join", broker=way, table=table_name(table.table)), "seated")
        _, driver = await table.start()
        playing = asyncio.create_task(play_out(driver))
        await bot.until("turn", SECONDS)

        os.kill(bot.pid, signal.SIGSTOP)
        proxy.cut()
        await until(lambda: not driver.connection().peers[1] and driver.view().waiting_for == (1,))
        os.kill(bot.pid, signal.SIGCONT)
        end = await bot.until("over", SECONDS)
        await playing

    assert end["head"] == driver.view().head.hex()
    assert end["finished"]
    assert end["audits"]
    assert (end["fault"], driver.view().departed) == (None, ())
