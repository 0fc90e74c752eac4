"""A joiner that dies between taking a seat and having the game in its journal comes back to that seat."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import signal
import stat
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING

import pytest

from node.bots import Orders
from node.crew import BotProcess
from node.joining import find_offers
from node.messages import sign
from node.offers import read_offer
from node.resume import resume_table, saved_games
from node.room import LobbyError
from node.ticket import LASTS, Ticket, tickets
from protocol.rules.ruleset import canonical, preset
from tests.node.nodes import BROKER, World, until
from tests.node.test_joining_tables import HOST, OFFER, TABLE
from tests.node.test_kill_and_resume import SECONDS, kill, orders_for, seated
from tests.simulator.loop import VirtualLoop

if TYPE_CHECKING:
    from pathlib import Path

    from node.driver import TableDriver
    from node.hosting import HostedTable


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """An empty network."""
    async with AsyncExitStack() as stack:
        yield World(tmp_path, stack)


# ------------------------------------------------------------------------------------------ killed anywhere


class KillingLoop(VirtualLoop):
    """A virtual loop that does something once, between two of its turns, when `left` turns have passed."""

    def __init__(self) -> None:
        super().__init__(random.Random(1))
        self.left = 0
        self.strike: Callable[[], None] = lambda: None
        self.passed = 0

    def select(self, timeout: float | None) -> list[object]:
        """As the loop's own, and the blow when its time has come."""
        self.passed += 1
        self.left -= 1
        if self.left == 0:
            self.strike()
        return super().select(timeout)


@dataclass
class Story:
    """A host, and a joiner that is killed after `turns` turns of the loop (0: never) and comes back."""

    folder: Path
    loop: KillingLoop
    turns: int
    left_behind: list[str] = field(default_factory=list)
    lived: int = 0
    """Turns until the joiner was at the table, if nobody killed it."""

    async def run(self) -> None:
        """The whole story. Raises AssertionError when the seat is lost."""
        async with AsyncExitStack() as stack:
            world = World(self.folder, stack)
            host = await world.host(seats=2)
            begun = asyncio.create_task(self._begin(host))
            killed = asyncio.Event()

            def strike() -> None:
                world.net.cut("Joep")
                shutil.copytree(world.journals("Joep"), world.journals("again"), dirs_exist_ok=True)
                killed.set()

            start = self.loop.passed
            self.loop.left, self.loop.strike = self.turns, strike
            first = asyncio.create_task(self._first_life(world))
            blow = asyncio.create_task(killed.wait())
            await asyncio.wait({first, blow}, return_when=asyncio.FIRST_COMPLETED)
            self.lived = self.loop.passed - start
            for task in (first, blow):
                task.cancel()
            await asyncio.wait({first, blow})
            if killed.is_set():
                seats = len(host.room().chairs)
                self.left_behind = [game.role for game in saved_games(world.journals("again"))]
                assert len(self.left_behind) == (1 if seats == 2 else len(self.left_behind))
                await self._second_life(world, begun)

    async def _begin(self, host: HostedTable) -> TableDriver:
        async for room in host.updates():
            if room.full:
                break
        return (await host.start())[1]

    async def _first_life(self, world: World) -> None:
        async with AsyncExitStack() as stack:
            joiner = await world.join("Joep", stack)
            await stack.enter_async_context(joiner.play())

    async def _second_life(self, world: World, begun: asyncio.Task[TableDriver]) -> None:
        games = saved_games(world.journals("again"))
        async with AsyncExitStack() as stack:
            if games:
                back = resume_table(games[0].path, broker=BROKER, connect=world.link("again"))
                driver = await stack.enter_async_context(back)
            else:
                driver = await stack.enter_async_context((await world.join("again", stack)).play())
            there = await begun
            await until(lambda: min(driver.view().step, there.view().step) > 1)

            assert [game.role for game in saved_games(world.journals("again"))] == [""]
            assert (driver.view().me, driver.view().players) == (1, there.view().players)
            assert tickets(world.journals("again")) == []


