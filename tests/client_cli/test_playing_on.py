"""A table whose rule card lets the others play on: what it says before, at and after a departure, to the end."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from client_cli import keys
from client_cli.__main__ import main
from client_cli.beside import claimable, lost
from client_cli.chronicle import entries
from client_cli.commands.seat import _farewell
from client_cli.departures import is_signing, is_voided, was_voided
from client_cli.glyphs import Glyphs
from client_cli.intents import Edge, Key, Link, Open, Page, Step, TableChanged
from client_cli.linear.scene import scene_of
from client_cli.linear.situation import choices, situation, standing
from client_cli.linear.told import told
from client_cli.model import Goodbye, GoOn, Leave, UiState
from client_cli.replay_model import load_replay
from client_cli.replay_state import ReplayState, reduce_replay
from client_cli.report.facts import Deal, facts_of
from client_cli.report.many import overview
from client_cli.report.odds import MARKED, by_place, by_seat
from client_cli.report.page import report
from client_cli.views.canvas import plain
from client_cli.views.replay import draw_replay
from node.policy import choose
from protocol.errors import PeerFault
from protocol.rules.ruleset import for_players, preset, with_overrides
from protocol.rules.state import Phase
from protocol.session import session
from protocol.session.gamefile import write_game
from protocol.session.outputs import Claimed, Event, Faulted, Left, RoundStarted, Voided
from protocol.session.view import Stage, TableView
from tests.client_cli.scenes import result, run, screen, text, view
from tests.coupled import Coupled

PLAY_ON = with_overrides(for_players(preset("klassiek"), 4), {"resign": "play_on"})
RESULTS = (result(1, (120, -35, 240, 60), (120, -35, 240, 60), ("", "5C 6C QS", "2H", "X TH"), 0),)
TOTALS = RESULTS[0].totals


def at(**more: object) -> TableView:
    """A table of four in its second round, where the others play on."""
    values: dict[str, object] = {"rules": PLAY_ON, "results": RESULTS, "totals": TOTALS, **more}
    return view(**values)  # type: ignore[arg-type]


def voided(*departed: int, me: int | None = 0, waiting: tuple[int, ...] = (), **more: object) -> TableView:
    """The second round is void and these seats are gone; the others go on."""
    now = at(stage=Stage.BETWEEN, departed=departed, waiting=waiting, me=me, step=60, **more)
    return replace(now, round=None, round_number=3)


def link(*silent: int) -> Link:
    """A connection on which these seats are not heard."""
    return Link(broker="mqtt://127.0.0.1:1883", peers=tuple(seat not in silent for seat in range(4)))


def news(now: TableView, *events: Event, silent: tuple[int, ...] = ()) -> TableChanged:
    """The table has changed."""
    return TableChanged(now, events, link(*silent))


def words(state: UiState, lang: str = "nl") -> str:
    """The screen on one line."""
    return " ".join(text(state, lang=lang).split())


# ------------------------------------------------------------------ before


def test_what_follows_is_said_by_the_rule_card() -> None:
    """Who is awaited, given up, leaving or asked reads who would play on, and at a table of two left that it ends."""
    away = replace(screen(at(mover=2, phase=Phase.DRAW)), link=link(2))

    assert "doet iedereen dat, dan spelen Anna, Bram en Dina door. Deze ronde telt dan niet" in words(away)
    assert "if everybody does, Anna, Bram and Dina play on." in words(away, "en")
    given_up, _ = run(away, news(away.view, Claimed(1, (2,)), silent=(2,)))
    assert "Zegt iedereen het, dan spelen Anna, Bram en Dina door." in words(given_up)
    asked, _ = run(away, Key.CLAIM)
    assert "dan vervalt deze ronde en spelen Anna, Bram en Dina door." in words(asked)
    going = replace(away, left=(3,), link=link())
    assert "Zodra de tafel Dina nodig heeft, spelen Anna, Bram en Cor door." in words(going)
    assert "Bram en Cor spelen door, en jij kunt niet meer winnen." in words(run(going, Key.GOODBYE)[0])
    last = screen(at(departed=(2, 3), others=(13, 0, 0)))
    assert "Het spel eindigt dan voor iedereen" in words(run(last, Key.GOODBYE)[0])
    accused = replace(screen(at(departed=(3,))), claims=((1, (0,)), (2, (0,))), link=link())
    assert "zeggen alle anderen het, dan spelen Bram en Cor door." in words(accused)


def test_several_departures_count_only_who_is_left() -> None:
    """Of two who are left nobody can give up the other, nor do without one who closed; of three they can."""
    three = at(departed=(3,), others=(13, 13, 0), mover=2, phase=Phase.DRAW)
    two = at(departed=(2, 3), others=(13, 0, 0), mover=1, phase=Phase.DRAW)

    assert claimable(replace(screen(three), link=link(2, 3))) == (2,)
    assert claimable(replace(screen(two), link=link(1, 2, 3))) == ()
    assert lost(replace(screen(three), left=(2, 3), link=link(2, 3))) == ()
    assert lost(replace(screen(two), left=(1, 2), link=link(1, 2))) == (1,)
    assert claimable(replace(screen(replace(three, me=3)), link=link(2))) == ()


# ------------------------------------------------------------------ the void round


def test_a_void_round_is_told_apart_from_the_end_of_one() -> None:
    """While it is signed, until the next deal, and never for a seat that was gone before the deal."""
    signing = at(stage=Stage.SCORING, departed=(2,), waiting=(1, 3))
    scoring = at(stage=Stage.SCORING, departed=(2,), others=(13, 0, 13), waiting=(1, 3))
    between = voided(2)
    scored = at(stage=Stage.BETWEEN, departed=(2,), others=(13, 0, 13))
    views = (signing, scoring, between, scored, replace(between, stage=Stage.SHUFFLING), at(departed=(2,)))

    assert [is_signing(one) for one in views] == [True, False, False, False, False, False]
    assert [is_voided(one) for one in views] == [False, False, True, False, True, False]
    assert [was_voided(one) for one in views] == [True, False, True, False, True, False]


def test_a_void_round_opens_its_page_and_the_key_goes_on() -> None:
    """Who is gone and why, what counts, who plays on and whom the table waits for; then Enter, and the table again."""
    state, _ = run(screen(at()), Key.GOODBYE)
    signing = at(stage=Stage.SCORING, departed=(2,), waiting=(1, 3), step=50)
    state, _ = run(state, news(signing, Voided(3, (2,)), silent=(2,)))
    assert state.ask is None
    assert state.page is Page.TABLE
    assert "De ronde gaat niet door; Anna, Bram en Dina spelen door. Wachten op Bram en Dina." in words(state)
    assert [entry.code for entry in state.log] == ["log.void.silence", "log.plays_on"]
    assert {entry.round_number for entry in state.log} == {2}
    pending, _ = run(state, Open(Page.RESULT))
    assert "De anderen ondertekenen nu dat de ronde vervalt." in words(pending)

    state, _ = run(state, news(voided(2, waiting=(0, 1, 3)), silent=(2,)))
    shown = words(state)
    assert state.page is Page.RESULT
    assert "Ronde 2 is vervallen" in shown
    assert "Cor was te lang niet te horen; de anderen wachtten niet langer." in shown
    assert "Ronde 2 telt niet mee" in shown
    assert "Anna, Bram en Dina spelen door. Ieders punten van eerdere rondes blijven staan." in shown
    assert "Klaar voor de volgende? (Enter) Wachten op Bram en Dina." in shown
    assert "afgebroken" not in shown
    assert screen(state.view).page is Page.RESULT

    state, effects = run(state, Key.ACCEPT)
    assert effects == (GoOn(),)
    assert "Jij bent klaar; wachten op Bram en Dina." in words(state)
    dealt = replace(at(departed=(2,), others=(13, 0, 13), step=80), round_number=3)
    state, _ = run(state, news(dealt, RoundStarted(3, 0), silent=(2,)))
    assert state.page is Page.TABLE
    assert "○ weg" in text(state)
    assert "0 kaarten" not in text(state)


def test_a_round_that_never_began_has_no_number() -> None:
    """Who goes before the first round is named all the same."""
    early = replace(voided(2, results=(), totals=(0, 0, 0, 0)), stage=Stage.SHUFFLING, round_number=1)

    assert "Verder met minder spelers" in words(screen(early))
    assert "telt niet mee" not in words(screen(early))


def test_a_cheat_is_named_once() -> None:
    """Its page says what it did; the rounds that follow are played as if nothing were wrong, and so is the end."""
    fault = PeerFault("proof/V0", 2, 37)
    named, _ = run(screen(at()), news(voided(2, fault=fault), Faulted(fault), Voided(2, (2,))))
    later, _ = run(named, news(voided(1, 2, fault=fault), Voided(4, (1,)), Left(1)))
    signing = at(stage=Stage.SCORING, departed=(1, 2), others=(13, 0, 13), fault=fault)
    playing_ = at(departed=(2,), others=(13, 0, 13), fault=fault)

    assert "Cor schudde met een bewijs dat niet klopt" in words(named)
    assert "code proof/V0" in words(named)
    assert "Bram nam afscheid en ging weg." in words(later)
    assert "proof/V0" not in words(later)
    for now in (signing, playing_):
        assert "Het spel is gestopt" not in words(screen(now))


def test_the_handshake_is_compared_without_who_is_gone() -> None:
    """A first round that is void asks again for the three cards, of those who are left, on the table."""
    people = replace(at(), players=tuple(replace(player, bot=False) for player in at().players))
    state, _ = run(screen(people), news(replace(voided(2), players=people.players)))
    asked = replace(voided(2), players=people.players, stage=Stage.SHUFFLING, handshake=(11, 24, 6), to_compare=True)
    state, _ = run(state, news(asked))

    assert state.page is Page.TABLE
    assert state.people == (1, 3)
    assert "1 Bram" in words(state)
    assert "2 Dina" in words(state)


# ------------------------------------------------------------------ who looks on


def looking(**more: object) -> UiState:
    """Cor has gone, or was thrown out, and still has the table on its screen."""
    return replace(screen(at(departed=(2,), others=(13, 0, 13), me=2, hand="2H", **more)), link=link())


def test_who_is_gone_looks_on_and_chooses_nothing() -> None:
    """The screen says so and offers to close; no key makes a choice, and q closes without a question."""
    state = looking(mover=1, phase=Phase.DRAW)

    assert "Je speelt niet meer mee en kijkt toe; q sluit af. Bram is aan de beurt" in words(state)
    assert "Cor (jij, weg)" in text(state)
    assert next(label for _, label in keys.useful(state)) == "key.leave"
    assert not {"pot", "draw", "claim", "goodbye"} & {b.name for _, binds in keys.groups(state) for b in binds}
    for key in (Key.STOCK, Key.POT, Key.DISCARD, Key.CLAIM, Key.PAUSE, Key.AWAY, Key.NEXT_ROUND, Key.CATCH):
        assert run(state, key, Key.ACCEPT)[1] == ()
    assert "Je speelt niet meer mee." in words(run(state, Key.CLAIM)[0])
    assert run(state, Key.LEAVE)[1] == (Leave(),)
    assert Goodbye() not in run(state, Key.LEAVE, Key.GOODBYE, Key.ACCEPT)[1]
    out, _ = run(screen(at(me=2, hand="2H")), news(voided(2, me=2, waiting=(0, 1, 3))))
    assert "q sluit af. De ronde is vervallen; wachten op Anna, Bram en Dina." in words(out)


def test_a_host_that_is_gone_is_told_what_closing_does() -> None:
    """The table may run on its computer: q asks first; once the game is over it closes."""
    gone = screen(at(departed=(0,), mover=1, phase=Phase.DRAW, hand="2H"))

    asked, effects = run(gone, Key.LEAVE)
    assert effects == ()
    assert "Draait de tafel of een bot op jouw computer, dan staat het spel voor de anderen stil." in words(asked)
    assert run(asked, Key.ACCEPT)[1] == (Leave(),)
    over = screen(at(departed=(0,), stage=Stage.FINISHED, winners=(3,)))
    assert run(over, Key.LEAVE)[1] == (Leave(),)


@pytest.mark.parametrize(
    ("me", "left", "departed", "code"),
    [
        *((2, (2,), (2,), "gone.on"), (2, (), (2,), "gone.on"), (2, (2,), (), "gone.early")),
        *((2, (2,), (0, 1, 2), "gone"), (0, (1, 2), (1, 2), "left"), (0, (1, 2, 3), (1, 2), "left.stuck")),
    ],
)
def test_the_last_line_of_who_closes(me: int, left: tuple[int, ...], departed: tuple[int, ...], code: str) -> None:
    """Who is gone reads that the others play on."""
    assert _farewell(replace(at(departed=departed), me=me, leaving=left)) == code


# ------------------------------------------------------------------ plain lines


def test_plain_lines_tell_the_same() -> None:
    """A void round, the choice to go on, who is gone in the next, and what who looks on can do: one line each."""
    before = screen(at())
    after, _ = run(before, news(voided(2, waiting=(0, 1, 3)), Voided(4, (2,))))
    lines = told(before, after, "nl")

    assert "De ronde vervalt door het vertrek van Cor." in lines
    assert "Anna, Bram en Dina spelen door." in lines
    assert "De ronde is vervallen. Klaar voor de volgende?" in lines
    assert any(line.endswith("volgende ronde.") for line in lines)
    on_table = told(after, replace(after, view=at(departed=(2,), others=(13, 0, 13), step=90)), "en")
    assert not any("round is void" in line for line in on_table)
    gone = looking(mover=1, phase=Phase.DRAW)
    scene = scene_of(gone, "en")
    assert [choice.intents for choice in choices(scene)] == [(Key.LEAVE,)]
    assert situation(scene)[0] == "You no longer play and are looking on."
    assert standing(scene) == (
        "You no longer play and are looking on. It is Bram's turn to draw.",
        "1. Close the table.",
    )
    turned = replace(gone, view=replace(gone.view, round=replace(gone.view.round, mover=3)))  # type: ignore[type-var]
    assert situation(scene_of(turned, "en")) == situation(scene)


def test_the_log_names_the_void_round_and_who_plays_on() -> None:
    """At a table where too few are left nobody is said to play on."""
    assert [entry.code for entry in entries(at(departed=(2,)), Voided(4, (2,)))] == ["log.void.left", "log.plays_on"]
    assert [entry.code for entry in entries(at(departed=(1, 2, 3)), Voided(4, (3,)))] == ["log.void.left"]


# ------------------------------------------------------------------ afterwards


@pytest.fixture(scope="module")
def game_file() -> bytes:
    """A game of three in which the second seat leaves; the others play a round to its end."""
    table = Coupled(3, seed=6, choose=choose, rules=PLAY_ON, max_rounds=1)
    table.start()
    table.run(until=lambda: all(session.position().step >= 20 for session in table.sessions))
    table.carry_out(1, table.sessions[1].act(session.Leave()))
    table.run()
    return write_game(table.genesis, table.sessions[0].log_frames())


def test_a_game_that_was_played_on_is_looked_back_on(game_file: bytes) -> None:
    """The void round has its page, the next goes on without the seat that left, the end is one like any other."""
    game = load_replay(game_file, bytes(32))
    void = next(at for at, p in enumerate(game.positions) if any(isinstance(e, Voided) for e in p.events))
    shown = reduce_replay(ReplayState(game, at=void - 1), Step(1))
    last = reduce_replay(shown, Edge(1))

    def words_at(state: ReplayState) -> str:
        drawn = draw_replay(state, Glyphs("nl", False), 80, 24)
        return " ".join(" ".join(plain(line) for line in drawn.lines).split())

    assert shown.page is Page.RESULT
    assert "Ronde 1 is vervallen" in words_at(shown)
    assert "Seat 1 nam afscheid en ging weg." in words_at(shown)
    assert "Seat 0 en Seat 2 spelen door." in words_at(shown)
    assert "ondertekenen" not in words_at(shown)
    assert "Het spel is afgelopen" in words_at(last)
    assert "Seat 1 (weg)" in words_at(last)
    assert "afgebroken" not in words_at(last)


@pytest.mark.parametrize(
    ("lang", "words"), [("nl", "zonder Seat 1 speelden de anderen door"), ("en", "without Seat 1")]
)
def test_the_report_of_a_game_that_was_played_on(game_file: bytes, lang: str, words: str) -> None:
    """It says so, tells each round of who played in it, and counts the odds of the hands that were dealt."""
    html = report(facts_of(load_replay(game_file, bytes(32))), lang)

    assert words in html
    assert html.count('<h4><i style="color:var(--s1)"') == 0
    assert html.count('<h4><i style="color:var(--s2)"') == 1
    assert overview([("game", facts_of(load_replay(game_file, bytes(32))))], lang)


@pytest.mark.parametrize(("lang", "words"), [("nl", "In orde: alles klopt en het spel is uit."), ("en", "All right")])
def test_verify_does_not_call_it_broken_off(
    game_file: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str], lang: str, words: str
) -> None:
    """The game is over, and who left on the way is named."""
    (tmp_path / "a.duizenden").write_bytes(game_file)

    assert main(["verify", str(tmp_path / "a.duizenden"), "--lang", lang]) == 0
    shown = capsys.readouterr().out
    assert words in shown
    assert "Seat 1" in shown
    assert "afgebroken" not in shown
    assert "broken off" not in shown


def test_odds_leave_out_who_was_not_dealt_to() -> None:
    """A seat without cards is neither a hand nor a place, nor does it spoil the test of the others."""
    deal = Deal(tuple(tuple(range(start, start + 13)) if start >= 0 else () for start in (0, -1, 26)))
    queens = MARKED["queen"] if "queen" in MARKED else next(iter(MARKED.values()))
    seats = by_seat([(PLAY_ON, deal)] * 4000, queens)

    assert len(by_place([(PLAY_ON, deal)], queens).seen) == 13
    assert seats.test() is not None
