"""Bots play whole rounds and games on the bare engine: legally, without losing a card, to an end, and well."""

from __future__ import annotations

import dataclasses
import random
import time

import pytest

from node.policy import choose
from protocol.rules import engine
from protocol.rules.actions import Draw, Exchange, LayOff, Play, Swap
from protocol.rules.cards import QUEEN_OF_SPADES, parse_face
from protocol.rules.melds import recognise
from protocol.rules.ruleset import PRESETS, RuleSet, preset, with_overrides
from protocol.rules.state import Drawn, Phase, Round
from protocol.session.view import TableView
from tests.client_cli.scenes import view
from tests.node.policy_table import BotTable, Careless

HOUSES: dict[str, tuple[str, dict[str, object]]] = {
    "teams": ("basis", {"team_size": 2, "team_going_out": "all"}),
    "any-layoff": ("klassiek", {"layoff_scope": "any", "opening_minimum": 30, "pot_top_card_must_be_melded": True}),
    "hard-discards": ("klassiek", {"discard_joker_allowed": False, "discard_card_just_taken_allowed": False}),
    "twos-wild": ("spelregelwijzer", {"two_as_joker": True, "joker_swap": True, "queen_discard": "last_card"}),
    "single-set": ("spelregelwijzer", {"opening_single_set_of_three": True, "opening_minimum": 0}),
    "last-card": ("basis", {"last_card_call": "points", "last_card_penalty_points": 20}),
    "three-packs": ("online", {"decks": 3, "same_suit_twice_in_set": False, "ace_both_ends": False}),
    "locked-pot": ("klassiek", {"pot_rest_same_turn": False, "duplicate_in_run": True, "layoff_run_ends": False}),
    "bridge": ("basis", {"joker_swap_match": "exact_bridge", "discard_required_to_go_out": False}),
    "layoff-pot": ("online", {"pot_layoff_suffices": True, "layoff_cards_per_action": 1, "joker_majority": True}),
}


def house(name: str) -> RuleSet:
    """The rules of a house by name."""
    base, overrides = HOUSES[name]
    return with_overrides(preset(base), overrides)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("name", PRESETS)
def test_games_of_bots_end(name: str, n: int) -> None:
    """Bots finish a game to 1000 with every preset and number of seats, losing no card and going out by themselves."""
    table = BotTable(preset(name), [choose] * n, seed=n)
    match = table.game(most=60)
    print(f"{name}, {n} seats: {table.tally.line()}; totals {match.totals}")  # noqa: T201 - statistics for people

    assert match.is_over
    assert max(match.totals) >= 1000
    assert 2 * table.tally.outs >= table.tally.rounds
    assert table.tally.longest < 400


@pytest.mark.parametrize("name", HOUSES)
def test_bots_know_house_rules(name: str) -> None:
    """Bots play legal rounds to the end under house rules too."""
    table = BotTable(house(name), [choose] * 4, seed=3)
    for _ in range(6):
        table.round()
    print(f"{name}: {table.tally.line()}")  # noqa: T201 - statistics for people

    assert table.tally.rounds == 6
    assert table.tally.steps["Lay"] > 0


def test_bots_call_their_last_card() -> None:
    """Where the last card must be called, a bot calls exactly when its discard leaves one card in hand."""
    plays: list[tuple[Play, int]] = []

    def watched(view: TableView) -> Draw | Play | Exchange:
        action = choose(view)
        if isinstance(action, Play):
            assert view.round is not None
            assert view.me is not None
            after = engine.play(view.round, view.me, action, view.faces)
            plays.append((action, len(after.hands[view.me])))
        return action

    table = BotTable(house("last-card"), [watched] * 4, seed=8)
    for _ in range(5):
        table.round()

    assert [play.call_last for play, _ in plays] == [left == 1 for _, left in plays]
    assert any(left == 1 for _, left in plays)


@pytest.mark.parametrize("name", PRESETS)
def test_a_bot_beats_careless_players(name: str) -> None:
    """Against three players of random legal moves a bot scores clearly more on average, from every seat."""
    mine = others = rounds = 0
    for seat in range(4):
        players = [choose if s == seat else Careless(s) for s in range(4)]
        table = BotTable(preset(name), players, seed=50 + seat)
        for _ in range(4):
            points = table.round()
            mine += points[seat]
            others += sum(points) - points[seat]
            rounds += 1
    print(f"{name}: bot {mine / rounds:.1f}, careless {others / rounds / 3:.1f} a round")  # noqa: T201

    assert mine / rounds > others / rounds / 3 + 60


