"""Looking around for tables: what multicast DNS shows and what the last used brokers hold, verified by connecting.

An announcement is only a hint: what the list says of a table (who sits there, which rules, whether there is a seat) has
been read from its broker, signed by its host. Each broker is asked again every few seconds and whenever its
announcement changes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from node.dial import first_reachable
from node.joining import find_offers
from node.messages import table_name
from node.offers import Offer
from node.room import LobbyError

from .state import Fit, Person, Seen

if TYPE_CHECKING:
    from node.addresses import BrokerAddress
    from node.discovery import Found

REACH = 2.0
"""Seconds for a broker on the home network to accept a connection."""
LISTEN = 0.6
"""Seconds to collect a broker's announcements: it sends what it keeps at once."""
AGAIN = 5.0
"""Seconds between two looks at one broker."""
PATIENCE = 8.0
"""Seconds without a table after which the person is told why that can be."""
_RANK = (Fit.OPEN, Fit.SEALED, Fit.FULL, Fit.CHECKING, Fit.PLAYING, Fit.UNREACHABLE, Fit.VERSION)


@dataclass(slots=True)
class Answer:
    """What one broker said when it was last asked; None in `offers` means that it did not answer."""

    offers: tuple[Offer, ...] | None = None
    other_version: bool = False


class Scout:
    """Watches the network while it runs. `report` is told every change of the whole list, `waited` after PATIENCE."""

    def __init__(
        self,
        report: Callable[[tuple[Seen, ...]], None],
        waited: Callable[[], None],
        brokers: Iterable[BrokerAddress] = (),
    ) -> None:
        self._report = report
        self._waited = waited
        self._known = tuple(dict.fromkeys(brokers))
        self._found: dict[str, Found] = {}
        self._where: dict[str, BrokerAddress | None] = {}
        """Which of a table's addresses answers, if one does; missing while that is not known."""
        self._answers: dict[BrokerAddress, Answer] = {}
        self._watches: dict[BrokerAddress, asyncio.Task[None]] = {}
        self._asking: dict[str, asyncio.Task[None]] = {}
        self._shown: tuple[Seen, ...] = ()

    async def run(self) -> None:
        """Look around until cancelled. Never fails for what the network is."""
        from node.discovery import Browser  # slow to load: the screen is there before it

        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._patience(), name="patience")
            for broker in self._known:
                self._watch(tasks, broker, asked=False)
            async with Browser() as browser:
                async for tables in browser:
                    self._take(tasks, tables)

    # ------------------------------------------------------------------ inside

    async def _patience(self) -> None:
        await asyncio.sleep(PATIENCE)
        if not self._shown:
            self._waited()

    def _take(self, tasks: asyncio.TaskGroup, tables: tuple[Found, ...]) -> None:
        """The announced tables are these now: ask about every new or changed one, forget those that went."""
        # A table without seats is somebody's doctor at work, unless it is sealed.
        before, self._found = self._found, {found.table: found for found in tables if found.seats or found.sealed}
        for table in before.keys() - self._found.keys():
            self._where.pop(table, None)
            if (asking := self._asking.pop(table, None)) is not None:
                asking.cancel()
        for table, found in self._found.items():
            if before.get(table) != found and speaks_like_us(found):
                if (asking := self._asking.get(table)) is not None:
                    asking.cancel()
                self._asking[table] = tasks.create_task(self._locate(tasks, found), name=f"ask {table}")
        wanted = {*self._known, *(place for place in self._where.values() if place is not None)}
        for broker in self._watches.keys() - wanted:
            self._watches.pop(broker).cancel()
            self._answers.pop(broker, None)
        self._tell()

    async def _locate(self, tasks: asyncio.TaskGroup, found: Found) -> None:
        """Which of its addresses answers; then ask the broker there."""
        place = await first_reachable(found.addresses, REACH)
        if place is not None:
            self._answers[place] = await ask(place)
        self._where[found.table] = place
        self._tell()
        if place is not None:
            self._watch(tasks, place, asked=True)

    def _watch(self, tasks: asyncio.TaskGroup, broker: BrokerAddress, *, asked: bool) -> None:
        if broker not in self._watches:
            watching = self._keep_asking(broker, asked=asked)
            self._watches[broker] = tasks.create_task(watching, name=f"watch {broker.short()}")

    async def _keep_asking(self, broker: BrokerAddress, *, asked: bool) -> None:
        while True:
            if not asked:
                self._answers[broker] = await ask(broker)
                self._tell()
            asked = False
            await asyncio.sleep(AGAIN)

    def _tell(self) -> None:
        """Report the list if it has changed."""
        now = self._seen()
        if now != self._shown:
            self._shown = now
            self._report(now)

    def _seen(self) -> tuple[Seen, ...]:
        tables = {table: self._announced(found) for table, found in self._found.items()}
        for broker, answer in self._answers.items():
            for offer in answer.offers or ():
                if table_name(offer.table) not in tables:
                    tables[table_name(offer.table)] = seen_offer(offer, broker)
        return tuple(
            sorted(tables.values(), key=lambda seen: (_RANK.index(seen.fit), seen.title.casefold(), seen.table))
        )

    def _announced(self, found: Found) -> Seen:
        """A table of the home network, as far as it is known."""
        from node.discovery import VERSION

        base = Seen(table=found.table, title=found.name, fit=Fit.CHECKING, taken=found.taken, seats=found.seats)
        if not speaks_like_us(found):
            return _with(base, Fit.VERSION, theirs=found.version, ours=VERSION)
        if found.table not in self._where:
            return base
        if found.sealed and self._where[found.table] is not None:
            return _with(base, Fit.SEALED, broker=self._where[found.table])
        place = self._where[found.table]
        answer = None if place is None else self._answers.get(place)
        if place is None or answer is None or (answer.offers is None and not answer.other_version):
            return _with(base, Fit.UNREACHABLE)
        if answer.offers is None:
            return _with(base, Fit.VERSION, ours=VERSION)
        offer = next((o for o in answer.offers if table_name(o.table) == found.table), None)
        return _with(base, Fit.PLAYING, broker=place) if offer is None else seen_offer(offer, place)


def speaks_like_us(found: Found) -> bool:
    """Whether a table's announcement is of this release's form."""
    from node.discovery import VERSION

    return found.version == VERSION


def _with(seen: Seen, fit: Fit, *, broker: BrokerAddress | None = None, theirs: str = "", ours: str = "") -> Seen:
    return Seen(
        table=seen.table,
        title=seen.title,
        fit=fit,
        broker=broker,
        taken=seen.taken,
        seats=seen.seats,
        theirs=theirs,
        ours=ours,
    )


def seen_offer(offer: Offer, broker: BrokerAddress) -> Seen:
    """A table as its host announces it on its broker."""
    announce = offer.announce
    return Seen(
        table=table_name(offer.table),
        title=announce.title,
        fit=Fit.PLAYING if offer.begun else Fit.FULL if offer.full else Fit.OPEN,
        broker=broker,
        taken=len(announce.chairs),
        seats=announce.seats,
        people=tuple(Person(chair.name, chair.bot) for chair in announce.chairs),
        rules=offer.rules,
        rules_name=announce.rules_name,
        max_rounds=announce.max_rounds,
    )


async def ask(broker: BrokerAddress) -> Answer:
    """Which tables are announced on this broker. Never raises for what the broker or the network does."""
    if await first_reachable([broker], REACH) is None:
        return Answer()
    with suppress(OSError):
        try:
            return Answer(await find_offers(broker, look=LISTEN))
        except LobbyError as error:
            return Answer(other_version=error.code == "lobby/version")
    return Answer()
