"""The lobby's reducer: what keys and news change, and what has to be done. No terminal and no network."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from client_cli.lobby import editor
from client_cli.lobby.editor import Card
from client_cli.lobby.fields import LONGEST, typed_key, typed_text
from client_cli.lobby.intents import (
    Begun,
    Busy,
    Checked,
    Ended,
    Examined,
    FilesListed,
    GamesListed,
    Goto,
    Intent,
    Point,
    Press,
    RoomChanged,
    TablesSeen,
    Told,
    Typed,
    VerifyMoved,
    Waited,
)
from client_cli.lobby.keys import ALL_KEYS, TABLE
from client_cli.lobby.model import reduce
from client_cli.lobby.state import (
    MENU,
    AddBot,
    Begin,
    Effect,
    Examine,
    Field,
    Fit,
    JoinTable,
    LeaveRoom,
    ListFiles,
    ListGames,
    LobbyState,
    LookAgain,
    Note,
    OpenTable,
    Place,
    Preferences,
    Quit,
    Remember,
    RemoveSeat,
    ResumeGame,
    StopVerifying,
    VerifyFile,
    Verifying,
    WatchTable,
)
from node.addresses import BrokerAddress
from node.table_code import TableCode
from tests.client_cli.lobby_scenes import (
    BEGUN,
    BROKER,
    CHECKS,
    DAMAGED,
    FILES,
    GAMES,
    JOEP,
    OLD,
    ROOM,
    TABLES,
    TRUUS,
    VERDICT,
    after,
    keys,
    lobby,
    run,
    scenes,
)

# ------------------------------------------------------------------ home


def test_the_first_table_gets_the_cursor_only_while_nothing_was_pressed() -> None:
    """Who waits for a table has it under the cursor; who has moved the cursor keeps it where it is."""
    waiting = after(TablesSeen((TRUUS,)))
    moved = after(*keys("down"), TablesSeen((TRUUS,)))

    assert waiting.cursor == TRUUS.table
    assert moved.cursor == MENU[1]


def test_news_never_moves_the_cursor_to_another_table() -> None:
    """Tables come, change and go around the cursor; when its own goes it falls to the menu, not to a neighbour."""
    state = after(TablesSeen((JOEP, TRUUS)), *keys("down"))
    changed = after(TablesSeen((OLD, replace(TRUUS, taken=4), JOEP)), start=state)
    gone = after(TablesSeen((JOEP,)), start=state)

    assert (state.cursor, changed.cursor, gone.cursor) == (TRUUS.table, TRUUS.table, MENU[0])


def test_the_cursor_walks_through_tables_and_menu_and_stops_at_the_ends() -> None:
    """Up and down visit every table and every word of the menu once."""
    state = after(TablesSeen(TABLES))
    visited = [state.cursor]
    for _ in range(30):
        state = after(*keys("down"), start=state)
        visited.append(state.cursor)
    again = after(*keys(*["up"] * 40), start=state)

    assert tuple(dict.fromkeys(visited)) == (*(seen.table for seen in TABLES), *MENU)
    assert again.cursor == TABLES[0].table


def test_enter_on_an_open_table_joins_it() -> None:
    """The table's own broker and name are used, and the screen says what is under way."""
    state, effects = run(after(TablesSeen((JOEP,))), *keys("enter"))

    assert effects == (JoinTable(BROKER, JOEP.table),)
    assert state.busy == Note("lobby.joining", (("title", "Joep"),))


def test_enter_on_a_table_that_has_begun_looks_on() -> None:
    """Whoever cannot sit down any more can watch."""
    state, effects = run(after(TablesSeen((replace(JOEP, fit=Fit.PLAYING),))), *keys("enter"))

    assert effects == (WatchTable(BROKER, JOEP.table),)
    assert state.busy == Note("lobby.watching", (("title", "Joep"),))


@pytest.mark.parametrize("fit", [fit for fit in Fit if fit not in {Fit.OPEN, Fit.SEALED, Fit.PLAYING}])
def test_enter_on_any_other_table_says_why_not(fit: Fit) -> None:
    """Nothing is attempted that cannot work, and each kind has its own sentence."""
    state, effects = run(after(TablesSeen((replace(JOEP, fit=fit),))), *keys("enter"))

    assert effects == ()
    assert state.note is not None
    assert state.note.code == f"lobby.cannot.{fit.value}"
    assert state.note.bad


