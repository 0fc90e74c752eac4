"""The one table of the lobby's keys: what a key does on a screen, the key line and the help page are made from it.

Names of keys are prompt-toolkit's, kept as text, so that this table needs no terminal. Letters are the same in both
languages, for fingers that sit at tables of both.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from .state import LobbyState, Place


class Act(Enum):
    """What a key means."""

    UP = "up"
    DOWN = "down"
    LESS = "less"
    MORE = "more"
    FIRST = "first"
    LAST = "last"
    LEAF_UP = "leaf_up"
    LEAF_DOWN = "leaf_down"
    TOPIC = "topic"
    TOPIC_BACK = "topic_back"
    ACCEPT = "accept"
    BACK = "back"
    RESET = "reset"
    RESET_ALL = "reset_all"
    HOST = "host"
    ADDRESS = "address"
    PRACTICE = "practice"
    RESUME = "resume"
    VERIFY = "verify"
    SETTINGS = "settings"
    DOCTOR = "doctor"
    LOOK = "look"
    RULES = "rules"
    HELP = "help"
    QUIT = "quit"
    BOT = "bot"
    REMOVE = "remove"
    BEGIN = "begin"


@dataclass(frozen=True, slots=True)
class Bind:
    """Keys and what they do; `shown` is how they stand on the key line (empty: the first key), `label` its word."""

    keys: tuple[str, ...]
    acts: tuple[Act, ...]
    shown: str = ""
    label: str = ""

    @property
    def name(self) -> str:
        """The act that names it in the catalogue."""
        return self.label or self.acts[0].value


UP_DOWN = Bind(("up", "down"), (Act.UP, Act.DOWN), "↑↓", "move")
CHANGE = Bind(("left", "right"), (Act.LESS, Act.MORE), "←→", "change")
EDGES = Bind(("home", "end"), (Act.FIRST, Act.LAST), "Home/End", "edges")
LEAVES = Bind(("pageup", "pagedown"), (Act.LEAF_UP, Act.LEAF_DOWN), "PgUp/PgDn", "leaf")
CHOOSE = Bind(("enter", "space"), (Act.ACCEPT, Act.ACCEPT), "enter", "choose")
OPEN = Bind(("enter",), (Act.ACCEPT,), "", "open")
BACK = Bind(("escape", "q"), (Act.BACK, Act.BACK), "escape", "back")
LEAVE = Bind(("q", "escape"), (Act.BACK, Act.BACK), "q", "leave")
TOPIC = Bind(("tab", "s-tab"), (Act.TOPIC, Act.TOPIC_BACK), "Tab", "topic")
RESET = Bind(("backspace", "delete"), (Act.RESET, Act.RESET), "backspace", "reset")
RESET_ALL = Bind(("x",), (Act.RESET_ALL,))
HOST = Bind(("n",), (Act.HOST,))
ADDRESS = Bind(("a",), (Act.ADDRESS,))
PRACTICE = Bind(("p",), (Act.PRACTICE,))
RESUME = Bind(("v",), (Act.RESUME,))
VERIFY = Bind(("c",), (Act.VERIFY,))
SETTINGS = Bind(("s",), (Act.SETTINGS,))
DOCTOR = Bind(("d",), (Act.DOCTOR,))
LOOK = Bind(("z", "f5"), (Act.LOOK, Act.LOOK), "z")
RULES = Bind(("r", "f3"), (Act.RULES, Act.RULES), "r")
HELP = Bind(("?", "f1"), (Act.HELP, Act.HELP), "?")
QUIT = Bind(("q",), (Act.QUIT,))
BOT = Bind(("b",), (Act.BOT,))
REMOVE = Bind(("x", "delete"), (Act.REMOVE, Act.REMOVE), "x")
BEGIN = Bind(("enter",), (Act.BEGIN,))
TYPED = Bind(("f",), (Act.ADDRESS,), "", "path")

LETTERS = (HOST, ADDRESS, PRACTICE, RESUME, VERIFY, SETTINGS, DOCTOR)
"""The keys of the menu's words, which stand beside them."""

_HOST_ROOM = (BEGIN, BOT, REMOVE, LEAVE, RULES, HELP, UP_DOWN, LEAVES)
_GUEST_ROOM = (RULES, HELP, LEAVE, UP_DOWN, LEAVES)

TABLE: dict[Place, tuple[Bind, ...]] = {
    Place.HOME: (UP_DOWN, CHOOSE, HOST, ADDRESS, PRACTICE, RULES, LOOK, HELP, QUIT, RESUME, VERIFY, SETTINGS, DOCTOR),
    Place.CARD: (UP_DOWN, CHANGE, OPEN, RULES, BACK, HELP, TOPIC, RESET, RESET_ALL, LEAVES, EDGES),
    Place.ROOM: _HOST_ROOM,
    Place.GAMES: (UP_DOWN, CHOOSE, HELP, BACK, LEAVES, EDGES),
    Place.FILES: (UP_DOWN, CHOOSE, TYPED, HELP, BACK, LEAVES, EDGES),
    Place.SETTINGS: (UP_DOWN, CHANGE, CHOOSE, HELP, BACK),
    Place.DOCTOR: (LOOK, UP_DOWN, LEAVES, BACK),
    Place.RULES: (UP_DOWN, LEAVES, EDGES, BACK),
    Place.HELP: (UP_DOWN, LEAVES, EDGES, BACK),
}
"""The keys of each screen, the most useful first: so they stand on the key line."""

HIDDEN = {"edges", "leaf"}
"""Not on the key line of a list: the arrows are enough to see."""


def binds(state: LobbyState) -> tuple[Bind, ...]:
    """The keys of the screen that is shown."""
    if state.place is Place.ROOM and not state.hosting:
        return _GUEST_ROOM
    return TABLE[state.place]


def meaning(state: LobbyState, key: str) -> Act | None:
    """What a key does on the screen that is shown; None for nothing."""
    for bind in binds(state):
        if key in bind.keys:
            return bind.acts[bind.keys.index(key)] if len(bind.acts) > 1 else bind.acts[0]
    return None


def line(state: LobbyState) -> tuple[Bind, ...]:
    """The keys worth showing now: those that stand beside the words of the menu need no second place."""
    shown = [bind for bind in binds(state) if bind.name not in HIDDEN]
    if state.place is Place.HOME:
        shown = [bind for bind in shown if bind not in LETTERS]
        if state.at_table is None or state.at_table.rules is None:
            shown.remove(RULES)
    if state.place is Place.ROOM and not state.hosting:
        shown.remove(UP_DOWN)
    return tuple(shown)


ALL_KEYS = tuple(dict.fromkeys(key for group in (*TABLE.values(), _GUEST_ROOM) for bind in group for key in bind.keys))
"""Every key that means something somewhere."""
