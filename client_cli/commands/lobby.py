"""`duizenden` alone: look around on the home network, then join, host or play."""

from __future__ import annotations

import argparse

from client_cli.__main__ import build_parser

from . import host, play
from .context import Context, run_async
from .join import ask, join_at, look_around, place_of


def run(_args: argparse.Namespace, context: Context) -> int:
    """Show the tables that are there until the person has chosen. Needs a terminal."""
    context.need_terminal()
    choice = ""

    async def choose() -> int:
        nonlocal choice
        while True:
            found = await look_around(context)
            for i, f in enumerate(found):
                row = context.word("found.one", number=i + 1, title=f.name, taken=f.taken, seats=f.seats, rules="")
                print(row, flush=True)
            if not found:
                context.say("lobby.none")
            answer = (await ask(context.word("lobby.choice"))).lower()
            if answer in {"stop", "quit", "q"}:
                return 0
            if answer in {"host", "play"}:
                choice = answer
                return 0
            if answer.isascii() and answer.isdigit() and 1 <= int(answer) <= len(found):
                return await join_at(await place_of(found[int(answer) - 1]), context.profile.name(), context)

    code = run_async(choose, context)
    if not choice:
        return code
    defaults = build_parser(context.lang).parse_args([choice])
    return host.run(defaults, context) if choice == "host" else play.run(defaults, context)
