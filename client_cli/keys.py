"""The one table of keys: bindings, the key line at the bottom and the help page are all made from it.

A key means the same everywhere; `reduce` decides what it does in the state at hand. Names of keys are
prompt-toolkit's, kept as text so that this table needs no terminal.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from protocol.rules.state import Phase
from protocol.session.view import Stage

from .beside import claimable, offenders
from .departures import OVER, is_out
from .intents import Choose, Edge, Intent, Key, Leaf, Open, Page, Row, Shift, Step
from .state import LEAF as MOST_OFFERS
from .state import UiState
from .talk import others, paused
from .turn import pot_refusal

_NAMES = {
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "space": "keyname.space",
    "enter": "keyname.enter",
    "escape": "keyname.escape",
    "backspace": "keyname.backspace",
    "home": "keyname.home",
    "end": "keyname.end",
    "tab": "keyname.tab",
    "s-tab": "keyname.back_tab",
}


@dataclass(frozen=True, slots=True)
class Bind:
    """One act: the keys that do it, what it means, its label, and the help sentence (`help.` + name)."""

    name: str
    keys: tuple[str, ...]
    intents: tuple[Intent, ...]
    """One intent for all keys, or one for each key."""
    shown: str = ""
    """How the keys are written on the key line; empty: the first key."""

    @property
    def label(self) -> str:
        """Catalogue code of the short word on the key line."""
        return f"key.{self.name}"

    @property
    def help(self) -> str:
        """Catalogue code of the sentence on the help page."""
        return f"help.{self.name}"

    def intent(self, key: str) -> Intent:
        """What this key means."""
        return self.intents[self.keys.index(key)] if len(self.intents) > 1 else self.intents[0]


MOVE = Bind("move", ("left", "right"), (Step(-1), Step(1)), "←→")
ROW = Bind("row", ("up", "down"), (Row(-1), Row(1)), "↑↓")
EDGE = Bind("edge", ("home", "end"), (Edge(-1), Edge(1)))
TOGGLE = Bind("toggle", ("space",), (Key.TOGGLE,))
ACCEPT = Bind("accept", ("enter",), (Key.ACCEPT,))
BEGIN = replace(ACCEPT, name="begin")
"""The same key once the cards of the handshake have been compared."""
CHOOSE = Bind("choose", tuple("123456789"), tuple(Choose(number) for number in range(1, 10)), "1-9")
SAME = replace(CHOOSE, name="same")
"""The same keys while the cards of the handshake are compared."""
MORE = Bind("more", ("0",), (Key.MORE,))
CANCEL = Bind("cancel", ("escape", "backspace"), (Key.CANCEL,))
CANCEL_PAGE = replace(CANCEL, name="cancel_page")
"""The same keys for somebody without cards to let go of."""
STOCK = Bind("stock", ("s",), (Key.STOCK,))
POT = Bind("pot", ("p",), (Key.POT,))
TAKE_POT = replace(POT, name="take_pot")
"""The same key on the help page of a table without an exchange."""
TAKE_OPEN = replace(POT, name="take_open")
"""The same key while the open card is on offer."""
DECLINE = Bind("decline", ("x",), (Key.DECLINE,))
DISCARD = Bind("discard", ("d",), (Key.DISCARD,))
UNDO = Bind("undo", ("u",), (Key.UNDO,))
CALL_LAST = Bind("call_last", ("a",), (Key.CALL_LAST,))
SORT = Bind("sort", ("o",), (Key.SORT,))
SHIFT = Bind("shift", ("<", ">"), (Shift(-1), Shift(1)), "< >")
HINT = Bind("hint", ("h", "t"), (Key.HINT,))
LEAF = Bind("scroll", ("pageup", "pagedown"), (Leaf(-1), Leaf(1)), "PgUp/PgDn")
VIEW_POT = Bind("view_pot", ("v", "f6"), (Open(Page.POT),))
HELP = Bind("help", ("?", "f1"), (Open(Page.HELP),))
SCORES = Bind("scores", ("c", "f2"), (Open(Page.SCORES),))
RULES = Bind("rules", ("r", "f3"), (Open(Page.RULES),))
LOG = Bind("log", ("l", "f4"), (Open(Page.LOG),))
FAIRNESS = Bind("fairness", ("e", "f", "f5"), (Open(Page.FAIRNESS),))
VERIFY = Bind("verify", ("y", "f8"), (Key.VERIFY,))
NEXT_ROUND = Bind("next_round", ("n",), (Key.NEXT_ROUND,))
LEAVE = Bind("leave", ("q",), (Key.LEAVE,))
GOODBYE = Bind("goodbye", ("g",), (Key.GOODBYE,))
CLAIM = Bind("claim", ("w",), (Key.CLAIM,))
CATCH = Bind("catch", ("b",), (Key.CATCH,))
TALK = Bind("talk", ("m",), (Key.TALK,))
TALK_PAGE = Bind("talk_page", ("k", "f7"), (Open(Page.TALK),))
AWAY = Bind("away", ("i",), (Key.AWAY,))
PAUSE = Bind("pause", ("z",), (Key.PAUSE,))
SEND = Bind("send", ("enter",), (Key.SEND,))
DROP = Bind("drop", ("escape",), (Key.DROP,))
ERASE = Bind("erase", ("backspace",), (Key.ERASE,))
MUTE = replace(CHOOSE, name="mute")
"""The same keys on the page of talk."""

TABLE: tuple[Bind, ...] = (
    *(MOVE, ROW, EDGE, TOGGLE, ACCEPT, CHOOSE, MORE, CANCEL),
    *(STOCK, POT, DECLINE, DISCARD, UNDO, CALL_LAST, CATCH, CLAIM),
    *(SORT, SHIFT, HINT, LEAF),
    *(TALK, TALK_PAGE, AWAY, PAUSE),
    *(VIEW_POT, HELP, SCORES, RULES, LOG, FAIRNESS, VERIFY, NEXT_ROUND, LEAVE, GOODBYE),
)
"""All binds, in the order of the help page."""

TYPING: tuple[Bind, ...] = (SEND, DROP, ERASE)
"""All binds while a line is typed; every other key is a character of it or means nothing."""

ALWAYS = (HELP, LEAVE)
"""Binds that the key line shows however little room it has."""

GROUPS: tuple[tuple[str, tuple[Bind, ...]], ...] = (
    ("help.turn", (STOCK, POT, TOGGLE, ACCEPT, CHOOSE, MORE, DISCARD, UNDO, CALL_LAST, CATCH, DECLINE)),
    ("help.hand", (MOVE, ROW, EDGE, CANCEL, SORT, SHIFT, HINT)),
    ("help.pages", (SCORES, RULES, LOG, FAIRNESS, VERIFY, VIEW_POT, LEAF, NEXT_ROUND, HELP, CLAIM, LEAVE, GOODBYE)),
    ("help.talk_group", (TALK, SEND, DROP, ERASE, TALK_PAGE, PAUSE, AWAY)),
)

WATCHING: tuple[tuple[str, tuple[Bind, ...]], ...] = (
    ("help.pages", (SCORES, RULES, LOG, FAIRNESS, VERIFY, VIEW_POT, TALK_PAGE, LEAF, CANCEL_PAGE, HELP, LEAVE)),
)
"""What somebody without a seat can do."""


def groups(state: UiState) -> tuple[tuple[str, tuple[Bind, ...]], ...]:
    """The help page of this table: without what its rules or its size never allow."""
    rules = state.view.rules
    if state.me is None or is_out(state.view):
        return WATCHING
    absent: set[Bind] = set()
    if rules.last_card_call == "none":
        absent |= {CALL_LAST, CATCH}
    if rules.opening_exchange == "none":
        absent.add(DECLINE)
    if len(state.view.present) < 3:
        absent.add(CLAIM)  # nobody is left to agree with (spec/30-wire.md V4)
    shown = {POT: TAKE_POT} if rules.opening_exchange == "none" else {}
    return tuple(
        (title, tuple(shown.get(bind, bind) for bind in binds if bind not in absent)) for title, binds in GROUPS
    )


def key_name(key: str) -> str:
    """How a key is written: its sign, itself, or a catalogue code that begins with `keyname.`."""
    if key in _NAMES:
        return _NAMES[key]
    return key.upper() if key[0] == "f" and key[1:].isdigit() else key


def useful(state: UiState) -> tuple[tuple[Bind, str], ...]:
    """The binds worth showing now, most useful first, each with the catalogue code of its label."""
    if state.typing is not None:
        return ((SEND, SEND.label), (DROP, DROP.label), (ERASE, ERASE.label))
    if state.ask is not None:
        if state.ask.how == "ask.leave.how":
            return ((ACCEPT, "key.stop_now"), (GOODBYE, GOODBYE.label), (CANCEL, "key.no"))
        return ((ACCEPT, "key.yes"), (CANCEL, "key.no"))
    talk = [(TALK, TALK.label)] if state.me is not None else []
    urgent = [(CLAIM, CLAIM.label)] if claimable(state) else []
    if paused(state) and talk and not state.said_goodbye and not is_out(state.view):
        urgent = [(PAUSE, "key.go_on"), *urgent]
    if state.unread and state.me is None:
        urgent = [(TALK_PAGE, "key.read"), *urgent]
    elif state.unread:
        urgent, talk = [*urgent, *talk], []
    gone = state.said_goodbye or is_out(state.view)
    if gone and state.page is Page.TABLE and state.view.stage not in OVER:
        return tuple((bind, bind.label) for bind in (LEAVE, HELP, SCORES, LOG, TALK))
    if offenders(state):
        urgent = [(CATCH, CATCH.label), *urgent]
    if state.page is Page.RESULT and state.may_go_on:
        chosen = [(ACCEPT, "key.next_round"), *urgent, (CANCEL, "key.back")]
    elif state.page is Page.TALK:
        players = f"1-{len(others(state))}" if len(others(state)) > 1 else "1"
        here = state.me is not None and not gone
        pause = [(PAUSE, PAUSE.label)] if here and not paused(state) else []
        away = "key.back_again" if state.me in state.standing.away else AWAY.label
        me = [*pause, (AWAY, away)] if here else []
        mute = (replace(MUTE, intents=(Choose(1),), shown=players), MUTE.label)
        chosen = [(CANCEL, "key.back"), *talk, mute, *urgent, *me]
        talk = []
    elif state.page is Page.FAIRNESS:
        chosen = [(CANCEL, "key.back"), (LEAF, LEAF.label), (VERIFY, VERIFY.label), *urgent]
    elif state.page is not Page.TABLE:
        chosen = [(CANCEL, "key.back"), (LEAF, LEAF.label), *urgent]
    else:
        chosen = [*urgent, *((bind, bind.label) for bind in _on_table(state))]
    end = [(bind, bind.label) for bind in (HELP, SCORES, LOG, RULES, FAIRNESS, LEAVE)]
    return (*chosen, *end[:3], *talk, *end[3:])


def _on_table(state: UiState) -> tuple[Bind, ...]:
    if state.view.to_compare:
        numbers = "1" if len(state.people) == 1 else f"1-{len(state.people)}"
        return (replace(SAME, shown=numbers), *((BEGIN,) if state.all_same else ()))
    if state.view.stage is Stage.BETWEEN:
        return (NEXT_ROUND,) if state.may_go_on else ()
    if not state.my_turn or state.view.round is None:
        return (MOVE, TOGGLE, SORT) if state.order else ()
    if state.view.round.phase is Phase.EXCHANGE:
        return (MOVE, TOGGLE, TAKE_OPEN, DECLINE, SORT)
    if state.view.round.phase is Phase.DRAW and not state.draft.take_pot:
        pot = (POT,) if pot_refusal(state.view) is None else ()
        return (STOCK, *pot, *_offered(state), MOVE, TOGGLE, SORT, HINT)
    acts = (*_offered(state), MOVE, TOGGLE, DISCARD)
    if not state.draft.empty:
        acts = (*acts, UNDO)
    if state.view.rules.last_card_call != "none" and (len(state.order) == _CALLED_AT or state.draft.call_last):
        acts = (*acts, CALL_LAST)
    return (*acts, SORT, HINT)


_CALLED_AT = 2
"""Cards in hand before the discard that leaves the last one."""


def _offered(state: UiState) -> tuple[Bind, ...]:
    """How the offers are taken: one by Enter, of several each by its number. A click on the numbers says to choose."""
    if len(state.offers) < 2:
        return (ACCEPT,) if state.offers else ()
    shown = min(len(state.offers) - state.offer_leaf * MOST_OFFERS, MOST_OFFERS)
    numbers = "1" if shown == 1 else f"1-{shown}"
    return (
        replace(CHOOSE, intents=(Key.ACCEPT,), shown=numbers),
        *((MORE,) if len(state.offers) > MOST_OFFERS else ()),
    )
