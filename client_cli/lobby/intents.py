"""What may happen to the lobby: keys, typed text, and news from the network and the disk. Plain frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from node.room import Room
from protocol.rules.ruleset import RuleSet

from .state import Ask, Check, FileRow, GameRow, Note, Place, Seen, Verifying


@dataclass(frozen=True, slots=True)
class Press:
    """A key, by prompt-toolkit's name; `limit` and `leaf` say how far the last drawing scrolls."""

    key: str
    limit: int = 0
    leaf: int = 1


@dataclass(frozen=True, slots=True)
class Typed:
    """Text that was typed or pasted."""

    text: str


@dataclass(frozen=True, slots=True)
class Point:
    """A click on a row: a choice of the home screen, a setting of the card, or the number of a line."""

    row: str | int


@dataclass(frozen=True, slots=True)
class TablesSeen:
    """The whole list of tables as it is now."""

    tables: tuple[Seen, ...]


@dataclass(frozen=True, slots=True)
class Waited:
    """Nothing was found for as long as a table on this network would need to show itself several times."""


@dataclass(frozen=True, slots=True)
class Busy:
    """Something has begun that takes a while."""

    note: Note


@dataclass(frozen=True, slots=True)
class RoomChanged:
    """The waiting room we sit in."""

    room: Room
    hosting: bool


@dataclass(frozen=True, slots=True)
class Begun:
    """The game begins: the table takes the screen. `played` are its rules, if the person plays there."""

    played: RuleSet | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """What was under way is over, one way or another; `note` says how if there is something to say.

    `ask` is what can be done instead.
    """

    note: Note | None = None
    ask: Ask | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence for the person, and nothing else changes."""

    note: Note


@dataclass(frozen=True, slots=True)
class GamesListed:
    """The saved games."""

    games: tuple[GameRow, ...]


@dataclass(frozen=True, slots=True)
class FilesListed:
    """The game files."""

    files: tuple[FileRow, ...]


@dataclass(frozen=True, slots=True)
class VerifyMoved:
    """How far a check is, or how it ended."""

    verifying: Verifying


@dataclass(frozen=True, slots=True)
class Checked:
    """The doctor has looked at one more thing."""

    check: Check


@dataclass(frozen=True, slots=True)
class Examined:
    """The doctor is done."""


@dataclass(frozen=True, slots=True)
class Goto:
    """Show this screen (a program's wish, at the start)."""

    place: Place


News: TypeAlias = (
    TablesSeen
    | Waited
    | Busy
    | RoomChanged
    | Begun
    | Ended
    | Told
    | GamesListed
    | FilesListed
    | VerifyMoved
    | Checked
    | Examined
    | Goto
)
Intent: TypeAlias = Press | Typed | Point | News
