"""The small parts of a node: rate limits, the router, background tasks, profile, entropy, game files on disk."""

from __future__ import annotations

import asyncio
import getpass
import os
import stat
from typing import TYPE_CHECKING

import pytest

from node import gamefile, profile
from node.app import own_broker, reachable
from node.broker import EmbeddedBroker
from node.entropy import SeededEntropy, SystemEntropy
from node.guard import Bucket, Drops
from node.memory import MemoryLink, MemoryNet
from node.profile import Profile, clean_name, default_name, load_profile, marks_pile_up, write_private
from node.router import Router
from node.tasks import background
from node.topics import Topic, lobby_topic, node_topic
from node.transport import Down, Incoming, Lost, Up
from protocol.errors import WireError
from protocol.rules.ruleset import preset
from protocol.session.gamefile import SUFFIX, read_records
from protocol.session.genesis import Genesis
from protocol.session.view import Player
from protocol.wire.limits import MAX_NAME
from tests.node.nodes import PATIENCE

if TYPE_CHECKING:
    from pathlib import Path

TABLE = b"t" * 16


# ------------------------------------------------------------------------------------------ rate limits


def test_a_bucket_allows_its_burst_and_its_rate() -> None:
    """A full bucket gives its burst at once, then its rate, and never saves more than its burst."""
    bucket = Bucket(rate=8, burst=5)
    at_once = sum(bucket.take(0.0) for _ in range(20))
    in_a_second = sum(bucket.take(t / 64) for t in range(1, 65))
    after_a_day = sum(bucket.take(86_400.0) for _ in range(20))

    assert (at_once, in_a_second, after_a_day) == (5, 8, 5)


def test_a_bucket_takes_several_or_none() -> None:
    """Several at once are taken together or not at all."""
    bucket = Bucket(1.0, 5.0)

    assert [bucket.take(0.0, 4), bucket.take(0.0, 2), bucket.take(0.0, 1), bucket.take(0.0)] == [
        True,
        False,
        True,
        False,
    ]


def test_a_bucket_ignores_a_clock_that_goes_back() -> None:
    """Time that goes backwards fills nothing."""
    bucket = Bucket(rate=8, burst=1)

    assert [bucket.take(t) for t in (5.0, 4.0, 5.0, 5.125)] == [True, False, False, True]


def test_drops_are_counted_by_code() -> None:
    """Every code has its own count, listed by name; an unknown one is zero."""
    drops = Drops()
    for code in ("b", "a", "b"):
        drops.count(code)

    assert drops.items() == (("a", 1), ("b", 2))
    assert drops["c"] == 0


# ------------------------------------------------------------------------------------------ the router


@pytest.fixture
async def router() -> Router:
    """A router over an idle transport."""
    return Router(MemoryLink(MemoryNet(), "me"))


@pytest.mark.must("T9")
async def test_messages_go_to_their_channel(router: Router) -> None:
    """A message goes to the handler of its table and channel, else to the one for every table, else it is counted."""
    got: list[tuple[str, Topic, bytes]] = []
    router.handle(TABLE, "m", lambda topic, data: got.append(("mine", topic, data)))
    router.handle(None, "m", lambda topic, data: got.append(("any", topic, data)))
    router.handle(TABLE, "p", lambda topic, data: got.append(("gone", topic, data)))
    router.ignore(TABLE, "p")
    other = b"o" * 16
    key = b"k" * 32
    for topic in (
        node_topic(TABLE, "m", key),
        node_topic(other, "m", key),
        node_topic(TABLE, "p", key),
        "a/b",
        lobby_topic(TABLE),
    ):
        router.route(Incoming(topic, b"x"))

    assert [(who, topic.table) for who, topic, _ in got] == [("mine", TABLE), ("any", other)]
    assert router.drops.items() == (("topic/unasked", 2), ("topic/unknown", 1))


