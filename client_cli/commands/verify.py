"""`duizenden verify`: everything about a game again, from its file alone. No network, no trust in anybody."""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from protocol.errors import DuizendenError
from protocol.session.verify import verify_game
from protocol.wire.limits import MAX_GAME_FILE

from .context import Context

if TYPE_CHECKING:
    from protocol.session.verify import Verdict


def run(args: argparse.Namespace, context: Context) -> int:
    """Verify a file: 0 nothing wrong, 1 a fault (named), 2 it cannot be read as a game."""
    path = Path(args.file)
    try:
        if path.stat().st_size > MAX_GAME_FILE:
            raise OSError(f"> {MAX_GAME_FILE} bytes")  # noqa: TRY301  one way out for everything unreadable
        data = path.read_bytes()
    except OSError as error:
        return _unreadable("e.file", path, error.strerror or str(error), args, context)
    try:
        verdict = verify_game(data, os.urandom(32), _progress(args, context))
    except DuizendenError as error:
        return _unreadable("e.not_a_game", path, error.code, args, context)
    if args.json:
        print(json.dumps(verdict.as_json()))
    else:
        _show(verdict, context)
    return 0 if verdict.ok else 1


def _unreadable(code: str, path: Path, detail: str, args: argparse.Namespace, context: Context) -> int:
    if args.json:
        print(json.dumps({"ok": False, "complete": False, "fault": None, "error": detail}))
    print(context.word(code, file=path, detail=detail), file=sys.stderr)
    return 2


class _Bar:
    """Progress in per cents on standard error, where a person watches."""

    def __init__(self) -> None:
        self._last = -1

    def __call__(self, done: int, total: int) -> None:
        percent = 100 * done // max(1, total)
        if percent != self._last:
            self._last = percent
            print(f"\r{percent:3d} %", end="\r" if percent < 100 else "\r     \r", file=sys.stderr, flush=True)


def _progress(args: argparse.Namespace, context: Context) -> _Bar | None:
    return _Bar() if context.interactive and sys.stderr.isatty() and not args.json else None


def _show(verdict: Verdict, context: Context) -> None:
    players = verdict.genesis.players
    if verdict.fault is not None:
        fault = verdict.fault
        seat = "?" if fault.seat is None else f"{fault.seat + 1} ({players[fault.seat].name})"
        context.say("verify.fault", code=fault.code, seat=seat, step=fault.step)
        if fault.detail:
            print(f"  {fault.detail[:200]}")
    else:
        context.say("verify.ok" if verdict.complete else "verify.prefix", rounds=len(verdict.results))
    if verdict.genesis.seeded:
        context.say("verify.seeded")
    rows = [(context.word(f"verify.{name}"), str(count)) for name, count in asdict(verdict.checks).items()]
    width = max(len(label) for label, _ in rows)
    print(f"\n{context.word('verify.checked')}:")
    for label, count in rows:
        print(f"  {label:<{width}}  {count:>8}")
    print(
        f"\n{context.word('verify.scores')}: "
        + ", ".join(f"{p.name} {t}" for p, t in zip(players, verdict.totals, strict=True))
    )
    print(f"{context.word('verify.head')}: {verdict.head.hex()}")
