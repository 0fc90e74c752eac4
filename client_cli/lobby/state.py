"""The whole state of the lobby as one frozen value, and what has to be done outside of it.

Values only: what a key or a piece of news changes is decided in `model`, what a rule card allows in `editor`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from client_cli.lobby.editor import Card, built
from node.addresses import BrokerAddress
from node.room import Room
from protocol.rules.ruleset import RuleSet, deviations

if TYPE_CHECKING:
    from protocol.session.verify import Verdict


class Place(Enum):
    """Which screen is shown."""

    HOME = "home"
    CARD = "card"
    """The rule card editor: for a table of one's own, or for practice."""
    ROOM = "room"
    GAMES = "games"
    FILES = "files"
    SETTINGS = "settings"
    DOCTOR = "doctor"
    RULES = "rules"
    """The rules of a table in words."""
    HELP = "help"


class Fit(Enum):
    """What is known of a table that was announced; open, full and playing are known from its broker itself."""

    OPEN = "open"
    FULL = "full"
    PLAYING = "playing"
    """It is there, and takes nobody any more."""
    SEALED = "sealed"
    """Its code is needed, and tells the rest."""
    CHECKING = "checking"
    UNREACHABLE = "unreachable"
    VERSION = "version"
    """Another release of the game: nobody here can join."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at a table."""

    name: str
    bot: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A table in the list. `table` is its name in topics; the rules are known once its broker has been asked."""

    table: str
    title: str
    fit: Fit
    broker: BrokerAddress | None = None
    taken: int = 0
    seats: int = 0
    people: tuple[Person, ...] = ()
    rules: RuleSet | None = None
    rules_name: str = ""
    max_rounds: int = 0
    theirs: str = ""
    ours: str = ""
    """Versions, where they differ."""

    @property
    def changes(self) -> int:
        """How many rules differ from the preset."""
        return 0 if self.rules is None else changes(self.rules, self.rules_name)


def changes(rules: RuleSet, name: str) -> int:
    """How many rules differ from the preset of this name; none for a name that is no preset here."""
    try:
        return len(deviations(rules, name))
    except ValueError:
        return 0


# ------------------------------------------------------------------ lists


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRow:
    """A saved game. `scores` are the last noted totals."""

    path: Path
    name: str
    busy: bool = False
    over: bool = False
    broken_off: bool = False
    problem: str = ""
    """Why it cannot be read: `damaged`, or `version` for another release's. Nothing but its name is known then."""
    date: str = ""
    players: tuple[str, ...] = ()
    rules_name: str = ""
    round: int = 0
    scores: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class FileRow:
    """A game file of this machine."""

    path: Path
    date: str
    size: int

    @property
    def name(self) -> str:
        """The file's name."""
        return self.path.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Verifying:
    """A game file that is being checked, or has been: `verdict`, or `problem` if it cannot be read as a game."""

    path: Path
    done: int = 0
    total: int = 0
    verdict: Verdict | None = None
    problem: str = ""


class Health(Enum):
    """How a check of the doctor ended."""

    GOOD = "good"
    WARN = "warn"
    """Playing is possible, with a restriction."""
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing the doctor looked at: what was found (catalogue code and facts), and what to do about it if anything.

    `found` and `advice` are codes of the same facts; an empty advice means that nothing has to be done.
    """

    name: str
    health: Health
    found: str
    advice: str = ""
    facts: tuple[tuple[str, object], ...] = ()


def worst(checks: Iterable[Check]) -> Health:
    """How the worst of these checks ended; good for none."""
    return max((check.health for check in checks), key=list(Health).index, default=Health.GOOD)


# ------------------------------------------------------------------ words and questions


@dataclass(frozen=True, slots=True)
class Note:
    """One sentence for the person, as a code and facts; `bad` is something that did not work."""

    code: str
    facts: tuple[tuple[str, object], ...] = ()
    bad: bool = False


@dataclass(frozen=True, slots=True)
class Field:
    """A line being typed: for which purpose (`address`, `name`, `file`), the text and the place of the cursor in it."""

    purpose: str
    text: str = ""
    at: int = 0


@dataclass(frozen=True, slots=True)
class Preferences:
    """What the settings keep. `symbols` is `signs` or `letters`, `notice` is `on` or `off`."""

    name: str
    lang: str
    symbols: str = "signs"
    theme: str = "dark"
    notice: str = "on"


# ------------------------------------------------------------------ effects


@dataclass(frozen=True, slots=True)
class LookAgain:
    """Forget what was found and look around anew."""


@dataclass(frozen=True, slots=True)
class JoinTable:
    """Sit down at this table of this broker; without a table at the only one there.

    `table` is its name or how that begins, `secret` that of a sealed table. `typed` is what may have been meant as a
    table code, with a typing mistake.
    """

    broker: BrokerAddress
    table: str = ""
    typed: str = field(default="", repr=False)
    secret: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class WatchTable:
    """Look on at this table of this broker, named as for JoinTable."""

    broker: BrokerAddress
    table: str = ""
    secret: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Host a table with these rules, or play alone against bots at once."""

    card: Card


