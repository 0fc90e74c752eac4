"""How a table is said without signs: cards as they are typed (`H7`, `SV`, `joker`), melds by their number."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from client_cli.faces import UNKNOWN
from client_cli.glyphs import RANKS, SUIT_LETTERS, Glyphs
from client_cli.messages import CATALOGUE, known, sentence
from client_cli.state import UiState
from client_cli.views.canvas import Piece
from client_cli.views.scene import Scene, as_text
from protocol.rules.cards import JOKER, rank, suit
from protocol.rules.state import MeldCard

__all__ = ["PlainGlyphs", "PlainScene", "as_text", "scene_of"]

WIDE = 1_000_000
"""Cells of a line: nothing is folded or clipped, the reader does that."""


@dataclass(frozen=True, slots=True)
class PlainGlyphs(Glyphs):
    """Cards in letters, suit first as people say them, and no signs but the minus."""

    def sign(self, name: str) -> str:
        """Nothing: what a sign tells is told in words."""
        return "-" if name == "minus" else ""

    def card(self, face: int) -> str:
        """The card as it can be typed."""
        if face == UNKNOWN:
            return "?"
        if face == JOKER:
            return "joker"
        return SUIT_LETTERS[self.lang][suit(face)].upper() + RANKS[self.lang][rank(face)]

    def meld_card(self, card: MeldCard) -> str:
        """A card on the table; a wild one with what it stands for."""
        if not card.wild or card.stands_for == card.face:
            return self.card(card.face)
        own, meaning = self.card(card.face), self.meaning(card.stands_for)
        return sentence("linear.stands_for", self.lang, card=own, meaning=meaning)


@dataclass(frozen=True, slots=True)
class PlainScene(Scene):
    """The words of a table for plain lines: sentences that speak of keys or signs have another wording here."""

    def code(self, code: str) -> str:
        """The wording for plain lines if there is one."""
        plain = f"linear.{code}"
        return plain if plain in CATALOGUE else known(code)

    def meld_tag(self, number: int) -> str:
        """The word and the number."""
        return sentence("linear.meld_tag", self.lang, number=number)

    def cards(self, faces: Iterable[tuple[int, int | None]]) -> list[Piece]:
        """Cards with commas between them; the empty pieces stand for the margins of chips."""
        words = []
        for face, stands_for in faces:
            wild = stands_for is not None and stands_for != face
            words.append(self.glyphs.meld_card(MeldCard(0, face, face if stands_for is None else stands_for, wild)))
        return [("", ""), ("", ", ".join(words)), ("", "")]

    def row(self, faces: Iterable[int]) -> str:
        """These cards in a row."""
        return as_text(self.cards((face, None) for face in faces))


def scene_of(state: UiState, lang: str) -> PlainScene:
    """The scene of this state in this language."""
    return PlainScene(state, PlainGlyphs(lang, ascii=True), WIDE, WIDE)
