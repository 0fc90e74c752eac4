"""The doctor: looks at everything a table needs on this machine and says in a sentence what to do about what is wrong.

It changes nothing: the port, the broker and the table it announces exist for the length of a check only.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from client_cli.glyphs import letters_only, signs_fit
from client_cli.views.screen import HEIGHT, WIDTH
from node.addresses import PORT, BrokerAddress, LanAddress, lan_addresses
from node.app import EVERYWHERE, own_broker, reachable
from node.broker import BrokerError
from node.dial import dial

from .state import Check, Health

if TYPE_CHECKING:
    from node.profile import Profile

HEAR = 4.0
"""Seconds for a table of our own to come back by multicast: registering takes 1.2 s, an answer some tenths."""
REACH = 2.0
PROBE = 5.0
LEAST_FREE = 50_000_000
"""Bytes: an evening's journals and game files are some tens of megabytes."""
EPOCH = 1_735_689_600
"""2025-01-01: before this the program did not exist."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The terminal as the process sees it."""

    terminal: bool
    columns: int
    lines: int
    encoding: str
    environment: Mapping[str, str]

    @classmethod
    def of_this_process(cls) -> Surroundings:
        """What this process was started in."""
        size = shutil.get_terminal_size()
        return cls(
            terminal=sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb",
            columns=size.columns,
            lines=size.lines,
            encoding=sys.stdout.encoding or "ascii",
            environment=dict(os.environ),
        )


async def examine(
    profile: Profile, surroundings: Surroundings, broker: BrokerAddress | None = None
) -> AsyncIterator[Check]:
    """All checks, in order, each as soon as it is known. With `broker` that one is probed instead of our own."""
    yield terminal(surroundings)
    yield await asyncio.to_thread(folder, profile.data)
    yield clock(time.time())
    here = lan_addresses()
    yield network(here)
    yield port(PORT)
    yield await multicast()
    if broker is not None:
        yield await outside_broker(broker)
        return
    async for check in embedded_broker(profile, here):
        yield check


# ------------------------------------------------------------------ this machine


def terminal(around: Surroundings) -> Check:
    """Whether the lobby and the table fit and can be drawn."""
    facts = (
        ("columns", around.columns),
        ("lines", around.lines),
        ("colours", f"doctor.colours.{colours(around.environment)}"),
        ("signs", "doctor.signs.signs"),
        ("encoding", around.encoding),
    )
    if not around.terminal:
        return Check("terminal", Health.WARN, "doctor.terminal.none", "doctor.terminal.none.do", facts)
    if around.columns < WIDTH or around.lines < HEIGHT:
        return Check("terminal", Health.BAD, "doctor.terminal.small", "doctor.terminal.small.do", facts)
    if not signs_fit(around.encoding) or letters_only(around.environment):
        return Check("terminal", Health.WARN, "doctor.terminal.letters", "doctor.terminal.letters.do", facts)
    return Check("terminal", Health.GOOD, "doctor.terminal.good", "", facts)


def colours(environment: Mapping[str, str]) -> str:
    """How many colours the terminal says it has: `true`, `256`, `16` or `none`."""
    if environment.get("NO_COLOR"):
        return "none"
    if environment.get("COLORTERM") in {"truecolor", "24bit"}:
        return "true"
    name = environment.get("TERM", "")
    if name in {"linux", "ansi", "vt100", "vt220", ""}:
        return "16"
    return "256"


def folder(path: Path) -> Check:
    """Whether games can be written, and whether there is room."""
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.NamedTemporaryFile(dir=path, prefix=".doctor-") as file:
            file.write(b"x" * 4096)
            file.flush()
            os.fsync(file.fileno())
        free = shutil.disk_usage(path).free
    except OSError as error:
        facts = (("folder", path), ("detail", error.strerror or type(error).__name__))
        return Check("folder", Health.BAD, "doctor.folder.bad", "doctor.folder.bad.do", facts)
    words = f"{free // 1_000_000_000} GB" if free >= 1_000_000_000 else f"{free // 1_000_000} MB"
    room = (("folder", path), ("free", words))
    if free < LEAST_FREE:
        return Check("folder", Health.WARN, "doctor.folder.full", "doctor.folder.full.do", room)
    return Check("folder", Health.GOOD, "doctor.folder.good", "", room)


def clock(now: float) -> Check:
    """Whether the clock can be right. No node decides anything by it."""
    facts = (("now", datetime.fromtimestamp(max(now, 0), UTC).astimezone().strftime("%Y-%m-%d %H:%M")),)
    if now < EPOCH:
        return Check("clock", Health.WARN, "doctor.clock.bad", "doctor.clock.bad.do", facts)
    return Check("clock", Health.GOOD, "doctor.clock.good", "", facts)


# ------------------------------------------------------------------ the network


