"""The node of one seat at a table that has begun: transport signals in, session work in a thread, entries out.

This is the asyncio half; `worker` is the blocking half, `arrivals` judges what comes from the network, `voice` sends,
and `sync` decides about asking and answering. A `TableDriver` is the `TableHandle` that clients and bots see. Nothing
that arrives from the network leaves it as an exception; errors of our own machine (the disk) do.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from protocol.errors import IllegalMove, NotNow
from protocol.rules.actions import Draw, Exchange, Play
from protocol.session.gamefile import write_game
from protocol.session.outputs import (
    Claimed,
    Dropped,
    Faulted,
    GameOver,
    KeepSecret,
    Publish,
    Record,
    RoundOver,
    Voided,
)

from . import gamefile
from .arrivals import Arrivals
from .handle import Claim, Connection, NextRound, Update
from .messages import Heartbeat, SyncAnswer, SyncRequest
from .sync import HEARTBEAT, NEVER, Answer, Ask, Place, Show, Sync
from .talk import CHANNEL, TableTalk
from .tasks import background, to_the_end
from .transport import Down, Lost, Up
from .voice import Voice
from .worker import Worker

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from protocol.session.outputs import Event
    from protocol.session.session import Choice
    from protocol.session.view import TableView

    from .journal import Journal
    from .router import Router
    from .seat import Seat
    from .worker import Outcome

    Delay = Callable[[float, float], float]

T = TypeVar("T")

BATCH = 32
"""Entries that go to the session together; few, so that a choice of the player's gets in between."""
COMMIT_AFTER = 0.5
"""Seconds that peers' entries may wait for the disk (they can be fetched again; our own never wait)."""
LINGER = 4.0
"""Seconds that a node stays after the end of the game for peers who still lack something."""
LINGER_BEAT = 0.5


