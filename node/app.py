"""Composition: broker, link and router, put together and taken apart in the right order.

Everything that lives as long as a node is an async context here; lobby and table are built on top of a `Router`.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from .addresses import BrokerAddress, lan_addresses
from .broker import BrokerError, EmbeddedBroker
from .certificate import own_certificate
from .router import Router
from .table_code import PIN_BYTES
from .tasks import background
from .transport import Transport

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

log = logging.getLogger("duizenden.node")

T = TypeVar("T")

LOOPBACK = "127.0.0.1"
EVERYWHERE = "0.0.0.0"  # noqa: S104  the others at the table reach the broker over the home network
BROKER_CHECK = 1.0
"""Seconds between two looks whether the embedded broker is alive."""

Connect: TypeAlias = Callable[[BrokerAddress], Transport]


def mqtt(address: BrokerAddress) -> Transport:
    """The usual transport."""
    from .link import MqttLink

    return MqttLink(address)


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a node's coroutine to its end, in an event loop that can watch sockets (Windows' default one cannot)."""
    factory = asyncio.SelectorEventLoop if sys.platform == "win32" else None
    with asyncio.Runner(loop_factory=factory) as runner:
        return runner.run(work)


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerPlace:
    """Where a table's broker is.

    `reachable` are the addresses to tell the others, nearest network first; `port` and `bind` are set for a broker of
    our own.
    """

    address: BrokerAddress
    reachable: tuple[str, ...]
    bind: str | None = None
    port: int | None = None


@asynccontextmanager
async def connected(address: BrokerAddress, connect: Connect = mqtt) -> AsyncIterator[Router]:
    """A router over a link to this broker. It keeps trying for as long as the context lasts."""
    async with connect(address) as transport:
        router = Router(transport)
        async with background(router.run(), "router"):
            yield router


@asynccontextmanager
async def own_broker(
    *, bind: str, port: int, insist: bool = False, log_file: Path | None = None, tls: Path | None = None
) -> AsyncIterator[BrokerPlace]:
    """Our own broker for as long as the context lasts, started again on its port whenever it dies.

    Without `insist` another port is taken when this one is in use. `tls` is the folder of this machine's certificate:
    then the broker speaks TLS only. Raises BrokerError or OSError.
    """
    certificate = None if tls is None else await asyncio.to_thread(own_certificate, tls)
    file = None if certificate is None else certificate.file
    broker = EmbeddedBroker(host=bind, port=port, fallback=not insist, log=log_file, certificate=file)
    try:
        taken = await asyncio.to_thread(broker.start)
        async with background(_keep_alive(broker), "broker keeper"):
            address = BrokerAddress(LOOPBACK if bind == EVERYWHERE else bind, taken)
            if certificate is not None:
                address = replace(address, tls=True, fingerprint=certificate.fingerprint)
            yield BrokerPlace(
                address=address,
                reachable=reachable(bind, taken, address.fingerprint),
                bind=bind,
                port=taken,
            )
    finally:
        await asyncio.to_thread(broker.stop)


def reachable(bind: str, port: int, fingerprint: str | None = None) -> tuple[str, ...]:
    """The addresses under which others reach a broker of ours that is bound here, as they would type them."""
    hosts = [a.ip for a in lan_addresses()] if bind == EVERYWHERE else [bind]
    if fingerprint is None:
        return tuple(BrokerAddress(host, port).short() for host in hosts)
    pin = fingerprint[: 2 * PIN_BYTES]
    return tuple(str(BrokerAddress(host, port, tls=True, fingerprint=pin)) for host in hosts)


async def _keep_alive(broker: EmbeddedBroker) -> None:
    while True:
        await asyncio.sleep(BROKER_CHECK)
        if not broker.alive:
            log.warning("the broker died; starting it again")
            try:
                await asyncio.to_thread(broker.start)
            except BrokerError:
                log.exception("the broker does not start; trying again")
