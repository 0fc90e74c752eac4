"""What keys and news do to the screen's state: the reducer as plain data, without a terminal."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from client_cli import model
from client_cli.arrange import Sort
from client_cli.intents import (
    Choose,
    Edge,
    Intent,
    Key,
    Leaf,
    Link,
    Open,
    Page,
    Refused,
    Row,
    Shift,
    Step,
    Stopped,
    TableChanged,
)
from client_cli.keys import TABLE, groups
from client_cli.model import GoOn, Leave, Ring, Submit, UiState
from client_cli.turn import Draft, play_words
from protocol.errors import PeerFault
from protocol.rules.actions import Draw, Exchange, Lay, LayOff, Play, Swap
from protocol.rules.cards import parse_face
from protocol.rules.ruleset import for_players, preset, with_overrides
from protocol.rules.state import Phase
from protocol.session.outputs import Drew, Faulted, Played, RoundOver, RoundStarted, SetupProgress
from protocol.session.session import Challenge, Choice, Claim, NextRound, SameCards
from protocol.session.session import Leave as SayGoodbye
from protocol.session.view import Stage, TableView
from tests.client_cli.scenes import NAMES, meld, result, run, screen, text, view

LINK = Link(broker="mqtt://127.0.0.1:1883", peers=(True, True, True, True))
BASIS = with_overrides(for_players(preset("basis"), 4), {"opening_exchange": "none"})


def shown(state: UiState) -> str:
    """The hand as it is shown, in the text form of cards."""
    return words(state, state.order)


def words(state: UiState, slots: tuple[int, ...]) -> str:
    """These slots' faces in the text form of cards."""
    from protocol.rules.cards import format_face

    return " ".join(format_face(state.view.faces[slot]) for slot in slots)


def pick(state: UiState, cards: str) -> UiState:
    """The state with exactly these cards selected by cursor and space bar, in this order."""
    for word in cards.split():
        wanted = next(
            slot for slot in state.order if state.view.faces[slot] == parse_face(word) and slot not in state.selected
        )
        steps = state.order.index(wanted) - state.order.index(state.cursor or 0)
        state, _ = run(state, *([Step(1 if steps > 0 else -1)] * abs(steps)), Key.TOGGLE)
    return state


def news(now: TableView, *events: object, link: Link = LINK) -> TableChanged:
    """The table has changed."""
    return TableChanged(now, events, link)  # type: ignore[arg-type]


# ------------------------------------------------------------------ cursor, selection, order


def test_the_cursor_goes_round_the_hand() -> None:
    """Left of the first card is the last one; Home and End go to the ends."""
    state = screen(view(hand="2S 3S 4S"))

    assert words(state, (state.cursor or 0,)) == "2S"
    assert run(state, Step(-1))[0].cursor == state.order[-1]
    assert run(state, Step(1), Step(1), Step(1))[0].cursor == state.order[0]
    assert run(state, Edge(1))[0].cursor == state.order[-1]
    assert run(state, Edge(1), Edge(-1))[0].cursor == state.order[0]


def test_up_and_down_keep_the_column_and_never_leave_the_hand() -> None:
    """A row further is so many cards further as the drawing has in a row; where there is no row nothing happens."""
    state = screen(view(hand="2S 3S 4S 5S 6S"))

    assert run(state, Row(1, per_row=3))[0].cursor == state.order[3]
    assert run(state, Edge(1), Row(1, per_row=3))[0].cursor == state.order[4]
    assert run(state, Row(-1, per_row=3))[0].cursor == state.order[0]


def test_the_space_bar_selects_and_lets_go() -> None:
    """Selected cards keep the order in which they were chosen; Escape lets all of them go."""
    state = screen(view(hand="2S 3S 4S 5S"), Step(2), Key.TOGGLE, Step(-1), Key.TOGGLE)

    assert words(state, state.selected) == "4S 3S"
    assert words(state, run(state, Key.TOGGLE)[0].selected) == "4S"
    assert run(state, Key.CANCEL)[0].selected == ()


def test_a_new_card_moves_neither_cursor_nor_selection() -> None:
    """When the drawn card is sorted in before the cursor, the cursor stays on its card."""
    before = view(hand="5S 7S 9S", phase=Phase.DRAW)
    state = screen(before, Step(1), Key.TOGGLE)
    drawn = before.round
    assert drawn is not None
    after = view(hand="5S 7S 9S 2S", step=42)
    state, _ = run(state, news(after, Drew(0, 3, parse_face("2S"))))

    assert shown(state) == "2S 5S 7S 9S"
    assert words(state, (state.cursor or 0,)) == "7S"
    assert words(state, state.selected) == "7S"
    assert words(state, state.fresh) == "2S"


