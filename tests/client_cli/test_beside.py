"""What is said beside the turns: awaiting, claims, catching, goodbyes and void rounds, as data and on a screen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from client_cli import keys
from client_cli.beside import absent, claimable, offenders, still_waiting
from client_cli.chronicle import Entry, entries
from client_cli.commands import seat
from client_cli.commands.context import Context
from client_cli.glyphs import Glyphs
from client_cli.intents import Key, Link, Open, Page, Refused, Step, TableChanged
from client_cli.model import Goodbye, Leave, Submit, UiState
from client_cli.views.canvas import plain
from client_cli.views.scene import Scene
from node.handle import NextRound
from node.profile import Profile
from protocol.errors import PeerFault
from protocol.rules.actions import Draw, Exchange, Lay, LayOff, Placed, Play, Swap
from protocol.rules.ruleset import for_players, preset, with_overrides
from protocol.rules.state import Calls, Phase
from protocol.session import session
from protocol.session.outputs import (
    Challenged,
    Claimed,
    Drew,
    Event,
    Exchanged,
    Faulted,
    GameOver,
    Left,
    Played,
    Reshuffling,
    RoundOver,
    RoundStarted,
    Voided,
)
from protocol.session.session import Challenge, Claim
from protocol.session.view import Stage, TableView
from tests.client_cli.emulator import playing
from tests.client_cli.fake_table import FakeTable
from tests.client_cli.scenes import result, run, screen, text, view

CALLS = with_overrides(for_players(preset("klassiek"), 4), {"last_card_call": "extra_card"})
RESULTS = (result(1, (120, -35, 240, 60), (120, -35, 240, 60), ("", "5C 6C QS", "2H", "X TH"), 0),)


def link(*silent: int) -> Link:
    """A connection on which these seats are not heard."""
    return Link(broker="mqtt://127.0.0.1:1883", peers=tuple(seat not in silent for seat in range(4)))


def news(now: TableView, *events: Event, silent: tuple[int, ...] = ()) -> TableChanged:
    """The table has changed."""
    return TableChanged(now, events, link(*silent))


def awaiting(*silent: int, **more: object) -> UiState:
    """Cor's turn, while these seats are not heard."""
    values: dict[str, object] = {"mover": 2, "phase": Phase.DRAW, "results": RESULTS, **more}
    return screen(view(**values), link=link(*silent))  # type: ignore[arg-type]


def labels(state: UiState) -> list[str]:
    """What the key line offers."""
    return [label for _, label in keys.useful(state)]


# ------------------------------------------------------------------ waiting


def test_only_a_silent_seat_that_holds_up_the_table_is_awaited_in_vain() -> None:
    """A seat that is heard, one that the table does not wait for, and everybody while we are offline do not count."""
    assert absent(awaiting(2)) == (2,)
    assert absent(awaiting()) == ()
    assert absent(awaiting(3)) == ()
    assert absent(replace(awaiting(2), link=replace(link(2), state="down"))) == ()
    assert claimable(awaiting(2, me=None)) == ()


@pytest.mark.parametrize(
    ("lang", "words"), [("nl", "Cor is niet te horen. Wacht, of wacht"), ("en", "Cor cannot be heard. Wait, or")]
)
def test_the_screen_says_who_is_away_and_what_can_be_done(lang: str, words: str) -> None:
    """The sentence names the seat, the key and what follows; the key line has the key; a seat that is there has not."""
    shown = text(awaiting(2), lang=lang)

    assert words in shown
    assert "key.claim" in labels(awaiting(2))
    assert words not in text(awaiting(), lang=lang)
    assert "key.claim" not in labels(awaiting())


@pytest.mark.parametrize(("silent", "waiting"), [((2, 3), (2, 3)), ((1, 2, 3), (1, 2, 3))])
def test_the_few_cannot_give_up_the_many(silent: tuple[int, ...], waiting: tuple[int, ...]) -> None:
    """Where those who are left would not outnumber the silent ones, one can only wait, or stop and resume later."""
    state = awaiting(*silent, waiting=waiting)

    assert claimable(state) == ()
    assert "key.claim" not in labels(state)
    assert "Het spel wacht tot dat weer zo is" in " ".join(text(state).split())
    assert claimable(screen(view(others=(13,), mover=1, phase=Phase.DRAW), link=link(1))) == ()


