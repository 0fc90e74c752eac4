"""Looking back on a game: positions from the file alone, what each seat could see, and the screen that shows them."""

from __future__ import annotations

import functools
import random

import pytest

from client_cli.commands.words import word
from client_cli.glyphs import Glyphs, width
from client_cli.intents import Choose, Edge, Intent, Key, Leaf, Open, Page, Row, Shift, Step, Wheel
from client_cli.keys import TABLE
from client_cli.linear.replay import game_lines
from client_cli.messages import CATALOGUE
from client_cli.replay_model import ROUND_ENDS, TURN_ENDS, Replay, load_replay
from client_cli.replay_state import REPLAY_KEYS, ReplayState, reduce_replay, replay_binds
from client_cli.views.canvas import plain
from client_cli.views.replay import draw_replay
from node.policy import choose
from protocol.errors import WireError
from protocol.rules.ruleset import for_players, preset
from protocol.session.gamefile import write_game
from protocol.session.outputs import Drew, GameOver, Played, RoundOver, RoundStarted, Voided
from protocol.session.session import Claim
from protocol.session.view import Stage, TableView
from tests.client_cli.emulator import playing
from tests.coupled import Coupled, patient

ENTROPY = bytes(32)


@functools.cache
def played() -> tuple[Coupled, bytes]:
    """Two rounds of three bots, and the file of it."""
    table = Coupled(3, seed=5, max_rounds=2, choose=choose)
    table.start()
    table.run()
    return table, write_game(table.genesis, table.sessions[0].log_frames())


@functools.cache
def game() -> Replay:
    """The same, taken apart."""
    return load_replay(played()[1], ENTROPY)


def broken_off() -> Replay:
    """A game in whose second round a seat falls silent and the others wait no longer."""
    table = Coupled(3, seed=6, max_rounds=3, choose=choose)
    table.start()
    table.run(until=lambda: table.sessions[0].view().round_number == 2 and table.sessions[0].view().my_turn)
    table.away.add(1)
    while not all(table.sessions[seat].finished for seat in (0, 2)):
        table.run(until=lambda: not table.under_way and not table.move())
        table.sync()
        for seat in (0, 2):
            if 1 in table.sessions[seat].view().waiting_for:
                table.carry_out(seat, table.sessions[seat].act(Claim((1,))))
    return load_replay(write_game(table.genesis, table.sessions[0].log_frames()), ENTROPY)


# ------------------------------------------------------------------ the positions


def test_a_game_begins_with_its_first_turn_and_ends_with_its_winner() -> None:
    """Setups are no positions; every round begins and is scored; the last position is the end of the game."""
    replay = game()

    kinds = [type(event) for position in replay.positions for event in position.events]
    assert kinds[0] is RoundStarted
    assert kinds.count(RoundStarted) == kinds.count(RoundOver) == 2
    assert kinds[-1] is GameOver
    assert kinds.count(Played) > 6
    assert replay.verdict.ok
    assert replay.view(replay.last, None, reveal=False).stage is Stage.FINISHED
    assert replay.view(replay.last, None, reveal=False).totals == played()[0].sessions[0].view().totals


def test_each_seat_sees_what_it_saw_at_the_table() -> None:
    """Seat by seat and turn by turn, the hand and its cards are those of the seat's own view during the game."""
    table = Coupled(3, seed=5, max_rounds=2, choose=choose)
    seen: dict[tuple[int, int], TableView] = {}

    def remember() -> bool:
        for seat, session in enumerate(table.sessions):
            view = session.view()
            if view.stage is Stage.PLAYING:
                seen[seat, view.step] = view
        return False

    table.start()
    table.run(until=remember)
    replay = game()
    compared = 0
    for at, position in enumerate(replay.positions):
        for seat in range(3):
            live = seen.get((seat, position.step))
            if live is None or position.stage is not Stage.PLAYING:
                continue
            now = replay.view(at, seat, reveal=False)
            assert now.round == live.round
            assert {slot: now.faces[slot] for slot in now.hand} == {slot: live.faces[slot] for slot in live.hand}
            compared += 1

    assert compared > 60


def test_closed_eyes_see_no_other_hand_and_open_ones_see_all() -> None:
    """A seat's view holds no card of another hand that was not public; open, no card of any hand is unknown."""
    replay = game()
    for at in range(replay.last + 1):
        position = replay.positions[at]
        assert position.round is not None
        hidden = {s for hand in position.round.hands for s in hand} - set(position.round.faces)
        assert not hidden & set(replay.view(at, None, reveal=False).faces)
        own = set(position.round.hands[1])
        assert hidden & set(replay.view(at, 1, reveal=False).faces) == hidden & own
        assert hidden <= set(replay.view(at, None, reveal=True).faces)


