"""What the search for the best laydown is asked and answers: plain values in faces, without slots, seats or turns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .moves_shapes import Item
from .ruleset import RuleSet
from .state import Meld


@dataclass(frozen=True, slots=True)
class OpenRun:
    """A run on the table that may be extended: places `low`..`high`, and what it consists of."""

    meld: int
    suit: int
    low: int
    high: int
    naturals: int
    wilds: int


@dataclass(frozen=True, slots=True)
class OpenSet:
    """A set on the table that may be extended: its number, its rank, and what lies there."""

    meld: int
    rank: int
    lying: Meld

    @property
    def wilds(self) -> int:
        """Jokers in it."""
        return sum(card.wild for card in self.lying.cards)


@dataclass(frozen=True, slots=True)
class SwapOffer:
    """Face `face` may replace the joker at `position` of meld `meld`; `gain` is the value of doing only that."""

    face: int
    gain: int
    meld: int
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What may be laid and what it is worth.

    `may_end(others, queens)` says whether a turn can end with so many cards left (each counted up to two) that are no
    queens of spades, and that are.
    """

    rules: RuleSet
    counts: Sequence[int]
    wilds: int
    values: Sequence[int]
    joker_value: int
    runs: Sequence[OpenRun] = ()
    sets: Sequence[OpenSet] = ()
    swaps: Sequence[SwapOffer] = ()
    layoff_jokers: bool = True
    seen: Sequence[int] = ()
    """Copies of each face that no opponent can hold, as far as known (for placing jokers safely)."""
    may_end: Callable[[int, int], bool]


@dataclass(frozen=True, slots=True)
class Extension:
    """Items added to meld `meld`: at the low or high end of a run, in ascending order, or (`side` None) to a set."""

    meld: int
    side: str | None
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Solution:
    """The best laydown: its value, the swaps, the new melds and the extensions; whether it is surely the best."""

    value: int
    swaps: tuple[SwapOffer, ...]
    melds: tuple[tuple[Item, ...], ...]
    extensions: tuple[Extension, ...]
    exact: bool = True
