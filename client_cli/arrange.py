"""The order in which a hand is shown. Pure functions over slots; nothing here knows a rule of the game.

An order is only for the eye: it never reaches the node.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

from protocol.rules.actions import Slot
from protocol.rules.cards import ACE, JOKER, SUITS, rank, suit

from .faces import UNKNOWN

_SUIT_ORDER = (0, 1, 3, 2)
"""Spades, hearts, clubs, diamonds: black and red alternate, so that neighbouring suits differ in colour too."""


class Sort(Enum):
    """How the hand is ordered; OWN keeps whatever order the person made."""

    SUIT = "suit"
    RANK = "rank"
    MELDS = "melds"
    OWN = "own"

    def following(self) -> Sort:
        """The next way, round and round."""
        ways = tuple(Sort)
        return ways[(ways.index(self) + 1) % len(ways)]


def by_suit(face: int, slot: Slot) -> tuple[int, int, int]:
    """Sort key: suit, then the ace after the king, jokers last, and after them what is not known yet."""
    if face == UNKNOWN:
        return (len(SUITS) + 1, 0, slot)
    if face == JOKER:
        return (len(SUITS), 0, slot)
    return (_SUIT_ORDER.index(suit(face)), _height(face), slot)


def by_rank(face: int, slot: Slot) -> tuple[int, int, int]:
    """Sort key: rank with the ace high, then suit, jokers last, and after them what is not known yet."""
    if face == UNKNOWN:
        return (21, 0, slot)
    if face == JOKER:
        return (20, 0, slot)
    return (_height(face), _SUIT_ORDER.index(suit(face)), slot)


def ordered(
    hand: Sequence[Slot],
    faces: Mapping[Slot, int],
    sort: Sort,
    before: Sequence[Slot] = (),
    groups: Sequence[Sequence[Slot]] = (),
) -> tuple[Slot, ...]:
    """The hand in this order. OWN keeps `before` and appends what is new; MELDS puts `groups` in front.

    Guarantees a permutation of `hand`.
    """
    if sort is Sort.OWN:
        kept = [slot for slot in before if slot in hand]
        return (*kept, *(slot for slot in hand if slot not in kept))
    key = by_rank if sort is Sort.RANK else by_suit
    front = [slot for group in groups for slot in group if slot in hand] if sort is Sort.MELDS else []
    rest = [slot for slot in hand if slot not in front]
    return (*front, *sorted(rest, key=lambda slot: key(faces.get(slot, UNKNOWN), slot)))


def shifted(order: Sequence[Slot], slot: Slot, by: int) -> tuple[Slot, ...]:
    """The order with this slot moved by so many places, stopping at the ends."""
    at = order.index(slot)
    to = min(max(at + by, 0), len(order) - 1)
    rest = [other for other in order if other != slot]
    return (*rest[:to], slot, *rest[to:])


def neighbour(order: Sequence[Slot], gone: Slot | None, now: Sequence[Slot]) -> Slot | None:
    """Where the cursor goes when its card has left the hand: the next card of the old order that is still there."""
    if not now:
        return None
    if gone is None or gone not in order:
        return now[0]
    at = order.index(gone)
    for slot in (*order[at:], *reversed(order[:at])):
        if slot in now:
            return slot
    return now[0]


def _height(face: int) -> int:
    return 13 if rank(face) == ACE else rank(face)
