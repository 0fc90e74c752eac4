"""A running table over the network in memory: whatever happens to messages, the game comes out the same for all."""

from __future__ import annotations

import asyncio
import gc
import itertools
import os
import sqlite3
import threading
import time
from contextlib import AsyncExitStack, closing
from typing import TYPE_CHECKING

import pytest

from node.arrivals import ENTRY_BURST
from node.handle import NextRound
from node.journal import Journal
from node.messages import MAX_ANSWER_ENTRIES, Heartbeat, SyncAnswer, sign
from node.resume import resume_table, saved_games
from node.topics import node_topic
from node.transport import Incoming
from protocol.crypto.identity import SigningKey
from protocol.errors import IllegalMove, NotNow, WireError
from protocol.rules.actions import Draw, Play
from protocol.session.evidence import verify_evidence
from protocol.session.outputs import GameOver, RoundOver
from protocol.session.session import Claim
from protocol.session.verify import verify_game
from protocol.session.view import Stage
from tests.node.nodes import BROKER, PATIENCE, World, play_out, until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from node.driver import TableDriver
    from node.handle import Choice
    from node.worker import Outcome


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """An empty network."""
    async with AsyncExitStack() as stack:
        yield World(tmp_path, stack)


def mover(drivers: list[TableDriver]) -> TableDriver | None:
    """The node whose turn it is, if every node knows that."""
    moving = [d for d in drivers if d.view().my_turn]
    return moving[0] if moving else None


async def test_a_game_ends_alike_for_all(world: World) -> None:
    """A whole game gives every node the same head and score, a file that verifies, and a note that it is over."""
    drivers = await world.table("Joep", "Anna", files=(world.folder / "game.duizenden",))
    await play_out(*drivers)
    views = [driver.view() for driver in drivers]
    for driver in drivers:
        await driver.linger()
    await world.stack.aclose()
    verdict = verify_game((world.folder / "game.duizenden").read_bytes(), os.urandom(32))
    saved = saved_games(world.journals("Joep"))

    assert len({(view.head, view.totals, view.winners) for view in views}) == 1
    assert {view.stage for view in views} == {Stage.FINISHED}
    assert (verdict.ok, verdict.complete, verdict.head) == (True, True, views[0].head)
    assert [(game.over, game.seat, game.role) for game in saved] == [(True, 1, "joiner")]


@pytest.mark.must("T7", "M15")
async def test_a_bad_network_changes_nothing(tmp_path: Path) -> None:
    """With messages lost, doubled and out of order, the game still ends with one head on every node."""
    async with AsyncExitStack() as stack:
        world = World(tmp_path, stack)
        host = await world.host()
        joiner = await world.join("Joep")
        world.net._loss, world.net._duplicate, world.net._reorder = 0.05, 0.2, 0.3
        _, first = await host.start()
        drivers = [first, await stack.enter_async_context(joiner.play())]
        await play_out(*drivers)

        assert len({driver.view().head for driver in drivers}) == 1
        assert world.net.lost > 0


async def test_a_lost_message_is_missed_within_about_a_second(world: World) -> None:
    """If nobody moves because one message was lost, peers notice and repair it within about a second."""
    drivers = await world.table("Joep", "Anna")
    await until(lambda: mover(drivers) is not None)
    moving = mover(drivers)
    assert moving is not None
    await until(lambda: len({d.view().step for d in drivers}) == 1)
    deaf = next(d for d in drivers if d is not moving)
    link = world.links["host" if deaf is drivers[0] else deaf.view().players[deaf.view().me or 0].name]
    name = link._name
    world.net.cut(name)
    await moving.submit(Draw())
    others = [d for d in drivers if d not in {moving, deaf}]
    await until(lambda: others[0].view().step > deaf.view().step)
    world.net.mend(name)
    begun = asyncio.get_running_loop().time()
    await until(lambda: moving.view().round is not None and moving.view().my_turn)
    seconds = asyncio.get_running_loop().time() - begun

    assert seconds < 2.5  # 0.65 s and the work itself, on a busy machine


