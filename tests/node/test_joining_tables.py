"""Hosting and joining over the network in memory: who gets in, what is checked, and what hostile messages cannot do."""

from __future__ import annotations

import asyncio
import dataclasses
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

import pytest

from node.door import JOIN_BURST
from node.joining import find_offers
from node.messages import Announce, Chair, Join, Seated, Start, peek, sign, table_id
from node.room import LobbyError
from node.topics import lobby_topic, node_topic
from node.transport import Incoming
from protocol.crypto.identity import SigningKey
from protocol.rules.ruleset import canonical, preset
from protocol.session.genesis import Genesis, decode_genesis
from protocol.session.view import Player
from tests.node.nodes import BROKER, PATIENCE, World, until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from node.hosting import HostedTable
    from node.memory import MemoryLink

HOST = SigningKey(b"h" * 32)
NONCE = b"n" * 16
TABLE = table_id(HOST.public, NONCE)
OFFER = Announce(
    nonce=NONCE,
    revision=1,
    app="",
    title="Vals",
    rules_name="klassiek",
    rules=canonical(preset("klassiek")),
    seats=4,
    max_rounds=0,
    seeded=False,
    chairs=(Chair("Vals", bot=False, key=HOST.public),),
    issued=0,
    expires=0,
    open=True,
)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """An empty network."""
    async with AsyncExitStack() as stack:
        yield World(tmp_path, stack)


def names(table: HostedTable) -> list[str]:
    """Who sits at the table."""
    return [chair.name for chair in table.room().chairs]


async def test_both_sides_see_the_same_room(world: World) -> None:
    """A joiner sees table, rules and chairs as the host set them, and both know each other's seats."""
    host = await world.host()
    joiner = await world.join("Joep")
    await until(lambda: len(joiner.room().chairs) == 2)
    there, here = host.room(), joiner.room()

    assert (here.table, here.title, here.rules, here.rules_name) == (there.table, "Truus", there.rules, "klassiek")
    assert here.chairs == there.chairs
    assert (there.me, here.me) == (0, 1)


async def test_the_room_tells_of_changes(world: World) -> None:
    """Whoever watches the room sees it now and after every arrival and departure, until the game starts."""
    host = await world.host()
    seen: list[list[str]] = []

    async def watch() -> None:
        async for room in host.updates():
            seen.append([chair.name for chair in room.chairs])  # noqa: PERF401  others look at it meanwhile

    watching = asyncio.create_task(watch())
    async with AsyncExitStack() as visit:
        await world.join("Joep", visit)
        await until(lambda: seen[-1:] == [["Truus", "Joep"]])
    await until(lambda: seen[-1:] == [["Truus"]])
    await world.join("Anna")
    await host.start()
    await asyncio.wait_for(watching, PATIENCE)

    assert seen[0] == ["Truus"]


async def test_the_game_begins_for_everybody(world: World) -> None:
    """After the start all nodes have the same genesis with everybody's own key in it, each at its own seat."""
    drivers = await world.table("Joep", "Anna")
    views = [driver.view() for driver in drivers]

    assert [view.me for view in views] == [0, 1, 2]
    assert len({(view.table, view.players) for view in views}) == 1
    assert [p.name for p in views[0].players] == ["Truus", "Joep", "Anna"]


async def test_nobody_to_play_with(world: World) -> None:
    """A table with one player cannot start, and stays open."""
    host = await world.host()
    with pytest.raises(LobbyError) as caught:
        await host.start()
    await world.join("Joep")

    assert caught.value.code == "lobby/players"
    assert names(host) == ["Truus", "Joep"]


async def refusal(world: World, name: str, **more: Any) -> str:
    """The code with which this joiner is refused."""
    with pytest.raises(LobbyError) as caught:
        await world.join(name, **more)
    return caught.value.code


async def test_refusals(world: World) -> None:
    """A full table and one that has begun refuse with their own codes, also who comes with the table's id."""
    host = await world.host(seats=2)
    await world.join("Joep")
    full = [await refusal(world, "Anna", table=None), await refusal(world, "Bert", table=host.table)]
    await host.start()
    link = world.links["Joep"]
    await link.flush(1.0)
    started = await refusal(world, "Cees", table=host.table)

    assert full == ["lobby/full", "lobby/full"]
    assert started == "lobby/started"


