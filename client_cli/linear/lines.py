"""Typed lines from a stream of bytes: a terminal, a pipe or a file, whatever comes out of it.

A read that waits cannot be taken back, so one thread reads for the whole life of the process and whoever wants a line
takes the next one. Nothing locks the interpreter's own standard input: a program that ends does not wait for a line.
"""

from __future__ import annotations

import asyncio
import codecs
import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial

LONGEST = 1000
"""Characters of a line that are kept; the rest of it is left out."""
_BLOCK = 65_536


class Lines:
    """The lines that `read` brings, decoded; what cannot be decoded becomes question marks.

    `read` blocks until there are bytes; no bytes, or an OSError, is the end.
    """

    def __init__(self, read: Callable[[], bytes], encoding: str) -> None:
        self._read = read
        self._decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
        self._lock = threading.Lock()
        self._ready: deque[str | None] = deque()
        self._wake: Callable[[], object] | None = None
        self._started = False

    async def next(self) -> str | None:
        """The next line without its end; None when there are no more."""
        if not self._started:
            self._started = True
            threading.Thread(target=self._follow, name="typed lines", daemon=True).start()
        while True:
            with self._lock:
                if self._ready:
                    return self._ready[0] if self._ready[0] is None else self._ready.popleft()
                come = asyncio.Event()
                self._wake = partial(asyncio.get_running_loop().call_soon_threadsafe, come.set)
            await come.wait()

    def _follow(self) -> None:
        """Read until the end; runs in the thread."""
        rest = ""
        while True:
            try:
                block = self._read()
            except (OSError, ValueError):
                block = b""
            rest += self._decoder.decode(block, final=not block)
            *whole, rest = rest.split("\n")
            rest = rest[:LONGEST]
            ended = [rest] if rest and not block else []
            self._put([line[:LONGEST].rstrip("\r") for line in (*whole, *ended)])
            if not block:
                self._put([None])
                return

    def _put(self, lines: Sequence[str | None]) -> None:
        if not lines:
            return
        with self._lock:
            self._ready.extend(lines)
            wake, self._wake = self._wake, None
        if wake is not None:
            with suppress(RuntimeError):  # the loop that waited has ended; the next one finds the line ready
                wake()


@cache
def typed() -> Lines:
    """The lines of this process's standard input."""
    stream = sys.stdin
    try:
        number = stream.fileno()
    except (OSError, ValueError):
        return Lines(lambda: b"", "utf-8")
    return Lines(lambda: os.read(number, _BLOCK), stream.encoding or "utf-8")
