"""`duizenden conform`: play with somebody else's program, and report requirement by requirement what held."""

from __future__ import annotations

import argparse
import asyncio
import json
import math
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

from node.addresses import BrokerAddress
from node.app import EVERYWHERE, LOOPBACK, reachable
from node.broker import EmbeddedBroker
from node.conform.findings import Finding, Held, merged
from node.conform.kit import Hosting, Joining, Kit, KitError, Report
from node.conform.scenarios import NAMES, SCENARIOS, Times
from protocol.wire.limits import MAX_SEATS

from .context import Context, UsageError, run_async
from .options import broker_of, port_of, rules_of

if TYPE_CHECKING:
    from node.conform.scenarios import Scenario

LEAST_SEATS = 3
"""The foreign node, a seat that lies, and an honest one."""


def run(args: argparse.Namespace, context: Context) -> int:
    """Play the tables: 0 when all that was seen held, 1 when something is broken, 2 when a table was not played."""
    broker = broker_of(args, context)
    if args.host and not LEAST_SEATS <= args.seats <= MAX_SEATS:
        raise UsageError(context.word("conform.three"))
    if not args.host and broker is None:
        raise UsageError(context.word("e.conform_broker"))
    if args.wait is not None and not (args.wait > 0 and math.isfinite(args.wait)):
        raise UsageError(context.word("conform.wait"))
    for name in args.scenario:
        if name not in NAMES:
            raise UsageError(context.word("conform.no_scenario", name=name, names=", ".join(NAMES)))
        scenario = next(s for s in SCENARIOS if s.name == name)
        if scenario.they_host if args.host else scenario.we_host:
            raise UsageError(context.word("conform.only", name=name, way="--join" if args.host else "--host"))
    return run_async(lambda: _conform(args, broker, context), context)


async def _conform(args: argparse.Namespace, broker: BrokerAddress | None, context: Context) -> int:
    run_ = _Run(context, as_json=args.json)
    async with AsyncExitStack() as stack:
        own = None if broker else _own_broker(args, context)
        if own is not None:
            port = await asyncio.to_thread(own.start)
            stack.push_async_callback(asyncio.to_thread, own.stop)
            broker = BrokerAddress(LOOPBACK, port)
        assert broker is not None
        shown = next(iter(reachable(EVERYWHERE, broker.port)), broker.short()) if own else broker.short()

        async def cut() -> None:
            assert own is not None
            await asyncio.to_thread(own.stop)
            await asyncio.to_thread(own.start)

        way: Hosting | Joining = Joining(table=args.join or "")
        if args.host:
            rules = rules_of(args, context, args.seats)
            way = Hosting(rules=rules, rules_name=args.rules, seats=args.seats, cut=cut if own else None)
        kit = Kit(broker=broker, way=way, tell=lambda what, **facts: run_.tell(what, **{**facts, "broker": shown}))
        kit.times = Times(arrive=args.wait) if args.wait else kit.times
        wanted = [s for s in SCENARIOS if kit.plays(s) and (s.name in args.scenario or not args.scenario)]
        return await run_.play(kit, wanted)


def _own_broker(args: argparse.Namespace, context: Context) -> EmbeddedBroker:
    port = port_of(args.port, context)
    return EmbeddedBroker() if port is None else EmbeddedBroker(port=port, fallback=False)


class _Run:
    """The tables of one run, told as they come."""

    def __init__(self, context: Context, *, as_json: bool) -> None:
        self._context = context
        self._json = as_json
        self._number = self._total = 0
        self._reports: list[Report] = []

    def tell(self, what: str, **facts: object) -> None:
        """What is awaited; with JSON that is a line of its own too, for whoever starts the other program."""
        if self._json:
            print(json.dumps({"await": what, "number": self._number, "total": self._total, **facts}), flush=True)
        else:
            self._say(what, number=self._number, total=self._total, **facts)

    async def play(self, kit: Kit, scenarios: list[Scenario]) -> int:
        """One after the other; the exit code."""
        self._total = len(scenarios)
        why = ""
        for self._number, scenario in enumerate(scenarios, 1):
            try:
                report = await kit.run(scenario)
            except KitError as error:
                why = error.code.partition("/")[2]
                break
            self._reports.append(report)
            self._show(report)
        together = merged([finding for report in self._reports for finding in report.findings])
        ok = not any(finding.held is Held.BROKEN for finding in together)
        if self._json:
            tables = [self._plain(report) for report in self._reports]
            print(json.dumps({"ok": ok and not why, "stopped": why or None, "tables": tables}), flush=True)
        else:
            self._sum_up(together, why, ok=ok)
        return 1 if not ok else 2 if why else 0

    def _show(self, report: Report) -> None:
        if self._json:
            return
        held = [finding.must for finding in report.findings if finding.held is Held.HELD]
        self._say("held", musts=" ".join(held) or "-")
        for finding in report.findings:
            if finding.held is Held.BROKEN:
                self._say("broken", must=finding.must, why=self._why(finding))

    def _sum_up(self, together: list[Finding], why: str, *, ok: bool) -> None:
        unseen = [finding.must for finding in together if finding.held is Held.UNSEEN]
        if why:
            self._say(why)
        if unseen:
            self._say("unseen", musts=" ".join(unseen))
        if not ok:
            self._say("failed", musts=" ".join(f.must for f in together if f.held is Held.BROKEN))
        elif self._reports:
            self._say("passed", musts=len(together) - len(unseen), tables=len(self._reports))

    def _plain(self, report: Report) -> dict[str, Any]:
        findings = [
            {"must": f.must, "verdict": f.held.value, "why": f.why or None, "sentence": self._why(f), "facts": f.facts}
            for f in report.findings
        ]
        return {"scenario": report.scenario, "findings": findings}

    def _why(self, finding: Finding) -> str | None:
        return self._context.word(f"conform.why.{finding.why}", **finding.facts) if finding.why else None

    def _say(self, code: str, **facts: object) -> None:
        indent = "  " if code in {"held", "broken"} else ""
        self._context.show(indent + self._context.word(f"conform.{code}", **facts))
