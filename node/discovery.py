"""Tables on the home network: announcing one's own and finding those of others, by multicast DNS.

An announcement is unsigned and may be stale or forged: it is a hint where to look, never a fact about a table. Many
networks carry no multicast at all; whoever uses this module needs a second way (a typed address, a table code).
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Self

from zeroconf import Error, IPVersion, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from .addresses import BrokerAddress, LanAddress, lan_addresses, nearest_first

SERVICE = "_duizenden._tcp.local."
VERSION = "1"
MAX_NAME = 40
MAX_TABLES = 64
"""Tables that a browser keeps; anybody on the network can announce thousands."""

LOOK_AGAIN = 20.0
"""Seconds between looks at this machine's addresses, since people carry laptops about."""

RESOLVE_MS = 2_000
GOODBYE_SECONDS = 2.0

_GROUP = "224.0.0.251"
_LOOPBACK = "127.0.0.1"
_TABLE = re.compile(r"[a-z2-7]{1,52}")

# What the library would print about other people's networks is for its authors.
logging.getLogger("zeroconf").addHandler(logging.NullHandler())
logging.getLogger("zeroconf").propagate = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Advert:
    """What a host tells about its table. `hosts` are the broker's IPv4 addresses, this machine's if empty.

    Raises ValueError unless `table` is a base32 id and the numbers make sense; a long name is cut.
    """

    table: str
    name: str
    port: int
    taken: int = 0
    seats: int = 0
    tls: bool = False
    fingerprint: str = ""
    sealed: bool = False
    hosts: tuple[str, ...] = ()
    by: int | None = None
    """The seat that vouches for the certificate, by this `signature` (`node.roaming`)."""
    signature: bytes = b""

    def __post_init__(self) -> None:
        if not _TABLE.fullmatch(self.table):
            raise ValueError(f"{self.table!r} is not a table id")
        if not 0 < self.port < 65_536 or not 0 <= self.taken <= self.seats <= 99:
            raise ValueError("a port or a number of seats out of range")

    def properties(self) -> dict[str, str]:
        """The TXT record."""
        return {
            "v": VERSION,
            "t": self.table,
            "n": _clean(self.name),
            "s": f"{self.taken}/{self.seats}",
            "tls": "1" if self.tls else "0",
            **({"fp": self.fingerprint} if self.fingerprint else {}),
            **({"sealed": "1"} if self.sealed else {}),
            **({} if self.by is None else {"by": str(self.by), "sig": self.signature.hex()}),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A table that somebody announces; `addresses` are where its broker may be, the nearest first.

    Of a sealed table `table` is a name that its players know, and nothing else is told. `version` is the
    announcement's: another one than VERSION means another release of the game.
    """

    table: str
    name: str
    taken: int
    seats: int
    version: str
    sealed: bool = False
    addresses: tuple[BrokerAddress, ...]
    by: int | None = None
    signature: bytes = b""
    """Which seat says that it vouches for the broker's certificate, and how it says so; unchecked."""

    @property
    def full(self) -> bool:
        """Whether every seat is taken, as far as that is told."""
        return 0 < self.seats <= self.taken


def read_announcement(
    properties: Mapping[bytes, bytes | None], hosts: Sequence[str], port: int | None, here: Sequence[LanAddress]
) -> Found | None:
    """The announcement in a TXT record and its addresses; None if it is not one of ours. Bytes may be anything."""

    def text(key: bytes) -> str:
        return (properties.get(key) or b"").decode("utf-8", "replace")

    seats = re.fullmatch(r"([0-9]{1,2})/([0-9]{1,2})", text(b"s"), re.ASCII)
    if not _TABLE.fullmatch(text(b"t")) or not hosts or not port or not text(b"v"):
        return None
    tls = text(b"tls") == "1"
    pin = text(b"fp") if tls and re.fullmatch(r"[0-9a-f]{64}", text(b"fp"), re.ASCII) else None
    return Found(
        table=text(b"t"),
        name=_clean(text(b"n")),
        taken=int(seats[1]) if seats else 0,
        seats=int(seats[2]) if seats else 0,
        version=_clean(text(b"v")),
        sealed=text(b"sealed") == "1",
        addresses=tuple(BrokerAddress(host, port, tls, fingerprint=pin) for host in nearest_first(hosts, here)),
        by=int(text(b"by")) if re.fullmatch(r"[0-6]", text(b"by"), re.ASCII) else None,
        signature=bytes.fromhex(text(b"sig")) if re.fullmatch(r"[0-9a-f]{128}", text(b"sig"), re.ASCII) else b"",
    )


def _clean(text: str) -> str:
    # It reaches other people's terminals: no control characters, and not the whole screen.
    return "".join(c for c in text if c.isprintable())[:MAX_NAME].strip()


class Announcement:
    """A table being announced. `interfaces` are the addresses it goes out on; none means that nobody can find it."""

    def __init__(self, advert: Advert, interfaces: Sequence[str] | None, entropy: Callable[[int], bytes]) -> None:
        self._advert = advert
        self._fixed = interfaces
        self._tag = entropy(4).hex()
        self._changed = asyncio.Event()
        self._registered = asyncio.Event()
        self.interfaces: tuple[str, ...] = ()

    def update(self, *, taken: int) -> None:
        """Tell how many seats are taken now."""
        self._advert = replace(self._advert, taken=taken)
        self._changed.set()

    async def registered(self) -> None:
        """Wait until the network has been told (some 1.2 s)."""
        await self._registered.wait()

    async def keep(self) -> None:
        """Announce until cancelled, again and again as this machine's networks change. Says goodbye at the end."""
        while True:
            places = _places(self._fixed)
            zeroconf = _open(places)
            if zeroconf is None:
                self.interfaces = ()
                await asyncio.sleep(LOOK_AGAIN)
                continue
            self.interfaces = places
            try:
                await self._announce(zeroconf, places)
            finally:
                await _close(zeroconf)

    async def _announce(self, zeroconf: AsyncZeroconf, places: tuple[str, ...]) -> None:
        # Probing for a name and announcing it are two steps, and the second is an awaitable of its own; so is the
        # farewell. Nobody would hear it if only the first were awaited.
        info = self._info(places)
        try:
            await (await zeroconf.async_register_service(info, allow_name_change=True))
            self._registered.set()
            while _places(self._fixed) == places:
                self._changed.clear()
                with suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_AGAIN):
                        await self._changed.wait()
                if self._changed.is_set():
                    changed = self._info(places)
                    changed.name = info.name
                    info = changed
                    await (await zeroconf.async_update_service(info))
        except (OSError, Error):
            await asyncio.sleep(LOOK_AGAIN)
        finally:
            with suppress(TimeoutError, OSError, KeyError, Error):
                async with asyncio.timeout(GOODBYE_SECONDS):
                    await (await zeroconf.async_unregister_service(info))

    def _info(self, places: Sequence[str]) -> AsyncServiceInfo:
        # A host name of our own: the machine's may be in use by another node on it.
        return AsyncServiceInfo(
            SERVICE,
            f"{self._advert.table[:26]}-{self._tag}.{SERVICE}",
            port=self._advert.port,
            properties=dict(self._advert.properties()),
            parsed_addresses=list(self._advert.hosts or places),
            server=f"dz-{self._tag}.local.",
        )


