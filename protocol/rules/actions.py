"""What a seat may attempt. Plain frozen values; nothing here decides whether they are legal.

Cards are named by *slot*: an opaque non-negative integer for one place of the shuffled deck (its history is
public, its face is known only when opened). A slot never changes its card.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Slot: TypeAlias = int

ANY_SUIT = 64
"""`stands_for` values from ANY_SUIT on name a rank only: ANY_SUIT + rank (rule cards that do not track the suit)."""

LOW = "low"
HIGH = "high"


@dataclass(frozen=True, slots=True)
class Placed:
    """A slot put into a meld.

    `stands_for` is None for a natural card or an undeclared joker, else a face or ANY_SUIT + rank.
    """

    slot: Slot
    stands_for: int | None = None


@dataclass(frozen=True, slots=True)
class Lay:
    """Lay a new meld, in the listed order."""

    cards: tuple[Placed, ...]


@dataclass(frozen=True, slots=True)
class LayOff:
    """Add cards to meld number `meld`.

    `side` is LOW or HIGH for a run, None where it does not matter or follows from the cards.
    """

    meld: int
    cards: tuple[Placed, ...]
    side: str | None = None


@dataclass(frozen=True, slots=True)
class Swap:
    """Put `slot` in place of the joker at `position` (0-based) of meld number `meld`; the joker comes to the hand."""

    meld: int
    position: int
    slot: Slot


Step: TypeAlias = Lay | LayOff | Swap


@dataclass(frozen=True, slots=True)
class Draw:
    """Take the next stock card."""


@dataclass(frozen=True, slots=True)
class Play:
    """The rest of a turn as one whole: the pot (if taken, instead of a draw), the steps in order, the discard.

    `discard` is None only where the rules let a turn end without one. `call_last` says "last card".
    Where the rules want the top card of the pot in a new meld, the first step is that meld.
    """

    take_pot: bool = False
    steps: tuple[Step, ...] = ()
    discard: Slot | None = None
    call_last: bool = False
    shown: tuple[Slot, ...] = ()
    """Slots opened as proof without being played (the other queen of spades)."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """Opening exchange: take the open card and return `returned`, or decline (None)."""

    returned: Slot | None = None


Action: TypeAlias = Draw | Play | Exchange