async def test_no_handler_can_stop_the_router(router: Router) -> None:
    """Refusals are counted by code, mistakes as ours; the next message is routed all the same."""

    def refuse(_: Topic, data: bytes) -> None:
        if data == b"bug":
            raise ZeroDivisionError
        raise WireError("wire/size")

    router.handle(TABLE, "m", refuse)
    for data in (b"bug", b"big", b"bug", b"big"):
        router.route(Incoming(node_topic(TABLE, "m", b"k" * 32), data))

    assert router.drops.items() == (("node/internal", 2), ("wire/size", 2))


async def test_changes_of_the_connection_reach_everybody(router: Router) -> None:
    """Listeners hear every change in order; one that comes late hears the present state; losses are counted."""
    early: list[object] = []
    late: list[object] = []
    router.listen(early.append)
    states = []
    for signal in (Up(1), Lost("overflow"), Down("gone"), Up(2)):
        router.route(signal)
        states.append(router.state)
    router.listen(late.append)
    router.unlisten(early.append)
    router.route(Down("end"))

    assert early == [Up(1), Lost("overflow"), Down("gone"), Up(2)]
    assert (late[0], late[1:]) == (Up(0), [Down("end")])
    assert states == ["up", "up", "down", "up"]
    assert router.drops["overflow"] == 1


# ------------------------------------------------------------------------------------------ tasks


async def sleep_for_ever() -> None:
    """Work without an end."""
    await asyncio.Event().wait()


async def fail() -> None:
    """Work that fails."""
    await asyncio.sleep(0)
    raise OSError("disk full")


async def test_background_work_ends_with_its_context() -> None:
    """Background work is cancelled at the end of the context, and only then."""
    before = len(asyncio.all_tasks())
    async with background(sleep_for_ever(), "idle"):
        during = len(asyncio.all_tasks())

    assert (during - before, len(asyncio.all_tasks()) - before) == (1, 0)


async def test_failing_work_ends_the_body() -> None:
    """When the work fails, the body is cancelled and the error is the work's own, not a group."""
    with pytest.raises(OSError, match="disk full"):
        async with background(fail(), "failing"):
            await asyncio.wait_for(sleep_for_ever(), PATIENCE)


async def test_an_error_of_the_body_stays_what_it_is() -> None:
    """An error of the body leaves the context as it is, not in a group."""
    with pytest.raises(KeyError):
        async with background(sleep_for_ever(), "idle"):
            raise KeyError


# ------------------------------------------------------------------------------------------ broker