@asynccontextmanager
async def announce(
    advert: Advert,
    *,
    interfaces: Sequence[str] | None = None,
    entropy: Callable[[int], bytes] = secrets.token_bytes,
) -> AsyncIterator[Announcement]:
    """Announce a table while the context lasts. Enters at once and never fails for what the network is.

    `interfaces` are IPv4 addresses of this machine to use instead of all its home networks.
    """
    announcement = Announcement(advert, interfaces, entropy)
    task = asyncio.create_task(announcement.keep(), name=f"announce {advert.table}")
    try:
        yield announcement
    finally:
        task.cancel()
        await asyncio.wait({task})
        if not task.cancelled():
            task.result()  # it only ends by itself through a mistake of ours


class Browser:
    """A live list of tables. Use as an async context manager; iterate for each change of the whole list.

    The first item is the list as it is, usually empty. One consumer. If this machine has no network to look on, the
    list stays empty.
    """

    def __init__(self, *, interfaces: Sequence[str] | None = None) -> None:
        self._fixed = interfaces
        self._here: tuple[LanAddress, ...] = ()
        self._zeroconf: AsyncZeroconf | None = None
        self._browser: AsyncServiceBrowser | None = None
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._found: dict[str, Found] = {}
        self._changed = asyncio.Event()
        self._changed.set()

    async def __aenter__(self) -> Self:
        self._here = lan_addresses()
        self._zeroconf = _open(_places(self._fixed))
        if self._zeroconf is not None:
            self._browser = AsyncServiceBrowser(self._zeroconf.zeroconf, SERVICE, handlers=[self._noticed])
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        if self._browser is not None:
            await self._browser.async_cancel()
        if self._zeroconf is not None:
            await _close(self._zeroconf)

    def tables(self) -> tuple[Found, ...]:
        """The tables known now, one entry per table id, by name. Of several announcements the newest counts."""
        newest = {found.table: found for found in self._found.values()}
        return tuple(sorted(newest.values(), key=lambda found: (found.name, found.table)))

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> tuple[Found, ...]:
        await self._changed.wait()
        self._changed.clear()
        return self.tables()

    def _noticed(self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        del service_type
        if state_change is ServiceStateChange.Removed:
            if task := self._tasks.pop(name, None):
                task.cancel()
            if self._found.pop(name, None):
                self._changed.set()
        elif name in self._tasks or len(self._tasks) < MAX_TABLES:
            if task := self._tasks.get(name):
                task.cancel()
            self._tasks[name] = asyncio.create_task(self._resolve(zeroconf, name), name=f"resolve {name}")

    async def _resolve(self, zeroconf: Zeroconf, name: str) -> None:
        info = AsyncServiceInfo(SERVICE, name)
        if not await info.async_request(zeroconf, RESOLVE_MS):
            self._tasks.pop(name, None)
            return
        hosts = info.parsed_addresses(IPVersion.V4Only)
        found = read_announcement(info.properties, hosts, info.port, self._here)
        if found is not None and self._found.get(name) != found:
            self._found.pop(name, None)  # to the end: the newest
            self._found[name] = found
            self._changed.set()


async def browse(
    timeout: float = 2.0,  # noqa: ASYNC109  looking takes this long, always
    *,
    interfaces: Sequence[str] | None = None,
) -> list[Found]:
    """The tables that answer within `timeout` seconds."""
    async with Browser(interfaces=interfaces) as browser:
        await asyncio.sleep(timeout)
        return list(browser.tables())


async def find(
    wanted: Callable[[Found], bool],
    timeout: float = 2.0,  # noqa: ASYNC109  not finding is an answer
    *,
    interfaces: Sequence[str] | None = None,
) -> Found | None:
    """The first table that `wanted` accepts, as soon as it answers; None if none does within `timeout` seconds."""
    async with Browser(interfaces=interfaces) as browser:
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout):
                async for tables in browser:
                    for found in tables:
                        if wanted(found):
                            return found
    return None


def _places(fixed: Sequence[str] | None) -> tuple[str, ...]:
    """The addresses to speak multicast from: those given, else home networks, else this machine alone."""
    candidates = tuple(lan.ip for lan in lan_addresses()) if fixed is None else tuple(fixed)
    working = tuple(ip for ip in candidates if _speaks_multicast(ip))
    return working or ((_LOOPBACK,) if fixed is None and _speaks_multicast(_LOOPBACK) else ())


def _speaks_multicast(ip: str) -> bool:
    # One interface that refuses would make the library refuse them all.
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
            here = socket.inet_aton(ip)
            sock.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(_GROUP) + here)
            sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, here)
    except OSError:
        return False
    return True


def _open(places: Sequence[str]) -> AsyncZeroconf | None:
    if not places:
        return None
    try:
        return AsyncZeroconf(interfaces=list(places), ip_version=IPVersion.V4Only)
    except OSError:  # somebody holds port 5353 for himself
        return None


async def _close(zeroconf: AsyncZeroconf) -> None:
    with suppress(OSError, Error):
        await zeroconf.async_close()
