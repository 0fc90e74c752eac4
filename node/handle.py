"""The boundary between a node and whoever plays at it: a person's client or a bot.

The client may touch nothing else of a node. One handle serves one seat at one table. A handle whose node runs in
another process can have the same surface.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Protocol

from protocol.session.outputs import Event
from protocol.session.session import Challenge, Choice, Claim, Leave, NextRound, SameCards
from protocol.session.view import TableView

__all__ = ["Challenge", "Choice", "Claim", "Connection", "Leave", "NextRound", "SameCards", "TableHandle", "Update"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """How the node is connected. `broker` is the address as text; `peers` says per seat whether it was heard lately.

    `state` is "up", "connecting" or "down". `dropped` counts dropped messages by code.
    """

    state: str
    broker: str
    peers: tuple[bool, ...]
    dropped: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """A new snapshot and what led to it, oldest event first."""

    view: TableView
    events: tuple[Event, ...]
    connection: Connection


class TableHandle(Protocol):
    """One seat at one table."""

    def view(self) -> TableView:
        """The newest snapshot."""
        ...

    def connection(self) -> Connection:
        """How the node is connected now."""
        ...

    def updates(self) -> AsyncIterator[Update]:
        """Every change from now on, in order; ends when the node stops. One consumer only."""
        ...

    async def submit(self, action: Choice) -> None:
        """Make a choice. Returns when it is journalled and handed to the link.

        Raises IllegalMove (the rules refuse it; nothing happened) or NotNow (there is nothing of the kind to choose).
        Any other error ends the node: its disk failed, nobody has heard of the choice, and the game can be resumed.
        """
        ...