def test_another_version_is_named_with_both_numbers() -> None:
    """The sentence knows what runs there and what runs here."""
    state = after(TablesSeen((OLD,)), *keys("enter"))

    assert state.note is not None
    assert dict(state.note.facts) == {"title": "Opa Cees", "theirs": "2", "ours": "1"}


def test_what_is_under_way_can_be_given_up() -> None:
    """Escape gives up; every other key does nothing at all meanwhile."""
    busy = after(TablesSeen((JOEP,)), *keys("enter"))
    other, nothing = run(busy, *keys("down", "n", "x", "enter"))
    calm, effects = run(busy, *keys("escape"))

    assert (other, nothing) == (busy, ())
    assert (calm.busy, effects) == (None, (LeaveRoom(),))


def test_looking_happens_exactly_while_nobody_sits_down() -> None:
    """In a room and while something is under way the network is left alone."""
    room = after(RoomChanged(ROOM, hosting=True))

    assert lobby().looking
    assert after(*keys("n")).looking
    assert not after(TablesSeen((JOEP,)), *keys("enter")).looking
    assert not room.looking
    assert after(Ended(), start=room).looking


def test_nothing_found_is_said_only_where_nothing_was_found() -> None:
    """The explanation appears after the wait, goes when a table comes, and comes back when looking again finds none."""
    none = after(Waited())
    found = after(TablesSeen((JOEP,)), start=none)
    again, effects = run(found, *keys("z"))

    assert (none.waited, found.waited, after(Waited(), start=found).waited) == (True, False, False)
    assert (again.tables, again.waited, effects) == ((), False, (LookAgain(),))
    assert after(Waited(), start=again).waited


def test_the_menu_and_its_letters_do_the_same() -> None:
    """Every word of the menu does what its key does, from wherever the cursor is."""
    letters = {"host": "n", "address": "a", "practice": "p", "resume": "v", "verify": "c", "settings": "s"}
    letters |= {"doctor": "d", "help": "?", "quit": "q"}
    for place, word in enumerate(MENU):
        by_cursor = run(after(*keys(*["down"] * place)), *keys("enter"))
        by_letter = run(after(*keys(*["down"] * place)), *keys(letters[word]))
        assert by_cursor == by_letter, word
        assert by_cursor != (after(*keys(*["down"] * place)), ()), word


# ------------------------------------------------------------------ typing


def test_an_address_is_typed_and_joined() -> None:
    """Letters that are keys elsewhere are letters here; Enter joins."""
    state, effects = run(lobby(), *keys("a", *"qa.local", "left", "backspace", "end"), Typed(":2000"), *keys("enter"))

    assert effects == (JoinTable(BrokerAddress("qa.locl", 2000)),)
    assert state.typing is None
    assert state.busy is not None


def test_a_table_code_is_typed_and_joined() -> None:
    """The same line takes a table code, and says so where it has a typing mistake or needs a broker."""
    _, by_code = run(lobby(), *keys("a"), Typed("39qm 35"), *keys("enter"))
    elsewhere, nothing = run(lobby(), *keys("a"), Typed("FDTK-2JJQ"), *keys("enter"))
    _, with_broker = run(elsewhere, Typed(" mqtt://qa.local"), *keys("enter"))
    typo, none = run(lobby(), *keys("a"), Typed("39qm-36"), *keys("enter"))
    _, corrected = run(typo, *keys("backspace"), Typed("5"), *keys("enter"))
    _, doubtful = run(lobby(), *keys("a"), Typed("39QM36"), *keys("enter"))

    assert by_code == (JoinTable(BrokerAddress("192.168.1.20")),)
    assert (nothing, elsewhere.note) == ((), Note("lobby.code_broker", bad=True))
    assert with_broker == (JoinTable(BrokerAddress("qa.local"), "abc234"),)
    assert (none, typo.note) == ((), Note("code/typo", bad=True))
    assert corrected == by_code
    assert doubtful == (JoinTable(BrokerAddress("39QM36"), typed="39QM36"),)


def test_a_sealed_table_asks_for_its_code() -> None:
    """Enter on a sealed table asks for its code; one without an address belongs to the table under the cursor."""
    sealed = replace(JOEP, fit=Fit.SEALED, title="", rules=None)
    code = TableCode(secret=bytes(range(8)))
    asked, nothing = run(after(TablesSeen((sealed,))), *keys("enter"))
    _, effects = run(asked, Typed(str(code)), *keys("enter"))

    assert (nothing, asked.typing) == ((), Field("address"))
    assert effects == (JoinTable(BROKER, secret=bytes(range(8))),)