def test_waiting_no_longer_is_asked_before_it_is_said() -> None:
    """W asks, Enter says it for exactly these seats, any other key takes the question away."""
    asked, effects = run(awaiting(2), Key.CLAIM)
    assert effects == ()
    assert asked.ask is not None
    assert run(asked, Key.CLAIM)[0].ask is None
    assert run(asked, Key.CLAIM)[1] == ()

    said, effects = run(asked, Key.ACCEPT)

    assert effects == (Submit(Claim((2,))),)
    assert said.claims == ((0, (2,)),)
    assert said.sent_at is None  # it is no move: our own acts go on
    assert "Je wacht niet langer op Cor. Wie nog wel wacht: Bram en Dina." in text(said)
    assert "key.claim" not in labels(said)
    assert [entry.code for entry in said.log] == ["log.claimed"]


def test_who_waits_no_longer_is_told_and_can_be_joined() -> None:
    """Another's claim is in the log and on the screen, also about a seat that we still hear ourselves."""
    base = awaiting()
    state, _ = run(base, news(base.view, Claimed(1, (2,))))

    assert "Door Bram wordt niet meer gewacht op Cor." in text(state)
    assert claimable(state) == (2,)
    assert still_waiting(state, (2,)) == (0, 3)
    assert run(state, Key.CLAIM, Key.ACCEPT)[1] == (Submit(Claim((2,))),)


def test_a_claim_about_us_is_an_alarm() -> None:
    """Whoever is waited for by nobody any more reads so, and what to do."""
    base = screen(view(phase=Phase.DRAW), link=link())
    state, _ = run(base, news(base.view, Claimed(1, (0,))))

    assert "Door Bram wordt niet langer op jou gewacht." in text(state)
    assert claimable(state) == ()


def test_claims_end_with_their_step() -> None:
    """When the table has moved on, nobody waits no longer for anybody."""
    base = awaiting(2)
    state, _ = run(base, news(base.view, Claimed(1, (2,)), silent=(2,)))
    state, _ = run(state, news(view(mover=3, step=41)))

    assert state.claims == ()


def test_a_refused_claim_says_so() -> None:
    """If the table does not wait for them any more, the claim is a sentence and nothing else: it was not made."""
    state, _ = run(awaiting(2), Key.CLAIM, Key.ACCEPT, Refused("session/nothing-to-claim", Claim((2,))))

    assert state.note is not None
    assert state.note.bad
    assert state.claims == ()
    assert "log.claimed" not in [entry.code for entry in state.log]


def test_a_refused_claim_leaves_an_earlier_one() -> None:
    """What we had said before of another seat still stands."""
    state = replace(awaiting(2), claims=((1, (3,)), (0, (2, 3))))
    state, _ = run(state, Refused("session/nothing-to-claim", Claim((3,))))

    assert set(state.claims) == {(1, (3,)), (0, (2,))}


def test_without_anybody_away_the_key_says_so() -> None:
    """W does nothing but explain itself while all are heard."""
    state, effects = run(awaiting(), Key.CLAIM)

    assert effects == ()
    assert "De tafel wacht op niemand" in text(state)


def test_whoever_said_goodbye_needs_no_claim() -> None:
    """For a seat that left, all nodes wait no longer by themselves: the screen tells so, without a key."""
    base = awaiting(2)
    state, _ = run(base, news(base.view, Left(2), silent=(2,)))

    assert "Weggegaan: Cor." in text(state)
    assert "Cor bot ○ weg" in text(state)
    assert claimable(state) == ()
    assert "key.claim" not in labels(state)


# ------------------------------------------------------------------ catching


def uncalled(seat: int = 1, *, mover: int = 2, phase: Phase = Phase.PLAY) -> UiState:
    """This seat has one card left and did not call it."""
    base = view(mover=mover, phase=phase, others=(1, 12, 13), rules=CALLS)
    assert base.round is not None
    return screen(replace(base, round=replace(base.round, calls=Calls(uncalled=(seat,)))))


