"""Looking around: what the list says of tables that announce themselves, answer, change, hide or are out of date."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Self

import pytest

from client_cli.lobby import scout as module
from client_cli.lobby.errands import BROKERS, last_brokers, remember_broker
from client_cli.lobby.scout import Scout
from client_cli.lobby.state import Fit, Person, Seen
from node.addresses import BrokerAddress
from node.discovery import Found
from node.messages import Announce, Chair, table_id, table_name
from node.offers import Offer
from node.profile import Profile
from node.room import LobbyError
from protocol.rules.ruleset import canonical, preset

PATIENCE = 20.0
NEAR = BrokerAddress("192.168.1.5")
FAR = BrokerAddress("10.1.1.1", 2000)
RULES = preset("klassiek")
KEY = b"k" * 32


def an_offer(number: int, *, taken: int = 1, seats: int = 4, begun: bool = False) -> Offer:
    """A table that a broker holds."""
    chairs = tuple(Chair(f"Speler {n}", bot=n > 0, key=bytes([n]) * 32) for n in range(taken))
    announce = Announce(
        nonce=bytes([number]) * 16,
        revision=1,
        app="",
        title=f"Host {number}",
        rules_name="klassiek",
        rules=canonical(RULES),
        seats=seats,
        max_rounds=0,
        seeded=False,
        chairs=chairs,
        issued=0,
        expires=0,
        open=not begun,
    )
    return Offer(table_id(KEY, bytes([number]) * 16), KEY, RULES, announce)


def found(number: int, *addresses: BrokerAddress, version: str = "1", taken: int = 1) -> Found:
    """The announcement of that table."""
    table = table_name(an_offer(number).table)
    return Found(table=table, name=f"Host {number}", taken=taken, seats=4, version=version, addresses=addresses)


class Network:
    """What is announced, which brokers answer, and what they hold; all of it may change while somebody looks."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.announced: tuple[Found, ...] = ()
        self.brokers: dict[BrokerAddress, tuple[Offer, ...] | LobbyError] = {}
        self.changed = asyncio.Event()
        self.changed.set()
        self.seen: list[tuple[Seen, ...]] = []
        self.waits = 0
        self.told = asyncio.Event()
        network = self

        class Browser:
            async def __aenter__(self) -> Self:
                return self

            async def __aexit__(self, *_: object) -> None:
                pass

            def __aiter__(self) -> Self:
                return self

            async def __anext__(self) -> tuple[Found, ...]:
                await network.changed.wait()
                network.changed.clear()
                return network.announced

        async def first_reachable(addresses: tuple[BrokerAddress, ...], _: float) -> BrokerAddress | None:
            return next((a for a in addresses if a in network.brokers), None)

        async def find_offers(broker: BrokerAddress, **_: object) -> tuple[Offer, ...]:
            answer = network.brokers[broker]
            if isinstance(answer, LobbyError):
                raise answer
            return answer

        monkeypatch.setattr("node.discovery.Browser", Browser)
        monkeypatch.setattr(module, "first_reachable", first_reachable)
        monkeypatch.setattr(module, "find_offers", find_offers)
        monkeypatch.setattr(module, "AGAIN", 0.01)

    def announce(self, *tables: Found) -> None:
        """These tables are announced now."""
        self.announced = tables
        self.changed.set()

    def report(self, tables: tuple[Seen, ...]) -> None:
        """Take what the scout reports."""
        self.seen.append(tables)
        self.told.set()

    def waited(self) -> None:
        """Take that nothing was found."""
        self.waits += 1
        self.told.set()

    async def until(self, **fits: Fit) -> tuple[Seen, ...]:
        """The list as soon as it has these tables (by title) in these states, and no others."""
        wanted = {title.replace("_", " "): fit for title, fit in fits.items()}
        async with asyncio.timeout(PATIENCE):
            while not self.seen or {seen.title: seen.fit for seen in self.seen[-1]} != wanted:
                self.told.clear()
                await self.told.wait()
        return self.seen[-1]


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Network:
    """An empty network."""
    return Network(monkeypatch)


@asynccontextmanager
async def looking(network: Network, *brokers: BrokerAddress) -> AsyncIterator[None]:
    """A scout at work."""
    task = asyncio.create_task(Scout(network.report, network.waited, brokers).run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})
        assert task.cancelled()


async def test_an_announced_table_is_asked_before_it_is_called_open(network: Network) -> None:
    """First it is only being asked; then the list says what its host says: who sits there, which rules, where."""
    network.brokers[FAR] = (an_offer(1, taken=2),)
    network.announce(found(1, NEAR, FAR))
    async with looking(network):
        (seen,) = await network.until(Host_1=Fit.OPEN)

    assert network.seen[0][0].fit is Fit.CHECKING
    assert (seen.broker, seen.taken, seen.seats, seen.rules) == (FAR, 2, 4, RULES)
    assert seen.people == (Person("Speler 0", bot=False), Person("Speler 1", bot=True))
    assert seen.changes == 0


