"""`duizenden doctor`: does everything work that a table needs, and if not, what to do. One sentence each."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from client_cli.lobby.doctor import Surroundings, examine
from client_cli.lobby.state import Check, Health, worst
from client_cli.lobby.views.pages import VERDICTS
from client_cli.lobby.words import say

from .context import Context, run_async
from .options import address_of

if TYPE_CHECKING:
    from node.addresses import BrokerAddress


def run(args: argparse.Namespace, context: Context) -> int:
    """Examine this machine: 0 when it can be played, 1 when something is wrong. Raises UsageError (the address)."""
    broker = address_of(args.broker, context) if args.broker else None
    return run_async(lambda: _examine(broker, context, as_json=args.json), context)


async def _examine(broker: BrokerAddress | None, context: Context, *, as_json: bool) -> int:
    checks: list[Check] = []
    async for check in examine(context.profile, Surroundings.of_this_process(), broker):
        checks.append(check)
        if not as_json:
            context.show("\n".join(lines(check, context.lang)))
    health = worst(checks)
    if as_json:
        print(json.dumps({"ok": health is not Health.BAD, "checks": [plain(check, context.lang) for check in checks]}))
    else:
        context.show(f"\n{say(VERDICTS[health], context.lang)}")
    return 1 if health is Health.BAD else 0


def lines(check: Check, lang: str) -> list[str]:
    """A check in words: how it is, and below it what was found and what to do."""
    name, health = say(f"doctor.name.{check.name}", lang), say(f"doctor.health.{check.health.value}", lang)
    shown = [f"{name}: {health}", f"    {_sentence(check.found, check, lang)}"]
    if check.advice:
        shown.append(f"    -> {_sentence(check.advice, check, lang)}")
    return shown


def plain(check: Check, lang: str) -> dict[str, Any]:
    """Plain values for a program, with the sentences for people."""
    return {
        "name": check.name,
        "health": check.health.value,
        "code": check.found,
        "sentence": _sentence(check.found, check, lang),
        "advice": _sentence(check.advice, check, lang) if check.advice else None,
        "facts": {key: value if isinstance(value, int) else str(value) for key, value in check.facts},
    }


def _sentence(code: str, check: Check, lang: str) -> str:
    facts = {
        key: say(value, lang) if isinstance(value, str) and value.startswith("doctor.") else value
        for key, value in check.facts
    }
    return say(code, lang, **facts)
