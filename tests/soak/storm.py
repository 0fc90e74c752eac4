"""Faults for a table of real processes: kills, stops, and lines that are cut, held, slow or closed.

Processes are found and measured by what Linux says in /proc.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.proxy import FaultProxy

SLOW_LINE = 200_000
"""Bytes a second: a home network at its worst."""


def kill(pid: int | None, what: signal.Signals = signal.SIGKILL) -> bool:
    """Send a signal; False when there is no such process (any more)."""
    if pid is None:
        return False
    try:
        os.kill(pid, what)
    except ProcessLookupError:
        return False
    return True


def broker_of(pid: int) -> int | None:
    """The process id of the broker that this process has started, None when there is none now."""
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                if parent == pid and b"node.broker" in (folder / "cmdline").read_bytes():
                    return int(folder.name)
            except OSError:
                continue  # it has ended
    return None


def resident(pid: int) -> int | None:
    """Resident memory of a process in kilobytes, None when it has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) for line in lines if line.startswith("VmRSS:")), None)


@dataclass
class Memory:
    """Resident memory in kilobytes over the life of each process: its kind, then the first, last and largest seen."""

    lives: dict[int, tuple[str, int, int, int]] = field(default_factory=dict)

    def look(self, kind: str, pid: int | None) -> None:
        """Measure a process now."""
        size = None if pid is None else resident(pid)
        if pid is not None and size:
            _, first, _, most = self.lives.get(pid, (kind, size, size, size))
            self.lives[pid] = (kind, first, size, max(most, size))

    def table(self) -> dict[str, dict[str, int]]:
        """Per kind of process how many there were, and the largest beginning, end, peak and growth, in kilobytes."""
        rows: dict[str, dict[str, int]] = {}
        for kind, first, last, most in self.lives.values():
            row = rows.setdefault(kind, {"processes": 0, "begin": 0, "end": 0, "peak": 0, "growth": 0})
            row["processes"] += 1
            for name, value in (("begin", first), ("end", last), ("peak", most), ("growth", last - first)):
                row[name] = max(row[name], value)
        return rows


@dataclass
class Storm:
    """Spoils one table until `over` is set or `seconds` have passed; when `run` returns everything is whole again.

    `nodes` and `broker` give the process ids of now, `proxies` the lines of the seats that have one.
    """

    chance: Random
    nodes: Callable[[], list[int | None]]
    broker: Callable[[], int | None]
    proxies: list[FaultProxy]
    over: asyncio.Event
    seconds: float
    injected: Counter[str]

    async def run(self) -> None:
        """Inject one fault after the other; those that last run beside each other."""
        kinds = [
            self._kill_node,
            self._kill_host,
            self._kill_broker,
            self._stop_node,
            self._stop_broker,
            self._cut,
            self._cut_short,
            self._partition,
            self._slow_line,
            self._refuse,
        ]
        loop = asyncio.get_running_loop()
        end = loop.time() + self.seconds
        async with asyncio.TaskGroup() as group:
            while loop.time() < end and not self.over.is_set():
                fault = self.chance.choice(kinds)
                group.create_task(fault())
                await self._wait(self.chance.uniform(0.5, 4.0))

    async def _wait(self, seconds: float) -> None:
        """Let a fault last, at most until the storm is over."""
        try:
            async with asyncio.timeout(seconds):
                await self.over.wait()
        except TimeoutError:
            pass

    def _note(self, kind: str, *, done: bool = True) -> None:
        self.injected[kind] += done

    async def _kill_node(self) -> None:
        self._note("kill node", done=kill(self.chance.choice(self.nodes()[1:])))

    async def _kill_host(self) -> None:
        self._note("kill host", done=kill(self.nodes()[0]))

    async def _kill_broker(self) -> None:
        self._note("kill broker", done=kill(self.broker()))

    async def _stop(self, kind: str, pid: int | None, most: float) -> None:
        if kill(pid, signal.SIGSTOP):
            self._note(kind)
            await self._wait(self.chance.uniform(0.5, most))
            kill(pid, signal.SIGCONT)

    async def _stop_node(self) -> None:
        await self._stop("stop node", self.chance.choice(self.nodes()), 8.0)

    async def _stop_broker(self) -> None:
        await self._stop("stop broker", self.broker(), 12.0)

    async def _cut(self) -> None:
        proxy = self.chance.choice(self.proxies)
        self._note("cut", done=proxy.connections > 0)
        proxy.cut(rst=self.chance.random() < 0.5)

    async def _cut_short(self) -> None:
        proxy = self.chance.choice(self.proxies)
        proxy.cut_after = self.chance.randrange(2_000, 60_000)
        before = proxy.cuts
        await self._wait(self.chance.uniform(2.0, 8.0))
        proxy.cut_after = None
        self.injected["cut after some bytes"] += proxy.cuts - before

    async def _partition(self) -> None:
        proxy = self.chance.choice(self.proxies)
        self._note("partition")
        proxy.hold()
        await self._wait(self.chance.uniform(1.0, 12.0))
        proxy.heal()

    async def _slow_line(self) -> None:
        proxy = self.chance.choice(self.proxies)
        self._note("slow line")
        proxy.rate, proxy.delay, proxy.jitter = SLOW_LINE, 0.05, 0.05
        await self._wait(self.chance.uniform(3.0, 12.0))
        proxy.rate, proxy.delay, proxy.jitter = None, 0.0, 0.0

    async def _refuse(self) -> None:
        proxy = self.chance.choice(self.proxies)
        self._note("refused connections")
        proxy.refuse = True
        proxy.cut()
        await self._wait(self.chance.uniform(1.0, 4.0))
        proxy.refuse = False
