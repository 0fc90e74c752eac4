"""The bounded queue between whatever reads the network and whoever plays: it never blocks the reader.

What does not fit is dropped and leaves one `Lost` at that place, so that the consumer knows to ask its peers.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator

from .transport import Incoming, Lost, Signal

MAX_MESSAGES = 2_000
"""Messages that may wait: some 8 minutes of a busy table, and one wildcard burst of retained announcements."""

MAX_BYTES = 33_554_432
"""Payload bytes that may wait (32 MiB), since a message may be 256 KiB."""


class SignalQueue:
    """Signals in order, for one consumer, who may stop waiting for one and come back.

    `put` never blocks; messages over the bounds are dropped and leave `Lost("overflow")`.
    """

    def __init__(self, *, max_messages: int = MAX_MESSAGES, max_bytes: int = MAX_BYTES) -> None:
        self._signals: deque[Signal] = deque()
        self._max_messages = max_messages
        self._max_bytes = max_bytes
        self._messages = 0
        self._bytes = 0
        self._ready = asyncio.Event()
        self._closed = False
        self._error: BaseException | None = None

    def __len__(self) -> int:
        return len(self._signals)

    def put(self, signal: Signal) -> None:
        """Append a signal; after `close` it is ignored. Equal `Lost` signals in a row become one."""
        if self._closed:
            return
        if isinstance(signal, Incoming):
            if self._messages >= self._max_messages or self._bytes + len(signal.payload) > self._max_bytes:
                self.put(Lost("overflow"))
                return
            self._messages += 1
            self._bytes += len(signal.payload)
        elif isinstance(signal, Lost) and self._signals and self._signals[-1] == signal:
            return
        self._signals.append(signal)
        self._ready.set()

    def close(self, error: BaseException | None = None) -> None:
        """End the iteration after what is queued; with `error`, by raising it."""
        self._closed = True
        self._error = self._error or error
        self._ready.set()

    def __aiter__(self) -> AsyncIterator[Signal]:
        return self

    async def __anext__(self) -> Signal:
        # Not a generator: that would end for good when somebody stops waiting for its next value.
        while not self._signals:
            if self._closed:
                raise self._error or StopAsyncIteration
            self._ready.clear()
            await self._ready.wait()
        signal = self._signals.popleft()
        if isinstance(signal, Incoming):
            self._messages -= 1
            self._bytes -= len(signal.payload)
        return signal
