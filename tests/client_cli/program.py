"""The program as it is shipped, in a real pseudo-terminal whose screen an emulator keeps."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pyte

if TYPE_CHECKING:
    from collections.abc import Iterator

PATIENCE = 60.0
COLUMNS, LINES = 110, 36
ROOT = Path(__file__).parents[2]


class Program:
    """One run of the program in its terminal; `variables` change its environment."""

    def __init__(
        self,
        home: Path,
        *argv: str,
        columns: int = COLUMNS,
        lines: int = LINES,
        variables: dict[str, str] | None = None,
    ) -> None:
        import fcntl
        import pty
        import struct
        import termios

        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        environment = {**os.environ, "DUIZENDEN_HOME": str(home), "TERM": "xterm-256color", "LANG": "nl_NL.UTF-8"}
        environment |= {"PYTHONPATH": str(ROOT), **(variables or {})}
        self.child = subprocess.Popen(
            [sys.executable, "-m", "client_cli", *argv],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            start_new_session=True,
        )
        os.close(slave)
        self.emulator = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self.emulator)
        self.written = b""

    def type(self, keys: str) -> None:
        """Type these keys."""
        os.write(self._master, keys.encode())

    def until(self, text: str) -> str:
        """Wait until the screen shows this; the whole screen."""
        end = time.monotonic() + PATIENCE
        while text not in self.screen:
            assert time.monotonic() < end, f"no {text!r} on the screen:\n{self.screen}"
            if not self.read(0.5):
                assert text in self.screen, f"ended without {text!r}:\n{self.screen}"
        return self.screen

    def ended(self) -> int:
        """Wait until the program has ended; its exit code."""
        end = time.monotonic() + PATIENCE
        while self.child.poll() is None:
            assert time.monotonic() < end, f"still running:\n{self.screen}"
            self.read(0.1)
        while self.read(0.0):
            pass
        return self.child.returncode

    @property
    def screen(self) -> str:
        """What the terminal shows."""
        return "\n".join(self.emulator.display)

    def stopped(self) -> None:
        """Stop the program as a shell does: it gets the terminal in line mode back, with nothing on it."""
        import termios

        self.child.send_signal(signal.SIGSTOP)
        os.waitpid(self.child.pid, os.WUNTRACED)
        seen = -1
        while seen != len(self.written):
            seen = len(self.written)
            self.read(0.0)
        attributes = termios.tcgetattr(self._master)
        attributes[3] |= termios.ICANON | termios.ECHO
        termios.tcsetattr(self._master, termios.TCSANOW, attributes)
        self.emulator.reset()

    @property
    def line_mode(self) -> bool:
        """Whether the terminal gathers whole lines."""
        import termios

        return bool(termios.tcgetattr(self._master)[3] & termios.ICANON)

    def close(self) -> None:
        """Kill what is left."""
        if self.child.poll() is None:
            self.child.kill()
        self.child.wait()
        os.close(self._master)

    def read(self, seconds: float) -> bool:
        """Feed the emulator with what comes within so many seconds; False once nothing will come any more."""
        ready, _, _ = select.select([self._master], [], [], seconds)
        if not ready:
            return self.child.poll() is None
        try:
            data = os.read(self._master, 65_536)
        except OSError:  # the last one that had the terminal has closed it
            return False
        self.written += data
        self._stream.feed(data)
        return bool(data)


@contextmanager
def running(
    home: Path, *argv: str, columns: int = COLUMNS, lines: int = LINES, variables: dict[str, str] | None = None
) -> Iterator[Program]:
    """A running program; nothing of it is left afterwards."""
    program = Program(home, *argv, columns=columns, lines=lines, variables=variables)
    try:
        yield program
    finally:
        program.close()


def children_of(home: Path) -> list[int]:
    """Processes of this home that run now: bots and brokers of one test (Linux only, elsewhere none)."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            variables = (entry / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if f"DUIZENDEN_HOME={home}".encode() in variables:
            found.append(int(entry.name))
    return found


def gone(home: Path) -> bool:
    """Wait until no process of this home is left."""
    end = time.monotonic() + PATIENCE
    while children_of(home):
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
