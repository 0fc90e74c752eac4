"""The application in an emulated terminal: whole rounds by keys, resizes, too small screens, its ends."""

from __future__ import annotations

import random
from functools import partial

import pytest
from prompt_toolkit.output import ColorDepth

from client_cli.controller import link_of
from client_cli.glyphs import Glyphs
from client_cli.intents import TableChanged
from client_cli.model import reduce, start
from client_cli.terminal import colour_depth
from client_cli.views.canvas import plain
from client_cli.views.screen import draw
from node.handle import NextRound
from node.policy import choose
from protocol.rules.actions import Draw, Play
from protocol.session.view import Stage
from tests.client_cli.emulator import Played, Terminal, playing
from tests.client_cli.fake_table import FakeTable


def fresh(table: FakeTable, width: int, height: int) -> str:
    """What a screen that has heard the same news would show if it were opened at this moment."""
    state = start(table.view(), link_of(table.link))
    for update in table.told:
        state, _ = reduce(state, TableChanged(update.view, update.events, link_of(update.connection)))
    lines = draw(state, Glyphs("nl"), width, height).lines
    return "\n".join(plain(line).rstrip() for line in lines) + "\n"


async def one_turn(played: Played, table: FakeTable) -> None:
    """Draw, lay what the hints say, discard the first card that the screen accepts: by keys alone."""
    terminal = played.terminal
    sent = len(table.submitted)
    played.press("s")
    await terminal.shows("Een kaart van de stapel pakken?")
    played.press("enter")
    await terminal.until(lambda text: "Leg combinaties" in text or "geteld" in text or "afgelopen" in text)
    while table.stage is Stage.PLAYING:
        played.press("h")
        text = await terminal.until(lambda text: "Een idee" in text or "niets uit te leggen" in text)
        if "niets uit te leggen" in text:
            break
        played.press("1")
        await terminal.until(lambda text: "Een idee" not in text)
    while table.stage is Stage.PLAYING:
        played.press("d")
        text = await terminal.until(lambda text: "(Enter = ja)" in text or "✗" in text)
        if "(Enter = ja)" in text:
            played.press("enter")
            await terminal.until(lambda text: "(Enter = ja)" not in text and len(table.submitted) == sent + 2)
            return
        played.press("right")
        await terminal.until(lambda text: "✗" not in text)


async def test_a_whole_game_is_played_by_keys() -> None:
    """Two rounds to the end by keyboard only: draws, melds, discards, results, the next round, the winner."""
    table = FakeTable(seed=5, n=4, max_rounds=2, choose=choose)
    async with playing(table) as played:
        await played.terminal.shows("De spelers gaan zitten")
        await table.deal()
        while table.stage is not Stage.FINISHED:
            if table.stage is Stage.BETWEEN:
                await played.terminal.shows("Ronde 1 geteld")
                played.press("enter")
                await played.terminal.until(lambda text: "geteld" not in text and "Jij bent aan de beurt" in text)
            else:
                await played.terminal.shows("Jij bent aan de beurt")
                await one_turn(played, table)
        text = await played.terminal.shows("Het spel is afgelopen")
        played.press("q")
        code = await played.running

    assert code == 0
    assert "gewonnen!" in text or "winnen samen!" in text
    assert {type(action) for action in table.submitted} == {Draw, Play, NextRound}
    assert any(isinstance(action, Play) and action.steps for action in table.submitted)
    assert len(table.results) == 2


async def test_the_pot_is_taken_laid_out_and_undone_by_keys() -> None:
    """Taking the pot shows its cards as ours before anything is sent; undo gives them back."""
    table = FakeTable(seed=2, n=3)
    async with playing(table, lang="en") as played:
        await table.deal()
        await played.terminal.shows("13 cards")
        await played.terminal.shows("It is your turn")
        size = len(table.round.pot) if table.round else 0
        played.press("p")
        await played.terminal.shows("taken")
        await played.terminal.shows(f"{13 + size} cards")
        played.press("u")
        await played.terminal.until(lambda text: "taken" not in text and "13 cards" in text)

    assert table.submitted == []


@pytest.mark.parametrize("lang", ["nl", "en"])
async def test_every_page_opens_and_closes_by_its_key(lang: str) -> None:
    """Each page has a key that shows it, and Escape leads back to the table."""
    table = FakeTable(seed=3)
    titles = {
        "nl": {
            "?": "Toetsen",
            "c": "Scores",
            "r": "Afgesproken regels",
            "l": "Verloop",
            "e": "Eerlijk",
            "v": "De pot",
        },
        "en": {"?": "Keys", "c": "Scores", "r": "Agreed rules", "l": "What happened", "e": "Fair play", "v": "The pot"},
    }
    async with playing(table, lang=lang) as played:
        await table.deal()
        for key, title in titles[lang].items():
            played.press(key)
            await played.terminal.until(partial(_titled, title))
            played.press("escape")
            await played.terminal.shows("Anna (")


def _titled(title: str, text: str) -> bool:
    return text.split("\n")[2].strip().startswith(title)


async def test_two_hundred_resizes_leave_nothing_behind() -> None:
    """After each of many random sizes the screen is what a fresh one of that size would be."""
    table = FakeTable(seed=4)
    sizes = random.Random(7)
    async with playing(table) as played:
        await table.deal()
        await played.terminal.shows("Jij bent aan de beurt")
        for _ in range(200):
            width, height = sizes.randint(1, 150), sizes.randint(1, 50)
            played.terminal.resize(width, height)
            expected = fresh(table, width, height)
            assert await played.terminal.until(expected.__eq__) == expected