def test_a_card_that_cannot_be_read_yet_stops_nothing() -> None:
    """Between the draw and the last key share our new card is a back at the end of the hand, and acts wait for it."""
    known = view(hand="5S 7S 9S 2S")
    sealed = replace(known, faces={slot: face for slot, face in known.faces.items() if slot != 3})
    state = screen(sealed)

    assert state.order == (0, 1, 2, 3)
    for key in (Key.DISCARD, Key.HINT, Key.SORT, Key.TOGGLE):
        assert run(state, key)[1] == ()
    refused, _ = run(state, Edge(1), Key.DISCARD)
    assert refused.note is not None
    assert refused.note.code == "turn.opening"
    assert "Je kaart wordt geopend." in text(state)
    assert "▒▒▒" in text(state).split("\n")[21]
    assert shown(run(state, news(known))[0]) == "2S 5S 7S 9S"


def test_marks_of_new_cards_go_with_the_turn() -> None:
    """What was new in our turn is not new any more when the next player is to move."""
    state = screen(view(hand="5S 7S"))
    state, _ = run(state, news(view(hand="5S 7S 2S", step=41), Drew(0, 2, parse_face("2S"))))
    state, _ = run(state, news(view(hand="5S 7S", mover=1, phase=Phase.DRAW, step=43)))

    assert state.fresh == ()


def test_the_order_of_the_hand_goes_round() -> None:
    """Suit, rank, melds, own order, and again; each change says so."""
    state = screen(view(hand="KH 2S KS 3S"))
    seen = []
    for _ in range(4):
        seen.append(state.sort)
        state, _ = run(state, Key.SORT)
        assert state.note is not None
        assert state.note.code == f"note.sort.{state.sort.value}"

    assert seen == [Sort.SUIT, Sort.RANK, Sort.MELDS, Sort.OWN]
    assert state.sort is Sort.SUIT


def test_shifting_a_card_makes_the_order_our_own() -> None:
    """A shifted card stays where it was put, also when other cards come."""
    state = screen(view(hand="2S 3S 4S"), Shift(1))

    assert shown(state) == "3S 2S 4S"
    assert state.sort is Sort.OWN
    state, _ = run(state, news(view(hand="2S 3S 4S AS", step=41), Drew(0, 3, parse_face("AS"))))
    assert shown(state) == "3S 2S 4S AS"


# ------------------------------------------------------------------ what is refused before it is tried


def test_nothing_can_be_done_out_of_turn_but_looking() -> None:
    """In another's turn acts are refused with the reason, while cursor, selection and order still work."""
    state = screen(view(mover=1, phase=Phase.DRAW))
    for key in (Key.STOCK, Key.POT, Key.DISCARD, Key.UNDO, Key.HINT, Key.ACCEPT):
        refused, effects = run(state, key)
        assert effects == ()
        assert refused.note is not None
        assert (refused.note.code, refused.note.bad) == ("not_your_turn", True)
    assert run(state, Key.TOGGLE)[0].selected == (state.cursor,)


def test_laying_waits_for_the_draw() -> None:
    """Before the draw a selection says that drawing comes first."""
    state = pick(screen(view(hand="2S 3S 4S 9D", phase=Phase.DRAW, pot="KC")), "2S 3S 4S")

    assert state.offers == ()
    assert state.reason == "must_draw_first"


def test_a_second_draw_is_refused() -> None:
    """After drawing, neither stock nor pot can be taken."""
    state = screen(view())

    for key in (Key.STOCK, Key.POT):
        refused, _ = run(state, key)
        assert refused.note is not None
        assert refused.note.code == "already_drawn"


@pytest.mark.parametrize(
    ("hand", "chosen", "reason"),
    [
        ("2S 3S 4S 9D", "2S 4S 9D", "not_a_meld"),
        ("KS AS 2S 9D", "KS AS 2S", "ace_wrap"),
        ("2S 3S 4S", "2S 3S 4S", "must_keep_discard"),
        ("2S 3S 4S 9D", "2S 3S", "does_not_fit"),
    ],
)
def test_why_a_selection_can_do_nothing(hand: str, chosen: str, reason: str) -> None:
    """The engine's own reason stands there before anything is tried."""
    state = pick(screen(view(hand=hand)), chosen)

    assert state.offers == ()
    assert state.reason == reason


def test_a_discard_that_the_rules_forbid_is_refused_at_once() -> None:
    """The queen of spades stays as long as there is another card; no question is asked."""
    state, effects = run(pick(screen(view(hand="QS 3S")), "QS"), Key.DISCARD)

    assert effects == ()
    assert state.ask is None
    assert state.note is not None
    assert (state.note.code, state.note.bad) == ("queen_discard", True)


def test_only_one_card_can_be_discarded() -> None:
    """With two cards selected the discard asks for one."""
    state, _ = run(pick(screen(view(hand="2S 3S 9D")), "2S 3S"), Key.DISCARD)

    assert state.note is not None
    assert state.note.code == "note.one_discard"