def test_rounds_are_reproducible() -> None:
    """The same deals lead to the same rounds: a bot has no secret state and no chance."""
    one = BotTable(preset("klassiek"), [choose] * 4, seed=11)
    two = BotTable(preset("klassiek"), [choose] * 4, seed=11)

    assert [one.round() for _ in range(4)] == [two.round() for _ in range(4)]


def test_decisions_are_quick() -> None:
    """A decision takes a few milliseconds of processor time; none takes long enough to be felt."""
    times: list[float] = []

    def timed(view: TableView) -> Draw | Play | Exchange:
        begin = time.process_time()
        action = choose(view)
        times.append(time.process_time() - begin)
        return action

    for name in ("klassiek", "modern"):
        table = BotTable(preset(name), [timed] * 4, seed=5)
        for _ in range(5):
            table.round()
    times.sort()

    assert times[len(times) // 2] < 0.02
    assert times[len(times) * 99 // 100] < 0.1


# ------------------------------------------------------------------ single decisions


def position(
    name: str,
    hand: str,
    *,
    phase: Phase = Phase.PLAY,
    melds: tuple[tuple[int, str], ...] = (),
    pot: str = "4C",
    counts: tuple[int, int, int] = (10, 10, 10),
) -> TableView:
    """What seat 0 sees with this hand: melds as (owner, cards), `X=QD` a joker for the queen of diamonds."""
    table = BotTable(preset(name), [choose] * 4, seed=1)
    state = table.deal()
    before = table.view(state)
    faces: dict[int, int] = {}
    slots = iter(range(500, 900))

    def put(text: str) -> list[tuple[int, int, int | None]]:
        row = []
        for word in text.split():
            card, _, claim = word.partition("=")
            slot = next(slots)
            faces[slot] = parse_face(card)
            row.append((slot, faces[slot], parse_face(claim) if claim else None))
        return row

    lying = tuple(recognise(table.rules, owner, put(cards)) for owner, cards in melds)
    mine = tuple(slot for slot, _, _ in put(hand))
    heap = tuple(slot for slot, _, _ in put(pot))
    public = {card.slot: card.face for meld in lying for card in meld.cards} | {slot: faces[slot] for slot in heap}
    others = tuple(tuple(next(slots) for _ in range(count)) for count in counts)
    state = dataclasses.replace(
        state,
        mover=0,
        phase=phase,
        hands=(mine, *others),
        faces=public,
        melds=lying,
        pot=heap,
        down=tuple(any(meld.owner == seat for meld in lying) for seat in range(4)),
        drawn=Drawn("stock", mine[-1:]) if phase is Phase.PLAY else None,
        turns_taken=(2,) * 4,
        open_card=None,
    )
    seen = {**public, **{slot: faces[slot] for slot in mine}}
    return dataclasses.replace(before, round=state, faces=seen, me=0)


def played(view: TableView) -> tuple[Play, Round]:
    """The bot's play and the state after it."""
    action = choose(view)
    assert isinstance(action, Play)
    assert view.round is not None
    return action, engine.play(view.round, 0, action, view.faces)


def test_it_lays_what_scores() -> None:
    """A run with the queen of spades and a set are laid at once, and something else is discarded."""
    view = position("klassiek", "JS QS KS 7H 7D 7C 3H 9D")
    action, after = played(view)

    assert len(action.steps) == 2
    assert sum(len(meld.cards) for meld in after.melds) == 6
    assert action.discard is not None
    assert view.faces[action.discard] in {parse_face("3H"), parse_face("9D")}


def test_a_joker_saves_the_queen() -> None:
    """With a joker and one neighbour the queen of spades goes to the table."""
    _, after = played(position("klassiek", "KS QS X 4H 9D 2C"))

    assert any(card.face == QUEEN_OF_SPADES for meld in after.melds for card in meld.cards)


def test_it_swaps_a_joker_from_an_opponent() -> None:
    """The card that an opponent's joker stands for takes its place, and the joker is laid elsewhere."""
    view = position("klassiek", "QD 8H 8S 3C 5H", melds=((1, "JD X=QD KD"),))
    action, after = played(view)

    assert any(isinstance(step, Swap) for step in action.steps)
    assert any(card.wild and meld.owner == 0 for meld in after.melds for card in meld.cards)


def test_it_lays_off_on_its_own_melds() -> None:
    """A card that continues an own run goes there."""
    action, _ = played(position("klassiek", "8H 2C JD KS", melds=((0, "5H 6H 7H"),)))

    assert [type(step) for step in action.steps] == [LayOff]


def test_it_goes_out() -> None:
    """When everything but one card can be laid, the last card is discarded and the round is over."""
    _, after = played(position("klassiek", "5H 6H 7H 9D"))

    assert after.phase is Phase.OVER
    assert after.out == 0


def test_the_queen_goes_last() -> None:
    """With nothing but the queen of spades left after laying, she is discarded and the round is over."""
    action, after = played(position("klassiek", "5H 6H 7H QS"))

    assert after.out == 0
    assert action.discard is not None
    assert after.pot[-1] == action.discard


def test_two_queens_are_shown() -> None:
    """Two queens of spades and nothing else: one is discarded, the other is shown as the proof that is demanded."""
    view = position("klassiek", "QS QS")
    action, after = played(view)
    assert view.round is not None

    assert len(action.shown) == 1
    assert set(engine.slots_to_open(view.round, 0, action)) == set(view.round.hands[0])
    assert len(after.hands[0]) == 1


def test_it_takes_a_pot_that_pays() -> None:
    """A free pot with two cards for a fat meld is taken; one that fits nothing is left."""
    rich = position("klassiek", "KS QS 2C 9H 4D", phase=Phase.DRAW, pot="3D JS")
    action = choose(rich)
    assert isinstance(action, Play)
    assert action.take_pot

    poor = position("klassiek", "KS 8S 2C 9H 4D", phase=Phase.DRAW, pot="3D JH 6C TD 7C QC AH")
    assert choose(poor) == Draw()


def test_it_gives_no_joker_away() -> None:
    """It discards neither a joker nor the card for which an opponent could take a joker back."""
    view = position("klassiek", "X 9D 2C", melds=((1, "7D 8D X=9D"),), counts=(2, 2, 2))
    action, _ = played(view)

    assert action.discard is not None
    assert view.faces[action.discard] == parse_face("2C")


def test_out_of_turn_there_is_no_choice() -> None:
    """A bot that is asked out of turn, or as a watcher, refuses."""
    view = position("klassiek", "X 9D 2C")
    with pytest.raises(ValueError, match="nothing to choose"):
        choose(dataclasses.replace(view, me=1))
    with pytest.raises(ValueError, match="nothing to choose"):
        choose(dataclasses.replace(view, me=None))
    with pytest.raises(ValueError, match="nothing to choose"):
        choose(dataclasses.replace(view, round=None))


def test_it_knows_no_hidden_card() -> None:
    """The choice is the same whatever the cards are that the seat does not see."""
    table = BotTable(preset("klassiek"), [choose] * 4, seed=2)
    state = table.deal()
    first = choose(table.view(state))
    hidden = [slot for slot in table.faces if slot not in table.view(state).faces]
    faces = [table.faces[slot] for slot in hidden]
    random.Random(9).shuffle(faces)
    table.faces.update(zip(hidden, faces, strict=True))

    assert choose(table.view(state)) == first


@pytest.mark.parametrize("name", ["basis", "spelregelwijzer"])
def test_the_exchange_ends(name: str) -> None:
    """Bots swap in the opening exchange at most once each, and never give the queen of spades back."""
    swapped = 0
    for seed in range(20):
        table = BotTable(preset(name), [choose] * 4, seed)
        state = table.deal()
        offers = 0
        while state.phase is Phase.EXCHANGE:
            action = choose(table.view(state))
            assert isinstance(action, Exchange)
            offers += 1
            swapped += action.returned is not None
            state = engine.exchange(state, state.mover, action, table.faces)
        assert offers <= 5
    assert swapped > 0


HANDS = ("2S 3S 5S 7S KS AS 2H TH 5C KC 7D KD 9C", "QS 4H 6H 9D JD 2C 8C TC", "AS AD 3H 4H KC QC 7D 8D TD")


@pytest.mark.parametrize("hand", HANDS)
def test_a_seat_that_is_gone_is_no_opponent_about_to_go_out(hand: str) -> None:
    """A seat without cards that sits out changes nothing in what a bot does against the others."""
    rules = with_overrides(preset("klassiek"), {"resign": "play_on"})
    alone = view(hand=hand, others=(12,), rules=rules)
    beside = view(hand=hand, others=(0, 12), rules=rules, departed=(1,))

    assert choose(beside) == choose(alone)
