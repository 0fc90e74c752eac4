"""What may happen to the screen: keys turned into meanings, and news from the table. Plain frozen values.

Nothing here decides anything; `model.reduce` does. A few intents carry what only the last drawing knows (how many
cards stand in one row, how far a page scrolls); the controller fills that in.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from protocol.rules.actions import Slot
from protocol.session.outputs import Event
from protocol.session.session import Choice
from protocol.session.view import TableView


class Page(Enum):
    """What covers the table; TABLE is the table itself."""

    TABLE = "table"
    POT = "pot"
    SCORES = "scores"
    RESULT = "result"
    RULES = "rules"
    LOG = "log"
    FAIRNESS = "fairness"
    HELP = "help"
    TALK = "talk"


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """How our node is connected, as the screen needs it.

    `state` is up, connecting, down or stopped; replay where there is no node and a game is looked back on.
    """

    state: str = "up"
    broker: str = ""
    peers: tuple[bool, ...] = ()
    dropped: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Who said to be away, whom we have muted, and who asked for the pause that is on."""

    away: tuple[int, ...] = ()
    muted: tuple[int, ...] = ()
    paused_by: int | None = None


# ------------------------------------------------------------------ news


@dataclass(frozen=True, slots=True)
class Word:
    """A seat's word beside the game. `what` is said, away, back, pause or go_on; `said` a text or a phrase's number."""

    seat: int
    what: str
    said: str | int = ""


@dataclass(frozen=True, slots=True)
class TableChanged:
    """The node has a new snapshot and says what led to it."""

    view: TableView
    events: tuple[Event, ...]
    link: Link
    words: tuple[Word, ...] = ()
    standing: Standing = Standing()


@dataclass(frozen=True, slots=True)
class Refused:
    """The node did not take this choice; `code` says why and nothing has happened."""

    code: str
    choice: Choice


@dataclass(frozen=True, slots=True)
class TalkRefused:
    """The node did not pass on our word; `code` says why, `said` is what was to be said if it was chat."""

    code: str
    said: str | int = ""


@dataclass(frozen=True, slots=True)
class Verified:
    """The game so far was verified from its file. `code` says what is wrong (empty: nothing), `seat` who did it."""

    file: str
    proofs: int = 0
    steps: int = 0
    code: str = ""
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Stopped:
    """The node has stopped: no more news will come."""


# ------------------------------------------------------------------ keys


@dataclass(frozen=True, slots=True)
class Step:
    """Move the cursor along the hand."""

    by: int


@dataclass(frozen=True, slots=True)
class Row:
    """Up or down: another row of the hand, or a line of a page. `per_row` and `limit` come from the last drawing."""

    by: int
    per_row: int = 0
    limit: int = 0


@dataclass(frozen=True, slots=True)
class Leaf:
    """Scroll the page, or the melds on the table, by whole screens; `limit` comes from the last drawing."""

    by: int
    limit: int = 0
    size: int = 1


@dataclass(frozen=True, slots=True)
class Edge:
    """The first (-1) or the last (1) card of the hand, or end of a page."""

    side: int
    limit: int = 0


@dataclass(frozen=True, slots=True)
class Shift:
    """Move the card under the cursor along the hand; the order becomes our own."""

    by: int


@dataclass(frozen=True, slots=True)
class Choose:
    """Take the offer with this number (from 1)."""

    number: int


@dataclass(frozen=True, slots=True)
class Open:
    """Show a page; the page that is shown already closes."""

    page: Page


@dataclass(frozen=True, slots=True)
class Typed:
    """Text for the line that is typed: a character, or what was pasted."""

    text: str


# ------------------------------------------------------------------ the mouse


@dataclass(frozen=True, slots=True)
class Pick:
    """Select or let go this card of our hand."""

    slot: Slot


@dataclass(frozen=True, slots=True)
class Aim:
    """Do with this meld what the selected cards can do there."""

    meld: int


@dataclass(frozen=True, slots=True)
class Wheel:
    """Scroll what is shown, a little; `limit` comes from the last drawing."""

    by: int
    limit: int = 0


class Key(Enum):
    """Intents without particulars."""

    TOGGLE = "toggle"
    ACCEPT = "accept"
    CANCEL = "cancel"
    MORE = "more"
    UNDO = "undo"
    STOCK = "stock"
    POT = "pot"
    DISCARD = "discard"
    DECLINE = "decline"
    CALL_LAST = "call_last"
    SORT = "sort"
    HINT = "hint"
    NEXT_ROUND = "next_round"
    LEAVE = "leave"
    GOODBYE = "goodbye"
    CLAIM = "claim"
    CATCH = "catch"
    VERIFY = "verify"
    REVEAL = "reveal"
    TALK = "talk"
    SEND = "send"
    DROP = "drop"
    ERASE = "erase"
    AWAY = "away"
    PAUSE = "pause"


News: TypeAlias = TableChanged | Refused | TalkRefused | Verified | Stopped
Intent: TypeAlias = News | Step | Row | Leaf | Edge | Shift | Choose | Open | Typed | Pick | Aim | Wheel | Key