# ------------------------------------------------------------------ acts


def test_a_stock_card_is_asked_for_and_confirmed_with_another_key() -> None:
    """The key asks, Enter does it, the same key again takes the question away."""
    state, effects = run(screen(view(phase=Phase.DRAW)), Key.STOCK)
    assert effects == ()
    assert state.ask is not None

    again, effects = run(state, Key.STOCK)
    assert (again.ask, effects) == (None, ())
    done, effects = run(state, Key.ACCEPT)
    assert effects == (Submit(Draw()),)
    assert done.sent_at == state.view.step


@pytest.mark.parametrize("key", [Key.CANCEL, Key.DISCARD, Key.TOGGLE, Step(1), Choose(1), Open(Page.HELP), Key.LEAVE])
def test_any_other_key_answers_no_and_does_nothing_else(key: Intent) -> None:
    """No slip of a finger can act while a question is open."""
    asked, _ = run(pick(screen(view()), "2S"), Key.DISCARD)
    assert asked.ask is not None

    answered, effects = run(asked, key)
    assert effects == ()
    assert answered == replace(asked, ask=None)


ASKING = {
    "stock": (screen(view(phase=Phase.DRAW)), Key.STOCK),
    "discard": (screen(view()), Key.DISCARD),
    "going out": (screen(view(hand="2S")), Key.DISCARD),
    "exchange": (pick(screen(view(phase=Phase.EXCHANGE, open_card="9C", pot="")), "2S"), Key.POT),
    "pass": (screen(view(phase=Phase.EXCHANGE, open_card="9C", pot="")), Key.DECLINE),
    "leave": (screen(view()), Key.LEAVE),
    "goodbye": (screen(view()), Key.GOODBYE),
    "claim": (screen(view(mover=2), link=replace(LINK, peers=(True, True, False, True))), Key.CLAIM),
}
"""Everything that cannot be undone: where it is possible, and the key for it."""


@pytest.mark.parametrize("name", ASKING)
def test_nothing_final_happens_by_one_key_or_the_same_key_twice(name: str) -> None:
    """The key only asks; of all keys of the table Enter alone does it, and it is no key of any such act."""
    start, act = ASKING[name]
    asked, effects = run(start, act)
    assert effects == ()
    assert asked.ask is not None
    assert run(asked, Key.ACCEPT)[1] == (asked.ask.effect,)
    for bind in TABLE:
        for key in bind.keys:
            _, effects = run(asked, bind.intent(key))
            assert (effects == ()) == (key != "enter"), key
    assert all("enter" not in bind.keys for bind in TABLE if act in bind.intents)


def test_all_of_a_turn_can_be_taken_back_until_it_is_sent() -> None:
    """The pot, a lay, a lay-off and a swap go one by one, in the other order, and leave the turn as it began."""
    hand = "2S 3S 4S 9D KD QH"
    state = begun = screen(view(hand=hand, melds=[(0, "TH JH X=QH KH")], pot="5S", phase=Phase.DRAW))
    state, _ = run(state, Key.POT)
    states = [state]
    for cards, kind in (("2S 3S 4S", Lay), ("5S", LayOff), ("QH", Swap)):
        state = pick(state, cards)
        number = next(place for place, offer in enumerate(state.offers, start=1) if isinstance(offer.step, kind))
        state, effects = run(state, Choose(number))
        assert effects == ()
        states.append(state)
    assert [type(step) for step in state.draft.steps] == [Lay, LayOff, Swap]
    for before in reversed(states[:-1]):
        state, effects = run(state, Key.UNDO)
        assert (state.draft, sorted(state.order), effects) == (before.draft, sorted(before.order), ())
    state, _ = run(state, Key.UNDO)

    assert (state.draft, state.table, sorted(state.order)) == (Draft(), begun.view.round, sorted(begun.order))


def test_a_discard_ends_the_turn_with_everything_in_it() -> None:
    """The whole turn is one Play; the question says what becomes final."""
    state = pick(screen(view(hand="2S 3S 4S 9D KD")), "9D")
    state, _ = run(state, Key.DISCARD)
    assert state.ask is not None
    assert state.ask.note.code == "ask.discard"
    assert dict(state.ask.note.facts)["left"] == 4

    _, effects = run(state, Key.ACCEPT)
    assert effects == (Submit(Play(discard=3)),)


def test_without_a_selection_the_card_under_the_cursor_is_discarded() -> None:
    """The question still names the card before it is sent."""
    state, _ = run(screen(view(hand="2S 3S")), Step(1), Key.DISCARD)

    assert state.ask is not None
    assert state.ask.effect == Submit(Play(discard=1))