def told(folder: Path, turns: int) -> Story:
    """The story of a joiner that is killed after so many turns."""
    loop = KillingLoop()
    asyncio.set_event_loop(loop)
    try:
        story = Story(folder, loop, turns)
        folder.mkdir()
        loop.run_until_complete(asyncio.wait_for(story.run(), 300))
        return story
    finally:
        asyncio.set_event_loop(None)
        loop.close()


@pytest.mark.must("M27")
def test_a_joiner_killed_at_any_moment_comes_back_to_its_seat(tmp_path: Path) -> None:
    """Between any two steps of a joiner's program it can be killed, and afterwards its seat is there and plays."""
    found = [told(tmp_path / str(turns), turns).left_behind for turns in range(1, 20)]
    while found[-3:] != [["joiner"]] * 3:
        found.append(told(tmp_path / str(len(found) + 1), len(found) + 1).left_behind)
    kinds = [kind for kind, _ in groupby(map(tuple, found))]

    assert kinds == [(), ("ticket",), ("joiner",)]


# ------------------------------------------------------------------------------------------ the ticket


async def test_a_ticket_is_private_and_goes_when_the_game_is_in_its_journal(world: World) -> None:
    """Who waits has a file that nobody else can read; once the game has begun there is the journal alone."""
    host = await world.host()
    joiner = await world.join("Joep")
    mode = stat.S_IMODE(joiner.ticket.stat().st_mode)
    await host.start()
    async with joiner.play():
        left = [path.suffix for path in world.journals("Joep").iterdir() if "journal" not in path.suffix]

    assert left == []
    assert mode == 0o600 or os.name == "nt"


async def test_who_gives_the_seat_back_keeps_no_ticket(world: World) -> None:
    """A joiner that leaves the waiting room, or is sent away, leaves no file behind."""
    host = await world.host()
    async with AsyncExitStack() as visit:
        await world.join("Joep", visit)
    await until(lambda: len(host.room().chairs) == 1)
    async with AsyncExitStack() as visit:
        anna = await world.join("Anna", visit)
        host.remove(1)
        with pytest.raises(LobbyError):
            await visit.enter_async_context(anna.play())

    assert [list(world.journals(name).iterdir()) for name in ("Joep", "Anna")] == [[], []]


