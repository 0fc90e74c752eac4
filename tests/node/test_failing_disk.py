"""A disk that refuses while a table is played: nobody hears what the journal does not hold, and the game can go on."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import pytest

from node.journal import JournalError
from node.resume import resume_table
from node.sync import Place
from protocol.rules.actions import Draw
from tests.node.nodes import BROKER, World, play_out, until

if TYPE_CHECKING:
    from pathlib import Path

    from node.driver import TableDriver


async def test_a_full_disk_ends_the_node(tmp_path: Path) -> None:
    """When the journal cannot be written, the node stops and whoever uses it gets the error itself."""

    async def play_until_full(world: World) -> None:
        host = await world.host()
        joiner = await world.join("Joep")
        _, first = await host.start()
        async with joiner.play() as second:
            second._worker._journal._db.execute("pragma max_page_count = 1")
            await play_out(first, second)

    with pytest.raises(JournalError) as caught:
        async with AsyncExitStack() as stack:
            await play_until_full(World(tmp_path, stack))

    assert caught.value.code == "journal/write"


async def test_nobody_hears_a_move_that_was_not_journalled(tmp_path: Path) -> None:
    """A move that the journal refuses goes to no peer, not even to one that asks, and into no game file.

    The node ends with the journal's error, and the resumed seat has its turn still before it.
    """
    file = tmp_path / "game.duizenden"
    sent: list[bytes] = []
    lost: list[bytes] = []
    seats: list[TableDriver] = []

    async def move_in_vain(world: World) -> None:
        drivers = await world.table("Joep", files=(file,))
        await until(lambda: any(d.view().my_turn for d in drivers))
        moving = next(d for d in drivers if d.view().my_turn)
        seats.append(moving)
        worker, before = moving._worker, moving.view().step
        await until(lambda: not worker._dirty)  # what the others said has reached the disk
        send = moving._transport.send

        def spy(topic: str, payload: bytes, *, retain: bool = False, reliable: bool = True) -> None:
            sent.append(payload)
            send(topic, payload, retain=retain, reliable=reliable)

        moving._transport.send = spy  # type: ignore[method-assign]
        worker._journal._broken = True  # as after a write that failed
        try:
            await moving.submit(Draw())
        finally:
            kept = {r.frame for r in worker._journal.records()}
            assert worker._session is not None
            lost.extend(f for f in worker._session.frames_from(before) if f not in kept)
            moving._sync.asked(1 - (moving._who.seat or 0), Place(before), moving._now())
            moving._poke.set()

    with pytest.raises(JournalError) as caught:
        async with AsyncExitStack() as stack:
            await move_in_vain(World(tmp_path, stack))
    again = World(tmp_path, AsyncExitStack())
    async with resume_table(seats[0].journal, broker=BROKER, connect=again.link("again")) as resumed:
        turn = resumed.view().my_turn
    said = file.read_bytes() if file.exists() else b""

    assert caught.value.code == "journal/write"
    assert len(lost) == 1
    assert sent, "at least the goodbye"
    assert not [payload for payload in sent if lost[0] in payload]
    assert lost[0] not in said
    assert turn
