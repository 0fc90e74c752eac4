"""Talk at a table of nodes: chat, away and pause, among honest peers and others."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import pytest

from node.addresses import BrokerAddress
from node.bots import play
from node.handle import AwayChanged, PauseChanged, Said, Standing
from node.messages import Away, Chat, Heartbeat, Pause, peek, sign
from node.resume import resume_table
from node.talk import MAX_TALK, OWN_BURST, TALK_BURST
from node.topics import channel_filter, node_topic
from node.transport import Incoming
from protocol.crypto.identity import SigningKey
from protocol.errors import NotNow
from protocol.rules.actions import Draw
from protocol.session.session import Claim
from protocol.session.view import Stage
from protocol.wire.limits import MAX_UINT
from tests.node.nodes import BROKER, PATIENCE, World, play_out, until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from node.driver import TableDriver
    from node.handle import Spoken
    from node.messages import Message, Signed


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """An empty network."""
    async with AsyncExitStack() as stack:
        yield World(tmp_path, stack)


async def listen(driver: TableDriver, world: World) -> list[Spoken]:
    """Everything that this node is told to have been said, growing."""
    heard: list[Spoken] = []

    async def follow() -> None:
        async for update in driver.updates():
            heard.extend(update.spoken)

    task = asyncio.create_task(follow())
    world.stack.push_async_callback(asyncio.wait, {task})
    world.stack.callback(task.cancel)
    return heard


def dropped(driver: TableDriver, code: str) -> int:
    """How much this node has dropped for this reason."""
    return dict(driver.connection().dropped).get(code, 0)


async def send(world: World, driver: TableDriver, at: int, *payloads: bytes) -> None:
    """A stranger's link publishes these on the talk topic of a seat."""
    key = driver.view().players[at].key
    async with world.link(f"stranger {len(world.links)}")(BROKER) as link:
        for payload in payloads:
            link.send(node_topic(driver.view().table, "c", key), payload)


def by(driver: TableDriver, message: Message) -> bytes:
    """The message, signed by this node for its table."""
    return sign(driver._who.key, driver.view().table, message)


async def calm(*drivers: TableDriver) -> None:
    """Wait until the cards are dealt and everybody is at one step."""
    await until(lambda: all(d.view().stage is Stage.PLAYING for d in drivers))
    await until(lambda: len({d.view().step for d in drivers}) == 1)


# ------------------------------------------------------------------ chat


async def test_what_is_said_reaches_everybody_in_order(world: World) -> None:
    """Texts and phrases come to all in the order in which they were said, also back to who said them."""
    drivers = await world.table("Joep", "Anna")
    heard = [await listen(driver, world) for driver in drivers]
    drivers[1].talk.say("Goed gespeeld!")
    drivers[1].talk.say(3)
    drivers[1].talk.say("{0} [b]&lt; %s")
    expected = [Said(1, "Goed gespeeld!"), Said(1, 3), Said(1, "{0} [b]&lt; %s")]
    await until(lambda: [len(words) for words in heard] == [3, 3, 3])

    assert heard == [expected] * 3


@pytest.mark.must("M20")
async def test_what_cannot_be_shown_is_not_said(world: World) -> None:
    """Control sequences, direction marks and piles of accents are left out; what is over 200 bytes too."""
    drivers = await world.table("Joep")
    heard = await listen(drivers[0], world)
    drivers[1].talk.say("\x1b[2J\x1b]0;x\x07ho\u202ela\n\u200bdag e" + "\u0301" * 30)
    drivers[1].talk.say("é" * 150)
    await until(lambda: len(heard) == 2)
    first, second = heard

    assert first == Said(1, "ho la dag é\u0301\u0301")
    assert second == Said(1, "é" * 100)


@pytest.mark.parametrize("said", ["", "  \u200b ", 0, 10, -1])
async def test_nothing_is_no_chat(world: World, said: str | int) -> None:
    """An empty line and a phrase that does not exist are refused to who says them."""
    driver, _ = await world.table("Joep")
    with pytest.raises(NotNow) as caught:
        driver.talk.say(said)

    assert caught.value.code == "node/nothing-said"


