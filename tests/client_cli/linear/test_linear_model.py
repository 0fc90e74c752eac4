"""What a typed line means and what is told of a change: values in, lines out, without any stream."""

from __future__ import annotations

import random
import string
from dataclasses import replace

import pytest

from client_cli.intents import Key, Link, Page, TableChanged, TalkRefused, Verified
from client_cli.linear.commands import COMMANDS, Reply, understood
from client_cli.linear.told import opening, told
from client_cli.model import Effect, Leave, Submit, UiState, reduce
from client_cli.state import Mute, Say, SetAway, SetPause, Verify
from protocol.rules.actions import Draw, Play
from protocol.rules.state import Phase
from protocol.session.outputs import Drew, RoundOver
from protocol.session.session import SameCards
from protocol.session.view import Stage
from tests.client_cli.scenes import result, screen, view

HAND = "7H 8H 9H QS 2S 3S 4C X"


def typed(state: UiState, *lines: str, lang: str = "en") -> tuple[UiState, list[str], list[Effect]]:
    """The state after these lines, what the last of them was answered, and all effects."""
    heard: list[str] = []
    effects: list[Effect] = []
    for line in lines:
        reply: Reply = understood(state, line, lang)
        before = state
        for intent in reply.intents:
            state, more = reduce(state, intent)
            effects += more
        heard = [*reply.lines, *(told(before, state, lang, typed=True) if reply.intents else [])]
    return state, heard, effects


def test_a_turn_by_numbers_and_names() -> None:
    """Cards named by name are offered what they can do; a number takes the offer; a word confirms the discard."""
    state, heard, _ = typed(screen(view(hand=HAND)), "H7 H8 H9")
    assert heard == [
        "Selected: H7, H8, H9.",
        "1. Lay run H7, H8, H9 +15.",
        "What will you do?",
    ]
    state, heard, _ = typed(state, "1")
    assert heard[0] == "Anna lays H7, H8, H9. (can still be undone)"
    state, heard, effects = typed(state, "discard C4")
    assert heard[0].endswith("C4 is discarded and you keep 4 cards. Type yes or no.")
    assert effects == []
    state, _, effects = typed(state, "yes")
    assert len(effects) == 1
    assert isinstance(effects[0], Submit)
    assert isinstance(effects[0].action, Play)


def test_only_a_word_confirms() -> None:
    """The key that asked, an empty line and every other word leave a question unanswered or take it away."""
    state, _, _ = typed(screen(view(hand=HAND)), "discard C4")
    for line in ("discard C4", "d", "1", "no", "nonsense", "C4"):
        after, heard, effects = typed(state, line)
        assert after.ask is None
        assert effects == []
        assert heard[0].startswith("Not done")
    for line in ("", "hand", "table", "help"):
        after, heard, effects = typed(state, line)
        assert after.ask == state.ask
        assert effects == []
        assert heard[-1] == "What will you do?"


def test_several_possibilities_are_offered() -> None:
    """Where cards can do more than one thing nothing is guessed: the things are numbered, also by `lay`."""
    shown = view(hand="7H X 2S 3S", melds=((0, "8H 9H TH"), (0, "8H 9H TH")), rules_name="klassiek")
    state, heard, _ = typed(screen(shown), "lay H7")

    assert len(state.offers) > 1
    assert state.draft.empty
    assert sum(line.startswith(("1. Lay", "2. Lay")) for line in heard) == 2


def test_drawing_from_the_stock_asks_first() -> None:
    """What cannot be undone is asked about, whether chosen by number or by word."""
    start = screen(view(hand=HAND, phase=Phase.DRAW))
    for line in ("stock", "s", "1"):
        _, heard, effects = typed(start, line)
        assert heard == ["Draw a card from the stock? Type yes or no.", "What will you do?"]
        assert effects == []
        _, _, effects = typed(start, line, "yes")
        assert effects == [Submit(Draw())]


def test_a_lone_number_is_a_choice_only() -> None:
    """Numbers of cards need their word, so that no number means two things."""
    state = screen(view(hand=HAND))
    _, heard, _ = typed(state, "3 4")
    assert "k 3 4" in heard[0]
    after, heard, _ = typed(state, "3")
    assert after.selected == ()
    assert "no list" in heard[0]
    after, heard, _ = typed(state, "k 1 2")
    assert len(after.selected) == 2
    _, heard, _ = typed(after, "77")
    assert heard[-1] == "What will you do?"