class TableDriver:
    """One seat's running node. Made by `open_table`; what clients and bots may use is `TableHandle`."""

    def __init__(self, seat: Seat, worker: Worker, router: Router, epoch: int, delay: Delay) -> None:
        self._who = seat
        self._worker = worker
        self._router = router
        self._transport = router.transport
        self._voice = Voice(seat, router.transport, epoch)
        self.broker = seat.broker
        """Where the table's broker is."""
        self.journal = worker.path
        """The journal's file."""
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="session")
        self._work_lock = asyncio.Lock()
        """Held while the session works and what follows from it is carried out."""
        n = len(seat.genesis.players)
        self._sync = Sync(me=seat.seat, seats=n, now=self._now(), delay=delay)
        self._poke = asyncio.Event()
        self._changed = asyncio.Event()
        self.talk = TableTalk(
            seat.genesis,
            seat.seat,
            seat.key,
            router,
            stamp=self._voice.stamp,
            publish=lambda payload, reliable: self._voice.give(CHANNEL, payload, reliable=reliable),
            changed=self._talk_changed,
        )
        """What people say beside the game."""
        self._kept_talk = b""
        self._arrivals = Arrivals(
            seat.genesis, seat.seat, seat.key.public, router, self._sync, self._poke, self.talk.alive
        )
        self._events: list[Event] = []
        self._claims: set[tuple[int, ...]] = set()
        """Whom somebody has claimed in the open step, for a player who has said goodbye."""
        self._place = Place()
        self._head = bytes(32)
        self._view: TableView | None = None
        self._finished = False
        self._beside: tuple[bytes, ...] = ()
        self._stopped = False
        self._failure: Exception | None = None
        """Why the session's thread can do no more (a full disk)."""
        self._failed = asyncio.Event()
        self._shown = self.connection()
        self._beat = 0.0
        self._commit_at = NEVER
        self._files_due = False
        self.evidence: tuple[Path, ...] = ()
        """Files that prove why seats were named, beside the game files, once they are written."""

    # ------------------------------------------------------------------ the handle

    def view(self) -> TableView:
        """The newest snapshot."""
        assert self._view is not None, "the driver has started"
        return self._view

    def connection(self) -> Connection:
        """How the node is connected now."""
        peers = tuple(not silent for silent in self._sync.silent(self._now()))
        drops = self._router.drops.items()
        return Connection(state=self._router.state, broker=self.broker.short(), peers=peers, dropped=drops)

    @property
    def bytes_sent(self) -> int:
        """Payload bytes handed to the transport so far."""
        return self._voice.bytes_sent

    async def updates(self) -> AsyncIterator[Update]:
        """Every change from now on, in order; several at once if slow. One consumer; ends when the node stops."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            events, self._events = tuple(self._events), []
            spoken = self.talk.take()
            if self._stopped and not (events or spoken):
                return
            yield Update(
                view=self.view(),
                events=events,
                connection=self.connection(),
                spoken=spoken,
                standing=self.talk.standing(),
            )
            if self._stopped:
                return

    async def game_file(self) -> tuple[Path | None, bytes]:
        """The game so far; see `handle.TableHandle`."""
        await self._in_thread(self._write_files)
        frames = await self._in_thread(self._worker.log_frames)
        return next(iter(self._who.files), None), write_game(self._who.genesis, frames)

    async def submit(self, action: Choice) -> None:
        """Make a move. Returns when it is journalled and handed to the link.

        Raises IllegalMove or NotNow (`node/paused`: a claim in a pause), and then nothing has happened. Any other error
        (JournalError) is the end of the node: nobody has heard of the move, and the game can be resumed from its
        journal. A caller that is cancelled once the session has the move does not know whether it was made; the table
        goes on either way.
        """
        if isinstance(action, Claim) and self.talk.paused:
            raise NotNow("node/paused")
        await self._do(lambda: self._worker.act(action))
        if isinstance(action, Draw | Exchange | Play | NextRound):
            self.talk.acted()

    # ------------------------------------------------------------------ life

    async def start(self) -> None:
        """Rebuild the session from the journal, join the table's topics and say what is owed."""
        for step, seat in await self._in_thread(self._worker.authors):
            self._sync.recorded(step, seat)
        self._kept_talk = await self._in_thread(self._worker.kept_talk)
        self._arrivals.open()
        self.talk.open(self._kept_talk)
        await self._do(self._worker.open)
        self._router.listen(self._on_signal)

    async def run(self) -> None:
        """Work until cancelled. Raises what ended the work of the session (JournalError), wherever it came up."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._take_entries(), name="entries")
            tasks.create_task(self._keep_time(), name="clock")
            tasks.create_task(self._end_on_failure(), name="failure")

    async def _end_on_failure(self) -> None:
        await self._failed.wait()
        assert self._failure is not None
        raise self._failure

    async def linger(self, seconds: float = LINGER) -> None:
        """After the end of the game: stay until every peer that is there has the whole log, or for so many seconds."""
        end = self._now() + seconds
        while self._finished and not self._sync.all_at(self._place, self._now()) and self._now() < end:
            self._beat = 0.0  # the others wait for us as we for them
            self._poke.set()
            self._arrivals.talked.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LINGER_BEAT):
                    await self._arrivals.talked.wait()

    async def stop(self) -> None:
        """Say goodbye, write the game file, close the journal. The handle's updates end.

        After an error of the journal no game file is written: the session may have said what nobody is to hear.
        """
        self._router.unlisten(self._on_signal)
        self._arrivals.close()
        self.talk.close()
        try:
            if self._view is not None:  # else it never began
                self._send_heartbeat(leaving=True)
                await self._transport.flush(1.0)
        finally:
            await to_the_end(self._close())  # a game file half way to the disk would be none

    async def _close(self) -> None:
        async with self._work_lock:
            self._stopped = True
            try:
                if self._view is not None:
                    await self._in_thread(self._write_files)
            finally:
                await self._in_thread(self._worker.close)
                self._pool.shutdown(wait=True, cancel_futures=True)
                self._changed.set()

    # ------------------------------------------------------------------ working

    def _on_signal(self, signal: Up | Down | Lost) -> None:
        if isinstance(signal, (Up, Lost)):
            self._sync.connected(self._now())
            self._beat = 0.0
        self._poke.set()

    async def _take_entries(self) -> None:
        """Feed the session, in order of arrival."""
        inbox = self._arrivals.inbox
        while True:
            await self._arrivals.came.wait()
            self._arrivals.came.clear()
            while inbox:
                answer = inbox.answer_end()
                if answer is None:
                    await self._do(partial(self._worker.receive, inbox.entries(BATCH)))
                    continue
                self._sync.answered(answer.seat, answer.place, self._now())
                self._beat = 0.0  # tell the others that they need not answer any more
                self._poke.set()

    async def _keep_time(self) -> None:
        """Heartbeats, sync, commits of what peers said, and the news that somebody came or went."""
        while True:
            now = self._now()
            for todo in self._sync.poll(now):
                match todo:
                    case Ask(place):
                        self._voice.say("q", SyncRequest(step=place.step, have=place.have, **self._voice.stamp()))
                    case Answer(seat, place):
                        await self._answer(self._who.genesis.players[seat].key, place)
                    case Show(key, place):
                        await self._answer(key, place)
            if now >= self._beat:
                self._send_heartbeat()
                self.talk.repeat()
                for frame in self._beside:
                    self._voice.publish(frame)
            if self._kept_talk != self.talk.kept:
                self._kept_talk = self.talk.kept
                await self._in_thread(partial(self._worker.keep_talk, self._kept_talk))
            if now >= self._commit_at:
                self._commit_at = NEVER
                await self._in_thread(self._worker.commit)
            if self._files_due:
                self._files_due = False
                await self._in_thread(self._write_files)
            await self._join_claims()
            self._show_connection()
            next_time = min(self._sync.deadline(), self._beat, self._commit_at)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(next_time):
                    await self._poke.wait()
            self._poke.clear()

    async def _join_claims(self) -> None:
        """Whoever has said goodbye is still one of those who must claim a silent seat: do so once we do not hear it."""
        if self._who.seat not in self.view().leaving or self.talk.paused:
            return
        peers = self.connection().peers
        for silent in [claim for claim in sorted(self._claims) if not any(peers[seat] for seat in claim)]:
            self._claims.discard(silent)
            with contextlib.suppress(NotNow):  # the log went on meanwhile, or it is said already
                await self._do(partial(self._worker.act, Claim(silent)))

    async def _answer(self, key: bytes, place: Place) -> None:
        entries = tuple(await self._in_thread(lambda: self._worker.missing_at(place)))
        if not entries:
            return
        answer = SyncAnswer(step=self._place.step, have=self._place.have, entries=entries)
        self._voice.tell(key, answer)

    def _apply(self, outcome: Outcome) -> None:
        """Publish, remember, and tell whoever looks on. Everything that had to be kept is kept by now."""
        self._arrivals.inbox.drop(outcome.taken)
        if outcome.place.step != self._place.step:
            self._claims.clear()
        for output in outcome.outputs:
            match output:
                case Publish(frame):
                    self._voice.publish(frame)
                case Record(step, seat, _):
                    self._sync.recorded(step, seat)
                case KeepSecret():
                    pass
                case Dropped(code):
                    self._router.drops.count(code)
                case _:
                    self._events.append(output)
                    if isinstance(output, Claimed):
                        self._claims.add(output.silent)
                    if isinstance(output, (RoundOver, GameOver, Faulted, Voided)):
                        self._files_due = True
                        self._beat = 0.0
        self._view = outcome.view
        self._place, self._head, self._finished = outcome.place, outcome.head, outcome.finished
        self._beside = outcome.beside
        self._sync.without = frozenset(() if outcome.view.broken_off else outcome.view.departed)
        waiting = not outcome.finished and any(s != self._who.seat for s in outcome.view.waiting_for)
        for step, head in outcome.heads:
            self._sync.passed(step, head)
        self._sync.moved(outcome.place, waiting=waiting, now=self._now())
        self._commit_at = min(self._commit_at, self._now() + COMMIT_AFTER) if outcome.unsaved else NEVER
        self._poke.set()
        self._changed.set()

    def _write_files(self) -> None:
        if self._worker.dead:
            return
        frames, found = self._worker.log_frames(), self._worker.evidence()
        for path in self._who.files:
            gamefile.write(path, self._who.genesis, frames)
            self.evidence += tuple(
                place for place in gamefile.write_evidence(path, self._who.genesis, found) if place not in self.evidence
            )

    # ------------------------------------------------------------------ to the network

    def _send_heartbeat(self, *, leaving: bool = False) -> None:
        self._beat = self._now() + HEARTBEAT
        if self._who.seat is None:
            return  # nobody waits for a watcher
        place, stamp = self._place, self._voice.stamp()
        beat = Heartbeat(step=place.step, head=self._head, have=place.have, leaving=leaving, **stamp)
        self._voice.say("p", beat, reliable=leaving)

    def _talk_changed(self) -> None:
        self._changed.set()
        self._poke.set()  # a pause is kept

    # ------------------------------------------------------------------ inside

    async def _do(self, work: Callable[[], Outcome]) -> None:
        """Let the session work and carry out what follows, as one: no cancelled caller can come in between.

        Raises what the work raises; unless that is the player's mistake, it is the end of the node.
        """
        await self._work_lock.acquire()
        if self._stopped:
            self._work_lock.release()
            raise NotNow("node/stopped")
        error = await asyncio.shield(asyncio.create_task(self._carry_out(work), name="session work"))
        if error is not None:
            raise error

    async def _carry_out(self, work: Callable[[], Outcome]) -> Exception | None:
        """Why it was refused or failed, as a value: a cancelled caller leaves nobody who would take an exception."""
        try:
            outcome = await self._in_thread(work)
            self._apply(outcome)
        except (IllegalMove, NotNow) as refused:
            return refused
        except Exception as error:  # noqa: BLE001  whatever it is, it ends the node
            self._failure = error
            self._failed.set()
            return error
        else:
            return outcome.refused
        finally:
            self._work_lock.release()

    def _show_connection(self) -> None:
        """Make an update of a change in who is connected (counts of dropped messages alone are no news)."""
        now = replace(self.connection(), dropped=())
        if now != self._shown:
            self._shown = now
            self._changed.set()

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()


@asynccontextmanager
async def open_table(
    seat: Seat, journal: Journal, router: Router, *, delay: Delay | None = None
) -> AsyncIterator[TableDriver]:
    """Play one seat from its journal, new or old, until the context ends; then say goodbye and close the journal.

    `delay` picks how long to wait between two bounds (seconds), so that not all nodes answer at once.
    Raises WireError for a journal that is not a log of this table, JournalError when it cannot be written.
    """
    driver = TableDriver(
        seat, Worker(journal, seat.session), router, journal.epoch, delay or random.SystemRandom().uniform
    )
    try:
        await driver.start()
        async with background(driver.run(), f"table, seat {seat.seat}"):  # a full disk must reach the player
            yield driver
    finally:
        await driver.stop()