@pytest.mark.must("M19")
async def test_our_own_talk_is_limited(world: World) -> None:
    """After a few lines at once the next is refused, and nobody hears it; the others got the rest."""
    drivers = await world.table("Joep")
    heard = await listen(drivers[0], world)
    for number in range(int(OWN_BURST)):
        drivers[1].talk.say(str(number))
    with pytest.raises(NotNow) as caught:
        drivers[1].talk.say("too much")
    with pytest.raises(NotNow):
        drivers[1].talk.set_pause(on=True)
    with pytest.raises(NotNow):
        drivers[1].talk.set_away(away=True)
    await until(lambda: len(heard) == OWN_BURST)

    assert caught.value.code == "node/not-so-fast"
    assert dropped(drivers[0], "limit/rate") == 0


async def test_nothing_is_said_into_the_void(world: World) -> None:
    """Without a connection a line is refused: nobody would hear it, or everybody much later."""
    drivers = await world.table("Joep")
    world.links["Joep"].drop()
    await until(lambda: drivers[1].connection().state == "down")
    with pytest.raises(NotNow) as caught:
        drivers[1].talk.say(1)

    assert caught.value.code == "node/nobody-hears"


async def test_a_muted_seat_is_not_heard(world: World) -> None:
    """What a muted seat says is dropped here only; heard again, it begins with what it says then."""
    drivers = await world.table("Joep", "Anna")
    host, other = [await listen(driver, world) for driver in (drivers[0], drivers[2])]
    drivers[0].talk.mute(1)
    drivers[1].talk.say("one")
    await until(lambda: len(other) == 1)
    assert drivers[0].talk.standing().muted == (1,)
    drivers[0].talk.mute(1, on=False)
    drivers[1].talk.say("two")
    await until(lambda: len(other) == 2)
    await until(lambda: bool(host))

    assert host == [Said(1, "two")]


async def test_a_muted_seat_makes_no_news(world: World) -> None:
    """Who is away, and a pause, count for a muted seat as for others, but are not told as news."""
    drivers = await world.table("Joep", "Anna")
    heard = await listen(drivers[0], world)
    drivers[0].talk.mute(1)
    drivers[1].talk.set_away(away=True)
    drivers[1].talk.set_pause(on=True)
    await until(lambda: drivers[0].talk.standing() == Standing(away=(1,), muted=(1,), paused_by=1))
    drivers[2].talk.say("hm")
    await until(lambda: bool(heard))

    assert heard == [Said(2, "hm")]


@pytest.mark.must("M18")
async def test_replayed_and_doubled_words_are_heard_once(world: World) -> None:
    """A signed line that is sent again, at once or later, is dropped; so is an older one."""
    drivers = await world.table("Joep")
    heard = await listen(drivers[0], world)
    lines = [by(drivers[1], Chat(epoch=5, count=count, said=str(count))) for count in (1, 2)]
    await send(world, drivers[0], 1, lines[1], lines[1], lines[0])
    await until(lambda: dropped(drivers[0], "node/stale") == 2)

    assert heard == [Said(1, "2")]


async def test_nobody_speaks_for_another(world: World) -> None:
    """Strangers' words, another seat's words on a topic, and words of another table are refused."""
    drivers = await world.table("Joep", "Anna")
    heard = await listen(drivers[0], world)
    word = Chat(epoch=9, count=9, said="I am Joep")
    stranger = SigningKey(b"x" * 32)
    table = drivers[0].view().table
    forged = bytearray(by(drivers[1], word))
    forged[-1] ^= 1
    await send(
        world,
        drivers[0],
        1,
        sign(stranger, table, word),
        by(drivers[2], word),
        sign(drivers[1]._who.key, b"t" * 16, word),
        bytes(forged),
        sign(stranger, table, Pause(number=1, on=True)),
        by(drivers[1], Heartbeat(epoch=9, count=9, step=1, head=bytes(32), have=0, leaving=False)),
        b"x" * (MAX_TALK + 1),
    )
    await until(lambda: dropped(drivers[0], "wire/size") == 1)

    assert heard == []
    assert dropped(drivers[0], "node/signer") == 3
    assert [dropped(drivers[0], f"node/{code}") for code in ("table", "signature", "channel")] == [1, 1, 1]


