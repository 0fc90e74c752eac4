"""Between the lobby's screen and the world: news goes into the model, effects of the model become errands.

Knows no terminal. At most one table is open at a time; the network is watched for tables only while none is, and the
game's screen comes through `Handover`: whoever owns the terminal shows the table and says how that ended.
"""

from __future__ import annotations

import asyncio
import importlib
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from client_cli.commands.rules import keep_rules, last_rules
from client_cli.departures import is_out
from protocol.errors import DuizendenError
from protocol.session.view import Stage as TableStage

from . import errands
from .intents import (
    Begun,
    Busy,
    Checked,
    Ended,
    Examined,
    FilesListed,
    GamesListed,
    Intent,
    Press,
    RoomChanged,
    TablesSeen,
    Told,
    VerifyMoved,
    Waited,
)
from .model import reduce
from .state import (
    AddBot,
    Ask,
    Begin,
    Effect,
    Examine,
    JoinTable,
    LeaveRoom,
    ListFiles,
    ListGames,
    LobbyState,
    LookAgain,
    Note,
    OpenTable,
    Preferences,
    Quit,
    Remember,
    RemoveSeat,
    ResumeGame,
    StopVerifying,
    VerifyFile,
    Verifying,
    WatchTable,
)

if TYPE_CHECKING:
    from pathlib import Path

    from client_cli.commands.context import Context
    from node.driver import TableDriver
    from node.room import Room

    from .tables import Errands, RoomOrder
    from .views.scene import Drawing


@dataclass(frozen=True, slots=True)
class Handover:
    """A table that has begun: show it, then set `left` to the exit code of its screen (or to what it failed with)."""

    driver: TableDriver
    left: asyncio.Future[int]


