"""The card handshake on the screen: three cards to compare, told in words, from the moment they are known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client_cli.glyphs import Glyphs
from client_cli.intents import Choose, Key, Open, Page
from client_cli.model import Note, Submit, UiState
from client_cli.views.canvas import plain
from client_cli.views.screen import draw
from protocol.rules.cards import parse_face
from protocol.session.session import SameCards
from protocol.session.view import Stage
from tests.client_cli.scenes import run, screen, text, view

NAMED = ("Bram", "Cor", "Dina")
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


def comparing(*, host: bool = True) -> UiState:
    """Before the first shuffle at a table with two other people and a bot."""
    shown = view(stage=Stage.SHUFFLING, waiting=(0,), me=0 if host else 1)
    players = tuple(replace(player, bot=seat == 3) for seat, player in enumerate(shown.players))
    return screen(replace(shown, players=players, handshake=CARDS, to_compare=host))


def test_the_game_begins_when_everybody_has_named_the_same_cards() -> None:
    """Each number ticks one player; Enter begins only when no person is missing, and only once. Bots need no tick."""
    state, effects = run(comparing(), Choose(1), Key.ACCEPT)
    assert effects == ()
    assert state.note == Note("note.compare_first", bad=True)

    state, effects = run(state, Choose(2), Key.ACCEPT)
    assert effects == (Submit(SameCards()),)
    _, effects = run(state, Key.ACCEPT)
    assert effects == ()


def test_a_tick_can_be_taken_back() -> None:
    """The same number again says that it was a mistake; numbers of nobody do nothing."""
    state, effects = run(comparing(), Choose(1), Choose(2), Choose(1), Choose(9), Key.ACCEPT)

    assert state.same == (2,)
    assert effects == ()


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_a_click_on_a_name_ticks_it(size: tuple[int, int]) -> None:
    """Every line with a name means the number of that player."""
    drawing = draw(comparing(), Glyphs("nl"), *size)
    lines = [plain(line) for line in drawing.lines]
    places = [(line.index(f" {name} "), row) for row, line in enumerate(lines) for name in NAMED if f" {name} " in line]
    meant = [drawing.meant(*place) for place in places]

    assert [each for each in meant if each is not None] == [Choose(1), Choose(2)]


def test_others_see_the_cards_and_who_begins() -> None:
    """A joiner has nothing to tick: it says the cards aloud and waits for the host."""
    state = comparing(host=False)
    shown = text(state)

    assert "V♠ 10♦ 7♥" in shown
    assert "Anna begint" in shown
    assert run(state, Choose(1), Key.ACCEPT)[1] == ()