async def test_each_table_is_called_what_it_is(network: Network) -> None:
    """Full, begun, unreachable, of another version by announcement or by messages: each has its own name."""
    other, silent = BrokerAddress("192.168.1.6"), BrokerAddress("192.168.1.7")
    network.brokers |= {
        NEAR: (an_offer(1), an_offer(2, taken=4), an_offer(8, begun=True)),
        other: LobbyError("lobby/version"),
    }
    network.brokers[silent] = LobbyError("lobby/unreachable")
    network.announce(
        found(1, NEAR), found(2, NEAR), found(3, NEAR), found(4, FAR), found(5, NEAR, version="9"), found(6, other),
        found(7, silent), found(8, NEAR),
    )  # fmt: skip
    async with looking(network):
        seen = await network.until(
            Host_1=Fit.OPEN,
            Host_2=Fit.FULL,
            Host_3=Fit.PLAYING,
            Host_4=Fit.UNREACHABLE,
            Host_5=Fit.VERSION,
            Host_6=Fit.VERSION,
            Host_7=Fit.UNREACHABLE,
            Host_8=Fit.PLAYING,
        )
    versions = {table.title: (table.theirs, table.ours) for table in seen if table.fit is Fit.VERSION}

    assert [table.title for table in seen][:2] == ["Host 1", "Host 2"]
    assert versions == {"Host 5": ("9", "1"), "Host 6": ("", "1")}


async def test_the_list_follows_what_happens(network: Network) -> None:
    """Somebody sits down, the game begins, the host goes away: the list says so without being asked."""
    network.brokers[NEAR] = (an_offer(1),)
    network.announce(found(1, NEAR))
    async with looking(network):
        await network.until(Host_1=Fit.OPEN)
        network.brokers[NEAR] = (an_offer(1, taken=4),)
        (full,) = await network.until(Host_1=Fit.FULL)
        network.brokers[NEAR] = ()
        await network.until(Host_1=Fit.PLAYING)
        network.announce()
        await network.until()

    assert full.taken == 4


async def test_a_broker_used_before_is_looked_at_too(network: Network) -> None:
    """Networks that carry no multicast hide tables; the brokers used last show theirs all the same, once."""
    network.brokers[FAR] = (an_offer(1), an_offer(2))
    network.announce(found(1, FAR))
    async with looking(network, FAR, NEAR):
        seen = await network.until(Host_1=Fit.OPEN, Host_2=Fit.OPEN)
        del network.brokers[FAR]
        await network.until(Host_1=Fit.UNREACHABLE)

    assert {table.broker for table in seen} == {FAR}


async def test_a_sealed_table_is_shown_without_anything(network: Network) -> None:
    """Of a sealed table that answers the list shows that it is there and needs its code, nothing else."""
    network.brokers[NEAR] = ()
    network.announce(replace(found(1, NEAR), name="", taken=0, seats=0, sealed=True))
    async with looking(network):
        (seen,) = await network.until(**{"": Fit.SEALED})

    assert (seen.seats, seen.people, seen.rules, seen.broker) == (0, (), None, NEAR)


async def test_a_doctor_at_work_is_no_table(network: Network) -> None:
    """An announcement without seats is not listed."""
    network.brokers[NEAR] = (an_offer(1),)
    network.announce(replace(found(2, NEAR), seats=0, taken=0), found(1, NEAR))
    async with looking(network):
        await network.until(Host_1=Fit.OPEN)

    assert all(table.title == "Host 1" for tables in network.seen for table in tables)


async def test_waiting_in_vain_is_told_once(network: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the wait without any table the person is told; with one there is nothing to tell."""
    monkeypatch.setattr(module, "PATIENCE", 0.01)
    async with looking(network), asyncio.timeout(PATIENCE):
        await network.told.wait()
    alone = network.waits
    lucky = Scout(network.report, network.waited)
    lucky._shown = (Seen(table="t", title="T", fit=Fit.VERSION),)
    await lucky._patience()

    assert (alone, network.waits) == (1, 1)


def test_brokers_are_remembered_newest_first(tmp_path: Path) -> None:
    """A few of them, each once; what is damaged is left out."""
    profile = Profile(data=tmp_path, logs=tmp_path)
    for number in range(BROKERS + 2):
        remember_broker(profile, BrokerAddress("192.168.1.5", 2000 + number))
    remember_broker(profile, BrokerAddress("192.168.1.5", 2003))
    kept = [broker.port for broker in last_brokers(profile)]
    profile.remember(broker="not an address", brokers="mqtt://192.168.1.9 ftp://x")

    assert kept == [2003, 2005, 2004, 2002]
    assert last_brokers(profile) == (BrokerAddress("192.168.1.9"),)