def test_a_bad_address_stays_to_be_corrected() -> None:
    """What is wrong is said, the text is kept, and typing takes the sentence away."""
    state, effects = run(lobby(), *keys("a"), Typed("192.168.1.5:x"), *keys("enter"))
    corrected, joined = run(state, *keys("backspace", "backspace", "enter"))

    assert effects == ()
    assert state.note == Note("lobby.bad_address", (("text", "192.168.1.5:x"),), bad=True)
    assert state.typing is not None
    assert joined == (JoinTable(BrokerAddress("192.168.1.5")),)
    assert corrected.note is None


def test_an_empty_line_or_escape_is_no_address() -> None:
    """Both leave everything as it was."""
    for leave in ("enter", "escape"):
        state, effects = run(lobby(), *keys("a"), *keys(leave))
        assert (state.typing, state.place, effects) == (None, Place.HOME, ())


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(["a", "é", "space", "left", "right", "home", "end", "backspace", "delete", "tab"])))
def test_a_line_of_text_behaves_as_one(pressed: list[str]) -> None:
    """A list of characters with a cursor, edited the obvious way, is always what the field holds."""
    field, at = Field("name"), 0
    text: list[str] = []
    for key in pressed:
        field = typed_key(field, key)
        match key:
            case "a" | "é" | "space":
                text.insert(at, " " if key == "space" else key)
                at += 1
            case "left":
                at = max(at - 1, 0)
            case "right":
                at = min(at + 1, len(text))
            case "home":
                at = 0
            case "end":
                at = len(text)
            case "backspace" if at:
                at -= 1
                text.pop(at)
            case "delete" if at < len(text):
                text.pop(at)
        assert (field.text, field.at) == ("".join(text), at)


def test_pasted_text_is_made_harmless() -> None:
    """Line ends and control characters are dropped, and nobody pastes a book."""
    field = typed_text(Field("address"), "192.168.1.5\r\n\x1b[2J" + "x" * 1000)

    assert field.text.startswith("192.168.1.5[2Jxx")
    assert len(field.text) == field.at == LONGEST


def test_pasting_where_nothing_is_typed_does_nothing() -> None:
    """A paste is never taken for keys."""
    assert run(lobby(), Typed("q\r")) == (lobby(), ())


# ------------------------------------------------------------------ the card


def test_the_card_opens_a_table() -> None:
    """Enter opens a table with what was chosen."""
    state, effects = run(lobby(), *keys("n", "down", "right", "down", "right", "enter"))

    assert effects == (OpenTable(Card(preset="klassiek", seats=5, bots=1, cursor="bots")),)
    assert state.busy == Note("lobby.opening")


def test_practice_opens_a_table_of_bots() -> None:
    """The same card, marked as practice."""
    _, effects = run(lobby(), *keys("p", "enter"))

    assert effects == (OpenTable(Card(preset="klassiek", practice=True)),)


def test_a_card_that_clashes_opens_nothing() -> None:
    """Enter says so, and what was chosen is kept."""
    clash = scenes()["card-clash"]
    state, effects = run(clash, *keys("enter"))

    assert effects == ()
    assert state.note == Note("lobby.no_table", bad=True)
    assert state.card == clash.card


def test_the_whole_card_being_made_is_one_key_away() -> None:
    """The rules of the card as it stands, house rules included; not while settings clash."""
    reading = after(*keys("n", "tab", "right", "r"))
    rules = editor.built(reading.card)
    clash = after(*keys("r"), start=scenes()["card-clash"])

    assert reading.place is Place.RULES
    assert reading.shown_rules() == (rules, "klassiek")
    assert after(*keys("escape"), start=reading).place is Place.CARD
    assert (clash.place, clash.note) == (Place.CARD, Note("lobby.no_table", bad=True))


def test_the_card_is_remembered_between_visits() -> None:
    """Leaving the editor loses nothing; taking everything back is one key."""
    state = after(*keys("n", "tab", "tab", "right", "escape", "n"))
    reset = after(*keys("x"), start=state)

    assert state.card.changed == (("decks", 3),)
    assert reset.card.changed == ()
    assert reset.note == Note("lobby.reset", (("preset", "klassiek"),))


