"""Move generation against brute force: nothing legal is missing, nothing illegal is offered, the best is the best."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations, product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from protocol.errors import IllegalMove
from protocol.rules import engine, moves
from protocol.rules.actions import HIGH, LOW, Exchange, Lay, LayOff, Placed, Slot, Step, Swap
from protocol.rules.engine import DrawOutcome
from protocol.rules.layoffs import lay_off
from protocol.rules.melds import is_wild, recognise
from protocol.rules.ruleset import PRESETS, RuleSet, preset, with_overrides
from protocol.rules.scoring import hand_card_points, points_table
from protocol.rules.state import Meld, Phase, Round
from tests.protocol.rules.playout import Playout

PROPERTY = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
SEEDS = st.integers(0, 2**32)

FORMS: list[tuple[str, dict[str, object]]] = [
    *((name, {}) for name in PRESETS),
    ("klassiek", {"same_suit_twice_in_set": False}),
    ("klassiek", {"ace_both_ends": False, "run_max_cards": 5}),
    ("klassiek", {"ace_low": False}),
    ("klassiek", {"ace_high": False, "meld_min_cards": 4}),
    ("basis", {"joker_swap_match": "exact_bridge"}),
    ("spelregelwijzer", {"two_as_joker": True, "wild_two_may_be_two": False}),
]
"""Rules that differ in what a meld is."""


def rules_of(name: str, overrides: Mapping[str, object]) -> RuleSet:
    """A preset with overrides."""
    return with_overrides(preset(name), overrides)


def some_cards(rules: RuleSet, rng: random.Random, size: int, wilds: int) -> dict[Slot, int]:
    """Cards that often belong together: of few ranks, or of one suit, with at most `wilds` jokers."""
    deck = [rules.pack.face(card) for card in range(rules.deck_size)]
    near = rng.choice([{0, 1, 2, 3, 11, 12}, {4, 5, 6, 7}, set(range(13))])
    suits = rng.choice([{0}, {1, 2}, {0, 1, 2, 3}])
    deck = [face for face in deck if face == 52 or (face % 13 in near and face // 13 in suits)]
    hand: list[int] = []
    for face in rng.sample(deck, len(deck)):
        if len(hand) < size and (not is_wild(rules, face) or sum(is_wild(rules, f) for f in hand) < wilds):
            hand.append(face)
    return dict(enumerate(hand))


def form(meld: Meld) -> tuple[object, ...]:
    """A meld up to equal faces and, in a set, up to what its jokers stand for."""
    naturals = tuple(sorted(card.face for card in meld.cards if not card.wild))
    return meld.kind, meld.low, naturals, len(meld.cards)


def claims(rules: RuleSet, faces: Sequence[int]) -> Iterator[list[int | None]]:
    """Every declaration of the jokers among these faces by faces that share a suit or a rank with a natural card."""
    naturals = [face for face in faces if not is_wild(rules, face)]
    near = [f for f in range(52) if any(f % 13 == n % 13 or f // 13 == n // 13 for n in naturals)]
    yield from (list(row) for row in product(*([None] if f in naturals else near for f in faces)))


def recognised(rules: RuleSet, hand: Mapping[Slot, int]) -> set[tuple[object, ...]]:
    """The forms of all melds that can be made of these cards, found by trying every selection and declaration."""
    found = set()
    for size in range(3, len(hand) + 1):
        for slots in combinations(hand, size):
            faces = [hand[slot] for slot in slots]
            for row in claims(rules, faces):
                cards = [(slot, hand[slot], claim) for slot, claim in zip(slots, row, strict=True)]
                # Only in the exact bridge does the order matter, and only for sets of up to four cards.
                ordered = rules.joker_swap_match == "exact_bridge" and size <= 4
                for listed in permutations(cards) if ordered else [cards]:
                    try:
                        found.add(form(recognise(rules, 0, listed)))
                    except IllegalMove:
                        continue
    return found


@PROPERTY
@given(house=st.sampled_from(FORMS), seed=SEEDS)
def test_melds_are_complete_and_legal(house: tuple[str, dict[str, object]], seed: int) -> None:
    """The generated melds are exactly the legal ones, each once up to equal faces, with every joker declared."""
    rules = rules_of(*house)
    hand = some_cards(rules, random.Random(seed), 6, 2)
    lays = moves.melds(rules, hand)
    made = []
    for lay in lays:
        cards = [(card.slot, hand[card.slot], card.stands_for) for card in lay.cards]
        assert all((claim is not None) == is_wild(rules, face) for _, face, claim in cards)
        made.append(form(recognise(rules, 0, cards)))

    assert len(set(made)) == len(made)
    assert set(made) == recognised(rules, hand)


def test_melds_use_the_lowest_slots() -> None:
    """Of two equal cards the lower slot is taken, and the answer does not depend on the order of the hand."""
    rules = preset("klassiek")
    hand = {9: 6, 4: 6, 7: 19, 1: 32}
    lays = moves.melds(rules, hand)

    assert lays == moves.melds(rules, dict(sorted(hand.items())))
    assert Lay((Placed(4), Placed(7), Placed(1))) in lays
    assert all(9 not in {card.slot for card in lay.cards} or 4 in {card.slot for card in lay.cards} for lay in lays)


# ------------------------------------------------------------------ positions from real rounds


def positions(house: tuple[str, dict[str, object]], seed: int, n: int = 3) -> Iterator[tuple[Round, dict[Slot, int]]]:
    """Positions of a random round in which the mover has just drawn, with all faces."""
    playout = Playout(rules_of(*house), n, random.Random(seed))
    state = playout.deal()
    if state.phase is Phase.EXCHANGE:
        state = engine.exchange(state, state.mover, Exchange(None), playout.faces)
    for _ in range(40):
        if state.phase is Phase.OVER:
            return
        if engine.draw_outcome(state) is DrawOutcome.STOCK:
            yield engine.draw(state, state.mover, playout.stock[0]), playout.faces
        state = playout.turn(state)


def own(state: Round, faces: Mapping[Slot, int]) -> dict[Slot, int]:
    """The mover's hand with its faces."""
    return {slot: faces[slot] for slot in state.hands[state.mover]}