class LobbyController:
    """Keeps the state of the lobby. `changed` is called after every new state.

    `hand_over` is called with a table that has begun; `leave` when the person goes.
    """

    def __init__(
        self,
        context: Context,
        preferences: Preferences,
        *,
        changed: Callable[[], None],
        hand_over: Callable[[Handover], None],
        leave: Callable[[], None],
    ) -> None:
        self._context = context
        self._changed = changed
        self._hand_over = hand_over
        self._quit = leave
        self.state = LobbyState(preferences=preferences, before=last_rules(context))
        self.drawing: Drawing | None = None
        """The last drawing; some keys mean "one screen further" in it."""
        self._orders: asyncio.Queue[RoomOrder] = asyncio.Queue()
        self._scouting: asyncio.Task[None] | None = None
        self._table: asyncio.Task[None] | None = None
        self._work: set[asyncio.Task[None]] = set()
        self._verify_off = threading.Event()
        self._leaving = False
        """Whether the person has left the table, which is now being put away."""
        self._farewell: Note | None = None
        self._offered: Ask | None = None
        self.failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Gets the exception of an errand that failed for no reason that a person can be told."""

    # ------------------------------------------------------------------ in and out

    def dispatch(self, intent: Intent) -> None:
        """Reduce this intent and carry out what follows."""
        if isinstance(intent, Press) and self.drawing is not None:
            intent = Press(intent.key, self.drawing.limit, self.drawing.leaf)
        self.state, effects = reduce(self.state, intent)
        for effect in effects:
            self._carry_out(effect)
        self._watch_network()
        self._changed()

    def start(self) -> None:
        """Begin to look around."""
        self._watch_network()

    async def close(self) -> None:
        """End everything that is under way: rooms are closed, peers are told."""
        tasks = [task for task in (self._scouting, self._table, *self._work) if task is not None]
        self._verify_off.set()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # ------------------------------------------------------------------ effects

    def _carry_out(self, effect: Effect) -> None:
        match effect:
            case LookAgain():
                self._stop_scouting()
            case JoinTable():
                self._at_table(lambda e: e.join(effect))
            case WatchTable():
                self._at_table(lambda e: e.watch(effect))
            case OpenTable(card):
                self._at_table(lambda e: e.practise(card) if card.practice else e.host(card, self._orders))
            case ResumeGame(path):
                self._at_table(lambda e: e.resume(path))
            case AddBot() | RemoveSeat() | Begin():
                self._orders.put_nowait(effect)
            case LeaveRoom():
                self._leave()
            case ListGames():
                self._do(self._list(lambda: GamesListed(errands.games(self._context.profile))), "list games")
            case ListFiles():
                self._do(self._list(lambda: FilesListed(errands.files(self._context.profile))), "list files")
            case VerifyFile(path):
                self._do(self._verify(path), "verify")
            case StopVerifying():
                self._verify_off.set()
            case Examine():
                self._do(self._examine(), "doctor")
            case Remember(preferences):
                self._remember(preferences)
            case Quit():
                self._quit()

    def _remember(self, now: Preferences) -> None:
        try:
            self._context.profile.remember(**asdict(now))
        except OSError as error:
            self.dispatch(Told(errands.note_of(error, self._log)))

    # ------------------------------------------------------------------ looking around

    def _watch_network(self) -> None:
        """Look around exactly while nobody sits down anywhere."""
        if not self.state.looking:
            self._stop_scouting()
        elif self._scouting is None:
            self._scouting = self._task(self._look_around(), "scout")

    async def _look_around(self) -> None:
        """Report tables until cancelled. What it needs is loaded in a thread: the screen is there before it."""
        for name in ("client_cli.lobby.scout", "node.discovery"):
            await asyncio.to_thread(importlib.import_module, name)
        from .scout import Scout

        scout = Scout(
            lambda tables: self.dispatch(TablesSeen(tables)),
            lambda: self.dispatch(Waited()),
            errands.last_brokers(self._context.profile),
        )
        await scout.run()

    def _stop_scouting(self) -> None:
        if self._scouting is not None:
            self._scouting.cancel()
            self._work.add(self._scouting)
            self._scouting.add_done_callback(self._work.discard)
            self._scouting = None

    # ------------------------------------------------------------------ tables

    def _at_table(self, errand: Callable[[Errands], Coroutine[Any, Any, None]]) -> None:
        from .tables import Errands

        self._orders = asyncio.Queue()
        self._leaving, self._farewell, self._offered = False, None, None
        now = self.state.preferences
        made = Errands(self._context, now.name, now.lang, self)
        before, self._table = self._table, None
        self._table = self._task(self._run_table(partial(errand, made), before), "table")

    async def _run_table(
        self, errand: Callable[[], Coroutine[Any, Any, None]], before: asyncio.Task[None] | None
    ) -> None:
        """Run an errand to its end and say how it ended. One that was given up says nothing."""
        if before is not None:
            await asyncio.wait({before})  # the last table is being put away
        mine = asyncio.current_task()
        note: Note | None = None
        try:
            await errand()
        except (DuizendenError, OSError) as error:
            note = errands.note_of(error, self._log, played=True)
        if self._table is mine:
            self._table = None
            self.dispatch(Ended(note or self._farewell, self._offered))

    def _leave(self) -> None:
        """Give up the table that is open or under way; it is put away while the lobby is already shown again."""
        note = self._farewell or (Note("lobby.closed") if self.state.hosting else None)
        if self._table is not None:
            if not self._leaving:  # a table that was played is put away in its own time: its game is being saved
                self._table.cancel()
            self._work.add(self._table)
            self._table.add_done_callback(self._work.discard)
            self._table = None
        self.dispatch(Ended(note))

    # ------------------------------------------------------------------ the stage of the errands

    def room(self, room: Room, *, hosting: bool) -> None:
        """The waiting room is like this now."""
        self.dispatch(RoomChanged(room, hosting))

    def tell(self, note: Note) -> None:
        """A sentence for the person."""
        self.dispatch(Told(note))

    def offer(self, ask: Ask) -> None:
        """Ask this once the errand is over."""
        self._offered = ask

    async def play(self, driver: TableDriver) -> None:
        """Give the table to whoever owns the terminal; returns when the person has left it."""
        view = driver.view()
        if view.me is not None:
            keep_rules(view.rules, self._context)
        self.dispatch(Begun(None if view.me is None else view.rules))
        left: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._hand_over(Handover(driver, left))
        await left
        self._leaving = True
        view = driver.view()
        stage = view.stage
        if stage not in {TableStage.FINISHED, TableStage.FAULTED}:
            code = "lobby.left" if view.me is not None else "lobby.watched"
            if is_out(view):
                code = "lobby.gone" if view.broken_off else "lobby.gone.on"
            elif view.me in view.leaving:
                code = "lobby.gone.early"
            self._farewell = Note(code, (("game", driver.journal.stem),))
        for path in driver.evidence[:1]:
            self._farewell = Note("lobby.evidence", (("file", str(path)),))
        self.dispatch(Busy(Note("lobby.leaving")))
        if stage is TableStage.FINISHED:
            await driver.linger()

    # ------------------------------------------------------------------ small errands

    async def _list(self, read: Callable[[], Intent]) -> None:
        try:
            self.dispatch(await asyncio.to_thread(read))
        except OSError as error:
            self.dispatch(Told(errands.note_of(error, self._log)))

    async def _verify(self, path: Path) -> None:
        """Check a file in a thread; its progress is shown a hundred times at most."""
        self._verify_off.set()
        off = self._verify_off = threading.Event()
        loop = asyncio.get_running_loop()
        shown = -1

        def moved(done: int, total: int) -> None:
            nonlocal shown
            if off.is_set():
                raise errands.GivenUp
            percent = 100 * done // max(total, 1)
            if percent != shown:
                shown = percent
                news = VerifyMoved(Verifying(path=path, done=done, total=total))
                with suppress(RuntimeError):  # the loop has ended
                    loop.call_soon_threadsafe(self.dispatch, news)

        with suppress(errands.GivenUp):
            self.dispatch(VerifyMoved(await asyncio.to_thread(errands.verified, path, moved)))

    async def _examine(self) -> None:
        from .doctor import Surroundings, examine

        async for check in examine(self._context.profile, Surroundings.of_this_process()):
            self.dispatch(Checked(check))
        self.dispatch(Examined())

    # ------------------------------------------------------------------ tasks

    @property
    def _log(self) -> str:
        return str(self._context.profile.logs / "duizenden.log")

    def _do(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = self._task(work, name)
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    def _task(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        task = asyncio.create_task(work, name=name)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        """A mistake of ours ends the lobby, with that exception."""
        if not task.cancelled() and (error := task.exception()) is not None and not self.failed.done():
            self.failed.set_exception(error)
