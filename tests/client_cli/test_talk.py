"""Talk on the screen: the line that is typed, what others say, mute, away, and the pause."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.output import DummyOutput
from prompt_toolkit.output.vt100 import Vt100_Output

from client_cli.beside import claimable
from client_cli.chronicle import Entry
from client_cli.controller import Controller
from client_cli.glyphs import Glyphs
from client_cli.intents import (
    Choose,
    Intent,
    Key,
    Link,
    Open,
    Page,
    Pick,
    Refused,
    Standing,
    Step,
    TableChanged,
    TalkRefused,
    Typed,
    Word,
)
from client_cli.keys import useful
from client_cli.model import Submit, UiState
from client_cli.state import Mute, Say, SetAway, SetPause
from client_cli.talk import LONGEST_LINE
from client_cli.terminal import notify
from client_cli.views.canvas import plain
from client_cli.views.screen import draw
from node.handle import AwayChanged, PauseChanged, Said
from node.messages import MAX_TEXT, PHRASES
from protocol.errors import NotNow
from protocol.rules.state import Phase
from protocol.session.session import Claim
from protocol.session.view import Stage
from tests.client_cli.emulator import playing
from tests.client_cli.fake_table import FakeTable
from tests.client_cli.scenes import logged, run, screen, text, view

AWAY_LINK = Link(broker="mqtt://127.0.0.1:1883", peers=(True, True, False, True))


def said(state: UiState, *words: Word, standing: Standing | None = None) -> UiState:
    """The state after these words."""
    news = TableChanged(state.view, (), state.link, words, standing or state.standing)
    return run(state, news)[0]


def typing(line: str = "") -> UiState:
    """Our turn, with a line begun."""
    return run(screen(view(phase=Phase.DRAW)), Key.TALK, Typed(line))[0]


def labels(state: UiState) -> tuple[str, ...]:
    """The labels on the key line."""
    return tuple(label for _, label in useful(state))


# ------------------------------------------------------------------ the line


def test_a_line_is_typed_and_said() -> None:
    """Enter says what was typed, without blanks around it, and gives the keys back to the table."""
    state, effects = run(typing(" Dag ali"), Key.ERASE, Typed("lemaal "), Key.SEND)

    assert effects == (Say("Dag allemaal"),)
    assert state.typing is None


def test_a_line_may_be_left() -> None:
    """Escape says nothing; so does Enter on an empty line."""
    assert run(typing("oops"), Key.DROP) == (replace(typing(), typing=None), ())
    assert run(typing("  "), Key.SEND) == (replace(typing(), typing=None), ())


@pytest.mark.parametrize("intent", [Key.STOCK, Key.ACCEPT, Key.LEAVE, Step(1), Pick(0), Open(Page.HELP), Key.CANCEL])
def test_no_key_of_the_table_works_while_a_line_is_typed(intent: Intent) -> None:
    """Whatever else is pressed or clicked changes nothing and sends nothing."""
    assert run(typing("a"), intent) == (typing("a"), ())


def test_phrases_are_said_by_their_number() -> None:
    """A line of one digit is a phrase, and its words stand beside it; so is a click on one. Other numbers are text."""
    assert "Zeg: 3_ = Moment, ik denk na." in text(typing("3"))
    assert run(typing("3"), Key.SEND)[1] == (Say(3),)
    assert run(typing(), Choose(9))[1] == (Say(9),)
    assert run(typing("0"), Key.SEND)[1] == (Say("0"),)
    assert run(typing("33"), Key.SEND)[1] == (Say("33"),)


def test_the_phrases_are_those_of_the_node() -> None:
    """The client has words for all phrases that a node lets through, and takes lines as long as a node does."""
    shown = text(typing(), 120, 40)

    assert [number for number in range(1, 12) if f" {number}  " in shown] == list(range(1, PHRASES + 1))
    assert LONGEST_LINE == MAX_TEXT


@given(st.lists(st.text(max_size=80), max_size=8))
def test_a_line_is_never_too_long_nor_unprintable(pieces: list[str]) -> None:
    """Whatever is typed or pasted, the line fits a message and holds nothing that cannot be shown."""
    state, _ = run(typing(), *map(Typed, pieces))

    assert state.typing is not None
    assert len(state.typing.encode()) <= LONGEST_LINE
    assert state.typing.isprintable() or not state.typing


def test_news_leaves_the_line_alone() -> None:
    """While one types the game goes on, and what others say stands above the line; nothing of it is unread."""
    state = said(typing("ik w"), Word(1, "said", "Schiet op!"))

    assert state.typing == "ik w"
    assert state.unread == 0
    assert "Bram: Schiet op!" in text(state)
    assert "Zeg: ik w_" in text(state)
    assert "2♠" in text(state, ascii_=False) or "│2" in text(state)  # the hand is still there


def test_what_was_not_said_can_be_said_again() -> None:
    """A refusal is told in a sentence, and the line is there again to be sent later."""
    sent, _ = run(typing("hallo"), Key.SEND)
    state, _ = run(sent, TalkRefused("node/not-so-fast", "hallo"))

    assert "Niet zo snel" in text(state)
    assert run(state, Key.SEND)[1] == (Say("hallo"),)
    assert run(sent, TalkRefused("node/not-so-fast", 3))[0].typing is None
    assert "Niet zo snel" in text(run(sent, TalkRefused("node/not-so-fast", 3))[0])
    assert text(run(sent, TalkRefused("node/martian"))[0])  # of a newer node


@pytest.mark.parametrize("key", [Key.TALK, Key.AWAY, Key.PAUSE])
def test_who_watches_says_nothing(key: Key) -> None:
    """A watcher has no seat to speak from: a sentence says so, and the key line does not offer it."""
    state, effects = run(screen(view(me=None)), key)

    assert effects == ()
    assert "Wie meekijkt kan hier niets zeggen." in text(state)
    assert "key.talk" not in labels(state)
    assert labels(run(state, Open(Page.TALK))[0])[0] == "key.back"


# ------------------------------------------------------------------ what others say


def test_unread_words_are_marked_until_looked_at() -> None:
    """Others' words are counted in the header and the newest stand below the table; looking takes the mark away."""
    state = said(screen(view()), Word(1, "said", "een"), Word(2, "said", 7))
    shown = text(state)

    assert state.unread == 2
    assert "2 berichten" in shown
    assert "Bram: een" in shown
    assert "Cor: Zo terug." in shown
    for look in (Open(Page.LOG), Open(Page.TALK), Key.TALK, Key.CANCEL):
        assert run(state, look)[0].unread == 0
    assert labels(state)[0] == "key.talk"
    assert "1 message " in text(said(screen(view()), Word(1, "said", "one")), lang="en")


