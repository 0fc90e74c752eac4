"""The program as it is shipped, in a real pseudo-terminal: play, be killed, resume, host and join."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

pty = pytest.importorskip("pty")

PATIENCE = 60.0
COLUMNS, LINES = 110, 36
ROOT = Path(__file__).parents[2]


class Program:
    """One run of the program in its terminal."""

    def __init__(self, home: Path, *argv: str) -> None:
        import fcntl
        import struct
        import termios

        import pyte

        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        environment = {**os.environ, "DUIZENDEN_HOME": str(home), "TERM": "xterm-256color", "LANG": "nl_NL.UTF-8"}
        environment["PYTHONPATH"] = str(ROOT)
        self.child = subprocess.Popen(
            [sys.executable, "-m", "client_cli", *argv],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            start_new_session=True,
        )
        os.close(slave)
        self._screen = pyte.Screen(COLUMNS, LINES)
        self._stream = pyte.ByteStream(self._screen)
        self.written = b""

    def type(self, keys: str) -> None:
        """Type these keys."""
        os.write(self._master, keys.encode())

    def until(self, text: str) -> str:
        """Wait until the screen shows this; the whole screen."""
        end = time.monotonic() + PATIENCE
        while text not in self.screen:
            assert time.monotonic() < end, f"no {text!r} on the screen:\n{self.screen}"
            if not self._read(0.5):
                assert text in self.screen, f"ended without {text!r}:\n{self.screen}"
        return self.screen

    def ended(self) -> int:
        """Wait until the program has ended; its exit code."""
        end = time.monotonic() + PATIENCE
        while self.child.poll() is None:
            assert time.monotonic() < end, f"still running:\n{self.screen}"
            self._read(0.1)
        while self._read(0.0):
            pass
        return self.child.returncode

    @property
    def screen(self) -> str:
        """What the terminal shows."""
        return "\n".join(self._screen.display)

    def close(self) -> None:
        """Kill what is left."""
        if self.child.poll() is None:
            self.child.kill()
        self.child.wait()
        os.close(self._master)

    def _read(self, seconds: float) -> bool:
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
def running(home: Path, *argv: str) -> Iterator[Program]:
    """A running program; nothing of it is left afterwards."""
    program = Program(home, *argv)
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


def test_play_and_leave(tmp_path: Path) -> None:
    """`play` sits down with three bots, shows the table, and leaves cleanly: terminal, processes, a saved game."""
    with running(tmp_path, "play", "--name", "Oma", "--rules", "klassiek") as program:
        shown = program.until("aan de beurt")
        program.type("q")
        program.until("Enter")
        program.type("\r")
        code = program.ended()
        left = program.screen

    assert code == 0
    assert len(re.findall(r"\bbot\b", shown)) >= 3
    assert "Oma" in shown
    assert "duizenden resume" in left
    assert program.written.rstrip().count(b"\x1b[?1049h") == program.written.count(b"\x1b[?1049l")
    assert gone(tmp_path)
    assert len(list((tmp_path / "games").glob("*.journal"))) == 1
    assert len(list((tmp_path / "games" / "bots").glob("*.journal"))) == 3


def test_killed_and_resumed(tmp_path: Path) -> None:
    """Killed without warning, the program takes its bots and broker with it, and `resume` shows the same hand."""

    def hand(screen: str) -> list[str]:
        return re.findall(r"[♠♥♦♣★]", screen.split("Oma (jij)")[1])

    with running(tmp_path, "play", "--name", "Oma", "--seats", "2", "--rules", "klassiek") as program:
        before = hand(program.until("s stapel"))
        program.child.send_signal(signal.SIGKILL)
        code = program.ended()
    clean = gone(tmp_path)
    with running(tmp_path, "resume") as program:
        after = hand(program.until("s stapel"))
        program.child.send_signal(signal.SIGTERM)
        terminated = program.ended()

    assert (code, clean) == (-signal.SIGKILL, True)
    assert after == before
    assert terminated == 128 + signal.SIGTERM
    assert gone(tmp_path)


def test_host_and_join(tmp_path: Path) -> None:
    """Two people on one machine: one hosts, adds a bot and begins, the other joins by address; both see the table.

    They compare the three cards first. A third one looks on, sees the table and no hand, and keeps a game file.
    """
    with running(tmp_path / "truus", "host", "--name", "Truus", "--seats", "3", "--port", "0") as host:
        host.until("Enter of start")
        host.type("hallo\r")
        host.until("Dat ken ik niet")
        port = address(tmp_path / "truus")
        with running(tmp_path / "joep", "join", f"127.0.0.1:{port}", "--name", "Joep", "--lang", "en") as joiner:
            joiner.until("Waiting for Truus to begin")
            host.until("2  Joep")
            host.type("bot\r")
            host.until("(robot)")
            host.type("\r")
            compared = [host.until("nog niet genoemd"), joiner.until("Truus begins")]
            host.type("1\r")
            tables = [host.until("13 kaarten"), joiner.until("13 cards")]
            with running(tmp_path / "anna", "watch", f"127.0.0.1:{port}", "--lang", "nl") as watcher:
                watching = watcher.until("13 kaarten")
                watcher.type("q\r")
                watched = watcher.ended()
            joiner.child.send_signal(signal.SIGTERM)
            codes = [joiner.ended()]
            host.child.send_signal(signal.SIGHUP)
            codes.append(host.ended())

    assert [handshake(screen) for screen in compared] == [handshake(compared[0])] * 2
    assert watched == 0
    assert all(name in watching for name in ("Truus", "Joep", "Je kijkt mee"))
    assert [file.suffix for file in (tmp_path / "anna" / "records").iterdir()] == [".duizenden"]
    assert codes == [128 + signal.SIGTERM, 128 + signal.SIGHUP]
    assert ["Joep" in tables[0], "Truus" in tables[1]] == [True, True]
    for player in ("truus", "joep"):
        kept = json.loads((tmp_path / player / "settings.json").read_bytes())
        assert "opening_exchange=decliner_draws\n" in kept["rules"]
    assert gone(tmp_path / "truus")
    assert gone(tmp_path / "joep")


def handshake(screen: str) -> list[str]:
    """The three cards to compare, in English letters."""
    (line,) = (line for line in screen.split("\n") if "drie kaarten van" in line or "three cards of" in line)
    cards = line.partition(":")[2].split()
    assert len(cards) == 3
    return [card.translate(str.maketrans("BVH", "JQK")) for card in cards]


def address(home: Path) -> int:
    """The port on which the broker of this home's host listens, asked of the system."""
    listening = []
    for pid in children_of(home):
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
        if b"node.broker" in command:
            targets = [str(fd.readlink()) for fd in Path(f"/proc/{pid}/fd").iterdir()]
            inodes = {target[8:-1] for target in targets if target.startswith("socket:")}
            for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]:
                fields = line.split()
                if fields[3] == "0A" and fields[9] in inodes:
                    listening.append(int(fields[1].rsplit(":", 1)[1], 16))
    assert len(listening) == 1
    return listening[0]


def test_leaving_the_waiting_room(tmp_path: Path) -> None:
    """Who types `stop`, Ctrl-D or Ctrl-C in the waiting room leaves it with nothing left behind."""
    codes = []
    for keys in ("stop\r", "\x04", "\x03"):
        with running(tmp_path, "host", "--name", "Truus", "--port", "0") as host:
            host.until("Enter of start")
            host.until("\n> ")
            host.type(keys)
            codes.append(host.ended())

    assert codes == [0, 0, 130]
    assert gone(tmp_path)


pytestmark = pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="looks at processes as Linux shows them")