async def test_a_small_screen_says_so_and_takes_only_one_key() -> None:
    """Below 80x24 there are a few readable words; keys of the game do nothing; growing brings the table back."""
    table = FakeTable(seed=4)
    async with playing(table, width=79, height=23) as played:
        await table.deal()
        text = await played.terminal.shows("79x23 is te klein")
        assert text.count("\n") == 23
        assert len(text.split()) < 20
        played.press("s", "enter", "d", "enter")
        # The keys were there before this resize, so they have been read when it is drawn.
        played.terminal.resize(70, 20)
        await played.terminal.shows("70x20 is te klein")
        played.terminal.resize(100, 30)
        await played.terminal.shows("Jij bent aan de beurt")
        assert table.submitted == []
        played.terminal.resize(40, 10)
        await played.terminal.shows("80x24 is nodig")
        played.press("q")
        assert await played.running == 0


async def test_the_node_refusing_a_move_is_told() -> None:
    """If the node is ahead of the screen, its refusal is a sentence and the screen goes on."""
    table = FakeTable(seed=4)
    async with playing(table) as played:
        await table.deal()
        await played.terminal.shows("Jij bent aan de beurt")
        table.waiting = (1,)
        played.press("s", "enter")
        await played.terminal.shows("Je bent niet aan de beurt.")
        assert not played.running.done()


async def test_connection_and_silence_are_told_in_words() -> None:
    """A lost broker and a silent peer are named, with words beside the sign."""
    table = FakeTable(seed=4)
    async with playing(table) as played:
        await table.deal()
        await played.terminal.shows("● verbonden")
        table.connect("down", (True, True, False, True))
        text = await played.terminal.shows("○ geen verbinding")
        assert "Geen verbinding met mqtt://127.0.0.1:1883" in text
        assert "Cor bot ○ niet te horen" in text
        table.stop()
        await played.terminal.shows("Onze knoop is gestopt")


async def test_a_fault_names_who_and_what() -> None:
    """A peer's fault stops the game in words, with its code and where the evidence is."""
    table = FakeTable(seed=4)
    async with playing(table, lang="en") as played:
        await table.deal()
        table.break_protocol(2, "proof/V0")
        text = await played.terminal.shows("The game has stopped")

    assert "Cor shuffled with a proof that does not hold" in text
    assert "code proof/V0" in text
    assert "The evidence is signed and kept" in text


async def test_what_the_handle_raises_reaches_the_caller() -> None:
    """An exception of the node ends the screen with that exception, after the terminal has been given back."""

    class Broken(FakeTable):
        async def submit(self, action: object) -> None:
            raise OSError("disk full")

    table = Broken(seed=4)
    async with playing(table) as played:
        await table.deal()
        await played.terminal.shows("Jij bent aan de beurt")
        played.press("s", "enter")
        with pytest.raises(ExceptionGroup) as caught:
            await played.running

    assert caught.group_contains(OSError, match="disk full")
    assert restored(played.terminal)


async def test_a_failure_while_drawing_ends_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bug in a view gives the terminal back and reaches the caller; it is not printed over the screen."""
    table = FakeTable(seed=4)
    async with playing(table) as played:
        await table.deal()
        await played.terminal.shows("Jij bent aan de beurt")

        def broken(*_: object) -> None:
            raise RuntimeError("a bug")

        monkeypatch.setattr("client_cli.app.draw", broken)
        played.press("right")
        with pytest.raises(RuntimeError, match="a bug"):
            await played.running

    assert restored(played.terminal)


async def test_ctrl_c_ends_with_its_code() -> None:
    """Ctrl-C leaves at once with 130 and the terminal as it was."""
    table = FakeTable(seed=4)
    async with playing(table) as played:
        await table.deal()
        await played.terminal.shows("Jij bent aan de beurt")
        played.press("ctrl-c")
        assert await played.running == 130

    assert restored(played.terminal)


def restored(terminal: Terminal) -> bool:
    """Whether the last words to the terminal leave the alternate screen and show the cursor."""
    written = "".join(terminal.written)
    ends = (("[?1049l", "[?1049h"), ("[?25h", "[?25l"))
    return all(written.rfind(last) > written.rfind(first) for last, first in ends)


async def test_our_turn_rings_the_bell_once() -> None:
    """The bell sounds when our turn comes and not at every change in it."""
    table = FakeTable(seed=2, n=2)
    async with playing(table) as played:
        await played.terminal.shows("De spelers gaan zitten")
        await table.deal()
        await played.terminal.shows("Jij bent aan de beurt")
        played.press("right", "space", "?")
        await played.terminal.shows("Toetsen")
        written = "".join(played.terminal.written)

    # The window's title ends with a bell byte too.
    assert written.count("\a") - written.count("\x1b]2;") == 1


def test_true_colour_is_used_where_it_is_announced() -> None:
    """COLORTERM asks for it; NO_COLOR wins over everything."""
    assert colour_depth({"COLORTERM": "truecolor"}) is ColorDepth.TRUE_COLOR
    assert colour_depth({"COLORTERM": "24bit", "NO_COLOR": "1"}) is None
    assert colour_depth({}) is None