async def test_moves_are_judged_at_once(world: World) -> None:
    """An illegal move and one out of turn are refused with their codes, and change nothing."""
    drivers = await world.table("Joep")
    await until(lambda: mover(drivers) is not None)
    moving = mover(drivers)
    assert moving is not None
    waiting = next(d for d in drivers if d is not moving)
    before = moving.view().step
    with pytest.raises(IllegalMove):
        await moving.submit(Play(discard=moving.view().hand[0]))
    with pytest.raises(NotNow):
        await waiting.submit(Draw())
    with pytest.raises(NotNow):
        await waiting.submit(NextRound())

    assert moving.view().step == before


async def test_a_cancelled_caller_does_not_stall_the_table(world: World) -> None:
    """A move whose caller is cancelled while the session works on it is made, published and seen by everybody."""
    drivers = await world.table("Joep")
    await until(lambda: mover(drivers) is not None)
    moving = mover(drivers)
    assert moving is not None
    await until(lambda: len({d.view().step for d in drivers}) == 1)
    begun, go_on = threading.Event(), threading.Event()
    act, before = moving._worker.act, moving.view().step

    def slow(action: Choice) -> Outcome:
        begun.set()
        go_on.wait(PATIENCE)
        return act(action)

    moving._worker.act = slow  # type: ignore[method-assign]
    submitting = asyncio.create_task(moving.submit(Draw()))
    await asyncio.to_thread(begun.wait, PATIENCE)
    submitting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await submitting
    go_on.set()
    await until(lambda: min(d.view().step for d in drivers) > before)

    assert moving.view().round is not None


async def test_a_refusal_that_nobody_waits_for_is_no_error(world: World) -> None:
    """A choice whose caller is cancelled and that is then refused leaves no exception that nobody takes."""
    drivers = await world.table("Joep")
    await until(lambda: mover(drivers) is not None)
    waiting = next(d for d in drivers if d is not mover(drivers))
    begun, go_on, refused = threading.Event(), threading.Event(), threading.Event()
    act = waiting._worker.act
    complaints: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))

    def slow(action: Choice) -> Outcome:
        begun.set()
        go_on.wait(PATIENCE)
        try:
            return act(action)
        finally:
            refused.set()

    waiting._worker.act = slow  # type: ignore[method-assign]
    submitting = asyncio.create_task(waiting.submit(Draw()))
    await asyncio.to_thread(begun.wait, PATIENCE)
    submitting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await submitting
    go_on.set()
    await asyncio.to_thread(refused.wait, PATIENCE)
    await until(lambda: not waiting._work_lock.locked())
    del submitting
    gc.collect()

    assert complaints == []


async def test_updates_tell_everything_in_order(world: World) -> None:
    """The handle's updates bring every event once, the end last, and stop with the node; then moves are refused."""
    async with AsyncExitStack() as visit:
        inner = World(world.folder, visit, world.net)
        host = await inner.host()
        joiner = await inner.join("Joep")
        _, first = await host.start()
        second = await visit.enter_async_context(joiner.play())
        events: list[object] = []

        async def watch() -> None:
            async for update in second.updates():
                events.extend(update.events)

        watching = asyncio.create_task(watch())
        playing = asyncio.create_task(play_out(first))

        async def moves() -> None:
            from node.policy import choose

            while second.view().stage is not Stage.FINISHED:
                await until(lambda: second.view().my_turn or second.view().stage is Stage.FINISHED)
                if second.view().my_turn:
                    await second.submit(await asyncio.to_thread(choose, second.view()))

        await asyncio.wait_for(moves(), PATIENCE)
        await playing
    await asyncio.wait_for(watching, PATIENCE)
    ends = [type(event) for event in events if isinstance(event, (RoundOver, GameOver))]

    assert ends == [RoundOver, GameOver]
    with pytest.raises(NotNow):
        await second.submit(Draw())


