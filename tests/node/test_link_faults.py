"""The MQTT link under network trouble, with the embedded broker and with mosquitto.

The sender goes through the fault proxy, the receiver is connected directly: then a reliable message may be doubled
but not lost. When the receiver's side breaks too, only the peers can repair it (`Up` tells them to).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from node.link import LinkOptions, MqttLink
from node.transport import Down, Incoming, Signal, Up
from tests.node.brokers import SERIOUS, Broker, at, running
from tests.proxy import FaultProxy

OPTIONS = LinkOptions(backoff_first=0.05, backoff_most=0.1, timeout=2.0)


@pytest.fixture(params=SERIOUS, scope="module")
def broker(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """One broker of each kind for all tests of this file."""
    with running(request.param, tmp_path_factory.mktemp(request.param)) as started:
        yield started


@pytest.fixture(autouse=True)
async def no_noise() -> AsyncIterator[None]:
    """Nothing may reach the loop's exception handler."""
    noise: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: noise.append(context))
    yield
    await asyncio.sleep(0)
    assert noise == []


class Pair:
    """A sender behind a proxy, a receiver, and what arrived."""

    def __init__(self, sender: MqttLink, receiver: MqttLink, proxy: FaultProxy, topic: str) -> None:
        self.sender = sender
        self.receiver = receiver
        self.proxy = proxy
        self.topic = topic
        self.arrived: Counter[bytes] = Counter()
        self.signals: list[Signal] = []
        self.sent = 0

    def send(self, count: int, size: int = 200) -> None:
        """Send messages with consecutive numbers."""
        for _ in range(count):
            self.sender.send(self.topic, b"%06d" % self.sent + bytes(size))
            self.sent += 1

    async def sender_sees(self, wanted: Callable[[Signal], bool]) -> Signal:
        """The sender's next signal of a kind."""
        async with asyncio.timeout(20):
            async for signal in self.sender.signals():
                self.signals.append(signal)
                if wanted(signal):
                    return signal
        raise AssertionError("the signals ended")

    async def all_arrive(self) -> None:
        """Wait until everything sent has arrived, and check that nothing else did."""
        async with asyncio.timeout(30):
            while len(self.arrived) < self.sent:
                signal = await anext(self.receiver.signals())
                if isinstance(signal, Incoming):
                    self.arrived[signal.payload[:6]] += 1
        assert sorted(self.arrived) == [b"%06d" % number for number in range(self.sent)]

    @property
    def doubled(self) -> int:
        """Messages that arrived more often than once, counted each time."""
        return self.arrived.total() - len(self.arrived)


@asynccontextmanager
async def pair(broker: Broker, topic: str, options: LinkOptions = OPTIONS) -> AsyncIterator[Pair]:
    """A connected pair."""
    async with (
        FaultProxy(broker.port) as proxy,
        MqttLink(at(broker.port), subscriptions=[topic], options=OPTIONS) as receiver,
        MqttLink(at(proxy.port), options=options) as sender,
    ):
        made = Pair(sender, receiver, proxy, topic)
        assert await receiver.flush(5)
        await made.sender_sees(is_up)
        yield made


def is_up(signal: Signal) -> bool:
    """Whether a signal is Up."""
    return isinstance(signal, Up)


def is_down(signal: Signal) -> bool:
    """Whether a signal is Down."""
    return isinstance(signal, Down)


@pytest.mark.must("T6")
async def test_a_reset_connection_loses_nothing(broker: Broker) -> None:
    """RST in the middle of a burst: the rest follows on a new connection, with at most one window doubled."""
    async with pair(broker, "f/reset") as both:
        both.send(100)
        await asyncio.sleep(0)
        both.proxy.cut()
        both.send(100)
        await both.sender_sees(is_down)
        assert await both.sender_sees(is_up) == Up(2)
        await both.all_arrive()

        assert both.doubled <= OPTIONS.window


async def test_a_polite_close_loses_nothing(broker: Broker) -> None:
    """The same when the connection ends by FIN."""
    async with pair(broker, "f/close") as both:
        both.send(50)
        both.proxy.cut(rst=False)
        both.send(50)
        assert await both.sender_sees(is_up) == Up(2)
        await both.all_arrive()

        assert both.doubled <= OPTIONS.window


async def test_a_short_partition_is_only_a_pause(broker: Broker) -> None:
    """No byte passes for a while, but TCP lives: no reconnect, nothing lost, nothing doubled."""
    async with pair(broker, "f/hold") as both:
        both.proxy.hold()
        both.send(200)
        assert not await both.sender.flush(0.3)
        both.proxy.heal()
        await both.all_arrive()

        assert both.doubled == 0
        assert both.proxy.accepted == 1
        assert both.sender.connected


@pytest.mark.must("T3")
async def test_a_long_partition_ends_in_a_new_connection(broker: Broker) -> None:
    """When nothing is acknowledged for too long the link gives the connection up and starts again."""
    options = LinkOptions(backoff_first=0.05, backoff_most=0.1, timeout=0.3, stall=0.4)
    async with pair(broker, "f/stall", options) as both:
        both.proxy.hold()
        both.send(20)
        down = await both.sender_sees(is_down)
        assert isinstance(down, Down)
        assert "acknowledges nothing" in down.reason
        both.proxy.heal()
        await both.sender_sees(is_up)
        await both.all_arrive()

        assert both.doubled <= options.window


