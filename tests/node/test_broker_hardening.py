"""What amqtt alone gets wrong and our wrapper gets right, each fault by its own test; and rude clients.

The wrapper hooks into private parts of amqtt: these tests are what a new version of it must pass.
"""

from __future__ import annotations

import asyncio
import logging
import random
import struct
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress

import pytest

from node import broker_child
from node.broker_child import MAX_PACKET, MAX_PER_ADDRESS, MAX_RETAINED, MAX_SUBSCRIPTIONS, HardenedBroker
from tests.node.brokers import Embedded, RawClient, connect_packet, packet, text, unique

DISCONNECT = packet(14)


@pytest.fixture(scope="module")
def child() -> Iterator[int]:
    """The port of a broker in its own process, as it is used."""
    broker = Embedded()
    yield broker.start()
    broker.stop()


@pytest.fixture
async def inside(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[int]:
    """The port of a broker in this process, with short patience."""
    monkeypatch.setattr(broker_child, "FIRST_PACKET_SECONDS", 0.3)
    monkeypatch.setattr(broker_child, "STALLED_SECONDS", 0.3)
    broker = HardenedBroker()
    await broker.start()
    server = await asyncio.start_server(broker.accept, "127.0.0.1", 0)
    yield server.sockets[0].getsockname()[1]
    server.close()
    async with asyncio.timeout(5):
        await broker.shutdown()
        await server.wait_closed()


async def test_b1_retained_messages_go_to_their_subscribers_only(child: int) -> None:
    """A client that subscribes to nothing gets nothing; one that subscribes gets each retained message once."""
    async with (
        await RawClient.connected(child, connect_packet(b"b1host")) as host,
        await RawClient.connected(child, connect_packet(b"b1other")) as other,
        await RawClient.connected(child, connect_packet(b"b1quiet")) as quiet,
    ):
        assert await other.subscribe(b"b1/#") == 0
        await host.publish(b"b1/lobby", b"table", retain=True)
        assert await other.hears(b"b1/lobby", b"table")
        await quiet.ping()
        async with await RawClient.connected(child, connect_packet(b"b1new")) as newcomer:
            await newcomer.ping()
            assert await newcomer.subscribe(b"b1/lobby") == 0
            message = await newcomer.read()
            assert message == (3, text(b"b1/lobby") + b"table")
            await newcomer.ping()
        await host.publish(b"b1/lobby", b"", retain=True)


async def test_b2_a_silent_client_is_dropped_and_its_will_sent(child: int) -> None:
    """Without a ping for one and a half keepalives the will goes out; a client that pings stays."""
    async with (
        await RawClient.connected(child, connect_packet(b"b2watch")) as watch,
        await RawClient.connected(child, connect_packet(b"b2alive", keepalive=1)) as alive,
    ):
        assert await watch.subscribe(b"b2") == 0
        will = (b"b2", b"silent")
        async with await RawClient.connected(child, connect_packet(b"b2silent", keepalive=1, will=will)) as silent:
            started = asyncio.get_running_loop().time()
            news = asyncio.create_task(watch.hears(b"b2", b"silent"))
            while not news.done():
                await alive.ping()
                await asyncio.wait({news}, timeout=0.4)
            assert news.result()
            assert 1.0 < asyncio.get_running_loop().time() - started < 4.0
            assert await silent.read() is None
        await alive.ping()


async def test_b2_no_keepalive_is_a_long_one() -> None:
    """A client that asks for keepalive 0 is not allowed to stay for ever."""
    assert broker_child.DEFAULT_KEEPALIVE * 1.5 == 90
    assert broker_child.MAX_KEEPALIVE >= broker_child.DEFAULT_KEEPALIVE


async def test_b3_whoever_holds_a_client_id_keeps_it(child: int) -> None:
    """A second CONNECT with the id in use is refused and does the holder no harm; afterwards the id is free."""
    async with await RawClient.connected(child, connect_packet(b"b3")) as holder:
        assert await holder.subscribe(b"b3") == 0
        for clean in (True, False):
            async with await RawClient.dial(child) as thief:
                thief.send(connect_packet(b"b3", clean=clean))
                assert await thief.read() == (2, b"\x00\x02")
                assert await thief.read() is None
        async with await RawClient.connected(child, connect_packet(b"b3sender")) as sender:
            await sender.publish(b"b3", b"still here")
        assert await holder.hears(b"b3", b"still here")
        holder.send(DISCONNECT)
        assert await holder.read() is None
    async with await RawClient.connected(child, connect_packet(b"b3")) as heir:
        await heir.ping()


async def test_b3_a_race_for_an_id_has_one_winner(child: int) -> None:
    """Of twenty simultaneous CONNECTs with one id one is accepted, and the id is usable afterwards."""
    clients = [await RawClient.dial(child) for _ in range(20)]
    for client in clients:
        client.send(connect_packet(b"b3race"))
    answers = [await client.read() for client in clients]
    assert answers.count((2, b"\x00\x00")) == 1
    for client in clients:
        await client.close()
    async with asyncio.timeout(5):
        while True:
            async with await RawClient.dial(child) as late:
                late.send(connect_packet(b"b3race"))
                if await late.read() == (2, b"\x00\x00"):
                    break


async def test_b4_a_persistent_session_is_answered_honestly(child: int) -> None:
    """A client that wants its session kept is told each time that there is none, and hears what it subscribes to."""
    name = unique(b"b4")
    for _ in range(2):
        async with await RawClient.connected(child, connect_packet(name, clean=False)) as client:
            assert await client.subscribe(b"b4") == 0
            await client.publish(b"b4", b"heard")
            assert await client.hears(b"b4", b"heard")
            client.send(DISCONNECT)
            assert await client.read() is None


@pytest.mark.parametrize("size", [MAX_PACKET + 1, 16_000_000, 268_435_455])
async def test_b6_an_oversize_packet_ends_the_connection_at_its_length(child: int, size: int) -> None:
    """The length is enough: no byte of the body is waited for, and the will goes out."""
    will = (b"b6", b"%d" % size)
    async with (
        await RawClient.connected(child, connect_packet(unique(b"b6watch"))) as watch,
        await RawClient.connected(child, connect_packet(unique(b"b6big"), will=will)) as big,
    ):
        assert await watch.subscribe(b"b6") == 0
        big.send(packet(3, bytes(size))[:5] if size < 1_000_000 else b"\x30" + _length(size))
        assert await big.read() is None
        assert await watch.hears(*will)


async def test_b6_the_largest_message_passes(child: int) -> None:
    """256 KiB and its topic are within the limit."""
    async with await RawClient.connected(child, connect_packet(b"b6fits")) as client:
        assert await client.subscribe(b"b6fits") == 0
        await client.publish(b"b6fits", bytes(262_144))
        assert await client.hears(b"b6fits", bytes(262_144))


async def test_b6_one_address_gets_a_limited_number_of_connections(child: int) -> None:
    """The connections over the limit are closed, those within it work, and closing makes room."""
    clients = [
        await RawClient.connected(child, connect_packet(b"many%d" % number)) for number in range(MAX_PER_ADDRESS)
    ]
    async with await RawClient.dial(child) as extra:
        extra.send(connect_packet(b"extra"))
        assert await extra.read() is None
    await clients[0].ping()
    for client in clients:
        client.send(DISCONNECT)
        assert await client.read() is None
        await client.close()
    async with await RawClient.connected(child, connect_packet(b"extra")) as extra:
        await extra.ping()


@pytest.mark.parametrize(
    "rude",
    [
        b"\xc0\x00",  # PINGREQ before CONNECT
        b"GET / HTTP/1.1\r\n\r\n",
        b"\x10\xff\xff\xff\xff\x7f",  # a length of five bytes
        packet(1, text(b"MQTT") + b"\x05\x02\x00\x3c" + text(b"five")),  # MQTT 5
        packet(1, text(b"MQTT") + b"\x04\x02\x00\x3c" + struct.pack(">H", 500) + b"short"),  # over its end
        packet(1, b""),
    ],
)
async def test_b6_whoever_does_not_begin_with_connect_is_shown_out(child: int, rude: bytes) -> None:
    """Anything but an acceptable CONNECT ends the connection without a session."""
    async with await RawClient.dial(child) as client:
        client.send(rude)
        answer = await client.read()
        assert answer is None or answer == (2, b"\x00\x01")
        if answer is not None:
            assert await client.read() is None


@pytest.mark.parametrize(
    "rude",
    [
        connect_packet(b"again"),
        b"\x00\x00",
        b"\xf0\x00",
        b"\x30\xff\xff\xff\xff",
        packet(3, text(b"a/+") + b"wildcard"),
        packet(3, text(b"$SYS/x") + b"forbidden"),
        packet(3, struct.pack(">H", 900) + b"short"),
        packet(3, text(b"\xff\xfe") + b"not text"),
        packet(3, text(b"qos/3") + b"\x00\x01", 6),
        packet(3, b""),
        packet(8, b"", 2),
    ],
)
async def test_b6_garbage_after_connect_ends_the_session_with_its_will(child: int, rude: bytes) -> None:
    """A client that breaks the protocol is gone: socket closed, will sent, identity free."""
    async with await RawClient.connected(child, connect_packet(unique(b"g-watch"))) as watch:
        assert await watch.subscribe(b"g") == 0
        name = unique(b"g-rude")
        async with await RawClient.connected(child, connect_packet(name, will=(b"g", b"broken"))) as client:
            client.send(rude)
            assert await client.read() is None
        assert await watch.hears(b"g", b"broken")
        async with asyncio.timeout(5):
            while True:
                async with await RawClient.dial(child) as again:
                    again.send(connect_packet(name))
                    if await again.read() == (2, b"\x00\x00"):
                        break


async def test_b8_a_goodbye_right_after_connect_brings_no_will(child: int) -> None:
    """With twenty retained messages about, twenty clients that come and go at once leave no will behind."""
    async with await RawClient.connected(child, connect_packet(b"b8watch")) as watch:
        assert await watch.subscribe(b"b8/will") == 0
        for number in range(20):
            await watch.publish(b"b8/kept/%d" % number, b"x", retain=True)
        for number in range(20):
            async with await RawClient.dial(child) as brief:
                brief.send(connect_packet(b"b8-%d" % number, will=(b"b8/will", b"false")) + DISCONNECT)
                assert await brief.read() == (2, b"\x00\x00")
                assert await brief.read() is None
        for number in range(20):
            await watch.publish(b"b8/kept/%d" % number, b"", retain=True)
        await watch.ping()


async def test_a_reset_right_after_connect_brings_the_will(child: int) -> None:
    """The other side of the coin: without DISCONNECT the will is sent, every time."""
    async with await RawClient.connected(child, connect_packet(b"w-watch")) as watch:
        assert await watch.subscribe(b"w") == 0
        for number in range(10):
            client = await RawClient.connected(child, connect_packet(b"w%d" % number, will=(b"w", b"%d" % number)))
            client.reset()
            assert await watch.hears(b"w", b"%d" % number)


async def test_filters_of_one_client_are_limited(child: int) -> None:
    """The filter over the limit is refused with 128; those before it work."""
    async with await RawClient.connected(child, connect_packet(b"filters")) as client:
        for number in range(MAX_SUBSCRIPTIONS):
            assert await client.subscribe(b"filters/%d" % number) == 0
        assert await client.subscribe(b"filters/more") == 0x80
        await client.publish(b"filters/0", b"x")
        assert await client.hears(b"filters/0", b"x")


async def test_retained_messages_are_limited(inside: int) -> None:
    """Over the limit a message is delivered but not kept; clearing one makes room."""
    async with await RawClient.connected(inside, connect_packet(b"keeper")) as client:
        for number in range(MAX_RETAINED):
            await client.publish(b"k/%d" % number, b"x", retain=True)
        assert await client.subscribe(b"more/+") == 0
        await client.publish(b"more/1", b"delivered", retain=True)
        assert await client.hears(b"more/1", b"delivered")
        await client.publish(b"k/0", b"", retain=True)
        await client.publish(b"more/2", b"kept", retain=True)
        assert await client.hears(b"more/2", b"kept")
        async with await RawClient.connected(inside, connect_packet(b"late")) as late:
            assert await late.subscribe(b"more/+") == 0
            assert await late.hears(b"more/2", b"kept")
            await late.ping()


async def test_a_slow_connect_is_not_waited_for(inside: int) -> None:
    """Half-open connections, and those that send a byte now and then, are closed after the time for a CONNECT."""
    async with await RawClient.dial(inside) as silent, await RawClient.dial(inside) as dripping:
        drip = iter(connect_packet(b"drip"))
        ended = asyncio.create_task(dripping.read())
        while not ended.done():
            dripping.send(bytes([next(drip)]))
            await asyncio.wait({ended}, timeout=0.05)
        assert ended.result() is None
        assert await silent.read() is None


async def test_a_client_that_takes_nothing_is_dropped(inside: int) -> None:
    """A reader that does not read while messages come is disconnected instead of keeping them in memory."""
    lazy = await RawClient.connected(inside, connect_packet(b"lazy", will=(b"lazy/will", b"")))
    assert await lazy.subscribe(b"lazy") == 0
    lazy._reader._transport.pause_reading()  # type: ignore[attr-defined]
    async with (
        await RawClient.connected(inside, connect_packet(b"l-watch")) as watch,
        await RawClient.connected(inside, connect_packet(b"l-busy")) as busy,
    ):
        assert await watch.subscribe(b"lazy/will") == 0
        gone = asyncio.create_task(watch.hears(b"lazy/will", b""))
        async with asyncio.timeout(20):
            while not gone.done():
                await busy.publish(b"lazy", bytes(250_000))
                await asyncio.wait({gone}, timeout=0.005)
        assert gone.result()
    lazy.reset()


async def test_a_flood_holds_up_the_flooder_and_not_the_table(child: int) -> None:
    """One client publishes as fast as it can; another one's messages still arrive in a moment."""
    async with (
        await RawClient.connected(child, connect_packet(b"flooder")) as flooder,
        await RawClient.connected(child, connect_packet(b"victim")) as victim,
    ):
        assert await victim.subscribe(b"calm") == 0
        flooder.send(packet(3, text(b"flood") + b"x") * 20_000 + packet(12))
        slowest = 0.0
        for number in range(20):
            started = asyncio.get_running_loop().time()
            await victim.publish(b"calm", b"%d" % number)
            assert await victim.hears(b"calm", b"%d" % number)
            slowest = max(slowest, asyncio.get_running_loop().time() - started)
        assert slowest < 2.0
        with pytest.raises(TimeoutError):
            await flooder.read(0.1)
        flooder.reset()


async def test_the_log_of_a_run_is_bounded() -> None:
    """After its number of lines the log says no more, however many rude clients come."""
    lines = broker_child._FirstLines()
    record = logging.LogRecord("amqtt", logging.WARNING, "", 0, "rude", None, None)

    assert sum(lines.filter(record) for _ in range(6_000)) == broker_child.MAX_LOGGED


async def test_random_and_spoiled_packets_do_not_stop_the_broker(child: int) -> None:
    """Hundreds of connections of random bytes and of packets with flipped bytes; a table plays on meanwhile."""
    chance = random.Random(5)
    good = [
        connect_packet(b"fz", will=(b"fz", b"w")),
        packet(8, b"\x00\x01" + text(b"fz/+") + b"\x01", 2),
        packet(3, text(b"fz/1") + b"\x00\x02" + bytes(50), 3),
        packet(10, b"\x00\x03" + text(b"fz/+"), 2),
        packet(4, b"\x00\x07"),
        packet(6, b"\x00\x07", 2),
    ]
    async with await RawClient.connected(child, connect_packet(b"player")) as player:
        assert await player.subscribe(b"game") == 0
        for number in range(300):
            data = bytearray(b"".join(good))
            for _ in range(chance.randrange(1, 6)):
                data[chance.randrange(len(data))] = chance.randrange(256)
            if number % 3 == 0:
                data = bytearray(chance.randbytes(chance.randrange(1, 300)))
            async with await RawClient.dial(child) as rude:
                rude.send(bytes(data[: chance.randrange(1, len(data) + 1)]))
                with suppress(TimeoutError):
                    await rude.read(0.005)
            if number % 50 == 0:
                await player.publish(b"game", b"%d" % number)
                assert await player.hears(b"game", b"%d" % number)
        await player.ping()


def _length(size: int) -> bytes:
    return bytes([size & 0x7F | 0x80, size >> 7 & 0x7F | 0x80, size >> 14 & 0x7F | 0x80, size >> 21 & 0x7F])
