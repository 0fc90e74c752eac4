"""The lobby as it is shipped, in real pseudo-terminals: two people find each other, play, and leave nothing behind."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import pytest

from client_cli.__main__ import DEFAULT_RULES
from node.profile import Profile
from protocol.rules.ruleset import canonical, for_players, preset
from tests.client_cli.program import Program, gone, running
from tests.client_cli.test_cli_terminal import address, pytestmark

__all__ = ["pytestmark"]


def home(path: Path, name: str, lang: str) -> Path:
    """The folder of somebody with this name and language."""
    Profile(data=path, logs=path / "log").remember(name=name, lang=lang)
    return path


def choose(program: Program, row: str) -> None:
    """Move the cursor down to a row that begins like this; other tables may be on this network too."""
    for _ in range(80):
        if f"▶ {row}" in program.screen:
            return
        before = program.screen
        program.type("\x1b[B")
        while program.screen == before and program.read(5.0):
            pass
    raise AssertionError(f"no row {row!r}:\n{program.screen}")


def test_two_lobbies_find_each_other_and_play(tmp_path: Path) -> None:
    """One opens a table with a bot, the other sees it in the list with its rules and people, joins, and both play."""
    name = f"Truus{os.getpid()}"
    truus, joep = home(tmp_path / "truus", name, "nl"), home(tmp_path / "joep", "Joep", "en")
    with running(truus) as host, running(joep) as guest:
        host.until("Tafels op dit netwerk")
        host.type("n")
        host.until("Stoelen")
        host.type("\x1b[B\x1b[D\x1b[B\x1b[C\r")  # three seats, one bot
        host.until("Zo schuiven anderen aan")
        host.until("Bep")
        listed = guest.until(f"Table of {name}")
        choose(guest, f"Table of {name}")
        guest.until("At the table:")
        guest.type("\r")
        guest.until(f"Waiting for {name} to begin")
        host.until("Joep")
        host.type("\r")
        tables = [host.until("kaarten"), guest.until("cards")]
        guest.type("q")
        guest.until("Enter")
        guest.type("\r")
        back = guest.until("The game is saved")
        guest.type("q")
        host.child.send_signal(signal.SIGTERM)
        codes = [guest.ended(), host.ended()]

    assert "Tables on this network" in listed
    assert ["Joep" in tables[0], name in tables[1]] == [True, True]
    assert "Tables on this network" in back
    assert codes == [0, 128 + signal.SIGTERM]
    assert gone(truus)
    assert gone(joep)
    assert [len(list((folder / "games").glob("*.journal"))) for folder in (truus, joep)] == [1, 1]
    assert restored(guest)
    assert restored(host)


def test_joining_by_address_and_leaving_the_room(tmp_path: Path) -> None:
    """A typed address leads to the waiting room; the host sees the guest come and go, and closes after a question."""
    truus, joep = home(tmp_path / "truus", "Truus", "nl"), home(tmp_path / "joep", "Joep", "nl")
    with running(truus) as host, running(joep) as guest:
        host.until("Tafels op dit netwerk")
        host.type("n")
        host.until("Stoelen")
        host.type("\r")
        host.until("Zo schuiven anderen aan")
        guest.until("Tafels op dit netwerk")
        guest.type("a")
        guest.until("Tafelcode of adres")
        guest.type(f"127.0.0.1:{address(truus)}\r")
        guest.until("Wachten tot Truus begint")
        host.until("2  Joep")
        guest.type("q")
        guest.until("Tafels op dit netwerk")
        host.until("2  vrij")
        host.type("q")
        host.until("De tafel is gesloten")
        guest.type("\x03")
        host.child.send_signal(signal.SIGHUP)
        codes = [guest.ended(), host.ended()]

    assert codes == [130, 128 + signal.SIGHUP]
    assert gone(truus)
    assert gone(joep)
    assert restored(guest)
    assert restored(host)


def test_a_table_whose_broker_speaks_tls(tmp_path: Path) -> None:
    """The row of the card opens a table with a certificate, and a guest who types its code sits down there."""
    truus, joep = home(tmp_path / "truus", "Truus", "nl"), home(tmp_path / "joep", "Joep", "nl")
    with running(truus) as host, running(joep) as guest:
        host.until("Tafels op dit netwerk")
        host.type("n")
        host.until("Stoelen")
        host.type(5 * "\x1b[B")
        host.until("vingerafdruk van het certificaat")
        host.type("\x1b[C\r")
        room = host.until("Tafelcode:")
        code = re.findall(r"[0-9A-Z]+(?:-[0-9A-Z]+)+", room.partition("Tafelcode:")[2])[0]
        certificates = list((truus / "tls").iterdir())
        guest.until("Tafels op dit netwerk")
        guest.type("a")
        guest.until("Tafelcode of adres")
        guest.type(f"{code}\r")
        guest.until("Wachten tot Truus begint")
        guest.type("\x03")
        host.child.send_signal(signal.SIGTERM)
        codes = [guest.ended(), host.ended()]

    assert codes == [130, 128 + signal.SIGTERM]
    assert certificates


def test_practice_is_left_and_resumed(tmp_path: Path) -> None:
    """Practice begins at once; left in the middle it is among the saved games and goes on with the same hand.

    Its rules are kept: they are what the next table is compared with.
    """
    played = for_players(preset(DEFAULT_RULES), 2)

    def hand(screen: str) -> list[str]:
        return re.findall(r"[♠♥♦♣★]", screen.split("Oma (jij)")[1])

    oma = home(tmp_path, "Oma", "nl")
    with running(oma) as program:
        program.until("Tafels op dit netwerk")
        program.type("p")
        program.until("Stoelen")
        program.type("\x1b[B\x1b[D\x1b[D\r")  # two seats
        before = hand(program.until("o orde"))
        program.type("q")
        program.until("Enter")
        program.type("\r")
        program.until("Het spel is bewaard")
        program.type("v")
        program.until("Oma, Bep")
        program.type("\r")
        after = hand(program.until("o orde"))
        program.child.send_signal(signal.SIGTERM)
        code = program.ended()

    assert before
    assert after == before
    assert Profile(data=oma, logs=oma / "log").recall("rules") == canonical(played).decode()
    assert code == 128 + signal.SIGTERM
    assert gone(oma)


@pytest.mark.parametrize(
    "variables",
    [{"PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "cp1252"}, {"LANG": "C"}, {"LC_ALL": "POSIX"}],
    ids=str,
)
def test_a_poor_encoding_gets_a_lobby_of_letters(variables: dict[str, str], tmp_path: Path) -> None:
    """Where signs cannot be written, or the locale knows none, the lobby starts with letters."""
    with running(home(tmp_path, "Oma", "nl"), variables={"LC_ALL": "", "LC_CTYPE": "", **variables}) as program:
        shown = program.until("q stoppen")
        program.type("q")
        code = program.ended()

    assert code == 0
    assert "n  Nieuwe tafel openen" in shown
    assert "\n  > " in shown
    assert program.written.isascii()


ENDINGS = {"SIGTERM": 128 + signal.SIGTERM, "SIGHUP": 128 + signal.SIGHUP, "Ctrl-C": 130}


@pytest.mark.parametrize(
    ("keys", "words", "ending"),
    [
        ("", "Tafels op dit netwerk", "SIGHUP"),
        ("a", "Tafelcode of adres", "Ctrl-C"),
        ("n", "Stoelen", "SIGTERM"),
        ("n\r", "Zo schuiven anderen aan", "SIGHUP"),
        ("n\r", "Zo schuiven anderen aan", "Ctrl-C"),
        ("v", "geen bewaarde spellen", "Ctrl-C"),
        ("s", "Jouw naam", "SIGHUP"),
        ("s\r", "Jouw naam", "SIGTERM"),
        ("d", "· dokter", "Ctrl-C"),
        ("?", "· uitleg", "SIGTERM"),
    ],
)
def test_whatever_ends_it_on_whatever_screen(keys: str, words: str, ending: str, tmp_path: Path) -> None:
    """Each screen of the lobby gives the terminal back, and leaves no process, at each way to end it."""
    with running(home(tmp_path, "Oma", "nl")) as program:
        program.until("Tafels op dit netwerk")
        for key in keys:
            program.type(key)
            program.until("Stoelen" if key == "n" else words)
        if ending == "Ctrl-C":
            program.type("\x03")
        else:
            program.child.send_signal(getattr(signal, ending))
        code = program.ended()

    assert code == ENDINGS[ending]
    assert b"?1000h" in program.written
    assert restored(program)
    assert gone(tmp_path)


def restored(program: Program) -> bool:
    """The last word on each mode of the terminal is the right one."""
    written = program.written
    ends = (
        *((b"?1049l", b"?1049h"), (b"?25h", b"?25l"), (b"?2004l", b"?2004h")),
        *((b"?1000l", b"?1000h"), (b"?1006l", b"?1006h"), (b"?1004l", b"?1004h")),
    )
    return all(written.rfind(last) >= written.rfind(first) for last, first in ends)
