"""The budgets of the client as a person runs it: the time until something is there, from a key to the screen, and idle.

A game that was killed is there again in a few seconds.

`duizenden play` in a pseudo-terminal is the whole program: screen, node, link; bots and broker are its children and
not counted. It is left alone at its own turn, with heartbeats coming and going.
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from tests.bench.harness import Meter, Row, at_most
from tests.bench.machine import PROC, ROOT, busy, environment, load, note, resident, unmeasured

HELPS = 15
LINES, COLUMNS = 36, 110
PATIENCE = 120.0
SETTLE = 3.0
"""Seconds after which the last drawing of the turn's beginning is done."""
IDLE = 15.0
TURN = b"Jij bent aan de beurt"
LOBBY = b"Tafels op dit netwerk"
PAINTS = 5
RESUMES = 3
KEYS = 30
PAGE_DOWN, PAGE_UP = b"\x1b[6~", b"\x1b[5~"
FULL_LOG = """
import asyncio
import dataclasses
from client_cli import controller
from client_cli.app import run_table
from client_cli.chronicle import LONGEST, Entry
from tests.client_cli.fake_table import FakeTable

start = controller.start
log = tuple(Entry(1, "talk.said", 1, (("text", "van alles en nog wat " * 9),)) for _ in range(LONGEST))
controller.start = lambda *args, **more: dataclasses.replace(start(*args, **more), log=log)
asyncio.run(run_table(FakeTable(), lang="nl"))
"""
"""A table whose log is full of long lines."""


def rows(meter: Meter) -> Iterator[Row]:
    """All rows of the client."""
    del meter  # nothing here multiplies points
    before = load()
    help_rows = list(_help_rows())
    paint_rows = list(_paint_rows())
    idle_rows = list(_idle_rows())
    resume_rows = list(_resume_rows())
    yield note("the client: the machine before, after", f"{before}, {load()}")
    yield from help_rows
    yield from paint_rows
    yield from idle_rows
    yield from resume_rows


def _help_rows() -> Iterator[Row]:
    times = []
    for _ in range(HELPS):
        begin = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-m", "client_cli", "--help"], capture_output=True, check=True, env=environment(), cwd=ROOT
        )
        times.append(time.monotonic() - begin)
        assert b"selfplay" in done.stdout, "this is not the help"
    yield at_most(f"duizenden --help (best of {HELPS})", min(times), 0.3, "s")
    yield note("  median", f"{median(times):.3g} s")


@dataclass(frozen=True, slots=True)
class Client:
    """The program at the far end of a pseudo-terminal."""

    process: subprocess.Popen[bytes]
    master: int

    def read(self, seconds: float, until: bytes | None = None) -> bool:
        """Read what it writes for so long, so that it never waits for us, or until these bytes were among it."""
        end = time.monotonic() + seconds
        written = b""
        while (left := end - time.monotonic()) > 0:
            if select.select([self.master], [], [], left)[0]:
                written += os.read(self.master, 65536)
                if until is not None and until in written:
                    return True
        return False

    def paint(self, key: bytes) -> float:
        """Seconds from this key to the last byte that it makes the program write."""
        begin = last = time.monotonic()
        os.write(self.master, key)
        while select.select([self.master], [], [], PATIENCE if last == begin else QUIET)[0]:
            os.read(self.master, 65536)
            last = time.monotonic()
        return last - begin


QUIET = 0.2
"""Seconds without a byte after which a screen is taken to be painted."""


@contextmanager
def running(home: Path, *words: str) -> Iterator[Client]:
    """Python with these words on a screen."""
    import fcntl
    import pty
    import struct
    import termios

    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    process = subprocess.Popen(
        [sys.executable, *words],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=environment(DUIZENDEN_HOME=str(home), TERM="xterm-256color", LC_ALL="C.UTF-8"),
        cwd=ROOT,
        start_new_session=True,
    )
    os.close(slave)
    client = Client(process, master)
    try:
        yield client
    finally:
        process.terminate()
        while process.poll() is None:
            try:
                client.read(0.2)
            except OSError:  # its end of the terminal is closed
                process.wait(PATIENCE)
        os.close(master)


def playing(home: Path) -> AbstractContextManager[Client]:
    """`duizenden play` on a screen."""
    return running(home, "-m", "client_cli", "play", "--name", "Bench", "--lang", "nl", "--rules", "klassiek")


def _paint_rows() -> Iterator[Row]:
    first, used = [], []
    for _ in range(PAINTS):
        begin = time.monotonic()
        with tempfile.TemporaryDirectory() as home, running(Path(home), "-m", "client_cli", "--lang", "nl") as client:
            assert client.read(PATIENCE, LOBBY), "the lobby never came"
            first.append(time.monotonic() - begin)
            used += [busy(client.process.pid)] if PROC else []
    yield at_most(f"duizenden until the lobby is painted (best of {PAINTS})", min(first), 0.7, "s")
    yield note("  median, processor time of it", f"{median(first):.3g} s, {min(used, default=0):.3g} s")
    with tempfile.TemporaryDirectory() as home, running(Path(home), "-c", FULL_LOG) as client:
        assert client.read(PATIENCE, b"\x1b[?1049h"), "the screen never came"
        client.read(1.0)
        client.paint(b"l")
        times = [client.paint(PAGE_UP if turn % 4 == 3 else PAGE_DOWN) for turn in range(KEYS)]
    yield at_most(f"key to screen with 10 000 long lines in the log (median of {KEYS})", 1000 * median(times), 50, "ms")
    yield note("  slowest", f"{1000 * max(times):.3g} ms")


def _resume_rows() -> Iterator[Row]:
    times = []
    for _ in range(RESUMES):
        with tempfile.TemporaryDirectory() as home:
            with playing(Path(home)) as client:
                assert client.read(PATIENCE, TURN), "our turn never came"
                client.process.kill()
            begin = time.monotonic()
            with running(Path(home), "-m", "client_cli", "resume", "--lang", "nl") as client:
                assert client.read(PATIENCE, TURN), "our turn never came again"
                times.append(time.monotonic() - begin)
    yield at_most(
        f"duizenden resume after a kill, until our turn is shown again (best of {RESUMES})", min(times), 5, "s"
    )
    yield note("  slowest", f"{max(times):.3g} s")


def _idle_rows() -> Iterator[Row]:
    what = f"idle processor use of the client, {IDLE:.0f} s at its turn"
    if not PROC:
        yield unmeasured(what)
        return
    with tempfile.TemporaryDirectory() as home, playing(Path(home)) as client:
        assert client.read(PATIENCE, TURN), "our turn never came"
        client.read(SETTLE)
        pid = client.process.pid
        begin, used = time.monotonic(), busy(pid)
        client.read(IDLE)
        share = (busy(pid) - used) / (time.monotonic() - begin)
        assert client.process.poll() is None, "the client has ended"
        yield at_most(what, 100 * share, 1.0, "%")
        yield at_most("resident memory of the client with its node", resident(pid, "VmHWM"), 100.0, "MB")