def test_our_own_words_stand_below_the_table_until_our_next_key() -> None:
    """What we said is seen to have gone, beside what others answer; the next key takes it away, news does not."""
    state = said(screen(view()), Word(1, "said", "een"), Word(2, "said", 7), Word(0, "said", "zelf"))
    shown = text(state)

    assert state.unread == 2
    assert all(words in shown for words in ("Bram: een", "Cor: Zo terug.", "Anna: zelf"))
    assert "Anna: zelf" in text(said(state))
    after = text(run(state, Step(1))[0])
    assert "Anna: zelf" not in after
    assert "Bram: een" in after
    assert "zelf" not in text(said(screen(view()), Word(0, "away"), Word(0, "go_on")))
    assert "Anna: later" not in text(run(said(run(state, Open(Page.LOG))[0], Word(0, "said", "later")), Key.CANCEL)[0])


def test_a_watcher_is_told_how_to_read_and_reads_nothing_twice() -> None:
    """Without a voice the key line has the key of the page of talk while words are unread; each stands there once."""
    state = said(screen(view(me=None)), Word(1, "said", "een"), Word(2, "said", 7), Word(1, "said", "een"))

    assert labels(state)[0] == "key.read"
    assert "k lees" in text(state, 120, 40)
    assert text(state, 120, 40).count("Bram: een") == 1
    assert run(state, Open(Page.TALK))[0].unread == 0