def test_undo_until_the_turn_is_sent() -> None:
    """What was laid can be taken back."""
    state, heard, _ = typed(screen(view(hand=HAND)), "lay H7 H8 H9", "undo")

    assert state.draft.empty
    assert heard[0] == "Taken back."


def test_no_card_goes_that_nobody_named() -> None:
    """A discard without a card asks which; no card is meant by default."""
    state, heard, effects = typed(screen(view(hand=HAND)), "discard")

    assert state.ask is None
    assert effects == []
    assert heard[0].startswith("Which card goes?")


def test_why_the_pot_is_closed_is_said_before_it_is_tried() -> None:
    """At the beginning of a turn the refusal of the pot is told with its reason, and so when it is tried."""
    state = screen(view(hand=HAND, phase=Phase.DRAW, rules_name="spelregelwijzer"))
    _, told_first, _ = typed(state, "")
    _, tried, _ = typed(state, "pot")

    assert "You have to come down yourself first." in told_first[0]
    assert tried[0].startswith("You have to come down yourself first.")


def test_news_is_told_once_and_our_turn_is_announced() -> None:
    """Each event is one line; when it has become our turn the choices follow, and nothing is told twice."""
    before = screen(view(hand=HAND, phase=Phase.DRAW, mover=1))
    drew = replace(view(hand=HAND, phase=Phase.PLAY, mover=1), step=41)
    middle, _ = reduce(before, TableChanged(drew, (Drew(1, 30, None),), Link()))
    ours, _ = reduce(middle, TableChanged(replace(view(hand=HAND, phase=Phase.DRAW), step=43), (), Link()))

    assert told(before, middle, "nl") == ["Bram pakt een kaart."]
    assert told(middle, middle, "nl") == []
    assert told(middle, ours, "nl")[0].startswith("Jij bent aan de beurt.")
    assert told(middle, ours, "nl")[-1] == "Wat doe je?"


def test_the_result_of_a_round_line_by_line() -> None:
    """Each player's result is one sentence: points on the table and in hand, the cards held, round and total."""
    before = screen(view(hand=HAND))
    scored = result(1, (65, -35), (65, -35), ("", "QS 2H"), 0)
    now = view(others=(2,), stage=Stage.BETWEEN, results=(scored,), totals=(65, -35))
    after, _ = reduce(before, TableChanged(now, (RoundOver(1, (65, -35), (65, -35)),), Link()))
    lines = told(before, after, "nl")

    assert lines[0] == "Ronde 1 geteld. Anna is uitgegaan."
    assert "Bram: 35 op tafel, 70 in de hand (SV, H2), ronde -35, totaal -35." in lines
    assert lines[-2:] == ["1. Naar de volgende ronde.", "Wat doe je?"]


def test_leaving_can_be_for_now_or_for_good() -> None:
    """Leaving asks; yes stops for now, another word goes for good and is asked about once more."""
    _, heard, effects = typed(screen(view(hand=HAND)), "quit")
    assert "forever" in heard[0]
    assert effects == []
    _, _, effects = typed(screen(view(hand=HAND)), "quit", "yes")
    assert effects == [Leave()]
    _, heard, effects = typed(screen(view(hand=HAND)), "quit", "forever")
    assert "Leave for good?" in heard[0]
    assert effects == []


def test_comparing_the_three_cards() -> None:
    """Whoever names the same three cards is ticked by number; then, and only then, there is a number to begin."""
    shown = replace(view(stage=Stage.SHUFFLING, waiting=(0,)), handshake=(0, 20, 52), to_compare=True)
    state, heard, _ = typed(screen(shown), "")
    assert heard[0].startswith("The three cards of this table: SA, H8, joker.")
    assert heard[1] == "1. Bram names the same three cards."
    state, heard, _ = typed(state, "1")
    assert heard[2] == "2. Begin to shuffle."
    _, _, effects = typed(state, "2")
    assert effects == [Submit(SameCards())]


def test_talk_by_words() -> None:
    """A line is said as it is typed, a digit is a phrase, and a player is muted by name or number."""
    state, _, effects = typed(screen(view(hand=HAND)), "say  hello, all 1 of you")
    assert effects == [Say("hello, all 1 of you")]
    assert state.typing is None
    _, _, effects = typed(state, "say 3", "mute bram", "mute 2")
    assert effects == [Say(3), Mute(1, on=True), Mute(2, on=True)]
    _, heard, _ = typed(state, "say")
    assert "say 1: Well played!" in heard
    _, heard, _ = typed(state, "mute")
    assert "1: Bram" in heard