@pytest.mark.must("M7")
async def test_a_late_joiner_is_told_that_the_game_has_begun(world: World) -> None:
    """One who asks for a seat at the moment of the start is told so."""
    host = await world.host()
    await world.join("Joep")
    late = SigningKey(b"l" * 32)
    answers: list[object] = []
    async with world.link("late")(BROKER) as link:
        link.subscribe(node_topic(host.table, "d", late.public))
        await host.start()
        link.send(
            node_topic(host.table, "j", late.public),
            sign(late, host.table, Join(name="L", bot=False, app="", nonce=NONCE)),
        )
        async for signal in link.signals():
            if isinstance(signal, Incoming):
                answers.append(peek(signal.payload).open())
                break

    assert [getattr(a, "code", "") for a in answers] == ["started"]


async def test_removed_players_hear_it(world: World) -> None:
    """A player who is sent away hears it, and the seat is free."""
    host = await world.host()
    joiner = await world.join("Joep")
    assert host.remove(1)
    with pytest.raises(LobbyError) as caught:
        await world.stack.enter_async_context(joiner.play())

    assert caught.value.code == "lobby/removed"
    assert names(host) == ["Truus"]
    assert not host.remove(0)


async def test_a_closed_table_sends_everybody_home(tmp_path: Path) -> None:
    """When the host goes away before the start, the joiners hear it and the announcement is gone."""
    async with AsyncExitStack() as stay:
        world = World(tmp_path, stay)
        async with AsyncExitStack() as visit:
            host_world = World(tmp_path, visit, world.net, world.links)
            await host_world.host()
            joiner = await world.join("Joep", table=host_world.hosted)
        with pytest.raises(LobbyError) as caught:
            await stay.enter_async_context(joiner.play())
        offers = await find_offers(BROKER, look=0.05, connect=world.link("looker"))

    assert caught.value.code == "lobby/closed"
    assert offers == ()


@pytest.mark.must("M7")
async def test_a_lost_start_is_fetched(world: World) -> None:
    """A joiner that was cut off when the game began gets the genesis when it is back."""
    host = await world.host()
    joiner = await world.join("Joep")
    await world.join("Anna")
    world.net.cut("Joep")
    await host.start()
    world.net.mend("Joep")
    async with asyncio.timeout(PATIENCE), joiner.play() as driver:
        assert driver.view().me == 1


@pytest.mark.must("M4")
async def test_a_cleared_announcement_comes_back(world: World) -> None:
    """Somebody who clears or overwrites the retained announcement hides the table for a moment only."""
    host = await world.host()
    await until(lambda: world.links["host"].connected)
    async with world.link("vandal")(BROKER) as vandal:
        for payload in (b"", b"garbage"):
            vandal.send(lobby_topic(host.table), payload, retain=True)
            for _ in range(200):
                await asyncio.sleep(0)
            offers = await find_offers(BROKER, look=0.05, connect=world.link("looker"))

            assert [offer.table for offer in offers] == [host.table]


async def test_who_spams_the_announcement_keeps_nobody_out(world: World) -> None:
    """However often the announcement is overwritten, who knocks at the door still gets a seat."""
    host = await world.host()
    await until(lambda: world.links["host"].connected)
    async with world.link("vandal")(BROKER) as vandal:
        for k in range(int(3 * JOIN_BURST)):
            vandal.send(lobby_topic(host.table), b"garbage %d" % k)
        for _ in range(200):
            await asyncio.sleep(0)
        key = SigningKey(b"g" * 32)
        join = sign(key, host.table, Join(name="Joep", bot=False, app="1", nonce=b"n" * 16))
        vandal.send(node_topic(host.table, "j", key.public), join)
        await until(lambda: len(host.room().chairs) == 2)


@pytest.mark.parametrize(
    ("payload", "topic_table"),
    [
        (sign(SigningKey(b"x" * 32), TABLE, OFFER), TABLE),
        (sign(HOST, TABLE, OFFER), b"t" * 16),
        (sign(HOST, TABLE, dataclasses.replace(OFFER, rules=b"no rules")), TABLE),
        (sign(HOST, TABLE, Start(genesis=b"g")), TABLE),
        (sign(HOST, TABLE, OFFER)[:-1], TABLE),
    ],
    ids=["another key", "another table", "rules that are none", "another kind", "cut"],
)
async def test_false_announcements_are_not_shown(world: World, payload: bytes, topic_table: bytes) -> None:
    """An announcement that its host did not sign for its own table is never offered to anybody."""
    async with world.link("liar")(BROKER) as liar:
        liar.send(lobby_topic(topic_table), payload, retain=True)
        offers = await find_offers(BROKER, look=0.05, connect=world.link("looker"))

    assert offers == ()


