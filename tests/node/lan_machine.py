"""What runs on a machine of a test network: announces a table, looks for tables, joins one. Prints JSON lines.

host TABLE [NAME]     broker and announcement until standard input closes
watch                 the list of tables at each change until standard input closes
browse SECONDS        the tables found
join TABLE SECONDS    find the table, connect, hear oneself: where, and after how many seconds
reach HOST            connect to the broker there, hear oneself: where
addresses             this machine's addresses
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from node.addresses import BrokerAddress, lan_addresses, parse_address
from node.broker import EmbeddedBroker
from node.dial import first_reachable
from node.discovery import Advert, Browser, Found, announce, browse, find
from node.link import MqttLink
from node.transport import Incoming


def say(value: Any) -> None:
    """One JSON line."""
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def plain(tables: tuple[Found, ...] | list[Found]) -> list[Any]:
    """Tables as JSON values."""
    return [[t.table, t.name, t.taken, t.seats, [a.short() for a in t.addresses]] for t in tables]


async def host(table: str, name: str = "Tafel") -> None:
    """A broker and its announcement."""
    with EmbeddedBroker(port=1883) as broker:
        async with announce(Advert(table=table, name=name, port=broker.port, taken=1, seats=4)) as announcement:
            await announcement.registered()
            say({"port": broker.port, "interfaces": announcement.interfaces})
            await asyncio.to_thread(sys.stdin.read)
    say("closed")


async def watch() -> None:
    """The live list."""
    async with Browser() as browser:

        async def tell() -> None:
            async for tables in browser:
                say(plain(tables))

        task = asyncio.create_task(tell())
        await asyncio.to_thread(sys.stdin.read)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def join(table: str, seconds: str) -> None:
    """From knowing nothing to hearing oneself over the table's broker."""
    started = asyncio.get_running_loop().time()
    found = await find(lambda each: each.table == table, float(seconds))
    if found is None:
        say(None)
        return
    address = await first_reachable(found.addresses, 3)
    assert address is not None
    await hear_oneself(address)
    say([address.short(), asyncio.get_running_loop().time() - started])


async def reach(host: str) -> None:
    """What a typed address leads to."""
    address = parse_address(host)
    await hear_oneself(address)
    say(address.short())


async def hear_oneself(address: BrokerAddress) -> None:
    """Say something over this broker and hear it."""
    async with MqttLink(address, subscriptions=["x"]) as link, asyncio.timeout(5):
        link.send("x", b"me")
        async for signal in link.signals():
            if signal == Incoming("x", b"me"):
                break


async def main(command: str, *arguments: str) -> None:
    """Run one command."""
    if command == "host":
        await host(*arguments)
    elif command == "watch":
        await watch()
    elif command == "browse":
        say(plain(await browse(float(arguments[0]))))
    elif command == "join":
        await join(*arguments)
    elif command == "reach":
        await reach(*arguments)
    else:
        say([address.ip for address in lan_addresses()])


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