def test_a_drawn_card_is_told_to_its_own_seat_only() -> None:
    """The log names the card for the seat that drew it and for open eyes, not for the others."""
    replay = game()
    at = next(k for k, p in enumerate(replay.positions) if isinstance(p.events[0], Drew) and p.events[0].face is None)
    drawer = replay.positions[at].events[0]
    assert isinstance(drawer, Drew)
    other = (drawer.seat + 1) % 3

    assert replay.log(at, drawer.seat, reveal=False)[-1].code == "log.drew_card"
    assert replay.log(at, other, reveal=False)[-1].code == "log.drew"
    assert replay.log(at, other, reveal=True)[-1].code == "log.drew_card"
    assert replay.log(at, None, reveal=False)[-1].code == "log.drew"


def test_reshuffles_keep_the_table_in_sight() -> None:
    """A round of mere drawing and discarding turns the pot over; the table stays what is shown."""
    rules = for_players(preset("klassiek"), 2)
    table = Coupled(2, seed=3, choose=patient, rules=rules)
    table.start()
    table.run()
    replay = load_replay(write_game(table.genesis, table.sessions[0].log_frames()), ENTROPY)

    stages = {position.stage for position in replay.positions}
    assert stages <= {Stage.PLAYING, Stage.SCORING, Stage.FINISHED}
    assert replay.positions[-1].round is not None
    assert replay.positions[-1].round.reshuffles > 0


def test_progress_is_told_while_the_file_is_verified() -> None:
    """Every entry of the file is counted, in order."""
    told: list[tuple[int, int]] = []
    load_replay(played()[1], ENTROPY, lambda done, total: told.append((done, total)))

    assert [done for done, _ in told] == list(range(1, told[0][1] + 1))


