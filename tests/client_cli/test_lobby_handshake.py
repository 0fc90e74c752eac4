"""The card handshake on the screen: three cards to compare, told in words, from the moment they are known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client_cli.intents import Open, Page
from protocol.rules.cards import parse_face
from tests.client_cli.scenes import screen, text, view

CARDS = tuple(parse_face(word) for word in ("QS", "TD", "7H"))


@pytest.mark.parametrize(
    ("lang", "cards", "how"),
    [("nl", "V♠ 10♦ 7♥", "Noem ze hardop"), ("en", "Q♠ 10♦ 7♥", "Say them aloud")],
)
@pytest.mark.parametrize("width", [80, 120])
def test_the_fairness_page_shows_the_handshake(lang: str, cards: str, how: str, width: int) -> None:
    """The three cards stand at the top of the page, in the letters of the language, with what to do."""
    shown = text(screen(replace(view(), handshake=CARDS), Open(Page.FAIRNESS)), width, 24, lang=lang)
    top = shown.split("\n")[:8]

    assert any(cards in line for line in top)
    assert any(how in line for line in top)


def test_nothing_is_shown_before_the_cards_are_known() -> None:
    """Before the first opening there is nothing to compare."""
    assert "hardop" not in text(screen(view(), Open(Page.FAIRNESS)))
