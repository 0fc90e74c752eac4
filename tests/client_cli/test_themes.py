"""The themes: complete, legible, and without any colour where none is wanted."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from client_cli.commands.context import make_context
from client_cli.glyphs import Glyphs
from client_cli.intents import Key
from client_cli.theme import STYLE, THEMES, chosen, palette
from client_cli.views.canvas import plain
from client_cli.views.screen import draw
from tests.client_cli.emulator import playing
from tests.client_cli.fake_table import FakeTable
from tests.client_cli.scenes import run, screen, view
from tests.client_cli.test_screens import SCENES

PICTURES = Path(__file__).parent / "mono"
SHOWN = ("draw", "several-offers", "laid", "pot-rule", "ask-discard", "others-turn", "away", "catch", "fault")
LINES = ("rule", "bar.empty", "slot.edge", "back")
"""Classes of lines and grounds, on which nothing is written."""


def luminance(colour: str) -> float:
    """Relative luminance of `#rrggbb` (WCAG 2.1)."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast of two colours (WCAG 2.1): 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def inks(theme: str) -> dict[str, tuple[str, str]]:
    """Ink and ground of every class of text, the screen's ground where a class has none of its own."""
    styles = palette(theme)
    ground = next(word for word in styles["screen"].split() if word.startswith("bg:"))[3:]
    found: dict[str, tuple[str, str]] = {}
    for name, value in styles.items():
        if name in LINES or name.endswith(".edge"):
            continue
        own = [word[3:] for word in value.split() if word.startswith("bg:")]
        ink = next((word for word in value.split() if word.startswith("#")), None)
        if ink is not None:
            found[name] = (ink, own[0] if own else ground)
    return found


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("sixteen", [False, True])
def test_every_theme_has_every_class(theme: str, sixteen: bool) -> None:
    """No class is missing in any theme and depth, and none prints in the colour of its own ground."""
    styles = palette(theme, sixteen=sixteen)

    assert set(styles) == set(STYLE)
    for name, value in styles.items():
        colours = [word.removeprefix("bg:") for word in value.split() if word.startswith(("bg:", "#", "ansi"))]
        assert len(colours) < 2 or colours[0] != colours[1] or colours[0] == "ansidefault", name


@pytest.mark.parametrize(("theme", "least"), [("dark", 3.8), ("light", 3.9), ("four", 4.1), ("contrast", 5.0)])
def test_words_stand_out_from_their_ground(theme: str, least: float) -> None:
    """All words of a theme have this contrast at least; high contrast deserves its name."""
    found = inks(theme)

    assert len(found) > 40
    assert {name: pair for name, pair in found.items() if contrast(*pair) < least} == {}


def test_four_suits_have_four_colours() -> None:
    """In that theme no two suits share an ink, on plain and on selected cards, in true colour and in sixteen."""
    for sixteen in (False, True):
        styles = palette("four", sixteen=sixteen)
        for sheet in ("card", "picked"):
            found = {styles[f"{sheet}.{suit}"] for suit in ("spades", "hearts", "diamonds", "clubs")}
            assert len(found) == 4


def test_mono_knows_no_colour() -> None:
    """Bold and reversed, and nothing else."""
    for sixteen in (False, True):
        words = {word for value in palette("mono", sixteen=sixteen).values() for word in value.split()}
        assert words == {"bold", "reverse"}


def test_no_color_makes_every_theme_mono() -> None:
    """Set and not empty, whatever its value; a theme that does not exist is an error."""
    for theme in THEMES:
        assert chosen(theme, {"NO_COLOR": "0"}) == "mono"
        assert chosen(theme, {"NO_COLOR": ""}) == theme
        assert chosen(theme, {}) == theme
    with pytest.raises(ValueError, match="purple"):
        chosen("purple", {})


