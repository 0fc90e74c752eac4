"""One seat of a simulated table: the real node over a simulated network and disk, killed and started again at will."""

from __future__ import annotations

import asyncio
import shutil
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from typing import TYPE_CHECKING, Any

from node.addresses import BrokerAddress
from node.driver import open_table
from node.journal import Journal
from node.memory import MemoryLink
from node.router import Router
from node.seat import Seat
from node.tasks import background
from node.worker import Worker
from protocol.errors import NotNow
from protocol.session.session import Claim, Leave
from tests.simulator.loop import CLOCK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from node.driver import TableDriver
    from protocol.session.outputs import KeepSecret, Record
    from protocol.session.session import Session
    from tests.simulator.world import World

BROKER = BrokerAddress("memory", 1)
LOOK = 0.2
"""Seconds between two looks of a player at the table."""


class Life:
    """A node from its start to its end; once `over`, whatever its code still does reaches nobody."""

    def __init__(self, node: SimNode, number: int, path: Path) -> None:
        self.node = node
        self.name = f"{node.seat}.{number}"
        self.path = path
        self.over = False
        self.link: MemoryLink | None = None
        self.worker: Worker | None = None
        self.checked = 0
        """Steps of the log that were compared with everybody's."""

    @property
    def session(self) -> Session | None:
        """The session, once there is one."""
        return None if self.worker is None else self.worker._session


class SimLink(MemoryLink):
    """A link that is silent once its node is dead; a node may die while it sends."""

    def __init__(self, world: World, life: Life) -> None:
        super().__init__(world.net, life.name)
        self._world = world
        self._life = life

    def send(self, topic: str, payload: bytes, *, retain: bool = False, reliable: bool = True) -> None:
        """See `Transport.send`."""
        self._world.may_crash(self._life, "before a message")
        if not self._life.over:
            super().send(topic, payload, retain=retain, reliable=reliable)


class SimJournal(Journal):
    """A journal whose node may die before and after each write; every word of the session passes here."""

    world: World
    life: Life

    def append(self, outputs: Iterable[Record | KeepSecret]) -> None:
        """See `Journal.append`. Called after each event of the session, so this is where its state is checked."""
        super().append(outputs)
        self.world.check(self.life)
        self.world.may_crash(self.life, "after an event")

    def commit(self) -> None:
        """See `Journal.commit`."""
        if hasattr(self, "life"):
            self.world.may_crash(self.life, "before a commit")
        super().commit()
        if hasattr(self, "life"):
            self.world.may_crash(self.life, "after a commit")


class SimWorker(Worker):
    """A worker that its life knows of from its first word."""

    def __init__(self, journal: Journal, make: Callable[[int, bytes], Session]) -> None:
        super().__init__(journal, make)
        assert isinstance(journal, SimJournal)
        journal.life.worker = self


class SimNode:
    """The machine of one seat."""

    def __init__(self, world: World, seat: int, path: Path) -> None:
        self.world = world
        self.seat = seat
        self.path = path
        self.life: Life | None = None
        self.lives = 0
        self.task: asyncio.Task[None] | None = None
        self.ended: list[asyncio.Task[None]] = []

    @property
    def is_up(self) -> bool:
        """Whether it runs."""
        return self.life is not None

    def boot(self) -> None:
        """Start the node from its journal, with a clock that shows any time."""
        assert self.life is None
        self.lives += 1
        life = self.life = Life(self, self.lives, self.path)
        context = copy_context()
        context.run(CLOCK.set, self.world.chance.uniform(0.0, 1e6))
        self.task = self.world.loop.create_task(self._live(life), context=context)
        self.task.add_done_callback(partial(self._ended, life))

    def _ended(self, life: Life, task: asyncio.Task[None]) -> None:
        """A node ends by a crash only."""
        if not life.over and not task.cancelled() and task.exception() is not None:
            self.world.broken = self.world.broken or task.exception()

    def crash(self) -> None:
        """The process is gone at once. What its journal has not committed is gone with it."""
        life, task = self.life, self.task
        assert life is not None
        assert task is not None
        self.life = None
        life.over = True
        self.path = life.path.with_name(f"{self.seat}-{self.lives}.journal")
        for end in ("", "-wal"):
            with suppress(FileNotFoundError):
                shutil.copyfile(f"{life.path}{end}", f"{self.path}{end}")
        self.world.net.leave(life.name)
        task.cancel()
        self.ended.append(task)

    async def _live(self, life: Life) -> None:
        world, genesis = self.world, self.world.genesis
        journal = SimJournal.open(life.path)
        assert isinstance(journal, SimJournal)
        journal.world, journal.life = world, life
        seat = Seat(genesis=genesis, seat=self.seat, key=world.keys[self.seat], broker=BROKER, auto_continue=True)
        life.link = SimLink(world, life) if self.seat in world.honest else world.hostile_link(life)
        async with life.link as link:
            router = Router(link)
            opening = open_table(seat, journal, router, delay=world.chance.uniform)
            async with background(router.run(), "router"), opening as driver:
                await self._play(driver)

    async def _play(self, driver: TableDriver) -> None:
        """A player who takes a moment for each choice, and never gets up unless the plan says so."""
        world = self.world
        while True:
            view = driver.view()
            with suppress(NotNow):
                if view.step >= world.leaving.get(self.seat, view.step + 1):
                    world.watch.blamable.add(self.seat)
                    del world.leaving[self.seat]
                    await driver.submit(Leave())
                elif view.my_turn:
                    await asyncio.sleep(world.thinking())
                    if driver.view().my_turn:  # still: the table may have ended meanwhile
                        await driver.submit(world.choose(driver.view()))
                elif world.calm and set(view.waiting_for) & world.gone and self.seat not in view.leaving:
                    await driver.submit(Claim(tuple(sorted(world.gone - set(view.departed)))))
            await asyncio.sleep(LOOK)

    def state(self) -> dict[str, Any]:
        """What a failing run shows of this node."""
        life = self.life
        if life is None or life.session is None:
            return {"seat": self.seat, "up": self.is_up}
        at = life.session.position()
        table = life.session._table
        phase = type(table.phase).__name__
        waiting = table.waiting_for
        return {"seat": self.seat, "step": at.step, "have": at.have, "phase": phase, "waiting": waiting}
