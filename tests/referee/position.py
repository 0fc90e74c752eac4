"""What the referee knows of a round: its own plain, mutable classes and the moves it judges.

The referee is a second implementation of the rules, written from the rules matrix alone and made to be read beside it.
It shares with the engine the numbers that name cards, the RuleSet and the values of moves, and no code that decides.
Nothing is decided here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from protocol.rules.actions import Slot
from protocol.rules.cards import JOKER, TWO, rank
from protocol.rules.ruleset import RuleSet

EXCHANGE = "exchange"
DRAW = "draw"
PLAY = "play"
OVER = "over"


class RefusedError(Exception):
    """A move that breaks a rule; `code` is the reason code of the first rule it breaks."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def refuse_if(broken: bool, code: str) -> None:
    """Raises RefusedError with this code when the rule is broken."""
    if broken:
        raise RefusedError(code)


@dataclass
class OnTable:
    """One card of a meld: what is printed on it, and what it stands for."""

    slot: Slot
    face: int
    stands_for: int
    wild: bool


@dataclass
class TableMeld:
    """A meld that lies: owner, "set" or "run", and for a run the place of its first card (low ace 1, high ace 14)."""

    owner: int
    kind: str
    cards: list[OnTable]
    low: int = 0


@dataclass
class Position:
    """A round at one moment, as everybody at the table sees it. Seats count clockwise from 0."""

    rules: RuleSet
    n: int
    hands: list[list[Slot]]
    public: dict[Slot, int]
    """Faces that everybody has seen."""
    mover: int
    phase: str
    stock: int
    melds: list[TableMeld] = field(default_factory=list)
    pot: list[Slot] = field(default_factory=list)
    pot_covered: bool = False
    open_card: Slot | None = None
    starter: int = 0
    down: list[bool] = field(default_factory=list)
    teams: list[int] = field(default_factory=list)
    drawn_from: str | None = None
    drawn: list[Slot] = field(default_factory=list)
    turns_taken: list[int] = field(default_factory=list)
    idle_turns: int = 0
    turns_since_lay: int = 0
    reshuffles: int = 0
    laid_since_reshuffle: bool = False
    opened_this_turn: bool = False
    laid_this_turn: bool = False
    stock_only: bool = False
    last_mover: int | None = None
    out: int | None = None

    def wild(self, face: int) -> bool:
        """Whether a card serves as a joker under these rules."""
        return face == JOKER or (self.rules.two_as_joker and rank(face) == TWO)

    def partners(self, seat: int) -> list[int]:
        """The seat and its team mates."""
        if not self.teams:
            return [seat]
        return [other for other in range(self.n) if self.teams[other] == self.teams[seat]]