@pytest.mark.parametrize(("word", "lang", "begun"), [("nakijken", "nl", "nagekeken"), ("verify", "en", "verified")])
def test_verifying_by_a_word(word: str, lang: str, begun: str) -> None:
    """The game is verified on a word, that is said at once, the fairness page tells the word, and the table goes on."""
    state, heard, effects = typed(screen(view(hand=HAND)), word, lang=lang)
    done, _ = reduce(state, Verified("a.duizenden", proofs=812, steps=40))
    _, page, _ = typed(state, "e", lang=lang)

    assert (effects, state.page) == ([Verify()], Page.TABLE)
    assert begun in heard[0]
    assert any("812" in line and "a.duizenden" in line for line in told(state, done, lang))
    assert any(word in line for line in page)


def test_what_was_refused_is_not_in_the_way() -> None:
    """A word that could not be said takes no keys: the next line means what it always means."""
    state, _ = reduce(screen(view(hand=HAND)), TalkRefused("talk/not-so-fast", "hello"))
    state, _, effects = typed(state, "discard C4", "yes")

    assert len(effects) == 1
    assert isinstance(effects[0], Submit)


@pytest.mark.parametrize("lang", ["nl", "en"])
def test_every_page_has_lines(lang: str) -> None:
    """Whatever can be asked for is answered with lines that are neither empty nor folded."""
    state = screen(
        view(hand=HAND, melds=((1, "7C 8C X=9C"),), results=(result(1, (5,) * 4, (5,) * 4, ("2S",) * 4, 1),))
    )
    for command in COMMANDS:
        if command.asks:
            for word in (*command.nl, *command.en):
                _, heard, _ = typed(state, word, lang=lang)
                assert len(heard) > 1
                assert all(line.strip() and "\n" not in line for line in heard)


def test_commands_do_not_share_words() -> None:
    """A word means one command, and none of them is the name of a card or an answer."""
    seen: dict[str, str] = {}
    for command in COMMANDS:
        for word in {*command.nl, *command.en}:
            assert word not in seen
            assert word not in {"ja", "yes"}
            seen[word] = command.help


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("phase", [Phase.DRAW, Phase.PLAY])
def test_garbage_is_answered(seed: int, phase: Phase) -> None:
    """Any line at all gets an answer in words, and never becomes an act without a yes."""
    chance = random.Random(seed)
    state = screen(view(hand=HAND, phase=phase))
    letters = string.printable + "é♥\x1b\x00\u202e" * 5
    words = [word for command in COMMANDS for word in (*command.nl, *command.en)] + [
        "1",
        "2",
        "H7",
        "joker",
        "no",
        "999",
    ]
    for _ in range(150):
        line = " ".join(
            chance.choice(words)
            if chance.random() < 0.6
            else "".join(chance.choice(letters) for _ in range(chance.randrange(9)))
            for _ in range(chance.randrange(5))
        )
        if line.split()[:1] in (["yes"], ["ja"]):
            continue
        state, heard, effects = typed(state, line)
        assert all(isinstance(effect, Say | Mute | SetAway | SetPause | Verify) for effect in effects)
        assert all("\x1b" not in answer for answer in heard)


def test_a_screen_that_opens_says_who_sits_there() -> None:
    """The first lines name the players, the rules and where to find help."""
    lines = opening(screen(view(hand=HAND)), "en")

    assert "Anna, Bram, Cor and Dina" in lines[0]
    assert "help" in lines[1]
    assert lines[-1] == "What will you do?"


def test_a_lost_connection_is_said_and_its_return_too() -> None:
    """The person hears when the broker is gone and when it is back."""
    up = screen(view(hand=HAND, mover=1))
    down, _ = reduce(up, TableChanged(up.view, (), Link(state="down", broker="b")))
    again, _ = reduce(down, TableChanged(up.view, (), Link()))

    assert told(up, down, "en")[0].startswith("No connection to b")
    assert told(down, again, "en") == ["The connection is back."]
    assert Key.LEAVE in understood(down, "quit", "en").intents