def test_words_on_a_page_of_words_are_read() -> None:
    """While the log or the page of talk is open nothing becomes unread."""
    for page in (Page.LOG, Page.TALK):
        state = said(run(screen(view()), Open(page))[0], Word(1, "said", "hier ben ik"))
        assert state.unread == 0
        assert "Bram: hier ben ik" in text(state)


def test_chat_is_no_move() -> None:
    """What is said in between changes nothing of what is shown about anybody's last turn."""
    state = logged(screen(view(pot="4D")), ("log.drew", 1, ""), ("log.discard", 1, "QH"))
    chatty = said(state, Word(1, "said", "nou"), Word(2, "said", "ja"))
    chatty = logged(said(logged(chatty, ("log.drew", 2, "")), Word(2, "said", "!")), ("log.discard", 2, "4D"))
    plainly = logged(state, ("log.drew", 2, ""), ("log.discard", 2, "4D"))

    assert text(chatty, 100, 40).split("\n")[1:5] == text(plainly, 100, 40).split("\n")[1:5]
    assert "Cor pakt een kaart. Cor gooit 4♦ weg." in text(replace(chatty, unread=0), 100, 40)


def test_long_words_are_whole_in_the_log() -> None:
    """Below the table a long line is cut with a mark; the log tells it whole, over several lines."""
    words = " ".join(f"woord{number}" for number in range(25))
    state = said(screen(view()), Word(1, "said", words))

    assert "…" in text(state)
    assert " ".join(text(run(state, Open(Page.LOG))[0]).split()).count(words) == 1


NASTY = "\x1b[31mrood\x1b]0;titel\x07 \u202eomgekeerd\u202c \x9b2J <b>{name}</b> class:alarm"


@pytest.mark.parametrize("page", [Page.TABLE, Page.LOG, Page.TALK])
@pytest.mark.parametrize("ascii_", [False, True])
def test_nothing_of_a_peer_reaches_the_terminal_unprinted(page: Page, ascii_: bool) -> None:
    """Escape sequences and direction marks are drawn as question marks, markup as the text that it is."""
    state = replace(said(screen(view()), Word(1, "said", NASTY)), page=page)
    drawing = draw(state, Glyphs("nl", ascii_), 120, 40)
    shown = "\n".join(plain(line) for line in drawing.lines)

    assert "<b>{name}</b> class:alarm" in shown
    assert all(char.isprintable() for char in shown if char != "\n")


async def test_a_peer_cannot_write_to_the_terminal() -> None:
    """What a peer says passes through the whole screen to the terminal without any of its control characters."""
    table = FakeTable(seed=4)
    async with playing(table, width=100, height=30) as played:
        await played.terminal.shows("De spelers gaan zitten")
        table.talk.hears(Said(1, NASTY))
        await played.terminal.shows("class:alarm")
        written = "".join(played.terminal.written)

    assert "\x1b[31m" not in written
    assert "titel\x07" not in written
    assert not {"\u202e", "\u202c", "\x9b"} & set(written)


# ------------------------------------------------------------------ mute, away


def test_players_are_muted_by_number() -> None:
    """On the page of talk a number mutes that player, and once more hears them again; there is no such number more."""
    state, _ = run(screen(view()), Open(Page.TALK))
    muted, effects = run(state, Choose(2))

    assert effects == (Mute(2, on=True),)
    assert "Cor hoor je nu niet meer." in text(muted)
    now = said(muted, standing=Standing(muted=(2,)))
    assert "Cor   gedempt" in text(now)
    assert run(now, Choose(2))[1] == (Mute(2, on=False),)
    assert run(now, Choose(4))[1] == ()


