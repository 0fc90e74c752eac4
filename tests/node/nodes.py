"""Helpers: tables of nodes in one process over the network in memory."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from node.addresses import BrokerAddress
from node.bots import play
from node.hosting import HostConfig, HostedTable, host_table
from node.joining import JoinConfig, JoinedTable, join_table
from node.memory import MemoryLink, MemoryNet
from protocol.rules.ruleset import preset

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AsyncExitStack
    from pathlib import Path

    from node.driver import TableDriver
    from node.transport import Transport

BROKER = BrokerAddress("memory", 1)
PATIENCE = 60.0
"""Seconds a test waits for what must happen; never waited for in full unless something is wrong."""


@dataclass
class World:
    """A network in memory and the folder of everybody's files."""

    folder: Path
    stack: AsyncExitStack
    net: MemoryNet = field(default_factory=MemoryNet)
    links: dict[str, MemoryLink] = field(default_factory=dict)
    hosted: bytes | None = None
    """The table hosted here last; joiners look for it."""

    def link(self, name: str) -> Callable[[BrokerAddress], Transport]:
        """What makes the transport of the node with this name."""

        def connect(_: BrokerAddress) -> Transport:
            self.links[name] = MemoryLink(self.net, name)
            return self.links[name]

        return connect

    def journals(self, name: str) -> Path:
        """The journal folder of a node."""
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        return folder

    async def host(self, **more: Any) -> HostedTable:
        """A hosted table; the host's node is called `host`."""
        options: dict[str, Any] = {
            "name": "Truus",
            "rules": preset("klassiek"),
            "rules_name": "klassiek",
            "seats": 4,
            "max_rounds": 1,
            "journals": self.journals("host"),
            "broker": BROKER,
            "discoverable": False,
            "auto_continue": True,
        }
        config = HostConfig(**(options | more))
        hosted = await self.stack.enter_async_context(host_table(config, connect=self.link("host")))
        self.hosted = hosted.table
        return hosted

    async def join(self, name: str, stack: AsyncExitStack | None = None, **more: Any) -> JoinedTable:
        """A joiner that has been seated."""
        options: dict[str, Any] = {
            "broker": BROKER,
            "name": name,
            "journals": self.journals(name),
            "auto_continue": True,
            "table": self.hosted,
            "look": 0.1,
        }
        config = JoinConfig(**(options | more))
        return await (stack or self.stack).enter_async_context(join_table(config, connect=self.link(name)))

    async def table(self, *names: str, **more: Any) -> list[TableDriver]:
        """A table that has begun: the host and these joiners, in seat order."""
        host = await self.host(**more)
        joiners = [await self.join(name) for name in names]
        _, first = await host.start()
        return [first, *[await self.stack.enter_async_context(j.play()) for j in joiners]]


async def play_out(*drivers: TableDriver) -> None:
    """Let bots play at these seats until the game is over for each."""

    async def one(driver: TableDriver) -> None:
        async for _ in play(driver, (0.0, 0.0)):
            pass

    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*map(one, drivers))


async def until(condition: Callable[[], bool]) -> None:
    """Wait until this holds; what it looks at changes without telling, so this has to look again and again."""
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.005)
