"""What the lobby looks like: golden pictures as text, in both languages, two sizes and letters only.

Write the pictures anew with DUIZENDEN_WRITE_SCREENS=1 and read the difference before committing it.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from client_cli.commands.words import WORDS
from client_cli.glyphs import Glyphs, width
from client_cli.lobby.intents import RoomChanged, TablesSeen
from client_cli.lobby.keys import TABLE, line
from client_cli.lobby.state import Fit
from client_cli.lobby.views.screen import draw
from client_cli.lobby.words import OWN, knows, say
from client_cli.messages import CATALOGUE, facts_of
from client_cli.theme import STYLE
from client_cli.views.canvas import plain
from tests.client_cli.lobby_scenes import ROOM, TABLES, after, keys, lobby, scenes, text

ROOT = Path(__file__).parents[2]
PICTURES = Path(__file__).parent / "lobby_screens"
SCENES = scenes()
SIZES = ((80, 24), (120, 40))
ASCII = ("home-tables", "card-clash", "room-host", "settings", "doctor", "help")
CASES = [
    *((name, lang, size, False) for name in SCENES for lang in ("nl", "en") for size in SIZES),
    *((name, lang, (80, 24), True) for name in ASCII for lang in ("nl", "en")),
]


def picture(name: str, lang: str, size: tuple[int, int], ascii_: bool) -> str:
    """The file name of a golden screen."""
    return f"{name}-{lang}-{size[0]}x{size[1]}{'-ascii' if ascii_ else ''}.txt"


@pytest.mark.parametrize(("name", "lang", "size", "ascii_"), CASES, ids=[picture(*case) for case in CASES])
def test_lobby_screens_are_as_they_were_agreed(name: str, lang: str, size: tuple[int, int], ascii_: bool) -> None:
    """Each screen equals its picture, to the cell."""
    shown = text(SCENES[name], *size, lang=lang, ascii_=ascii_)
    path = PICTURES / picture(name, lang, size, ascii_)
    if os.environ.get("DUIZENDEN_WRITE_SCREENS"):
        PICTURES.mkdir(exist_ok=True)
        path.write_text(shown, encoding="utf-8")

    assert shown == path.read_text(encoding="utf-8")


def test_every_lobby_picture_belongs_to_a_screen() -> None:
    """No picture is left over from a screen that is not drawn any more."""
    assert sorted(path.name for path in PICTURES.iterdir()) == sorted(picture(*case) for case in CASES)


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from(sorted(SCENES)),
    st.integers(1, 200),
    st.integers(1, 70),
    st.sampled_from(("nl", "en")),
    st.booleans(),
)
def test_every_size_of_the_lobby_is_filled_exactly(
    name: str, columns: int, lines: int, lang: str, ascii_: bool
) -> None:
    """Whatever the size, the drawing has that many lines of that many cells, and only known styles."""
    drawing = draw(SCENES[name], Glyphs(lang, ascii_), columns, lines)

    assert [width(plain(row)) for row in drawing.lines] == [columns] * lines
    classes = {style for row in drawing.lines for style, _ in row}
    assert classes <= {f"class:{name}" for name in STYLE} | {""}
    assert all(s.x >= 0 and s.x + s.width <= columns and 0 <= s.y < lines for s in drawing.spots)


@pytest.mark.parametrize(("columns", "lines"), [(79, 24), (80, 23), (40, 10), (12, 3), (1, 1)])
@pytest.mark.parametrize("lang", ["nl", "en"])
def test_a_lobby_without_room_says_so_in_one_line(columns: int, lines: int, lang: str) -> None:
    """A screen below 80x24 has words in its first line only, never a broken list."""
    first, *rest = text(SCENES["home-tables"], columns, lines, lang=lang).split("\n")

    assert 0 < len(first) <= columns
    assert set(rest) == {""}


def test_letters_only_lobbies_are_ascii() -> None:
    """With letters nothing else reaches the terminal."""
    for name in SCENES:
        for lang in ("nl", "en"):
            assert text(SCENES[name], 120, 40, lang=lang, ascii_=True).isascii(), name


def _words(texts: Mapping[str, tuple[str, str]], lang: int) -> set[str]:
    """Longer words that stand in the sentences of one language only."""
    found: list[set[str]] = [set(), set()]
    for pair in texts.values():
        for place in (0, 1):
            found[place] |= set(re.findall(r"[a-zà-ÿ]{4,}", re.sub(r"\{\w+\}", " ", pair[place]).lower()))
    return found[lang] - found[1 - lang]


@pytest.mark.parametrize(("lang", "foreign"), [("nl", 1), ("en", 0)])
def test_no_lobby_screen_mixes_languages(lang: str, foreign: int) -> None:
    """No word that only the other language uses stands on any screen."""
    others = _words({**OWN, **WORDS, **CATALOGUE}, foreign) - {"truus", "joep", "cees", "klassiek", "modern"}
    assert len(others) > 400
    own = {
        "spelregelwijzer",
        "heijden",
        "duizenden",
        "online",
        "home",
        "nederlands",
        "english",
        "basis",
        "start",
        "audit",
        "seed",
    }
    for name, state in SCENES.items():
        shown = set(re.findall(r"[a-zà-ÿ]{4,}", text(state, 120, 60, lang=lang).lower()))
        assert shown & (others - own) == set(), name


def test_nothing_in_the_lobby_is_told_by_colour_alone() -> None:
    """Cursor, state of a table, change and clash each have a sign or a word."""
    tables = text(SCENES["home-tables"])
    assert tables.count("▶") == 1
    for fit in Fit:
        assert f"lobby.fit.{fit.value}" in OWN
    assert "● open" in tables
    assert "○ vol" in tables
    assert "• Schoppenvrouw weggooien" in text(SCENES["card-house"])
    assert text(SCENES["card-clash"]).count("✗") >= 2


def test_the_cursor_is_always_on_the_screen() -> None:
    """However long the lists are, the row of the cursor is among the lines that are drawn."""
    many = tuple(
        t for k in range(12) for t in (TABLES[0].__class__(table=f"t{k}", title=f"Tafel {k}", fit=Fit.CHECKING),)
    )
    state = after(TablesSeen(many))
    for _ in range(25):
        for size in SIZES:
            assert text(state, *size).count("▶") == 1
        state = after(*keys("down"), start=state)
    card = after(*keys("n"))
    for _ in range(80):
        assert text(card).count("▶") == 1
        card = after(*keys("down"), start=card)


def test_every_place_shows_its_keys() -> None:
    """The key line of each screen fits at 80 columns with the way back on it; help lists all keys of each screen."""
    for name, state in SCENES.items():
        for lang in ("nl", "en"):
            bottom = text(state, lang=lang).rstrip("\n").split("\n")[-1]
            back = say("lobby.key.back", lang), say("lobby.key.leave", lang), say("lobby.key.quit", lang)
            rest = say("lobby.key.no", lang), say("lobby.key.stop", lang)
            assert any(word in bottom for word in (*back, *rest)), (name, lang, bottom)
            assert line(state)
    for table in TABLE.values():
        for bind in table:
            assert f"lobby.key.{bind.name}" in OWN, bind


def test_every_click_means_what_stands_there() -> None:
    """A click on a row points at it, on a key of the key line it presses that key; elsewhere it means nothing."""
    state = SCENES["home-tables"]
    drawing = draw(state, Glyphs("nl"), 80, 24)
    rows = [plain(row) for row in drawing.lines]
    truus = next(place for place, row in enumerate(rows) if "Tafel van Truus" in row)

    assert repr(drawing.meant(10, truus)) == "Point(row='truus')"
    assert repr(drawing.meant(rows[23].index("stoppen"), 23)) == "Press(key='q', limit=0, leaf=1)"
    assert repr(drawing.meant(rows[23].index("kiezen") - 3, 23)) == "Press(key='up', limit=0, leaf=1)"
    assert drawing.meant(0, 0) is None
    assert drawing.meant(79, 12) is None


# ------------------------------------------------------------------ the texts


def _strings() -> set[str]:
    """Every string and every constant part of an f-string in the sources of the lobby and the doctor."""
    paths = [*(ROOT / "client_cli" / "lobby").rglob("*.py"), ROOT / "client_cli" / "commands" / "doctor.py"]
    return {
        node.value
        for path in paths
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_lobby_texts_are_complete_in_both_languages() -> None:
    """No text is empty, and both languages use the same facts."""
    for code, (dutch, english) in OWN.items():
        assert dutch.strip(), code
        assert english.strip(), code
        assert set(facts_of(dutch)) == set(facts_of(english)), code


def test_every_lobby_code_has_a_text_and_every_text_a_use() -> None:
    """Codes said literally exist; texts that nothing says, literally or by a prefix, do not."""
    said = _strings()
    codes = {text for text in said if re.fullmatch(r"(lobby|setting|clash|doctor)\.[a-z_.0-9]+[a-z0-9]", text)}
    prefixes = tuple(text for text in said if re.fullmatch(r"(lobby|setting|clash|doctor)\.([a-z_]+\.)*", text))

    assert len(codes) > 50
    assert sorted(code for code in codes if not knows(code)) == []
    assert sorted(code for code in OWN if code not in said and not code.startswith(prefixes)) == []


def test_no_text_of_the_lobby_hides_one_of_another_catalogue() -> None:
    """Each code belongs to one catalogue only."""
    assert OWN.keys() & WORDS.keys() == set()
    assert OWN.keys() & CATALOGUE.keys() == set()


def test_a_lobby_with_long_names_stays_in_its_columns() -> None:
    """Names and titles from other people are cut and made harmless, whatever is in them."""
    from client_cli.lobby.state import Person

    evil = replace(TABLES[0], title="\x1b[31m" + "界" * 40, people=(Person("x\r\n" * 30, bot=True),) * 7)
    for size in SIZES:
        shown = text(after(TablesSeen((evil,)), start=lobby("Jan\x07" * 9)), *size)
        assert "\x1b" not in shown
        assert all(width(row) <= size[0] for row in shown.split("\n"))


@pytest.mark.parametrize(("rounds", "words"), [(0, "tot 500 punten"), (1, "wordt 1 ronde"), (2, "worden 2 rondes")])
def test_the_waiting_room_says_how_long_the_game_is(rounds: int, words: str) -> None:
    """So many points, one round, or so many rounds."""
    shown = text(after(RoomChanged(replace(ROOM, max_rounds=rounds), hosting=False)))

    assert words in shown