def test_a_missed_call_can_be_caught_at_once() -> None:
    """The key is on the key line only then; it challenges without a question, and not twice."""
    state = uncalled()
    assert offenders(state) == (1,)
    assert labels(state)[0] == "key.catch"

    caught, effects = run(state, Key.CATCH)

    assert effects == (Submit(Challenge(1)),)
    assert "Je betrapt Bram" in text(caught)
    assert "key.catch" not in labels(caught)
    assert run(caught, Key.CATCH)[1] == ()
    told, _ = run(caught, news(caught.view, Challenged(0, 1)))
    assert told.caught is None
    assert [entry.code for entry in told.log] == ["log.caught"]


def test_a_refused_catch_may_be_tried_again() -> None:
    """When the node refuses it the key is offered anew."""
    state, _ = run(uncalled(), Key.CATCH, Refused("no_offence", Challenge(1)))

    assert offenders(state) == (1,)


@pytest.mark.parametrize("state", [screen(view(rules=CALLS)), uncalled(0), screen(view())])
def test_nobody_to_catch(state: UiState) -> None:
    """Without an offence, for our own, and at tables without the call the key explains itself and sends nothing."""
    after, effects = run(state, Key.CATCH)

    assert effects == ()
    assert after.note is not None
    assert after.note.bad
    assert "key.catch" not in labels(state)


# ------------------------------------------------------------------ going


def test_stopping_for_now_and_leaving_for_good_have_keys_of_their_own() -> None:
    """Q asks; Enter closes the screen only; G asks again, and only Enter then says goodbye."""
    asked, _ = run(screen(view()), Key.LEAVE)
    assert "Enter = stop voor nu, later verder; g = voorgoed weg" in text(asked)
    assert run(asked, Key.ACCEPT)[1] == (Leave(),)
    for_good, effects = run(asked, Key.GOODBYE)
    assert effects == ()
    assert "Het spel eindigt dan voor iedereen" in text(for_good)
    assert run(for_good, Key.GOODBYE)[1] == ()
    assert run(for_good, Key.ACCEPT)[1] == (Goodbye(),)


def test_g_alone_asks_too_and_a_watcher_just_leaves() -> None:
    """The goodbye key works from the table; who watches has nothing to say goodbye with."""
    assert run(screen(view()), Key.GOODBYE, Key.ACCEPT)[1] == (Goodbye(),)
    watching = screen(view(me=None))
    assert run(watching, Key.GOODBYE, Key.ACCEPT)[1] == (Leave(),)
    assert run(watching, Key.LEAVE, Key.GOODBYE, Key.ACCEPT)[1] != (Goodbye(),)


async def test_a_goodbye_is_said_and_the_end_of_the_game_awaited() -> None:
    """Q, G, Enter tell the node; the screen says what it waits for, shows the end, and closes by q at once."""
    table = FakeTable(seed=4)
    async with playing(table) as played:
        await table.deal()
        await played.terminal.shows("Jij bent aan de beurt")
        played.press("q", "g")
        await played.terminal.shows("Voorgoed weg?")
        played.press("enter")
        await played.terminal.shows("Je hebt afscheid genomen.")
        played.press("d", "enter", "s")
        await played.terminal.shows("Je bent niet aan de beurt.")
        table.void(4, 0)
        await played.terminal.shows("Anna nam afscheid en ging weg.")
        played.press("q")
        assert await played.running == 0

    assert table.submitted == [session.Leave()]


def test_after_a_goodbye_closing_before_the_end_is_asked_about() -> None:
    """Nothing can be done at the table any more, q asks first; only its own refusal takes it back."""
    state, _ = run(screen(view()), Key.GOODBYE, Key.ACCEPT)

    assert not state.my_turn
    assert labels(state)[0] == "key.leave"
    asked, effects = run(state, Key.LEAVE)
    assert effects == ()
    assert "Het spel is nog niet uit; de anderen moeten dan langer wachten." in " ".join(text(asked).split())
    assert run(asked, Key.ACCEPT)[1] == (Leave(),)
    signed = replace(state, view=replace(state.view, departed=(0,)))
    assert run(signed, Key.LEAVE)[1] == (Leave(),)
    assert run(state, Key.STOCK, Key.ACCEPT, Key.DISCARD, Key.ACCEPT, Key.CLAIM)[1] == ()
    assert run(state, Refused("session/not-playing", Challenge(1)))[0].said_goodbye
    assert run(state, Refused("session/not-playing", session.Leave()))[0].my_turn