# ------------------------------------------------------------------ the waiting room


def test_a_room_takes_the_screen_from_wherever_one_was() -> None:
    """The news that we sit somewhere shows the room; further news keeps page and cursor."""
    state = after(*keys("n", "enter"), RoomChanged(ROOM, hosting=True))
    reading = after(*keys("down", "r"), RoomChanged(replace(ROOM, seats=4), hosting=True), start=state)

    assert (state.place, state.busy, state.hosting) == (Place.ROOM, None, True)
    assert (reading.place, reading.room) == (Place.RULES, replace(ROOM, seats=4))
    assert after(*keys("escape"), start=reading).place is Place.ROOM


def test_what_the_host_can_do() -> None:
    """Add a bot while there is room, send a bot away at once and a person after a question, begin."""
    room = after(RoomChanged(ROOM, hosting=True))
    full = after(RoomChanged(replace(ROOM, seats=3), hosting=True))

    assert run(room, *keys("b"))[1] == (AddBot(),)
    assert run(full, *keys("b"))[1] == ()
    assert run(room, *keys("x"))[1] == ()  # the host's own seat
    assert run(room, *keys("down", "x"))[1] == (RemoveSeat(1),)
    assert run(room, *keys("down", "down", "x"))[1] == ()
    assert run(room, *keys("down", "down", "x", "enter"))[1] == (RemoveSeat(2),)
    assert run(room, *keys("end", "down", "down", "down", "x"))[1] == ()  # a free seat
    assert run(full, *keys("enter"))[1] == (Begin(),)


def test_beginning_with_free_seats_is_asked_about() -> None:
    """Enter twice begins; any other key only takes the question away."""
    room = after(RoomChanged(ROOM, hosting=True))
    asked, nothing = run(room, *keys("enter"))

    assert nothing == ()
    assert asked.ask is not None
    assert run(asked, *keys("enter"))[1] == (Begin(),)
    assert run(asked, *keys("b")) == (replace(asked, ask=None), ())


def test_nobody_begins_alone() -> None:
    """With one player there is nothing to begin."""
    alone = after(RoomChanged(replace(ROOM, chairs=ROOM.chairs[:1]), hosting=True))
    state, effects = run(alone, *keys("enter"))

    assert effects == ()
    assert state.note == Note("lobby.alone", bad=True)


def test_closing_a_table_with_guests_is_asked_about() -> None:
    """Alone the host just leaves; a guest always does."""
    alone = after(RoomChanged(replace(ROOM, chairs=ROOM.chairs[:1]), hosting=True))
    guest = after(RoomChanged(replace(ROOM, me=2), hosting=False))
    host = after(RoomChanged(ROOM, hosting=True))

    assert run(alone, *keys("q"))[1] == (LeaveRoom(),)
    assert run(guest, *keys("escape"))[1] == (LeaveRoom(),)
    assert run(host, *keys("q"))[1] == ()
    assert run(host, *keys("q", "enter"))[1] == (LeaveRoom(),)


def test_a_guest_has_no_keys_of_the_host() -> None:
    """Adding, removing and beginning are not a guest's."""
    guest = after(RoomChanged(replace(ROOM, me=2), hosting=False))

    assert run(guest, *keys("b", "x", "enter"))[1] == ()


def test_the_end_of_a_room_leads_home_with_its_sentence() -> None:
    """Whatever ended it is said on the home screen, and looking begins afresh."""
    note = Note("lobby/removed", bad=True)
    state = after(RoomChanged(replace(ROOM, me=2), hosting=False), *keys("r"), Ended(note))

    assert (state.place, state.under, state.room, state.note) == (Place.HOME, (), None, note)


def test_a_refusal_leaves_the_person_where_it_can_be_tried_again() -> None:
    """A taken port does not throw the rule card away, nor a busy journal the list."""
    refused = Note("broker/start", bad=True)
    card = after(*keys("n", "tab", "right", "enter"), Ended(refused))
    games = after(*keys("v"), GamesListed(GAMES), *keys("enter"), Ended(refused))

    assert (card.place, card.busy, card.note) == (Place.CARD, None, refused)
    assert (games.place, games.note) == (Place.GAMES, refused)


