"""Between the screen and the node: news goes into the model, effects of the model go to the node.

Knows no terminal: `App` draws and feeds keys, this class keeps the one UiState and carries out effects in order.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable

from node import handle
from node.handle import AwayChanged, Choice, Connection, NextRound, PauseChanged, Said, TableHandle
from protocol.errors import IllegalMove, NotNow, WireError
from protocol.session.verify import verify_game

from .intents import Intent, Link, Refused, Standing, Stopped, TableChanged, TalkRefused, Verified, Word
from .model import Effect, Goodbye, GoOn, Leave, Ring, Submit, UiState, reduce, start
from .state import Mute, Say, SetAway, SetPause, Verify
from .views.screen import Drawing, measured


def link_of(connection: Connection) -> Link:
    """The node's connection as the screen needs it."""
    dropped = sum(count for _, count in connection.dropped)
    return Link(state=connection.state, broker=connection.broker, peers=connection.peers, dropped=dropped)


def standing_of(standing: handle.Standing) -> Standing:
    """How people stand beside the game, as the screen needs it."""
    return Standing(away=standing.away, muted=standing.muted, paused_by=standing.paused_by)


def word_of(spoken: handle.Spoken) -> Word:
    """What somebody said, as the screen needs it."""
    match spoken:
        case Said(seat, said):
            return Word(seat, "said", said)
        case AwayChanged(seat, away):
            return Word(seat, "away" if away else "back")
        case PauseChanged(seat, on):
            return Word(seat, "pause" if on else "go_on")


def _choice(effect: Submit | GoOn | Goodbye) -> Choice:
    """What the node is asked to do for this effect."""
    match effect:
        case Submit(action):
            return action
        case GoOn():
            return NextRound()
        case Goodbye():
            return handle.Leave()


class Controller:
    """Keeps the state of one screen at one table.

    `changed` is called when the state has become another one, `ring` when it has become our turn, `leave` when the
    person goes.
    """

    def __init__(
        self, table: TableHandle, *, changed: Callable[[], None], ring: Callable[[], None], leave: Callable[[], None]
    ) -> None:
        self._handle = table
        self._changed = changed
        self._ring = ring
        self._leave = leave
        self._to_verify = asyncio.Event()
        self._acts: asyncio.Queue[Submit | GoOn | Goodbye] = asyncio.Queue()
        self.drawing: Drawing | None = None
        """The last drawing; some keys mean "one row further" or "one page further" in it."""
        self.state: UiState = start(
            table.view(), link_of(table.connection()), standing=standing_of(table.talk.standing())
        )

    def dispatch(self, intent: Intent) -> None:
        """Reduce this intent and carry out what follows."""
        before = self.state
        self.state, effects = reduce(before, measured(intent, self.drawing))
        for effect in effects:
            self._carry_out(effect)
        if self.state != before:
            self._changed()

    async def run(self) -> None:
        """Follow the node and send our moves, until cancelled. News after the node's end does not come.

        Raises what ended the node while it made a move (its disk failed).
        """
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._follow(), name="follow the table")
            tasks.create_task(self._send(), name="send moves")
            tasks.create_task(self._verify(), name="verify when asked")

    async def _follow(self) -> None:
        async for update in self._handle.updates():
            words = tuple(map(word_of, update.spoken))
            link, standing = link_of(update.connection), standing_of(update.standing)
            self.dispatch(TableChanged(update.view, update.events, link, words, standing))
        self.dispatch(Stopped())

    async def _send(self) -> None:
        """One move after another, so that two effects can never overtake each other."""
        while True:
            effect = await self._acts.get()
            try:
                await self._handle.submit(_choice(effect))
            except (IllegalMove, NotNow) as refused:  # anything else is the end of the node, hence of the screen
                self.dispatch(Refused(refused.code, _choice(effect)))

    async def _verify(self) -> None:
        """Verify the game so far whenever the person asks: from its bytes alone, as a stranger would."""
        while True:
            await self._to_verify.wait()
            self._to_verify.clear()
            try:
                path, data = await self._handle.game_file()
                verdict = await asyncio.to_thread(verify_game, data, os.urandom(32))
            except (OSError, WireError) as error:
                self.dispatch(Verified("", code=getattr(error, "strerror", None) or str(error)))
                continue
            checks, fault = verdict.checks, verdict.fault
            proofs = checks.signatures + checks.commitments + checks.shuffle_proofs + checks.shares
            self.dispatch(
                Verified(
                    "" if path is None else str(path),
                    proofs=proofs + checks.opened_cards + checks.audited_shuffles,
                    steps=verdict.steps,
                    code="" if fault is None else fault.code,
                    seat=None if fault is None else fault.seat,
                )
            )

    def _carry_out(self, effect: Effect) -> None:
        match effect:
            case Verify():
                self._to_verify.set()
            case Submit() | GoOn() | Goodbye():
                self._acts.put_nowait(effect)
            case Say() | Mute() | SetAway() | SetPause():
                self._speak(effect)
            case Ring():
                self._ring()
            case Leave():
                self._leave()

    def _speak(self, effect: Say | Mute | SetAway | SetPause) -> None:
        talk = self._handle.talk
        try:
            match effect:
                case Say(said):
                    talk.say(said)
                case Mute(seat, on):
                    talk.mute(seat, on=on)
                case SetAway(away):
                    talk.set_away(away=away)
                case SetPause(on):
                    talk.set_pause(on=on)
        except NotNow as refused:
            self.dispatch(TalkRefused(refused.code, effect.said if isinstance(effect, Say) else ""))
