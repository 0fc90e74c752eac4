"""Much to show in little room: thousands of long lines, seven players, unread words, a refused pot."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from client_cli.chronicle import LONGEST, Entry
from client_cli.glyphs import Glyphs
from client_cli.intents import Edge, Key, Leaf, Link, Open, Page
from client_cli.model import UiState
from client_cli.views.canvas import plain
from client_cli.views.screen import Drawing, draw, measured
from protocol.rules.state import Phase
from tests.client_cli.scenes import run, screen, text, view


def said(count: int) -> UiState:
    """The page of a log of so many long lines, each with its own number."""
    log = tuple(
        Entry(1, "talk.said", 1, (("text", f"n{number}n " + "van alles en nog wat " * 7),)) for number in range(count)
    )
    return run(replace(screen(view()), log=log), Open(Page.LOG))[0]


def drawn(state: UiState) -> Drawing:
    """The screen of 80x24."""
    return draw(state, Glyphs("nl"), 80, 24)


def numbers(drawing: Drawing) -> list[int]:
    """The numbers of the lines on it, from the top."""
    return [int(number) for line in drawing.lines for number in re.findall(r"n(\d+)n", plain(line))]


def test_leafing_through_a_log_of_long_lines() -> None:
    """Leaf by leaf every line is seen once, newest first, and none is cut at the bottom."""
    seen: list[int] = []
    state = said(60)
    for _ in range(60):
        drawing = drawn(state)
        seen += [number for number in numbers(drawing) if not seen or number < seen[-1]]
        state = run(state, measured(Leaf(1), drawing))[0]

    assert seen == list(range(59, -1, -1))


def test_the_end_of_ten_thousand_lines() -> None:
    """The key End shows the oldest line at once, and how many there are; Home the newest."""
    state = said(LONGEST)
    end = run(state, measured(Edge(1), drawn(state)))[0]
    back = run(end, measured(Edge(-1), drawn(end)))[0]

    assert LONGEST == 10_000
    assert numbers(drawn(end))[-1] == 0
    assert numbers(drawn(back))[0] == LONGEST - 1
    assert f"van {LONGEST}" in text(end)


def test_unread_words_stand_once() -> None:
    """Words that stand below the table are not in the end of the log beside it too, until they have been looked at."""
    log = tuple(Entry(1, "talk.said", 1, (("text", word),)) for word in ("eerder", "zonet"))
    state = replace(screen(view()), log=log, unread=1)

    assert [text(state, 120, 40).count(word) for word in ("eerder", "zonet")] == [1, 1]
    assert text(replace(state, unread=0), 120, 40).count("zonet") == 1


@pytest.mark.parametrize("lang", ["nl", "en"])
def test_seven_players_and_who_is_not_there(lang: str) -> None:
    """With seven at 80 columns it can be read of each whether they are away, silent or gone, and their names too."""
    link = Link(broker="h:1", peers=(True, True, False, True, True, True, True))
    state = screen(view(others=(13,) * 6, rules_name="basis"), link=link)
    state = replace(state, standing=replace(state.standing, away=(1, 3)), left=(5,))
    lines = text(state, lang=lang).split("\n")
    words = {"nl": ("even weg", "offline", "weg"), "en": ("away", "not heard", "gone")}[lang]

    assert all(name in lines[1] for name in ("Bram", "Cor", "Dina", "Evert", "Fien", "Gijs"))
    assert "\n".join(lines[1:4]).count(words[0]) >= 2
    assert all(word in "\n".join(lines[1:4]) for word in words)
    assert all(len(line) <= 80 for line in lines)


@pytest.mark.parametrize(("lang", "why"), [("nl", "laat liggen, pakt van"), ("en", "leaves the open card draws")])
def test_after_passing_only_the_stock_is_left(lang: str, why: str) -> None:
    """Who let the open card lie reads that this is why the pot is closed, and not that something was drawn already."""
    table = view(phase=Phase.DRAW, rules_name="spelregelwijzer")
    assert table.round is not None
    state = screen(replace(table, round=replace(table.round, stock_only=True)))
    refused = run(state, Key.POT)[0]

    for shown in (text(state, lang=lang), text(refused, lang=lang)):
        assert " ".join(shown.split()).count(why) == 1
    assert "(s)" in text(refused, lang=lang)
