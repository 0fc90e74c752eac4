"""`duizenden watch`: look on at a table, without a hand and without a voice."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING

from node.watching import WatchConfig, watch_table

from .context import Context, run_async
from .join import ask, find_place, typed_code
from .options import broker_of, record_of
from .seat import show_table

if TYPE_CHECKING:
    from node.addresses import BrokerAddress
    from node.offers import Offer


def run(args: argparse.Namespace, context: Context) -> int:
    """Look on at a table."""
    broker = broker_of(args, context)
    where = args.code or " ".join(args.where) or None
    context = context.for_play()
    return run_async(lambda: _watch(where, broker, context), context)


def under_way(offers: list[Offer]) -> list[Offer]:
    """The tables to look at: those that have begun, else those that wait for players."""
    return [o for o in offers if o.begun] or offers


async def _watch(where: str | None, broker: BrokerAddress | None, context: Context) -> int:
    place = await find_place(await typed_code(where, context), broker, context, partial(ask, context), under_way)
    config = WatchConfig(broker=place.broker, table=place.table, secret=place.secret, records=context.profile.records)
    async with watch_table(config) as table:
        offer = table.offer
        if not offer.begun:
            context.say("watch.waiting", title=offer.announce.title)
        async with table.follow() as driver:
            code = await show_table(driver, context)
        context.say("watch.left", file=record_of(driver.journal.stem, context))
    return code
