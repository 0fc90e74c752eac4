"""Finding tables: what an announcement may hold, on this machine alone, and over networks of namespaces."""

from __future__ import annotations

import asyncio
import base64
import os
import time
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from zeroconf import ServiceStateChange

from node import discovery
from node.addresses import BrokerAddress, LanAddress
from node.discovery import (
    MAX_NAME,
    MAX_TABLES,
    Advert,
    Browser,
    Found,
    announce,
    browse,
    find,
    read_announcement,
)
from tests.node.lan import Lan, lan, line

HOME = (LanAddress("eth0", "192.168.1.9", 24),)
ALONE = ["127.0.0.1"]


def read(advert: Advert, hosts: list[str], **changes: bytes) -> Found | None:
    """What a browser makes of an advert whose TXT record was changed."""
    properties = {key.encode(): value.encode() for key, value in advert.properties().items()}
    properties.update({key.encode(): value for key, value in changes.items()})
    return read_announcement(properties, hosts, advert.port, HOME)


ADVERT = Advert(table="abc234", name="Tafel van Jan", port=1884, taken=2, seats=4)


def test_an_announcement_says_what_the_host_said() -> None:
    """All fields arrive; the addresses come nearest first."""
    found = read(ADVERT, ["10.9.9.9", "192.168.1.5"])

    assert found == Found(
        table="abc234",
        name="Tafel van Jan",
        taken=2,
        seats=4,
        version="1",
        addresses=(BrokerAddress("192.168.1.5", 1884), BrokerAddress("10.9.9.9", 1884)),
    )
    assert sum(len(key) + len(value) + 2 for key, value in ADVERT.properties().items()) < 400


@pytest.mark.must("T18")
def test_names_cannot_write_on_other_peoples_screens() -> None:
    """Control characters, escape sequences and endless names are taken out, at both ends."""
    rude = "\x1b[2JJan\r\n\u202e\u200b" + "x" * 500
    found = read(ADVERT, ["10.0.0.1"], n=rude.encode())

    assert Advert(table="a", name=rude, port=1).properties()["n"] == "[2JJan" + "x" * (MAX_NAME - 6)
    assert found is not None
    assert found.name == "[2JJan" + "x" * (MAX_NAME - 6)


@pytest.mark.must("T18")
@pytest.mark.parametrize(
    "changes", [{"t": b""}, {"t": b"ABC"}, {"t": b"a" * 53}, {"t": b"a/b"}, {"t": b"\xff"}, {"v": b""}]
)
def test_what_is_no_table_is_ignored(changes: dict[str, bytes]) -> None:
    """An announcement without a proper table id or version is not ours."""
    assert read(ADVERT, ["10.0.0.1"], **changes) is None


def test_an_announcement_without_a_place_is_ignored() -> None:
    """No address or no port: nothing to connect to."""
    properties: dict[bytes, bytes | None] = {b"t": b"abc", b"v": b"1"}

    assert read_announcement(properties, [], 1883, HOME) is None
    assert read_announcement(properties, ["10.0.0.1"], None, HOME) is None
    assert read_announcement(properties, ["10.0.0.1"], 0, HOME) is None


@pytest.mark.must("T17")
def test_odd_details_do_not_hide_a_table() -> None:
    """Another version or senseless seats are shown as such: the signed announcement decides."""
    found = read(ADVERT, ["10.0.0.1"], v=b"2", s=b"9999/x", tls=b"1")

    assert found is not None
    assert (found.version, found.taken, found.seats) == ("2", 0, 0)
    assert found.addresses == (BrokerAddress("10.0.0.1", 1884, tls=True),)


@given(
    properties=st.dictionaries(
        st.sampled_from([b"v", b"t", b"n", b"s", b"tls", b"x"]), st.one_of(st.none(), st.binary(max_size=80))
    ),
    port=st.one_of(st.none(), st.integers(0, 65_535)),
)
def test_any_record_is_a_table_or_nothing(properties: dict[bytes, bytes | None], port: int | None) -> None:
    """Whatever the network says, there is a Found with printable texts, or None."""
    found = read_announcement(properties, ["10.0.0.1"], port, HOME)

    if found is not None:
        assert found.name.isprintable()
        assert found.version.isprintable()
        assert len(found.name) <= MAX_NAME
        assert 0 <= found.taken <= 99
        assert found.addresses[0].port == port


@pytest.mark.parametrize(
    "changes",
    [{"table": "ABC"}, {"table": ""}, {"port": 0}, {"port": 65_536}, {"taken": 5}, {"seats": 100}, {"taken": -1}],
)
def test_a_host_cannot_announce_nonsense(changes: dict[str, object]) -> None:
    """Bad values are the caller's mistakes."""
    values: dict[str, object] = {"table": "abc", "name": "x", "port": 1, "taken": 1, "seats": 4, **changes}
    with pytest.raises(ValueError, match=r"table id|out of range"):
        Advert(**values)  # type: ignore[arg-type]


