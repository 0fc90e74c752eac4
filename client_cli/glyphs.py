"""How one card and one line of a box look: signs, letters and their widths; no layout and no sentences.

Suits are text-style signs (♠♥♦♣), never the playing-card block U+1F0A0, which terminals draw one or two cells
wide as they please. A terminal whose encoding or measured widths cannot carry the signs gets letters instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from prompt_toolkit.utils import get_cwidth

from protocol.rules.actions import ANY_SUIT
from protocol.rules.cards import JOKER, rank, suit
from protocol.rules.state import MeldCard

RANKS = {
    "nl": ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "B", "V", "H"),
    "en": ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"),
}
SUIT_SIGNS = ("♠", "♥", "♦", "♣")
SUIT_LETTERS = {"nl": ("s", "h", "r", "k"), "en": ("s", "h", "d", "c")}
SUIT_CLASSES = ("spades", "hearts", "diamonds", "clubs")

_SIGNS = {
    "joker": "★",
    "turn": "▶",
    "new": "•",
    "must": "!",
    "dot": "·",
    "on": "●",
    "off": "○",
    "bot": "⚙",
    "minus": "−",
    "full": "█",
    "empty": "░",
    "back": "▒",
    "check": "✓",
    "cross": "✗",
    "more_up": "▲",
    "more_down": "▼",
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "ellipsis": "…",
    "dash": "–",
    "bar": "▐",
    "h": "─",
    "v": "│",
    "tl": "╭",
    "tr": "╮",
    "bl": "╰",
    "br": "╯",
    "H": "━",
    "V": "┃",
    "TL": "┏",
    "TR": "┓",
    "BL": "┗",
    "BR": "┛",
}
_LETTERS = {
    "joker": "*",
    "turn": ">",
    "new": "+",
    "must": "!",
    "dot": "-",
    "on": "*",
    "off": "o",
    "bot": "@",
    "minus": "-",
    "full": "#",
    "empty": ".",
    "back": ":",
    "check": "ok",
    "cross": "x",
    "more_up": "^",
    "more_down": "v",
    "left": "<-",
    "right": "->",
    "up": "up",
    "down": "dn",
    "ellipsis": "~",
    "dash": "-",
    "bar": "|",
    "h": "-",
    "v": "|",
    "tl": ".",
    "tr": ".",
    "bl": "'",
    "br": "'",
    "H": "=",
    "V": "#",
    "TL": "#",
    "TR": "#",
    "BL": "#",
    "BR": "#",
}


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The signs of one screen: language for the letters on the cards, `ascii` for letters instead of signs."""

    lang: str
    ascii: bool = False

    def sign(self, name: str) -> str:
        """The sign with this name. Raises KeyError for an unknown name."""
        return (_LETTERS if self.ascii else _SIGNS)[name]

    def rank(self, face: int) -> str:
        """What stands in the corner of the card: one or two cells."""
        return self.sign("joker") if face == JOKER else RANKS[self.lang][rank(face)]

    def suit(self, face: int) -> str:
        """The suit's sign, or the two letters of a joker."""
        if face == JOKER:
            return "jk"
        return SUIT_LETTERS[self.lang][suit(face)] if self.ascii else SUIT_SIGNS[suit(face)]

    def card(self, face: int) -> str:
        """The whole card on one line: rank and suit, or the joker's sign."""
        return self.sign("joker") if face == JOKER else self.rank(face) + self.suit(face)

    def meaning(self, stands_for: int) -> str:
        """A face, or ANY_SUIT + rank for a rank whose suit is not tracked."""
        return RANKS[self.lang][stands_for - ANY_SUIT] if stands_for >= ANY_SUIT else self.card(stands_for)

    def meld_card(self, card: MeldCard) -> str:
        """A card on the table: a joker is shown with what it stands for, a wild two as the card it is too."""
        if not card.wild:
            return self.card(card.face)
        own = self.sign("joker") if card.face == JOKER else self.card(card.face) + "="
        return own + self.meaning(card.stands_for)

    def number(self, value: int) -> str:
        """A whole number with a real minus sign."""
        return str(value) if value >= 0 else self.sign("minus") + str(-value)

    def signed(self, value: int) -> str:
        """A whole number that always shows its sign, except zero."""
        return "+" + str(value) if value > 0 else self.number(value)


def card_class(face: int) -> str:
    """The style class of a card's print: its suit, or the joker."""
    return "joker" if face == JOKER else SUIT_CLASSES[suit(face)]


def width(text: str) -> int:
    """Cells this text takes; characters that cannot be printed take one (they are shown as `?`)."""
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(cell_width(char) for char in text)


def cell_width(char: str) -> int:
    """Cells of one character: 0 for a combining mark, 2 for a wide one, 1 for whatever is shown as `?`."""
    return get_cwidth(char) if char.isprintable() else 1


def signs_fit(encoding: str | None) -> bool:
    """Whether every sign can be written in this encoding and is measured one cell wide; else letters are used."""
    signs = "".join((*SUIT_SIGNS, *_SIGNS.values()))
    try:
        signs.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return all(get_cwidth(sign) == 1 for sign in signs)


def letters_only(environment: Mapping[str, str]) -> bool:
    """Whether the system says that this terminal has letters only: its locale is C, which knows no signs.

    Python writes UTF-8 even then, and says so in LC_CTYPE by itself: that word is nobody's.
    """
    names = ("LC_ALL", "LC_CTYPE", "LANG")
    own = (environment.get(name, "") for name in names if (name, environment.get(name)) != ("LC_CTYPE", "C.UTF-8"))
    return next(filter(None, own), "") in {"C", "POSIX"}