def test_away_is_told_apart_from_silence() -> None:
    """Who said so is away for a moment; who cannot be heard is not heard; who left is gone."""
    state = replace(screen(view()), link=AWAY_LINK, left=(3,))
    shown = text(said(state, Word(1, "away"), standing=Standing(away=(1, 2, 3))), 120, 40)

    assert "Bram ○ even weg" in shown
    assert "Cor bot ○ niet te horen" in shown
    assert "Dina bot ○ weg" in shown
    assert "Bram is even weg." in shown


def test_we_are_away_and_back() -> None:
    """One key tells the others both ways, and our own line shows it."""
    state, gone = run(screen(view()), Key.AWAY)
    away = said(state, Word(0, "away"), standing=Standing(away=(0,)))

    assert gone == (SetAway(away=True),)
    assert "Anna (jij, even weg)" in text(away)
    assert run(away, Key.AWAY)[1] == (SetAway(away=False),)
    assert "key.back_again" in labels(run(away, Open(Page.TALK))[0])


# ------------------------------------------------------------------ pause


def paused(**more: object) -> UiState:
    """A table on which Cor, who is not heard, has asked for a pause and is awaited."""
    state = screen(view(mover=2, phase=Phase.DRAW, **more), link=AWAY_LINK)  # type: ignore[arg-type]
    return said(state, Word(2, "pause"), standing=Standing(paused_by=2))


def test_a_pause_is_on_every_screen() -> None:
    """Who asked and how it ends is told in place of whose turn it is; other pages have a mark."""
    assert "Pauze, gevraagd door Cor." in text(paused())
    assert "PAUZE" in text(run(paused(), Open(Page.SCORES))[0])
    assert labels(paused())[0] == "key.go_on"
    assert run(paused(), Key.PAUSE)[1] == (SetPause(on=False),)
    assert run(screen(view()), Key.PAUSE)[1] == (SetPause(on=True),)
    watcher = said(screen(view(me=None)), standing=Standing(paused_by=2))
    assert "Pauze, gevraagd door Cor." in text(watcher)
    assert "z" not in {bind.keys[0] for bind, _ in useful(watcher)}


def test_nobody_is_given_up_in_a_pause() -> None:
    """The key for waiting no longer says why not, and a question about it goes when the pause begins."""
    before = screen(view(mover=2, phase=Phase.DRAW), link=AWAY_LINK)
    assert claimable(before) == (2,)
    assert claimable(paused()) == ()
    state, effects = run(paused(), Key.CLAIM)
    assert effects == ()
    assert "Het is pauze: niemand wordt nu opgegeven." in text(state)
    asked, _ = run(before, Key.CLAIM)
    assert asked.ask is not None
    assert said(asked, Word(2, "pause"), standing=Standing(paused_by=2)).ask is None


def test_a_claim_that_crossed_the_pause_was_not_made() -> None:
    """When the node refuses a claim because of a pause, the screen does not count us among those who wait no longer."""
    claimed, effects = run(screen(view(mover=2, phase=Phase.DRAW), link=AWAY_LINK), Key.CLAIM, Key.ACCEPT)
    assert effects == (Submit(Claim((2,))),)
    state, _ = run(claimed, Refused("node/paused", Claim((2,))))

    assert state.claims == ()
    assert claimable(state) == (2,)
    assert "Het is pauze" in text(state)


def test_one_plays_on_in_a_pause() -> None:
    """Cards can be chosen and a move can be asked for: making it ends the pause."""
    state = said(screen(view(phase=Phase.DRAW)), standing=Standing(paused_by=0))

    assert run(state, Key.STOCK)[0].ask is not None


