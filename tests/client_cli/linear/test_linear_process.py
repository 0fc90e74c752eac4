"""The program itself in plain lines, over pipes: whole games against bots, with others, the menu, and hard streams."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import IO, TYPE_CHECKING

import pytest

from tests.client_cli.linear.scripted import Scripted

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PROGRAM = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
import client_cli.commands.host as host
host.BOT_DELAY = (0.0, 0.0)
from client_cli.__main__ import main
raise SystemExit(main())
"""
"""The command line with bots that do not stop to think, and Ctrl-C heard although our own shell may ignore it."""


def started(home: Path, *words: str, encoding: str = "utf-8", **more: str) -> subprocess.Popen[bytes]:
    """The program with these words, its own home and pipes for all three streams."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG", "PYTHON"))}
    environment = {**kept, "DUIZENDEN_HOME": str(home), "PYTHONIOENCODING": encoding, **more}
    command = [sys.executable, "-c", PROGRAM, *words]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment)


def follow(
    program: subprocess.Popen[bytes], answer: Callable[[str], str | None], encoding: str = "utf-8"
) -> tuple[int, list[str], bytes]:
    """The exit code, the lines and every byte of a program whose lines are answered like this."""
    assert program.stdin is not None
    assert program.stdout is not None
    assert program.stderr is not None
    raw, lines = b"", []
    try:
        for line in program.stdout:
            raw += line
            lines.append(line.decode(encoding).rstrip("\r\n"))
            said = answer(lines[-1])
            if said is not None:
                typed(program.stdin, said, encoding)
    except BaseException:
        program.kill()
        raise
    program.stdin.close()
    errors = program.stderr.read()
    program.stdout.close()
    program.stderr.close()
    return program.wait(), lines, raw + errors


def typed(stream: IO[bytes], line: str, encoding: str = "utf-8") -> None:
    """Type a line."""
    stream.write(f"{line}\n".encode(encoding, errors="replace"))
    stream.flush()


@pytest.mark.parametrize(
    ("lang", "encoding", "name"), [("nl", "utf-8", "Zoë"), ("en", "cp1252", "Zoë"), ("nl", "ascii", "Łukasz")]
)
def test_a_game_over_a_pipe(tmp_path: Path, lang: str, encoding: str, name: str) -> None:
    """A real game of two rounds is played to its end by its lines, in any encoding, and can then be told again."""
    words = ("play", "--lang", lang, "--seats", "2", "--rounds", "2", "--rules", "basis", "--name", name)
    player = Scripted(lang)
    program = started(tmp_path, *words, encoding=encoding)
    code, lines, raw = follow(program, player.answer, encoding)

    assert code == 0
    assert player.closed
    assert any(player.words["over"] in line or player.words["tied"] in line for line in lines)
    assert b"\x1b" not in raw
    assert raw.count(b"No full screen fits") + raw.count(b"Hier past geen volledig scherm") == 1

    found = next(path for path in tmp_path.rglob("*.duizenden") if "bots" not in path.parts)
    code, told, raw = follow(started(tmp_path, "replay", "--linear", "--lang", lang, found.stem), lambda _: None)
    assert code == 0
    assert b"\x1b" not in raw
    assert sum(line.startswith(("Ronde 2 geteld", "Round 2 scored")) for line in told) == 1


def test_an_input_that_ends_leaves_the_game_to_be_resumed(tmp_path: Path) -> None:
    """The end of the input leaves the table; the game is saved and goes on where it was, still in plain lines."""
    program = started(tmp_path, "play", "--linear", "--lang", "en", "--seats", "2")
    assert program.stdin is not None

    def stop(line: str) -> str | None:
        if line == "What will you do?" and program.stdin is not None:
            program.stdin.close()
        return None

    code, lines, _ = follow(program, stop)
    assert code == 0
    assert lines[-1].startswith("The game is saved.")

    code, lines, raw = follow(started(tmp_path, "resume", "--lineair", "--lang", "en"), leaving)
    assert code == 0
    assert any(line.startswith("At the table:") for line in lines)
    assert b"\x1b" not in raw


def leaving(line: str) -> str | None:
    """Leave at the first prompt, and say yes."""
    if line.endswith("or forever to leave for good."):
        return "yes"
    return "quit" if line == "What will you do?" else None


@pytest.mark.skipif(sys.platform == "win32", reason="signals cannot be sent to one process there")
@pytest.mark.parametrize(
    ("name", "code", "last"), [("SIGINT", 130, b"\n"), ("SIGTERM", 143, b""), ("SIGHUP", 129, b"")]
)
def test_a_signal_ends_it_in_good_order(tmp_path: Path, name: str, code: int, last: bytes) -> None:
    """Ctrl-C ends with code 130 and nothing but a line end on the error stream, other signals with 128 + theirs."""
    program = started(tmp_path, "play", "--linear", "--lang", "en", "--seats", "2")
    assert program.stderr is not None
    assert program.stdout is not None
    for line in program.stdout:
        if line.strip() == b"What will you do?":
            break
    program.send_signal(getattr(signal, name))
    errors = program.stderr.read()

    assert program.wait() == code
    assert errors == last
    for stream in (program.stdin, program.stdout, program.stderr):
        if stream is not None:
            stream.close()


def test_hosting_and_joining_in_plain_lines(tmp_path: Path) -> None:
    """Two people host, join, compare the cards and play a round, both by lines alone."""
    host = started(
        tmp_path / "a",
        "host",
        "--linear",
        "--lang",
        "en",
        "--seats",
        "2",
        "--rounds",
        "1",
        "--port",
        "0",
        "--name",
        "Ann",
    )
    hosting, joining = Scripted("en"), Scripted("nl")
    joined: list[Future[tuple[int, list[str], bytes]]] = []
    threads = ThreadPoolExecutor(max_workers=1)
    waiting: list[str] = []

    def as_host(line: str) -> str | None:
        if "The game begins." not in waiting:
            waiting.append(line)
        if line.startswith("Or by address: ") and not joined:
            words = ("join", f"127.0.0.1:{line.rpartition(':')[2]}", "--linear", "--lang", "nl", "--name", "Bob")
            joined.append(threads.submit(follow, started(tmp_path / "b", *words), joining.answer))
        if "The game begins." in waiting:
            return hosting.answer(line)
        return "1" if line == "What will you do?" and "In seat 2 now sits Bob." in waiting else None

    code, lines, raw = follow(host, as_host)
    with threads:
        other_code, other_lines, other_raw = joined[0].result()

    assert (code, other_code) == (0, 0)
    assert "1. Begin the game." in waiting
    assert any("names the same three cards" in line for line in lines)
    assert any(line.startswith("De drie kaarten van deze tafel:") for line in other_lines)
    assert b"\x1b" not in raw + other_raw


def test_hearing_others_and_watching_in_plain_lines(tmp_path: Path) -> None:
    """Who looks on in plain lines hears who plays and what is said, gets no hand, and leaves with a word."""
    words = ("--rules", "klassiek", "--seats", "2", "--bots", "1", "--port", "0", "--name", "Ann")
    host = started(tmp_path / "a", "host", "--linear", "--lang", "en", *words)
    watching: list[Future[tuple[int, list[str], bytes]]] = []
    threads = ThreadPoolExecutor(max_workers=1)
    where = ""
    begun = False

    def as_watcher(line: str) -> str | None:
        assert host.stdin is not None
        if line == "Ann: 13 kaarten in de hand, totaal 0.":
            typed(host.stdin, "say hello you")
        if line == "Ann: hello you":
            return "hand"
        if line == "Je hebt nu geen kaarten.":
            typed(host.stdin, "quit")
            return "quit"
        return "ja" if line.endswith("ja of nee.") else None

    def as_host(line: str) -> str | None:
        nonlocal where, begun
        begun = begun or line == "The game begins."
        if line.startswith("Or by address: "):
            where = f"127.0.0.1:{line.rpartition(':')[2]}"
        if line == "In seat 2 now sits Bep (bot).":
            return "start"
        if line == "What will you do?" and begun and not watching:
            watcher = started(tmp_path / "b", "watch", where, "--linear", "--lang", "nl")
            watching.append(threads.submit(follow, watcher, as_watcher))
        return "yes" if line.endswith("or forever to leave for good.") else None

    code, lines, raw = follow(host, as_host)
    with threads:
        other_code, other_lines, other_raw = watching[0].result()
    assert (code, other_code) == (0, 0)
    assert "The game is saved." in lines[-1]
    assert not any("niet te horen" in line for line in other_lines)
    assert not any("Noem ze hardop" in line for line in other_lines)
    assert b"\x1b" not in raw + other_raw


def test_the_menu(tmp_path: Path) -> None:
    """The lobby is a numbered menu: what cannot be is answered, commands run, the language changes."""
    program = started(tmp_path, "--linear", "--lang", "nl")
    answers = iter(
        ["99", "", "hallo", "9", "--x", "9", "klassiek", "5", "7", "nergens", "9", "5", "11", "Truus", "12", "stop"]
    )

    def answer(line: str) -> str | None:
        ready = line.startswith(("13. ", "Kies een nummer", "Choose a number", "Welk", "Hoe heet je?"))
        return next(answers, None) if ready else None

    code, lines, raw = follow(program, answer)

    assert code == 0
    assert "11. Verander je naam; nu Truus." in lines
    assert "Regelkaart klassiek" in lines
    assert lines[-1] == "13. Leave (or type q)."
    assert b"\x1b" not in raw


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals there")
@pytest.mark.parametrize(("term", "words", "advice"), [("dumb", (), 1), ("xterm", ("--linear",), 0)])
def test_a_terminal_gets_no_escape_bytes(tmp_path: Path, term: str, words: tuple[str, ...], advice: int) -> None:
    """In a dumb terminal, or where plain lines are asked for, nothing but plain lines reaches the terminal."""
    import pty

    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": term, "DUIZENDEN_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "client_cli", "--lang", "en", *words]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as program:
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # how Linux says that the other side has closed
            while block := os.read(ours, 65_536):
                if b"13. Leave" not in shown and b"13. Leave" in shown + block:
                    os.write(ours, b"\x1b[A\n\n13\n")
                shown += block
    os.close(ours)

    assert program.returncode == 0
    assert b"\x1b" not in shown
    assert shown.count(b"No full screen fits here") == advice
