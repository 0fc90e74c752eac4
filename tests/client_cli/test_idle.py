"""A client that is left alone draws nothing: heartbeats come and go, and news that changes nothing costs no drawing."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

import pytest

from client_cli.controller import Controller
from client_cli.views.screen import Drawing, draw
from node.handle import Said
from node.sync import Sync
from tests.client_cli.emulator import playing
from tests.client_cli.fake_table import FakeTable
from tests.node.nodes import World, until
from tests.node.test_driver import mover

if TYPE_CHECKING:
    from pathlib import Path

HEARD = 60
"""Heartbeats of two peers that come in meanwhile: two and a half minutes at the real pace."""


async def test_a_client_that_waits_for_its_person_does_not_draw(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a real node, at our turn, none of many heartbeats makes a drawing; a word of somebody does."""
    monkeypatch.setattr("node.driver.HEARTBEAT", 0.01)
    drawn = heard = 0
    hear = Sync.heard

    def counted(*args: Any) -> Drawing:
        nonlocal drawn
        drawn += 1
        return draw(*args)

    def noticed(*args: Any) -> bool:
        nonlocal heard
        heard += 1
        return hear(*args)

    monkeypatch.setattr("client_cli.app.draw", counted)
    async with AsyncExitStack() as stack:
        drivers = await World(tmp_path, stack).table("Joep", "Anna")
        await until(lambda: mover(drivers) is not None)
        ours = mover(drivers)
        assert ours is not None
        other = next(driver for driver in drivers if driver is not ours)
        played = await stack.enter_async_context(playing(ours))
        await played.terminal.shows("Jij bent aan de beurt")
        await until(lambda: not ours._changed.is_set())
        played.press("?")
        await played.terminal.shows("Toetsen")
        played.press("escape")
        await played.terminal.shows("Jij bent aan de beurt")
        before = drawn
        monkeypatch.setattr(Sync, "heard", noticed)
        await until(lambda: heard > HEARD)
        idle = drawn - before
        other.talk.say("hallo daar")
        await played.terminal.shows("hallo daar")

    assert idle == 0
    assert drawn > before


async def test_news_that_changes_nothing_is_no_change_of_the_screen() -> None:
    """Updates without anything new in them, as when a node hears something again, are no change; a word is one."""
    table = FakeTable(seed=4)
    await table.deal()
    changes = 0

    def changed() -> None:
        nonlocal changes
        changes += 1

    controller = Controller(table, changed=changed, ring=lambda: None, leave=lambda: None)
    running = asyncio.create_task(controller.run())
    await until(table._news.empty)
    told = changes
    for _ in range(20):
        table.talk.hears()
    await until(table._news.empty)
    repeated = changes - told
    table.talk.hears(Said(1, 3))
    await until(table._news.empty)
    running.cancel()
    await asyncio.wait({running})

    assert (repeated, changes - told) == (0, 1)
