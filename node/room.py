"""The waiting room as both sides see it, and the errors of getting in. Values only."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from protocol.errors import DuizendenError

if TYPE_CHECKING:
    from collections.abc import Sized

    from protocol.rules.ruleset import RuleSet

    from .messages import Chair


def is_full(chairs: Sized, seats: int) -> bool:
    """Whether every seat of a table is taken: nobody can sit down any more."""
    return len(chairs) >= seats


class LobbyError(DuizendenError):
    """A table cannot be hosted, joined or started.

    Codes: `lobby/unreachable` (no broker there), `lobby/nobody` (nor where a table code says), `lobby/no-table`,
    `lobby/sealed` (none that this secret opens), `lobby/several` (name one), `lobby/silent` (the host does not
    answer), `lobby/full`, `lobby/version`, `lobby/started`, `lobby/closed`, `lobby/removed`, `lobby/rules` (the game
    that started is not the one that was shown), `lobby/players` (too few or too many to start).
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A table before its game, as one of its players sees it.

    `me` is our seat (None: not seated yet). `addresses` are where others can join and
    `code` what they type instead, with the broker `elsewhere` if it is not our own (known to the host). `sealed`: an
    address alone does not lead there. `connected` says whether we are on the network at this moment.
    """

    table: bytes
    title: str
    rules: RuleSet
    rules_name: str
    seats: int
    max_rounds: int
    chairs: tuple[Chair, ...]
    me: int | None
    addresses: tuple[str, ...] = ()
    code: str = field(default="", repr=False)
    elsewhere: str = ""
    sealed: bool = False
    connected: bool = True
    started: bool = False

    @property
    def full(self) -> bool:
        """Whether every seat is taken."""
        return is_full(self.chairs, self.seats)
