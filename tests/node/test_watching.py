"""Looking on at a table over the network in memory: everything public, no hand, and no way to disturb the players."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from node.arrivals import WATCH_BURST
from node.memory import MemoryLink
from node.messages import Start, SyncRequest, Watch, sign, table_id, table_name
from node.room import LobbyError
from node.sync import SUSPECT, Place, Show, Sync
from node.topics import lobby_topic, node_topic, parse_topic
from node.watching import WatchConfig, watch_table
from protocol.crypto.identity import SigningKey
from protocol.errors import NotNow
from protocol.session.session import NextRound
from protocol.session.verify import verify_game
from protocol.session.view import Stage
from protocol.wire.entry import Kind, parse_entry
from tests.node.nodes import BROKER, PATIENCE, World, play_out, until
from tests.node.test_joining_tables import OFFER

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from node.driver import TableDriver
    from node.watching import WatchedTable

STRANGER = SigningKey(b"w" * 32)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """An empty network."""
    async with AsyncExitStack() as stack:
        yield World(tmp_path, stack)


async def watched(world: World, **more: Any) -> WatchedTable:
    """A look at the table hosted here last."""
    config = replace(WatchConfig(broker=BROKER, table=world.hosted, look=0.1), **more)
    return await world.stack.enter_async_context(watch_table(config, connect=world.link("watcher")))


async def following(world: World, **more: Any) -> TableDriver:
    """A watcher's node at a table that has begun."""
    return await world.stack.enter_async_context((await watched(world, **more)).follow())


@pytest.mark.must("M25")
async def test_a_watcher_sees_the_game_and_no_hand(world: World, tmp_path: Path) -> None:
    """It comes in the middle, catches up, follows to the end with the players' head, and its file verifies.

    While hands are held it knows only the cards of them that everybody has seen.
    """
    records = tmp_path / "records"
    records.mkdir()
    players = await world.table("Joep", "Anna")
    await until(lambda: players[0].view().stage is Stage.PLAYING)
    watcher = await following(world, table=None, records=records)
    seen: list[int] = []

    async def look() -> None:
        async for update in watcher.updates():
            view = update.view
            assert view.me is None
            if view.round is not None and view.stage is Stage.PLAYING:
                held = {slot for hand in view.round.hands for slot in hand}
                known = held & view.faces.keys()
                assert known <= view.round.faces.keys()
                seen.append(view.step)
            if view.stage is Stage.FINISHED:
                return

    looking = asyncio.create_task(look())
    await play_out(*players)
    await asyncio.wait_for(looking, PATIENCE)
    with pytest.raises(NotNow):
        await watcher.submit(NextRound())

    assert watcher.view().head == players[0].view().head
    assert seen == sorted(seen)
    assert len(set(seen)) > 3
    path = records / f"{table_name(players[0].view().table)[:8]}-0.duizenden"
    await until(path.exists)
    assert verify_game(path.read_bytes(), bytes(32)).ok


async def test_a_watcher_may_come_before_the_start(world: World) -> None:
    """It takes no seat in the waiting room, and follows from the first step on."""
    host = await world.host()
    joiner = await world.join("Joep")
    watch = await watched(world)
    assert not watch.offer.begun

    async def follow() -> TableDriver:
        return await world.stack.enter_async_context(watch.follow())

    waiting = asyncio.create_task(follow())
    assert len(host.room().chairs) == 2
    _, first = await host.start()
    second = await world.stack.enter_async_context(joiner.play())
    watcher = await asyncio.wait_for(waiting, PATIENCE)
    await play_out(first, second)
    await until(lambda: watcher.view().stage is Stage.FINISHED)

    assert watcher.view().head == first.view().head