def test_the_last_discard_is_announced_as_going_out() -> None:
    """Discarding the last card is asked in other words."""
    state, _ = run(screen(view(hand="2S")), Key.DISCARD)

    assert state.ask is not None
    assert state.ask.note.code == "ask.discard_out"


def test_two_queens_of_spades_show_the_other_one() -> None:
    """Where a queen may go because the other card is one too, the play opens that one as proof."""
    state, _ = run(screen(view(hand="QS QS")), Key.DISCARD)

    assert state.ask is not None
    assert state.ask.effect == Submit(Play(discard=0, shown=(1,)))


def test_a_lay_is_local_until_it_is_sent_and_can_be_undone() -> None:
    """A meld goes from the hand to the table at once, nothing is sent, and undo brings it back."""
    state = pick(screen(view(hand="2S 3S 4S 9D KD")), "2S 3S 4S")
    laid, effects = run(state, Key.ACCEPT)
    assert effects == ()
    assert shown(laid) == "9D KD"
    assert laid.table is not None
    assert [len(each.cards) for each in laid.table.melds] == [3]

    undone, _ = run(laid, Key.UNDO)
    assert shown(undone) == shown(state)
    assert undone.table == undone.view.round
    nothing, _ = run(undone, Key.UNDO)
    assert nothing.note is not None
    assert nothing.note.code == "note.nothing_to_undo"


def test_what_was_laid_is_sent_with_the_discard() -> None:
    """The Play has the steps in the order in which they were made."""
    state = pick(screen(view(hand="2S 3S 4S 5S 9D KD")), "2S 3S 4S")
    state, _ = run(state, Key.ACCEPT)
    state, _ = run(pick(state, "5S"), Key.ACCEPT)
    _, effects = run(pick(state, "9D"), Key.DISCARD, Key.ACCEPT)

    assert len(effects) == 1
    play = effects[0]
    assert isinstance(play, Submit)
    assert isinstance(play.action, Play)
    assert [type(step) for step in play.action.steps] == [Lay, LayOff]
    assert play.action.discard == 4


@pytest.mark.parametrize(
    ("rules_name", "told"),
    [
        ("klassiek", "met die kaart is hij later te ruilen"),
        ("spelregelwijzer", "Je kiest welke kaart de joker voorstelt."),
    ],
)
def test_what_the_choice_of_a_joker_decides_is_told(rules_name: str, told: str) -> None:
    """Offers that differ only in what a joker stands for come with what that decides by this rule card."""
    table = view(hand="5H 6H X 9C", rules=for_players(preset(rules_name), 4), melds=[(0, "QS QH QD")])
    shown_text = text(pick(screen(table), "5H 6H X"), 120, 40)
    other = text(pick(screen(table), "5H 6H"), 120, 40)

    assert told in shown_text
    assert "Je kiest welke kaart" not in other


def test_several_possibilities_are_offered_and_never_guessed() -> None:
    """A nine that fits two own runs gives two numbered offers; Enter alone does nothing."""
    state = pick(screen(view(hand="9S KD 2D", melds=[(0, "6S 7S 8S"), (0, "TS JS QS")])), "9S")
    assert len(state.offers) >= 2

    unsure, _ = run(state, Key.ACCEPT)
    assert unsure.note is not None
    assert unsure.note.code == "note.choose"
    assert unsure.draft.empty
    steps = [offer.step for offer in state.offers if isinstance(offer.step, LayOff)]
    assert {(step.meld, step.side) for step in steps} >= {(0, "high"), (1, "low")} or {step.meld for step in steps} == {
        0,
        1,
    }
    for number, offer in enumerate(state.offers, start=1):
        assert run(state, Choose(number))[0].draft.steps == (offer.step,)


def test_more_than_nine_offers_are_shown_nine_at_a_time() -> None:
    """With two jokers a queen can be many sets and runs: 0 shows the next ones, and the digits mean those shown."""
    state = pick(screen(view(hand="QD X X 2S 3S")), "QD X X")
    assert len(state.offers) > 9
    second, _ = run(state, Key.MORE)
    assert text(second) != text(state)
    assert run(second, Choose(1))[0].draft.steps == (state.offers[9].step,)
    assert run(second, Choose(9))[0] == replace(second, note=None)

    assert run(second, Key.MORE)[0].offer_leaf == 0
    for number in range(1, 10):
        assert f" {number}  leg " in text(state)


def test_a_joker_with_two_meanings_is_two_offers() -> None:
    """Two cards and a joker that could stand at either end are offered as both, each with what it stands for."""
    state = pick(screen(view(hand="5H 6H X KD 2D")), "5H 6H X")
    meanings = {
        card.stands_for
        for offer in state.offers
        if isinstance(offer.step, Lay)
        for card in offer.step.cards
        if card.stands_for is not None
    }

    assert meanings == {parse_face("4H"), parse_face("7H")}


