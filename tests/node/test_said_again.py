"""What a node says again by itself: its place, and what was said beside the step."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import pytest

from node.filters import matches
from node.messages import Heartbeat, peek
from node.topics import CHANNELS, LOBBY_FILTER, channel_filter, lobby_topic, node_topic, parse_topic
from node.transport import Incoming, Lost
from protocol.session.session import Leave
from protocol.session.view import Stage
from protocol.wire.entry import Kind, parse_entry
from tests.node.nodes import BROKER, World, until
from tests.node.test_driver import mover

if TYPE_CHECKING:
    from pathlib import Path

TABLE = bytes(16)


@pytest.mark.must("M9", "M17")
async def test_a_node_that_missed_something_shows_its_place_and_what_was_said_beside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Told that messages were lost, it sends a heartbeat at once, and with it a goodbye, its own or another's."""
    monkeypatch.setattr("node.driver.HEARTBEAT", 100_000.0)
    async with AsyncExitStack() as stack:
        world = World(tmp_path, stack)
        drivers = await world.table("Joep", "Anna")
        await until(lambda: mover(drivers) is not None)
        moving = mover(drivers)
        leaver, other = [d for d in drivers if d is not moving]
        table, keys = leaver.view().table, tuple(p.key for p in leaver.view().players)
        await leaver.submit(Leave())
        await until(lambda: len(other._beside) == 1)
        ear = await stack.enter_async_context(world.link("ear")(BROKER))
        ear.subscribe(channel_filter(table, "p"))
        ear.subscribe(channel_filter(table, "m"))
        beats: set[bytes] = set()
        goodbyes: set[tuple[str, int]] = set()
        leaver._on_signal(Lost("test"))
        other._on_signal(Lost("test"))
        async for signal in ear.signals():
            topic = parse_topic(signal.topic) if isinstance(signal, Incoming) else None
            if topic is None or not isinstance(signal, Incoming):
                continue
            if topic.channel == "p":
                signed = peek(signal.payload)
                beats |= {signed.key} if isinstance(signed.open(), Heartbeat) else set()
            else:
                entry = parse_entry(signal.payload, table, keys)
                goodbyes |= {(topic.node, entry.seat)} if entry.kind is Kind.GOODBYE else set()
            if len(beats) == len(goodbyes) == 2:
                break

    assert beats == {leaver._who.key.public, other._who.key.public}
    assert {seat for _, seat in goodbyes} == {leaver._who.seat}


@pytest.mark.must("M17")
async def test_a_goodbye_is_over_with_the_game(tmp_path: Path) -> None:
    """Once the game has ended with a departure, or the seat is no longer at the table, its goodbye is not repeated."""
    async with AsyncExitStack() as stack:
        world = World(tmp_path, stack)
        drivers = await world.table("Joep", "Anna")
        await until(lambda: mover(drivers) is not None)
        leaver = mover(drivers)
        assert leaver is not None
        await leaver.submit(Leave())
        await until(lambda: all(driver.view().stage is Stage.FINISHED for driver in drivers))

        assert [driver._beside for driver in drivers] == [()] * 3


@pytest.mark.must("T9")
def test_no_two_filters_fit_one_topic() -> None:
    """Some brokers send a copy for each filter that fits: of ours exactly one fits a topic, and none has a `#`."""
    filters = [LOBBY_FILTER, *(channel_filter(TABLE, c) for c in CHANNELS)]
    topics = [lobby_topic(TABLE), *(node_topic(TABLE, c, bytes(32)) for c in CHANNELS)]

    assert [sum(matches(pattern, topic) for pattern in filters) for topic in topics] == [1] * len(topics)
    assert not any("#" in pattern for pattern in filters)
