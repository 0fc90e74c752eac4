"""A real pseudo-terminal: however the screen ends, the terminal is left as it was found."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pyte
import pytest

from node.policy import choose
from protocol.session.gamefile import write_game
from tests.coupled import Coupled

ROOT = Path(__file__).parents[2]
PATIENCE = 30.0
PROGRAM = """
import asyncio, sys
from client_cli.app import run_table
from tests.client_cli.fake_table import FakeTable

class Failing(FakeTable):
    async def submit(self, action):
        raise RuntimeError("a bug in the node")

async def main():
    table = (Failing if "--failing" in sys.argv else FakeTable)(seed=4)
    await table.deal()
    return await run_table(table, lang="nl")

sys.exit(asyncio.run(main()))
"""


class Child:
    """The screen in a process of its own, at the far end of a pseudo-terminal."""

    def __init__(self, process: subprocess.Popen[bytes], master: int, slave: int) -> None:
        self.process = process
        self.master = master
        self.slave = slave
        self.written = b""

    def read_until(self, words: bytes) -> None:
        """Read what the program writes until these words were among it."""
        end = time.monotonic() + PATIENCE
        while words not in self.written:
            left = end - time.monotonic()
            assert left > 0, self.written[-2000:]
            if select.select([self.master], [], [], left)[0]:
                self.written += os.read(self.master, 65536)

    def press(self, keys: bytes) -> None:
        """Press keys."""
        os.write(self.master, keys)

    def end(self) -> int:
        """Wait for the end of the program, reading what it still writes."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < end, self.written[-2000:]
            self._drain(0.05)
        self._drain(0)
        return self.process.returncode

    def _drain(self, patience: float) -> None:
        with suppress(OSError):
            while select.select([self.master], [], [], patience)[0]:
                self.written += os.read(self.master, 65536)
                patience = 0


