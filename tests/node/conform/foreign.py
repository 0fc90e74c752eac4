"""A foreign node for tests of the conformance kit: a node of ours, honest or with one habit of a bad one."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from node.bots import play
from node.conform.findings import Held
from node.conform.kit import Hosting, Joining, Kit, Report
from node.conform.scenarios import SCENARIOS, Times
from node.conform.voice import Script, Sent, Voice
from node.entropy import SeededEntropy
from node.hosting import HostConfig, host_table
from node.joining import JoinConfig, join_table
from node.memory import MemoryLink, MemoryNet
from node.messages import parse_table_name
from node.room import LobbyError
from node.tasks import background
from protocol.crypto.identity import SigningKey
from protocol.rules.ruleset import preset
from tests.node.nodes import BROKER
from tests.simulator.loop import VirtualLoop

if TYPE_CHECKING:
    from node.addresses import BrokerAddress
    from node.driver import TableDriver
    from node.transport import Transport

TIMES = Times(arrive=60.0, patience=60.0, react=20.0, moment=0.1, silence=0.5)
BY_NAME = {scenario.name: scenario for scenario in SCENARIOS}
RULES = preset("klassiek")


class Foreign:
    """The other side: `script` is what its link does with what its node says."""

    def __init__(self, net: MemoryNet, folder: Path) -> None:
        self._net = net
        self._folder = folder
        self.script = Script()
        self.table = 0
        """Counts its tables: at each it has another key."""
        self.link: MemoryLink | None = None

    def connect(self, _: BrokerAddress) -> Transport:
        """Its transport."""
        self.link = MemoryLink(self._net, "foreign")
        voice = Voice(self.link, Sent())
        voice.script = self.script
        voice.key = SigningKey(self._entropy().take(32))  # a node takes its key first
        return voice

    def _entropy(self) -> SeededEntropy:
        return SeededEntropy(str(self.table), "foreign")

    async def join(self, table: str) -> None:
        """Join this table and play."""
        config = JoinConfig(
            broker=BROKER, name="Joep", journals=self._folder, table=parse_table_name(table), auto_continue=True
        )
        with suppress(LobbyError):
            async with (
                join_table(config, entropy=self._entropy(), connect=self.connect) as joined,
                joined.play() as driver,
            ):
                await _play(driver)

    async def host(self, seats: int = 3) -> None:
        """Host a table, begin when it is full, play."""
        config = HostConfig(
            name="Truus",
            rules=RULES,
            rules_name="klassiek",
            seats=seats,
            journals=self._folder,
            max_rounds=1,
            broker=BROKER,
            discoverable=False,
            auto_continue=True,
        )
        async with host_table(config, entropy=self._entropy(), connect=self.connect) as hosted:
            async for room in hosted.updates():
                if room.full:
                    break
            _, driver = await hosted.start()
            await _play(driver)


async def _play(driver: TableDriver) -> None:
    async for _ in play(driver, (0.0, 0.0)):
        pass
    await driver.linger()
    await asyncio.Event().wait()  # until the test has seen enough


def examine(
    folder: Path,
    *scenarios: str,
    script: Callable[[], Script] = Script,
    hosts: bool = False,
    rules: str = "klassiek",
) -> list[Report]:
    """What the kit finds of a foreign node with this script, at one table after the other, in virtual time."""
    with asyncio.Runner(loop_factory=lambda: VirtualLoop(random.Random(0))) as runner:
        return runner.run(_examine(folder, *scenarios, script=script, hosts=hosts, rules=rules))


async def _examine(
    folder: Path, *scenarios: str, script: Callable[[], Script], hosts: bool, rules: str
) -> list[Report]:
    net = MemoryNet()
    wanted: asyncio.Queue[str] = asyncio.Queue()
    names = iter(range(1000))
    foreign = Foreign(net, folder)

    async def cut() -> None:
        assert foreign.link is not None
        foreign.link.drop()
        foreign.link.restore()

    def tell(what: str, **facts: Any) -> None:
        if what in {"join", "host"}:
            wanted.put_nowait(facts["table"])

    async def other_side() -> None:
        table = await wanted.get()
        await (foreign.host() if hosts else foreign.join(table))

    way = Joining(table="Truus") if hosts else Hosting(rules=preset(rules), rules_name=rules, cut=cut)
    kit = Kit(broker=BROKER, way=way, tell=tell, times=TIMES, connect=lambda _: MemoryLink(net, f"kit {next(names)}"))
    reports = []
    for name in scenarios:
        foreign.script = script()
        foreign.table += 1
        async with background(other_side(), "foreign"):
            reports.append(await kit.run(BY_NAME[name]))
    return reports


def broken(report: Report) -> dict[str, str]:
    """What the report says is broken, and by which code."""
    return {finding.must: finding.why for finding in report.findings if finding.held is Held.BROKEN}