def picture(name: str) -> str:
    """The screen in monochrome: each line, and below it what is bold (b), reversed (r) or both (R)."""
    styles = palette("mono")
    shown: list[str] = []
    for line in draw(SCENES[name], Glyphs("nl"), 80, 24).lines:
        marks = ""
        for kind, words in line:
            value = styles.get(kind.removeprefix("class:"), "")
            sign = {"": " ", "bold": "b", "reverse": "r"}.get(value, "R")
            marks += sign * len(words)
        shown += [plain(line).rstrip(), *([marks.rstrip()] if marks.strip() else [])]
    return "\n".join(shown) + "\n"


@pytest.mark.parametrize("name", SHOWN)
def test_monochrome_screens_are_as_they_were_agreed(name: str) -> None:
    """Each equals its picture; written anew as the other screens are."""
    path = PICTURES / f"{name}.txt"
    if os.environ.get("DUIZENDEN_WRITE_SCREENS"):
        PICTURES.mkdir(exist_ok=True)
        path.write_text(picture(name), encoding="utf-8")

    assert picture(name) == path.read_text(encoding="utf-8")


def test_every_monochrome_picture_belongs_to_a_screen() -> None:
    """No picture is left over."""
    assert sorted(path.stem for path in PICTURES.iterdir()) == sorted(SHOWN)


def test_monochrome_tells_suit_selection_turn_and_must_use() -> None:
    """By signs, heights, edges and reversed grounds: none of the four needs a colour."""
    assert "rrrrr rrrrr                   rrrrr" in picture("several-offers")  # the selected cards are reversed
    drawn = picture("draw")
    assert all(sign in drawn for sign in "♠♥♦♣★")
    assert "▶ Anna (jij)" in drawn
    assert "▶ Cor" in picture("others-turn")
    assert "│♥! │" in picture("pot-rule")  # the card that has to be used at once
    two, _ = run(screen(view(hand="2S 3S 4S")), Key.TOGGLE)
    lines = [plain(line) for line in draw(two, Glyphs("nl"), 80, 24).lines]
    assert next(k for k, line in enumerate(lines) if "┏" in line) < max(
        k for k, line in enumerate(lines) if line.count("╭") == 2
    )


@pytest.mark.parametrize(("theme", "no_color"), [("mono", False), ("dark", True)])
async def test_a_monochrome_screen_sends_no_colour(theme: str, no_color: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """By theme or by NO_COLOR: no escape sequence that sets a colour reaches the terminal."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    if no_color:
        monkeypatch.setenv("NO_COLOR", "1")
    table = FakeTable(seed=4)
    async with playing(table, theme=theme) as played:
        await table.deal()
        await played.terminal.shows("Jij bent aan de beurt")
        played.press("space", "?")
        await played.terminal.shows("Toetsen")

    codes = {
        code for found in re.findall(r"\x1b\[([0-9;]*)m", "".join(played.terminal.written)) for code in found.split(";")
    }
    assert codes <= {"", "0", "1", "7"}
    assert {"1", "7"} <= codes


@pytest.mark.parametrize("theme", [theme for theme in THEMES if theme != "mono"])
async def test_a_theme_reaches_the_terminal(theme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The ground of the theme is among the colours that are sent, in true colour."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("COLORTERM", "truecolor")
    ground = next(word for word in palette(theme)["screen"].split() if word.startswith("bg:"))[4:]
    code = ";".join(str(int(ground[at : at + 2], 16)) for at in (0, 2, 4))
    table = FakeTable(seed=4)
    async with playing(table, theme=theme) as played:
        await table.deal()
        await played.terminal.shows("Jij bent aan de beurt")

    assert f"48;2;{code}" in "".join(played.terminal.written)


def test_a_theme_for_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """--theme counts before the kept one, which counts before the first; what is kept but unknown counts not at all."""
    monkeypatch.setenv("DUIZENDEN_HOME", str(tmp_path))
    first = make_context("nl", plain=False)
    first.profile.remember(theme="light")
    kept = make_context("nl", plain=False)
    asked = make_context("nl", plain=False, theme="contrast", mouse=False)
    first.profile.remember(theme="plaid")
    unknown = make_context("nl", plain=False)

    assert [context.theme for context in (first, kept, asked, unknown)] == ["dark", "light", "contrast", "dark"]
    assert [context.mouse for context in (first, asked)] == [True, False]
