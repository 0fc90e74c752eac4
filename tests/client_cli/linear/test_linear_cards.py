"""Cards as people type them."""

from __future__ import annotations

import pytest

from client_cli.linear.cards import NAMES, Problem, cards_meant, face_named, tokens
from client_cli.linear.scene import PlainGlyphs
from protocol.rules.cards import FACES, parse_face

HAND = (10, 11, 12, 13, 14)
FACE = {10: parse_face("7H"), 11: parse_face("7H"), 12: parse_face("QS"), 13: parse_face("X"), 14: parse_face("KC")}


@pytest.mark.parametrize("lang", ["nl", "en"])
def test_what_is_said_can_be_typed(lang: str) -> None:
    """Every card is read back as it is told, in small letters and capitals."""
    glyphs = PlainGlyphs(lang, ascii=True)
    for face in range(FACES):
        assert face_named(glyphs.card(face), lang) == face
        assert face_named(glyphs.card(face).lower(), lang) == face


@pytest.mark.parametrize(
    ("name", "lang", "face"),
    [
        ("7h", "nl", "7H"),
        ("h7", "nl", "7H"),
        ("SV", "nl", "QS"),
        ("vs", "nl", "QS"),
        ("hh", "nl", "KH"),
        ("R10", "nl", "TD"),
        ("schoppenvrouw", "nl", "QS"),
        ("klaver2", "nl", "2C"),
        ("10d", "en", "TD"),
        ("td", "en", "TD"),
        ("♥7", "en", "7H"),
        ("SQ", "nl", "QS"),
        ("SV", "en", "QS"),
        ("JOKER", "en", "X"),
    ],
)
def test_names_of_cards(name: str, lang: str, face: str) -> None:
    """Suit or rank may come first, words and signs will do, and the other language's letters where they are clear."""
    assert face_named(name, lang) == parse_face(face)


def test_no_name_means_two_cards() -> None:
    """In each language a name means one card: whoever types it is never guessed at."""
    for names in NAMES.values():
        assert len(names) > 400
    assert face_named("hr", "nl") == parse_face("KD")
    assert face_named("zz", "nl") is None


def test_words_of_a_line() -> None:
    """Blanks and commas part the words of a line; a suit written as a word stays with its rank."""
    assert tokens("  k 1,2 ;3 ") == ["k", "1", "2", "3"]
    assert tokens("weg harten 7") == ["weg", "harten7"]
    assert tokens("queen of spades H7") == ["queenspades", "H7"]
    assert face_named("queenspades", "en") == parse_face("QS")
    assert tokens("") == []


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("SV", "joker"), (12, 13)),
        (("3", "5"), (12, 14)),
        (("H7", "H7"), (10, 11)),
        (("H7",), (10,)),
        (("2", "h7"), (11, 10)),
    ],
)
def test_cards_of_the_hand(words: tuple[str, ...], meant: tuple[int, ...]) -> None:
    """Numbers count along the hand, names mean any copy that is left."""
    assert cards_meant(words, HAND, FACE, (), "nl") == meant


@pytest.mark.parametrize(
    ("words", "fresh", "code"),
    [
        (("6",), (), "linear.no_number"),
        (("0",), (), "linear.no_number"),
        (("99999999999999999999",), (), "linear.no_number"),
        (("1", "1"), (), "linear.twice"),
        (("bla",), (), "linear.no_card"),
        (("S2",), (), "linear.not_held"),
        (("SV", "SV"), (), "linear.held_once"),
        (("H7",), (11,), "linear.which"),
    ],
)
def test_cards_that_cannot_be_meant(words: tuple[str, ...], fresh: tuple[int, ...], code: str) -> None:
    """Each way of naming no card has its own answer; two copies of which one is new are asked about."""
    found = cards_meant(words, HAND, FACE, fresh, "nl")

    assert isinstance(found, Problem)
    assert found.code == code
