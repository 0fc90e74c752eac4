"""Closed standard streams, a log that cannot be written, and Ctrl-C while the program is still being loaded."""

from __future__ import annotations

import logging
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from client_cli.__main__ import main
from client_cli.commands import context as contexts
from client_cli.commands import verify
from client_cli.commands.context import is_terminal
from node.gamefile import write
from tests.client_cli.cli_home import own_home
from tests.coupled import genesis_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

INTERRUPTED_IMPORT = """
import sys

class Interrupting:
    def find_spec(self, name, *_):
        if name == sys.argv[1]:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupting())
sys.modules.pop(sys.argv[1], None)
from client_cli.__main__ import main
raise SystemExit(main(["games"]))
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home of one's own, and logging as it was afterwards."""
    monkeypatch.setattr(logging, "raiseExceptions", True)
    with own_home(tmp_path, monkeypatch) as folder:
        yield folder


@pytest.fixture
def game_file(tmp_path: Path) -> Path:
    """The file of a game in which nothing has been said yet: a good one."""
    path = tmp_path / "game.duizenden"
    write(path, genesis_for(2), [])
    return path


@pytest.mark.skipif(sys.platform == "win32", reason="the shell that closes streams is that of POSIX")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&- 2>&-"])
def test_a_good_file_is_good_whatever_is_closed(closed: str, game_file: Path) -> None:
    """A verdict does not depend on which standard streams the program was started with."""
    command = ["sh", "-c", f'exec "$0" -m client_cli verify "$1" {closed}', sys.executable, str(game_file)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="the shell that closes streams is that of POSIX")
@pytest.mark.parametrize("command", ["", "play --seats 2", "host --port 0", "replay"])
@pytest.mark.parametrize("closed", ["<&-", "</dev/null"])
def test_without_a_terminal_it_goes_in_plain_lines(command: str, closed: str, game_file: Path) -> None:
    """Where no full screen fits, one line of advice comes first; an input that has ended leaves, and all is well."""
    argument = f' "{game_file}"' if command == "replay" else ""
    line = f'exec "$0" -m client_cli {command}{argument} --lang en {closed}'
    done = subprocess.run(["sh", "-c", line, sys.executable], check=False, capture_output=True, text=True)

    assert done.returncode == 0
    assert done.stderr.startswith("No full screen fits here")
    assert len(done.stderr.splitlines()) == 1 + (command == "replay")
    assert done.stdout.strip()
    assert "\x1b" not in done.stdout + done.stderr


def test_no_stream_is_no_terminal() -> None:
    """A stream that the interpreter found closed is None, and asked about all the same."""
    assert not is_terminal(None)


def test_our_own_failure_is_no_verdict(
    game_file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A bug of ours while a file is verified ends with code 2 and a sentence: 1 would accuse a player."""

    def broken(*_: object) -> None:
        raise AttributeError("a bug")

    monkeypatch.setattr(verify, "verify_game", broken)
    code = main(["verify", str(game_file), "--lang", "en"])

    assert code == 2
    assert capsys.readouterr().err.startswith("Something went wrong (AttributeError)")


@pytest.mark.parametrize(
    "module", ["argparse", "client_cli.commands.words", "node.profile", "client_cli.commands.games"]
)
def test_ctrl_c_while_loading(module: str) -> None:
    """Ctrl-C during an import, however early, ends with code 130 and no traceback."""
    command = [sys.executable, "-c", INTERRUPTED_IMPORT, module]
    done = subprocess.run(command, check=False, capture_output=True, text=True)

    assert (done.returncode, done.stderr) == (130, "")


def test_a_log_that_cannot_be_written_is_silent(capsys: pytest.CaptureFixture[str]) -> None:
    """A full disk takes the log and nothing else: nothing about it is written over the game."""

    class Full:
        def write(self, _: str) -> None:
            raise OSError("no space")

        def flush(self) -> None: ...

    main(["games", "--lang", "en"])
    capsys.readouterr()
    handler = logging.StreamHandler(Full())
    contexts.log.addHandler(handler)
    contexts.log.error("lost")
    contexts.log.removeHandler(handler)

    assert capsys.readouterr() == ("", "")
