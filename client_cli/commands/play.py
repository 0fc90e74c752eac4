"""`duizenden play`: one person against bots, on this computer alone, at once."""

from __future__ import annotations

import argparse
import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace

from node.app import LOOPBACK
from node.crew import Crew, CrewError
from node.hosting import HostConfig, HostedTable, host_table

from .context import Context, run_async
from .host import add_bot, config_of
from .options import keep_name
from .seat import play_at

SIT_DOWN_SECONDS = 60.0
"""A bot is there in half a second; a small computer that is busy needs more."""


def run(args: argparse.Namespace, context: Context) -> int:
    """Play against bots."""
    args.broker = args.ca = args.fingerprint = None
    args.port, args.tls, args.sealed = 0, False, False
    config = replace(config_of(args, context), bind=LOOPBACK, discoverable=False)
    context = context.for_play()
    return run_async(lambda: _play(config, context), context)


async def _play(config: HostConfig, context: Context) -> int:
    context.say("play.wait")
    async with AsyncExitStack() as stack:
        table = await stack.enter_async_context(host_table(config))
        keep_name(config.name, context)
        crew = await stack.enter_async_context(Crew(context.profile.logs / "bots.log"))
        await fill_with_bots(table, crew, context)
        _, driver = await table.start()
        return await play_at(driver, context)


async def fill_with_bots(table: HostedTable, crew: Crew, context: Context) -> None:
    """Give every free seat of a table nobody else sits at to a bot, and wait until they sit. Raises CrewError."""
    for _ in range(table.room().seats - 1):
        add_bot(table, crew, context)
    try:
        async with asyncio.timeout(SIT_DOWN_SECONDS):
            async for room in table.updates():
                if room.full:
                    break
    except TimeoutError:
        raise CrewError("e.bots") from None
