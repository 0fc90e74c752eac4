"""Text for cards, melds and plays, as golden cases, logs and documentation write them.

A card is two letters (`QS`, `TD`), a joker `X`; a joker that stands for something is `X=QD`, or `X=8` where the suit is
open; a two that serves as a joker is `2C=QD`. A seat is a letter, a meld on the table its owner's letter and number
(`A0`). Nothing is decided here; positions are written by `position`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .actions import ANY_SUIT, Lay, LayOff, Placed, Play, Slot, Step, Swap
from .cards import RANKS, format_face, parse_face
from .state import Meld, MeldCard, Round

SEATS = "ABCDEFG"
UNKNOWN = "?"


def format_identity(stands_for: int) -> str:
    """What a joker stands for: a card, or a rank alone."""
    return RANKS[stands_for - ANY_SUIT] if stands_for >= ANY_SUIT else format_face(stands_for)


def parse_identity(text: str) -> int:
    """The declaration written as `format_identity` does. Raises ValueError for any other text."""
    if len(text) == 1 and text in RANKS:
        return ANY_SUIT + RANKS.index(text)
    if text == "X":
        raise ValueError("a joker stands for a card")
    return parse_face(text)


def parse_card(text: str) -> tuple[int, int | None]:
    """The face and the declaration (None without) of a card in a meld. Raises ValueError for any other text."""
    face, equals, identity = text.partition("=")
    return parse_face(face), parse_identity(identity) if equals else None


def format_card(face: int | None, stands_for: int | None = None) -> str:
    """The text of a card in a meld; `?` for a card that is not known."""
    text = UNKNOWN if face is None else format_face(face)
    return text if stands_for is None else f"{text}={format_identity(stands_for)}"


def format_meld_card(card: MeldCard) -> str:
    """The text of a card on the table; a joker with what it stands for."""
    return format_card(card.face, card.stands_for if card.wild else None)


def format_meld(meld: Meld) -> str:
    """The cards of a meld in brackets."""
    return f"[{' '.join(map(format_meld_card, meld.cards))}]"


def meld_name(melds: Sequence[Meld], number: int) -> str:
    """The owner's letter and the how-manieth of the owner's melds this is, from 0."""
    owner = melds[number].owner
    return f"{SEATS[owner]}{sum(meld.owner == owner for meld in melds[:number])}"


def find_meld(melds: Sequence[Meld], name: str) -> int | None:
    """The number of the meld with this name, None when there is none. Raises ValueError for a text that is no name.

    For whoever reads the written cases of the rules.
    """
    owner, digits = SEATS.find(name[:1]), name[1:]
    if not name or owner < 0 or not (digits.isascii() and digits.isdigit()):
        raise ValueError(f"not a meld: {name!r}")
    own = [number for number, meld in enumerate(melds) if meld.owner == owner]
    return own[int(digits)] if int(digits) < len(own) else None


def format_step(melds: Sequence[Meld], step: Step, face_of: Callable[[Slot], int | None]) -> str:
    """`lay ..`, `layoff A0 .. high` or `swap A0.1 QD`, with the melds as they lie before the step."""

    def cards(placed: Sequence[Placed]) -> str:
        return " ".join(format_card(face_of(card.slot), card.stands_for) for card in placed)

    match step:
        case Lay():
            return f"lay {cards(step.cards)}"
        case LayOff():
            side = f" {step.side}" if step.side is not None else ""
            return f"layoff {_name(melds, step.meld)} {cards(step.cards)}{side}"
        case Swap():
            return f"swap {_name(melds, step.meld)}.{step.position} {format_card(face_of(step.slot))}"


def _name(melds: Sequence[Meld], number: int) -> str:
    return meld_name(melds, number) if 0 <= number < len(melds) else f"#{number}"


def format_play(state: Round, play: Play, face_of: Callable[[Slot], int | None]) -> str:
    """A whole play in one line: `pot; lay 7S 7H 7D; layoff A0 KH high; discard KC`.

    Melds that the play itself lays are numbered on from those of the mover. For people who read a failing comparison.
    """
    melds = list(state.melds)
    parts = ["pot"] if play.take_pot else []
    for step in play.steps:
        parts.append(format_step(melds, step, face_of))
        if isinstance(step, Lay):
            melds.append(Meld(state.mover, "", ()))
    parts.append("end" if play.discard is None else f"discard {format_card(face_of(play.discard))}")
    parts.extend(f"show {format_card(face_of(slot))}" for slot in play.shown)
    if play.call_last:
        parts.append("last card")
    return "; ".join(parts)
