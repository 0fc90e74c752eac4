"""The network in memory: as bad as asked for, the same for each seed, and a transport like the real one."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from node.memory import Delivery, MemoryLink, MemoryNet
from node.transport import MAX_MESSAGE, Down, Incoming, Signal, Transport, Up


def drain(net: MemoryNet) -> list[Delivery]:
    """Everything in flight, in order of delivery."""
    found = []
    while (delivery := net.deliver_next()) is not None:
        found.append(delivery)
    return found


def test_a_good_net_delivers_in_order_to_all_who_subscribe() -> None:
    """Without faults each subscriber gets each message once, in order; the sender too if it subscribes."""
    net = MemoryNet()
    net.join("ann", "m/+")
    net.join("ben", "m/+", "d/ben")
    net.join("cas")
    net.send("ann", "m/ann", b"1")
    net.send("cas", "d/ben", b"2")
    net.send("ben", "m/ben", b"3")

    assert drain(net) == [
        Delivery("ann", "m/ann", b"1"),
        Delivery("ben", "m/ann", b"1"),
        Delivery("ben", "d/ben", b"2"),
        Delivery("ann", "m/ben", b"3"),
        Delivery("ben", "m/ben", b"3"),
    ]
    assert net.deliver_next() is None
    assert net.lost == 0


chances = st.floats(0.0, 1.0)


@given(seed=st.integers(0, 2**32), loss=chances, duplicate=chances, reorder=chances, count=st.integers(0, 60))
def test_each_seed_has_one_course(seed: int, loss: float, duplicate: float, reorder: float, count: int) -> None:
    """Two nets with the same seed deliver the same; nothing is invented, nothing comes more than twice."""

    def run() -> tuple[list[Delivery], int]:
        net = MemoryNet(seed, loss, duplicate, reorder)
        net.join("ann", "t")
        for number in range(count):
            net.send("ben", "t", b"%d" % number)
        return drain(net), net.lost

    delivered, lost = run()

    assert run() == (delivered, lost)
    times = Counter(delivery.payload for delivery in delivered)
    assert set(times) <= {b"%d" % number for number in range(count)}
    assert max(times.values(), default=0) <= 2
    assert len(times) + lost == count


def test_the_chances_do_what_they_say() -> None:
    """Certainty of loss loses all, of duplication doubles all; half a chance of each changes order and number."""
    for loss, duplicate, expected in ((1.0, 0.0, 0), (0.0, 1.0, 200), (0.0, 0.0, 100)):
        net = MemoryNet(1, loss, duplicate)
        net.join("ann", "t")
        for number in range(100):
            net.send("ben", "t", b"%d" % number)
        assert len(drain(net)) == expected
    net = MemoryNet(1, reorder=1.0)
    net.join("ann", "t")
    for number in range(100):
        net.send("ben", "t", b"%03d" % number)
    order = [delivery.payload for delivery in drain(net)]
    assert order != sorted(order)
    assert len(order) == 100


@pytest.mark.parametrize("chance", [-0.1, 1.1])
def test_a_chance_is_between_zero_and_one(chance: float) -> None:
    """Anything else is a mistake."""
    for name in ("loss", "duplicate", "reorder"):
        with pytest.raises(ValueError, match=name):
            MemoryNet(0, **{name: chance})


def test_a_node_that_is_cut_off_hears_and_says_nothing() -> None:
    """Messages to and from it are lost, those in flight too, until it is mended."""
    net = MemoryNet()
    net.join("ann", "#")
    net.join("ben", "#")
    net.send("ann", "t", b"1")
    net.cut("ben")
    net.send("ben", "t", b"2")

    assert drain(net) == [Delivery("ann", "t", b"1")]
    assert net.lost == 2
    net.mend("ben")
    net.send("ben", "t", b"3")
    assert drain(net) == [Delivery("ann", "t", b"3"), Delivery("ben", "t", b"3")]


def test_retained_messages_greet_new_filters_until_cleared() -> None:
    """The last retained message of a topic comes with each new subscription; an empty one ends that."""
    net = MemoryNet()
    net.send("ann", "lobby/1", b"old", retain=True)
    net.send("ann", "lobby/1", b"new", retain=True)
    net.join("ben", "lobby/+")
    assert drain(net) == [Delivery("ben", "lobby/1", b"new")]
    net.send("ann", "lobby/1", b"", retain=True)
    assert drain(net) == [Delivery("ben", "lobby/1", b"")]
    net.join("cas", "lobby/+")
    assert drain(net) == []


def test_names_filters_topics_and_sizes_are_checked() -> None:
    """A name joins once; wildcards belong into filters; messages have a largest size."""
    net = MemoryNet()
    net.join("ann")
    with pytest.raises(ValueError, match="joined"):
        net.join("ann")
    with pytest.raises(ValueError, match="filter"):
        net.subscribe("ann", "a/#/b")
    with pytest.raises(ValueError, match="topic"):
        net.send("ann", "a/+", b"x")
    with pytest.raises(ValueError, match="262145"):
        net.send("ann", "a", bytes(MAX_MESSAGE + 1))
    net.leave("ann")
    net.join("ann")


async def take(link: Transport, count: int) -> list[Signal]:
    """The next signals."""
    async with asyncio.timeout(5):
        return [await anext(link.signals()) for _ in range(count)]


async def test_a_link_is_a_transport_over_the_net() -> None:
    """Up first, then messages for its filters, its own included; the signals end when it is left."""
    net = MemoryNet()
    async with MemoryLink(net, "ann", subscriptions=["m/+"]) as ann, MemoryLink(net, "ben") as ben:
        assert ann.connected
        ben.subscribe("m/ann")
        ann.send("m/ann", b"x")
        ann.send("other", b"unheard")
        assert await ann.flush(0)
        assert await take(ann, 2) == [Up(1), Incoming("m/ann", b"x")]
        assert await take(ben, 2) == [Up(1), Incoming("m/ann", b"x")]
        ben.unsubscribe("m/ann")
        ann.send("m/ann", b"y")
        ben.subscribe("m/ben")
        ben.send("m/ben", b"z")
        assert await take(ben, 1) == [Incoming("m/ben", b"z")]
        assert await take(ann, 2) == [Incoming("m/ann", b"y"), Incoming("m/ben", b"z")]
    assert [signal async for signal in ann.signals()] == []
    assert not ann.connected


async def test_a_dropped_link_keeps_what_is_reliable_and_leaves_its_will() -> None:
    """While down reliable messages wait, others go; the will is sent; a new epoch begins after `restore`."""
    net = MemoryNet()

    def will(epoch: int) -> tuple[str, bytes]:
        return "will", b"%d" % epoch

    async with (
        MemoryLink(net, "ann", will=will, subscriptions=["m"]) as ann,
        MemoryLink(net, "ben", subscriptions=["#"]) as ben,
    ):
        ann.drop("test")
        ann.send("m", b"kept")
        ann.send("m", b"beat", reliable=False)
        assert not await ann.flush(0)
        assert await take(ben, 2) == [Up(1), Incoming("will", b"1")]
        ben.send("m", b"missed")
        assert await take(ben, 1) == [Incoming("m", b"missed")]
        ann.restore()

        assert await ann.flush(1)
        assert await take(ann, 4) == [Up(1), Down("test"), Up(2), Incoming("m", b"kept")]
        assert await take(ben, 1) == [Incoming("m", b"kept")]


async def test_links_over_a_bad_net_get_bad_service() -> None:
    """Loss and duplication apply to links too, and repeat with the seed."""

    async def run() -> list[Signal]:
        net = MemoryNet(3, loss=0.3, duplicate=0.3, reorder=0.3)
        async with MemoryLink(net, "ann", subscriptions=["m"]) as ann, MemoryLink(net, "ben") as ben:
            for number in range(50):
                ben.send("m", b"%d" % number)
            await net.quiet()
            assert net.deliver_next() is None
        return [signal async for signal in ann.signals()]

    first = await run()

    assert await run() == first
    assert 30 < len(first) < 65
