"""Faces, suits, ranks and the text form of one card.

A *card* is a physical object with an id (spec/20-crypto.md 5.3); a *face* is what two copies share. The rules
only ever see faces. This file knows no rule of the game beyond what is printed on a card.
"""

from __future__ import annotations

from dataclasses import dataclass

SUITS = "SHDC"
RANKS = "A23456789TJQK"
JOKER = 52
"""The face of every joker."""
FACES = 53
QUEEN_OF_SPADES = 11
TWO = 1
ACE = 0
KING = 12


def suit(face: int) -> int:
    """Suit of a natural face: 0 spades, 1 hearts, 2 diamonds, 3 clubs."""
    return face // 13


def rank(face: int) -> int:
    """Rank of a natural face: 0 ace, 1 two, .., 9 ten, 10 jack, 11 queen, 12 king."""
    return face % 13


def face_of(suit_: int, rank_: int) -> int:
    """The natural face with this suit and rank."""
    return suit_ * 13 + rank_


def format_face(face: int) -> str:
    """Two letters, rank then suit (`QS`, `TD`), or `X` for a joker."""
    return "X" if face == JOKER else RANKS[rank(face)] + SUITS[suit(face)]


def parse_face(text: str) -> int:
    """The face written as `format_face` does. Raises ValueError for any other text."""
    if text == "X":
        return JOKER
    if len(text) != 2 or text[0] not in RANKS or text[1] not in SUITS:
        raise ValueError(f"not a card: {text!r}")
    return face_of(SUITS.index(text[1]), RANKS.index(text[0]))


@dataclass(frozen=True, slots=True)
class Pack:
    """The composition of a deck: `packs` packs of 52 cards with `jokers` jokers in all (a multiple of packs).

    Card ids run 0..size-1; id c is copy c div width of face c mod width (faces >= 52 are jokers).
    """

    packs: int
    jokers: int

    @property
    def width(self) -> int:
        """Cards in one pack, jokers included: 52 to 56."""
        return 52 + self.jokers // self.packs

    @property
    def size(self) -> int:
        """Number of cards N in the deck."""
        return self.width * self.packs

    def face(self, card: int) -> int:
        """Face of the physical card with this id. Raises ValueError for an id outside the deck."""
        width = self.width
        if not 0 <= card < width * self.packs:
            raise ValueError(f"no card {card} in a deck of {self.size}")
        return min(card % width, JOKER)