@pytest.mark.parametrize("stage", [Stage.FINISHED, Stage.FAULTED])
def test_a_game_that_is_over_has_no_pause(stage: Stage) -> None:
    """After the end nobody asks for a pause, and an old one is not shown."""
    state = said(screen(view(stage=stage)), standing=Standing(paused_by=1))

    assert "Pauze" not in text(replace(state, page=Page.TABLE))
    assert run(state, Key.PAUSE)[1] == ()


@pytest.mark.parametrize("what", ["said", "away", "back", "pause", "go_on"])
@pytest.mark.parametrize("lang", ["nl", "en"])
def test_every_word_is_a_line_of_the_log(what: str, lang: str) -> None:
    """Each thing that people say is told with the name of who said it."""
    state = said(screen(view()), Word(1, what, "hm." if what == "said" else ""))
    (entry,) = state.log

    assert entry == Entry(1, f"talk.{what}", 1, (("text", "hm."),) if what == "said" else ())
    assert "Bram" in text(run(state, Open(Page.LOG))[0], lang=lang)


# ------------------------------------------------------------------ the whole screen


async def test_a_chat_by_keys() -> None:
    """M opens the line, letters of the table's keys go into it, pasted text too, Enter sends it to the table."""
    table = FakeTable(seed=4)
    async with playing(table) as played:
        await table.deal()
        await played.terminal.shows("Jij bent aan de beurt")
        played.press("m")
        await played.terminal.shows("Zeg: _")
        played.press("s", "q", "?", "space", "left", "f1", "2", "\x1b[200~plak\nken\x1b[201~", "\x7f", "é")
        await played.terminal.shows("Zeg: sq? 2plak keé_")
        played.press("enter")
        await played.terminal.until(lambda shown: "Zeg:" not in shown)
        played.press("l")
        await played.terminal.shows("Anna: sq? 2plak keé")
        played.press("escape", "m", "4", "enter", "l")
        await played.terminal.shows("Anna: Jij bent aan de beurt.")
        played.press("escape", "m", "x", "escape", "s")
        await played.terminal.shows("Een kaart van de stapel pakken?")

    assert table.submitted == []


async def test_away_pause_and_mute_by_keys() -> None:
    """I, Z and the numbers of the page of talk reach the table, and what others do is shown."""
    table = FakeTable(seed=4)
    async with playing(table) as played:
        await table.deal()
        await played.terminal.shows("Jij bent aan de beurt")
        played.press("i")
        await played.terminal.shows("jij, even weg")
        played.press("z")
        await played.terminal.shows("Pauze, gevraagd door Anna.")
        table.talk.hears(AwayChanged(1, away=True), PauseChanged(2, on=False))
        await played.terminal.shows("Cor speelt verder: de pauze is voorbij.")
        played.press("k", "1")
        await played.terminal.shows("Bram  gedempt")

    assert table.talk.standing().muted == (1,)


async def test_a_screen_that_opens_in_a_pause_shows_it() -> None:
    """Whoever comes back days later sees at once that there is a pause, and who asked."""
    table = FakeTable(seed=4)
    table.talk.set_pause(on=True)
    async with playing(table) as played:
        await played.terminal.shows("Pauze, gevraagd door Anna.")


async def test_a_refused_word_is_told() -> None:
    """What the node does not pass on comes back with its reason, whatever it was."""
    table = FakeTable(seed=4)
    states: list[UiState] = []
    controller = Controller(
        table, changed=lambda: states.append(controller.state), ring=lambda: None, leave=lambda: None
    )
    table.talk.refusal = NotNow("node/not-so-fast")
    for intent in (Key.TALK, Typed("hallo"), Key.SEND):
        controller.dispatch(intent)

    assert controller.state.typing == "hallo"
    assert "Niet zo snel" in text(controller.state)


