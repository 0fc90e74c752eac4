"""The picture of the README: it is there, it is well-formed, and the script that draws it still can."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pyte
import pytest

from tests.client_cli.program import gone
from tests.pictures.readme import ALT, PICTURE, ROOT, drawn, next_key
from tests.pictures.svg import CELL, LINE, MARGIN, picture

SVG = "{http://www.w3.org/2000/svg}"


def shown(svg: str) -> list[tuple[float, str]]:
    """Every piece of text, with the cell where it begins."""
    return [
        ((float(text.attrib["x"]) - MARGIN) / CELL, (text.text or "").removesuffix("\ufe0e"))
        for text in ET.fromstring(svg).iter(f"{SVG}text")
    ]


def test_the_readme_opens_with_the_picture() -> None:
    """It stands right below the title, described in Dutch, and is a well-formed picture of a table with melds."""
    opening = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:3]
    svg = PICTURE.read_text(encoding="utf-8")
    words = " ".join(text for _, text in shown(svg))

    assert opening == ["# Duizenden", "", f"![{ALT}]({PICTURE.relative_to(ROOT).as_posix()})"]
    assert ET.fromstring(svg).attrib["aria-label"] == ALT
    assert all(word in words for word in ("Duizenden", "Truus", "stapel", "#1", "#5", "Een idee"))


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks at processes as Linux shows them")
def test_its_script_runs(tmp_path: Path) -> None:
    """The script sits down at a real table and draws what it sees; nothing of the game is left running."""
    svg = drawn(tmp_path, lambda screen: "aan de beurt. Pak" in screen)

    words = " ".join(text for _, text in shown(svg))
    assert all(word in words for word in ("Truus (jij)", "13 kaarten", "stapel"))
    assert gone(tmp_path)


def test_every_sign_stands_in_its_cell() -> None:
    """Words begin in their cell and end in theirs, suits are centred in one, and grounds are as wide as their cells."""
    screen = pyte.Screen(12, 2)
    pyte.Stream(screen).feed("\x1b[38;2;1;2;3m a<b\x1b[48;2;9;9;9m♠\x1b[0m\r\n╭─╮")

    svg = picture(screen, "x & y")
    root = ET.fromstring(svg)

    assert shown(svg) == [(1.0, "a<b"), (4.5, "♠")]
    assert [text.attrib.get("textLength") for text in root.iter(f"{SVG}text")] == [str(3 * CELL), None]
    grounds = [rect.attrib for rect in root.iter(f"{SVG}rect")][1:]
    assert [(int(ground["x"]), int(ground["width"]), ground["fill"]) for ground in grounds] == [
        (MARGIN + 4 * CELL, CELL, "#090909")
    ]
    (path,) = (path.attrib["d"] for path in root.iter(f"{SVG}path"))
    assert path.count("M") == 3
    assert f"M{MARGIN + CELL} {MARGIN + LINE * 1.5:g}" in path


def test_the_script_answers_what_stands_there() -> None:
    """A question is answered before anything else is done, and while others play nothing is typed."""
    assert next_key("Jij bent aan de beurt. Pak een kaart\n Een kaart pakken? (Enter = ja)") == "\r"
    assert next_key("Bep is aan de beurt.") == ""
