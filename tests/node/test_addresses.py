"""Broker addresses as people type them, topic filters, this machine's addresses, and connections that end."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from node.addresses import BrokerAddress, LanAddress, lan_addresses, nearest_first, parse_address, usable
from node.dial import dial, first_reachable
from node.filters import check_filter, check_topic, matches
from node.signals import SignalQueue
from node.transport import Down, Incoming, Lost, Signal, Up
from tests.node.brokers import free_port


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("192.168.1.5", BrokerAddress("192.168.1.5")),
        ("  pi.local:1999 ", BrokerAddress("pi.local", 1999)),
        ("mqtt://pi", BrokerAddress("pi", 1883)),
        ("MQTTS://pi/", BrokerAddress("pi", 8883, tls=True)),
        ("mqtts://pi:1", BrokerAddress("pi", 1, tls=True)),
        ("mqtt://jan:ge%3Aheim@pi:7", BrokerAddress("pi", 7, username="jan", password="ge:heim")),
        ("mqtt://jan@pi", BrokerAddress("pi", username="jan")),
        ("mqtt://jan:@pi", BrokerAddress("pi", username="jan", password="")),
        ("[fe80::1]:1884", BrokerAddress("fe80::1", 1884)),
        ("fe80::1", BrokerAddress("fe80::1")),
        ("mqtt://[::1]", BrokerAddress("::1")),
    ],
)
def test_addresses_are_read_as_people_write_them(text: str, expected: BrokerAddress) -> None:
    """Scheme, user, port are optional; what is printed can be read again."""
    address = parse_address(text)

    assert address == expected
    assert parse_address(address.url()) == address
    assert parse_address(str(address)) == parse_address(str(parse_address(str(address))))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("http://pi", "http://"),
        ("pi:", "port ''"),
        ("pi:0", "port '0'"),
        ("pi:65536", "port '65536'"),
        ("pi:١٢", "port"),
        ("pi:-1", "port '-1'"),
        ("pi:1883/x", "not host"),
        ("pi pi", "not host"),
        ("mqtt://", "no host"),
        ("1.2.3", "not an IPv4"),
        ("1.2.3.256", "not an IPv4"),
        ("[fe80::1", "IPv6"),
        ("[fe80::1]x", "IPv6"),
        ("1:2:3", "not an IPv6"),
        ("-pi", "not a host name"),
        ("p_i!", "not a host name"),
        ("a" * 64, "not a host name"),
    ],
)
def test_what_is_wrong_with_an_address_is_said(text: str, reason: str) -> None:
    """Every bad address is a ValueError with words a person understands."""
    with pytest.raises(ValueError, match=reason.replace("(", ".")):
        parse_address(text)


@given(st.text())
def test_any_text_is_an_address_or_a_value_error(text: str) -> None:
    """Nothing that is typed brings anything but an address that reads back, or ValueError."""
    try:
        address = parse_address(text)
    except ValueError:
        return
    assert parse_address(address.url()) == address


def test_a_password_is_never_shown() -> None:
    """Neither the text nor the repr has it; a password without a user is a mistake."""
    address = BrokerAddress("pi", username="jan", password="geheim")

    assert "geheim" not in f"{address} {address!r} {address.short()}"
    assert "geheim" in address.url()
    with pytest.raises(ValueError, match="user"):
        BrokerAddress("pi", password="geheim")
    with pytest.raises(ValueError, match="port"):
        BrokerAddress("pi", 0)


@pytest.mark.must("T19")
@pytest.mark.parametrize(
    ("interface", "ip", "prefix", "expected"),
    [
        ("eth0", "192.168.1.5", 24, True),
        ("wlan0", "10.0.0.5", 8, True),
        ("en0", "172.16.3.4", 20, True),
        ("Ethernet", "192.168.178.20", 24, True),
        ("br0", "192.168.1.5", 24, True),
        ("lo", "127.0.0.1", 8, False),
        ("eth0", "169.254.7.7", 16, False),
        ("eth0", "8.8.8.8", 24, False),
        ("eth0", "100.64.3.4", 10, False),
        ("eth0", "10.1.2.3", 32, False),
        ("docker0", "172.17.0.1", 16, False),
        ("br-0a1b2c", "172.18.0.1", 16, False),
        ("veth12ab", "10.0.0.1", 24, False),
        ("tun0", "10.8.0.2", 24, False),
        ("utun3", "10.8.0.2", 24, False),
        ("wg0", "10.9.0.2", 24, False),
        ("vEthernet (WSL)", "172.20.0.1", 20, False),
        ("VMware Network Adapter VMnet8", "192.168.44.1", 24, False),
    ],
)
def test_only_home_network_addresses_are_told_to_others(interface: str, ip: str, prefix: int, expected: bool) -> None:
    """Private, routed to neighbours, not a container, tunnel or virtual machine."""
    assert usable(LanAddress(interface, ip, prefix)) is expected


def test_this_machines_addresses_are_usable_ones() -> None:
    """Whatever this machine has, the list keeps its promise and has no doubles."""
    found = lan_addresses()

    assert all(usable(address) for address in found)
    assert len(set(found)) == len(found)


def test_addresses_of_the_own_networks_come_first() -> None:
    """Same subnet and loopback first, otherwise the order given, without doubles."""
    here = (LanAddress("eth0", "192.168.1.9", 24), LanAddress("wlan0", "10.7.0.2", 16))
    hosts = ["172.16.0.1", "192.168.1.5", "192.168.2.5", "10.7.200.1", "172.16.0.1", "127.0.0.1"]

    assert nearest_first(hosts, here) == ("192.168.1.5", "10.7.200.1", "127.0.0.1", "172.16.0.1", "192.168.2.5")
    assert nearest_first([], here) == ()


@pytest.mark.parametrize(
    ("pattern", "topic", "expected"),
    [
        ("a/b", "a/b", True),
        ("a/b", "a/c", False),
        ("a/+", "a/b", True),
        ("a/+", "a", False),
        ("a/+", "a/b/c", False),
        ("a/+/c", "a/b/c", True),
        ("+/+", "/x", True),
        ("/+", "/x", True),
        ("+", "/x", False),
        ("a/#", "a", True),
        ("a/#", "a/b/c", True),
        ("a/#", "ab", False),
        ("#", "anything/at/all", True),
        ("#", "$SYS/x", False),
        ("+/x", "$SYS/x", False),
        ("$SYS/#", "$SYS/x", True),
    ],
)
def test_filters_match_as_mqtt_says(pattern: str, topic: str, expected: bool) -> None:
    """The examples of MQTT 3.1.1 section 4.7 and their neighbours."""
    check_filter(pattern)
    check_topic(topic)

    assert matches(pattern, topic) is expected


def test_topics_have_a_largest_size() -> None:
    """65535 bytes of UTF-8, not one more."""
    check_topic("é" * 32_767)
    check_filter("é" * 32_767)
    with pytest.raises(ValueError, match="topic name"):
        check_topic("é" * 32_768)
    with pytest.raises(ValueError, match="topic filter"):
        check_filter("é" * 32_768)


@asynccontextmanager
async def listening() -> AsyncIterator[BrokerAddress]:
    """A port that accepts and hangs up."""
    server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
    async with server:
        yield BrokerAddress("127.0.0.1", server.sockets[0].getsockname()[1])


@pytest.fixture
def silent() -> Iterator[BrokerAddress]:
    """A port whose queue of connections is full: whoever knocks waits."""
    with ExitStack() as stack:
        server = stack.enter_context(socket.socket())
        server.bind(("127.0.0.1", 0))
        server.listen(0)
        for _ in range(4):
            knocker = stack.enter_context(socket.socket())
            knocker.setblocking(False)
            knocker.connect_ex(server.getsockname())
        yield BrokerAddress("127.0.0.1", server.getsockname()[1])


@pytest.mark.must("T20")
async def test_the_first_address_that_accepts_wins(silent: BrokerAddress) -> None:
    """Dead and silent addresses beside it neither hinder nor delay it."""
    dead = BrokerAddress("127.0.0.1", free_port())
    async with listening() as alive, asyncio.timeout(2):
        assert await first_reachable([dead, silent, alive, alive], 10) == alive
    assert await first_reachable([dead], 1) is None
    assert await first_reachable([], 1) is None
    assert await first_reachable([BrokerAddress("127.0.0.1", dead.port, tls=True), silent], 0.1) is None


async def test_all_addresses_of_a_name_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a name with a dead and a living address the living one is found; one that nobody knows is an OSError."""
    async with listening() as alive:
        places = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", p)) for p in (free_port(), alive.port)]

        async def resolve(host: str, port: int, **_: object) -> list[object]:
            if host == "nobody.invalid":
                raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
            return list(places)

        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", resolve)
        sock = await dial(BrokerAddress("pi.local"), 5)
        assert sock.getpeername()[1] == alive.port
        sock.close()
        with pytest.raises(OSError, match="not known"):
            await dial(BrokerAddress("nobody.invalid"), 5)


