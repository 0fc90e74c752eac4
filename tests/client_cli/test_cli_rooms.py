"""The waiting room and the search for a table, with typed lines and networks made by the test."""

from __future__ import annotations

import argparse
import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from client_cli.commands import host as hosts
from client_cli.commands import join as joins
from client_cli.commands.context import Context, UsageError
from client_cli.commands.host import HostCommands
from client_cli.commands.join import Place, Sift, find_place, with_a_seat
from client_cli.commands.options import broker_of
from client_cli.commands.waiting import room_lines, wait_in_room
from client_cli.commands.watch import under_way
from node.addresses import BrokerAddress, parse_address
from node.crew import Crew
from node.discovery import Found
from node.messages import Announce, Chair, sign, table_id, table_name
from node.offers import Offer, read_offer
from node.profile import Profile
from node.room import LobbyError, Room
from node.table_code import CodeError, TableCode
from node.ticket import Ticket
from protocol.rules.ruleset import canonical, preset, with_overrides
from tests.node.nodes import World
from tests.node.test_joining_tables import HOST, OFFER
from tests.node.test_joining_tables import TABLE as HOSTED

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

RULES = preset("klassiek")
TABLE = table_id(b"k" * 32, b"n" * 16)
ROOM = Room(
    table=TABLE,
    title="Truus",
    rules=RULES,
    rules_name="klassiek",
    seats=3,
    max_rounds=0,
    chairs=(Chair("Truus", bot=False, key=b"k" * 32), Chair("Bep", bot=True, key=b"b" * 32)),
    me=0,
    addresses=("192.168.1.5:1883",),
)


def a_context(tmp_path: Path, lang: str = "en") -> Context:
    """A context with a folder of the test's own."""
    return Context(lang=lang, ascii=False, profile=Profile(data=tmp_path, logs=tmp_path / "log"))


async def given(*lines: str, after: asyncio.Event | None = None) -> AsyncIterator[str]:
    """These lines, then nothing for ever (a person who waits)."""
    for line in lines:
        yield line
    await (after or asyncio.Event()).wait()


async def rooms(*states: Room, end: bool = False) -> AsyncIterator[Room]:
    """These states of the room, then nothing for ever, or the end."""
    for state in states:
        yield state
    if not end:
        await asyncio.Event().wait()


@pytest.mark.parametrize(
    ("lang", "lines"),
    [
        (
            "nl",
            [
                "Tafel van Truus, regelkaart klassiek",
                "Of op adres: duizenden join 192.168.1.5:1883",
                "  1  Truus (jij)",
                "  2  Bep (bot)",
                "  3  vrij",
            ],
        ),
        (
            "en",
            [
                "Table of Truus, rule card klassiek",
                "Or by address: duizenden join 192.168.1.5:1883",
                "  1  Truus (you)",
                "  2  Bep (bot)",
                "  3  free",
            ],
        ),
    ],
)
def test_the_room_in_words(tmp_path: Path, lang: str, lines: list[str]) -> None:
    """The room shows the rule card, how to join, and every seat: who, whether a bot, which is ours, which is free."""
    assert room_lines(ROOM, a_context(tmp_path, lang)) == lines


def test_the_room_tells_what_matters(tmp_path: Path) -> None:
    """House rules, a limit of rounds and a lost connection are shown, so that nobody joins unaware."""
    room = replace(ROOM, rules=with_overrides(RULES, {"opening_minimum": 40}), max_rounds=5, connected=False)
    shown = "\n".join(room_lines(room, a_context(tmp_path)))

    assert "5 rounds" in shown
    assert "House rules: " in shown
    assert "40" in shown
    assert "not connected" in shown