@pytest.mark.parametrize("key", [Key.PAUSE, Key.AWAY, Key.CLAIM])
def test_after_a_goodbye_there_is_no_pause_and_no_being_away(key: Key) -> None:
    """Who has said goodbye asks for nothing more at this table; the page of talk does not name the keys."""
    state, effects = run(screen(view()), Key.GOODBYE, Key.ACCEPT, key)

    assert [type(effect) for effect in effects] == [Goodbye]
    assert "Je hebt al afscheid genomen." in text(state)
    assert not {"key.pause", "key.away"} & {*labels(run(state, Open(Page.TALK))[0])}


def two(*silent: int, leaving: tuple[int, ...] = (1,), **more: object) -> UiState:
    """A table of two at which Bram said goodbye, in our turn unless something else is given."""
    now = replace(view(others=(13,), **{"phase": Phase.DRAW, **more}), leaving=leaving)  # type: ignore[arg-type]
    return screen(now, link=Link(broker="10.0.0.5:1883", peers=(True, 1 not in silent)))


def words_of(state: UiState, lang: str = "nl") -> str:
    """The screen on one line."""
    return " ".join(text(state, lang=lang).split())


def test_who_stays_reads_that_the_game_ends_with_the_next_move() -> None:
    """While the leaver's node is there the game ends as soon as it is needed; the turn goes on as always until then."""
    shown = words_of(two())

    assert "Bram gaat voorgoed weg: doe je zet, dan is het spel uit. Jij bent aan de beurt." in shown
    assert "voorgoed weg" not in words_of(two(leaving=()))
    hinted, _ = run(two(leaving=()), Key.HINT)
    assert "doe je zet" in words_of(run(hinted, news(hinted.view, Left(1)))[0])
    more = words_of(replace(awaiting(), left=(3,)))
    assert "Voorgoed weg: Dina. Zodra de tafel Dina nodig heeft, is het spel uit." in more
    assert "Cor is aan de beurt" in more


def test_a_leaver_who_closed_too_early_leaves_two_players_one_sentence() -> None:
    """At a table of two it says what cannot be done and what can, whoever is to move, and so does the key w."""
    for state in (two(1), two(1, mover=1), two(1, stage=Stage.BETWEEN, waiting=(1,))):
        shown = words_of(state)
        assert "Bram ging voorgoed weg en sloot af voor het spel uit was. Verder gaat het niet: stop met q." in shown
        assert "duizenden resume" in shown
        assert "aan de beurt" not in shown
        refused, effects = run(state, Key.CLAIM)
        assert effects == ()
        assert "te weinig om Bram op te geven" in words_of(refused)
    offline = replace(two(1), link=replace(two(1).link, state="down"))
    assert "Bram ging voorgoed weg en de verbinding met 10.0.0.5:1883 is er niet meer." in words_of(offline)


def test_with_more_players_a_leaver_who_closed_stops_nobody() -> None:
    """The others outnumber the leaver, and their nodes end the game by themselves."""
    state = replace(awaiting(2), left=(2,))

    assert "Weggegaan: Cor. Hebben alle anderen dat bevestigd, dan is het spel uit." in words_of(state)


def test_the_key_w_contradicts_nothing_that_is_on_the_screen() -> None:
    """Where a silent seat cannot be given up, or has been already, that is what is said."""
    alone = two(1, leaving=(), mover=1)
    assert "Al een tijd niet te horen: Bram." in words_of(alone)
    assert "te weinig om Bram op te geven" in words_of(run(alone, Key.CLAIM)[0])
    said, _ = run(awaiting(2), Key.CLAIM, Key.ACCEPT, Key.CLAIM)
    assert "Dat heb je al gezegd." in words_of(said)


