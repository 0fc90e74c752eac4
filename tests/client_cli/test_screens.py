"""What the screens look like: golden pictures as text, in both languages, two sizes and letters only.

Write the pictures anew with DUIZENDEN_WRITE_SCREENS=1 and read the difference before committing it.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from client_cli.chronicle import Entry
from client_cli.glyphs import Glyphs, width
from client_cli.intents import (
    Choose,
    Edge,
    Key,
    Link,
    Open,
    Page,
    Refused,
    Standing,
    Step,
    TableChanged,
    TalkRefused,
    Typed,
    Word,
)
from client_cli.messages import CATALOGUE
from client_cli.model import UiState
from client_cli.theme import STYLE, sixteen
from client_cli.views.canvas import Piece, plain
from client_cli.views.scene import Scene
from client_cli.views.screen import draw
from protocol.crypto.audit import NOT_AUDITED
from protocol.errors import PeerFault
from protocol.rules.actions import Draw
from protocol.rules.cards import parse_face
from protocol.rules.ruleset import for_players, preset, with_overrides
from protocol.rules.state import Calls, Phase
from protocol.session.outputs import Claimed, Event, Left, SetupProgress, Voided
from protocol.session.view import Checks, Stage, TableView
from tests.client_cli.scenes import logged, result, run, screen, text, view

PICTURES = Path(__file__).parent / "screens"
MELDS = (
    (1, "5C 6C 7C 8C"),
    (1, "QS QH X=QD"),
    (2, "AS 2S 3S"),
    (3, "TD TH TC TS"),
    (0, "9H TH JH QH KH AH"),
    (3, "3D 4D X=5D 6D 7D"),
)
LARGE_HAND = "2S 3S 5S 7S KS AS 2H TH 5C KC 7D KD X QS 4H 6H 6H 9D 9C JD JD QD KD AD X 3C 4C 8C TC JC AC 2D 3H 8S"
RESULTS = (
    result(1, (120, -35, 240, 60), (120, -35, 240, 60), ("", "5C 6C QS", "2H", "X TH"), 0),
    result(2, (220, 120, -360, 550), (340, 85, -120, 610), ("3C 4C", "5C 6C QS", "2H 9D 9D", ""), 3),
)
TOTALS = RESULTS[-1].totals
WITHOUT_COR = replace(
    result(4, (260, 90, 0, 410), (600, 175, -120, 1020), ("3C 4C", "5C 6C", "", ""), 3),
    table_points=(295, 125, 0, 445),
    hand_points=(35, 35, 0, 35),
    verdicts=(0, 0, NOT_AUDITED, 0),
)
"""A round after the one that was void through Cor."""
PLAY_ON = with_overrides(for_players(preset("klassiek"), 4), {"resign": "play_on"})
HOUSE = with_overrides(
    for_players(preset("spelregelwijzer"), 4),
    {"opening_minimum": 40, "opening_exchange": "none", "pot_requires_being_down": False},
)


def mid_game(**changed: object) -> UiState:
    """Our turn in the middle of a round."""
    values: dict[str, object] = {
        "melds": MELDS,
        "pot": "2C 9C 4D QH",
        "stock": 31,
        "others": (9, 11, 4),
        "totals": (340, 85, -120, 610),
        "results": RESULTS,
        **changed,
    }
    state = screen(view(**values))  # type: ignore[arg-type]
    return logged(
        state,
        ("log.pot", 2, ""),
        ("log.lay", 2, "AS 2S 3S"),
        ("log.discard", 2, "4D"),
        ("log.drew", 3, ""),
        ("log.discard", 3, "QH"),
    )


LINK_WITHOUT_COR = Link(broker="mqtt://127.0.0.1:1883", peers=(True, True, False, True))
CALLS = with_overrides(for_players(preset("klassiek"), 4), {"last_card_call": "extra_card"})


def news(now: TableView, *events: Event, link: Link) -> TableChanged:
    """The table has changed."""
    return TableChanged(now, events, link)


def heard(state: UiState, *words: Word, standing: Standing | None = None) -> UiState:
    """People said this."""
    return run(state, TableChanged(state.view, (), state.link, words, standing or state.standing))[0]


def uncalled() -> UiState:
    """Bram has one card left and did not say so; Cor has drawn since."""
    base = view(mover=2, others=(1, 12, 13), rules=CALLS)
    assert base.round is not None
    return screen(replace(base, round=replace(base.round, calls=Calls(uncalled=(1,)))))


def _played_on() -> dict[str, UiState]:
    """A game that the others play on without Cor: before, right after the void round, in the next one, at the end."""
    away = replace(mid_game(mover=2, phase=Phase.DRAW, rules=PLAY_ON), link=LINK_WITHOUT_COR)
    void = replace(
        view(stage=Stage.BETWEEN, departed=(2,), waiting=(0, 1, 3), rules=PLAY_ON, results=RESULTS, totals=TOTALS),
        round=None,
        round_number=4,
    )
    voided = run(away, TableChanged(void, (Voided(4, (2,)),), LINK_WITHOUT_COR))[0]
    more: dict[str, object] = {
        "others": (9, 0, 4),
        "departed": (2,),
        "rules": PLAY_ON,
        "results": (*RESULTS, WITHOUT_COR),
        "totals": WITHOUT_COR.totals,
        "melds": (MELDS[0], MELDS[3]),
    }
    gone = replace(mid_game(**more, phase=Phase.DRAW), link=LINK_WITHOUT_COR)
    over = mid_game(**more, stage=Stage.FINISHED, winners=(3,))
    return {
        "on-away": away,
        "on-ask-goodbye": run(mid_game(rules=PLAY_ON), Key.LEAVE, Key.GOODBYE)[0],
        "on-void": voided,
        "on-void-ready": run(voided, Key.ACCEPT)[0],
        "on-next": gone,
        "on-scores": run(gone, Open(Page.SCORES))[0],
        "on-fairness": run(gone, Open(Page.FAIRNESS))[0],
        "on-final": over,
        "on-looking": replace(mid_game(**more, me=2, hand="2H", mover=0), link=LINK_WITHOUT_COR),
    }


def _chosen(state: UiState, *places: int) -> UiState:
    """The state with the cards at these places of the hand selected."""
    for place in places:
        state, _ = run(state, Edge(-1), *([Step(1)] * place), Key.TOGGLE)
    return state


def _scenes() -> dict[str, UiState]:
    base = mid_game()
    drawing = mid_game(phase=Phase.DRAW)
    faulty = mid_game(stage=Stage.FAULTED, fault=PeerFault("dleq/dleq", 2, 37), mover=2)
    between = mid_game(stage=Stage.BETWEEN, waiting=(0, 1, 3))
    final = mid_game(stage=Stage.FINISHED, winners=(3,))
    shuffling = replace(screen(view(stage=Stage.SHUFFLING, waiting=(2,))), progress=SetupProgress("shuffle", 4, 8, 2))
    basis = view(hand="TH JH 2D 3D KC KH AH", pot="5S QH", phase=Phase.DRAW, rules=HOUSE, rules_name="spelregelwijzer")
    away = replace(mid_game(mover=2, phase=Phase.DRAW), link=LINK_WITHOUT_COR)
    given_up = run(away, news(away.view, Claimed(1, (2,)), link=LINK_WITHOUT_COR))[0]
    silence = mid_game(stage=Stage.FINISHED, departed=(2,), winners=(3,))
    fault = mid_game(
        stage=Stage.FAULTED, fault=PeerFault("dleq/dleq", 2, 37), departed=(2,), results=(), totals=(0, 0, 0, 0)
    )
    cards = replace(
        view(stage=Stage.SHUFFLING, waiting=(0,)),
        handshake=tuple(parse_face(word) for word in ("QS", "TD", "7H")),
        to_compare=True,
    )
    cards = replace(cards, players=tuple(replace(player, bot=False) for player in cards.players))
    chatting = heard(drawing, Word(1, "said", "Koffie? " * 25), Word(2, "said", 1))
    pause = heard(away, Word(2, "pause"), standing=Standing(paused_by=2, away=(0, 1)))
    return {
        "talk": chatting,
        "talk-typing": run(chatting, Key.TALK, Typed("Koffie"))[0],
        "talk-phrase": run(chatting, Key.TALK, Typed("3"))[0],
        "talk-refused": run(chatting, Key.TALK, TalkRefused("node/not-so-fast", "Koffie!"))[0],
        "talk-large-hand": heard(mid_game(hand=LARGE_HAND), Word(1, "said", "Koffie!"), Word(2, "said", 6)),
        "page-talk": run(heard(chatting, standing=Standing(muted=(3,), away=(1,))), Open(Page.TALK))[0],
        "page-log-talk": run(chatting, Open(Page.LOG))[0],
        "pause": pause,
        "compare": run(screen(cards), Choose(2))[0],
        "compare-joiner": screen(replace(cards, me=1, to_compare=False)),
        "away": away,
        "away-given-up": given_up,
        "away-ask": run(given_up, Key.CLAIM)[0],
        "away-claimed": run(given_up, Key.CLAIM, Key.ACCEPT)[0],
        "ask-leave": run(drawing, Key.LEAVE)[0],
        "ask-goodbye": run(drawing, Key.LEAVE, Key.GOODBYE)[0],
        "catch": uncalled(),
        "left": run(away, news(away.view, Left(2), link=LINK_WITHOUT_COR))[0],
        "void-silence": silence,
        "void-fault": fault,
        **_played_on(),
        "draw": drawing,
        "ask-stock": run(drawing, Key.STOCK)[0],
        "pot-taken": run(drawing, Key.POT)[0],
        "several-offers": _chosen(mid_game(hand="5H 6H X 9C KD QD"), 0, 1, 5),
        "one-offer": _chosen(mid_game(hand="QD 2C KD"), 1),
        "laid": run(_chosen(mid_game(hand="KS KC KD 2H 9D"), 0, 2, 4), Choose(1))[0],
        "nothing-fits": _chosen(base, 0, 2, 4),
        "queen-stays": _chosen(mid_game(hand="QS 3S 9D"), 1),
        "ask-discard": run(_chosen(base, 7), Key.DISCARD)[0],
        "going-out": run(mid_game(hand="9D"), Key.DISCARD)[0],
        "refused": run(base, Refused("rules/queen_discard", Draw()))[0],
        "large-hand": _chosen(mid_game(hand=LARGE_HAND), 3, 20),
        "others-turn": mid_game(mover=2, phase=Phase.DRAW),
        "drawing-shares": mid_game(phase=Phase.DRAW, mover=0, waiting=(1, 3)),
        "watching": mid_game(me=None, mover=1),
        "offline": replace(base, link=Link(state="down", broker="mqtt://192.168.1.7:1883", peers=(True, True, False))),
        "pot-rule": screen(basis),
        "pot-offer": _chosen(screen(basis), 0, 1),
        "two-players": screen(view(others=(13,))),
        "seven-players": screen(view(others=(13, 9, 2, 11, 4, 13), rules=for_players(preset("klassiek"), 7))),
        "shuffling": shuffling,
        "fault": faulty,
        "result": between,
        "result-ready": run(between, Key.ACCEPT)[0],
        "final": final,
        "page-scores": run(base, Open(Page.SCORES))[0],
        "page-rules": run(screen(basis), Open(Page.RULES))[0],
        "page-log": run(base, Open(Page.LOG))[0],
        "page-fairness": run(base, Open(Page.FAIRNESS))[0],
        "page-pot": run(base, Open(Page.POT))[0],
        "page-help": run(base, Open(Page.HELP))[0],
    }


SCENES = _scenes()
SIZES = ((80, 24), (120, 40))
ASCII = ("draw", "talk-typing", "several-offers", "laid", "large-hand", "ask-discard", "result", "page-help")
CASES = [
    *((name, lang, size, False) for name in SCENES for lang in ("nl", "en") for size in SIZES),
    *((name, lang, (80, 24), True) for name in ASCII for lang in ("nl", "en")),
]


def picture(name: str, lang: str, size: tuple[int, int], ascii_: bool) -> str:
    """The file name of a golden screen."""
    return f"{name}-{lang}-{size[0]}x{size[1]}{'-ascii' if ascii_ else ''}.txt"


@pytest.mark.parametrize(("name", "lang", "size", "ascii_"), CASES, ids=[picture(*case) for case in CASES])
def test_screens_are_as_they_were_agreed(name: str, lang: str, size: tuple[int, int], ascii_: bool) -> None:
    """Each screen equals its picture, to the cell."""
    shown = text(SCENES[name], *size, lang=lang, ascii_=ascii_)
    path = PICTURES / picture(name, lang, size, ascii_)
    if os.environ.get("DUIZENDEN_WRITE_SCREENS"):
        PICTURES.mkdir(exist_ok=True)
        path.write_text(shown, encoding="utf-8")

    assert shown == path.read_text(encoding="utf-8")


def test_every_picture_belongs_to_a_screen() -> None:
    """No picture is left over from a screen that is not drawn any more."""
    assert sorted(path.name for path in PICTURES.iterdir()) == sorted(picture(*case) for case in CASES)


def _words(lang: int, other: int) -> set[str]:
    """Longer words that stand in the sentences of one language only."""
    found: list[set[str]] = [set(), set()]
    for pair in CATALOGUE.values():
        for place in (lang, other):
            found[place == other] |= set(re.findall(r"[a-zà-ÿ]{4,}", re.sub(r"\{\w+\}", " ", pair[place]).lower()))
    return found[0] - found[1]


@pytest.mark.parametrize(("lang", "foreign"), [("nl", _words(1, 0)), ("en", _words(0, 1))])
def test_no_screen_mixes_languages(lang: str, foreign: set[str]) -> None:
    """No word that only the other language uses stands on any screen."""
    assert len(foreign) > 200
    own = ["anna", "bram", "cor", "dina", "evert", "fien", "gijs", "duizenden", "verify", "klassiek", "spelregelwijzer"]
    for name, state in SCENES.items():
        shown = set(re.findall(r"[a-zà-ÿ]{4,}", text(state, 120, 60, lang=lang).lower()))
        assert shown & (foreign - set(own)) == set(), name


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(sorted(SCENES)),
    st.integers(1, 200),
    st.integers(1, 70),
    st.sampled_from(("nl", "en")),
    st.booleans(),
)
def test_every_size_is_filled_exactly(name: str, columns: int, lines: int, lang: str, ascii_: bool) -> None:
    """Whatever the size, the drawing has that many lines of that many cells, and only known styles."""
    drawing = draw(SCENES[name], Glyphs(lang, ascii_), columns, lines)

    assert [width(plain(line)) for line in drawing.lines] == [columns] * lines
    classes = {style for line in drawing.lines for style, _ in line}
    assert classes <= {f"class:{name}" for name in STYLE} | {""}


@pytest.mark.parametrize(("columns", "lines"), [(79, 24), (80, 23), (69, 24), (40, 10), (30, 1), (12, 3), (8, 1)])
@pytest.mark.parametrize("lang", ["nl", "en"])
def test_too_small_screens_say_what_they_need(columns: int, lines: int, lang: str) -> None:
    """A screen below 80x24 tells the size that it takes and the key that leaves, in whole words, and nothing else."""
    shown = text(SCENES["draw"], columns, lines, lang=lang).split("\n")

    assert max(len(line) for line in shown) <= columns
    words = " ".join(shown).split()
    assert {"80x24", "80x24,"} & set(words)
    assert {"q", "(q"} & set(words)
    assert not set("─│╭♠▶") & set("".join(shown))


def test_a_screen_of_one_cell_is_drawn() -> None:
    """Where not even the size fits, what fits of it is shown."""
    assert text(SCENES["draw"], 1, 1).strip() == "8"


def test_help_and_leaving_are_on_every_key_line() -> None:
    """However narrow the screen and whatever the state, the key line names the keys of help and of leaving."""
    for name, state in SCENES.items():
        last = text(state, 80, 24).splitlines()[-1]
        if state.ask is None and state.typing is None:
            assert "? hulp" in last, name
            assert "q sluit" in last, name


def test_the_key_line_counts_several_offers() -> None:
    """One offer is done with Enter; of several each by its number, and Enter is not offered."""
    assert "Enter doe" in text(SCENES["one-offer"], 120, 40)
    last = text(SCENES["several-offers"], 120, 40).splitlines()[-1]

    assert f"1-{len(SCENES['several-offers'].offers)} kies aanbod" in last
    assert "Enter" not in last


def test_keys_that_the_rules_never_allow_are_not_named() -> None:
    """Help and key line name the last-card call, the catch and the exchange at tables that have them only."""
    for rules, call, exchange in (
        (for_players(preset("klassiek"), 4), False, False),
        (CALLS, True, False),
        (for_players(preset("basis"), 4), False, True),
    ):
        state = screen(view(hand="9D KD", rules=rules))
        page = text(run(state, Open(Page.HELP))[0], 120, 80)
        assert ("zeg “laatste kaart”" in page, "betrap" in page) == (call, call)
        assert ("laat de open kaart liggen" in page, "ruil de open kaart" in page) == (exchange, exchange)
        assert ("a laatste kaart" in text(state, 120, 40).splitlines()[-1]) == call
    many = screen(view(hand="9D KD 2S", rules=CALLS))
    assert "a laatste kaart" not in text(many, 120, 40)  # two cards would be left


def test_nothing_is_wrong_with_looking_before_the_draw() -> None:
    """A hint or a selection before the draw shows no refusal."""
    state = screen(view(hand="QS QH QD 2D 9C", phase=Phase.DRAW, pot="KC"))

    for looked in (_chosen(state, 0), _chosen(state, 0, 1), run(state, Key.HINT)[0]):
        shown = text(looked)
        assert "✗" not in shown
        assert "Pak eerst" not in shown


def test_who_is_ready_is_not_asked_again() -> None:
    """After saying so, also when only the table knows it after a restart, no key for the next round is named."""
    ready = run(SCENES["result"], Key.ACCEPT)[0]
    resumed = mid_game(stage=Stage.BETWEEN, waiting=(1, 3))
    assert "volgende ronde" in text(SCENES["result"]).splitlines()[-1]

    for state in (ready, resumed, run(resumed, Key.CANCEL)[0]):
        assert "volgende ronde" not in text(state).splitlines()[-1]
        assert run(state, Key.NEXT_ROUND)[1] == ()


def test_checks_from_before_a_restart_are_said_to_be_so() -> None:
    """Shuffles that were recomputed before the restart have no count of nothing; without a round they are just 0."""
    states = mid_game(), mid_game(results=())
    resumed = [replace(state, view=replace(state.view, checks=Checks(signatures=3))) for state in states]
    lines, first = (text(run(state, Open(Page.FAIRNESS))[0], 120, 60).split("\n") for state in resumed)

    (line,) = (line for line in lines if "achteraf nagerekend" in line)
    assert line.strip() == "schudbeurten achteraf nagerekend (vóór de herstart nagekeken)"
    (line,) = (line for line in first if "achteraf nagerekend" in line)
    assert line.strip() == "0   schudbeurten achteraf nagerekend"


def test_long_names_are_whole_where_there_is_room() -> None:
    """A large result page shows names of twenty cells uncut."""
    base = view(stage=Stage.BETWEEN, results=RESULTS, totals=RESULTS[-1].totals)
    long = "Wilhelmina de Vroede"
    named = replace(base, players=(replace(base.players[0], name=long), *base.players[1:]))

    assert text(screen(named), 120, 40).count(long) >= 2


def test_letters_only_screens_are_ascii() -> None:
    """With letters nothing else reaches the terminal: accents and quotation marks of sentences are folded too."""
    for name in SCENES:
        for lang in ("nl", "en"):
            assert text(SCENES[name], 120, 40, lang=lang, ascii_=True).isascii(), name


def test_nothing_is_told_by_colour_alone() -> None:
    """Without styles the screen still tells turn, cursor, selection, suit, new cards, drafts and aims."""
    laid = text(SCENES["laid"])
    assert "#7•" in laid  # a meld that has not been sent
    taken = text(SCENES["pot-taken"])
    assert "♥•" in taken  # a card that came with the pot
    assert "▶ Anna (jij)" in taken
    assert "▶ Cor" in text(SCENES["others-turn"])
    plain_hand = text(SCENES["draw"])
    assert plain_hand.count("┏") == 1  # the cursor is an edge of another kind
    must = text(SCENES["pot-rule"])
    assert "!" in must  # the top card has to be melded at once


def test_a_selected_card_stands_higher_than_the_others() -> None:
    """The top edge of a selected card is one line above that of its neighbours."""
    lines = text(_chosen(screen(view(hand="2S 3S 4S")), 1)).split("\n")
    tops = [place for place, line in enumerate(lines) if "┏" in line or ("╭" in line and place > 15)]

    assert len(tops) == 2
    assert tops[1] == tops[0] + 1
    assert lines[tops[0]].count("┏") == 1


def test_a_hand_of_any_size_stays_legible() -> None:
    """Up to 60 cards: the cursor's card is always on the screen, and each shown card shows rank and suit."""
    cards = (LARGE_HAND + " " + LARGE_HAND).split()
    for count in range(1, 61):
        for size in SIZES:
            state = screen(view(hand=" ".join(cards[:count]), rules=with_overrides(preset("klassiek"), {"decks": 3})))
            for at in (0, count // 2, count - 1):
                now, _ = run(state, Edge(-1), *([Step(1)] * at))
                drawn = text(now, *size)
                assert drawn.count("┏") == 1, (count, size, at)


def test_sixteen_colours_have_every_class() -> None:
    """The poorer palette knows every class, and prints no card in the colour of its paper."""
    poor = sixteen()

    assert set(poor) == set(STYLE)
    for name, value in poor.items():
        colours = [word.removeprefix("bg:") for word in value.split() if "ansi" in word]
        assert len(colours) < 2 or colours[0] != colours[1] or colours[0] == "ansidefault", name


def test_a_long_log_costs_no_more_than_what_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """With thousands of entries, drawing the log or the table tells only the entries that fit on the screen."""
    entry = logged(screen(view()), ("log.discard", 1, "QH")).log[0]
    state = replace(mid_game(), log=(entry,) * 4000)
    told: list[Entry] = []
    tell = Scene.entry

    def counted(scene: Scene, shown: Entry, base: str) -> list[Piece]:
        told.append(shown)
        return tell(scene, shown, base)

    monkeypatch.setattr(Scene, "entry", counted)
    for page in (Page.LOG, Page.TABLE):
        text(replace(state, page=page, scroll=1500), 120, 40)

    assert 0 < len(told) <= 3 * 40


def test_penalties_of_a_round_are_told_with_its_result() -> None:
    """Who lost points for a missed call stands under the table of points."""
    charged = replace(RESULTS[1], penalties=(0, 50, 0, 0))
    shown = text(screen(view(stage=Stage.BETWEEN, results=(charged,), totals=charged.totals)))

    assert "Straf voor geen “laatste kaart” zeggen: Bram −50." in shown


def test_a_game_of_so_many_rounds_says_how_many() -> None:
    """The header counts the rounds of a short game, and only the number of the round of any other."""
    usual, short = view(), replace(view(), max_rounds=3)

    assert "ronde 1 · tot" in text(screen(usual)).splitlines()[0]
    assert "ronde 1 van 3 · tot" in text(screen(short)).splitlines()[0]