def test_the_game_begins_and_ends() -> None:
    """While it is played the lobby is busy; afterwards it is home again, and knows the rules that were played."""
    begun = after(RoomChanged(ROOM, hosting=True), Begun(ROOM.rules))
    ended = after(Busy(Note("lobby.leaving")), Ended(Note("lobby.left")), start=begun)

    assert begun.busy == Note("lobby.begins")
    assert (ended.place, ended.busy, ended.note) == (Place.HOME, None, Note("lobby.left"))
    assert ended.before == after(Begun(), start=ended).before == ROOM.rules


def test_at_a_table_that_has_begun_watching_is_offered() -> None:
    """Who typed its code is asked whether to look on; any key but Enter stays at home."""
    asked = after(Busy(Note("lobby.joining")), Ended(ask=BEGUN))
    state, effects = run(asked, *keys("enter"))

    assert effects == (BEGUN.effect,)
    assert state.busy == Note("lobby.watching", (("title", "Joep"),))
    assert run(asked, *keys("x"))[1] == ()


# ------------------------------------------------------------------ lists, verdicts, settings, doctor


def test_saved_games_are_listed_and_resumed() -> None:
    """A game that is over or played elsewhere is refused with its reason."""
    state, asked = run(lobby(), *keys("v"), GamesListed(GAMES))

    assert asked == (ListGames(),)
    assert run(state, *keys("enter"))[1] == (ResumeGame(GAMES[0].path),)
    assert after(*keys("down", "enter"), start=state).note == Note("lobby.game.busy", bad=True)
    assert after(*keys("end", "enter"), start=state).note == Note("lobby.game.over", bad=True)
    assert run(after(*keys("v"), GamesListed(())), *keys("enter", "down"))[1] == ()


@pytest.mark.parametrize("problem", ["damaged", "version"])
def test_a_game_that_cannot_be_read_is_listed_and_refused(problem: str) -> None:
    """It stands in the list with what is wrong, and choosing it says in a sentence that it cannot go on."""
    lost = replace(DAMAGED, problem=problem)
    state, effects = run(lobby(), *keys("v"), GamesListed((lost,)), *keys("enter"))

    assert effects == (ListGames(),)
    assert state.note == Note(f"lobby.game.{problem}", bad=True)


def test_files_are_listed_and_verified() -> None:
    """A chosen or typed file is checked; news of another check is not shown; Escape gives up, then leads back."""
    state, asked = run(lobby(), *keys("c"), FilesListed(FILES), *keys("down", "enter"))
    path = FILES[1].path
    half = after(VerifyMoved(Verifying(path=path, done=1, total=2)), start=state)
    foreign = after(VerifyMoved(Verifying(path=FILES[0].path, verdict=VERDICT)), start=half)
    listed, stopped = run(half, *keys("escape"))

    assert asked == (ListFiles(), VerifyFile(path))
    assert half.verifying == Verifying(path=path, done=1, total=2)
    assert foreign == half
    assert (listed.place, listed.verifying, stopped) == (Place.FILES, None, (StopVerifying(),))
    assert after(*keys("escape"), start=listed).place is Place.HOME
    typed = run(listed, *keys("f"), Typed("/tmp/x.duizenden"), *keys("enter"))[1]
    assert typed == (VerifyFile(Path("/tmp/x.duizenden")),)


def test_settings_change_at_once_and_are_kept() -> None:
    """Language, symbols, colours and the notice go round with the arrows; the name is typed and cleaned."""
    state, effects = run(lobby(), *keys("s", "down", "right"))
    assert effects == (Remember(Preferences("Truus", "en")),)
    state, effects = run(state, *keys("down", "right", "down", "left"))
    assert effects[-1] == Remember(Preferences("Truus", "en", "letters", "mono"))
    state, effects = run(state, *keys("down", "right"))
    assert effects[-1] == Remember(Preferences("Truus", "en", "letters", "mono", "off"))
    state, effects = run(state, *keys("up", "up", "up", "up", "enter", "end", *"  je", "enter"))
    assert effects == (Remember(Preferences("Truus je", "en", "letters", "mono", "off")),)
    assert state.preferences.name == "Truus je"
    nameless, effects = run(state, *keys("enter", *["backspace"] * 20, "enter"))
    assert effects == ()
    assert nameless.note == Note("lobby.no_name", bad=True)