async def test_a_ticket_outlives_a_host_that_does_not_answer(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the host says nothing nobody knows whether it will begin with this seat, so the key is kept."""
    monkeypatch.setattr("node.joining.FIRST_ANSWER", 0.05)
    await world.host()
    await find_offers(BROKER, look=0.05, connect=world.link("looker"))
    world.net.cut("host")
    with pytest.raises(LobbyError) as caught:
        await world.join("Joep")

    assert caught.value.code == "lobby/silent"
    assert [game.role for game in saved_games(world.journals("Joep"))] == ["ticket"]


async def test_two_joiners_of_one_folder_have_a_seat_each(world: World) -> None:
    """A ticket that is in use is nobody else's: a second joiner with the same folder gets a seat of its own."""
    host = await world.host()
    folder = world.journals("shared")
    joiners = [await world.join(name, journals=folder) for name in ("Joep", "Anna")]
    drivers = [(await host.start())[1], *[await world.stack.enter_async_context(j.play()) for j in joiners]]

    assert [driver.view().me for driver in drivers] == [0, 1, 2]


async def killed_with_a_ticket(world: World, host: HostedTable, name: str) -> Path:
    """The folder of a joiner as it was when its process died after the host had begun."""
    async with AsyncExitStack() as life:
        joiner = await world.join(name, life)
        world.net.cut(name)
        await host.start()
        folder = world.folder / f"{name} again"
        shutil.copytree(joiner.ticket.parent, folder)
    return folder


@pytest.mark.must("M7")
async def test_joining_again_leads_back_to_a_table_that_has_begun(world: World) -> None:
    """Whoever joins the table again with the ticket at hand is let in, though the game has begun; others are not."""
    host = await world.host()
    folder = await killed_with_a_ticket(world, host, "Joep")
    back = await world.join("again", journals=folder)
    driver = await world.stack.enter_async_context(back.play())
    with pytest.raises(LobbyError) as caught:
        await world.join("Anna")

    assert (driver.view().me, caught.value.code) == (1, "lobby/started")


async def test_a_ticket_beside_its_journal_is_spent(world: World) -> None:
    """Killed between the two, a joiner has both: the game is listed once, and whichever is resumed is that game."""
    host = await world.host()
    folder = await killed_with_a_ticket(world, host, "Joep")
    ticket = tickets(folder)[0].path
    kept = ticket.read_bytes()
    async with AsyncExitStack() as life:
        await life.enter_async_context((await world.join("again", life, journals=folder)).play())
    ticket.write_bytes(kept)
    listed = [game.role for game in saved_games(folder)]
    with pytest.raises(LobbyError) as caught:
        async with AsyncExitStack() as life:
            await life.enter_async_context((await world.join("anew", life, journals=folder)).play())
    gone = not ticket.exists()
    ticket.write_bytes(kept)
    async with resume_table(ticket, broker=BROKER, connect=world.link("once more")) as driver:
        assert driver.journal.suffix == ".journal"

    assert listed == ["joiner"]
    assert (caught.value.code, gone, ticket.exists()) == ("lobby/started", True, False)


@pytest.mark.must("M8")
async def test_who_comes_back_plays_no_other_game_than_was_shown(world: World) -> None:
    """The announcement that was shown before the crash is what the start is held against."""
    host = await world.host()
    offer = (await find_offers(BROKER, look=0.05, connect=world.link("looker")))[0]
    shown = replace(offer.announce, max_rounds=9)
    payload = sign(host.key, host.table, shown)
    Ticket.write(world.journals("Joep"), replace(offer, payload=payload), b"s" * 32, b"t" * 32, {}).close()
    joiner = await world.join("Joep")
    await host.start()
    with pytest.raises(LobbyError) as caught:
        await world.stack.enter_async_context(joiner.play())

    assert caught.value.code == "lobby/rules"


def test_old_tickets_are_thrown_away(tmp_path: Path) -> None:
    """Whoever takes a seat throws away what earlier tables left behind a month ago, readable or not."""
    offer = read_offer(TABLE, sign(HOST, TABLE, OFFER))

    def write(seed: bytes) -> Path:
        ticket = Ticket.write(tmp_path, offer, seed * 32, b"t" * 32, {})
        ticket.close()
        return ticket.path

    for number, name in enumerate(("new.ticket", "old.ticket")):
        write(bytes([number])).rename(tmp_path / name)
        (tmp_path / f"cut {name}").touch()
    for name in ("old.ticket", "cut old.ticket"):
        os.utime(tmp_path / name, (time.time() - LASTS - 60,) * 2)
    last = write(b"s")

    assert {path.name for path in tmp_path.iterdir()} == {"new.ticket", "cut new.ticket", last.name}


# ------------------------------------------------------------------------------------------ processes


@pytest.mark.skipif(os.name == "nt", reason="stops by signal")
@pytest.mark.parametrize("role", ["join", "resume"])
async def test_a_process_killed_before_the_start_reached_it_plays_on(tmp_path: Path, role: str) -> None:
    """A joiner that is frozen, and killed once the host has begun, comes back by either way and plays to the end."""
    rules = canonical(preset("klassiek")).decode()
    async with AsyncExitStack() as stack:
        bots = [BotProcess(tmp_path / f"log{i}") for i in range(2)]
        for bot in bots:
            stack.push_async_callback(bot.close)
        host = orders_for(0, tmp_path, role="host", rules=rules, rules_name="klassiek", seats=2, max_rounds=1)
        hosting = await seated(bots[0], host, "hosting")
        joining = orders_for(1, tmp_path, role="join", broker=hosting["broker"], table=hosting["table"])
        sits = await seated(bots[1], joining, "seated")
        os.kill(bots[1].pid, signal.SIGSTOP)
        bots[0].say("start")
        await bots[0].until("playing", SECONDS)

        await kill(bots[1])
        bots[1] = again = BotProcess(tmp_path / "log again")
        stack.push_async_callback(again.close)
        back = joining if role == "join" else Orders(role="resume", journal=str(sits["journal"]))
        await seated(again, back, "playing")
        ends = [await bot.until("over", SECONDS) for bot in bots]

    assert ends[0]["head"] == ends[1]["head"]
    assert all(end["finished"] and end["audits"] and end["fault"] is None for end in ends)
