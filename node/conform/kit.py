"""Play the tables of the kit with a foreign node: sit down with it, let the script run, and report what held."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from node.app import Connect, connected, mqtt
from node.bots import ENDED, play
from node.hosting import HostConfig, host_table
from node.joining import JoinConfig, JoinedTable, collect, join_table
from node.messages import table_name
from node.offers import Offer
from node.tasks import background
from protocol.errors import DuizendenError, IllegalMove, NotNow
from protocol.session.session import Leave
from protocol.session.view import Stage
from protocol.wire.entry import Kind

from .conduct import conduct
from .findings import Finding, broken, held, merged
from .observer import Observer, observe
from .record import Record
from .scenarios import Scenario, Times
from .scripts import HoldBack, Lie, OtherRules, Timed, TwoEntries
from .voice import Sent, Voice

if TYPE_CHECKING:
    from node.addresses import BrokerAddress
    from node.driver import TableDriver
    from protocol.rules.ruleset import RuleSet

REFUSING = 10
"""Moments in which a node that accepts a false start would have spoken."""
LOOK = 0.5
"""Seconds to look for tables that are announced already, before waiting for new ones."""


class KitError(DuizendenError):
    """A table could not be played at all: `conform/nobody`, `conform/not-started`, `conform/seats`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hosting:
    """A table of ours that the foreign node joins."""

    rules: RuleSet
    rules_name: str
    seats: int = 3
    cut: Callable[[], Awaitable[None]] | None = None
    """Loses the broker's connections for a moment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Joining:
    """A table that the foreign node hosts: its name or how that begins, or its host's name; "": any that is open."""

    table: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What was found at one table."""

    scenario: str
    findings: tuple[Finding, ...]


@dataclass(slots=True)
class Sitting:
    """A table that has begun."""

    foreign: int
    liar: int
    observer: Observer
    sent: Sent
    judge: TableDriver
    """Our honest seat."""
    drivers: list[TableDriver]


@dataclass(slots=True, kw_only=True)
class Kit:
    """One run of the kit against one foreign node. `tell` is told what is awaited: a code and its facts."""

    broker: BrokerAddress
    way: Hosting | Joining
    tell: Callable[..., None]
    times: Times = field(default_factory=Times)
    connect: Connect = mqtt
    _seen: set[bytes] = field(default_factory=set)
    """Tables of the foreign node that were played."""
    _title: str = ""
    _opened: dict[bytes, str] = field(default_factory=dict)
    """Key shares and nonces of the foreign node, and at which table it used them."""

    def plays(self, scenario: Scenario) -> bool:
        """Whether this way of playing can show anything of it."""
        if isinstance(self.way, Joining):
            return not scenario.we_host
        return not scenario.they_host and (not scenario.cuts or self.way.cut is not None)

    async def run(self, scenario: Scenario) -> Report:
        """Play one table. Raises KitError or LobbyError when it cannot be played."""
        script = scenario.script(self.times)
        try:
            async with AsyncExitStack() as stack:
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="duizenden-")))
                if isinstance(self.way, Hosting):
                    sitting = await self._host(stack, folder, scenario, script, self.way)
                else:
                    sitting = await self._join(stack, folder, scenario, script, self.way)
                began = asyncio.get_running_loop().time()
                await self._play(scenario, script, sitting)
                record = await self._record(sitting, asyncio.get_running_loop().time() - began)
                findings = [*conduct(record), *scenario.judge(record, script), *self._fresh(record, scenario.name)]
                await self._leave(sitting)
        finally:
            script.close()
        return Report(scenario=scenario.name, findings=tuple(merged(findings)))

    # ------------------------------------------------------------------ sitting down

    def _voice(self, sent: Sent, voices: list[Voice]) -> Connect:
        def connect(address: BrokerAddress) -> Voice:
            voices.append(Voice(self.connect(address), sent))
            return voices[-1]

        return connect

    async def _host(
        self, stack: AsyncExitStack, folder: Path, scenario: Scenario, script: Timed, way: Hosting
    ) -> Sitting:
        sent, voices = Sent(), list[Voice]()
        alone = isinstance(script, OtherRules)  # our own joiners would refuse it too
        config = HostConfig(
            name="Conform",
            rules=way.rules,
            rules_name=way.rules_name,
            seats=2 if alone else way.seats,
            journals=folder,
            max_rounds=1,
            bot=True,
            broker=self.broker,
            discoverable=False,
            auto_continue=True,
        )
        hosted = await stack.enter_async_context(host_table(config, connect=self._voice(sent, voices)))
        observer = await stack.enter_async_context(observe(hosted.table, sent, self.broker, self.connect))
        joined = [await self._sit(stack, folder, hosted.table, sent, voices, k) for k in range(1, config.seats - 1)]
        voices[0].key = hosted.key
        self.tell("join", scenario=scenario.name, table=table_name(hosted.table), broker=self.broker.short())
        if not await observer.until(lambda: len(hosted.room().chairs) == config.seats, self.times.arrive):
            raise KitError("conform/nobody")
        keys = {voice.key.public for voice in voices if voice.key is not None}
        foreign = next(i for i, chair in enumerate(hosted.room().chairs) if chair.key not in keys)
        liar = 0 if alone else 1
        self._cast(voices, liar, script, observer, hosted.room().chairs[foreign].key)
        _, driver = await hosted.start()
        others = [await stack.enter_async_context(table.play()) for table in joined]
        drivers = [driver, *others]
        return Sitting(foreign, liar, observer, sent, driver, drivers)

    async def _join(
        self, stack: AsyncExitStack, folder: Path, scenario: Scenario, script: Timed, way: Joining
    ) -> Sitting:
        sent, voices = Sent(), list[Voice]()
        self.tell("host", scenario=scenario.name, table=way.table, broker=self.broker.short())
        offer = await self._offer(way)
        observer = await stack.enter_async_context(observe(offer.table, sent, self.broker, self.connect))
        free = offer.announce.seats - len(offer.announce.chairs)
        if free < 2:
            raise KitError("conform/seats")
        joined = [await self._sit(stack, folder, offer.table, sent, voices, k) for k in range(1, free + 1)]
        self._cast(voices, 0, script, observer, offer.host)
        self.tell("start", scenario=scenario.name, table=table_name(offer.table))
        try:
            async with asyncio.timeout(self.times.arrive) as limit:
                drivers = [await stack.enter_async_context(table.play()) for table in joined]
                limit.reschedule(None)
        except TimeoutError:
            raise KitError("conform/not-started") from None
        view = drivers[0].view()
        foreign = next(i for i, p in enumerate(view.players) if p.key == offer.host)
        assert view.me is not None
        return Sitting(foreign, view.me, observer, sent, drivers[-1], drivers)

    async def _sit(
        self, stack: AsyncExitStack, folder: Path, table: bytes, sent: Sent, voices: list[Voice], k: int
    ) -> JoinedTable:
        """One more of our seats."""
        config = JoinConfig(
            broker=self.broker, name=f"Conform {k}", journals=folder, table=table, bot=True, auto_continue=True
        )
        joined = await stack.enter_async_context(join_table(config, connect=self._voice(sent, voices)))
        voices[-1].key = joined.key
        return joined

    async def _offer(self, way: Joining) -> Offer:
        """The foreign node's next table with a free seat. Raises KitError."""
        async with connected(self.broker, self.connect) as router:
            offers = await collect(router, None, LOOK, first=True)
            with suppress(TimeoutError):
                async with asyncio.timeout(self.times.arrive):
                    while True:
                        for offer in offers.all():
                            if self._wanted(way, offer):
                                self._title = offer.announce.title
                                self._seen.add(offer.table)
                                return offer
                        await offers.changed.wait()
                        offers.changed.clear()
        raise KitError("conform/nobody")

    def _wanted(self, way: Joining, offer: Offer) -> bool:
        if offer.full or offer.begun or offer.table in self._seen:
            return False
        title = offer.announce.title
        if self._title:
            return title == self._title
        return title == way.table or table_name(offer.table).startswith(way.table)

    def _cast(self, voices: list[Voice], liar: int, script: Timed, observer: Observer, foreign: bytes) -> None:
        """Give the script to one of our seats; at barriers all of them wait with their commitment."""
        script.observer, script.foreign = observer, foreign
        for k, voice in enumerate(voices):
            if k == liar:
                voice.script = script
            elif isinstance(script, HoldBack):
                voice.script = script.beside(frozenset({Kind.COMMIT}))

    # ------------------------------------------------------------------ playing

    async def _play(self, scenario: Scenario, script: Timed, sitting: Sitting) -> None:
        """Until the table has shown what it is for, or nothing goes on any more."""
        observer, judge, times = sitting.observer, sitting.judge, self.times

        def over() -> bool:
            return judge.view().stage in ENDED or bool(judge.view().results)

        def progress() -> object:
            return judge.view().step, judge.view().waiting_for

        async with AsyncExitStack() as stack:
            for driver in sitting.drivers:
                await stack.enter_async_context(background(_moves(driver), "moves"))
            if isinstance(script, OtherRules):
                await observer.until(over, times.moment * REFUSING)
                return
            if scenario.cuts and isinstance(self.way, Hosting) and self.way.cut is not None:
                await observer.until(lambda: over() or judge.view().stage is Stage.PLAYING, times.patience, progress)
                await self.way.cut()
            false = isinstance(script, Lie | TwoEntries)
            await observer.until(lambda: over() or (false and script.done), times.patience, progress)
            await observer.until(over, times.react, progress)
            if judge.view().stage is Stage.FINISHED:
                await judge.linger(times.react)
        await observer.until(lambda: False, times.moment)

    async def _record(self, sitting: Sitting, lasted: float) -> Record:
        _, log = await sitting.judge.game_file()
        return Record(
            foreign=sitting.foreign,
            liar=sitting.liar,
            observer=sitting.observer,
            sent=list(sitting.sent.order),
            log=log,
            lasted=lasted,
            waiting=sitting.judge.view().waiting_for,
        )

    async def _leave(self, sitting: Sitting) -> None:
        """Say goodbye, so that the foreign node's table ends as well."""
        for driver in sitting.drivers:
            with suppress(IllegalMove, NotNow):
                await driver.submit(Leave())
        judge = sitting.judge
        await sitting.observer.until(lambda: judge.view().stage in ENDED, self.times.moment)

    def _fresh(self, record: Record, scenario: str) -> list[Finding]:
        """No secret of another table is used again."""
        found = []
        for entry in record.entries:
            if entry.kind is Kind.OPEN and entry.seat == record.foreign and len(entry.body) == 4:
                for part in (entry.body[0], entry.body[2]):
                    other = self._opened.setdefault(part, scenario)
                    found.append(held("C100") if other == scenario else broken("C100", "again", other=other))
        return found


async def _moves(driver: TableDriver) -> None:
    async for _ in play(driver, (0.0, 0.0)):
        pass
