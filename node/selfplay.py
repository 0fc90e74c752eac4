"""The whole machine in one go: N node processes with bots play over a real broker, and everything is compared.

This process plays no part itself: it brings the broker along, starts the nodes, lets them sit down in order (so that a
seeded run has its seats in order too) and waits for what they report.
"""

from __future__ import annotations

import asyncio
import shutil
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from protocol.rules.ruleset import canonical

from .app import LOOPBACK, own_broker
from .bots import Orders
from .crew import NAMES, BotProcess, CrewError
from .dial import first_reachable
from .profile import private_folder
from .sealing import new_secret

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from protocol.rules.ruleset import RuleSet

    from .addresses import BrokerAddress

REACH_SECONDS = 5.0
READY_SECONDS = 60.0
SILENCE_SECONDS = 300.0
"""No report of anybody for so long means that the table hangs (a round takes seconds, on a busy machine a minute)."""
WORK = ".nodes"
"""Folder inside the output folder for journals and logs; kept only if something went wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfplayConfig:
    """What to play. `max_rounds` 0 plays to the target score. `broker` None brings one along."""

    players: int
    rules: RuleSet
    rules_name: str
    max_rounds: int
    out: Path
    broker: BrokerAddress | None = None
    seed: str | None = None
    delay: tuple[float, float] = (0.0, 0.0)
    sealed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfplayResult:
    """What came out; the JSON line of the command. `ok`: all nodes finished with one head, one score, clean audits."""

    ok: bool
    players: int
    rules: str
    rounds: int
    moves: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    heads: tuple[str, ...]
    seconds: float
    bytes: int
    seeded: bool
    sealed: bool = False
    faults: tuple[str, ...] = ()
    files: tuple[str, ...] = field(default=())

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


async def selfplay(config: SelfplayConfig, progress: Callable[[str], None] = lambda _: None) -> SelfplayResult:
    """Play and compare. `progress` hears of every round. Raises CrewError or BrokerError."""
    out = config.out
    out.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(out / WORK, ignore_errors=True)  # what an earlier run left when it failed
    work = private_folder(out / WORK)
    begun = asyncio.get_running_loop().time()
    async with AsyncExitStack() as stack:
        broker = config.broker
        if broker is None:
            place = own_broker(bind=LOOPBACK, port=0, log_file=work / "broker.log")
            broker = (await stack.enter_async_context(place)).address
        elif await first_reachable([broker], REACH_SECONDS) is None:
            raise CrewError("lobby/unreachable", broker.short())
        nodes = [BotProcess(work / f"seat{i}.log") for i in range(config.players)]
        for node in nodes:
            stack.push_async_callback(node.close)
        secret = new_secret().hex() if config.sealed else ""
        await _seat(config, broker, nodes, work, secret)
        reports = await _play(nodes, progress)
    seconds = asyncio.get_running_loop().time() - begun
    result = _compare(config, reports, seconds)
    if result.ok:
        shutil.rmtree(work)
    return result


async def _seat(
    config: SelfplayConfig, broker: BrokerAddress, nodes: list[BotProcess], work: Path, secret: str
) -> None:
    """Host on the first node, let the others join one after another, start."""
    table = ""
    for i, node in enumerate(nodes):
        journals = private_folder(work / f"seat{i}")
        orders = Orders(
            role="join" if i else "host",
            name=NAMES[i],
            broker=broker.url(),
            table=table,
            journals=str(journals),
            files=(str(config.out.resolve() / f"seat{i}.duizenden"),),
            delay=config.delay,
            seed=config.seed,
            label=f"node {i}",
            secret=secret,
            rules=canonical(config.rules).decode(),
            rules_name=config.rules_name,
            seats=config.players,
            max_rounds=config.max_rounds,
        )
        await node.until("ready", READY_SECONDS)
        node.say(orders.line())
        if i == 0:
            table = str((await node.until("hosting", READY_SECONDS))["table"])
        else:
            await node.until("seated", READY_SECONDS)
    nodes[0].say("start")


async def _play(nodes: list[BotProcess], progress: Callable[[str], None]) -> list[Mapping[str, Any]]:
    """Wait until every node says that the game is over, as long as any of them shows signs of life."""

    async def one(i: int, node: BotProcess) -> Mapping[str, Any]:
        while (report := await node.report()) is not None:
            match report["report"]:
                case "round" if i == 0:
                    progress(f"round {report['number']}: {report['totals']}")
                case "over":
                    return report
                case "failed":
                    raise CrewError(str(report["code"]), f"seat {i}")
        raise CrewError("bot/ended", f"seat {i}")

    tasks = [asyncio.create_task(one(i, node), name=f"seat {i}") for i, node in enumerate(nodes)]
    loop = asyncio.get_running_loop()
    try:
        while not all(task.done() for task in tasks):
            done, _ = await asyncio.wait(tasks, timeout=1.0, return_when=asyncio.FIRST_EXCEPTION)
            for task in done:
                task.result()
            if loop.time() - max(node.heard for node in nodes) > SILENCE_SECONDS:
                raise CrewError("bot/silent", f"nothing happened for {SILENCE_SECONDS:.0f} s")
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return [task.result() for task in tasks]


def _compare(config: SelfplayConfig, reports: list[Mapping[str, Any]], seconds: float) -> SelfplayResult:
    first = reports[0]
    same = ("head", "rounds", "moves", "scores", "winners")
    equal = all(report[key] == first[key] for report in reports for key in same)
    clean = all(r["finished"] and r["audits"] and r["fault"] is None for r in reports)
    return SelfplayResult(
        ok=equal and clean and int(first["rounds"]) > 0,
        players=config.players,
        rules=config.rules_name,
        rounds=int(first["rounds"]),
        moves=int(first["moves"]),
        scores=tuple(first["scores"]),
        winners=tuple(first["winners"]),
        heads=tuple(str(r["head"]) for r in reports),
        seconds=round(seconds, 3),
        bytes=sum(int(r["bytes"]) for r in reports),
        seeded=config.seed is not None,
        sealed=config.sealed,
        faults=tuple(str(r["fault"]) for r in reports if r["fault"] is not None),
        files=tuple(f"seat{i}.duizenden" for i in range(config.players)),
    )
