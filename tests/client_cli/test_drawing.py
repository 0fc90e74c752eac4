"""The parts that everything on the screen is made of: canvas, wrapping, glyphs, the order of a hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client_cli.arrange import Sort, neighbour, ordered, shifted
from client_cli.glyphs import Glyphs, letters_only, signs_fit, width
from client_cli.theme import STYLE, style
from client_cli.views.canvas import Canvas, clip, plain, rich_width, wrap
from protocol.rules.actions import ANY_SUIT
from protocol.rules.cards import JOKER, parse_face
from protocol.rules.state import MeldCard

FACES = st.integers(min_value=0, max_value=JOKER)


def rows(canvas: Canvas) -> list[str]:
    """The canvas as plain lines."""
    return [plain(line) for line in canvas.lines()]


@given(
    st.lists(
        st.tuples(st.integers(-3, 12), st.integers(-2, 4), st.text(max_size=12), st.sampled_from(["", "a", "b"])),
        max_size=12,
    )
)
def test_a_canvas_keeps_its_size_whatever_is_written(writes: list[tuple[int, int, str, str]]) -> None:
    """Text of any script at any place leaves every line exactly as wide as the canvas, without control characters."""
    canvas = Canvas(9, 3)
    for x, y, text, kind in writes:
        canvas.put(x, y, text, kind)

    assert [width(row) for row in rows(canvas)] == [9, 9, 9]
    assert all(char.isprintable() for row in rows(canvas) for char in row)


def test_control_characters_from_other_people_are_harmless() -> None:
    """An escape sequence in a name shows as question marks and moves nothing."""
    canvas = Canvas(10, 1)
    canvas.put(0, 0, "a\x1b[2Jb\u202ec")

    assert rows(canvas) == ["a?[2Jb?c  "]


def test_half_of_a_wide_character_becomes_a_blank() -> None:
    """Writing over one half of a wide character removes the other half."""
    canvas = Canvas(6, 1)
    canvas.put(0, 0, "漢字")
    canvas.put(1, 0, "x")
    canvas.put(5, 0, "漢")

    assert rows(canvas) == [" x字  "]


@given(st.lists(st.tuples(st.sampled_from(["a", "b"]), st.text(alphabet="ab ♠", max_size=20)), max_size=5))
def test_wrapping_loses_nothing_but_blanks(pieces: list[tuple[str, str]]) -> None:
    """The words of the wrapped lines are those of the text, and only a word that is too long exceeds the width."""
    lines = wrap(pieces, 10)

    assert "".join(plain(line) for line in lines).replace(" ", "") == plain(pieces).replace(" ", "")
    assert all(rich_width(line) <= 10 or " " not in plain(line) for line in lines)


def test_clipping_says_that_it_clipped() -> None:
    """A text that is too long ends in the ellipsis; one that fits is left alone."""
    assert clip("Annabel", 7) == "Annabel"
    assert clip("Annabella", 7) == "Annabe…"
    assert clip("Anna", 0) == ""


@pytest.mark.parametrize(
    ("lang", "ascii_", "cards", "expected"),
    [
        ("nl", False, "JH QS KD AC TD X", "B♥ V♠ H♦ A♣ 10♦ ★"),
        ("en", False, "JH QS KD AC TD X", "J♥ Q♠ K♦ A♣ 10♦ ★"),
        ("nl", True, "JH QS KD AC TD X", "Bh Vs Hr Ak 10r *"),
        ("en", True, "JH QS KD AC TD X", "Jh Qs Kd Ac 10d *"),
    ],
)
def test_cards_have_the_letters_of_the_language(lang: str, ascii_: bool, cards: str, expected: str) -> None:
    """Boer, vrouw, heer in Dutch; jack, queen, king in English; suits as signs or as letters."""
    glyphs = Glyphs(lang, ascii_)

    assert " ".join(glyphs.card(parse_face(word)) for word in cards.split()) == expected


def test_a_joker_on_the_table_shows_what_it_stands_for() -> None:
    """A joker names its card, or only the rank where the suit is not tracked; a wild two shows itself as well."""
    glyphs = Glyphs("en")
    queen, two = parse_face("QD"), parse_face("2C")

    assert glyphs.meld_card(MeldCard(1, JOKER, queen, wild=True)) == "★Q♦"
    assert glyphs.meld_card(MeldCard(1, JOKER, ANY_SUIT + 11, wild=True)) == "★Q"
    assert glyphs.meld_card(MeldCard(1, two, queen, wild=True)) == "2♣=Q♦"
    assert glyphs.meld_card(MeldCard(1, two, two)) == "2♣"


@pytest.mark.parametrize(("encoding", "fits"), [("utf-8", True), ("ascii", False), ("cp1252", False), (None, False)])
def test_letters_replace_signs_where_the_encoding_has_none(encoding: str | None, fits: bool) -> None:
    """Only an encoding that can write every sign gets them."""
    assert signs_fit(encoding) is fits


@pytest.mark.parametrize(
    ("environment", "letters"),
    [
        ({}, False),
        ({"LANG": "C"}, True),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, True),
        ({"LC_CTYPE": "C.UTF-8"}, False),
        ({"LANG": "C.UTF-8"}, False),
        ({"LC_ALL": "", "LC_CTYPE": "POSIX", "LANG": "nl_NL.UTF-8"}, True),
        ({"LC_ALL": "nl_NL.UTF-8", "LANG": "C"}, False),
    ],
)
def test_a_locale_without_signs_gets_letters(environment: dict[str, str], letters: bool) -> None:
    """The first locale that is set decides; one that is not set says nothing."""
    assert letters_only(environment) is letters


def test_no_sign_of_the_letter_set_needs_more_than_ascii() -> None:
    """With letters, whatever a glyph is made of is ASCII; no set ever uses the playing-card block."""
    letters, signs = Glyphs("nl", ascii=True), Glyphs("nl")
    names = ["joker", "turn", "new", "must", "on", "off", "H", "V", "TL", "tl", "h", "v", "full", "empty", "back"]

    assert all(letters.sign(name).isascii() for name in names)
    assert all(letters.card(face).isascii() for face in range(JOKER + 1))
    assert all(ord(char) < 0x1F000 for face in range(JOKER + 1) for char in signs.card(face))


def test_numbers_show_their_sign() -> None:
    """Scores are written with a real minus, and with a plus where a change is meant."""
    glyphs = Glyphs("nl")

    assert [glyphs.number(-5), glyphs.signed(5), glyphs.signed(0), glyphs.signed(-5)] == ["−5", "+5", "0", "−5"]


def test_a_class_that_the_theme_lacks_is_refused() -> None:
    """A view cannot use a colour that nobody defined."""
    assert style("card") == "class:card"
    assert all(STYLE.values())
    with pytest.raises(KeyError):
        style("no such class")


@given(st.lists(FACES, max_size=40), st.sampled_from(Sort), st.data())
def test_an_order_is_a_permutation(faces: list[int], sort: Sort, data: st.DataObject) -> None:
    """Every way of ordering keeps each card exactly once, also with an old order and groups that partly apply."""
    hand = tuple(range(len(faces)))
    before = data.draw(st.permutations([*hand, 99]))
    group = tuple(data.draw(st.permutations([*hand, 98]))[:3])
    result = ordered(hand, dict(enumerate(faces)), sort, before, (group,))

    assert sorted(result) == list(hand)


def test_sorted_hands_read_as_people_hold_them() -> None:
    """By suit the aces stand after the kings and colours alternate; by rank equal ranks stand together; jokers last."""
    hand = "AH X 2S KS AS 3C 3D KH"
    faces = {slot: parse_face(word) for slot, word in enumerate(hand.split())}
    glyphs = Glyphs("en")

    def shown(sort: Sort) -> str:
        return " ".join(glyphs.card(faces[slot]) for slot in ordered(tuple(faces), faces, sort))

    assert shown(Sort.SUIT) == "2♠ K♠ A♠ K♥ A♥ 3♣ 3♦ ★"
    assert shown(Sort.RANK) == "2♠ 3♣ 3♦ K♠ K♥ A♠ A♥ ★"


def test_own_order_appends_what_is_new() -> None:
    """Our own order never moves a card; new ones come at the end."""
    faces = dict.fromkeys(range(6), 0)

    assert ordered((1, 2, 3, 5), faces, Sort.OWN, (3, 4, 1, 2)) == (3, 1, 2, 5)
    assert shifted((1, 2, 3), 1, 1) == (2, 1, 3)
    assert shifted((1, 2, 3), 1, -1) == (1, 2, 3)


def test_a_cursor_whose_card_is_gone_goes_to_the_neighbour() -> None:
    """It moves to the next card that is still there, else to the one before, else nowhere."""
    assert neighbour((1, 2, 3), 2, (1, 3)) == 3
    assert neighbour((1, 2, 3), 3, (1, 2)) == 2
    assert neighbour((1, 2, 3), 2, (7, 8)) == 7
    assert neighbour((1, 2, 3), 2, ()) is None
