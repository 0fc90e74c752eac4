"""The one reader of a transport: every message goes to the handler of its channel, every change to all listeners.

Nothing that arrives can stop the reader: what a handler refuses is counted, what it did not expect is logged and
counted as ours.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, TypeAlias

from protocol.errors import WireError

from .guard import Drops
from .topics import Topic, parse_topic
from .transport import Down, Forged, Incoming, Lost, Transport, Up

if TYPE_CHECKING:
    from .transport import Signal

log = logging.getLogger("duizenden.node")

Handler: TypeAlias = Callable[[Topic, bytes], None]
Listener: TypeAlias = Callable[[Up | Down | Lost], None]


class Router:
    """Routes one transport's signals. `run` is the only consumer of `transport.signals()`."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport
        self.drops = Drops()
        self.state = "connecting"
        """`up`, `connecting` (never was up) or `down`."""
        self._handlers: dict[tuple[bytes | None, str], Handler] = {}
        self._listeners: list[Listener] = []
        self._up = asyncio.Event()
        self._down = asyncio.Event()
        self._down.set()

    def handle(self, table: bytes | None, channel: str, handler: Handler) -> None:
        """Send this channel of a table (None: of any table) to this handler, instead of the one before."""
        self._handlers[table, channel] = handler

    def ignore(self, table: bytes | None, channel: str) -> None:
        """Drop this channel again."""
        self._handlers.pop((table, channel), None)

    def listen(self, listener: Listener) -> None:
        """Tell this function of every change of the connection. One that comes late is told the present state."""
        self._listeners.append(listener)
        if self.state == "up":
            listener(Up(0))

    def unlisten(self, listener: Listener) -> None:
        """Tell it no more. Nothing happens if it was not listening."""
        if listener in self._listeners:
            self._listeners.remove(listener)

    async def cut_off(self, seconds: float) -> None:
        """Wait until there is no connection and has been none for so long."""
        while True:
            await self._down.wait()
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._up.wait()
            if self.state != "up":
                return

    async def run(self) -> None:
        """Route until the transport ends."""
        async for signal in self.transport.signals():
            self.route(signal)

    def route(self, signal: Signal) -> None:
        """Route one signal. Never raises."""
        try:
            if isinstance(signal, Incoming):
                self._deliver(signal)
            elif isinstance(signal, Forged):
                self.drops.count(signal.code)
            else:
                self._tell(signal)
        except WireError as error:
            self.drops.count(error.code)
        except Exception:
            log.exception("a handler failed; the message is dropped")
            self.drops.count("node/internal")

    def _deliver(self, incoming: Incoming) -> None:
        topic = parse_topic(incoming.topic)
        if topic is None:
            self.drops.count("topic/unknown")
            return
        handler = self._handlers.get((topic.table, topic.channel)) or self._handlers.get((None, topic.channel))
        if handler is None:
            self.drops.count("topic/unasked")
            return
        handler(topic, incoming.payload)

    def _tell(self, signal: Up | Down | Lost) -> None:
        match signal:
            case Up():
                self.state = "up"
                self._up.set()
                self._down.clear()
            case Down():
                self.state = "down"
                self._down.set()
                self._up.clear()
            case Lost(code):
                self.drops.count(code)
        for listener in list(self._listeners):
            listener(signal)
