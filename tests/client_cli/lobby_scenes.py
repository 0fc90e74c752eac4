"""States of the lobby for tests: tables, rooms, lists and verdicts made up, every screen reached by keys and news."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from client_cli.glyphs import Glyphs
from client_cli.lobby.editor import Card
from client_cli.lobby.intents import (
    Checked,
    Ended,
    Examined,
    FilesListed,
    GamesListed,
    Intent,
    Press,
    RoomChanged,
    TablesSeen,
    Typed,
    VerifyMoved,
    Waited,
)
from client_cli.lobby.model import reduce
from client_cli.lobby.state import (
    Ask,
    Check,
    Effect,
    FileRow,
    Fit,
    GameRow,
    Health,
    LobbyState,
    Note,
    Person,
    Preferences,
    Seen,
    Verifying,
    WatchTable,
)
from client_cli.lobby.views.screen import draw
from client_cli.views.canvas import plain
from node.addresses import BrokerAddress
from node.messages import Chair
from node.room import Room
from protocol.rules.ruleset import for_players, preset, with_overrides
from protocol.session.genesis import Genesis
from protocol.session.verify import Fault, Verdict
from protocol.session.view import Checks, Player

BROKER = BrokerAddress("192.168.1.5")
HOUSE = with_overrides(
    for_players(preset("spelregelwijzer"), 5), {"opening_minimum": 40, "joker_swap": True, "target_score": 500}
)
TRUUS = Seen(
    table="truus",
    title="Truus",
    fit=Fit.OPEN,
    broker=BROKER,
    taken=3,
    seats=5,
    people=(Person("Truus", bot=False), Person("Bep", bot=True), Person("Joep", bot=False)),
    rules=HOUSE,
    rules_name="spelregelwijzer",
)
JOEP = replace(
    TRUUS, table="joep", title="Joep", taken=1, seats=4, people=(Person("Joep", bot=False),), rules=preset("klassiek")
)
JOEP = replace(JOEP, rules_name="klassiek", max_rounds=3)
FULL = replace(JOEP, table="fien", title="Fien", fit=Fit.FULL, taken=2, seats=2)
OLD = Seen(table="oud", title="Opa Cees", fit=Fit.VERSION, taken=1, seats=4, theirs="2", ours="1")
ASKING = Seen(table="vraag", title="Evert-Jan van der Heijden", fit=Fit.CHECKING, taken=1, seats=4)
PLAYING = replace(ASKING, table="speelt", title="Gijs", fit=Fit.PLAYING, taken=4, broker=BROKER)
FAR = replace(ASKING, table="ver", title="Dina", fit=Fit.UNREACHABLE)
SEALED = Seen(table="zegel", title="", fit=Fit.SEALED, broker=BROKER)
TABLES = (JOEP, TRUUS, FULL, PLAYING, ASKING, FAR, OLD)

ROOM = Room(
    table=bytes(16),
    title="Truus",
    rules=HOUSE,
    rules_name="spelregelwijzer",
    seats=5,
    max_rounds=0,
    chairs=(
        Chair("Truus", bot=False, key=b"k" * 32),
        Chair("Bep", bot=True, key=b"b" * 32),
        Chair("Joep", bot=False, key=b"j" * 32),
    ),
    me=0,
    addresses=("192.168.1.5:1883", "10.0.0.7:1883"),
    code="39QJ-1Q",
)
GAMES = (
    GameRow(
        path=Path("/g/aaaa-1.journal"),
        name="aaaa-1",
        date="2026-03-01 20:15",
        players=("Truus", "Joep", "Bep", "Cor"),
        rules_name="klassiek",
        round=4,
        scores=(340, 85, -120, 610),
    ),
    GameRow(path=Path("/g/bbbb-1.journal"), name="bbbb-1", busy=True, date="2026-02-28 19:00"),
    GameRow(path=Path("/g/cccc-1.journal"), name="cccc-1", date="2026-02-27 19:00", players=("Truus", "Bep")),
    GameRow(
        path=Path("/g/dddd-1.journal"),
        name="dddd-1",
        over=True,
        date="2026-02-20 21:40",
        players=("Truus", "Joep"),
        scores=(1010, 640),
    ),
)
DAMAGED = GameRow(path=Path("/g/eeee-1.journal"), name="eeee-1", problem="damaged")
FILES = (
    FileRow(Path("/r/aaaa-1.duizenden"), "2026-03-01 20:15", 1_234_567),
    FileRow(Path("/r/dddd-1.duizenden"), "2026-02-20 21:40", 765_432),
)
GENESIS = Genesis(
    table=bytes(16),
    rules=preset("klassiek"),
    rules_name="klassiek",
    players=tuple(Player(name=name, bot=False, key=name[:1].encode() * 32) for name in ("Truus", "Joep", "Bep", "Cor")),
)
VERDICT = Verdict(
    genesis=GENESIS,
    ok=True,
    fault=None,
    complete=True,
    departed=(),
    steps=500,
    winners=(0,),
    results=(),
    totals=(1010, 640, -120, 85),
    checks=Checks(
        signatures=812, commitments=16, shuffle_proofs=16, shares=5210, opened_cards=301, moves=166, audited_shuffles=16
    ),
    head=bytes(range(32)),
)
GUILTY = replace(VERDICT, ok=False, fault=Fault("audit/seed", 2, 411, ""), complete=False)
CHECKS = (
    Check(
        "terminal",
        Health.GOOD,
        "doctor.terminal.good",
        "",
        (("columns", 120), ("lines", 40), ("colours", "doctor.colours.true"), ("signs", "doctor.signs.signs")),
    ),
    Check("folder", Health.GOOD, "doctor.folder.good", "", (("folder", "/home/truus/duizenden"), ("free", "12 GB"))),
    Check(
        "port",
        Health.WARN,
        "doctor.port.taken",
        "doctor.port.taken.do",
        (("port", 1883),),
    ),
    Check(
        "multicast",
        Health.BAD,
        "doctor.multicast.lost",
        "doctor.multicast.lost.do",
        (("interfaces", "wlan0 (192.168.1.5)"),),
    ),
)


BEGUN = Ask(Note("lobby.ask.watch", (("title", "Joep"),)), WatchTable(BROKER, JOEP.table, b"secret.."))


def lobby(name: str = "Truus", lang: str = "nl") -> LobbyState:
    """The lobby as it opens, whichever rule card is usual."""
    return LobbyState(preferences=Preferences(name, lang), card=Card(preset="klassiek"))


def keys(*names: str) -> tuple[Press, ...]:
    """Presses of these keys."""
    return tuple(Press(name, limit=40, leaf=10) for name in names)


def run(state: LobbyState, *intents: Intent) -> tuple[LobbyState, tuple[Effect, ...]]:
    """The state after these intents, and all effects in order."""
    effects: tuple[Effect, ...] = ()
    for intent in intents:
        state, more = reduce(state, intent)
        effects += more
    return state, effects


def after(*intents: Intent, start: LobbyState | None = None) -> LobbyState:
    """The lobby after these intents."""
    return run(start or lobby(), *intents)[0]


def text(state: LobbyState, width: int = 80, height: int = 24, *, lang: str = "nl", ascii_: bool = False) -> str:
    """The screen as plain lines without blanks at their ends."""
    lines = draw(state, Glyphs(lang, ascii_), width, height).lines
    return "\n".join(plain(line).rstrip() for line in lines) + "\n"


def scenes() -> dict[str, LobbyState]:
    """Every screen worth a picture."""
    found = after(TablesSeen(TABLES))
    guest = after(RoomChanged(replace(ROOM, me=2, addresses=()), hosting=False))
    hosting = after(RoomChanged(ROOM, hosting=True))
    file = after(*keys("c"), FilesListed(FILES), *keys("enter"))
    return {
        "home-empty": lobby(),
        "home-nothing": after(Waited()),
        "home-tables": found,
        "home-house": after(*keys("down"), start=found),
        "home-sealed": after(*keys("enter"), start=after(TablesSeen((SEALED, JOEP)))),
        "home-old": after(*keys(*["down"] * 6), *keys("enter"), start=found),
        "home-address": after(*keys("a"), Typed("192.168.1.5:x"), *keys("enter")),
        "home-joining": after(*keys("enter"), start=found),
        "home-refused": after(*keys("enter"), Ended(Note("lobby/full", bad=True)), start=found),
        "home-begun": after(*keys("enter"), Ended(ask=BEGUN), start=found),
        "card": after(*keys("n")),
        "card-preset": after(*keys("n", "right", "right")),
        "card-house": after(*keys("n", "tab", "tab", "tab", "tab", "tab", "right", "right", "tab", "tab", "right")),
        "card-clash": after(*keys("n", "tab", "tab", "tab", "tab", "tab", "tab", "down", "right")),
        "card-again": after(*keys("n", "left"), start=replace(lobby(), before=HOUSE)),
        "card-offers": after(*keys("n", "tab", "down", "right")),
        "card-rules": after(*keys("n", "tab", "right", "r")),
        "card-seats": after(*keys("n", "down", "right", "down", "right", "down", "right")),
        "card-tls": after(*keys("n", "down", "down", "down", "down", "down", "right")),
        "card-practice": after(*keys("p")),
        "room-alone": after(RoomChanged(replace(ROOM, chairs=ROOM.chairs[:1]), hosting=True)),
        "room-host": after(*keys("down"), start=hosting),
        "room-ask": after(*keys("enter"), start=hosting),
        "room-send-away": after(*keys("down", "down", "x"), start=hosting),
        "room-guest": guest,
        "room-again": after(RoomChanged(ROOM, hosting=True), start=replace(lobby(), before=preset("online"))),
        "room-same": after(RoomChanged(ROOM, hosting=True), start=replace(lobby(), before=HOUSE)),
        "room-offline": after(RoomChanged(replace(ROOM, me=2, addresses=(), connected=False), hosting=False)),
        "room-rules": after(*keys("r"), start=guest),
        "games": after(*keys("v"), GamesListed(GAMES)),
        "games-none": after(*keys("v"), GamesListed(())),
        "games-over": after(*keys("v"), GamesListed(GAMES), *keys("end", "enter")),
        "games-damaged": after(*keys("v"), GamesListed((*GAMES, DAMAGED)), *keys("end", "enter")),
        "files": after(*keys("c"), FilesListed(FILES)),
        "verifying": after(VerifyMoved(Verifying(path=FILES[0].path, done=350, total=811)), start=file),
        "verified": after(VerifyMoved(Verifying(path=FILES[0].path, verdict=VERDICT)), start=file),
        "verified-fault": after(VerifyMoved(Verifying(path=FILES[0].path, verdict=GUILTY)), start=file),
        "verified-not": after(VerifyMoved(Verifying(path=FILES[0].path, problem="file/magic")), start=file),
        "settings": after(*keys("s", "down", "down", "down")),
        "settings-name": after(*keys("s", "enter")),
        "doctor": after(*keys("d"), *map(Checked, CHECKS), Examined()),
        "help": after(*keys("?")),
        "help-card": after(*keys("n", "?")),
    }
