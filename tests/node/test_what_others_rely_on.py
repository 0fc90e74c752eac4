"""What nodes subscribe to, how often they must be heard, and how they end (spec/50-transport.md T30, M26, M28)."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import pytest

from node.lobby import JOIN_EVERY, SILENCE
from node.sync import HEARTBEAT, SUSPECT
from node.topics import LOBBY_FILTER, channel_filter, lobby_topic, node_topic
from protocol.session.view import Stage
from tests.node.nodes import World, play_out

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """An empty network."""
    async with AsyncExitStack() as stack:
        yield World(tmp_path, stack)


@pytest.mark.must("T30")
async def test_a_node_subscribes_to_what_the_specification_lists(world: World) -> None:
    """Host and joiners, while they wait and once the game has begun, have these filters and no others."""
    hosted = await world.host()
    joined = [await world.join("Joep"), await world.join("Anna", table=None)]
    table, lobby = hosted.table, lobby_topic(hosted.table)
    keys = [hosted.key.public, *(j.key.public for j in joined)]
    inboxes = [node_topic(table, "d", key) for key in keys]
    knocks, starts = channel_filter(table, "j"), channel_filter(table, "g")

    def filters() -> list[set[str]]:
        return [set(world.links[name]._wanted) for name in ("host", "Joep", "Anna")]

    assert filters() == [{knocks, lobby}, {lobby, starts, inboxes[1]}, {LOBBY_FILTER, starts, inboxes[2]}]

    _, first = await hosted.start()
    for joiner in joined:
        await world.stack.enter_async_context(joiner.play())
    common = {channel_filter(table, channel) for channel in "mqpc"}

    assert first.view().table == table
    assert filters()[0] == {*common, inboxes[0], knocks, lobby}
    assert filters()[1:] == [{*common, inboxes[1], lobby}, {*common, inboxes[2], LOBBY_FILTER}]


@pytest.mark.must("M26")
def test_a_lost_word_is_no_silence() -> None:
    """Heartbeats and joins come so often that one of them may be lost before anybody is called silent."""
    assert 2 * HEARTBEAT < SUSPECT == 15
    assert 2 * JOIN_EVERY < SILENCE == 20


@pytest.mark.must("M28")
async def test_a_node_stays_until_all_have_the_whole_log(world: World) -> None:
    """After the end nodes stay, say where they are, and go as soon as every peer has shown the end of the log."""
    drivers = await world.table("Joep", "Anna")
    await play_out(*drivers)
    async with asyncio.timeout(60):
        await asyncio.gather(*(driver.linger(60) for driver in drivers))
    places = {driver._place for driver in drivers}

    assert [driver.view().stage for driver in drivers] == [Stage.FINISHED] * 3
    assert len(places) == 1
    assert {(p.have, p.step) for p in places} == {(0, len(drivers[0]._worker._running._table.log))}
    assert all(driver._sync.all_at(driver._place, driver._now()) for driver in drivers)