@pytest.mark.parametrize(
    ("leaving", "departed", "words"),
    [
        ((), (), "Verder spelen: duizenden resume g-0"),
        ((0,), (), "maar het spel is nog niet uit."),
        ((0,), (0,), "Je bent voorgoed weg; de anderen sluiten het spel af."),
        ((1,), (), "maar de ander ging voorgoed weg."),
    ],
)
async def test_the_last_line_says_whether_the_game_goes_on(
    leaving: tuple[int, ...],
    departed: tuple[int, ...],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Who closes a game that is not over reads how to go on with it, or after a goodbye how it ends."""

    class Closed:
        """A node whose screen has been closed."""

        journal = tmp_path / "g-0"
        evidence = ()

        def view(self) -> TableView:
            return replace(view(others=(13,)), leaving=leaving, departed=departed)

    async def closed(*_: object) -> int:
        return 0

    monkeypatch.setattr(seat, "show_table", closed)
    context = Context(lang="nl", ascii=False, profile=Profile(data=tmp_path, logs=tmp_path))

    assert await seat.play_at(Closed(), context) == 0  # type: ignore[arg-type]
    assert words in capsys.readouterr().out


async def test_stopping_for_now_tells_the_node_nothing() -> None:
    """Q and Enter leave the game as it is, to be resumed."""
    table = FakeTable(seed=4)
    async with playing(table) as played:
        await table.deal()
        await played.terminal.shows("Jij bent aan de beurt")
        played.press("q")
        await played.terminal.shows("stop voor nu")
        played.press("enter")
        assert await played.running == 0

    assert table.submitted == []


def test_a_question_about_leaving_outlives_the_turns_of_others() -> None:
    """While one reads the question others go on playing; it stays, and Enter still means what it asks."""
    state, _ = run(awaiting(), Key.LEAVE)
    state, _ = run(state, news(view(mover=3, phase=Phase.DRAW, results=RESULTS, step=42)))
    assert run(state, Key.ACCEPT)[1] == (Leave(),)
    mine, _ = run(screen(view(phase=Phase.DRAW)), Key.STOCK)
    mine, _ = run(mine, news(view(mover=1, phase=Phase.DRAW, step=42)))
    assert mine.ask is None


# ------------------------------------------------------------------ a void round


async def test_a_vanished_player_is_given_up_and_the_game_ends_in_words() -> None:
    """Cor is gone: the screen says so, w says it is enough, and when all did the page tells who won and why."""
    table = FakeTable(seed=4, n=3, max_rounds=2)
    async with playing(table) as played:
        await table.deal()
        await played.terminal.shows("Jij bent aan de beurt")
        table.waiting = (2,)
        table.connect("up", (True, True, False))
        await played.terminal.shows("Cor is niet te horen.")
        table.claim(1, 2)
        await played.terminal.shows("Door Bram wordt niet meer gewacht op Cor.")
        played.press("w", "enter")
        await played.terminal.shows("Je wacht niet langer op Cor.")
        table.void(3, 2)
        shown = await played.terminal.shows("Het spel is afgebroken")
        played.press("l")
        log = await played.terminal.shows("Verloop")

    assert table.submitted == [Claim((2,))]
    assert "Cor was te lang niet te horen" in shown
    assert "Er was nog geen volledige ronde gespeeld: niemand wint." in shown
    assert "De ronde vervalt door stilte of vertrek van Cor." in log
    assert "Het spel is afgebroken zonder winnaar." in log


def void(**more: object) -> UiState:
    """The end of a game without Cor, after one full round."""
    values: dict[str, object] = {"stage": Stage.FINISHED, "departed": (2,), "winners": (0,), "results": RESULTS, **more}
    return screen(view(**values))  # type: ignore[arg-type]


def test_the_page_of_a_void_round_names_who_and_why() -> None:
    """Silence, goodbye and fault are told apart; the winner is told with the rule that makes the winner."""
    assert void().page is Page.RESULT
    assert "Cor was te lang niet te horen" in text(void())
    assert "(ronde 1) voorstond" in " ".join(text(void()).split())
    assert "Anna heeft gewonnen!" in text(void())
    left, _ = run(void(), news(void().view, Left(2)), Open(Page.RESULT), Open(Page.RESULT))
    assert "Cor nam afscheid en ging weg." in text(left)
    gone, _ = run(void(), news(void().view, Voided(4, (2,))))
    assert "Cor nam afscheid en ging weg." in text(gone)
    faulty = void(stage=Stage.FAULTED, fault=PeerFault("proof/V0", 2, 37))
    assert "Cor schudde met een bewijs dat niet klopt" in text(faulty)
    assert "code proof/V0" in text(faulty)
    second, _ = run(faulty, news(faulty.view, Voided(2, (2, 3))))
    also = replace(second, view=replace(second.view, departed=(2, 3)))
    assert "Dina hield zich niet aan de afspraken" in text(also)


def test_the_end_of_a_void_round_opens_its_page() -> None:
    """The barrier and the audit are told as what they are; the page opens with the end of the game."""
    state = screen(view(results=RESULTS))
    barrier = view(results=RESULTS, stage=Stage.SCORING, departed=(2,), waiting=(1, 3), step=41)
    state, _ = run(state, news(barrier, Voided(3, (2,))))
    assert state.page is Page.TABLE
    assert "De ronde gaat niet door" in text(state)
    assert "○ weg" in text(state)
    pending, _ = run(state, Open(Page.RESULT))
    assert "De anderen ondertekenen nu het einde van het spel." in text(pending)
    over = view(results=RESULTS, stage=Stage.FINISHED, departed=(2,), winners=(0,), step=43)
    state, _ = run(state, news(over, GameOver((0,))))
    assert state.page is Page.RESULT


# ------------------------------------------------------------------ the log


EVENTS: tuple[Event, ...] = (
    RoundStarted(1, 2),
    Drew(1, 3, None),
    Drew(0, 3, 5),
    Exchanged(1, 50, 0),
    Exchanged(1, None, None),
    Reshuffling(1, 12),
    Played(1, Play(take_pot=True, steps=(Lay((Placed(0), Placed(1))),), discard=2), (7, 8), out=True),
    Played(1, Play(steps=(LayOff(0, (Placed(0),)), Swap(0, 1, 2)), discard=2, call_last=True), (), out=False),
    Challenged(1, 2),
    RoundOver(1, (1, 2, 3, 4), (1, 2, 3, 4)),
    GameOver((1, 2)),
    GameOver(()),
    Left(2),
    Claimed(1, (2, 3)),
    Voided(1, (2,)),
    Voided(2, (2,)),
    Voided(3, (2, 3)),
    Voided(4, (2,)),
    Faulted(PeerFault("proof/V0", 2, 37)),
)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
@pytest.mark.parametrize("lang", ["nl", "en"])
def test_every_event_is_a_sentence_of_the_log(event: Event, lang: str) -> None:
    """Each thing that happens at a table is told on the log page, with every fact filled in."""
    state = screen(view(results=RESULTS))
    told: tuple[Entry, ...] = entries(state.view, event)
    scene = Scene(state, Glyphs(lang), 80, 24)

    assert told
    for entry in told:
        words = plain(scene.entry(entry, ""))
        assert words.endswith((".", "!"))
        assert "{" not in words
    run(replace(state, log=told), Open(Page.LOG), Step(1))
    assert text(replace(state, log=told, page=Page.LOG), lang=lang).count("\n") == 24


async def test_the_fake_table_punishes_what_is_caught() -> None:
    """A catch at the table without cryptography costs the offender a card, as at a real one."""
    table = FakeTable(rules=CALLS, seed=4)
    await table.deal()
    assert table.round is not None
    await table.submit(Draw())
    hands = (table.round.hands[0], table.round.hands[1][:1], *table.round.hands[2:])
    table.round = replace(table.round, hands=hands, calls=Calls(uncalled=(1,)))
    await table.submit(Challenge(1))

    assert len(table.round.hands[1]) == 2
    assert not isinstance(table.submitted[-1], NextRound | Exchange)
