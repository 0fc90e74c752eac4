"""What the command line prints fits the terminal: folded, in plain letters, with a title over each rule card."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from client_cli.__main__ import PRESETS, main
from client_cli.commands.fitting import folded, plain
from client_cli.commands.waiting import room_lines
from client_cli.commands.words import LANGUAGES, word
from node.messages import Chair
from node.room import Room
from protocol.rules.ruleset import preset, with_overrides
from tests.client_cli.cli_home import TABLE, context_in, own_home

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home of one's own for every test."""
    with own_home(tmp_path, monkeypatch) as folder:
        yield folder


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """It is."""
        return True


# ------------------------------------------------------------------------------------------ fitting the terminal


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_is_wider_than_the_terminal(home: Path, lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal of 80 columns waiting room, hints and errors are folded between words, and nothing is lost."""
    changes = {"opening_minimum": 40, "queen_in_hand_penalty": 150, "joker_points": 30, "hand_size": 11}
    room = Room(
        table=TABLE,
        title="Truus",
        rules=with_overrides(preset("klassiek"), changes),
        rules_name="klassiek",
        seats=2,
        max_rounds=1,
        chairs=(Chair("Truus", bot=False, key=b"k" * 32),),
        me=0,
        addresses=("192.168.1.5:1883",),
    )
    monkeypatch.setenv("COLUMNS", "80")
    context = context_in(home, lang)
    text = "\n".join([*room_lines(room, context), context.word("room.help"), context.word("e.not_found")])
    shown = Terminal()
    context.show(text, shown)
    lines = shown.getvalue().splitlines()

    assert max(len(line) for line in text.splitlines()) > 120
    assert max(len(line) for line in lines) <= 80
    assert " ".join(shown.getvalue().split()) == " ".join(text.split())
    assert not re.search(r"\b1 (rondes|rounds)\b", text)


def test_folding_keeps_items_indents_and_addresses_whole() -> None:
    """Items with wide gaps are not torn, continued lines keep their indent, and what people copy is never broken."""
    assert folded("go on   stop here   or wait", 14).split("\n") == ["go on", "stop here", "or wait"]
    assert folded("  one two three", 9).split("\n") == ["  one two", "  three"]
    assert folded("see /a/very-long/path/to/it now", 10).split("\n") == ["see", "/a/very-long/path/to/it", "now"]
    assert folded("short\n\nand so on", 80) == "short\n\nand so on"


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("één café", "een cafe"),
        ("e\u0301", "e"),
        ("… – “ok”", '... - "ok"'),
        ("Straße ♠", "Strasse ?"),
        ("plain", "plain"),
    ],
)
def test_plain_letters(text: str, letters: str) -> None:
    """Accents are left off and signs spelled."""
    assert plain(text) == letters


@pytest.mark.parametrize("preset_name", PRESETS)
def test_ascii_prints_only_ascii(preset_name: str, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With --ascii nothing else is printed, though the same words have accents without it."""
    main(["rules", preset_name, "--lang", "nl"])
    usual = capsys.readouterr().out
    main(["rules", preset_name, "--lang", "nl", "--ascii"])
    shown = capsys.readouterr().out
    context_in(home, ascii_=True).show("Bién", sys.stderr)

    assert not usual.isascii()
    assert shown.isascii()
    assert "?" not in shown
    assert capsys.readouterr().err == "Bien\n"


# ------------------------------------------------------------------------------------------ rule cards


@pytest.mark.parametrize("lang", LANGUAGES)
def test_rule_cards_have_a_title(lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A card begins with its name and what kind of card it is; no two are described alike."""
    heads = []
    for name in PRESETS:
        main(["rules", name, "--lang", lang])
        title, about, *_ = capsys.readouterr().out.splitlines()
        heads.append(about)
        assert title == word("rules.title", lang, preset=name)
        assert about == word(f"rules.about.{name}", lang)

    assert len(set(heads)) == len(PRESETS)


def test_the_rule_cards_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a name all cards are listed, each with its line; a changed rule means the usual card."""
    main(["rules"])
    shown = capsys.readouterr().out
    main(["rules", "--set", "opening_minimum=40"])
    changed = capsys.readouterr().out

    assert all(name in shown.splitlines() and word(f"rules.about.{name}", "en") in shown for name in PRESETS)
    assert changed.startswith(word("rules.title", "en", preset="spelregelwijzer"))