@pytest.mark.must("M27")
async def test_a_node_goes_on_from_its_journal(tmp_path: Path) -> None:
    """A node that stops in the middle of a round and is opened again from its journal plays that game to its end."""
    async with AsyncExitStack() as stack:
        world = World(tmp_path, stack)
        host = await world.host()
        visit = AsyncExitStack()
        joiner = await world.join("Joep", visit)
        _, first = await host.start()
        second = await visit.enter_async_context(joiner.play())
        await until(lambda: mover([first, second]) is not None)
        moving = mover([first, second])
        assert moving is not None
        await moving.submit(Draw())
        hand = second.view().hand
        await visit.aclose()
        away = asyncio.create_task(until(lambda: not first.connection().peers[1]))
        await asyncio.wait_for(away, PATIENCE)
        back = await stack.enter_async_context(resume_table(second.journal, broker=BROKER, connect=world.link("again")))
        same_hand = back.view().hand[: len(hand)] == hand
        await play_out(first, back)

        assert same_hand
        assert first.view().head == back.view().head
        assert first.connection().peers == (True, True)


@pytest.mark.must("M2")
async def test_a_flood_costs_no_work_and_no_game(world: World) -> None:
    """Entries of strangers and entries beyond the limit of a topic are dropped unread; the game goes on."""
    drivers = await world.table("Joep")
    table = drivers[0].view().table
    stranger = SigningKey(b"x" * 32).public
    seated = drivers[0].view().players[1].key
    flood = int(ENTRY_BURST) + 1_500
    async with world.link("flood")(BROKER) as link:
        for _ in range(flood):
            link.send(node_topic(table, "m", seated), b"rubbish")
            link.send(node_topic(table, "m", stranger), b"rubbish")
        await until(lambda: dict(drivers[0].connection().dropped).get("topic/stranger") == flood)
        dropped = dict(drivers[0].connection().dropped)
    await play_out(*drivers)

    assert dropped["limit/rate"] >= 100  # of the 1 500 over the burst, less what time has refilled
    assert drivers[0].view().head == drivers[1].view().head


async def test_a_clock_of_the_day_that_jumps_changes_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Host, joiners and game do not mind clocks that are set forward and back, even to before 1970."""
    jumps = itertools.cycle((-600.0, 600.0, -4e9, 0.0, 9e9))
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + next(jumps))
    drivers = await world.table("Joep")
    await play_out(*drivers)

    assert drivers[0].view().stage is Stage.FINISHED
    assert drivers[0].view().head == drivers[1].view().head


@pytest.mark.must("T8", "M10")
async def test_a_replayed_or_forged_heartbeat_is_refused(world: World) -> None:
    """A heartbeat signed by somebody else, or seen before, counts for nothing."""
    drivers = await world.table("Joep")
    host = drivers[0]
    table, peer = host.view().table, drivers[1].view().players[1].key
    beat = Heartbeat(epoch=9, count=9, step=2**31, head=bytes(32), have=0, leaving=False)
    async with world.link("liar")(BROKER) as liar:
        liar.send(node_topic(table, "p", peer), sign(SigningKey(b"x" * 32), table, beat))
        await until(lambda: dict(host.connection().dropped).get("node/signer") == 1)
        liar.subscribe(node_topic(table, "p", peer))
        drivers[1]._send_heartbeat()
        async with asyncio.timeout(PATIENCE):
            heard = await anext(s.payload async for s in liar.signals() if isinstance(s, Incoming))
        liar.send(node_topic(table, "p", peer), heard)
        await until(lambda: dict(host.connection().dropped).get("node/stale") == 1)

    assert host.connection().peers == (True, True)


@pytest.mark.must("M15")
async def test_an_answer_that_nobody_asked_for_costs_nothing(world: World) -> None:
    """Sync answers that were not asked for are dropped before their signature is checked, whoever signs them."""
    drivers = await world.table("Joep")
    host, peer = drivers
    await until(lambda: mover(drivers) is not None)
    table = host.view().table
    answer = SyncAnswer(step=2**31, have=0, entries=(b"rubbish",) * MAX_ANSWER_ENTRIES)
    while host._sync.expects(1):
        host._sync.accepted(1)
    payload = sign(peer._who.key, table, answer)
    async with world.link("flood")(BROKER) as link:
        for _ in range(200):
            link.send(node_topic(table, "d", host._who.key.public), payload)
        await until(lambda: sum(dict(host.connection().dropped).values()) >= 200)
    dropped = dict(host.connection().dropped)
    await play_out(*drivers)

    assert dropped["node/unasked"] >= 196  # a request may have gone out meanwhile
    assert host.view().head == peer.view().head


@pytest.mark.must("M16")
async def test_a_peer_with_another_history_is_noticed(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seated peer's heartbeat with another head for our step is counted as a fork; true histories then play on."""
    drivers = await world.table("Joep")
    host, peer = drivers
    await until(lambda: host.view().step == peer.view().step > 3)
    monkeypatch.setattr(peer, "_head", b"f" * 32)
    peer._send_heartbeat()
    await until(lambda: dict(host.connection().dropped).get("log/fork", 0) >= 1)
    await play_out(*drivers)

    assert host.view().head == peer.view().head


