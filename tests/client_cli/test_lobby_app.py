"""The lobby in an emulated terminal: keys in, screens out; tables, files and the network made by the test."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TextIO, cast

import pytest
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from client_cli.commands.context import Context
from client_cli.lobby import scout as scouts
from client_cli.lobby import tables as errands
from client_cli.lobby.app import Lobby
from client_cli.lobby.intents import TablesSeen
from client_cli.lobby.state import AddBot, Begin, JoinTable, Place, Preferences, Seen
from client_cli.lobby.views import screen as screens
from node.profile import Profile
from node.room import LobbyError
from node.table_code import TableCode
from node.watching import WatchConfig
from protocol.session.gamefile import write_game
from tests.client_cli.emulator import PATIENCE, Played, Terminal
from tests.client_cli.fake_table import FakeTable
from tests.client_cli.lobby_scenes import JOEP, ROOM, TRUUS
from tests.coupled import genesis_for

ERRANDS = errands.Errands


class Driver(FakeTable):
    """A table as the lobby hands it over: a handle that knows its journal."""

    journal = Path("/games/aaaa-1")
    evidence: tuple[Path, ...] = ()

    async def linger(self) -> None:
        """Nobody lacks anything."""


class World:
    """What the network shows and what became of the tables that were opened or joined."""

    def __init__(self) -> None:
        self.tables: tuple[Seen, ...] = (JOEP, TRUUS)
        self.looks = 0
        self.done: list[str] = []
        self.refuse: Exception | None = None
        self.bug: Exception | None = None
        self.closing = asyncio.Event()
        self.closing.set()


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    """A scout that shows two tables, and errands without a network."""
    made = World()

    class Scout:
        def __init__(self, report: object, waited: object, brokers: object) -> None:
            self.report, self.waited = report, waited

        async def run(self) -> None:
            made.looks += 1
            self.report(made.tables) if made.tables else self.waited()  # type: ignore[operator]
            await asyncio.Event().wait()

    class Errands(errands.Errands):
        async def join(self, where: JoinTable) -> None:
            if made.refuse is not None:
                raise made.refuse
            self.stage.room(replace(ROOM, me=2, addresses=()), hosting=False)
            made.done.append(f"sat down at {where.table}")
            try:
                await asyncio.Event().wait()
            finally:
                await made.closing.wait()
                made.done.append("left")

        async def host(self, card: object, orders: object, port: int | None = None) -> None:
            queue = cast("asyncio.Queue[object]", orders)
            self.stage.room(ROOM, hosting=True)
            while not isinstance(order := await queue.get(), Begin):
                made.done.append("bot" if isinstance(order, AddBot) else "sent away")
            if made.bug is not None:
                raise made.bug
            table = Driver(seed=4)
            await table.deal()
            await self.stage.play(table)  # type: ignore[arg-type]
            made.done.append("played")

    monkeypatch.setattr(scouts, "Scout", Scout)
    monkeypatch.setattr(errands, "Errands", Errands)
    return made


@asynccontextmanager
async def opened(tmp_path: Path, width: int = 80, height: int = 24) -> AsyncIterator[Played]:
    """The lobby in an emulated terminal; ended at the end if the test has not."""
    profile = Profile(data=tmp_path, logs=tmp_path / "log")
    if profile.recall("name") is None:
        profile.remember(name="Truus")
    terminal = Terminal(width, height)
    with create_pipe_input() as keys:
        output = Vt100_Output(cast("TextIO", terminal), terminal.size, term="xterm-256color")
        context = Context(lang="nl", ascii=False, profile=profile)
        running = asyncio.create_task(Lobby(context, input=keys, output=output).run())
        try:
            yield Played(terminal, keys, running)
        finally:
            if not running.done():
                running.cancel()
            await asyncio.wait({running})


async def code_of(played: Played) -> int:
    """The exit code once the lobby has ended."""
    return await asyncio.wait_for(played.running, PATIENCE)


async def test_a_game_from_the_lobby_and_back(world: World, tmp_path: Path) -> None:
    """Open a table, add a bot, begin: the table takes the screen; after leaving it the lobby is there again."""
    async with opened(tmp_path) as lobby:
        await lobby.terminal.shows("Tafel van Joep")
        lobby.press("n")
        await lobby.terminal.shows("Kaartspellen")
        lobby.press("enter")
        await lobby.terminal.shows("Zo schuiven anderen aan")
        lobby.press("b", "enter")
        await lobby.terminal.shows("Beginnen met 3 spelers?")
        lobby.press("enter")
        await lobby.terminal.shows("Jij bent aan de beurt")
        lobby.press("q")
        await lobby.terminal.shows("De tafel verlaten?")
        lobby.press("enter")
        await lobby.terminal.shows("Het spel is bewaard")
        await lobby.terminal.shows("Tafel van Joep")
        looks = world.looks
        lobby.press("q")
        code = await code_of(lobby)

    assert (code, world.done, looks) == (0, ["bot", "played"], 2)


async def test_leaving_a_table_while_it_is_put_away(world: World, tmp_path: Path) -> None:
    """A room that is slow to close does not hold the person up, and the next one waits for it."""
    async with opened(tmp_path) as lobby:
        await lobby.terminal.shows("▶ Tafel van Joep")
        lobby.press("enter")
        await lobby.terminal.shows("Wachten tot Truus begint")
        world.closing.clear()
        lobby.press("q")
        await lobby.terminal.shows("Tafels op dit netwerk")
        before = list(world.done)
        world.closing.set()
        lobby.press("q")
        await code_of(lobby)

    assert (before, world.done) == (["sat down at joep"], ["sat down at joep", "left"])


async def test_a_refusal_is_told_in_words(world: World, tmp_path: Path) -> None:
    """What goes wrong while joining stands on the lobby's screen, and the lobby goes on."""
    world.refuse = LobbyError("lobby/full")
    async with opened(tmp_path) as lobby:
        await lobby.terminal.shows("▶ Tafel van Joep")
        lobby.press("enter")
        await lobby.terminal.shows("Die tafel is vol.")
        lobby.press("q")

        assert await code_of(lobby) == 0