def test_a_swap_brings_the_joker_to_the_hand() -> None:
    """Swapping the right card for a joker on the table is offered; the joker is marked new."""
    state = pick(screen(view(hand="QD KD 2D", melds=[(1, "QS QH X=QD")])), "QD")
    swaps = [number for number, offer in enumerate(state.offers, start=1) if isinstance(offer.step, Swap)]
    state, _ = run(state, Choose(swaps[0]))

    assert shown(state) == "2D KD X"
    assert words(state, state.fresh) == "X"


def test_the_pot_is_taken_locally_and_given_back() -> None:
    """A free pot comes to the hand, marked; undo puts it back; it is sent with the turn."""
    state, effects = run(screen(view(hand="2S 3S", pot="4S 9C", phase=Phase.DRAW)), Key.POT)
    assert effects == ()
    assert shown(state) == "2S 3S 4S 9C"
    assert words(state, state.fresh) == "4S 9C"
    assert shown(run(state, Key.UNDO)[0]) == "2S 3S"

    _, effects = run(pick(state, "9C"), Key.DISCARD, Key.ACCEPT)
    assert effects == (Submit(Play(take_pot=True, discard=state.view.round.pot[-1] if state.view.round else None)),)


def test_where_the_top_card_must_be_melded_the_pot_comes_with_its_meld() -> None:
    """The pot alone is refused with the rule; hand cards that make a meld with its top card offer both at once."""
    shown_view = view(hand="TH JH 2D 3D KC 4C", pot="5S QH", phase=Phase.DRAW, rules=BASIS, rules_name="basis")
    state, _ = run(screen(shown_view), Key.POT)
    assert state.note is not None
    assert state.note.code == "pot_top_must_meld"

    state = pick(state, "TH JH")
    assert [offer.with_pot for offer in state.offers] == [True]
    state, _ = run(state, Key.ACCEPT)
    assert state.draft.take_pot
    assert "5S" in shown(state)
    assert run(state, Key.UNDO)[0].draft.empty


@pytest.mark.parametrize(
    ("rules_name", "opened", "code"),
    [
        ("spelregelwijzer", False, "turn.play.first"),
        ("spelregelwijzer", True, "turn.play.no_swap"),
        ("basis", True, "turn.play"),
    ],
)
def test_the_turn_tells_only_what_can_be(rules_name: str, opened: bool, code: str) -> None:
    """Laying off is not spoken of before one is down, nor swapping where jokers stay put."""
    mine = view(
        hand="QS QH 2D 9C", melds=((0, "7H 7S 7C"),) if opened else (), rules=for_players(preset(rules_name), 4)
    )

    assert play_words(mine, Draft()) == code


def test_the_hint_selects_what_is_best_to_lay() -> None:
    """The hint only selects and tells the points; the person still lays it."""
    state, effects = run(screen(view(hand="QS QH QD 2D 9C")), Key.HINT)

    assert effects == ()
    assert sorted(words(state, state.selected).split()) == ["QD", "QH", "QS"]
    assert state.note is not None
    assert state.note.code == "note.hint"
    assert state.draft.empty


MINIMUM = for_players(preset("basis"), 4)
"""Getting down takes 30 points; several melds may make them together."""


def hinted(state: UiState) -> tuple[str, dict[str, object]]:
    """The code and the facts of what the hint says."""
    note = run(state, Key.HINT)[0].note
    assert note is not None
    return note.code, dict(note.facts)


def test_the_hint_goes_on_from_what_lies_of_our_turn() -> None:
    """A first lay of too few points is completed by the next hint, and the turn can then end."""
    state, _ = run(screen(view(hand="4S 5S 6S 7D 7H 7C 9D KC", rules=MINIMUM, rules_name="basis")), Key.HINT)
    state, _ = run(state, Key.ACCEPT)
    assert [len(step.cards) for step in state.draft.steps if isinstance(step, Lay)] == [3]
    state, _ = run(state, Key.HINT)
    assert hinted(state)[0] == "note.hint"
    state, _ = run(state, Key.ACCEPT)

    assert sorted(shown(state).split()) == ["9D", "KC"]
    assert isinstance(run(pick(state, "9D"), Key.DISCARD)[0].ask, model.Ask)


def test_a_lay_that_reached_the_minimum_needs_it_no_more() -> None:
    """Once enough lies to come down, the hint names further melds of any worth."""
    state = screen(view(hand="TS TH TD 2S 3S 4S 9D KC", rules=MINIMUM, rules_name="basis"))
    state, _ = run(pick(state, "TS TH TD"), Key.ACCEPT)
    state, _ = run(state, Key.HINT)

    assert sorted(words(state, state.selected).split()) == ["2S", "3S", "4S"]