def own(prefix: str) -> str:
    """A table id of this test run: other programs on this machine may announce tables meanwhile."""
    return prefix + base64.b32encode(os.getpid().to_bytes(5, "big")).decode().lower()


async def until(browser: Browser, table: str, wanted: Callable[[Found | None], bool]) -> Found | None:
    """The entry of a table (None: not listed) as soon as it is as wanted."""
    async with asyncio.timeout(10):
        async for tables in browser:
            found = next((each for each in tables if each.table == table), None)
            if wanted(found):
                return found
    raise AssertionError("a browser does not end")


async def test_a_table_is_found_updated_and_gone_on_this_machine_alone() -> None:
    """On the loopback interface: it appears, changes, is found at once by a newcomer, and disappears on closing."""
    table = own("hier")
    advert = Advert(table=table, name="Hier", port=4321, taken=1, seats=4)
    async with Browser(interfaces=ALONE) as browser:
        assert await until(browser, table, lambda _: True) is None
        async with announce(advert, interfaces=ALONE) as announcement:
            found = await until(browser, table, lambda each: each is not None)
            assert found is not None
            assert (found.name, found.taken, found.seats, found.version) == ("Hier", 1, 4, "1")
            assert found.addresses == (BrokerAddress("127.0.0.1", 4321),)
            await announcement.registered()
            announcement.update(taken=2)
            assert await until(browser, table, lambda each: each is not None and each.taken == 2) is not None
            started = time.monotonic()
            assert await find(lambda each: each.table == table, 5, interfaces=ALONE) is not None
            assert time.monotonic() - started < 2
        assert await until(browser, table, lambda each: each is None) is None
    assert await find(lambda each: each.table == table, 0.3, interfaces=ALONE) is None


async def test_several_tables_of_one_machine_are_told_apart() -> None:
    """Two hosts on one machine, two tables of one name: both are listed, by name and id."""
    tables = [own("twee"), own("zwei")]
    adverts = [Advert(table=table, name="Zelfde", port=4000 + n) for n, table in enumerate(tables)]
    async with (
        announce(adverts[0], interfaces=ALONE) as first,
        announce(adverts[1], interfaces=ALONE) as second,
    ):
        await first.registered()
        await second.registered()
        found = await browse(3.0, interfaces=ALONE)  # what was announced just now is not repeated within a second

    assert [(each.table, each.addresses[0].port) for each in found if each.table in tables] == [
        (tables[0], 4000),
        (tables[1], 4001),
    ]


async def test_a_table_elsewhere_can_be_announced() -> None:
    """With a broker of its own the host announces the broker's address instead of its own."""
    advert = Advert(table=own("elders"), name="Elders", port=1883, hosts=("10.1.2.3",))
    async with announce(advert, interfaces=ALONE):
        found = await find(lambda each: each.table == advert.table, 5, interfaces=ALONE)

    assert found is not None
    assert found.addresses == (BrokerAddress("10.1.2.3", 1883),)


async def test_a_machine_without_any_network_plays_on() -> None:
    """No interface that speaks multicast: announcing and looking do nothing, and do not fail."""
    nowhere = ["203.0.113.77"]  # not an address of this machine
    async with announce(Advert(table="abc", name="x", port=1), interfaces=nowhere) as announcement:
        assert await browse(0.05, interfaces=nowhere) == []
        assert announcement.interfaces == ()


async def test_an_interface_that_fails_does_not_spoil_the_others() -> None:
    """Of a good and a bad address the good one is used."""
    async with announce(Advert(table="abc", name="x", port=1), interfaces=["203.0.113.77", *ALONE]) as announcement:
        await announcement.registered()
        assert announcement.interfaces == ("127.0.0.1",)


async def test_somebody_who_keeps_the_port_for_himself_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the multicast port cannot be shared the table is simply not announced."""

    def taken(**_: object) -> None:
        raise OSError("Address already in use")

    monkeypatch.setattr(discovery, "AsyncZeroconf", taken)
    async with announce(Advert(table="abc", name="x", port=1), interfaces=ALONE) as announcement:
        assert await browse(0.05, interfaces=ALONE) == []
        assert announcement.interfaces == ()


@pytest.mark.must("T20")
async def test_a_flood_of_announcements_is_bounded() -> None:
    """Thousands of names cost a bounded number of look-ups."""
    async with Browser(interfaces=ALONE) as browser:
        assert browser._zeroconf is not None
        for number in range(1_000):
            browser._noticed(
                browser._zeroconf.zeroconf,
                discovery.SERVICE,
                f"x{number}.{discovery.SERVICE}",
                ServiceStateChange.Added,
            )
        assert len(browser._tasks) == MAX_TABLES
    assert all(task.done() for task in browser._tasks.values())


@pytest.fixture(scope="module")
def home() -> Iterator[Lan]:
    """A home network of three machines."""
    yield from lan(3)


@pytest.mark.needs_root
def test_a_table_on_the_network_is_found_and_joined(home: Lan) -> None:
    """From nothing to hearing oneself over the host's broker in a moment, without a default route."""
    with home.running(1, "host", "thuis", "Thuis") as host:
        assert line(host) == {"port": 1883, "interfaces": ["10.77.0.1"]}
        where, seconds = home.ask(2, "join", "thuis", "5")
        assert where == "10.77.0.1:1883"
        assert seconds < 3
        assert home.ask(3, "browse", "1") == [["thuis", "Thuis", 1, 4, ["10.77.0.1:1883"]]]
        # the host's own machine finds it too
        assert home.ask(1, "join", "thuis", "5")[0] == "10.77.0.1:1883"


