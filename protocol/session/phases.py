"""What the table expects at one step.

A phase knows which seats speak and with which kinds of entry, checks what they say, and names the next phase when all
have spoken. Phases never see a secret and never act for a seat.

| phase | file | next |
|---|---|---|
| Seating, Commit, Open, Shuffle, Ready, Deal | setup.py | Offer or Turn; after a reshuffle, Share |
| Offer, Turn, Share | turns.py | each other, Shuffle (a reshuffle) or End |
| End, Show, Audit, Verdict | closing.py | Commit of the next round, or none: the game is over |
| Void | closing.py | Commit where the others play on, else none: the game is over |

Each phase's `leads_to` says it exactly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from protocol.errors import DuizendenError
from protocol.wire.entry import Entry, Kind

if TYPE_CHECKING:
    from .table import Table


class BadContent(DuizendenError):
    """Bad content of a validly signed entry; `seat` and `step` where another entry than the checked one is bad."""

    def __init__(self, code: str, detail: str = "", *, seat: int | None = None, step: int | None = None) -> None:
        super().__init__(code, detail)
        self.seat = seat
        self.step = step


class BadStep(DuizendenError):
    """Bad content that only shows when all have spoken: one BadContent for every seat at fault, ascending."""

    def __init__(self, *faults: BadContent) -> None:
        super().__init__(faults[0].code, faults[0].detail)
        self.faults = faults


@dataclass(slots=True)
class Phase:
    """One step of the log."""

    seats: tuple[int, ...]
    kinds: ClassVar[tuple[Kind, ...]] = ()
    speakers: ClassVar[str] = "all"
    """Who speaks, in words; the specification's table of steps is made from it, `kinds` and `leads_to`."""
    leads_to: ClassVar[tuple[str | None, ...]] = ()
    """Names of the phases that may follow (None: the log ends); a VOID may follow every step but the last."""

    def check(self, table: Table, entry: Entry) -> Any:
        """Check one entry of a seat of this phase and return what it says, parsed.

        Raises BadContent, WireError (form), CryptoError or IllegalMove: all are faults of the seat. Changes nothing.
        """
        raise NotImplementedError

    def close(self, table: Table, said: Mapping[int, Any]) -> Phase | None:
        """All seats have spoken (`said` in seat order): change the table, name the next phase (None: the log ends).

        Raises BadStep for what only shows when all is known.
        """
        raise NotImplementedError
