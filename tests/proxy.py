"""A TCP proxy that spoils connections on purpose: delay, rate, partition, cuts, refusal. No root, any platform.

Faults of single messages (loss, order) belong to `node.memory`; TCP hides them here anyway.
"""

from __future__ import annotations

import asyncio
import random
import socket
import struct
from collections import deque
from contextlib import suppress
from types import TracebackType
from typing import Self


class FaultProxy:
    """Forwards connections to a port of this machine, worse than it gets them. All settings may change at any time.

    `delay` and `jitter` are seconds per direction; `rate` bytes per second per direction; `cut_after` resets each
    connection after so many bytes from the client; `refuse` resets new ones. `accepted` counts connections.
    """

    def __init__(self, target: int, *, seed: int = 0) -> None:
        self._target = target
        self._chance = random.Random(seed)
        self._server: asyncio.Server | None = None
        self._open = asyncio.Event()
        self._open.set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()
        self.delay = 0.0
        self.jitter = 0.0
        self.rate: float | None = None
        self.cut_after: int | None = None
        self.refuse = False
        self.accepted = 0
        self.cuts = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        self.cut()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    @property
    def port(self) -> int:
        """Where the proxy listens, on 127.0.0.1."""
        assert self._server is not None
        return int(self._server.sockets[0].getsockname()[1])

    @property
    def connections(self) -> int:
        """Connections open now."""
        return len(self._writers) // 2

    def hold(self) -> None:
        """Partition: connections stay, no byte passes, until `heal`."""
        self._open.clear()

    def heal(self) -> None:
        """End `hold`; what was sent meanwhile passes."""
        self._open.set()

    def cut(self, *, rst: bool = True) -> None:
        """Break every connection now, by RST or politely."""
        for writer in list(self._writers):
            self._end(writer, rst=rst)

    def _end(self, writer: asyncio.StreamWriter, *, rst: bool) -> None:
        if rst:
            sock: socket.socket = writer.get_extra_info("socket")
            with suppress(OSError):
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
        else:
            writer.close()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # A task of our own: asyncio complains about the cancelling of those that it makes for a server.
        task = asyncio.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.accepted += 1
        if self.refuse:
            self._end(writer, rst=True)
            return
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            self._end(writer, rst=True)
            return
        self._writers |= {writer, far_writer}
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._carry(reader, far_writer, limited=True))
                group.create_task(self._carry(far_reader, writer, limited=False))
        except* (OSError, EOFError):
            pass
        finally:
            for end in (writer, far_writer):
                self._writers.discard(end)
                self._end(end, rst=True)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, limited: bool) -> None:
        loop = asyncio.get_running_loop()
        queue: deque[tuple[float, bytes]] = deque()
        arrived = asyncio.Event()

        async def take() -> None:
            while True:
                data = await reader.read(4_096)
                queue.append((loop.time() + self.delay + self.jitter * self._chance.random(), data))
                arrived.set()
                if not data:
                    return

        async with asyncio.TaskGroup() as group:
            group.create_task(take())
            passed = 0
            while True:
                while not queue:
                    arrived.clear()
                    await arrived.wait()
                due, data = queue.popleft()
                await asyncio.sleep(max(0.0, due - loop.time()))
                await self._open.wait()
                if not data:
                    raise EOFError  # one side has ended: so does the connection
                if limited and self.cut_after is not None and passed + len(data) > self.cut_after:
                    self.cuts += 1
                    raise ConnectionResetError
                passed += len(data)
                writer.write(data)
                await writer.drain()
                if self.rate:
                    await asyncio.sleep(len(data) / self.rate)