@pytest.mark.needs_root
def test_the_live_list_follows_hosts_that_come_and_go(home: Lan) -> None:
    """A running browser shows a new table within seconds and drops it when its host closes properly."""
    with home.running(2, "watch") as watch:
        assert line(watch) == []
        with home.running(1, "host", "eerste") as host:
            line(host)
            assert [table[0] for table in line(watch)] == ["eerste"]
        assert line(watch) == []


@pytest.mark.needs_root
def test_an_isolating_access_point_hides_tables_until_it_stops(home: Lan) -> None:
    """Nothing is found through client isolation, and nothing hangs; afterwards it works."""
    with home.running(1, "host", "apart") as host:
        line(host)
        home.isolate(2, on=True)
        try:
            assert home.ask(2, "browse", "0.5") == []
        finally:
            home.isolate(2, on=False)
        assert home.ask(2, "join", "apart", "5")[0] == "10.77.0.1:1883"


@pytest.mark.needs_root
def test_container_and_dead_interfaces_are_not_told(home: Lan) -> None:
    """Only addresses that the neighbours can reach are announced."""
    home.extra(3, "docker0", "172.17.0.1/16", up=True)
    home.extra(3, "tun0", "10.8.0.2/24", up=True)
    home.extra(3, "eth1", "192.168.7.1/24", up=False)
    try:
        assert home.ask(3, "addresses") == ["10.77.0.3"]
        with home.running(3, "host", "schoon") as host:
            line(host)
            assert home.ask(2, "browse", "0.7")[0][4] == ["10.77.0.3:1883"]
    finally:
        for interface in ("docker0", "tun0", "eth1"):
            home.remove(3, interface)


@pytest.mark.needs_root
def test_a_host_with_two_networks_is_found_on_both(home: Lan) -> None:
    """All addresses are announced, and the one in the seeker's own network comes first."""
    home.extra(3, "eth2", "10.5.0.3/16", up=True)
    try:
        with home.running(3, "host", "dubbel") as host:
            assert sorted(line(host)["interfaces"]) == ["10.5.0.3", "10.77.0.3"]
            ((_, _, _, _, addresses),) = home.ask(2, "browse", "0.7")
            assert addresses == ["10.77.0.3:1883", "10.5.0.3:1883"]
    finally:
        home.remove(3, "eth2")


@pytest.mark.needs_root
def test_tables_of_one_name_on_two_networks_are_both_listed_and_joined(home: Lan) -> None:
    """Who is in two networks sees the table of each, also of one name, and reaches each in its own network."""
    home.cable(2, 3, "10.88.0")
    home.plug(3, on=False)
    try:
        with home.running(1, "host", "beneden", "Oma") as one, home.running(3, "host", "boven", "Oma") as other:
            line(one)
            line(other)
            listed = home.ask(2, "browse", "1")
            joined = [home.ask(2, "join", table, "5")[0] for table in ("beneden", "boven")]
    finally:
        home.plug(3, on=True)
        home.remove(2, "cab2")

    assert sorted(table[:2] for table in listed) == [["beneden", "Oma"], ["boven", "Oma"]]
    assert joined == ["10.77.0.1:1883", "10.88.0.3:1883"]


@pytest.mark.needs_root
def test_where_only_one_side_sees_the_other_both_can_join(home: Lan) -> None:
    """A machine that hears no multicast is answered directly and joins; its own table is seen and joined by others."""
    home.deafen(2, on=True)
    try:
        with home.running(1, "host", "hoorbaar") as host:
            line(host)
            assert home.ask(2, "join", "hoorbaar", "5")[0] == "10.77.0.1:1883"
        with home.running(3, "watch") as watch:
            assert line(watch) == []
            with home.running(2, "host", "doof") as host:
                line(host)
                ((table, _, _, _, addresses),) = line(watch)
                assert (table, addresses) == ("doof", ["10.77.0.2:1883"])
                assert home.ask(3, "reach", addresses[0]) == "10.77.0.2:1883"
    finally:
        home.deafen(2, on=False)


@pytest.mark.needs_root
def test_without_a_network_the_machine_finds_its_own_table(home: Lan) -> None:
    """The loopback interface alone is enough for two programs on one machine."""
    home.plug(3, on=False)
    try:
        assert home.ask(3, "addresses") == []
        with home.running(3, "host", "alleen") as host:
            assert line(host)["interfaces"] == ["127.0.0.1"]
            assert home.ask(3, "join", "alleen", "5")[0] == "127.0.0.1:1883"
    finally:
        home.plug(3, on=True)