def passes(
    state: Round, faces: Mapping[Slot, int], steps: Sequence[Step], *, take_pot: bool = False, arranging: bool = True
) -> bool:
    """Whether the engine takes the steps, knowing what the mover knows."""
    try:
        engine.preview(state, state.mover, take_pot, steps, faces, arranging=arranging)
    except IllegalMove:
        return False
    return True


SMALL: list[tuple[str, dict[str, object]]] = [
    ("klassiek", {"hand_size": 7}),
    ("modern", {"hand_size": 6}),
    ("basis", {"hand_size": 8, "opening_minimum": 0}),
    ("online", {"hand_size": 7}),
    ("spelregelwijzer", {"hand_size": 7, "joker_swap": True, "joker_swap_opponent": True, "opening_minimum": 0}),
    ("schoppenvrouwen", {"hand_size": 7, "layoff_joker": False, "layoff_cards_per_action": 1}),
    ("klassiek", {"hand_size": 7, "layoff_scope": "any", "layoff_requires_being_down": False}),
]


@PROPERTY
@given(house=st.sampled_from(SMALL), seed=SEEDS)
def test_layoffs_and_swaps_are_complete(house: tuple[str, dict[str, object]], seed: int) -> None:
    """Whatever selection of up to two cards the engine takes as a lay-off or swap is generated, up to equal faces."""
    for state, faces in list(positions(house, seed))[4::9]:
        rules, hand = state.rules, own(state, faces)
        seat = state.mover
        steps = moves.layoffs(state, seat, hand)
        assert all(passes(state, faces, (step,)) for step in steps)
        generated = set()
        for step in steps:
            cards = [(card.slot, hand[card.slot], card.stands_for) for card in step.cards]
            generated.add((step.meld, form(lay_off(rules, state.melds[step.meld], cards, step.side))))
        assert len(generated) == len(steps)
        for number, meld in enumerate(state.melds):
            for size in (1, 2):
                for slots in combinations(hand, size):
                    for row in claims_on(rules, meld, [hand[slot] for slot in slots]):
                        placed = tuple(Placed(slot, claim) for slot, claim in zip(slots, row, strict=True))
                        for side in (HIGH, LOW) if meld.kind == "run" else (None,):
                            if passes(state, hand, (LayOff(number, placed, side),)):
                                cards = [(card.slot, hand[card.slot], card.stands_for) for card in placed]
                                assert (number, form(lay_off(rules, meld, cards, side))) in generated
        exchanged = {(s.meld, s.position, hand[s.slot]) for s in moves.swaps(state, seat, hand)}
        tried = {
            (number, position, hand[slot])
            for number, meld in enumerate(state.melds)
            for position in range(len(meld.cards))
            for slot in hand
            if passes(state, hand, (Swap(number, position, slot),))
        }
        assert exchanged == tried


