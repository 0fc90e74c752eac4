"""`duizenden resume`: go on with a game from its journal, the bots of this machine included."""

from __future__ import annotations

import argparse
from contextlib import AsyncExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from node.addresses import BrokerAddress
from node.bots import Orders
from node.crew import Crew
from node.journal import SUFFIX, Journal, JournalError, glimpse
from node.resume import SavedGame, resume_table, saved_games, unreadable_games
from node.ticket import SUFFIX as TICKET
from protocol.session.gamefile import SUFFIX as RECORD

from .context import Context, UsageError, run_async
from .host import BOT_DELAY
from .options import bot_journals, broker_of, record_of
from .seat import play_at
from .words import LANGUAGES

if TYPE_CHECKING:
    from node.driver import TableDriver


def run(args: argparse.Namespace, context: Context) -> int:
    """Resume a game."""
    broker = broker_of(args, context)
    path = choose(args.game, context)
    context = in_its_language(path, context).for_play()
    return run_async(lambda: _resume(path, broker, serve=args.host, context=context), context)


def choose(game: str | None, context: Context) -> Path:
    """The journal that is meant: a file, a name or its beginning, or the newest open game.

    Raises UsageError where there is none, or the file is no journal, and JournalError where it cannot be read any more.
    """
    if game is not None and Path(game).suffix != RECORD and Path(game).is_file():
        return _checked(Path(game), context)
    games = saved_games(context.profile.games)
    if game is not None:
        name = Path(game).name.removesuffix(RECORD).removesuffix(SUFFIX).removesuffix(TICKET)
        matching = [g for g in games if g.name.startswith(name)]
        for lost in unreadable_games(context.profile.games):
            if lost.name == name or (lost.name.startswith(name) and not matching):
                raise _unreadable(lost, context)
        if not matching:
            raise UsageError(context.word("e.which_game", game=game))
    else:
        matching = [g for g in games if not g.busy and not g.over]
        if not matching:
            busy = any(g.busy for g in games)
            raise UsageError(context.word("e.busy_game" if busy else "e.no_game"))
    return matching[0].path


def _unreadable(lost: SavedGame, context: Context) -> JournalError:
    """The error about a journal that cannot be read, with where its game file is: that one may be whole."""
    error = JournalError(lost.problem, str(lost.path))
    record = record_of(lost.name, context)
    if record.is_file():
        error.add_note(f"{lost.name}{context.word('games.file', file=record)}")
    return error


def _checked(path: Path, context: Context) -> Path:
    """A file that is the journal of a game, whatever else may be wrong with it. Raises UsageError."""
    try:
        glimpse(path)
    except JournalError as error:
        if error.code == "journal/damaged":
            raise UsageError(context.word("e.no_journal", file=path)) from None
    return path


def in_its_language(path: Path, context: Context) -> Context:
    """The context in the language of the game's last session; one that was asked for is kept for the next session.

    A journal that cannot be read changes nothing: opening it says why.
    """
    try:
        kept = glimpse(path).settings.get("lang")
        if context.chosen and kept != context.lang:
            with closing(Journal.open(path)) as journal:
                journal.update_settings(lang=context.lang)
    except (JournalError, OSError):
        return context
    return context if context.chosen or kept not in LANGUAGES else replace(context, lang=str(kept))


async def _resume(path: Path, broker: BrokerAddress | None, *, serve: bool, context: Context) -> int:
    context.say("returning" if path.suffix == TICKET else "resuming", game=path.stem)
    async with AsyncExitStack() as stack:
        log_file = context.log_file.with_name("broker.log")
        tls = context.profile.data / "tls"
        table = resume_table(path, broker=broker, serve=serve, log_file=log_file, tls=tls)
        driver = await stack.enter_async_context(table)
        crew = await stack.enter_async_context(Crew(context.profile.logs / "bots.log"))
        for bot in bots_of(driver, context):
            crew.add(bot)
        return await play_at(driver, context)


def bots_of(driver: TableDriver, context: Context) -> list[Orders]:
    """Orders for the bots of this table whose journals are on this machine."""
    table = driver.view().table
    mine: list[SavedGame] = [g for g in saved_games(bot_journals(context)) if g.table == table]
    broker = driver.broker.url()
    return [
        Orders(
            role="resume",
            name=g.name if g.genesis is None else g.genesis.players[g.seat].name,
            journal=str(g.path),
            broker=broker,
            delay=BOT_DELAY,
        )
        for g in mine
        if not g.over
    ]