async def test_a_small_screen_can_be_left_while_typing() -> None:
    """If the terminal becomes too small while a line is typed, q leaves as on every small screen."""
    table = FakeTable(seed=4)
    async with playing(table) as played:
        await played.terminal.shows("De spelers gaan zitten")
        played.press("m", "q")
        await played.terminal.shows("Zeg: q_")
        played.terminal.resize(60, 10)
        await played.terminal.shows("te klein")
        played.press("q")
        assert await played.running == 0


# ------------------------------------------------------------------ the notice


async def test_our_turn_asks_for_a_notice_once() -> None:
    """The desktop is told when our turn comes, in the person's language, and not at every change in it."""
    table = FakeTable(seed=2, n=2)
    async with playing(table) as played:
        await played.terminal.shows("De spelers gaan zitten")
        await table.deal()
        await played.terminal.shows("Jij bent aan de beurt")
        played.press("right", "?")
        await played.terminal.shows("Toetsen")
        written = "".join(played.terminal.written)

    assert written.count("\x1b]9;Duizenden: jij bent aan de beurt.\x1b\\") == 1


@pytest.mark.parametrize(
    ("notice", "focus", "notices"), [(True, "", 1), (True, "\x1b[I", 0), (True, "\x1b[I\x1b[O", 1), (False, "", 0)]
)
async def test_the_active_window_gets_no_notice(focus: str, notices: int, *, notice: bool) -> None:
    """A window that the terminal calls the active one gets the bell alone; so does who turned notices off.

    Reports of focus are asked for on our screen only, and are no keys.
    """
    table = FakeTable()
    async with playing(table, notice=notice) as played:
        await played.terminal.shows("De spelers gaan zitten")
        played.press("?")
        await played.terminal.shows("Toetsen")
        played.press(*([focus] if focus else []), "?")
        await played.terminal.shows("De spelers gaan zitten")
        await table.deal()
        await played.terminal.shows("Jij bent aan de beurt")
    written = "".join(played.terminal.written)

    assert written.count("\x1b]9;") == notices
    assert re.sub("\x1b]2;[^\x07]*\x07", "", written).count("\x07") == 1  # titles end with one too
    assert written.index("\x1b[?1004h") < written.index("\x1b[?1004l") < written.index("\x1b[?1049l")


@pytest.mark.parametrize(("term", "setting", "count"), [("xterm", "", 1), ("xterm", "off", 0), ("linux", "", 0)])
def test_the_notice_can_be_turned_off(term: str, setting: str, count: int) -> None:
    """DUIZENDEN_NOTICE=off is silent, and terminals that would print it are spared."""
    written: list[str] = []

    class Output(Vt100_Output):
        def write_raw(self, data: str) -> None:
            written.append(data)

        def flush(self) -> None:
            pass

    output = Output.__new__(Output)
    output.term = term
    notify(output, "hallo", {"DUIZENDEN_NOTICE": setting})
    notify(DummyOutput(), "hallo", {})

    assert written == ["\x1b]9;hallo\x1b\\"] * count


# ------------------------------------------------------------------ the mouse


def test_talk_works_by_mouse() -> None:
    """The key line, the phrases, the words below the table and the players on the page of talk can be clicked."""

    def clicked(state: UiState, words: str) -> Intent | None:
        drawing = draw(state, Glyphs("nl"), 120, 40)
        lines = [plain(line) for line in drawing.lines]
        y = next(y for y, line in reversed(list(enumerate(lines))) if words in line)
        return drawing.meant(lines[y].index(words), y)

    spoken = said(screen(view()), Word(1, "said", "dag"))
    page, _ = run(spoken, Open(Page.TALK))

    assert clicked(spoken, "m praat") is Key.TALK
    assert clicked(spoken, "Bram: dag") is Key.TALK
    assert clicked(typing(), "Pech!") == Choose(6)
    assert clicked(typing(), "Enter stuur") is Key.SEND
    assert clicked(page, "Cor") == Choose(2)
    assert clicked(page, "z pauze") is Key.PAUSE