@pytest.mark.parametrize("kind", [Kind.COMMIT, Kind.SHUFFLE, Kind.DEAL, Kind.DRAW, Kind.SHOW, Kind.VERDICT], ids=str)
async def test_who_comes_too_late_looks_on_whatever_the_table_does(
    world: World, kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the shuffle, the deal, a turn or the scoring a third person gets no seat, may watch, and freezes nothing."""
    host = await world.host(seats=3)
    joiner = await world.join("Joep")
    held: list[Callable[[], None]] = []
    _, first = await host.start()
    table, keys = first.view().table, tuple(player.key for player in first.view().players)
    link = world.links["Joep"]
    send = link.send

    def holding(topic: str, payload: bytes, **more: bool) -> None:
        """Keep back what Joep says from the first entry of this kind on: so the table stands still there."""
        parsed = parse_topic(topic)
        said = parsed is not None and parsed.channel == "m" and parse_entry(payload, table, keys).kind is kind
        if said or (held and parsed is not None and parsed.channel in "md"):
            held.append(partial(send, topic, payload, **more))
        else:
            send(topic, payload, **more)

    monkeypatch.setattr(link, "send", holding)
    second = await world.stack.enter_async_context(joiner.play())
    playing = asyncio.create_task(play_out(first, second))
    await until(lambda: bool(held))
    with pytest.raises(LobbyError) as caught:
        await world.join("Anna")
    watcher = await following(world)
    standing = watcher.view().stage
    monkeypatch.setattr(link, "send", send)
    for late in held:
        late()
    await playing
    await until(lambda: watcher.view().stage is Stage.FINISHED)

    assert caught.value.code == "lobby/started"
    assert standing is not Stage.FINISHED
    assert {driver.view().head for driver in (first, second)} == {watcher.view().head}


def test_the_first_seat_that_is_there_shows_the_log() -> None:
    """While the host is heard the others leave it to the host; when it has been silent for long, the next one shows."""
    sync = Sync(me=1, seats=3, now=0.0, delay=lambda low, _high: low)
    sync.moved(Place(4), waiting=True, now=0.0)
    sync.heard(0, (1, 1), Place(4), 0.0)
    sync.watched(STRANGER.public, Place(1), 1.0)
    heard = [todo for todo in sync.poll(1.0) if isinstance(todo, Show)]
    sync.watched(STRANGER.public, Place(1), 1.0 + SUSPECT)
    silent = [todo for todo in sync.poll(1.0 + SUSPECT) if isinstance(todo, Show)]
    sync.watched(STRANGER.public, Place(4), 1.0 + SUSPECT)
    nothing_new = [todo for todo in sync.poll(1.0 + SUSPECT) if isinstance(todo, Show)]

    assert (heard, silent, nothing_new) == ([], [Show(STRANGER.public, Place(1))], [])


async def test_a_flood_of_watchers_costs_the_players_nothing(world: World) -> None:
    """Beyond a dozen requests at once they are dropped unread, and the game goes on to its end."""
    players = await world.table("Joep")
    table = players[0].view().table
    async with world.link("stranger")(BROKER) as link:
        topic = node_topic(table, "q", STRANGER.public)
        for count in range(60):
            link.send(topic, sign(STRANGER, table, SyncRequest(epoch=1, count=count, step=0, have=0)))
        await link.flush(PATIENCE)
        await play_out(*players)
    dropped = dict(players[0].connection().dropped)

    assert players[0].view().stage is Stage.FINISHED
    assert dropped["limit/rate"] >= 60 - WATCH_BURST - 10


@pytest.mark.parametrize(
    ("key", "table", "code"),
    [(SigningKey(b"x" * 32), None, "node/signer"), (STRANGER, bytes(16), "node/signer")],
)
async def test_a_forged_request_is_dropped(world: World, key: SigningKey, table: bytes | None, code: str) -> None:
    """A request on another node's topic or for another table is answered by nobody."""
    players = await world.table("Joep")
    here = players[0].view().table
    async with world.link("stranger")(BROKER) as link:
        request = sign(key, table or here, SyncRequest(epoch=1, count=1, step=0, have=0))
        link.send(node_topic(here, "q", STRANGER.public), request)
        await link.flush(PATIENCE)
        await until(lambda: dict(players[0].connection().dropped).get(code, 0) == 1)


@pytest.mark.must("M25")
async def test_a_forged_start_is_not_followed(world: World) -> None:
    """A genesis that the host of the table has not signed shows nothing to a watcher."""
    host = await world.host()
    await world.join("Joep")
    watch = await watched(world)
    link = world.links["host"]
    assert isinstance(link, MemoryLink)
    link.send(node_topic(host.table, "g", host._key.public), sign(STRANGER, host.table, Start(genesis=b"\x90")))
    await link.flush(PATIENCE)
    await until(lambda: dict(watch._router.drops.items()).get("node/signer", 0) == 1)

    assert watch._genesis is None


async def test_nothing_to_look_at(world: World) -> None:
    """No table, none that a secret opens, and two games say so by code; of two, the beginning of a name chooses."""
    with pytest.raises(LobbyError) as none:
        await watched(world, table=None)
    with pytest.raises(LobbyError) as shut:
        await watched(world, table=None, secret=b"secret..")
    async with world.link("hosts")(BROKER) as link:
        for nonce in (b"1" * 16, b"2" * 16):
            table = table_id(STRANGER.public, nonce)
            link.send(lobby_topic(table), sign(STRANGER, table, replace(OFFER, nonce=nonce, open=False)), retain=True)
        await link.flush(PATIENCE)
    with pytest.raises(LobbyError) as several:
        await watched(world, table=None)

    named = await watched(world, table=None, begins=table_name(table)[:6])

    assert (none.value.code, several.value.code) == ("lobby/no-table", "lobby/several")
    assert shut.value.code == "lobby/sealed"
    assert named.offer.table == table


def test_a_watch_message_is_new_each_time() -> None:
    """The nonce is part of what is signed."""
    first, second = (sign(STRANGER, bytes(16), Watch(nonce=bytes([n]) * 16)) for n in (1, 2))

    assert first != second
