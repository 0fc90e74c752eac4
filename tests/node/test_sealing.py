"""Sealed tables: what a stranger on the broker sees, and that nothing he does changes anything."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from node.driver import TableDriver
from node.joining import JoinConfig
from node.journal import SUFFIX
from node.memory import Delivery, MemoryLink
from node.messages import table_name
from node.resume import resume_table
from node.room import LobbyError
from node.sealing import BUCKETS, PART, Seal, SealedTransport, SealKeys, derive_keys, new_secret
from node.topics import channel_filter, lobby_topic, node_topic
from node.transport import MAX_MESSAGE, Forged, Incoming, Signal, Up
from protocol.errors import WireError
from tests.node.nodes import World, play_out, until

VECTORS = json.loads((Path(__file__).parents[2] / "spec" / "vectors" / "transport.json").read_text())
SECRET = bytes(range(8))
KEYS = SealKeys(topic="dz/v1/s/" + "a" * 26, key=bytes(32), beacon=bytes(16))
ELSEWHERE = SealKeys(topic="dz/v1/s/" + "b" * 26, key=bytes(32), beacon=bytes(16))
OTHER_KEY = SealKeys(topic=KEYS.topic, key=bytes(31) + b"\1", beacon=bytes(16))
TOPIC = node_topic(bytes(16), "m", bytes(32))


def code_of(seal: Seal, data: bytes) -> str:
    """Why this is not opened."""
    with pytest.raises(WireError) as caught:
        seal.open(data)
    return caught.value.code


# ------------------------------------------------------------------ the seal


@given(st.binary(max_size=PART + 42), st.sampled_from([TOPIC, lobby_topic(bytes(16))]))
def test_what_is_sealed_is_opened_once(frame: bytes, topic: str) -> None:
    """A sealed frame comes out as it went in, once, has one of six sizes, and shows nothing of its content."""
    data, reader = Seal(KEYS).close(topic, frame), Seal(KEYS)

    assert reader.open(data) == (topic, frame)
    assert code_of(reader, data) == "seal/replay"
    assert len(data) in BUCKETS
    assert len(frame) < 16 or frame not in data


@pytest.mark.must("T23")
@given(st.integers(0, 511), st.integers(1, 255))
def test_every_changed_byte_is_noticed(place: int, change: int) -> None:
    """A sealed frame with one byte changed is not opened, whichever it is."""
    data = bytearray(Seal(KEYS).close(TOPIC, b"frame"))
    data[place] ^= change

    assert code_of(Seal(KEYS), bytes(data)) == "seal/broken"


@given(st.binary(max_size=2_000))
def test_any_bytes_are_refused(data: bytes) -> None:
    """Whatever a stranger sends is refused with a code."""
    for candidate in (data, data.ljust(512, b"x")[:512]):
        assert code_of(Seal(KEYS), candidate) in {"seal/size", "seal/broken"}


@pytest.mark.must("T23")
def test_what_was_cut_moved_or_meant_for_others_is_refused() -> None:
    """A truncated frame, one of another topic under the same key, and one under another key are not opened."""
    data = Seal(KEYS).close(TOPIC, b"x" * 600)

    assert code_of(Seal(KEYS), data[:-1]) == "seal/size"
    assert code_of(Seal(KEYS), data[:512]) == "seal/broken"
    assert code_of(Seal(ELSEWHERE), data) == "seal/broken"
    assert code_of(Seal(OTHER_KEY), data) == "seal/broken"


def test_one_does_not_hear_oneself() -> None:
    """What a node has sent comes back from the broker and means nothing; a repetition of it is noticed."""
    seal = Seal(KEYS)
    data = seal.close(TOPIC, b"frame")

    assert seal.open(data) is None
    assert code_of(seal, data) == "seal/replay"


@settings(deadline=None)
@given(st.permutations(range(40)), st.lists(st.integers(0, 39), max_size=40))
def test_order_does_not_matter(order: list[int], again: list[int]) -> None:
    """Frames open in any order, each once, also when repetitions come in between."""
    sender, reader = Seal(KEYS), Seal(KEYS)
    frames = [sender.close(TOPIC, bytes([i])) for i in range(40)]
    opened, codes = [], set()
    for i in itertools.chain.from_iterable(itertools.zip_longest(order, again)):
        if i is not None:
            try:
                opened.append(reader.open(frames[i]))
            except WireError as error:
                codes.add(error.code)

    assert sorted(opened, key=repr) == sorted(((TOPIC, bytes([i])) for i in range(40)), key=repr)
    assert codes <= {"seal/replay"}


@pytest.mark.must("T23")
def test_an_old_number_is_refused() -> None:
    """A frame that was overtaken by a thousand others cannot be told from a repetition and is refused."""
    sender, reader = Seal(KEYS), Seal(KEYS)
    old, *others = [sender.close(TOPIC, b"x") for _ in range(1_100)]
    reader.open(others[-1])

    assert code_of(reader, old) == "seal/replay"
    assert reader.open(others[200]) == (TOPIC, b"x")


@pytest.mark.parametrize("vector", VECTORS["seals"], ids=lambda v: v["secret"])
def test_seal_vectors(vector: dict[str, str]) -> None:
    """Keys and sealed frames are those of the specification, byte for byte."""
    keys = derive_keys(bytes.fromhex(vector["secret"]))
    parts = iter([bytes.fromhex(vector["sender"]), bytes.fromhex(vector["nonce"])])
    seal = Seal(keys, lambda _: next(parts))
    frame = bytes.fromhex(vector["frame"])

    assert (keys.topic, keys.key.hex(), keys.beacon.hex()) == (vector["outer"], vector["key"], vector["beacon"])
    assert seal.close(vector["inner"], frame).hex() == vector["sealed"]
    assert Seal(keys).open(bytes.fromhex(vector["sealed"])) == (vector["inner"], frame)


@pytest.mark.must("T27")
def test_secrets_differ_and_are_not_shown() -> None:
    """Each table has another secret; neither it nor the key is in the text of the values that hold them."""
    assert new_secret() != new_secret()
    assert "key=" not in repr(KEYS)
    config = JoinConfig(broker=None, name="", journals=Path(), secret=SECRET)  # type: ignore[arg-type]
    assert repr(SECRET) not in repr(config)


# ------------------------------------------------------------------ the transport


async def drained(link: SealedTransport, signals: list[Signal], least: int) -> None:
    """Take signals from a link until there are so many."""
    source = link.signals()
    while len(signals) < least:
        signals.append(await anext(source))


async def test_long_messages_pass(tmp_path: Path) -> None:
    """The longest message arrives whole, in sealed parts of the sizes that there are."""
    async with AsyncExitStack() as stack:
        world = World(tmp_path, stack)
        sizes: list[int] = []
        world.net.join("spy", "#")
        world.net.attach("spy", lambda delivery: sizes.append(len(delivery.payload)))
        one, two = (SealedTransport(MemoryLink(world.net, name), KEYS) for name in ("one", "two"))
        await stack.enter_async_context(one)
        await stack.enter_async_context(two)
        two.subscribe(channel_filter(bytes(16), "m"))
        message = os.urandom(MAX_MESSAGE)
        one.send(TOPIC, message)
        one.send(node_topic(bytes(16), "q", bytes(32)), b"not asked for")
        one.send(TOPIC, b"short")
        heard: list[Signal] = []
        await drained(two, heard, 3)
        await world.net.quiet()

        assert heard == [Up(1), Incoming(TOPIC, message), Incoming(TOPIC, b"short")]
        assert sizes == [16_384] * 16 + [8_192, 512, 512]
        with pytest.raises(ValueError, match="retained"):
            one.send(TOPIC, bytes(PART + 1), retain=True)


@pytest.mark.must("T26")
async def test_what_is_retained_is_put_back(tmp_path: Path) -> None:
    """Who retains something hears when a stranger clears or overwrites it, though not for every forgery of a flood."""
    async with AsyncExitStack() as stack:
        world = World(tmp_path, stack)
        world.net.join("stranger")
        host = await stack.enter_async_context(SealedTransport(MemoryLink(world.net, "host"), KEYS))
        lobby = lobby_topic(bytes(16))
        host.subscribe(lobby)
        host.send(lobby, b"offer", retain=True)
        for payload in (b"", *[os.urandom(512) for _ in range(20)]):
            world.net.send("stranger", KEYS.topic, payload, retain=True)
        heard: list[Signal] = []
        await drained(host, heard, 24)

        assert heard.count(Incoming(lobby, b"")) == 3
        assert heard.count(Forged("seal/broken")) == 20


# ------------------------------------------------------------------ a table


async def sealed_table(world: World, *names: str) -> tuple[list[Delivery], list[TableDriver]]:
    """A sealed game that has begun, with all that a stranger hears of it."""
    heard: list[Delivery] = []
    world.net.join("stranger", "#")
    world.net.attach("stranger", heard.append)
    host = await world.host(secret=SECRET)
    joiners = [await world.join(name, secret=SECRET, table=None) for name in names]
    _, first = await host.start()
    return heard, [first, *[await world.stack.enter_async_context(j.play()) for j in joiners]]


async def test_a_stranger_learns_and_changes_nothing(tmp_path: Path) -> None:
    """A stranger hears one topic that says nothing and sealed messages of six sizes; whatever he sends is dropped."""
    async with AsyncExitStack() as stack:
        world = World(tmp_path, stack)
        heard, drivers = await sealed_table(world, "Wilhelmina", "Bernhard")
        topic = derive_keys(SECRET).topic
        for data in [delivery.payload for delivery in heard if delivery.payload]:
            changed = bytes([*data[:40], data[40] ^ 1, *data[41:]])
            for payload in (data, data[:-1], changed, os.urandom(512), b""):
                world.net.send("stranger", topic, payload, retain=True)
        world.net.send("stranger", lobby_topic(drivers[0].view().table), b"", retain=True)
        await play_out(*drivers)
        views = [driver.view() for driver in drivers]
        dropped = [dict(driver.connection().dropped) for driver in drivers]
        ours = [d for d in heard if d.topic == topic and len(d.payload) in BUCKETS]
        everything = b"".join(d.topic.encode() + d.payload for d in ours)
        secrets = [b"Truus", b"Wilhelmina", b"Bernhard", views[0].table, table_name(views[0].table).encode(), SECRET]

        assert len({view.head for view in views}) == 1
        assert all(view.fault is None and len(view.results) == 1 for view in views)
        assert {d.topic for d in heard} == {topic, lobby_topic(views[0].table)}
        assert not [secret for secret in secrets if secret in everything]
        assert all({"seal/size", "seal/broken", "seal/replay"} <= drops.keys() for drops in dropped)
        # what was said before a node's time it cannot know; there the numbers inside the signatures tell
        assert not {code for drops in dropped for code in drops} - {
            "seal/size",
            "seal/broken",
            "seal/replay",
            "node/stale",
        }


async def test_the_wrong_secret_opens_nothing(tmp_path: Path) -> None:
    """Who has another code, or none, is told that no table opens with it; the host does not even notice."""
    async with AsyncExitStack() as stack:
        world = World(tmp_path, stack)
        host = await world.host(secret=SECRET)
        for secret, code in ((bytes(8), "lobby/sealed"), (None, "lobby/no-table")):
            with pytest.raises(LobbyError) as caught:
                await world.join("Bep", secret=secret, table=None)
            assert caught.value.code == code

        assert len(host.room().chairs) == 1


@pytest.mark.must("T25")
async def test_a_late_joiner_finds_the_table_all_the_same(tmp_path: Path) -> None:
    """A stranger who clears the table's announcement, or puts an old one back, does not keep anybody away."""
    async with AsyncExitStack() as stack:
        world = World(tmp_path, stack)
        heard: list[Delivery] = []
        world.net.join("stranger", "#")
        world.net.attach("stranger", heard.append)
        host = await world.host(secret=SECRET)
        await until(lambda: bool(heard))
        topic, first = heard[0].topic, heard[0].payload
        for name, payload in (("Bep", b""), ("Joep", first), ("Els", bytes(512))):
            world.net.send("stranger", topic, payload, retain=True)
            await world.join(name, secret=SECRET, table=None, look=5.0)

        assert len(host.room().chairs) == 4


@pytest.mark.must("T27")
async def test_a_sealed_game_is_resumed(tmp_path: Path) -> None:
    """A journal holds the secret, readable by its owner only, and the game goes on sealed from it."""
    async with AsyncExitStack() as stack:
        world = World(tmp_path, stack)
        heard, _ = await sealed_table(world, "Bep")
        await world.net.quiet()
    journals = await asyncio.to_thread(lambda: sorted(tmp_path.rglob(f"*{SUFFIX}")))
    assert [path.stat().st_mode & 0o777 for path in journals] == [0o600, 0o600]
    heard.clear()
    async with AsyncExitStack() as stack:
        world = World(tmp_path, stack, net=world.net)
        drivers = [
            await stack.enter_async_context(resume_table(path, connect=world.link(path.stem))) for path in journals
        ]
        await play_out(*drivers)

        assert len({driver.view().head for driver in drivers}) == 1
        assert len(drivers[0].view().results) == 1
    assert {d.topic for d in heard} == {derive_keys(SECRET).topic}
