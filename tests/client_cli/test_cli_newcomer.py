"""What somebody meets who never used the program: how to call it, what cannot be, and how to go on with a game."""

from __future__ import annotations

import asyncio
import re
import shlex
import socket
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from client_cli.__main__ import build_parser, main
from client_cli.commands import host as hosts
from client_cli.commands import join as joins
from client_cli.commands import play as plays
from client_cli.commands.context import UsageError, guarded
from client_cli.commands.host import config_of
from client_cli.commands.options import keep_name, name_of
from client_cli.commands.resume import in_its_language
from client_cli.commands.words import word
from node.addresses import parse_address
from node.bots import Orders
from node.crew import NAMES, Crew
from node.journal import Journal, JournalError
from node.messages import table_name
from node.profile import app_version
from node.room import LobbyError
from protocol.wire.entry import VERSION
from tests.client_cli.cli_home import GAME, TABLE, context_in, own_home, saved

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
PLACE = joins.Place(parse_address("192.168.1.5"), TABLE)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home of one's own for every test."""
    with own_home(tmp_path, monkeypatch) as folder:
        yield folder


# ------------------------------------------------------------------------------------------ calling it


def test_the_examples_of_the_readme_are_commands(capsys: pytest.CaptureFixture[str]) -> None:
    """Every command line in the README is one that the program takes."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = "\n".join(re.findall(r"```sh\n(.*?)```", text, re.DOTALL)).split("\n")
    calls = [line.split("#")[0] for line in blocks if line.startswith("duizenden ")]
    calls += re.findall(r"`(duizenden [a-z]+ [^`]+)`", text)
    commands = {
        build_parser("en").parse_args(shlex.split(call)[1:]).module for call in calls if "--version" not in call
    }
    named = set(re.findall(r"`duizenden ([a-z]+)`", text))

    assert {"host", "join", "games", "verify", "selfplay"} <= commands
    assert {name: main([name, "--help"]) for name in named} == dict.fromkeys(named, 0)
    assert {"resume", "rules"} <= named
    assert "usage:" in capsys.readouterr().out


def test_the_readme_works_after_make_play() -> None:
    """Both parts of the README say how the command is called for somebody who only typed `make play`."""
    english, dutch = (ROOT / "README.md").read_text(encoding="utf-8").split("## Speel mee")

    assert ".venv/bin/duizenden" in english
    assert ".venv/bin/duizenden" in dutch
    assert all(option in english for option in ("--name", "--version"))
    assert "--name" in dutch


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    """--version prints the version of the program and ends well."""
    code = main(["--version"])

    assert code == 0
    assert capsys.readouterr().out == f"duizenden {app_version()} (protocol {VERSION})\n"


# ------------------------------------------------------------------------------------------ hosting


@pytest.mark.parametrize(
    ("argv", "part"),
    [
        (["--port", "99999"], "number from 1 to 65535"),
        (["--port", "-1"], "number from 1 to 65535"),
        (["--rounds", "0"], "at least one round"),
        (["--rounds", "-3"], "at least one round"),
        (["--rounds", "4294967296"], "at most 4294967295"),
        (["--bots", "4"], "0 to 3 bots"),
    ],
)
def test_tables_that_cannot_be(argv: list[str], part: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Ports, rounds and bots that cannot be are refused with a sentence before anything else is looked at."""
    code = main(["host", *argv])

    assert code == 2
    assert part in capsys.readouterr().err


