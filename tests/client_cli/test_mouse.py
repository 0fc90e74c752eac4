"""The mouse: a click is what stands there, every act has a key too, and it is SGR or nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from prompt_toolkit.data_structures import Point
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType

from client_cli.controller import link_of
from client_cli.glyphs import Glyphs
from client_cli.intents import Aim, Choose, Edge, Intent, Key, Open, Page, Pick, Step, TableChanged, Wheel
from client_cli.keys import TABLE
from client_cli.model import Note, UiState, reduce, start
from client_cli.terminal import Screen
from client_cli.turn import ending_refusal
from client_cli.views.canvas import Hit, plain
from client_cli.views.screen import Drawing, draw
from node.handle import NextRound
from node.policy import choose
from protocol.rules.actions import Draw, LayOff, Play
from protocol.rules.cards import parse_face
from protocol.rules.state import Phase
from protocol.session.view import Stage
from tests.client_cli.emulator import Played, playing
from tests.client_cli.fake_table import FakeTable
from tests.client_cli.scenes import run, screen, text, view

SIZES = ((80, 24), (120, 40))
MELDS = ((0, "5C 6C 7C 8C"), (0, "AS 2S 3S"), (1, "9H TH JH"))


def table(**more: object) -> UiState:
    """Our turn, with melds on the table."""
    values: dict[str, object] = {"melds": MELDS, "hand": "4S 9C KD QD 4C", **more}
    return screen(view(**values))  # type: ignore[arg-type]


def drawn(state: UiState, size: tuple[int, int] = (80, 24)) -> Drawing:
    """The drawing of this state."""
    return draw(state, Glyphs("nl"), *size)


def place(drawing: Drawing, intent: Intent) -> tuple[int, int]:
    """A cell where a click means this: the first from the left and the top."""
    for y in range(len(drawing.lines)):
        for x in range(200):
            if drawing.meant(x, y) == intent:
                return x, y
    raise AssertionError(f"nothing means {intent}")


def at(drawing: Drawing, words: str) -> tuple[int, int]:
    """The cell where these words begin."""
    for y, line in enumerate(drawing.lines):
        if words in plain(line):
            return plain(line).index(words), y
    raise AssertionError(words)


@pytest.mark.parametrize("size", SIZES)
def test_a_click_on_a_card_selects_it(size: tuple[int, int]) -> None:
    """Each card of the hand is its own target, and the later of two that overlap is the one that is seen."""
    state = table(hand="2S 3S 5S 7S KS AS 2H TH 5C KC 7D KD X QS 4H 6H 6H 9D 9C JD")
    drawing = drawn(state, size)
    for slot in state.order:
        x, y = place(drawing, Pick(slot))
        after, effects = run(state, drawing.meant(x, y) or Key.CANCEL)
        assert after.selected == (slot,)
        assert after.cursor == slot
        assert effects == ()
    assert run(state, Pick(state.order[0]), Pick(state.order[0]))[0].selected == ()
    assert run(state, Pick(999))[0].selected == ()


@pytest.mark.parametrize("size", SIZES)
def test_a_click_on_a_meld_does_what_the_selection_can_do_there(size: tuple[int, int]) -> None:
    """The 4 of clubs goes to the clubs, the 4 of spades to the spades, by clicking card and meld."""
    state = table()
    for card, number in (("4C", 0), ("4S", 1)):
        slot = next(slot for slot in state.view.hand if state.faces[slot] == parse_face(card))
        picked, _ = run(state, Pick(slot))
        drawing = drawn(picked, size)
        x, y = place(drawing, Aim(number))
        laid, _ = run(picked, drawing.meant(x, y) or Key.CANCEL)
        (step,) = laid.draft.steps
        assert isinstance(step, LayOff)
        assert step.meld == number
    for number in range(3):
        place(drawn(state, size), Aim(number))


def test_a_click_on_a_meld_where_nothing_fits_says_so() -> None:
    """Without a selection, with one that does not fit, and out of turn there is a sentence and no more."""
    for state in (table(), run(table(), Edge(1), Key.TOGGLE)[0], table(mover=2)):
        after, effects = run(state, Aim(2))
        assert effects == ()
        assert after.draft.empty
        assert after.note is not None
        assert after.note.bad


def test_a_click_on_a_meld_with_two_ways_asks_which() -> None:
    """Where a card fits at both ends of a run, the numbers of the offers are to choose from, never guessed."""
    state = table(hand="X 9C KD", melds=((0, "6C 7C 8C"),))
    picked, _ = run(state, Pick(state.view.hand[0]))
    fitting = [offer for offer in picked.offers if getattr(offer.step, "meld", None) == 0]
    assert len(fitting) > 1
    after, _ = run(picked, Aim(0))

    assert after.draft.empty
    assert after.note is not None
    assert after.note.code == "note.choose"


def test_a_meld_that_is_picked_up_stays_where_it_is() -> None:
    """A click on a meld with no card chosen is told that what lies stays, and how cards join it."""
    after, effects = run(table(), Aim(2))

    assert effects == ()
    assert after.note == Note("table_fixed", bad=True)
    assert "blijft liggen" in text(after)


@pytest.mark.parametrize("size", SIZES)
def test_a_part_of_the_pot_cannot_be_taken(size: tuple[int, int]) -> None:
    """Choosing a card on the page of the pot is refused where the pot could be taken, and means nothing elsewhere."""
    looking, _ = run(table(phase=Phase.DRAW), Open(Page.POT))
    place_of_card = place(drawn(looking, size), Key.TOGGLE)
    after, effects = run(looking, drawn(looking, size).meant(*place_of_card) or Key.CANCEL)
    waiting, _ = run(table(mover=2), Open(Page.POT), Key.TOGGLE)

    assert effects == ()
    assert after.note == Note("pot_whole_pile", bad=True)
    assert "in zijn geheel" in text(after)
    assert (waiting.note, waiting.selected) == (None, ())


@pytest.mark.parametrize("size", SIZES)
def test_piles_offers_and_keys_are_clicked(size: tuple[int, int]) -> None:
    """Stock, pot, offers and the words of the key line mean what their keys mean."""
    drawing_phase = table(phase=Phase.DRAW)
    drawing = drawn(drawing_phase, size)
    assert drawing.meant(*at(drawing, "stapel ")) is Key.STOCK
    assert drawing.meant(*at(drawing, "pot 1")) is Key.POT
    assert drawing.meant(*at(drawing, "hulp")) == Open(Page.HELP)
    x, y = at(drawing, "←→ kaart")
    assert (drawing.meant(x, y), drawing.meant(x + 7, y)) == (Step(-1), Step(1))
    waiting = drawn(table(mover=2), size)
    assert waiting.meant(*at(waiting, "pot 1")) == Open(Page.POT)
    one, _ = run(table(), Pick(table().view.hand[4]))
    offered = drawn(one, size)
    assert offered.meant(*at(offered, " Enter  leg")) is Key.ACCEPT
    several, _ = run(table(hand="X 9C KD"), Pick(table(hand="X 9C KD").view.hand[0]))
    many = drawn(several, size)
    assert many.meant(*at(many, " 2 ")) == Choose(2)
    asked, _ = run(drawing_phase, Key.STOCK)
    question = drawn(asked, size)
    assert question.meant(*at(question, "Enter ja")) is Key.ACCEPT


def test_places_without_meaning_mean_nothing() -> None:
    """The header and the felt between things are just that."""
    drawing = drawn(table())
    assert drawing.meant(0, 0) is None
    assert drawing.meant(40, 11) is None


def test_the_wheel_scrolls() -> None:
    """Lines of a page, melds of the table, between their ends."""
    page, _ = run(table(), Open(Page.HELP))
    assert run(page, Wheel(1, 20))[0].scroll == 3
    assert run(page, Wheel(1, 2))[0].scroll == 2
    assert run(page, Wheel(-1, 20))[0].scroll == 0
    assert run(table(), Wheel(1, 4))[0].meld_scroll == 1
    assert run(table(), Wheel(1, 0))[0].meld_scroll == 0


def test_a_wide_character_before_a_target_moves_no_click() -> None:
    """The library counts characters: a name in wide ones must not shift what is right of it."""
    told: list[Intent] = []
    lines = ((("", "漢字 stock  "),),)
    shown = Screen(lambda _w, _h: Drawing(lines, hits=(Hit(5, 0, 5, 1, Key.STOCK),)), told.append)
    shown.create_content(12, 1)
    for x in (2, 3, 7, 8):
        shown.mouse_handler(MouseEvent(Point(x, 0), MouseEventType.MOUSE_DOWN, MouseButton.LEFT, modifiers=frozenset()))

    assert told == [Key.STOCK, Key.STOCK]


class Hand:
    """A person with a mouse: clicks where the screen shows something, and knows what the screen must then show."""

    def __init__(self, played: Played, fake: FakeTable, size: tuple[int, int]) -> None:
        self.played = played
        self.fake = fake
        self.size = size
        self.state = start(fake.view(), link_of(fake.link))
        self.heard = 0

    async def look(self) -> UiState:
        """Wait until the screen shows what follows from all clicks and all news."""

        def same(shown: str) -> bool:
            for update in self.fake.told[self.heard :]:
                news = TableChanged(update.view, update.events, link_of(update.connection))
                self.state, _ = reduce(self.state, news)
            self.heard = len(self.fake.told)
            return shown == text(self.state, *self.size)

        await self.played.terminal.until(same)
        return self.state

    async def click(self, intent: Intent) -> UiState:
        """Press and let go the left button on what means this."""
        drawing = drawn(self.state, self.size)
        x, y = place(drawing, intent)
        self.state, _ = run(self.state, intent)
        self.played.press(f"\x1b[<0;{x + 1};{y + 1}M", f"\x1b[<0;{x + 1};{y + 1}m")
        return await self.look()

    async def turn(self) -> None:
        """Draw, lay what the hints say, discard what may go."""
        moves = len(self.fake.submitted)
        await self.click(Key.STOCK)
        await self.click(Key.ACCEPT)
        await self.played.terminal.until(lambda _: len(self.fake.submitted) > moves)
        state = await self.look()
        while self.fake.stage is Stage.PLAYING:
            state = await self.click(Key.HINT)
            if not state.offers:
                break
            state = await self.click(Key.ACCEPT if len(state.offers) == 1 else Choose(1))
        if self.fake.stage is not Stage.PLAYING:
            return
        for slot in state.selected:
            state = await self.click(Pick(slot))
        slot = next(slot for slot in state.order if ending_refusal(state.view, state.draft, slot) is None)
        await self.click(Pick(slot))
        await self.click(Key.DISCARD)
        await self.click(Key.ACCEPT)
        await self.played.terminal.until(lambda _: len(self.fake.submitted) > moves + 1)
        await self.look()


async def test_a_whole_game_is_played_by_mouse_alone() -> None:
    """Two rounds to the end without a key: stock, cards, hints, offers, discards, results, leaving."""
    size = (150, 40)
    fake = FakeTable(seed=5, n=4, max_rounds=2, choose=choose)
    async with playing(fake, width=size[0], height=size[1]) as played:
        hand = Hand(played, fake, size)
        await fake.deal()
        await hand.look()
        assert "\x1b[?1000h\x1b[?1006h" in "".join(played.terminal.written)
        while fake.stage is not Stage.FINISHED:
            if fake.stage is Stage.BETWEEN:
                await hand.click(Key.ACCEPT)
                await played.terminal.until(lambda _: fake.stage is Stage.PLAYING)
                await hand.look()
            else:
                await hand.turn()
        shown = await played.terminal.shows("Het spel is afgelopen")
        x, y = place(drawn(hand.state, size), Key.LEAVE)
        played.press(f"\x1b[<0;{x + 1};{y + 1}M")
        assert await played.running == 0

    assert "gewonnen!" in shown or "winnen samen!" in shown
    assert {type(action) for action in fake.submitted} == {Draw, Play, NextRound}
    assert any(isinstance(action, Play) and action.steps for action in fake.submitted)
    assert not any(code in "".join(played.terminal.written) for code in ("?1003h", "?1015h", "?1002h"))


@pytest.mark.parametrize("report", ["\x1b[<2;{x};{y}M", "\x1b[<1;{x};{y}M", "\x1b[<0;{x};{y}m", "\x1b[<35;{x};{y}M"])
async def test_other_buttons_releases_and_motion_do_nothing(report: str) -> None:
    """Right and middle button, a release and a movement over the stock leave the screen as it was."""
    fake = FakeTable(seed=4)
    async with playing(fake) as played:
        await fake.deal()
        await played.terminal.shows("Jij bent aan de beurt")
        hand = Hand(played, fake, (80, 24))
        await hand.look()
        x, y = place(drawn(hand.state), Key.STOCK)
        played.press(report.format(x=x + 1, y=y + 1), "c")
        # A question would be taken away by this key, and no page would open.
        await played.terminal.shows("Er is nog geen ronde geteld.")

    assert fake.submitted == []


async def test_the_mouse_can_be_switched_off() -> None:
    """With the switch off the terminal is never asked for clicks."""
    fake = FakeTable(seed=4)
    async with playing(fake, mouse=False) as played:
        await fake.deal()
        await played.terminal.shows("Jij bent aan de beurt")

    assert "?1000h" not in "".join(played.terminal.written)


def test_every_click_has_a_key() -> None:
    """What clicks mean is in the key table, or is the cursor and the space bar, or choosing an offer."""
    keyed = {intent for bind in TABLE for intent in bind.intents}
    for state in (table(), table(phase=Phase.DRAW), run(table(), Pick(table().view.hand[4]))[0]):
        for hit in drawn(replace(state)).hits:
            assert hit.intent in keyed or isinstance(hit.intent, Pick | Aim)


GARBAGE = ("\x1b[<0;5M", "\x1b[<;;M", "\x1b[<0;1;2;3M", "\x1b[M\x7f\x80\xff")


@pytest.mark.parametrize("garbage", GARBAGE)
async def test_what_is_no_mouse_report_is_ignored(garbage: str) -> None:
    """A malformed report does nothing, and the screen and its keys go on."""
    table = FakeTable(seed=3)
    async with playing(table) as played:
        await table.deal()
        await played.terminal.shows("Anna (jij)")
        played.press(garbage, "c")
        await played.terminal.shows("Er is nog geen ronde geteld")
        played.press("q", "enter")
        code = await played.running

    assert code == 0