async def test_waiting_ends_when_the_game_begins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The end of the updates is the start of the game; an unchanged room is not printed twice."""

    async def never(_: str) -> bool:
        return False

    begun = await wait_in_room(rooms(ROOM, ROOM, end=True), given(), never, a_context(tmp_path), "hint")

    assert begun
    assert capsys.readouterr().out.count("Truus (you)") == 1


async def test_waiting_ends_when_the_person_leaves(tmp_path: Path) -> None:
    """A line that ends the waiting ends it, and so does the end of the lines."""

    async def stop(line: str) -> bool:
        return line == "stop"

    no_lines: tuple[str, ...] = ()

    async def end_of_input() -> AsyncIterator[str]:
        for line in no_lines:
            yield line

    typed = await wait_in_room(rooms(ROOM), given("what", "stop"), stop, a_context(tmp_path), "hint")
    ended = await wait_in_room(rooms(ROOM), end_of_input(), stop, a_context(tmp_path), "hint")

    assert (typed, ended) == (False, False)


async def test_what_the_host_may_type(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host adds bots, sends players away and begins; what cannot be is answered, and nothing ends by mistake."""
    added: list[str] = []
    monkeypatch.setattr(hosts, "add_bot", lambda *_: added.append("bot"))
    async with AsyncExitStack() as stack, Crew() as crew:
        world = World(tmp_path, stack)
        table = await world.host(seats=2)
        commands = HostCommands(table, crew, a_context(tmp_path))
        alone = [await commands.obey(line) for line in ("", "start", "bot", "weg 1", "weg 2", "remove x", "hocus")]
        await world.join("Joep")
        together = [await commands.obey(line) for line in ("BOT", "Regels", "weg 2", "stop")]
        left = [chair.name for chair in table.room().chairs]
        await world.join("Anna")
        begins = await commands.obey("Start")
    said = capsys.readouterr().out

    assert alone == [False] * 7
    assert together == [False, False, False, True]
    assert "[our choice]" in said
    assert (added, left) == (["bot"], ["Truus"])
    assert (begins, commands.begin) == (True, True)
    assert [said.count(part) for part in ("join first", "Nobody sits there", "do not know", "Every seat")] == [
        2,
        2,
        2,
        1,
    ]


async def test_the_waiting_room_in_plain_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host has numbered choices, and each answer ends by asking; where a bot comes, the news of the room asks."""
    added: list[str] = []
    monkeypatch.setattr(hosts, "add_bot", lambda *_: added.append("bot"))
    context = replace(a_context(tmp_path), linear=True)
    async with AsyncExitStack() as stack, Crew() as crew:
        world = World(tmp_path, stack)
        table = await world.host(seats=2)
        commands = HostCommands(table, crew, context)
        answers: dict[str, list[str]] = {}
        for line in ("", "1", "2", "3", "9", "help", "4"):
            ended = await commands.obey(line)
            answers[line] = capsys.readouterr().out.splitlines()
            assert ended == (line == "4")
        await world.join("Joep")
        full, begins = await commands.obey("2"), await commands.obey("1")

    choices = commands.hint.splitlines()
    assert choices[:4] == ["1. Begin the game.", "2. Add a bot.", "3. Read the rules out.", "4. Close the table."]
    assert [lines[-1] for line, lines in answers.items() if line not in {"2", "4"}] == ["What will you do?"] * 5
    assert answers["1"][0].startswith("Somebody has to join first")
    assert (answers["2"], answers["4"], added) == ([], [], ["bot"])
    assert "[our choice]" in "".join(answers["3"])
    assert all(answers[line][-1 - len(choices) : -1] == choices for line in ("", "9", "help"))
    assert "remove 2" in answers["help"][0]
    assert capsys.readouterr().out.splitlines() == ["Every seat is taken.", "What will you do?"]
    assert (full, begins, commands.begin) == (False, True, True)


async def test_news_of_the_waiting_room_asks_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In plain lines the host is asked after the room and after everybody who comes or goes, not for a connection."""
    context = replace(a_context(tmp_path), linear=True)
    fewer = replace(ROOM, chairs=ROOM.chairs[:1])
    states = rooms(fewer, replace(fewer, connected=False), fewer, ROOM, end=True)
    await wait_in_room(states, given(), lambda _: asyncio.sleep(0, result=False), context, "hint", "What now?")
    told = capsys.readouterr().out.splitlines()

    assert [told[place - 1] for place, line in enumerate(told) if line == "What now?"] == [
        "hint",
        "2 of 3 seats are taken.",
    ]


