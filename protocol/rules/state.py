"""The public state of one round, as values. No rule is decided here; `engine` makes the next state from this one.

Everything in `Round` is public: hands are slots, and a face is in `faces` only when everybody may know it (or when
whoever holds this copy of the state knows it: the engine accepts both, see `engine`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from .actions import Slot
from .ruleset import RuleSet


class Phase(Enum):
    """Where the round stands."""

    EXCHANGE = "exchange"
    DRAW = "draw"
    """The mover has to draw (or to take the pot with a Play)."""
    PLAY = "play"
    """The mover has drawn and may lay, lay off, swap, and must end the turn."""
    OVER = "over"


@dataclass(frozen=True, slots=True)
class MeldCard:
    """One card on the table.

    `stands_for` is its own face for a natural card, else what the joker stands for (a face or ANY_SUIT + rank).
    """

    slot: Slot
    face: int
    stands_for: int

    @property
    def is_wild(self) -> bool:
        """Whether the card lies there as a joker (a two that stands for a two included, where twos are jokers)."""
        return self.wild

    wild: bool = False


@dataclass(frozen=True, slots=True)
class Meld:
    """A meld on the table, cards ascending for a run, in laying order for a set.

    `kind` is "set" or "run". For a run `low` is the place of the first card (1 = low ace .. 14 = high ace).
    """

    owner: int
    kind: str
    cards: tuple[MeldCard, ...]
    low: int = 0


@dataclass(frozen=True, slots=True)
class Drawn:
    """What the mover took this turn: `source` "stock" or "pot", and the slots."""

    source: str
    slots: tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class Calls:
    """Who did not say "last card", and what it cost (spec/10-rules.md 22; `calls` has the rules).

    Seats are ascending. Everything is empty for ever at a table without the call.
    """

    uncalled: tuple[int, ...] = ()
    """Seats whose latest turn ended with one card in hand and no call, until their next turn ends or they pay."""
    owed: tuple[int, ...] = ()
    """Seats that have to take a penalty card before anything else happens."""
    penalties: tuple[int, ...] = ()
    """Points charged to each seat in this round; empty while nobody was charged any."""


NO_CALLS = Calls()
"""Nobody failed to call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """The public state of a round at one moment.

    Seats are 0..n-1 clockwise. `hands[p]` are the slots seat p holds, oldest first. `melds` are numbered by their
    place in the tuple and never renumbered. `pot` runs bottom to top. `stock` counts undrawn cards.
    """

    rules: RuleSet
    n: int
    mover: int
    phase: Phase
    hands: tuple[tuple[Slot, ...], ...]
    faces: Mapping[Slot, int]
    melds: tuple[Meld, ...] = ()
    pot: tuple[Slot, ...] = ()
    stock: int = 0
    down: tuple[bool, ...] = ()
    drawn: Drawn | None = None
    turns_taken: tuple[int, ...] = ()
    """Turns each seat has completed this round."""
    idle_turns: int = 0
    """Turns in a row without lay, lay-off, swap or stock draw."""
    turns_since_lay: int = 0
    """Turns completed by anybody since the last lay, lay-off or swap."""
    reshuffles: int = 0
    laid_since_reshuffle: bool = False
    opened_this_turn: bool = False
    """Whether the mover came down in this very turn."""
    out: int | None = None
    """The seat that went out, once the round is over that way."""
    open_card: Slot | None = None
    """The open card of the exchange while Phase.EXCHANGE lasts."""
    team_of: tuple[int, ...] = ()
    """Team number of each seat; empty when everybody plays alone."""
    starter: int = 0
    """The seat that has the first turn of the round (with the opening exchange: the first offer)."""
    last_mover: int | None = None
    """The seat whose turn ended last, until the next seat draws."""
    laid_this_turn: bool = False
    """Whether the mover laid, laid off or swapped in this turn."""
    stock_only: bool = False
    """Whether the mover may take a stock card only (it declined the open card where that is the draw)."""
    covered: bool = False
    """Whether the bottom card of the pot lies face down (after the exchange that ends that way)."""
    calls: Calls = NO_CALLS
    """Missed last-card calls and their penalties."""
    extra: Mapping[str, int] = field(default_factory=dict)