async def test_a_refusing_broker_is_tried_until_it_accepts(broker: Broker) -> None:
    """While every attempt is reset messages wait; once accepted they arrive, in their order."""
    async with pair(broker, "f/refuse") as both:
        both.proxy.refuse = True
        both.proxy.cut()
        await both.sender_sees(is_down)
        before = both.proxy.accepted
        both.send(30)
        async with asyncio.timeout(5):
            while both.proxy.accepted < before + 3:
                await both.sender.flush(0.02)
        assert not both.sender.connected
        both.proxy.refuse = False
        await both.sender_sees(is_up)
        await both.all_arrive()

        assert list(both.arrived) == sorted(both.arrived)
        assert both.doubled == 0


async def test_a_slow_link_carries_long_messages(broker: Broker) -> None:
    """Delay, jitter and 400 kB/s: three proofs of 60 kB and heartbeats arrive on one connection."""
    async with pair(broker, "f/slow") as both:
        both.proxy.delay, both.proxy.jitter, both.proxy.rate = 0.02, 0.02, 400_000
        both.send(3, size=60_000)
        for _ in range(5):
            both.sender.send("f/slow/beat", b"beat", reliable=False)
        await both.all_arrive()

        assert both.doubled == 0
        assert both.proxy.accepted == 1


async def test_a_connection_that_breaks_again_and_again_gets_everything_through(broker: Broker) -> None:
    """Each connection dies after 3 kB; progress is made on each, and all arrives."""
    async with pair(broker, "f/cuts") as both:
        both.proxy.cut_after = 3_000
        both.send(60)
        async with asyncio.timeout(20):
            while both.proxy.cuts < 6:
                both.send(1)
                await both.sender.flush(0.05)
        both.proxy.cut_after = None
        await both.all_arrive()

        assert both.doubled <= OPTIONS.window * (both.proxy.cuts + 1)


async def test_a_message_in_chunks_survives_a_cut_in_its_middle(broker: Broker) -> None:
    """The chunks that had arrived and those sent again make one message."""
    async with pair(broker, "f/chunks") as both:
        both.proxy.cut_after = 40_000
        both.send(1, size=200_000)
        await both.sender_sees(is_down)
        both.proxy.cut_after = None
        await both.all_arrive()

        assert both.proxy.cuts >= 1


async def test_a_paused_broker_is_only_a_pause(broker: Broker) -> None:
    """SIGSTOP for a moment: everything arrives once it goes on, on the same connection."""
    async with pair(broker, "f/pause") as both:
        broker.pause()
        try:
            both.send(100)
            assert not await both.sender.flush(0.5)
        finally:
            broker.resume()
        await both.all_arrive()

        assert both.doubled == 0
        assert both.proxy.accepted == 1


async def test_a_broker_that_dies_and_comes_back_is_found_again(broker: Broker) -> None:
    """SIGKILL: both ends say Down, keep their messages, and go on after a restart on the same port."""
    async with pair(broker, "f/kill") as both:
        broker.kill()
        await both.sender_sees(is_down)
        async with asyncio.timeout(10):
            async for signal in both.receiver.signals():
                if is_down(signal):
                    break
        both.sender.send("f/kill/early", b"kept")
        assert both.sender.pending == 1
        await asyncio.to_thread(broker.start)
        assert await both.receiver.flush(10)
        assert await both.sender_sees(is_up) == Up(2)
        assert await both.sender.flush(10)
        both.send(20)
        await both.all_arrive()


@pytest.mark.must("T3")
async def test_a_hung_broker_is_noticed_without_traffic(broker: Broker) -> None:
    """A broker that answers no ping for twice the keepalive is given up, although nothing was sent."""
    options = LinkOptions(backoff_first=0.05, backoff_most=0.1, timeout=1.0, keepalive=1)
    async with pair(broker, "f/hung", options) as both:
        both.proxy.hold()
        started = asyncio.get_running_loop().time()
        await both.sender_sees(is_down)
        assert asyncio.get_running_loop().time() - started < 5
        both.proxy.heal()
        await both.sender_sees(is_up)
        both.send(3)
        await both.all_arrive()


@pytest.mark.must("T5")
async def test_a_receiver_that_was_away_is_told_to_ask(broker: Broker) -> None:
    """What was sent while the receiver was gone does not arrive, and its Up says that it must ask its peers."""
    async with (
        FaultProxy(broker.port) as proxy,
        MqttLink(at(proxy.port), subscriptions=["f/away"], options=OPTIONS) as away,
        MqttLink(at(broker.port), options=OPTIONS) as sender,
    ):
        assert await away.flush(5)
        proxy.refuse = True
        proxy.cut()
        seen: list[Signal] = []
        async with asyncio.timeout(10):
            while not (seen and is_down(seen[-1])):
                seen.append(await anext(away.signals()))
        sender.send("f/away", b"missed")
        assert await sender.flush(5)
        proxy.refuse = False
        async with asyncio.timeout(10):
            while not is_up(seen[-1]):
                seen.append(await anext(away.signals()))
        sender.send("f/away", b"heard")
        async with asyncio.timeout(10):
            assert await anext(away.signals()) == Incoming("f/away", b"heard")

        assert seen[-1] == Up(2)
