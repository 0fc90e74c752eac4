"""The boundary between a node and whoever plays at it: a person's client or a bot.

The client may touch nothing else of a node. One handle serves one seat at one table. A handle whose node runs in
another process can have the same surface.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

from protocol.session.outputs import Event
from protocol.session.session import Challenge, Choice, Claim, Leave, NextRound, SameCards
from protocol.session.view import TableView

__all__ = [
    "AwayChanged",
    "Challenge",
    "Choice",
    "Claim",
    "Connection",
    "Leave",
    "NextRound",
    "PauseChanged",
    "Said",
    "SameCards",
    "Spoken",
    "Standing",
    "TableHandle",
    "Talk",
    "Update",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """How the node is connected. `broker` is the address as text.

    `peers` says per seat whether it was heard lately, or we have not listened for long enough to say that it was not.
    `state` is "up", "connecting" or "down". `dropped` counts dropped messages by code.
    """

    state: str
    broker: str
    peers: tuple[bool, ...]
    dropped: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Said:
    """This seat said something: a line of text, fit to be shown as it is, or the number of a phrase."""

    seat: int
    said: str | int


@dataclass(frozen=True, slots=True)
class AwayChanged:
    """The person at this seat is away for a moment, or back."""

    seat: int
    away: bool


@dataclass(frozen=True, slots=True)
class PauseChanged:
    """This seat asks for a pause, which has begun with that, or has ended it."""

    seat: int
    on: bool


Spoken: TypeAlias = Said | AwayChanged | PauseChanged


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How the people at the table stand beside the game: all words of theirs, and nothing follows for the game.

    `away` are the seats that said so (not those that cannot be heard, see `Connection.peers`), `muted` those that we do
    not want to hear, `paused_by` who asked for the pause that is on.
    """

    away: tuple[int, ...] = ()
    muted: tuple[int, ...] = ()
    paused_by: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """A new snapshot and what led to it, oldest event first; `spoken` is what people said meanwhile, oldest first."""

    view: TableView
    events: tuple[Event, ...]
    connection: Connection
    spoken: tuple[Spoken, ...] = ()
    standing: Standing = Standing()


class Talk(Protocol):
    """What people at a table may tell each other beside the game. Nothing here waits, and nothing is repeated to us.

    What we do ourselves comes back in the next `Update` like the words of others, so that a screen need not remember
    it. Words get lost like other messages; who is away and whether there is a pause are told again until all know.
    """

    def standing(self) -> Standing:
        """Who is away, who is muted, and whether there is a pause."""
        ...

    def say(self, said: str | int) -> None:
        """Say a line of text, or a phrase by its number (1 to 9), to everybody.

        The text loses what cannot be shown and what is over 200 bytes. Raises NotNow: `node/not-so-fast` beyond a few
        at once and one in two seconds, `node/nobody-hears` without a connection, `node/nothing-said` for an empty line.
        """
        ...

    def mute(self, seat: int, *, on: bool = True) -> None:
        """Hear no more of what this seat says, or hear it again; nobody is told. Its moves count as before.

        Where it stands (away, a pause that it asks for) still shows in `standing`, only without events.
        """
        ...

    def set_away(self, *, away: bool) -> None:
        """Tell that we are away for a moment, or back; a move of ours says "back" too. Raises NotNow as `say` does."""
        ...

    def set_pause(self, *, on: bool) -> None:
        """Ask for a pause, which begins with that, or end the one that is on, whoever asked.

        A person's move, and being ready for the next round, end it too. While it is on bots do not move, and `submit`
        refuses a Claim with `node/paused`. Raises NotNow: `node/not-so-fast` as `say` does, `node/no-pause` when
        somebody has used up the numbers of pauses.
        """
        ...


class TableHandle(Protocol):
    """One seat at one table."""

    @property
    def talk(self) -> Talk:
        """What people say beside the game."""
        ...

    def view(self) -> TableView:
        """The newest snapshot."""
        ...

    def connection(self) -> Connection:
        """How the node is connected now."""
        ...

    def updates(self) -> AsyncIterator[Update]:
        """Every change from now on, in order; ends when the node stops. One consumer only."""
        ...

    async def game_file(self) -> tuple[Path | None, bytes]:
        """The game so far, for a verifier: where it is kept (None: nowhere), written anew, and its bytes.

        Raises OSError when it cannot be written, and what ended the node.
        """
        ...

    async def submit(self, action: Choice) -> None:
        """Make a choice. Returns when it is journalled and handed to the link.

        Raises IllegalMove (the rules refuse it; nothing happened) or NotNow (there is nothing of the kind to choose).
        Any other error ends the node: its disk failed, nobody has heard of the choice, and the game can be resumed.
        """
        ...