def test_the_doctor_reports_one_by_one() -> None:
    """Checks appear as they come; another examination starts only after the last one is done."""
    state, effects = run(lobby(), *keys("d"), Checked(CHECKS[0]))
    early = run(state, *keys("z"))[1]
    again, more = run(state, Examined(), *keys("z"))

    assert effects == (Examine(),)
    assert (state.checks, state.examined, early) == (CHECKS[:1], False, ())
    assert (again.checks, again.examined, more) == ((), False, (Examine(),))


def test_pages_scroll_and_lead_back() -> None:
    """Up, down and leaves stay within what the drawing said."""
    page = after(*keys("?"))
    down = after(*keys("down", "pagedown", "end", "down"), start=page)

    assert (page.place, down.scroll) == (Place.HELP, 40)
    assert after(*keys("home"), start=down).scroll == 0
    assert after(*keys("escape"), start=down).place is Place.HOME


def test_help_comes_back_to_where_it_was_asked() -> None:
    """A page on top of the card leads back to the card."""
    assert after(*keys("n", "?")).under == (Place.HOME, Place.CARD)
    assert after(*keys("n", "?", "escape")).place is Place.CARD
    assert after(*keys("n", "?", "escape", "escape")).place is Place.HOME


# ------------------------------------------------------------------ the mouse


def test_a_click_moves_the_cursor_and_a_second_one_chooses() -> None:
    """Rows can be pointed at; in the waiting room a click only ever moves the cursor."""
    state = after(TablesSeen((JOEP, TRUUS)))
    moved, nothing = run(state, Point(TRUUS.table))
    room = after(RoomChanged(ROOM, hosting=True), Point(1))

    assert (moved.cursor, nothing) == (TRUUS.table, ())
    assert run(moved, Point(TRUUS.table))[1] == (JoinTable(BROKER, TRUUS.table),)
    assert after(Point("host"), Point("host")).place is Place.CARD
    assert after(*keys("n"), Point("hand_size")).card.cursor == "hand_size"
    assert (room.line, run(room, Point(1))[1]) == (1, ())
    assert run(state, Point("nowhere")) == (state, ())


# ------------------------------------------------------------------ everything

NEWS: tuple[Intent, ...] = (
    TablesSeen(()),
    TablesSeen(TABLES),
    TablesSeen(TABLES[2:]),
    Waited(),
    Busy(Note("lobby.leaving")),
    RoomChanged(ROOM, hosting=True),
    RoomChanged(replace(ROOM, me=2, seats=3), hosting=False),
    Begun(),
    Ended(),
    Ended(Note("lobby/full", bad=True)),
    Told(Note("room.full")),
    GamesListed(GAMES),
    GamesListed(()),
    FilesListed(FILES),
    FilesListed(()),
    VerifyMoved(Verifying(path=FILES[0].path, verdict=VERDICT)),
    Checked(CHECKS[0]),
    Examined(),
    Goto(Place.DOCTOR),
    Typed("12"),
    Point("settings"),
    Point("target_score"),
    Point(2),
)
INTENTS = (*NEWS, *(Press(key, 40, 10) for key in (*ALL_KEYS, "space", "k")))


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(INTENTS), max_size=60))
def test_no_keys_and_no_news_ever_break_the_lobby(intents: list[Intent]) -> None:
    """Whatever comes in whatever order, the state can be drawn and its cursor stands on something."""
    from tests.client_cli.lobby_scenes import text

    state: LobbyState = lobby()
    for intent in intents:
        state, _ = reduce(state, intent)
        assert state.cursor in state.choices
    assert len(text(state).split("\n")) == 25


def test_every_screen_can_be_left_by_key() -> None:
    """Escape or q, pressed often enough, always ends in leaving the lobby or the room."""
    for name, scene in scenes().items():
        state = scene
        said: tuple[Effect, ...] = ()
        for _ in range(8):
            leaving = state.ask is not None and state.ask.effect == LeaveRoom()
            key = "enter" if leaving else "q" if state.place is Place.HOME and not state.busy else "escape"
            state, more = run(state, *keys("escape" if state.typing else key))
            said = (*said, *more)
            state = after(Ended(), start=state) if LeaveRoom() in more else state
        assert Quit() in said, name


def test_no_screen_has_a_key_twice() -> None:
    """Within a screen a key has one meaning."""
    for place, table in TABLE.items():
        pressed = [key for bind in table for key in bind.keys]
        assert len(pressed) == len(set(pressed)), place