async def test_nobody_waits_for_ever(world: World) -> None:
    """When a seat has gone and a player says so, the bots agree, the game ends, and a file proves why."""
    host = await world.host(files=(world.folder / "game.duizenden",))
    joiner = await world.join("Joep")
    visit = AsyncExitStack()
    leaver = await world.join("Anna", visit)
    _, first = await host.start()
    second = await world.stack.enter_async_context(joiner.play())
    await visit.enter_async_context(leaver.play())
    await until(lambda: first.view().stage is Stage.PLAYING)
    await visit.aclose()
    playing = asyncio.create_task(play_out(first, second))
    await until(lambda: first.view().waiting_for == (2,))
    await first.submit(Claim((2,)))
    await playing
    await until(lambda: bool(first.evidence))
    views = [driver.view() for driver in (first, second)]
    ruling = verify_evidence(first.evidence[0].read_bytes(), os.urandom(32))

    assert [(view.stage, view.departed) for view in views] == [(Stage.FINISHED, (2,))] * 2
    assert first.evidence == (world.folder / "game.evidence",)
    assert [(ruling.proven, f.code, f.seat) for f in ruling.findings] == [(True, "log/expired", 2)]
    assert views[0].head == views[1].head


async def test_the_host_lets_nobody_into_a_running_game(world: World) -> None:
    """A journal of a running table is refused to a second opener, so no seat can speak twice."""
    drivers = await world.table("Joep")
    saved = saved_games(world.journals("Joep"))

    assert [game.busy for game in saved] == [True]
    assert saved[0].path == drivers[1].journal


async def test_a_journal_that_is_no_log_is_refused(tmp_path: Path) -> None:
    """Resuming from a journal with a hole raises the error of its content, ends the thread and frees the file."""
    async with AsyncExitStack() as stack:
        drivers = await World(tmp_path, stack).table("Joep")
        await until(lambda: drivers[0].view().step > 2)
    path = drivers[0].journal
    with closing(sqlite3.connect(path)) as db:
        db.execute("delete from entries where n = 1")
        db.commit()
    again = World(tmp_path, AsyncExitStack())
    with pytest.raises(WireError) as caught:
        async with resume_table(path, broker=BROKER, connect=again.link("again")):
            pytest.fail("it was resumed")
    freed = Journal.open(path)
    freed.close()

    assert caught.value.code.startswith("journal/")
    assert "session" not in "".join(thread.name for thread in threading.enumerate())