@PROPERTY
@given(house=st.sampled_from(SMALL), seed=SEEDS)
def test_next_steps_are_what_the_engine_takes(house: tuple[str, dict[str, object]], seed: int) -> None:
    """The steps listed for a turn are the generated ones that the engine takes, and no others."""
    for state, faces in list(positions(house, seed))[1::6]:
        hand = own(state, faces)
        seat = state.mover
        lays = [lay for lay in moves.melds(state.rules, hand) if passes(state, hand, (lay,))]
        others: list[Step] = [*moves.layoffs(state, seat, hand), *moves.swaps(state, seat, hand)]

        assert list(moves.next_steps(state, seat, hand)) == [*lays, *others]


def claims_on(rules: RuleSet, meld: Meld, faces: Sequence[int]) -> Iterator[list[int | None]]:
    """Every declaration of the jokers among these faces that may make sense on this meld."""
    stands = [card.stands_for for card in meld.cards if card.stands_for < 52]
    if meld.kind == "run":
        near = [f for f in range(52) if f // 13 == stands[0] // 13]
    else:
        near = [f for f in range(52) if not stands or f % 13 == stands[0] % 13]
    yield from (list(row) for row in product(*(near if is_wild(rules, f) else [None] for f in faces)))


# ------------------------------------------------------------------ the best laydown


def standing(state: Round, seat: int, faces: Mapping[Slot, int]) -> int:
    """Points of the seat's melds less the points of its hand."""
    rules = state.rules
    worth = points_table(rules)
    lying = sum(worth[card.face] for meld in state.melds if meld.owner == seat for card in meld.cards)
    return lying - sum(hand_card_points(rules, faces[slot]) for slot in state.hands[seat])


def best_by_force(state: Round, faces: Mapping[Slot, int]) -> int:
    """The greatest gain of any sequence of steps that the engine takes."""
    seat = state.mover
    seen: set[tuple[object, ...]] = set()
    best = 0
    todo: list[tuple[Step, ...]] = [()]
    before = standing(state, seat, faces)
    while todo:
        steps = todo.pop()
        try:
            now = engine.preview(state, seat, False, steps, faces)
        except IllegalMove:
            continue
        lying = tuple(sorted(repr(form(meld)) for meld in now.melds))
        key = (lying, tuple(sorted(faces[slot] for slot in now.hands[seat])))
        if key in seen:
            continue
        seen.add(key)
        best = max(best, standing(now, seat, faces) - before)
        hand = {slot: faces[slot] for slot in now.hands[seat]}
        more: list[Step] = [*moves.melds(state.rules, hand), *moves.layoffs(now, seat, hand)]
        todo += [(*steps, step) for step in [*more, *moves.swaps(now, seat, hand)]]
    return best


EXACT: list[tuple[str, dict[str, object]]] = [
    ("klassiek", {"hand_size": 7}),
    ("modern", {"hand_size": 6}),
    ("basis", {"hand_size": 8, "opening_minimum": 0}),
    ("online", {"hand_size": 7}),
    ("schoppenvrouwen", {"hand_size": 7, "layoff_joker": False}),
    ("klassiek", {"hand_size": 7, "same_suit_twice_in_set": False, "ace_both_ends": False}),
    ("klassiek", {"hand_size": 7, "discard_required_to_go_out": False}),
]


@PROPERTY
@given(house=st.sampled_from(EXACT), seed=SEEDS)
def test_best_laydown_is_the_best(house: tuple[str, dict[str, object]], seed: int) -> None:
    """No sequence of steps that the engine takes gains more than the laydown that is called exact."""
    for state, faces in list(positions(house, seed))[3::8]:
        seat = state.mover
        hand = own(state, faces)
        if sum(is_wild(state.rules, face) for face in hand.values()) > 2 or len(hand) > 9:
            continue
        found = moves.laydown(state, seat, hand, take_pot=False)
        now = engine.preview(state, seat, False, found.steps, hand)
        assert standing(now, seat, faces) - standing(state, seat, faces) == found.value
        if found.exact:
            assert found.value == best_by_force(state, faces)
        else:
            assert found.value <= best_by_force(state, faces)


@PROPERTY
@given(house=st.sampled_from([(name, {}) for name in PRESETS] + FORMS + SMALL), seed=SEEDS)
def test_best_laydown_is_accepted(house: tuple[str, dict[str, object]], seed: int) -> None:
    """The engine takes every proposed laydown, with the pot and without, and its value is what it gains."""
    for state, faces in list(positions(house, seed, 4))[2::11]:
        seat = state.mover
        hand = own(state, faces)
        found = moves.laydown(state, seat, hand, take_pot=False)
        now = engine.preview(state, seat, False, found.steps, hand)
        assert standing(now, seat, faces) - standing(state, seat, faces) == found.value


@PROPERTY
@given(house=st.sampled_from(["basis", "spelregelwijzer"]), seed=SEEDS)
def test_a_first_lay_that_began_small_is_gone_on_from(house: str, seed: int) -> None:
    """From the first meld of a laydown that gets a seat down, the rest is found too, and its value is what it adds."""
    for state, faces in list(positions((house, {"opening_minimum": 60}), seed, 4))[2::3]:
        seat = state.mover
        hand = own(state, faces)
        if state.down[seat]:
            continue
        found = moves.laydown(state, seat, hand, take_pot=False)
        if not found.steps or passes(state, hand, found.steps[:1], arranging=False):
            continue
        first = found.steps[0]
        assert isinstance(first, Lay)
        rest = moves.laydown(state, seat, hand, take_pot=False, begun=(first,))
        now = engine.preview(state, seat, False, (first, *rest.steps), hand)
        first_alone = engine.preview(state, seat, False, (first,), hand, arranging=True)
        assert rest.steps
        assert standing(now, seat, faces) - standing(first_alone, seat, faces) == rest.value


@PROPERTY
@given(house=st.sampled_from([(name, {}) for name in PRESETS]), seed=SEEDS)
def test_best_laydown_with_the_pot(house: tuple[str, dict[str, object]], seed: int) -> None:
    """Where the pot may be taken, the engine takes the laydown with it; where a meld is demanded, one is found."""
    playout = Playout(rules_of(*house), 4, random.Random(seed))
    state = playout.deal()
    if state.phase is Phase.EXCHANGE:
        state = engine.exchange(state, state.mover, Exchange(None), playout.faces)
    for _ in range(30):
        if state.phase is Phase.OVER:
            break
        seat = state.mover
        hand = own(state, playout.faces)
        steps = moves.laydown(state, seat, hand, take_pot=True).steps
        first = moves.pot_melds(state, seat, hand)
        if steps:
            assert passes(state, {**hand}, steps, take_pot=True)
        elif first and not moves.pot_is_free(state) and not moves.pot_is_closed(state, seat):
            assert not any(_takes(state, hand, step) for step in first)
        state = playout.turn(state)


def _takes(state: Round, hand: Mapping[Slot, int], step: Step) -> bool:
    try:
        engine.preview(state, state.mover, True, (step,), hand)
    except IllegalMove:
        return False
    return True


# ------------------------------------------------------------------ what fits


@PROPERTY
@given(house=st.sampled_from(SMALL), seed=SEEDS)
def test_what_fits_is_complete_and_legal(house: tuple[str, dict[str, object]], seed: int) -> None:
    """Every fit is taken by the engine and uses exactly the selection; every generated meld and lay-off is a fit."""
    for state, faces in list(positions(house, seed))[4::12]:
        seat, hand = state.mover, own(state, faces)
        lays = [lay for lay in moves.melds(state.rules, hand) if passes(state, hand, (lay,))]
        steps: list[Step] = [*lays[:20], *moves.layoffs(state, seat, hand)[:20], *moves.swaps(state, seat, hand)]
        for step in steps:
            slots = [step.slot] if isinstance(step, Swap) else [card.slot for card in step.cards]
            fits = moves.what_fits(state, seat, slots, hand)
            after = engine.preview(state, seat, False, (step,), hand, arranging=True)
            result = after.melds[-1] if isinstance(step, Lay) else after.melds[step.meld]
            assert any(same_meaning(fit.result, result) for fit in fits)
            for fit in fits:
                used = [fit.step.slot] if isinstance(fit.step, Swap) else [card.slot for card in fit.step.cards]
                assert sorted(used) == sorted(slots)
                assert passes(state, hand, (fit.step,))


def same_meaning(one: Meld, other: Meld) -> bool:
    """Whether two melds show the same to everybody, up to the order in a set and equal cards."""
    return (one.kind, one.low, sorted((c.stands_for, c.wild) for c in one.cards)) == (
        other.kind,
        other.low,
        sorted((c.stands_for, c.wild) for c in other.cards),
    )


def _klassiek(
    hand: Sequence[int], melds: Sequence[tuple[int, str, int, Sequence[tuple[int, int | None]]]] = ()
) -> tuple[Round, dict[Slot, int]]:
    """A position of klassiek: seat 0 has drawn and holds these faces; melds as (owner, kind, low, cards)."""
    playout = Playout(preset("klassiek"), 4, random.Random(0))
    state = playout.deal()
    base = 1000
    faces = {base + number: face for number, face in enumerate(hand)}
    lying = []
    slot = 2000
    for owner, _, _, cards in melds:
        row = []
        for face, claim in cards:
            faces[slot] = face
            row.append((slot, face, claim))
            slot += 1
        lying.append(recognise(state.rules, owner, row))

    table = {card.slot: card.face for meld in lying for card in meld.cards}
    down = tuple(any(meld.owner == seat for meld in lying) for seat in range(4))
    state = engine.draw(state, 0, playout.stock[0])
    hands = (tuple(base + n for n in range(len(hand))), *state.hands[1:])
    return dataclasses.replace(state, hands=hands, melds=tuple(lying), faces={**state.faces, **table}, down=down), {
        **faces
    }


def test_every_meaning_of_a_joker_is_offered() -> None:
    """Two sevens and a joker make a set in four ways; six and seven of hearts with a joker make a run in two."""
    state, faces = _klassiek([19, 32, 52, 0])
    sets = moves.what_fits(state, 0, [1000, 1001, 1002], faces)
    wild = {card.stands_for for fit in sets for card in fit.result.cards if card.wild}
    assert wild == {6, 19, 32, 45}
    assert {fit.points for fit in sets} == {5 + 5 + 25}

    state, faces = _klassiek([18, 19, 52, 0])
    runs = moves.what_fits(state, 0, [1000, 1001, 1002], faces)
    assert {(fit.result.kind, fit.result.low) for fit in runs} == {("run", 5), ("run", 6)}


def test_a_card_that_fits_twice_is_offered_twice() -> None:
    """A card that may be laid off, and swapped for a joker elsewhere, is offered for both, with its points."""
    state, faces = _klassiek(
        [19, 0, 1],
        [(0, "set", 0, [(6, None), (32, None), (45, None)]), (1, "run", 5, [(17, None), (18, None), (52, 19)])],
    )
    fits = moves.what_fits(state, 0, [1000], faces)

    assert [(type(fit.step), fit.points) for fit in fits] == [(LayOff, 5), (Swap, 0)]


def test_both_ends_of_a_run_at_once() -> None:
    """Two cards that continue a run at its two ends are offered as one lay-off."""
    state, faces = _klassiek([16, 20, 0], [(0, "run", 5, [(17, None), (18, None), (19, None)])])
    fits = moves.what_fits(state, 0, [1000, 1001], faces)

    assert [fit.result.low for fit in fits] == [4]
    assert [fit.points for fit in fits] == [10]


def test_nothing_fits_what_is_not_in_hand() -> None:
    """A slot of somebody else, or none at all, fits nowhere."""
    state, faces = _klassiek([16, 20, 0])

    assert moves.what_fits(state, 0, [state.hands[1][0]], faces) == ()
    assert moves.what_fits(state, 0, [], faces) == ()


def test_illegal_steps_before_are_refused() -> None:
    """Steps that the engine refuses make the question meaningless: its reason is raised."""
    state, faces = _klassiek([16, 20, 0])
    with pytest.raises(IllegalMove) as refusal:
        moves.what_fits(state, 0, [1002], faces, steps=[Lay((Placed(1000), Placed(1001)))])

    assert refusal.value.code == "too_short"


def test_a_first_lay_that_is_worth_too_little_is_marked() -> None:
    """Where the first lay needs 30 points, three sevens fit but do not reach it yet; with more melds they do."""
    rules = preset("basis")
    playout = Playout(rules, 4, random.Random(1))
    state = engine.exchange(playout.deal(), 0, Exchange(None), {})
    state = engine.draw(state, 0, playout.stock[0])
    sevens = [6, 19, 32]
    hand = state.hands[0]
    faces = dict(zip(hand, [*sevens, 8, 21, 34, 1, 2, 16, 30, 44, 0, 13, 26], strict=True))
    fits = moves.what_fits(state, 0, hand[:3], faces)
    assert [(fit.points, fit.reaches) for fit in fits] == [(15, False)]

    more = moves.what_fits(state, 0, hand[3:6], faces, steps=[fits[0].step])
    assert [(fit.points, fit.reaches) for fit in more] == [(15, True)]