def test_a_port_that_was_asked_for_is_taken_or_refused(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With --port that very port is used: if somebody has it, the program says so and ends."""
    with closing(socket.socket()) as other:
        other.bind(("0.0.0.0", 0))
        other.listen()
        args = build_parser("en").parse_args(["host", "--port", str(other.getsockname()[1])])
        context = context_in(home)
        config = config_of(args, context)
        code = guarded(lambda c: asyncio.run(hosts._host(config, 0, c)), context)
    free = config_of(build_parser("en").parse_args(["host"]), context)

    assert code == 1
    assert capsys.readouterr().err.splitlines() == [word("broker/listen", "en"), word("host.port", "en")]
    assert (config.insist, free.insist, free.port) == (True, False, 1883)


async def test_bots_never_take_a_name_at_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot gets no name that somebody at the table has, whatever the case, and no two bots get the same."""

    async def nothing(_: Crew, __: Orders) -> None:
        return None

    monkeypatch.setattr(Crew, "_look_after", nothing)
    async with Crew() as crew:
        names: list[str] = []
        for _ in range(len(NAMES) - 2):
            names.append(crew.next_name(["BEP", "dirk", *names]))
            crew.add(Orders(role="join", name=names[-1]))
        again = crew.next_name(["bep", "dirk"])
        numbered = crew.next_name(NAMES)

    assert len(set(names)) == len(NAMES) - 2
    assert not {"Bep", "Dirk"} & set(names)
    assert again in names
    assert numbered not in NAMES


# ------------------------------------------------------------------------------------------ going on


@pytest.mark.parametrize(
    ("kept", "lang", "chosen", "then"),
    [("nl", "en", False, "nl"), ("nl", "en", True, "en"), (None, "en", False, "en"), ("xx", "nl", False, "nl")],
)
def test_a_game_goes_on_in_its_language(home: Path, kept: str | None, lang: str, chosen: bool, then: str) -> None:
    """A game is resumed in the language of its last session, unless --lang says otherwise, which then is kept."""
    path = saved(home, kept)
    now = in_its_language(path, context_in(home, lang, chosen=chosen))
    next_time = in_its_language(path, context_in(home, lang))

    assert (now.lang, next_time.lang) == (then, then)


def test_a_language_that_cannot_be_kept_locks_nothing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the disk refuses to keep the language, the journal is let go of: the game itself is opened next."""
    path = saved(home, "nl")
    held: list[Journal] = []

    def full(journal: Journal, **_: object) -> None:
        held.append(journal)
        raise JournalError("journal/write", path.name)

    monkeypatch.setattr(Journal, "update_settings", full)
    in_its_language(path, context_in(home, "en", chosen=True))

    assert held
    Journal.open(path).close()


def test_a_table_keeps_its_language(home: Path) -> None:
    """The language in which somebody hosts goes into the settings of the journal."""
    config = config_of(build_parser("nl").parse_args(["host"]), context_in(home, "nl"))

    assert config.settings["lang"] == "nl"


def test_a_file_that_is_no_journal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`resume` of any other file says so first, terminal or not."""
    path = tmp_path / "passwd"
    path.write_text("root:x:0:0\n", encoding="ascii")
    code = main(["resume", str(path)])

    assert code == 2
    assert f"{path} is no journal" in capsys.readouterr().err


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize(
    ("where", "said"),
    [(None, "unfinished here"), (table_name(TABLE), "in a game here already"), ("b" * 26, "unfinished")],
)
async def test_no_table_found_but_a_game_to_go_on_with(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    there: bool,
    where: str | None,
    said: str,
) -> None:
    """Who finds no table and has an unfinished game is told how to go on with it; others are not."""

    async def browse(_: float) -> list[object]:
        return []

    monkeypatch.setattr(joins, "browse", browse)
    if there:
        saved(home)
    with pytest.raises(UsageError) as caught:
        await joins._join(where, None, "Joep", context_in(home))
    notes = " ".join(getattr(caught.value, "__notes__", []))

    assert (said in notes, f"resume {GAME}" in notes) == (there, there)


async def test_a_table_that_plays_with_us_in_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Joining a game that began and in which this machine has a seat hints at `resume`, and keeps no name."""

    def refused(_: object) -> object:
        raise LobbyError("lobby/started")

    monkeypatch.setattr(joins, "join_table", refused)
    saved(home)
    with pytest.raises(LobbyError) as caught:
        await joins.join_at(PLACE, "Typo", context_in(home))

    assert caught.value.__notes__ == [word("found.resume", "en", game=GAME)]
    assert context_in(home).profile.recall("name") is None


def test_a_name_is_kept_once_there_is_a_table(home: Path) -> None:
    """--name counts at once but is remembered only by `keep_name`; the login name is never written down."""
    context = context_in(home)
    usual = context.profile.name()
    given = name_of(build_parser("en").parse_args(["join", "--name", "\x1b[31mOma\x1b[0m"]), context)
    before = context.profile.name()
    keep_name(usual, context)
    unwritten = context.profile.recall("name")
    keep_name(given, context)

    assert (given, before, unwritten) == ("Oma", usual, None)
    assert context.profile.name() == "Oma"


def test_play_keeps_no_name_without_a_table(home: Path) -> None:
    """A command that never gets to a table leaves the name as it was."""
    args = build_parser("en").parse_args(["play", "--name", "Nobody", "--rules", "nonsense"])
    with pytest.raises(UsageError):
        plays.run(args, context_in(home))

    assert context_in(home).profile.recall("name") is None


async def test_an_unknown_name_is_not_a_closed_table(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host name that nobody knows is told apart from a machine on which no broker answers."""

    async def nobody(_: object, __: float) -> None:
        return None

    monkeypatch.setattr(joins, "first_reachable", nobody)
    with pytest.raises(UsageError, match=r"name no\.such\.host\.invalid is not known"):
        await joins.find_place("no.such.host.invalid", None, context_in(home), partial(joins.ask, context_in(home)))
    with pytest.raises(LobbyError) as caught:
        await joins.find_place("127.0.0.1", None, context_in(home), partial(joins.ask, context_in(home)))

    assert caught.value.code == "lobby/unreachable"
