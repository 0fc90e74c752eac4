"""Tables as errands of the lobby: open one, sit down at one, play against bots, go on with one.

Each is one coroutine that holds everything it opened until the game is over: the waiting room is reported, orders for
it come from a queue, and when the game begins the table is given to `Stage.play`, which returns when the person has
left.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

from client_cli.commands.host import add_bot
from client_cli.commands.play import fill_with_bots
from client_cli.commands.resume import bots_of
from node.addresses import PORT, TLS_PORT
from node.app import EVERYWHERE, LOOPBACK
from node.crew import Crew
from node.dial import known
from node.hosting import HostConfig, HostedTable, host_table
from node.joining import JoinConfig, join_table
from node.messages import parse_table_name
from node.resume import resume_table
from node.room import LobbyError, Room
from node.sealing import new_secret
from node.table_code import CodeError
from node.tasks import background
from node.watching import WatchConfig, watch_table
from protocol.rules.ruleset import RuleSet

from . import editor
from .errands import note_of, remember_broker
from .state import AddBot, Ask, Begin, JoinTable, Note, RemoveSeat, WatchTable

if TYPE_CHECKING:
    from client_cli.commands.context import Context
    from node.driver import TableDriver

    from .editor import Card

RoomOrder: TypeAlias = AddBot | RemoveSeat | Begin
"""What the host can want of its waiting room."""


class Stage(Protocol):
    """Where an errand shows what it does."""

    def room(self, room: Room, *, hosting: bool) -> None:
        """The waiting room is like this now."""
        ...

    def tell(self, note: Note) -> None:
        """A sentence for the person."""
        ...

    def offer(self, ask: Ask) -> None:
        """Ask this once the errand is over."""
        ...

    async def play(self, driver: TableDriver) -> None:
        """Show the table until the person leaves it; a finished game is seen to its end for the others' sake."""
        ...


@dataclass(frozen=True, slots=True)
class Errands:
    """Who sits down at tables here, and where what happens is shown."""

    context: Context
    name: str
    lang: str
    """Kept with a game, for whoever resumes it on the command line."""
    stage: Stage

    # ------------------------------------------------------------------ hosting

    async def host(self, card: Card, orders: asyncio.Queue[RoomOrder], port: int | None = None) -> None:
        """A table of our own until its game is over; `port` is the usual one unless given.

        Raises BrokerError, LobbyError, JournalError or OSError.
        """
        usual = TLS_PORT if card.tls else PORT
        async with AsyncExitStack() as stack:
            table = await stack.enter_async_context(host_table(self._config(card, usual if port is None else port)))
            crew = await stack.enter_async_context(self._crew())
            for _ in range(card.bots):
                add_bot(table, crew, self.context)
            async with background(self._follow(table.updates(), hosting=True), "room"):
                driver = await self._until_begun(table, crew, orders)
            await self.stage.play(driver)

    async def _until_begun(self, table: HostedTable, crew: Crew, orders: asyncio.Queue[RoomOrder]) -> TableDriver:
        """Obey orders until one of them has begun the game."""
        while True:
            match await orders.get():
                case AddBot() if not table.room().full:
                    add_bot(table, crew, self.context)
                case RemoveSeat(seat):
                    table.remove(seat)
                case Begin():
                    try:
                        _, driver = await table.start()
                    except LobbyError as error:
                        self.stage.tell(note_of(error, self._log))
                    else:
                        return driver

    async def practise(self, card: Card) -> None:
        """A table of bots on this computer alone, at once. Raises as `host`, and CrewError."""
        config = replace(self._config(card, 0), bind=LOOPBACK, discoverable=False, tls=None)
        async with AsyncExitStack() as stack:
            table = await stack.enter_async_context(host_table(config))
            crew = await stack.enter_async_context(self._crew())
            await fill_with_bots(table, crew, self.context)
            _, driver = await table.start()
            await self.stage.play(driver)

    def _config(self, card: Card, port: int) -> HostConfig:
        rules = editor.built(card)
        assert isinstance(rules, RuleSet)
        context = self.context
        return HostConfig(
            name=self.name,
            rules=rules,
            rules_name=card.preset,
            seats=card.seats,
            max_rounds=card.rounds,
            journals=context.profile.games,
            records=context.profile.records,
            bind=EVERYWHERE,
            port=port,
            tls=context.profile.data / "tls" if card.tls else None,
            compare=True,
            log_file=self._broker_log,
            secret=new_secret() if card.sealed else None,
            settings={"lang": self.lang},
        )

    # ------------------------------------------------------------------ joining

    async def join(self, where: JoinTable) -> None:
        """A seat at somebody's table until the game is over; at one that has begun, watching is offered.

        Raises LobbyError, CodeError, JournalError or OSError.
        """
        if where.typed and not await known(where.broker.host):
            raise CodeError("code/typo")
        profile = self.context.profile
        config = JoinConfig(
            broker=where.broker,
            name=self.name,
            table=parse_table_name(where.table),
            begins=where.table,
            secret=where.secret,
            journals=profile.games,
            records=profile.records,
            settings={"lang": self.lang},
        )
        try:
            async with join_table(config) as table:
                remember_broker(profile, where.broker)
                await self._follow(table.updates(), hosting=False)
                async with table.play() as driver:
                    await self.stage.play(driver)
        except LobbyError as error:
            if error.code != "lobby/started":
                raise
            look = WatchTable(where.broker, where.table, where.secret)
            self.stage.offer(Ask(Note("lobby.ask.watch", (("title", error.detail or where.broker.short()),)), look))

    async def watch(self, where: WatchTable) -> None:
        """A look at somebody's table until the person leaves. Raises LobbyError, JournalError or OSError."""
        records = self.context.profile.records
        config = WatchConfig(
            broker=where.broker,
            table=parse_table_name(where.table),
            begins=where.table,
            secret=where.secret,
            records=records,
        )
        async with watch_table(config) as table, table.follow() as driver:
            await self.stage.play(driver)

    # ------------------------------------------------------------------ going on

    async def resume(self, path: Path) -> None:
        """Go on with a saved game, the bots of this machine included. Raises JournalError, BrokerError or WireError."""
        async with AsyncExitStack() as stack:
            driver = await stack.enter_async_context(resume_table(path, log_file=self._broker_log))
            crew = await stack.enter_async_context(self._crew())
            for bot in bots_of(driver, self.context):
                crew.add(bot)
            await self.stage.play(driver)

    # ------------------------------------------------------------------ inside

    async def _follow(self, rooms: AsyncIterator[Room], *, hosting: bool) -> None:
        async for room in rooms:
            self.stage.room(room, hosting=hosting)

    def _crew(self) -> Crew:
        return Crew(self.context.log_file.with_name("bots.log"))

    @property
    def _broker_log(self) -> Path:
        return self.context.log_file.with_name("broker.log")

    @property
    def _log(self) -> str:
        return str(self.context.log_file)
