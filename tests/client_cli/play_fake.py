"""Play at the fake table in this terminal, for developing the screen.

.venv/bin/python -m tests.client_cli.play_fake --lang nl --seed 3 --pace 0.4
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import sys

from client_cli.app import run_table
from client_cli.theme import THEMES
from tests.client_cli.fake_table import Choose, FakeTable, careless


def _bots() -> Choose:
    """The real bots where they exist, else the careless ones."""
    try:
        policy = importlib.import_module("node.policy")
    except ModuleNotFoundError:
        return careless
    choose: Choose = policy.choose
    return choose


async def _run(options: argparse.Namespace) -> int:
    async def pace() -> None:
        await asyncio.sleep(options.pace)

    table = FakeTable(
        rules_name=options.rules,
        n=options.players,
        seed=options.seed,
        me=None if options.watch else 0,
        choose=_bots(),
        pace=pace,
    )
    dealing = asyncio.create_task(table.deal())
    try:
        return await run_table(table, lang=options.lang, ascii=options.ascii, theme=options.theme)
    finally:
        dealing.cancel()


def main() -> int:
    """Read the options and play."""
    parser = argparse.ArgumentParser(description="play at a table without a node")
    parser.add_argument("--lang", choices=("nl", "en"), default="nl")
    parser.add_argument("--rules", default="klassiek")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pace", type=float, default=0.3)
    parser.add_argument("--ascii", action="store_true")
    parser.add_argument("--theme", choices=THEMES, default="dark")
    parser.add_argument("--watch", action="store_true")
    return asyncio.run(_run(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
