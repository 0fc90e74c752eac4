"""The owner's side of bot processes: start them, hear their reports, bring them back, end them.

A bot process ends when its standard input closes, so none outlives the program that started it, however that ends.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import subprocess
import sys
import threading
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Self

from protocol.errors import DuizendenError

from .bots import Orders
from .lobby import unique_name
from .tasks import background

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import TracebackType

log = logging.getLogger("duizenden.crew")

STOP_SECONDS = 5.0
RETRIES = 3
"""How often a bot that fails is brought back in one game."""
NAMES = ("Bep", "Cor", "Dirk", "Els", "Fien", "Gijs", "Hanna", "Ime")


class CrewError(DuizendenError):
    """A bot process cannot do its work; `code` is what it reported, `bot/ended` or `bot/silent`."""


class BotProcess:
    """One bot process. Its reports arrive in order; `closed` ends them."""

    def __init__(self, log_file: Path | None = None) -> None:
        root = str(Path(__file__).resolve().parent.parent)  # it must find this package wherever we found it
        path = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
        errors: IO[bytes] | int = subprocess.DEVNULL if log_file is None else log_file.open("ab")
        self._child = subprocess.Popen(
            [sys.executable, "-m", "node.bots"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env={**os.environ, "PYTHONPATH": path},
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            start_new_session=True,  # Ctrl-C in the terminal is for the owner, who then says goodbye in order
        )
        if not isinstance(errors, int):
            errors.close()
        self._loop = asyncio.get_running_loop()
        self._reports: asyncio.Queue[Mapping[str, Any] | None] = asyncio.Queue()
        self.heard = self._loop.time()
        """When it last reported."""
        threading.Thread(target=self._read, name=f"bot {self._child.pid}", daemon=True).start()

    @property
    def pid(self) -> int:
        """The process id."""
        return self._child.pid

    def say(self, line: str) -> None:
        """Send a line. A process that is gone does not hear it; its reports end, which says enough."""
        assert self._child.stdin is not None
        with suppress(OSError, ValueError):
            self._child.stdin.write(line.encode() + b"\n")
            self._child.stdin.flush()

    async def report(self) -> Mapping[str, Any] | None:
        """The next report; None when the process has ended."""
        return await self._reports.get()

    async def until(self, kind: str, seconds: float) -> Mapping[str, Any]:
        """The next report of this kind, others on the way skipped. Raises CrewError."""
        try:
            async with asyncio.timeout(seconds):
                while (report := await self.report()) is not None:
                    if report["report"] == kind:
                        return report
                    if report["report"] == "failed":
                        raise CrewError(str(report["code"]), f"waiting for {kind}")
        except TimeoutError:
            raise CrewError("bot/silent", f"no {kind} in {seconds} s") from None
        raise CrewError("bot/ended", f"before {kind}, exit code {self._child.poll()}")

    async def close(self) -> None:
        """Stop the process, by force after STOP_SECONDS."""
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        with suppress(OSError):
            assert self._child.stdin is not None
            self._child.stdin.close()
        try:
            self._child.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()

    def _read(self) -> None:
        assert self._child.stdout is not None
        with self._child.stdout, suppress(RuntimeError):  # our loop has ended, nobody reads any more
            for line in self._child.stdout:
                with suppress(ValueError):
                    self._loop.call_soon_threadsafe(self._take, json.loads(line))
            self._loop.call_soon_threadsafe(self._reports.put_nowait, None)

    def _take(self, report: Mapping[str, Any]) -> None:
        self.heard = self._loop.time()
        self._reports.put_nowait(report)


class Crew:
    """The bots that one person has added to a table. Use as an async context manager.

    A disk that takes no more of a bot's journal ends the context's body with CrewError `journal/write`: it is the
    person's own disk, and the bot cannot come back before there is room.
    """

    def __init__(self, log_file: Path | None = None) -> None:
        self._log_file = log_file
        self._tasks: set[asyncio.Task[None]] = set()
        self._added = 0
        self._named: set[str] = set()
        self._disk_full = asyncio.Event()
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        await self._stack.enter_async_context(background(self._end_on_full_disk(), "disk of the bots"))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await self._dismiss()
        finally:
            await self._stack.__aexit__(kind, error, trace)

    async def _end_on_full_disk(self) -> None:
        await self._disk_full.wait()
        raise CrewError("journal/write", "of a bot")

    async def _dismiss(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def add(self, orders: Orders) -> None:
        """Start a bot with these orders. If it fails in the middle of a game it goes on from its journal."""
        self._added += 1
        self._named.add(orders.name.casefold())
        task = asyncio.create_task(self._look_after(orders), name=f"bot {orders.name}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def next_name(self, taken: Iterable[str] = ()) -> str:
        """A name for the next bot: none of these, whatever the case, nor while they last that of a bot of ours."""
        seated = {name.casefold() for name in taken}
        free = [name for name in NAMES if name.casefold() not in seated]
        fresh = [name for name in free if name.casefold() not in self._named]
        return next(iter(fresh or free), None) or unique_name(NAMES[self._added % len(NAMES)], seated)

    async def _look_after(self, orders: Orders) -> None:
        for _ in range(1 + RETRIES):
            bot = BotProcess(self._log_file)
            journal, full, away = orders.journal, False, False
            try:
                await bot.until("ready", 60.0)
                bot.say(orders.line())
                while (report := await bot.report()) is not None:
                    journal = str(report.get("journal", journal))
                    if report["report"] == "over":
                        await bot.report()  # its end: it stays for those who still lack something
                        return
                    if report["report"] == "failed":
                        log.error("bot %s failed: %s", orders.name, report.get("code"))
                        full = report.get("code") == "journal/write"
                        away = str(report.get("code")).startswith("lobby/")
            except CrewError:
                log.exception("bot %s", orders.name)
            finally:
                await bot.close()
            if full:
                self._disk_full.set()
                return
            if away or not journal:
                return  # it never got into the game; the seat in the lobby falls free by itself
            orders = replace(orders, role="resume", journal=journal)
        log.error("bot %s is given up", orders.name)