def message(number: int, size: int = 1) -> Incoming:
    """A numbered message."""
    return Incoming(f"t/{number}", bytes(size))


async def collect(queue: SignalQueue) -> list[Signal]:
    """All signals up to the end."""
    return [signal async for signal in queue]


async def test_the_queue_keeps_order_and_marks_what_it_drops() -> None:
    """Messages over the bound become one Lost at their place; other signals always fit."""
    queue = SignalQueue(max_messages=2, max_bytes=100)
    for signal in (Up(1), message(1), message(2), message(3), message(4), Down("x"), Up(2), message(5)):
        queue.put(signal)
    queue.close()
    queue.put(message(6))

    assert await collect(queue) == [Up(1), message(1), message(2), Lost("overflow"), Down("x"), Up(2), Lost("overflow")]


async def test_the_queue_is_bounded_in_bytes_and_has_room_again_after_reading() -> None:
    """Few long messages fill it like many short ones; reading makes room."""
    queue = SignalQueue(max_messages=100, max_bytes=100)
    queue.put(message(1, 60))
    queue.put(message(2, 60))
    assert [await anext(queue), await anext(queue)] == [message(1, 60), Lost("overflow")]
    queue.put(message(3, 100))
    queue.put(message(4, 1))
    queue.close()

    assert await collect(queue) == [message(3, 100), Lost("overflow")]


async def test_an_error_ends_the_queue_loudly() -> None:
    """What was queued comes out first, then the error, for everybody who asks."""
    queue = SignalQueue()
    queue.put(Up(1))
    queue.close(RuntimeError("mistake"))
    queue.close()

    assert await anext(queue) == Up(1)
    for _ in range(2):
        with pytest.raises(RuntimeError, match="mistake"):
            await anext(queue)