@contextmanager
def program(
    *options: str, width: int = 80, height: int = 24, command: tuple[str, ...] = ("-c", PROGRAM), **environment: str
) -> Iterator[Child]:
    """Start the screen, or another command of Python, in a pseudo-terminal of this size."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
    process = subprocess.Popen(
        [sys.executable, *command, *options],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        cwd=ROOT,
        env={**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT), **environment},
        start_new_session=True,
    )
    try:
        yield Child(process, master, slave)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        os.close(master)
        os.close(slave)


def restored(child: Child) -> bool:
    """Main screen, cursor on; mouse, bracketed paste and reports of focus off: the last word on each is right."""
    ends = (
        *((b"[?1049l", b"[?1049h"), (b"[?25h", b"[?25l"), (b"[?2004l", b"[?2004h")),
        *((b"[?1000l", b"[?1000h"), (b"[?1006l", b"[?1006h"), (b"[?1003l", b"[?1003h")),
        (b"[?1004l", b"[?1004h"),
    )
    assert b"[?1000h" in child.written  # the mouse was on, so that being off means something
    return all(child.written.rfind(last) >= child.written.rfind(first) for last, first in ends)


TURN = b"Jij bent aan de beurt"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
@pytest.mark.parametrize(
    ("keys", "words"), [(b"", b"bot"), (b"?", b"Toetsen"), (b"m", b"Zeg"), (b"q", b"verlaten"), (b"e", b"Eerlijk spel")]
)
def test_a_signal_leaves_the_terminal_as_it_was(number: signal.Signals, code: int, keys: bytes, words: bytes) -> None:
    """At the table, on a page, while a line is typed, at a question: SIGTERM and SIGHUP end with 128 + their number."""
    with program() as child:
        before = termios.tcgetattr(child.slave)
        child.read_until(TURN)
        assert termios.tcgetattr(child.slave) != before
        child.press(keys)
        child.read_until(words)
        child.process.send_signal(number)

        assert child.end() == code
        assert restored(child)
        assert termios.tcgetattr(child.slave) == before


@pytest.mark.parametrize("page", [b"", b"?", b"s", b"l", b"q"])
def test_ctrl_c_on_every_kind_of_screen_leaves_the_terminal_as_it_was(page: bytes) -> None:
    """At the table, on a page, at a question: Ctrl-C ends with 130."""
    with program() as child:
        before = termios.tcgetattr(child.slave)
        child.read_until(TURN)
        child.press(page + b"\x03")

        assert child.end() == 130
        assert restored(child)
        assert termios.tcgetattr(child.slave) == before


def test_leaving_by_key_leaves_the_terminal_as_it_was() -> None:
    """Q and Enter end with 0."""
    with program() as child:
        before = termios.tcgetattr(child.slave)
        child.read_until(TURN)
        child.press(b"q")
        child.read_until(b"De tafel verlaten?")
        child.press(b"\r")

        assert child.end() == 0
        assert restored(child)
        assert termios.tcgetattr(child.slave) == before


def test_an_exception_leaves_the_terminal_as_it_was_and_is_shown_after_it() -> None:
    """A failing node ends the program with a traceback on the main screen, not over the table."""
    with program("--failing") as child:
        before = termios.tcgetattr(child.slave)
        child.read_until(TURN)
        child.press(b"s\r")

        assert child.end() == 1
        assert restored(child)
        assert termios.tcgetattr(child.slave) == before
        assert child.written.rfind(b"a bug in the node") > child.written.rfind(b"[?1049l")


def test_a_terminal_that_goes_away_ends_the_program() -> None:
    """When the window is closed the program ends by itself, without a traceback loop."""
    with program() as child:
        child.read_until(TURN)
        os.close(child.slave)
        child.slave = os.open(os.devnull, os.O_RDONLY)
        os.close(child.master)
        child.master = os.open(os.devnull, os.O_RDONLY)

        assert child.process.wait(PATIENCE) == 129


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1"])
def test_a_poor_encoding_gets_letters(encoding: str) -> None:
    """Where the suit signs cannot be written the screen starts with letters, and nothing is written as `?`."""
    with program(PYTHONIOENCODING=encoding) as child:
        child.read_until(b"sluit")
        shown = pyte.Screen(80, 24)
        pyte.Stream(shown).feed(child.written.decode("ascii"))
        child.press(b"\x03")
        assert child.end() == 130

    text = "\n".join(shown.display)
    assert "> Anna (jij)" in text
    assert text.count("?") == 1  # the key of the help page


@pytest.fixture(scope="module")
def game_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of one round between two bots."""
    table = Coupled(2, seed=21, choose=choose)
    table.start()
    table.run()
    path = tmp_path_factory.mktemp("replay") / "game.duizenden"
    path.write_bytes(write_game(table.genesis, table.sessions[0].log_frames()))
    return path


@pytest.mark.parametrize(("keys", "code"), [(b"q", 0), (b"o?\x03", 130), (b"\x1b[<64;9;9M\x03", 130)])
def test_looking_back_leaves_the_terminal_as_it_was(game_file: Path, keys: bytes, code: int) -> None:
    """`duizenden replay` verifies, shows the game, and ends by key or Ctrl-C with everything given back."""
    with program(command=("-m", "client_cli", "replay", "--lang", "nl", str(game_file))) as child:
        before = termios.tcgetattr(child.slave)
        child.read_until(b"nagekeken")
        child.press(keys)

        assert child.end() == code
        assert restored(child)
        assert termios.tcgetattr(child.slave) == before


def test_looking_back_on_what_is_no_game_says_so(tmp_path: Path) -> None:
    """A file that is none, or none at all, is one sentence and exit code 2, without a full screen."""
    other = tmp_path / "letter.txt"
    other.write_text("dear Anna", encoding="utf-8")
    for path in (other, tmp_path / "missing.duizenden"):
        with program(command=("-m", "client_cli", "replay", "--lang", "nl", str(path))) as child:
            assert child.end() == 2
            assert path.name.encode() in child.written
            assert b"Traceback" not in child.written
            assert b"[?1049h" not in child.written