async def test_another_version_is_named(world: World) -> None:
    """If only tables of another release are there, that is what the player is told."""
    from protocol.wire.codec import decode, encode

    body, signature = decode(sign(HOST, TABLE, OFFER), 100_000)
    other = encode([encode([99, *decode(body, 100_000)[1:]]), signature])
    async with world.link("liar")(BROKER) as liar:
        liar.send(lobby_topic(TABLE), other, retain=True)
        with pytest.raises(LobbyError) as caught:
            await find_offers(BROKER, look=0.05, connect=world.link("looker"))

    assert caught.value.code == "lobby/version"


async def hostile_host(link: MemoryLink, genesis_of: Any) -> None:
    """A host that seats whoever comes and then starts the game that `genesis_of` makes of the joiner's key."""
    async for signal in link.signals():
        if not isinstance(signal, Incoming):
            continue
        signed = peek(signal.payload)
        if isinstance(signed.message, Join):
            inbox = node_topic(TABLE, "d", signed.key)
            seated = Seated(to=signed.key, nonce=signed.message.nonce, seat=1, name="Joep")
            link.send(inbox, sign(HOST, TABLE, seated))
            link.send(inbox, sign(HOST, TABLE, Start(genesis=genesis_of(signed.key))))


def game(key: bytes, **changes: Any) -> bytes:
    """The genesis of the offered game with these changes."""
    players = (Player(name="Vals", bot=False, key=HOST.public), Player(name="Joep", bot=False, key=key))
    options: dict[str, Any] = {
        "table": TABLE,
        "rules": preset("klassiek"),
        "rules_name": "klassiek",
        "players": players,
    }
    return Genesis(**(options | changes)).encode()


@pytest.mark.must("M8")
@pytest.mark.parametrize(
    ("genesis_of", "code"),
    [
        (lambda k: game(k, rules=preset("modern")), "lobby/rules"),
        (lambda k: game(k, rules_name="modern"), "lobby/rules"),
        (lambda k: game(k, max_rounds=9), "lobby/rules"),
        (lambda k: game(k, seeded=True), "lobby/rules"),
        (lambda k: game(k, table=b"t" * 16), "lobby/rules"),
        (lambda _: b"garbage", "lobby/rules"),
        (lambda _: game(b"k" * 32), "lobby/started"),
    ],
    ids=["rules", "rules name", "rounds", "seeded", "table", "garbage", "without us"],
)
async def test_another_game_than_was_shown_is_not_played(world: World, genesis_of: Any, code: str) -> None:
    """A joiner refuses a genesis that is not the game it was shown, or that it is not in."""
    async with world.link("Vals")(BROKER):
        link = world.links["Vals"]
        link.subscribe(f"dz/v1/t/{lobby_topic(TABLE).rsplit('/', 1)[1]}/j/+")
        link.send(lobby_topic(TABLE), sign(HOST, TABLE, OFFER), retain=True)
        serving = asyncio.create_task(hostile_host(link, genesis_of))
        with pytest.raises(LobbyError) as caught:
            await world.stack.enter_async_context((await world.join("Joep", table=TABLE)).play())
        serving.cancel()

    assert caught.value.code == code


async def test_the_genesis_names_what_was_shown(world: World) -> None:
    """The genesis that is started decodes to the table, rules and names of the waiting room."""
    host = await world.host(max_rounds=3)
    await world.join("Joep")
    genesis, driver = await host.start()

    assert decode_genesis(genesis.encode()) == genesis
    assert (genesis.table, genesis.max_rounds, driver.view().max_rounds) == (host.table, 3, 3)


@pytest.mark.must("M2", "M3")
async def test_garbage_disturbs_nobody(world: World) -> None:
    """Garbage on every topic of a table is dropped and counted, and the game begins as if nothing were."""
    host = await world.host()
    joiner = await world.join("Joep")
    _, driver = await host.start()
    rubbish = (b"", b"\x00" * 40, b"\x92\xc4\x01x\xc4\x01y", b"\x91" * 2000, sign(HOST, TABLE, Start(genesis=b"g")))
    async with world.link("liar")(BROKER) as liar, joiner.play() as other:
        for channel in "jgmdqp":
            for key in (HOST.public, *(p.key for p in driver.view().players)):
                for payload in rubbish:
                    liar.send(node_topic(host.table, channel, key), payload)
        await until(lambda: driver.view().my_turn or other.view().my_turn)
        dropped = dict(driver.connection().dropped)

    assert sum(dropped.values()) >= 40
    assert all(driver.view().fault is None for driver in (driver, other))