def network(here: tuple[LanAddress, ...]) -> Check:
    """Which home networks this machine is on."""
    if not here:
        return Check("network", Health.WARN, "doctor.network.none", "doctor.network.none.do")
    words = ", ".join(f"{lan.interface} ({lan.ip}/{lan.prefix})" for lan in here)
    return Check("network", Health.GOOD, "doctor.network.good", "", (("addresses", words),))


def port(number: int) -> Check:
    """Whether a table of our own could use the usual port, or any."""
    for wanted in (number, 0):
        try:
            with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as sock:
                if os.name == "posix":
                    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                sock.bind((EVERYWHERE, wanted))
                sock.listen(1)
        except OSError as error:
            detail = error.strerror or type(error).__name__
        else:
            if wanted == number:
                return Check("port", Health.GOOD, "doctor.port.good", "", (("port", number),))
            return Check("port", Health.WARN, "doctor.port.taken", "doctor.port.taken.do", (("port", number),))
    facts = (("port", number), ("detail", detail))
    return Check("port", Health.BAD, "doctor.port.bad", "doctor.port.bad.do", facts)


async def multicast() -> Check:
    """Whether a table that this machine announces comes back to it by multicast."""
    from node.discovery import Advert, announce, find
    from node.messages import table_name

    loop = asyncio.get_running_loop()
    advert = Advert(table=table_name(secrets.token_bytes(16)), name="doctor", port=9)  # no seats: nobody lists it
    async with announce(advert) as announcement:
        started = loop.time()
        found = await find(lambda seen: seen.table == advert.table, HEAR)
        took = loop.time() - started
        places = announcement.interfaces
    facts = (("interfaces", ", ".join(places)), ("seconds", f"{took:.1f}"))
    if not places:
        return Check("multicast", Health.WARN, "doctor.multicast.none", "doctor.multicast.none.do", facts)
    if found is None:
        return Check("multicast", Health.WARN, "doctor.multicast.lost", "doctor.multicast.lost.do", facts)
    return Check("multicast", Health.GOOD, "doctor.multicast.good", "", facts)


# ------------------------------------------------------------------ brokers


async def outside_broker(broker: BrokerAddress) -> Check:
    """Whether tables can be played over somebody's broker."""
    facts = (("address", broker.short()), ("port", broker.port))
    try:
        (await dial(BrokerAddress(broker.host, broker.port), REACH)).close()
    except ConnectionRefusedError:
        return Check("broker", Health.BAD, "doctor.broker.refused", "doctor.broker.refused.do", facts)
    except OSError as error:
        detail = error.strerror or type(error).__name__
        return Check(
            "broker", Health.BAD, "doctor.broker.connect", "doctor.broker.connect.do", (*facts, ("detail", detail))
        )
    return await probed(broker)


async def probed(broker: BrokerAddress) -> Check:
    """What the broker does with a byte, 16 KiB, a long message and a retained one."""
    from node.probe import probe

    result = await probe(broker, PROBE)
    ms = 0 if result.round_trip is None else round(result.round_trip * 1000)
    facts = (("address", broker.short()), ("port", broker.port), ("detail", result.detail or "-"), ("ms", ms))
    if result.ok:
        return Check("broker", Health.GOOD, "doctor.broker.good", "", facts)
    first = result.missing[0]
    health = Health.WARN if result.missing == ("retained",) else Health.BAD
    return Check("broker", health, f"doctor.broker.{first}", f"doctor.broker.{first}.do", facts)


async def embedded_broker(profile: Profile, here: tuple[LanAddress, ...]) -> AsyncIterator[Check]:
    """Start our own broker for a moment: what it delivers, and whether the home network's addresses lead to it."""
    log_file = profile.logs / "broker.log"
    try:
        log_file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        async with own_broker(bind=EVERYWHERE, port=PORT, log_file=log_file) as place:
            assert place.port is not None
            yield await probed(place.address)
            if here:
                yield await reach(place.port)
    except (BrokerError, OSError) as error:
        detail = error.detail if isinstance(error, BrokerError) else str(error)
        facts = (("detail", detail or type(error).__name__), ("log", log_file))
        yield Check("broker", Health.BAD, "doctor.broker.start", "doctor.broker.start.do", facts)


async def reach(number: int) -> Check:
    """Whether our own broker can be reached at the addresses that others would type."""
    from node.addresses import parse_address

    missed = []
    for text in reachable(EVERYWHERE, number):
        address = parse_address(text)
        try:
            (await dial(address, REACH)).close()
        except OSError:
            missed.append(text)
    if missed:
        facts = (("addresses", ", ".join(missed)), ("port", number))
        return Check("reach", Health.BAD, "doctor.reach.bad", "doctor.reach.bad.do", facts)
    words = ", ".join(reachable(EVERYWHERE, number))
    return Check("reach", Health.GOOD, "doctor.reach.good", "", (("addresses", words), ("port", number)))
