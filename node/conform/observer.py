"""Who writes down what is said at a table: a connection of its own that hears every channel and says nothing."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from node.app import Connect, connected
from node.joining import up
from node.messages import node_name
from node.topics import CHANNELS, channel_filter, lobby_topic

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from node.addresses import BrokerAddress
    from node.topics import Topic

    from .voice import Sent

LOOK_AGAIN = 0.05
"""Seconds after which a condition is looked at again when nothing was said: nodes change without a word."""


@dataclass(frozen=True, slots=True)
class Said:
    """One message as it arrived. `sent` counts the entries of ours that had been sent by then."""

    channel: str
    node: str
    payload: bytes
    sent: int


class Observer:
    """Everything that was said at one table, in order of arrival."""

    def __init__(self, sent: Sent) -> None:
        self._sent = sent
        self.said: list[Said] = []
        self._news = asyncio.Event()

    def hear(self, topic: Topic, payload: bytes) -> None:
        """Write down one message, unless a script of ours threw it onto somebody's topic."""
        if payload in self._sent.thrown:
            return
        self.said.append(Said(topic.channel, topic.node, payload, len(self._sent.order)))
        self._news.set()

    def of(self, key: bytes, channels: str) -> list[Said]:
        """What came on the topics of the node with this key, on these channels (a letter each)."""
        name = node_name(key)
        return [said for said in self.said if said.node == name and said.channel in channels]

    async def until(
        self, condition: Callable[[], bool], seconds: float, progress: Callable[[], object] = lambda: None
    ) -> bool:
        """Wait until this holds; False when it does not for so many seconds without `progress` changing."""
        clock = asyncio.get_running_loop().time
        end, seen = clock() + seconds, progress()
        while not condition():
            if progress() != seen:
                end, seen = clock() + seconds, progress()
            if clock() >= end:
                return False
            self._news.clear()
            await self._pause(LOOK_AGAIN)
        return True

    async def _pause(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            pass


@asynccontextmanager
async def observe(table: bytes, sent: Sent, broker: BrokerAddress, connect: Connect) -> AsyncIterator[Observer]:
    """Listen to a table for as long as the context lasts. Raises LobbyError `lobby/unreachable`."""
    observer = Observer(sent)
    async with connected(broker, connect) as router:
        for channel in sorted(CHANNELS):
            router.handle(table, channel, observer.hear)
            router.transport.subscribe(channel_filter(table, channel))
        router.handle(table, "lobby", observer.hear)
        router.transport.subscribe(lobby_topic(table))
        await up(router)
        yield observer