@pytest.mark.must("M19")
async def test_a_flood_of_talk_costs_no_signature_check(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the limit of a seat nothing is even looked at, others are heard as before, and the game goes on."""
    drivers = await world.table("Joep", "Anna")
    heard = await listen(drivers[0], world)
    looked = 0

    def counted(payload: bytes) -> Signed:
        nonlocal looked
        looked += 1
        return peek(payload)

    monkeypatch.setattr("node.talk.peek", counted)
    lines = [by(drivers[1], Chat(epoch=5, count=count, said="spam")) for count in range(300)]
    await send(world, drivers[0], 1, *lines)
    await until(lambda: dropped(drivers[0], "limit/rate") + len(heard) >= 300)
    flooded = looked
    drivers[2].talk.say("hello")
    await until(lambda: Said(2, "hello") in heard)
    await play_out(*drivers)

    assert flooded < 10 * TALK_BURST  # two nodes look, and time refills a little
    assert len({driver.view().head for driver in drivers}) == 1


@pytest.mark.must("M3")
async def test_talk_is_no_part_of_the_game(world: World) -> None:
    """The same table with and without talk has its log alone in the journal."""
    drivers = await world.table("Joep")
    await calm(*drivers)
    before = [len(driver._worker.log_frames()) for driver in drivers]
    drivers[1].talk.say("hello")
    drivers[1].talk.set_away(away=True)
    drivers[1].talk.set_pause(on=True)
    await until(lambda: drivers[0].talk.paused)

    assert [len(driver._worker.log_frames()) for driver in drivers] == before


# ------------------------------------------------------------------ away


@pytest.mark.must("M21")
async def test_away_and_back(world: World) -> None:
    """Who says so is away for all; a move of theirs brings them back."""
    drivers = await world.table("Joep")
    heard = await listen(drivers[0], world)
    await calm(*drivers)
    await until(lambda: any(d.view().my_turn for d in drivers))
    moving = next(d for d in drivers if d.view().my_turn)
    seat = moving.view().me
    assert seat is not None
    moving.talk.set_away(away=True)
    moving.talk.set_away(away=True)
    await until(lambda: all(d.talk.standing().away == (seat,) for d in drivers))
    await moving.submit(Draw())
    await until(lambda: all(d.talk.standing() == Standing() for d in drivers))
    await until(lambda: len(heard) == 2)

    assert heard == [AwayChanged(seat, away=True), AwayChanged(seat, away=False)]


@pytest.mark.must("M23")
async def test_a_lost_word_about_being_away_is_told_again(world: World) -> None:
    """Away is repeated with the heartbeat, and an old word of it cannot come back."""
    drivers = await world.table("Joep")
    world.net.cut("host")
    drivers[1].talk.set_away(away=True)
    old = drivers[1].talk._away_payloads[1]
    world.net.mend("host")
    drivers[1]._beat = 0.0
    drivers[1]._poke.set()
    await until(lambda: drivers[0].talk.standing().away == (1,))
    drivers[1].talk.set_away(away=False)
    await until(lambda: drivers[0].talk.standing().away == ())
    await send(world, drivers[0], 1, old)
    await until(lambda: dropped(drivers[0], "node/stale") == 1)

    assert drivers[0].talk.standing() == Standing()


@pytest.mark.must("M21")
async def test_a_node_that_starts_again_is_not_away(tmp_path: Path) -> None:
    """Whoever comes back after having closed the program is there, without saying so."""
    async with AsyncExitStack() as stack:
        world = World(tmp_path, stack)
        host = await world.host()
        visit = AsyncExitStack()
        joiner = await world.join("Joep", visit)
        _, first = await host.start()
        second = await visit.enter_async_context(joiner.play())
        await calm(first, second)
        second.talk.set_away(away=True)
        await until(lambda: first.talk.standing().away == (1,))
        await visit.aclose()
        back = await stack.enter_async_context(resume_table(second.journal, broker=BROKER, connect=world.link("again")))
        await until(lambda: first.talk.standing().away == ())

        assert back.talk.standing() == Standing()


# ------------------------------------------------------------------ pause


@pytest.mark.must("M24")
async def test_bots_stop_in_a_pause_and_go_on_after_it(world: World) -> None:
    """In a pause no bot moves, nobody may claim, and whoever asked is told; anybody may end it."""
    drivers = await world.table("Joep", "Anna")
    await calm(*drivers)
    drivers[1].talk.set_pause(on=True)
    await until(lambda: all(d.talk.standing().paused_by == 1 for d in drivers))
    step = drivers[0].view().step
    players = [asyncio.create_task(_bot(d)) for d in drivers]
    for driver in drivers:
        driver._changed.set()  # news comes, but no bot moves for it
    with pytest.raises(NotNow) as caught:
        await drivers[0].submit(Claim((2,)))
    for _ in range(50):
        await asyncio.sleep(0)
    still = {d.view().step for d in drivers}
    drivers[2].talk.set_pause(on=False)
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*players)

    assert caught.value.code == "node/paused"
    assert still == {step}
    assert len({d.view().head for d in drivers}) == 1


async def _bot(driver: TableDriver) -> None:
    async for _ in play(driver, (0.0, 0.0)):
        pass


async def test_anybody_asks_for_a_pause_and_people_talk_on_in_it(world: World) -> None:
    """Whoever asks, the others are in the pause too, and what is said in it is heard without ending it."""
    drivers = await world.table("Joep", "Anna")
    heard = [await listen(driver, world) for driver in drivers]
    for seat, driver in enumerate(drivers):
        driver.talk.set_pause(on=True)
        await until(lambda: all(d.talk.paused for d in drivers))
        driver.talk.say("koffie?")
        said = Said(seat, "koffie?")
        await until(lambda: all(said in words for words in heard))  # noqa: B023  it is waited for here
        paused = [d.talk.standing().paused_by for d in drivers]
        driver.talk.set_pause(on=False)
        await until(lambda: not any(d.talk.paused for d in drivers))

        assert paused == [seat] * 3


@pytest.mark.must("M24")
async def test_a_move_of_a_person_ends_the_pause(world: World) -> None:
    """Who moves goes on playing: the pause is over for all, and they are told by whom."""
    drivers = await world.table("Joep")
    heard = [await listen(driver, world) for driver in drivers]
    await calm(*drivers)
    await until(lambda: any(d.view().my_turn for d in drivers))
    moving = next(d for d in drivers if d.view().my_turn)
    seat = moving.view().me
    assert seat is not None
    drivers[1 - seat].talk.set_pause(on=True)
    await until(lambda: all(d.talk.paused for d in drivers))
    await moving.submit(Draw())
    await until(lambda: not any(d.talk.paused for d in drivers))
    await until(lambda: [len(words) for words in heard] == [2, 2])

    assert heard == [[PauseChanged(1 - seat, on=True), PauseChanged(seat, on=False)]] * 2


@pytest.mark.must("M22")
async def test_two_who_ask_at_once_get_one_pause(world: World) -> None:
    """Statements that cross end in the same pause for all, and one word ends it."""
    drivers = await world.table("Joep", "Anna")
    drivers[2].talk.set_pause(on=True)
    drivers[1].talk.set_pause(on=True)
    await until(lambda: all(d.talk.standing().paused_by == 1 for d in drivers))
    drivers[0].talk.set_pause(on=False)
    await until(lambda: not any(d.talk.paused for d in drivers))

    assert {d.talk._pause.number for d in drivers} == {1}


@pytest.mark.must("M22")
async def test_an_old_pause_does_not_come_back(world: World) -> None:
    """A statement about a pause that is over changes nothing, whoever sends it again."""
    drivers = await world.table("Joep")
    drivers[1].talk.set_pause(on=True)
    asked = drivers[1].talk.kept
    await until(lambda: drivers[0].talk.paused)
    drivers[0].talk.set_pause(on=False)
    await until(lambda: not drivers[1].talk.paused)
    drivers[0].talk.take()
    heard = await listen(drivers[0], world)
    await send(world, drivers[0], 1, asked, by(drivers[1], Chat(epoch=9, count=9, said="after")))
    await until(lambda: Said(1, "after") in heard)

    assert not drivers[0].talk.paused
    assert heard == [Said(1, "after")]


async def test_numbers_of_pauses_can_be_used_up(world: World) -> None:
    """Somebody who takes the highest number leaves no pause to ask for, but the last one can be ended."""
    drivers = await world.table("Joep")
    await send(world, drivers[0], 1, by(drivers[1], Pause(number=MAX_UINT, on=True)))
    await until(lambda: all(d.talk.paused for d in drivers[:1]))
    drivers[0].talk.set_pause(on=False)
    with pytest.raises(NotNow) as caught:
        drivers[0].talk.set_pause(on=True)

    assert caught.value.code == "node/no-pause"


@pytest.mark.must("M23")
async def test_a_pause_outlives_a_lost_connection(world: World) -> None:
    """A node that was cut off when the pause was asked for hears of it when it is back, from any other."""
    drivers = await world.table("Joep", "Anna")
    world.links["Anna"].drop()
    await until(lambda: drivers[2].connection().state == "down")
    drivers[1].talk.set_pause(on=True)
    await until(lambda: drivers[0].talk.paused)
    world.links["Joep"].drop()
    world.links["Anna"].restore()
    drivers[0]._beat = 0.0
    drivers[0]._poke.set()
    await until(lambda: drivers[2].talk.paused)

    assert drivers[2].talk.standing().paused_by == 1


async def test_after_three_days_everybody_resumes_into_the_pause(tmp_path: Path) -> None:
    """All close their programs in a pause; resumed at another address, the pause is still on, and the game ends."""
    async with AsyncExitStack() as stack:
        world = World(tmp_path, stack)
        evening = World(tmp_path, AsyncExitStack(), world.net)
        drivers = await evening.table("Joep")
        await calm(*drivers)
        drivers[1].talk.set_pause(on=True)
        await until(lambda: drivers[0].talk.paused)
        await evening.stack.aclose()
        moved = BrokerAddress("elsewhere", 2)
        back = [
            await stack.enter_async_context(
                resume_table(driver.journal, broker=moved, connect=world.link(f"back {driver.view().me}"))
            )
            for driver in drivers
        ]
        paused = [driver.talk.standing().paused_by for driver in back]
        back[0].talk.set_pause(on=False)
        await until(lambda: not back[1].talk.paused)
        await play_out(*back)

        assert paused == [1, 1]
        assert len({driver.view().head for driver in back}) == 1


async def test_a_kept_pause_that_is_none_is_left(tmp_path: Path) -> None:
    """A note about talk that cannot be read costs nothing but the pause."""
    async with AsyncExitStack() as stack:
        world = World(tmp_path, stack)
        evening = World(tmp_path, AsyncExitStack(), world.net)
        drivers = await evening.table("Joep")
        await calm(*drivers)
        word = by(drivers[1], Away(epoch=1, count=1, away=True))
        drivers[0]._worker._journal.update_settings(talk="no hex")
        drivers[1]._worker._journal.update_settings(talk=word.hex())
        await evening.stack.aclose()
        back = [
            await stack.enter_async_context(
                resume_table(driver.journal, broker=BROKER, connect=world.link(f"back {driver.view().me}"))
            )
            for driver in drivers
        ]
        await play_out(*back)

        assert dropped(back[1], "journal/talk") == 1
        assert len({driver.view().head for driver in back}) == 1


async def test_talk_has_a_filter_of_its_own(world: World) -> None:
    """Whoever subscribes to the talk of a table hears only that, and what is said is signed."""
    drivers = await world.table("Joep")
    async with world.link("listener")(BROKER) as link:
        link.subscribe(channel_filter(drivers[0].view().table, "c"))
        drivers[1].talk.say("hello")
        async with asyncio.timeout(PATIENCE):
            heard = await anext(s async for s in link.signals() if isinstance(s, Incoming))

    assert heard.topic == node_topic(drivers[0].view().table, "c", drivers[1]._who.key.public)