def test_a_changed_file_is_shown_up_to_its_fault() -> None:
    """A flipped bit in the middle is named, and the positions before it are there."""
    data = bytearray(played()[1])
    data[len(data) * 3 // 4] ^= 1
    replay = load_replay(bytes(data), ENTROPY)

    assert replay.verdict.fault is not None
    assert 0 < len(replay.positions) < len(game().positions)
    head = plain(draw_replay(ReplayState(replay), Glyphs("nl"), 100, 30).lines[0])
    assert "✗ fout " + replay.verdict.fault.code in head


@pytest.mark.parametrize("lang", ["nl", "en"])
def test_a_changed_file_names_nobody_as_in_the_verifier(lang: str) -> None:
    """Where a bit flipped, both replays say at the end what the verifier says, and accuse nobody."""
    data = bytearray(played()[1])
    data[len(data) * 3 // 8] ^= 1
    replay = load_replay(bytes(data), ENTROPY)
    fault = replay.verdict.fault
    assert fault is not None
    assert fault.seat is not None
    assert not fault.names
    name = replay.genesis.players[fault.seat].name
    said = word("verify.place", lang, step=fault.step, seat=fault.seat + 1, name=name)

    told = list(game_lines(replay, lang))
    end = text(reduce_replay(ReplayState(replay), Edge(1)), lang=lang)

    assert told[-2] == said
    assert said in " ".join(line.strip() for line in end.splitlines())
    assert said.split(":")[0] not in text(ReplayState(replay), lang=lang)


def test_what_is_no_game_is_refused() -> None:
    """Bytes that are no game file raise as in the verifier."""
    with pytest.raises(WireError):
        load_replay(b"DUIZENDEN", ENTROPY)


def test_a_game_that_was_broken_off_ends_with_who_is_named() -> None:
    """The void round is the last position but one, the end of the game the last, with its page."""
    replay = broken_off()

    kinds = [type(event) for position in replay.positions for event in position.events]
    assert kinds[-2:] == [Voided, GameOver]
    state = reduce_replay(ReplayState(replay), Edge(1))
    assert state.page is Page.RESULT
    shown = text(state)
    assert "Het spel is afgebroken" in shown
    assert "Seat 1 was te lang niet te horen" in shown


# ------------------------------------------------------------------ going through it


def text(state: ReplayState, columns: int = 80, lines: int = 24, *, lang: str = "nl") -> str:
    """The screen as plain lines."""
    drawn = draw_replay(state, Glyphs(lang), columns, lines).lines
    return "\n".join(plain(line).rstrip() for line in drawn) + "\n"


def go(*intents: Intent) -> ReplayState:
    """The game's first position after these intents."""
    state = ReplayState(game())
    for intent in intents:
        state = reduce_replay(state, intent)
    return state


def test_steps_turns_rounds_and_ends() -> None:
    """Each key goes where it says, and never beyond the ends."""
    assert go(Step(1)).at == 1
    assert go(Step(-1)).at == 0
    assert go(Step(1), Step(1), Step(-1)).at == 1
    turn = go(Row(1))
    assert any(isinstance(event, TURN_ENDS) for event in game().positions[turn.at].events)
    assert go(Row(1), Row(-1)).at == 0
    after = go(Leaf(1))
    assert any(isinstance(event, ROUND_ENDS) for event in game().positions[after.at].events)
    assert after.page is Page.RESULT
    second = go(Leaf(1), Leaf(1))
    assert isinstance(game().positions[second.at].events[-1], RoundStarted)
    assert second.page is Page.TABLE
    assert go(Edge(1)).at == game().last
    assert go(Edge(1), Step(1)).at == game().last
    assert go(Edge(1), Edge(-1)).at == 0
    assert go(Wheel(1)).at == 1


def test_any_seat_can_be_looked_along_with() -> None:
    """Digits choose a seat, Tab goes round by way of the watcher, 0 is the watcher."""
    assert go(Choose(2)).seat == 1
    assert go(Choose(7)).seat == 0
    assert go(Key.MORE).seat is None
    assert go(Shift(1), Shift(1), Shift(1)).seat is None
    assert go(Shift(1), Shift(1), Shift(1), Shift(1)).seat == 0
    assert go(Shift(-1)).seat is None


def test_closed_and_open_screens() -> None:
    """Closed, the screen says whose eyes these are; open, every hand stands on it."""
    closed = text(go(Choose(2)))
    assert "Je ziet wat Seat 1 toen zag." in closed
    assert "(jij)" not in closed
    opened = text(go(Choose(2), Key.REVEAL))
    assert "Alle kaarten liggen open" in opened
    hands = [line for line in opened.split("\n") if line.startswith((" Seat 0 ", " Seat 2 "))]
    assert len(hands) == 2
    assert all(sum(line.count(sign) for sign in "♠♥♦♣★") == 13 for line in hands)
    assert "Je ziet wat een toeschouwer toen zag." in text(go(Key.MORE))
    assert "You see what Seat 1 saw then." in text(go(Choose(2)), lang="en")


def test_pages_open_close_and_scroll() -> None:
    """The pages of the table are there too; a step goes back to the table."""
    assert go(Open(Page.LOG), Open(Page.LOG)).page is Page.TABLE
    assert go(Open(Page.SCORES), Key.CANCEL).page is Page.TABLE
    assert go(Open(Page.LOG), Row(1, limit=5)).scroll == 1
    assert go(Open(Page.LOG), Wheel(1, 5)).scroll == 3
    assert go(Open(Page.LOG), Step(1)).page is Page.TABLE
    assert "Door het spel" in text(go(Open(Page.HELP)))
    assert "Through the game" in text(go(Open(Page.HELP)), lang="en")
    assert go(Key.LEAVE).over


def test_any_keys_draw_a_whole_screen() -> None:
    """Hundreds of random keys at random sizes: every screen has its lines of its cells."""
    keys = random.Random(3)
    intents = [intent for bind in (*REPLAY_KEYS, *TABLE) for intent in bind.intents if intent is not Key.LEAVE]
    state = ReplayState(game())
    for step in range(300):
        state = reduce_replay(state, keys.choice(intents))
        size = (80, 24) if step % 2 else (keys.randint(1, 140), keys.randint(1, 50))
        drawing = draw_replay(state, Glyphs("nl" if step % 3 else "en", step % 5 == 0), *size)
        assert [width(plain(line)) for line in drawing.lines] == [size[0]] * size[1]


def test_every_key_has_its_words() -> None:
    """Labels and help sentences of all keys are in the catalogue, and no key has two meanings."""
    taken = [key for bind in REPLAY_KEYS for key in bind.keys]
    assert len(taken) == len(set(taken))
    assert {bind.help for bind in REPLAY_KEYS} <= set(CATALOGUE)
    for page in Page:
        assert {label for _, label in replay_binds(ReplayState(game(), page=page))} <= set(CATALOGUE)


async def test_a_game_is_looked_through_by_keys_in_a_terminal() -> None:
    """From the first turn to the winner and back, other eyes, open cards, and the end with 0."""
    async with playing(game()) as screen:
        last = game().last + 1
        await screen.terminal.shows(f"1 van {last}  ✓ nagekeken")
        screen.press("right")
        await screen.terminal.shows(f"2 van {last}")
        screen.press("pagedown")
        await screen.terminal.shows("Ronde 1 geteld")
        screen.press("end")
        await screen.terminal.shows("Het spel is afgelopen")
        screen.press("home", "tab", "o")
        await screen.terminal.shows("Alle kaarten liggen open")
        screen.press("q")
        assert await screen.running == 0