@dataclass(frozen=True, slots=True)
class AddBot:
    """Let a bot take the next free seat."""


@dataclass(frozen=True, slots=True)
class RemoveSeat:
    """Send the player of this seat away."""

    seat: int


@dataclass(frozen=True, slots=True)
class Begin:
    """Start the game with those who sit here."""


@dataclass(frozen=True, slots=True)
class LeaveRoom:
    """Close the waiting room, or give up what is under way."""


@dataclass(frozen=True, slots=True)
class ListGames:
    """Read which games are saved."""


@dataclass(frozen=True, slots=True)
class ResumeGame:
    """Go on with this game."""

    path: Path


@dataclass(frozen=True, slots=True)
class ListFiles:
    """Read which game files there are."""


@dataclass(frozen=True, slots=True)
class VerifyFile:
    """Check this game file."""

    path: Path


@dataclass(frozen=True, slots=True)
class StopVerifying:
    """Give up the check that runs."""


@dataclass(frozen=True, slots=True)
class Examine:
    """Run the doctor."""


@dataclass(frozen=True, slots=True)
class Remember:
    """Keep these settings."""

    preferences: Preferences


@dataclass(frozen=True, slots=True)
class Quit:
    """Close the lobby."""


Effect: TypeAlias = (
    LookAgain
    | JoinTable
    | WatchTable
    | OpenTable
    | AddBot
    | RemoveSeat
    | Begin
    | LeaveRoom
    | ListGames
    | ResumeGame
    | ListFiles
    | VerifyFile
    | StopVerifying
    | Examine
    | Remember
    | Quit
)


@dataclass(frozen=True, slots=True)
class Ask:
    """Something that others notice waits for Enter."""

    note: Note
    effect: Effect


# ------------------------------------------------------------------ state

MENU = ("host", "address", "practice", "resume", "verify", "settings", "doctor", "help", "quit")
"""What the home screen offers below the tables, in order."""
SETTINGS = ("name", "lang", "symbols", "theme", "notice")


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyState:
    """All that the lobby shows. On the home screen the cursor is a table or a word of MENU, never a line number."""

    preferences: Preferences
    place: Place = Place.HOME
    under: tuple[Place, ...] = ()
    """The screens below a page that was opened on top."""
    tables: tuple[Seen, ...] = ()
    waited: bool = False
    """Long enough without a table to say why that can be."""
    cursor: str = "host"
    line: int = 0
    """The cursor of the other screens: a seat, a saved game, a file, a setting."""
    scroll: int = 0
    typing: Field | None = None
    touched: bool = False
    """Whether the person has pressed a key on the home screen: from then on nothing else moves its cursor."""
    card: Card = field(default_factory=Card)
    before: RuleSet | None = None
    """The rules that this person played last."""
    room: Room | None = None
    hosting: bool = False
    busy: Note | None = None
    """What is under way and can be given up with Escape."""
    ask: Ask | None = None
    note: Note | None = None
    games: tuple[GameRow, ...] | None = None
    files: tuple[FileRow, ...] | None = None
    verifying: Verifying | None = None
    checks: tuple[Check, ...] = ()
    examined: bool = False
    """Whether the doctor has looked at everything."""

    @property
    def looking(self) -> bool:
        """Whether the network should be watched for tables: as long as nobody sits down anywhere."""
        return self.room is None and self.busy is None

    @property
    def at_table(self) -> Seen | None:
        """The table under the cursor of the home screen."""
        return next((seen for seen in self.tables if seen.table == self.cursor), None)

    @property
    def choices(self) -> tuple[str, ...]:
        """What the cursor of the home screen can stand on, from top to bottom."""
        return (*(seen.table for seen in self.tables), *MENU)

    def shown_rules(self) -> tuple[RuleSet, str] | None:
        """The rules to tell: those of the room, of the card being made, or of the table under the cursor."""
        if self.room is not None:
            return self.room.rules, self.room.rules_name
        if Place.CARD in {self.place, *self.under}:
            rules = built(self.card)
            return (rules, self.card.preset) if isinstance(rules, RuleSet) else None
        seen = self.at_table
        return None if seen is None or seen.rules is None else (seen.rules, seen.rules_name)


def on_top(state: LobbyState, place: Place) -> LobbyState:
    """This screen on top of the one that is shown."""
    under = (*state.under, state.place)
    return replace(state, place=place, under=under, scroll=0, line=0, note=None)


def back(state: LobbyState) -> LobbyState:
    """The screen below; the home screen below all others."""
    place = state.under[-1] if state.under else Place.HOME
    return replace(state, place=place, under=state.under[:-1], scroll=0, line=0)