def test_the_hint_says_how_far_the_points_go() -> None:
    """With too few points to come down it tells how many there are; where some lie already, to take them back."""
    state = screen(view(hand="4S 5S 6S 7D 9D KC", rules=MINIMUM, rules_name="basis"))
    facts = {"reached": 15, "minimum": 30}
    assert hinted(state) == ("note.hint_short", facts)
    laid, _ = run(pick(state, "4S 5S 6S"), Key.ACCEPT)
    assert hinted(laid) == ("note.hint_stuck", facts)
    assert "Zo kom je op 15 van de 30 punten" in " ".join(text(run(laid, Key.HINT)[0]).split())
    assert hinted(screen(view(hand="4S 9D KC", rules=MINIMUM, rules_name="basis"))) == ("note.no_hint", {})


def test_too_early_for_a_hint_is_said_as_what_comes_first() -> None:
    """Before the draw the hint names the draw, where the pot is closed from the stock; before that the open card."""
    early = {"hand": "4S 9D KC", "rules": MINIMUM, "rules_name": "basis", "phase": Phase.DRAW}
    closed = view(**early)  # type: ignore[arg-type]
    assert closed.round is not None
    closed = replace(closed, round=replace(closed.round, stock_only=True))
    offered = view(**{**early, "phase": Phase.EXCHANGE}, open_card="9C", pot="")  # type: ignore[arg-type]

    assert hinted(screen(view(**early)))[0] == "note.hint_draw"  # type: ignore[arg-type]
    for shown_view, code in ((closed, "note.stock_first"), (offered, "note.exchange_first")):
        assert hinted(screen(shown_view))[0] == code
        refused, _ = run(screen(shown_view), Key.DISCARD)
        assert refused.note is not None
        assert (refused.note.code, refused.note.bad) == (code, True)
    assert "Jij bent aan de beurt. Pak een kaart van de stapel (s). p: Wie de open kaart" in text(
        run(screen(closed), Key.DISCARD)[0], 140
    )


def test_ordering_by_melds_puts_together_what_goes_together() -> None:
    """The cards of the best laydown stand side by side at the front."""
    state, _ = run(screen(view(hand="QS 2D QH 9C QD")), Key.SORT, Key.SORT)

    assert state.sort is Sort.MELDS
    assert sorted(shown(state).split()[:3]) == ["QD", "QH", "QS"]


def test_the_open_card_is_exchanged_or_left() -> None:
    """In the exchange, one selected card goes back for the open one, or the offer is passed on."""
    rules = for_players(preset("basis"), 4)
    offered = view(hand="2S 3S", phase=Phase.EXCHANGE, open_card="KH", pot="", rules=rules, rules_name="basis")
    state = screen(offered)
    refused, _ = run(state, Key.POT)
    assert refused.note is not None
    assert refused.note.code == "note.select_return"

    _, effects = run(pick(state, "3S"), Key.POT, Key.ACCEPT)
    assert effects == (Submit(Exchange(1)),)
    _, effects = run(state, Key.DECLINE, Key.ACCEPT)
    assert effects == (Submit(Exchange(None)),)


def test_last_card_is_called_with_the_discard() -> None:
    """Where the rules know the call it goes with the Play; elsewhere the key says that nobody has to."""
    rules = with_overrides(for_players(preset("klassiek"), 4), {"last_card_call": "extra_card"})
    _, effects = run(screen(view(hand="2S 3S", rules=rules)), Key.CALL_LAST, Key.DISCARD, Key.ACCEPT)
    assert effects == (Submit(Play(discard=0, call_last=True)),)

    other, _ = run(screen(view(hand="2S 3S")), Key.CALL_LAST)
    assert other.note is not None
    assert other.note.code == "note.no_call"
    assert not other.draft.call_last


# ------------------------------------------------------------------ after sending, news


def test_after_sending_acts_wait_for_the_table() -> None:
    """A second act before the table has moved on is refused; it moves on with the next step."""
    sent, _ = run(screen(view(phase=Phase.DRAW)), Key.STOCK, Key.ACCEPT)
    waiting, effects = run(sent, Key.STOCK)
    assert effects == ()
    assert waiting.note is not None
    assert waiting.note.code == "note.sent"

    moved, _ = run(sent, news(view(phase=Phase.DRAW, waiting=(1, 2, 3), step=41)))
    assert moved.sent_at is None


def test_a_refusal_of_the_node_gives_the_turn_back() -> None:
    """If the node does not take the move, the reason is told and the draft is still there."""
    state = pick(screen(view(hand="2S 3S 4S 9D KD")), "2S 3S 4S")
    state, _ = run(state, Key.ACCEPT, Key.DISCARD, Key.ACCEPT, Refused("session/not-your-turn", Draw()))

    assert state.sent_at is None
    assert state.note is not None
    assert state.note.bad
    assert not state.draft.empty