async def test_a_sealed_table_that_has_begun_can_be_watched(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After its code is typed, watching is offered, and what the code carries is used for it."""
    looked: list[WatchConfig] = []

    def begun(_: object) -> None:
        raise LobbyError("lobby/started", "Anna")

    def silent(config: WatchConfig) -> None:
        looked.append(config)
        raise LobbyError("lobby/silent")

    monkeypatch.setattr(errands, "Errands", ERRANDS)
    monkeypatch.setattr(errands, "join_table", begun)
    monkeypatch.setattr(errands, "watch_table", silent)
    async with opened(tmp_path) as lobby:
        await lobby.terminal.shows("Tafel van Joep")
        lobby.press("a", str(TableCode(host="10.0.0.7", secret=b"secret..")), "enter")
        await lobby.terminal.shows("Het spel van Anna is al begonnen. Meekijken?")
        lobby.press("enter")
        await lobby.terminal.shows("antwoordt niet")

    assert [config.secret for config in looked] == [b"secret.."]


async def test_a_bug_ends_the_lobby_with_itself(world: World, tmp_path: Path) -> None:
    """A mistake of the program is not hidden: the terminal is given back, then the exception comes out."""
    world.bug = RuntimeError("a bug")
    async with opened(tmp_path) as lobby:
        lobby.press("n")
        await lobby.terminal.shows("Kaartspellen")
        lobby.press("enter")
        await lobby.terminal.shows("Zo schuiven anderen aan")
        lobby.press("enter")
        await lobby.terminal.shows("Beginnen")
        lobby.press("enter")
        with pytest.raises(RuntimeError, match="a bug"):
            await code_of(lobby)

        assert restored(lobby.terminal)


@pytest.mark.parametrize("where", ["", "n", "s", "d", "?", "a", "nenter"])
async def test_ctrl_c_on_every_screen_gives_the_terminal_back(where: str, world: World, tmp_path: Path) -> None:
    """Wherever it is pressed, Ctrl-C ends with 130: main screen, cursor on, mouse and bracketed paste off."""
    async with opened(tmp_path) as lobby:
        await lobby.terminal.shows("Tafel van Joep")
        if where == "nenter":
            lobby.press("n")
            await lobby.terminal.shows("Kaartspellen")
            lobby.press("enter")
            await lobby.terminal.shows("Zo schuiven anderen aan")
        else:
            lobby.press(*where)
        lobby.press("ctrl-c")

        assert await code_of(lobby) == 130
        assert restored(lobby.terminal)


PAGES = {
    Place.HOME: ((), "Tafel van Joep"),
    Place.CARD: (("n",), "Kaartspellen"),
    Place.ROOM: (("n", "enter"), "Zo schuiven anderen aan"),
    Place.GAMES: (("v",), "Er zijn geen bewaarde spellen."),
    Place.FILES: (("c",), "Er zijn nog geen spelbestanden"),
    Place.SETTINGS: (("s",), "Jouw naam"),
    Place.DOCTOR: (("d",), "Duizenden · dokter"),
    Place.RULES: (("n", "r"), "Duizenden · regelkaart spelregelwijzer"),
    Place.HELP: (("?",), "Duizenden · uitleg"),
}
"""Every page of the lobby: the keys that lead there, and words that only it shows."""


@pytest.mark.parametrize("fails", ["drawing", "key"])
@pytest.mark.parametrize("place", Place)
async def test_a_bug_on_any_page_gives_the_terminal_back(
    place: Place, fails: str, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What fails in the drawing of a page, or in what a key does there, comes out after the terminal is as it was."""
    keys, words = PAGES[place]

    def broken(*_: object) -> None:
        raise RuntimeError(f"a bug on {place}")

    async with opened(tmp_path) as lobby:
        await lobby.terminal.shows("Tafel van Joep")
        for key in keys:
            lobby.press(key)
            await lobby.terminal.shows("Kaartspellen" if key == "n" else words)
        await lobby.terminal.shows(words)
        taken = "".join(lobby.terminal.written)
        if fails == "drawing":
            monkeypatch.setitem(screens._PLACES, place, broken)
        else:
            monkeypatch.setattr("client_cli.lobby.controller.reduce", broken)
        lobby.press("down")
        with pytest.raises(RuntimeError, match=f"a bug on {place}"):
            await code_of(lobby)

        assert all(mode in taken for mode in ("?1049h", "?25l", "?1000h", "?2004h"))
        assert restored(lobby.terminal)


def restored(terminal: Terminal) -> bool:
    """The last word on each mode is the right one."""
    written = "".join(terminal.written)
    ends = (
        *(("?1049l", "?1049h"), ("?25h", "?25l"), ("?2004l", "?2004h")),
        *(("?1000l", "?1000h"), ("?1006l", "?1006h"), ("?1004l", "?1004h")),
    )
    return all(written.rfind(last) >= written.rfind(first) for last, first in ends)


async def test_too_small_screens_only_leave(world: World, tmp_path: Path) -> None:
    """Below 80x24 keys do nothing but leave; when it grows the lobby is there."""
    async with opened(tmp_path, 79, 24) as lobby:
        await lobby.terminal.shows("te klein")
        lobby.press("n", "x", "enter")
        lobby.terminal.resize(78, 24)
        await lobby.terminal.shows("78x24")  # the keys came before
        lobby.terminal.resize(80, 24)
        await lobby.terminal.shows("Tafels op dit netwerk")
        lobby.terminal.resize(60, 10)
        await lobby.terminal.shows("te klein")
        lobby.press("q")

        assert await code_of(lobby) == 0


async def test_every_resize_shows_what_a_fresh_lobby_shows(world: World, tmp_path: Path) -> None:
    """After each new size the screen is exactly the drawing of that size."""
    from client_cli.glyphs import Glyphs
    from client_cli.lobby.views.screen import draw
    from client_cli.views.canvas import plain
    from tests.client_cli.lobby_scenes import after, keys
    from tests.client_cli.lobby_scenes import lobby as fresh

    expected = after(TablesSeen(world.tables), *keys("down"), start=fresh())
    async with opened(tmp_path, 120, 40) as lobby:
        await lobby.terminal.shows("Tafel van Joep")
        lobby.press("down")
        for size in ((80, 24), (133, 50), (100, 30), (81, 60), (200, 24), (80, 24)):
            lobby.terminal.resize(*size)
            lines = draw(expected, Glyphs("nl"), *size).lines
            wanted = "\n".join(plain(line).rstrip() for line in lines) + "\n"
            await lobby.terminal.until(lambda shown, wanted=wanted: shown == wanted)  # type: ignore[misc]


async def test_settings_hold_at_once_and_next_time(world: World, tmp_path: Path) -> None:
    """Language, symbols, colours and name change the screen as they are chosen, and a new lobby has them."""
    async with opened(tmp_path) as lobby:
        await lobby.terminal.shows("Tafel van Joep")
        lobby.press("s")
        await lobby.terminal.shows("Jouw naam")
        lobby.press("enter", "end", "\x7f", *"tje", "enter", "down", "right")
        await lobby.terminal.shows("Your name")
        lobby.press("down", "right", "down", "right", "right")
        await lobby.terminal.shows("< high contrast >")
        lobby.press("escape")
        await lobby.terminal.shows("> Table of Joep")
        lobby.press("q")
        await code_of(lobby)
    profile = Profile(data=tmp_path, logs=tmp_path)
    async with opened(tmp_path) as lobby:
        again = await lobby.terminal.shows("> Table of Joep")

    assert "Truutje" in again
    assert [profile.recall(key) for key in ("name", "lang", "symbols", "theme")] == [
        "Truutje",
        "en",
        "letters",
        "contrast",
    ]


async def test_a_file_is_checked(world: World, tmp_path: Path) -> None:
    """Game files are listed; checking one ends in a verdict; a file that is none is said to be none."""
    profile = Profile(data=tmp_path, logs=tmp_path / "log")
    (profile.records / "aaaa-1.duizenden").write_bytes(write_game(genesis_for(2), []))
    (tmp_path / "x.duizenden").write_bytes(b"hocus")
    async with opened(tmp_path) as lobby:
        await lobby.terminal.shows("Tafel van Joep")
        lobby.press("c")
        await lobby.terminal.shows("▶ ")
        await lobby.terminal.shows("aaaa-1.duizenden")
        lobby.press("enter")
        await lobby.terminal.shows("stand van het logboek")
        lobby.press("escape", "f", *str(tmp_path / "x.duizenden"), "enter")
        await lobby.terminal.shows("x.duizenden is geen spelbestand")


async def test_saved_games_of_an_empty_home(world: World, tmp_path: Path) -> None:
    """Without games that is said."""
    async with opened(tmp_path) as lobby:
        await lobby.terminal.shows("Tafel van Joep")
        lobby.press("v")
        await lobby.terminal.shows("Er zijn geen bewaarde spellen.")


async def test_nothing_found_explains_itself(world: World, tmp_path: Path) -> None:
    """Guest network, firewall, another network, and the table code as the way that always works."""
    world.tables = ()
    async with opened(tmp_path) as lobby:
        shown = await lobby.terminal.shows("gastnetwerk")
        lobby.press("a", *"192.168.1.5")
        typed = await lobby.terminal.shows("192.168.1.5")

    assert all(word in shown for word in ("firewall", "ander netwerk", "tafelcode", "bij a"))
    assert "Tafelcode of adres: 192.168.1.5" in typed


async def test_pasted_addresses_are_taken(world: World, tmp_path: Path) -> None:
    """A paste with a line end behind it fills the field and does not press Enter."""
    async with opened(tmp_path) as lobby:
        await lobby.terminal.shows("Tafel van Joep")
        lobby.press("a", "\x1b[200~10.0.0.7:1884\r\n\x1b[201~")
        shown = await lobby.terminal.shows("10.0.0.7:1884")

    assert "Tafelcode of adres: 10.0.0.7:1884_" in shown


async def test_the_mouse_chooses_rows_and_keys(world: World, tmp_path: Path) -> None:
    """A click on a table moves the cursor, a second one joins; the wheel moves; a click on a key presses it."""
    async with opened(tmp_path) as lobby:
        shown = await lobby.terminal.shows("▶ Tafel van Joep")
        rows = shown.split("\n")
        truus = next(place for place, row in enumerate(rows) if "Tafel van Truus" in row)
        lobby.press(f"\x1b[<0;10;{truus + 1}M")
        await lobby.terminal.shows("▶ Tafel van Truus")
        lobby.press("\x1b[<64;10;10M")
        await lobby.terminal.shows("▶ Tafel van Joep")
        lobby.press(f"\x1b[<0;10;{truus + 1}M", f"\x1b[<0;10;{truus + 1}M")
        await lobby.terminal.shows("Wachten tot Truus begint")
        keys = lobby.terminal.text().split("\n")[23]
        lobby.press(f"\x1b[<0;{keys.index('weggaan') + 2};24M")
        await lobby.terminal.shows("Tafels op dit netwerk")

    assert world.done[0] == "sat down at truus"


def test_unknown_kept_settings_are_as_usual(tmp_path: Path) -> None:
    """A settings file of another release, or a damaged one, never keeps the lobby from opening."""
    from client_cli.lobby.app import kept_preferences

    profile = Profile(data=tmp_path, logs=tmp_path)
    profile.remember(name="Truus", lang="fy", symbols="runes", theme="pink", notice="perhaps")
    odd = kept_preferences(Context(lang="nl", ascii=False, profile=profile))
    asked = kept_preferences(Context(lang="en", ascii=True, profile=profile, chosen=True))

    assert odd == Preferences("Truus", "nl", "signs", "dark")
    assert asked == Preferences("Truus", "en", "letters", "dark")


def test_settings_hold_for_every_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A language or letters chosen in the lobby are those of the command line too, unless it says otherwise."""
    from client_cli.commands.context import make_context

    monkeypatch.setenv("DUIZENDEN_HOME", str(tmp_path))
    before = make_context("en", plain=False)
    Profile(data=tmp_path, logs=tmp_path).remember(lang="nl", symbols="letters")
    kept = make_context("en", plain=False)
    asked = make_context("en", plain=False, chosen=True)

    assert (before.lang, before.ascii) == ("en", False)
    assert (kept.lang, kept.ascii) == ("nl", True)
    assert (asked.lang, asked.ascii) == ("en", True)
