"""`duizenden selfplay`: N node processes with bots play a game; one JSON line says how it went."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from node.selfplay import SelfplayConfig, selfplay

from .context import Context, UsageError, run_async
from .options import address_of, rounds_of, rules_of


def run(args: argparse.Namespace, context: Context) -> int:
    """Play, print the result. 0 only if every node finished with the same head and every audit passed."""
    rules = rules_of(args, context, args.players)
    if args.seed is not None and any("\ud800" <= char <= "\udfff" for char in args.seed):
        raise UsageError(context.word("e.seed"))  # bytes that are no UTF-8, as the system hands them over
    config = SelfplayConfig(
        players=args.players,
        rules=rules,
        rules_name=args.rules,
        max_rounds=rounds_of(args, context),
        out=Path(args.out),
        broker=None if args.broker == "embedded" else address_of(args.broker, context),
        seed=args.seed,
        sealed=args.sealed,
    )
    return run_async(lambda: _selfplay(config, context), context)


async def _selfplay(config: SelfplayConfig, context: Context) -> int:
    def progress(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    result = await selfplay(config, progress)
    print(json.dumps(result.as_json()), flush=True)
    if not result.ok:
        print(context.word("e.differs", out=config.out), file=sys.stderr)
    return 0 if result.ok else 1
