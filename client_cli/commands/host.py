"""`duizenden host`: a table of one's own, a waiting room, then the game."""

from __future__ import annotations

import argparse
from contextlib import AsyncExitStack, aclosing
from typing import TYPE_CHECKING

from client_cli.messages import sentence
from node.addresses import PORT, TLS_PORT
from node.app import EVERYWHERE
from node.bots import Orders
from node.broker import BrokerError
from node.crew import Crew
from node.hosting import HostConfig, HostedTable, host_table
from node.messages import table_name
from node.room import LobbyError
from node.sealing import new_secret

from .context import Context, UsageError, run_async
from .options import bot_journals, broker_of, keep_name, name_of, port_of, rounds_of, rules_of
from .rules import page_lines, short_lines
from .seat import play_at
from .waiting import room_lines, typed_lines, wait_in_room
from .words import explain

if TYPE_CHECKING:
    from pathlib import Path

BOT_DELAY = (0.6, 1.8)
"""Seconds a bot thinks: long enough to follow what it does."""


def run(args: argparse.Namespace, context: Context) -> int:
    """Host a table."""
    config = config_of(args, context)
    if not 0 <= args.bots < config.seats:
        raise UsageError(context.word("e.seats", seats=config.seats, most=config.seats - 1))
    context = context.for_play()
    return run_async(lambda: _host(config, args.bots, context), context)


def config_of(args: argparse.Namespace, context: Context) -> HostConfig:
    """What the host decided on the command line. Raises UsageError."""
    rules = rules_of(args, context, args.seats)
    port = port_of(args.port, context)
    broker = broker_of(args, context)
    if args.tls and broker is not None:
        raise UsageError(context.word("e.tls"))
    return HostConfig(
        name=name_of(args, context),
        rules=rules,
        rules_name=args.rules,
        seats=args.seats,
        max_rounds=rounds_of(args, context),
        journals=context.profile.games,
        records=context.profile.records,
        broker=broker,
        bind=EVERYWHERE,
        port=(TLS_PORT if args.tls else PORT) if port is None else port,
        tls=context.profile.data / "tls" if args.tls else None,
        insist=port is not None,
        compare=True,
        log_file=_broker_log(context),
        secret=new_secret() if args.sealed else None,
        settings={"lang": context.lang},
    )


async def _host(config: HostConfig, bots: int, context: Context) -> int:
    async with AsyncExitStack() as stack:
        try:
            table = await stack.enter_async_context(host_table(config))
        except BrokerError as error:
            if config.insist:
                error.add_note(context.word("host.port"))
            raise
        keep_name(config.name, context)
        crew = await stack.enter_async_context(Crew(context.profile.logs / "bots.log"))
        for _ in range(bots):
            add_bot(table, crew, context)
        commands = HostCommands(table, crew, context)
        context.show("\n".join(short_lines(config.rules, config.rules_name, context)))
        async with aclosing(typed_lines(context)) as lines:  # a prompt left open would hold the terminal
            begun = await wait_in_room(table.updates(), lines, commands.obey, context, commands.hint, commands.prompt)
        if not begun and not commands.begin:
            return 0
        context.say("room.begins")
        _, driver = await table.start()
        return await play_at(driver, context)


def add_bot(table: HostedTable, crew: Crew, context: Context) -> None:
    """Let a bot take the next free seat."""
    crew.add(
        Orders(
            role="join",
            name=crew.next_name(chair.name for chair in table.room().chairs),
            broker=table.place.address.url(),
            table=table_name(table.table),
            secret="" if table.secret is None else table.secret.hex(),
            journals=str(bot_journals(context)),
            delay=BOT_DELAY,
        )
    )


CHOICES = ("start", "bot", "rules", "stop")
"""What the host can choose by its number in plain lines: the same numbers whoever comes and goes."""


class HostCommands:
    """What the host may type in the waiting room."""

    def __init__(self, table: HostedTable, crew: Crew, context: Context) -> None:
        self._table = table
        self._crew = crew
        self._context = context
        self.begin = False
        """Whether the host said to begin."""

    @property
    def hint(self) -> str:
        """What may be typed; in plain lines as numbered choices."""
        context = self._context
        if not context.linear:
            return context.word("room.help")
        listed = [f"{number}. {context.word(f'room.do.{word}')}" for number, word in enumerate(CHOICES, start=1)]
        return "\n".join([*listed, context.word("room.how_linear")])

    @property
    def prompt(self) -> str:
        """The line that ends what is told in plain lines: it asks for one. Empty elsewhere."""
        return sentence("linear.prompt", self._context.lang) if self._context.linear else ""

    async def obey(self, line: str) -> bool:
        """Do what the line says; True ends the waiting."""
        room, context = self._table.room(), self._context
        match self._words(line):
            case [] if context.linear:  # an empty line never acts there: it tells again where one stands
                self._reply(*room_lines(room, context), self.hint)
            case [] | ["start" | "begin"]:
                return self._may_begin()
            case ["bot" | "robot"]:
                if room.full:
                    self._reply(context.word("room.full"))
                else:
                    add_bot(self._table, self._crew, context)
            case ["weg" | "remove" | "kick", number] if number.isascii() and number.isdigit():
                if not self._table.remove(int(number) - 1):
                    self._reply(context.word("room.nobody"))
            case ["regels" | "rules"]:
                self._reply(*page_lines(room.rules, room.rules_name, context))
            case ["stop" | "quit" | "q"]:
                return True
            case ["help" | "hulp" | "?"]:
                self._reply(*([context.word("room.help_linear")] if context.linear else []), self.hint)
            case _:
                self._reply(context.word("room.unknown"), self.hint)
        return False

    def _words(self, line: str) -> list[str]:
        """The words of a line; in plain lines the number of a choice is its word."""
        words = line.lower().split()
        numbers = {str(number): word for number, word in enumerate(CHOICES, start=1)} if self._context.linear else {}
        return [numbers.get(words[0], words[0])] if len(words) == 1 else words

    def _reply(self, *lines: str) -> None:
        """Answer, and ask again; where somebody comes or goes instead, the news of the room does that."""
        self._context.show("\n".join([*lines, *filter(None, [self.prompt])]))

    def _may_begin(self) -> bool:
        try:
            self._table.check()
        except LobbyError as error:
            alone = len(self._table.room().chairs) < 2
            self._reply(self._context.word("room.alone") if alone else explain(error, self._context.lang, ""))
            return False
        self.begin = True
        return True


def _broker_log(context: Context) -> Path:
    return context.log_file.with_name("broker.log")