async def test_a_dead_broker_comes_back_on_its_port(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own broker is started again on its port when it dies, so that peers find it where they look."""
    monkeypatch.setattr("node.app.BROKER_CHECK", 0.05)
    brokers = []

    class Watched(EmbeddedBroker):
        """A broker whose process the test can see."""

        def start(self, timeout: float = 15.0) -> int:
            port = super().start(timeout)
            brokers.append((self.pid or 0, port))
            return port

    monkeypatch.setattr("node.app.EmbeddedBroker", Watched)
    async with own_broker(bind="127.0.0.1", port=0) as place:
        os.kill(brokers[0][0], 9)
        async with asyncio.timeout(PATIENCE):
            while len(brokers) < 2:  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    assert brokers[1][1] == brokers[0][1] == place.port
    assert brokers[1][0] != brokers[0][0]


def test_reachable_addresses() -> None:
    """A broker bound to one address is reachable there; the port is part of what people type."""
    assert reachable("127.0.0.1", 4000) == ("127.0.0.1:4000",)


# ------------------------------------------------------------------------------------------ profile


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("  Oma  Truus ", "Oma Truus"),
        ("a\nb\x00c", "a b c"),
        ("\x1b[31mOma\x1b[0m", "Oma"),
        ("\x1b]0;title\x07Oma\x9b2J", "Oma"),
        ("\x1b(BOma\x1b", "Oma"),
        ("[31m", "[31m"),
        ("", ""),
        ("x" * 50, "x" * 20),
        ("e\u0301", "\u00e9"),
        (" \u3164\u2800 ", ""),
        ("\u0301\u0301", ""),
        ("a\u0301\u0302\u0303\u0304\u0305b", "\u00e1\u0302\u0303b"),
        ("x\u0301\u0302 \u0303y", "x\u0301\u0302 y"),
    ],
)
def test_clean_names(text: str, name: str) -> None:
    """Names are single-spaced, printable, normalised and short."""
    assert clean_name(text) == name
    assert len(clean_name(text).encode()) <= MAX_NAME


@pytest.mark.parametrize(
    ("text", "piled"),
    [("Jos\u00e9", False), ("x\u0301\u0302", False), ("x\u0301\u0302\u0303", True), ("e\u0301\u0302\u0303", False)],
)
def test_marks_that_pile_up(text: str, piled: bool) -> None:
    """More than two marks on a letter, counted once it is composed, are too many; cleaning a name leaves two."""
    assert marks_pile_up(text) is piled
    assert not marks_pile_up(clean_name(text))


def test_a_machine_without_a_login_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the system knows no name for the user, there is a name all the same."""

    def nobody() -> str:
        raise KeyError("uid not found")

    monkeypatch.setattr(getpass, "getuser", nobody)

    assert default_name() == "Speler"


def test_what_a_profile_remembers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Name and broker are remembered in a private file; a damaged one counts as empty."""
    monkeypatch.setenv("DUIZENDEN_HOME", str(tmp_path / "home"))
    mine = load_profile()
    fresh = mine.name()
    mine.remember(name="Joep")
    mine.remember(broker="mqtt://h:1")
    settings = tmp_path / "home" / "settings.json"
    kept = (mine.name(), mine.recall("broker"), mine.recall("nothing"))
    mode = stat.S_IMODE(settings.stat().st_mode)
    settings.write_bytes(b"\xff{")

    assert fresh == default_name()
    assert kept == ("Joep", "mqtt://h:1", None)
    assert mode == 0o600
    assert mine.name() == default_name()


def test_private_folders(tmp_path: Path) -> None:
    """The folders for journals and records, and those above that were not there, can be entered by their owner only."""
    mine = Profile(data=tmp_path / "more" / "data", logs=tmp_path / "log")
    folders = [mine.games, mine.records, mine.data, mine.data.parent]

    assert {stat.S_IMODE(folder.stat().st_mode) for folder in folders} == {0o700}


def test_files_are_replaced_whole(tmp_path: Path) -> None:
    """A file is replaced whole, for its owner only, and nothing else stays in the folder."""
    path = tmp_path / "file"
    write_private(path, b"old")
    write_private(path, b"new")

    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"new", 0o600)
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the disk fails on the way, the old file is there as it was and no temporary file is left."""
    path = tmp_path / "file"
    write_private(path, b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("node.profile.os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_private(path, b"new")

    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_program_version() -> None:
    """The program knows its version when it is installed."""
    assert profile.app_version()


# ------------------------------------------------------------------------------------------ entropy and game files


def test_seeded_entropy_repeats_and_never_overlaps() -> None:
    """One seed and label give the same bytes again; other seeds, labels and later bytes differ."""
    first, second = SeededEntropy("s", "a"), SeededEntropy("s", "a")
    taken = [first.take(n) for n in (1, 32, 200)]

    assert taken == [second.take(n) for n in (1, 32, 200)]
    assert [len(t) for t in taken] == [1, 32, 200]
    others = {SeededEntropy(*pair).take(32) for pair in (("s", "a"), ("s", "b"), ("t", "a"), ("", "sa"))}
    assert len(others | {taken[1]}) == 5


def test_system_entropy_differs() -> None:
    """The system's bytes have the length asked for and do not repeat."""
    source = SystemEntropy()

    assert len({source.take(16) for _ in range(100)}) == 100


def test_a_game_file_on_disk(tmp_path: Path) -> None:
    """A game file holds genesis and entries in order, in a folder that is made for it."""
    players = tuple(Player(name=f"P{i}", bot=False, key=bytes([i + 1]) * 32) for i in range(2))
    genesis = Genesis(table=TABLE, rules=preset("klassiek"), rules_name="klassiek", players=players)
    path = tmp_path / "new" / f"game{SUFFIX}"
    gamefile.write(path, genesis, [b"one", b"two"])

    assert read_records(path.read_bytes()) == (genesis.encode(), [b"one", b"two"])
