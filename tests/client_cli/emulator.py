"""A terminal in memory: keys go in as bytes, what the application writes is kept by an emulator as a screen.

Waiting is for what the screen shows, never for time: every write wakes whoever waits.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TextIO, cast

import pyte
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input

from client_cli.app import run_replay, run_table
from client_cli.replay_model import Replay
from client_cli.terminal import SgrOutput
from node.handle import TableHandle

PATIENCE = 10.0
"""Seconds after which a test gives up; nothing ever waits that long when it works."""


class Terminal:
    """The emulated terminal; it is the file that prompt-toolkit writes to."""

    encoding = "utf-8"

    def __init__(self, width: int = 80, height: int = 24) -> None:
        self.screen = pyte.Screen(width, height)
        self.written: list[str] = []
        self._stream = pyte.Stream(self.screen)
        self._changed = asyncio.Event()
        self._text: str | None = None

    def write(self, data: str) -> int:
        """Feed the emulator."""
        self.written.append(data)
        self._stream.feed(data)
        self._text = None
        return len(data)

    def flush(self) -> None:
        """Wake whoever waits for the screen."""
        self._changed.set()

    def isatty(self) -> bool:
        """It behaves as a terminal."""
        return True

    def fileno(self) -> int:
        """It has no file descriptor; prompt-toolkit then leaves blocking modes alone."""
        raise OSError("in memory")

    def size(self) -> Size:
        """The size as prompt-toolkit asks for it."""
        return Size(rows=self.screen.lines, columns=self.screen.columns)

    def resize(self, width: int, height: int) -> None:
        """Another window size, announced as a real terminal announces it."""
        self.screen.resize(height, width)
        self._text = None
        os.kill(os.getpid(), signal.SIGWINCH)

    def text(self) -> str:
        """The screen as lines without blanks at their ends."""
        if self._text is None:
            self._text = "\n".join(line.rstrip() for line in self.screen.display) + "\n"
        return self._text

    async def until(self, holds: Callable[[str], bool]) -> str:
        """The screen as soon as this holds of it; raises AssertionError with the screen if it never does."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not holds(self.text()):
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            raise AssertionError("the screen never showed it:\n" + self.text()) from None
        return self.text()

    async def shows(self, words: str) -> str:
        """The screen as soon as these words are on it."""
        return await self.until(lambda text: words in text)


class Played:
    """A running screen: its terminal, its keys and its end."""

    def __init__(self, terminal: Terminal, keys: PipeInput, running: asyncio.Task[int]) -> None:
        self.terminal = terminal
        self.running = running
        self._keys = keys

    def press(self, *keys: str) -> None:
        """Press these keys; names as in KEYS, else the characters themselves."""
        for key in keys:
            self._keys.send_text(KEYS.get(key, key))


KEYS = {
    "left": "\x1b[D",
    "right": "\x1b[C",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "pageup": "\x1b[5~",
    "pagedown": "\x1b[6~",
    "home": "\x1b[H",
    "end": "\x1b[F",
    "enter": "\r",
    "space": " ",
    "escape": "\x1b",
    "ctrl-c": "\x03",
    "f1": "\x1bOP",
    "f2": "\x1bOQ",
    "tab": "\t",
}


@asynccontextmanager
async def playing(
    handle: TableHandle | Replay,
    *,
    lang: str = "nl",
    ascii_: bool = False,
    width: int = 80,
    height: int = 24,
    theme: str = "dark",
    mouse: bool = True,
    notice: bool = True,
) -> AsyncIterator[Played]:
    """A screen at this table in an emulated terminal; ended at the end if the test has not."""
    terminal = Terminal(width, height)
    with create_pipe_input() as keys:
        output = SgrOutput(cast("TextIO", terminal), terminal.size, term="xterm-256color", enable_bell=True)
        if isinstance(handle, Replay):
            shown = run_replay(handle, lang=lang, ascii=ascii_, theme=theme, mouse=mouse, input=keys, output=output)
        else:
            shown = run_table(
                handle, lang=lang, ascii=ascii_, theme=theme, mouse=mouse, notice=notice, input=keys, output=output
            )
        running = asyncio.create_task(shown)
        try:
            yield Played(terminal, keys, running)
        finally:
            if not running.done():
                running.cancel()
            await asyncio.wait({running})
