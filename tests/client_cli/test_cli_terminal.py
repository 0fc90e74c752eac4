"""The program as it is shipped, in a real pseudo-terminal: play, be killed, resume, host and join."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path

import pytest

from tests.client_cli.program import children_of, gone, running


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


def test_stopped_and_continued(tmp_path: Path) -> None:
    """After a stop and `fg` the whole screen is drawn again and keys work at once; at the end line mode is back."""
    with running(tmp_path, "play", "--name", "Oma", "--seats", "2", "--rules", "klassiek") as program:
        program.until("s stapel")
        program.stopped()
        blank = program.screen.strip()
        program.child.send_signal(signal.SIGCONT)
        program.until("s stapel")
        gathering = program.line_mode
        program.type("?")
        program.until("Toetsen")
        program.child.send_signal(signal.SIGTERM)
        code = program.ended()
        given_back = program.line_mode

    assert blank == ""
    assert not gathering
    assert code == 128 + signal.SIGTERM
    assert given_back
    assert program.written.count(b"\x1b[?1049h") == program.written.count(b"\x1b[?1049l")


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
            host.until("(bot)")
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
