"""Looking back on a game: where we are in it, from which seat, and what each key means there.

The table views draw it, so its state can be turned into theirs (`ReplayState.scene_state`). Pure: no terminal.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from protocol.session.outputs import GameOver, RoundOver, Voided

from .departures import is_signing
from .intents import Choose, Edge, Intent, Key, Leaf, Link, Open, Page, Row, Shift, Step, Wheel
from .keys import ACCEPT, CANCEL, FAIRNESS, HELP, LEAVE, LOG, RULES, SCORES, VIEW_POT, Bind
from .motion import scrolled
from .replay_model import ROUND_ENDS, TURN_ENDS, Replay
from .state import Note, UiState, settle

STEP = Bind("replay_step", ("left", "right", "space"), (Step(-1), Step(1), Step(1)), "←→")
TURN = Bind("replay_turn", ("up", "down"), (Row(-1), Row(1)), "↑↓")
ROUND = Bind("replay_round", ("pageup", "pagedown"), (Leaf(-1), Leaf(1)), "PgUp/PgDn")
ENDS = Bind("replay_ends", ("home", "end"), (Edge(-1), Edge(1)))
SEAT = Bind("replay_seat", tuple("1234567"), tuple(Choose(number) for number in range(1, 8)), "1-7")
NEXT_SEAT = Bind("replay_next_seat", ("tab", "s-tab"), (Shift(1), Shift(-1)), "Tab")
WATCHER = Bind("replay_watcher", ("0",), (Key.MORE,))
REVEAL = Bind("replay_reveal", ("o",), (Key.REVEAL,))
SCROLL = Bind("scroll", ("up", "down"), (Row(-1), Row(1)), "↑↓")

_PAGES = (SCORES, RULES, LOG, FAIRNESS, VIEW_POT)
REPLAY_KEYS: tuple[Bind, ...] = (
    *(STEP, TURN, ROUND, ENDS, SEAT, NEXT_SEAT, WATCHER, REVEAL),
    *(ACCEPT, CANCEL, *_PAGES, HELP, LEAVE),
)
REPLAY_GROUPS: tuple[tuple[str, tuple[Bind, ...]], ...] = (
    ("help.replay", (STEP, TURN, ROUND, ENDS)),
    ("help.replay_eyes", (SEAT, NEXT_SEAT, WATCHER, REVEAL)),
    ("help.pages", (*_PAGES, HELP, LEAVE)),
)


@dataclass(frozen=True, slots=True)
class ReplayState:
    """Position `at` of a game, seen by `seat` (None: a watcher); with `reveal` every card that was ever opened."""

    game: Replay
    at: int = 0
    seat: int | None = 0
    reveal: bool = False
    page: Page = Page.TABLE
    scroll: int = 0
    meld_scroll: int = 0
    over: bool = False
    """The person goes."""

    def scene_state(self) -> UiState:
        """The same as the table views want it: nobody's turn to act, and the log up to here."""
        view = self.game.view(self.at, self.seat, reveal=self.reveal)
        state = settle(
            UiState(view=view, link=Link(state="replay"), page=self.page, scroll=self.scroll, sent_at=view.step)
        )
        log = self.game.log(self.at, self.seat, reveal=self.reveal)
        past = self.game.positions[: self.at + 1]
        voids = tuple(event for position in past for event in position.events if isinstance(event, Voided))
        return replace(state, log=log, voids=voids, meld_scroll=self.meld_scroll, cursor=None)

    @property
    def eyes(self) -> Note:
        """What can be seen, in a sentence."""
        if self.reveal:
            return Note("replay.open")
        if self.seat is None:
            return Note("replay.watcher")
        return Note("replay.as_seat", (("name", self.game.genesis.players[self.seat].name),))


def reduce_replay(state: ReplayState, intent: Intent) -> ReplayState:
    """The next state. Total: what means nothing here changes nothing."""
    match intent:
        case Step(by):
            return _go(state, min(max(state.at + by, 0), state.game.last))
        case Row() | Leaf() | Edge() if state.page not in {Page.TABLE, Page.RESULT}:
            return replace(state, scroll=scrolled(state.scroll, intent))
        case Row(by):
            return _go(state, state.game.find(state.at, by, stops=TURN_ENDS))
        case Leaf(by):
            return _go(state, state.game.find(state.at, by, stops=ROUND_ENDS))
        case Edge(side):
            return _go(state, 0 if side < 0 else state.game.last)
        case Wheel(by, limit) if state.page is not Page.TABLE:
            return replace(state, scroll=scrolled(state.scroll, Row(3 * by, limit=limit)))
        case Wheel(by):
            return _go(state, min(max(state.at + by, 0), state.game.last))
        case Choose(number) if number <= len(state.game.genesis.players):
            return replace(state, seat=number - 1)
        case Shift(by):
            return replace(state, seat=_beside(state, by))
        case Open(page):
            return replace(state, page=Page.TABLE if state.page is page else page, scroll=0)
        case Key.MORE:
            return replace(state, seat=None)
        case Key.REVEAL:
            return replace(state, reveal=not state.reveal)
        case Key.CANCEL | Key.ACCEPT:
            return replace(state, page=Page.TABLE, scroll=0)
        case Key.LEAVE:
            return replace(state, over=True)
        case _:
            return state


def _go(state: ReplayState, to: int) -> ReplayState:
    """Show this position: the result where a round has just been scored or given up by who plays on, else the table."""
    scored = any(isinstance(event, RoundOver | GameOver) for event in state.game.positions[to].events)
    view = state.game.view(to, None, reveal=False)
    scored = scored or (is_signing(view) and not view.broken_off)
    return replace(state, at=to, page=Page.RESULT if scored else Page.TABLE, scroll=0, meld_scroll=0)


def _beside(state: ReplayState, by: int) -> int | None:
    """The next pair of eyes, round and round: the seats, then the watcher."""
    n = len(state.game.genesis.players)
    to = ((n if state.seat is None else state.seat) + by) % (n + 1)
    return None if to == n else to


def replay_binds(state: ReplayState) -> tuple[tuple[Bind, str], ...]:
    """The binds worth showing now, each with the catalogue code of its label."""
    if state.page is Page.RESULT:
        chosen: tuple[Bind, ...] = (STEP, TURN, ROUND)
    elif state.page is not Page.TABLE:
        return ((CANCEL, "key.back_replay"), (SCROLL, SCROLL.label), (HELP, HELP.label), (LEAVE, LEAVE.label))
    else:
        chosen = (STEP, TURN, ROUND, NEXT_SEAT, REVEAL)
    return tuple((bind, bind.label) for bind in (*chosen, HELP, SCORES, LOG, LEAVE, RULES, FAIRNESS))