def test_news_of_others_leaves_our_draft_alone() -> None:
    """A change of the connection in the middle of our turn takes nothing back."""
    shown_view = view(hand="2S 3S 4S 9D KD")
    state, _ = run(pick(screen(shown_view), "2S 3S 4S"), Key.ACCEPT)
    state, _ = run(state, news(shown_view, link=replace(LINK, state="down")))

    assert not state.draft.empty
    assert shown(state) == "9D KD"
    assert state.link.state == "down"


def test_the_draft_ends_with_the_turn() -> None:
    """When the table says that the turn is another's, nothing local is left."""
    state, _ = run(pick(screen(view(hand="2S 3S 4S 9D KD")), "2S 3S 4S"), Key.ACCEPT)
    after = view(hand="KD", melds=[(0, "2S 3S 4S")], mover=1, phase=Phase.DRAW, step=41)
    state, _ = run(state, news(after))

    assert state.draft.empty
    assert shown(state) == "KD"


def test_the_bell_rings_once_when_our_turn_comes() -> None:
    """Our turn rings when it begins, not again while it lasts, and not for others."""
    theirs, ours = view(mover=1, phase=Phase.DRAW, step=40), view(mover=0, phase=Phase.DRAW, step=41)
    state, effects = run(screen(theirs), news(ours))
    assert effects == (Ring(),)

    assert run(state, news(view(mover=0, step=42)))[1] == ()
    assert run(state, news(view(mover=1, phase=Phase.DRAW, step=43, turns_taken=2)))[1] == ()


def test_what_happens_is_logged_in_order() -> None:
    """A turn of another becomes lines: pot, lay, discard, out; progress becomes the bar and no line."""
    after = view(melds=[(1, "5C 6C 7C")], pot="9C KD", mover=2, phase=Phase.DRAW, step=41)
    slots = [card.slot for card in after.round.melds[0].cards] if after.round else []
    top = after.round.pot[-1] if after.round else 0
    from protocol.rules.actions import Placed

    play = Play(take_pot=True, steps=(Lay(tuple(Placed(slot) for slot in slots)),), discard=top)
    state, _ = run(
        screen(view(mover=1, phase=Phase.DRAW)),
        news(after, SetupProgress("deal", 7, 8), Drew(1, 99, None), Played(1, play, (5, 6), False)),
    )

    assert [entry.code for entry in state.log] == ["log.drew", "log.pot", "log.lay", "log.discard"]
    assert {entry.seat for entry in state.log} == {1}
    assert state.progress is not None


def test_a_scored_round_shows_its_result_and_the_next_one_hides_it() -> None:
    """The result comes up by itself; Enter says that we are ready, once; the new round returns to the table."""
    scored = result(1, (50, 0, -20, 10), (50, 0, -20, 10), ("", "2S", "QS", "3D"), 0)
    between = view(stage=Stage.BETWEEN, results=(scored,), totals=scored.totals, step=60)
    state, _ = run(screen(view(mover=1, phase=Phase.DRAW)), news(between, RoundOver(1, scored.points, scored.totals)))
    assert state.page is Page.RESULT

    state, effects = run(state, Key.ACCEPT)
    assert effects == (GoOn(),)
    assert run(state, Key.NEXT_ROUND)[1] == ()
    state, _ = run(state, news(view(results=(scored,), step=70), RoundStarted(2, 1)))
    assert state.page is not Page.RESULT
    assert not state.ready


def test_a_fault_is_news_like_any_other() -> None:
    """The view carries it; the log tells who."""
    fault = PeerFault("proof/V0", 2, 37)
    state, _ = run(screen(view()), news(view(stage=Stage.FAULTED, fault=fault, step=41), Faulted(fault)))

    assert state.view.fault is fault
    assert state.log[-1].code == "log.fault"
    assert run(state, Key.LEAVE)[1] == (Leave(),)


def test_leaving_a_game_in_play_is_asked() -> None:
    """Leaving needs Enter while the game goes on; a finished game is left at once."""
    state, effects = run(screen(view()), Key.LEAVE)
    assert effects == ()
    assert run(state, Key.ACCEPT)[1] == (Leave(),)

    scored = result(1, (50, 0, -20, 10), (50, 0, -20, 10), ("", "2S", "QS", "3D"), 0)
    over = screen(view(stage=Stage.FINISHED, results=(scored,), winners=(0,)))
    assert over.page is Page.RESULT
    assert run(over, Key.LEAVE)[1] == (Leave(),)


def test_a_stopped_node_is_told_and_can_be_left() -> None:
    """After the last news the screen stays, says so, and leaves without a question."""
    state, _ = run(screen(view()), Stopped())

    assert state.link.state == "stopped"
    assert run(state, Key.LEAVE)[1] == (Leave(),)


