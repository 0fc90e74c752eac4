"""A table in plain lines: reads what is typed, prints what happens. The thin shell around `told` and `understood`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from client_cli.controller import Controller
from node.handle import TableHandle

from .commands import understood
from .lines import Lines
from .told import opening, told


async def run_linear(handle: TableHandle, lines: Lines, show: Callable[[str], None], *, lang: str) -> int:
    """Play at this table until the person leaves or there are no more lines; returns the exit code.

    `show` prints one line. Raises what the handle raises, and what `show` raises.
    """
    table = _Table(handle, show, lang)
    following = asyncio.create_task(table.controller.run(), name="follow the table")
    reading = asyncio.create_task(table.read(lines), name="typed lines")
    leaving = asyncio.create_task(table.left.wait(), name="leave")
    tasks = {following, reading, leaving}
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if table.failed is not None:
            raise table.failed
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
    return 0


class _Table:
    """What is shown so far: the state of which everything has been told."""

    def __init__(self, handle: TableHandle, show: Callable[[str], None], lang: str) -> None:
        self.left = asyncio.Event()
        self.failed: OSError | None = None
        self._show = show
        self._lang = lang
        self._typing = False
        self.controller = Controller(handle, changed=self._changed, ring=lambda: None, leave=self.left.set)
        self._told = self.controller.state
        self._say(opening(self._told, lang))

    async def read(self, lines: Lines) -> None:
        """Obey typed lines; returns when there are no more."""
        while (line := await lines.next()) is not None:
            self._hear(line)

    def _hear(self, line: str) -> None:
        reply = understood(self.controller.state, line, self._lang)
        self._say(reply.lines)
        self._typing = True
        for intent in reply.intents:
            self.controller.dispatch(intent)
        self._typing = False
        if reply.intents:
            self._tell(typed=True)

    def _changed(self) -> None:
        if not self._typing:  # the keys that one line stands for are one change
            self._tell()

    def _tell(self, *, typed: bool = False) -> None:
        before, self._told = self._told, self.controller.state
        if not self.left.is_set():
            self._say(told(before, self._told, self._lang, typed=typed))

    def _say(self, lines: Iterable[str]) -> None:
        try:
            for line in lines:
                self._show("".join(char if char.isprintable() else " " for char in line))
        except OSError as error:  # nobody reads us any more: that ends the table, whoever was speaking
            self.failed = error
            self.left.set()