@pytest.mark.parametrize("linear", [False, True])
async def test_what_a_guest_may_type(
    linear: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Help and a word that is none tell what may be typed while the host has not begun; a word for leaving leaves."""
    monkeypatch.setattr(joins, "typed_lines", lambda _: given("help", "hocus", "stop"))
    async with AsyncExitStack() as stack:
        world = World(tmp_path, stack)
        await world.host(seats=2)
        guest = await world.join("Joep")
        begun = await joins._wait(guest, replace(a_context(tmp_path), linear=linear))
    said = capsys.readouterr().out

    assert not begun
    assert said.count("Waiting for Truus to begin.") >= 2
    assert said.count("I do not know that.") == 1


# ------------------------------------------------------------------------------------------ finding a table

NEAR = parse_address("192.168.1.5")
FAR = parse_address("10.1.1.1:2000")
OTHER = table_id(b"o" * 32, b"n" * 16)


def found(table: bytes, *addresses: BrokerAddress, version: str = "1") -> Found:
    """A table that multicast DNS showed."""
    return Found(table=table_name(table), name="Truus", taken=1, seats=4, version=version, addresses=addresses)


def offer(table: bytes, seats: int = 4, *, begun: bool = False) -> Offer:
    """A table that a broker showed."""
    announce = Announce(
        nonce=b"n" * 16,
        revision=1,
        app="",
        title="Truus",
        rules_name="klassiek",
        rules=canonical(RULES),
        seats=seats,
        max_rounds=0,
        seeded=False,
        chairs=ROOM.chairs,
        issued=0,
        expires=0,
        open=not begun,
    )
    return Offer(table, b"k" * 32, RULES, announce)


async def search(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    where: str | None,
    *,
    lan: tuple[Found, ...] = (),
    offers: tuple[Offer, ...] = (),
    answers: tuple[BrokerAddress, ...] = (NEAR, FAR),
    broker: BrokerAddress | None = None,
    typed: str = "",
    sift: Sift = with_a_seat,
) -> Place:
    """What `find_place` finds in this world."""

    async def browse(_: float) -> list[Found]:
        return list(lan)

    async def find_offers(_: BrokerAddress) -> tuple[Offer, ...]:
        return offers

    async def first_reachable(addresses: tuple[BrokerAddress, ...], _: float) -> BrokerAddress | None:
        return next((a for a in addresses if a in answers), None)

    async def ask(_: str) -> str:
        return typed

    monkeypatch.setattr(joins, "browse", browse)
    monkeypatch.setattr(joins, "find_offers", find_offers)
    monkeypatch.setattr(joins, "first_reachable", first_reachable)
    monkeypatch.setattr("sys.stdin.isatty", lambda: bool(typed), raising=False)
    return await find_place(where, broker, a_context(tmp_path), ask, sift)


async def test_the_only_table_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With one table on the home network nothing needs to be typed; its first address that answers is used."""
    place = await search(tmp_path, monkeypatch, None, lan=(found(TABLE, FAR, NEAR),), answers=(NEAR,))

    assert place == Place(NEAR, TABLE)


async def test_the_broker_used_last_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When nothing is announced, the table on the broker used last is found; without one there, nothing is."""
    a_context(tmp_path).profile.remember(broker=NEAR.url())
    offers = (offer(TABLE),)
    there = await search(tmp_path, monkeypatch, None, offers=offers, answers=(NEAR,))
    with pytest.raises(UsageError):
        await search(tmp_path, monkeypatch, None, offers=offers, answers=())
    elsewhere = await search(tmp_path, monkeypatch, None, lan=(found(OTHER, FAR),), offers=offers, answers=(NEAR, FAR))

    assert there == Place(NEAR, TABLE)
    assert elsewhere == Place(FAR, OTHER)


async def test_one_of_several_is_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With several tables the person is asked, or names one by the beginning of its id."""
    lan = (found(TABLE, NEAR), found(OTHER, FAR))
    asked = await search(tmp_path, monkeypatch, None, lan=lan, typed="2")
    named = await search(tmp_path, monkeypatch, table_name(OTHER)[:8], lan=lan)
    whole = await search(tmp_path, monkeypatch, table_name(TABLE), lan=lan)

    assert (asked, named, whole) == (Place(FAR, OTHER), Place(FAR, OTHER), Place(NEAR, TABLE))


async def test_a_full_table_is_chosen_by_who_looks_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who wants to sit down goes to the only table with a free seat; who looks on chooses, and reads which is full."""
    lan = (replace(found(TABLE, NEAR), taken=4), found(OTHER, FAR))
    sits = await search(tmp_path, monkeypatch, None, lan=lan)
    with pytest.raises(UsageError) as several:
        await search(tmp_path, monkeypatch, None, lan=lan, sift=under_way)

    assert sits == Place(FAR, OTHER)
    assert "1  table of Truus, 4/4 taken, full; 2  table of Truus, 1/4 taken" in str(several.value)


@pytest.mark.parametrize(
    ("shown", "rest"), [(offer(TABLE, 5), "klassiek"), (offer(TABLE, 4, begun=True), "klassiek, already begun")]
)
async def test_a_table_on_a_broker_tells_its_card_and_whether_it_has_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shown: Offer, rest: str
) -> None:
    """In the list of a broker each table has its rule card, and after it what keeps one from sitting down."""
    offers = (shown, replace(shown, table=OTHER))
    with pytest.raises(UsageError) as several:
        await search(tmp_path, monkeypatch, "192.168.1.5", offers=offers, sift=under_way)

    assert f"taken, {rest}  ({table_name(TABLE)[:8]})" in str(several.value)


@pytest.mark.parametrize(
    ("where", "world", "error"),
    [
        (None, {}, "e.not_found"),
        (None, {"lan": (found(TABLE, NEAR), found(OTHER, FAR))}, "e.several"),
        (None, {"lan": (found(TABLE, NEAR), found(OTHER, FAR)), "typed": "3"}, "room.unknown"),
        (None, {"lan": (found(TABLE, NEAR),), "answers": ()}, "lobby/unreachable"),
        (table_name(TABLE), {"lan": (found(OTHER, NEAR),)}, "e.not_found"),
        ("192.168.1.5", {}, "lobby/no-table"),
        ("192.168.1.5", {"offers": (offer(TABLE, begun=True),)}, "lobby/no-table"),
        ("192.168.1.5", {"answers": ()}, "lobby/unreachable"),
        ("192.168.1.5:x", {}, "e.address"),
        ("nonsense", {"broker": NEAR}, "e.address"),
        ("39QM-36", {}, "code/typo"),
        ("39QM-36", {"broker": NEAR}, "code/typo"),
        ("FDTK-2JJQ", {}, "e.code_broker"),
        ("39QM-35", {"answers": ()}, "lobby/nobody"),
    ],
)
async def test_what_is_said_when_there_is_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str | None, world: dict[str, object], error: str
) -> None:
    """Each way of not finding a table has its own answer."""
    from client_cli.commands.words import WORDS

    with pytest.raises((UsageError, LobbyError, CodeError)) as caught:
        await search(tmp_path, monkeypatch, where, **world)  # type: ignore[arg-type]
    code = getattr(caught.value, "code", None)
    begin = WORDS[error][1].split("{")[0]

    assert code == error or str(caught.value).startswith(begin)


async def test_a_table_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table code leads to its broker; one that names none, to the table of that name on the broker told with it."""
    coded = BrokerAddress("192.168.1.20")
    offers = (offer(TABLE), offer(OTHER))
    alone = await search(tmp_path, monkeypatch, "39QM-35", offers=offers[:1], answers=(coded,))
    begins = str(TableCode(table=table_name(OTHER)[:6]))
    named = await search(tmp_path, monkeypatch, begins, broker=FAR, offers=offers)

    assert (alone, named) == (Place(coded, TABLE), Place(FAR, OTHER))


def test_whom_to_trust(tmp_path: Path) -> None:
    """What --broker, --ca and --fingerprint say together becomes one address; what does not go together is refused."""
    context = a_context(tmp_path)
    cert = tmp_path / "ca.pem"
    cert.touch()

    def read(broker: str | None, ca: str | None = None, fingerprint: str | None = None) -> BrokerAddress | None:
        return broker_of(argparse.Namespace(broker=broker, ca=ca, fingerprint=fingerprint), context)

    assert read(None) is None
    assert read("mqtts://qa", str(cert)) == BrokerAddress("qa", 8883, tls=True, ca=str(cert))
    pinned = read("mqtts://qa", None, ":".join(["AB"] * 32))
    assert pinned == BrokerAddress("qa", 8883, tls=True, fingerprint="ab" * 32)
    for bad in ((None, str(cert)), ("mqtt://qa", str(cert)), ("mqtts://qa", "nowhere"), ("mqtts://qa", None, "12")):
        with pytest.raises(UsageError):
            read(*bad)


async def test_a_sealed_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The code of a sealed table carries its secret; found by itself, the table is there but its code is asked for."""
    coded, secret = BrokerAddress("192.168.1.20"), bytes(range(8))
    whole, bare = TableCode(host="192.168.1.20", secret=secret), TableCode(secret=secret)
    lan = (replace(found(TABLE, NEAR), sealed=True),)
    typed = await search(tmp_path, monkeypatch, str(whole), answers=(coded,))
    asked = await search(tmp_path, monkeypatch, None, lan=lan, typed=str(bare))
    elsewhere = await search(tmp_path, monkeypatch, str(bare), broker=FAR)
    with pytest.raises(UsageError, match="sealed table"):
        await search(tmp_path, monkeypatch, None, lan=lan)
    with pytest.raises(CodeError):
        await search(tmp_path, monkeypatch, None, lan=lan, typed="no code")

    assert (typed, asked, elsewhere) == (
        Place(coded, None, secret),
        Place(NEAR, None, secret),
        Place(FAR, None, secret),
    )


async def test_a_typed_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At a typed address the open table is meant, full ones only if there is no other."""
    single = await search(tmp_path, monkeypatch, "192.168.1.5", offers=(offer(OTHER, seats=2), offer(TABLE)))
    full = await search(tmp_path, monkeypatch, "192.168.1.5", offers=(offer(OTHER, seats=2),))
    named = await search(tmp_path, monkeypatch, table_name(OTHER), broker=FAR)

    assert (single, full, named) == (Place(NEAR, TABLE), Place(NEAR, OTHER), Place(FAR, OTHER))


async def test_a_seat_that_was_kept_is_found_at_an_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that began while its joiner was away is found again where it is; that of others is not."""
    shown = read_offer(HOSTED, sign(HOST, HOSTED, OFFER))
    kept = {"name": "Joep", "bot": False, "files": [], "records": None, "auto_continue": False, "broker": "h"}
    ticket = Ticket.write(a_context(tmp_path).profile.games, shown, b"s" * 32, b"t" * 32, kept)
    ticket.close()
    begun = (offer(HOSTED, begun=True), offer(OTHER, begun=True))
    back = await search(tmp_path, monkeypatch, "192.168.1.5", offers=begun)
    ticket.spend()
    with pytest.raises(LobbyError) as caught:
        await search(tmp_path, monkeypatch, "192.168.1.5", offers=begun)

    assert (back, caught.value.code) == (Place(NEAR, HOSTED), "lobby/no-table")


async def test_who_looks_on_means_the_game_that_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the tables at an address the one that has begun is meant, one that waits for players only if there is none."""
    both = (offer(TABLE), offer(OTHER, begun=True))
    begun = await search(tmp_path, monkeypatch, "192.168.1.5", offers=both, sift=under_way)
    waiting = await search(tmp_path, monkeypatch, "192.168.1.5", offers=both[:1], sift=under_way)

    assert (begun, waiting) == (Place(NEAR, OTHER), Place(NEAR, TABLE))