# ------------------------------------------------------------------ pages


def test_pages_open_close_and_scroll() -> None:
    """The page's key opens and closes it, Escape closes it, and scrolling stops at the ends."""
    state, _ = run(screen(view()), Open(Page.RULES))
    assert state.page is Page.RULES
    assert run(state, Open(Page.RULES))[0].page is Page.TABLE
    assert run(state, Open(Page.HELP))[0].page is Page.HELP
    assert run(state, Key.CANCEL)[0].page is Page.TABLE

    assert run(state, Leaf(1, limit=10, size=17))[0].scroll == 10
    assert run(state, Row(1, limit=10), Row(1, limit=10))[0].scroll == 2
    assert run(state, Row(-1, limit=10))[0].scroll == 0
    assert run(state, Edge(1, limit=10))[0].scroll == 10


def test_space_on_a_page_selects_nothing_behind_it() -> None:
    """A page covers the hand: keys for cards do nothing to it."""
    state, _ = run(screen(view()), Open(Page.LOG), Key.TOGGLE, Shift(1), Choose(1))

    assert state.selected == ()
    assert state.sort is Sort.SUIT


def test_arrows_on_a_page_move_nothing_behind_it() -> None:
    """A page covers the hand: its cursor and its order stay as they are."""
    behind = screen(view(hand="2S 3S 4S"))
    state, _ = run(behind, Open(Page.HELP), Step(1), Shift(1))

    assert (state.cursor, state.order) == (behind.cursor, behind.order)


def test_the_help_of_a_watcher_has_only_keys_that_do_something() -> None:
    """Without a seat the help page names the pages, the talk and the way out; nothing about cards or turns."""
    state = screen(view(me=None))
    named = {bind.keys[0] for _, binds in groups(state) for bind in binds}

    assert named == {"c", "r", "l", "e", "y", "v", "k", "pageup", "escape", "?", "q"}
    assert "terug naar de tafel" in text(run(state, Open(Page.HELP))[0], 80, 40)


def test_a_watcher_sees_and_cannot_act() -> None:
    """Without a seat there is no hand and no act, and no key fails."""
    state = screen(view(me=None))

    assert state.order == ()
    for key in Key:
        if key is not Key.LEAVE:
            assert run(state, key)[1] == ()


CHOICES: tuple[Choice, ...] = (Draw(), NextRound(), Challenge(1), Claim((1,)), SayGoodbye(), SameCards())
INTENTS = st.sampled_from(
    [
        *Key,
        *(Choose(number) for number in range(1, 10)),
        *(Open(page) for page in Page),
        *(Step(by) for by in (-1, 1)),
        *(Row(by, per_row=5, limit=3) for by in (-1, 1)),
        *(Leaf(by, limit=3, size=10) for by in (-1, 1)),
        *(Edge(side, limit=3) for side in (-1, 1)),
        *(Shift(by) for by in (-1, 1)),
        *(Refused("session/not-playing", choice) for choice in CHOICES),
        Stopped(),
    ]
)
STARTS = (
    view(hand="2S 3S 4S 4H 4D X QS QS 9C KD", melds=[(0, "6S 7S 8S"), (1, "QS QH X=QD")]),
    view(hand="2S 3S 4S 4H 4D X QS", pot="4C 9C 5S", phase=Phase.DRAW),
    view(hand="TH JH 2D", pot="5S QH", phase=Phase.DRAW, rules=BASIS, rules_name="basis"),
    view(hand="2S 3S", phase=Phase.EXCHANGE, open_card="KH", pot="", rules=for_players(preset("basis"), 4)),
    view(mover=2, phase=Phase.DRAW),
    view(stage=Stage.SHUFFLING),
    view(me=None),
)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(STARTS), st.lists(INTENTS, max_size=25))
def test_every_key_is_accepted_in_every_state(start_view: TableView, intents: list[Intent]) -> None:
    """Whatever is pressed, the hand stays the hand of the table, and all that is shown belongs to it."""
    state = screen(start_view)
    for intent in intents:
        state, effects = run(state, intent)
        hand = () if state.table is None or state.me is None else state.table.hands[state.me]
        assert sorted(state.order) == sorted(hand)
        assert set(state.selected) <= set(hand)
        assert set(state.fresh) <= set(hand)
        assert state.cursor is None or state.cursor in hand
        assert all(not isinstance(effect, Submit) or intent is Key.ACCEPT for effect in effects)


def test_seats_and_melds_of_the_scenes_are_sound() -> None:
    """The positions written as text are what they say (a check of the tests' own notation)."""
    from itertools import count

    run_meld = meld(2, "9H TH X=JH", count())
    assert (run_meld.kind, run_meld.low, len(NAMES)) == ("run", 9, 7)
    assert meld(0, "QS QH X=QD", count()).kind == "set"
