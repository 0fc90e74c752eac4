"""The single steps a seat could make: new melds, lay-offs, joker swaps, and melds that allow to take the pot.

Forms come from `moves_shapes`; whether a step is allowed in this turn is asked of `engine`, which alone decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from protocol.errors import IllegalMove

from . import engine
from .actions import HIGH, LOW, Lay, LayOff, Slot, Step, Swap
from .cards import QUEEN_OF_SPADES, face_of
from .layoffs import places as run_places
from .melds import RUN, claimed_rank, is_wild, place_face
from .moves_shapes import WILD, Cards, Item, fits_on, runs, set_additions, set_row, sets, stretches
from .ruleset import RuleSet
from .state import Drawn, Meld, Phase, Round
from .turn import Turn


def melds(rules: RuleSet, hand: Mapping[Slot, int]) -> tuple[Lay, ...]:
    """Every new meld that these cards can form, as far as form goes, with declared jokers; runs first.

    Complete up to equal faces: for every choice of faces and jokers that forms a legal run at some place, or a legal
    set, there is exactly one Lay, which uses the lowest slots. A joker may take the place of a card that is at hand
    too. In a set the suits of the jokers are one choice of several (the hardest to swap); `what_fits` offers all.
    Runs in which a card lies twice (`duplicate_in_run`) are not listed.
    """
    return _melds(rules, Cards.of(rules, hand))


def _melds(rules: RuleSet, cards: Cards) -> tuple[Lay, ...]:
    counts = cards.counts()
    rows: list[Sequence[Item]] = [items for _, items in runs(rules, counts, len(cards.wilds))]
    for rank_, chosen, jokers in sets(rules, counts, len(cards.wilds)):
        if not jokers:
            rows.append([rank_ + 13 * s for s in range(4) for _ in range(chosen[s])])
            continue
        row = set_row(rules, rank_, chosen, jokers)
        if row is not None:
            rows.append(row)
    return tuple(Lay(cards.lowest(row)) for row in rows)


def layoffs(state: Round, seat: int, hand: Mapping[Slot, int]) -> tuple[LayOff, ...]:
    """Every lay-off that the engine takes from `state` now, in the middle of the mover's turn; else none.

    Complete up to equal faces for cards added at one end of a run (without gaps, jokers in any place) or to a set
    (any number of natural cards and jokers, the jokers' suits chosen as in `melds`). For tests; players use `laydown`
    and `what_fits`.
    """
    return _layoffs(state, seat, hand, Cards.of(state.rules, hand))


def _layoffs(state: Round, seat: int, hand: Mapping[Slot, int], cards: Cards) -> tuple[LayOff, ...]:
    steps = [
        LayOff(number, cards.lowest(items), side)
        for number, meld in enumerate(state.melds)
        if meld.owner == seat or state.team_of or state.rules.layoff_scope == "any"
        for side, items in extensions(state.rules, meld, cards)
    ]
    return tuple(step for step in steps if accepts(state, seat, step, hand))


def extensions(rules: RuleSet, meld: Meld, cards: Cards) -> Iterator[tuple[str | None, tuple[Item, ...]]]:
    """Every row of items that may continue `meld`: at one end of a run, or onto a set.

    The agreed limits of runs and the majority of natural cards are not judged here.
    """
    wilds = len(cards.wilds)
    if meld.kind != RUN:
        rank_ = claimed_rank(meld.cards[0].stands_for)
        have = [len(cards.naturals.get(face_of(s, rank_), ())) for s in range(4)]
        if not any(have) and not wilds:
            return
        for added in product(*(range(n + 1) for n in have)):
            for jokers in range(wilds + 1):
                items = set_additions(rules, meld, added, jokers) if any(added) or jokers else None
                if items is not None:
                    yield None, items
        return
    suit_ = meld.cards[0].stands_for // 13
    low, high = meld.low, run_places(meld)[-1]
    if not wilds and not any(place_face(suit_, place) in cards.naturals for place in (low - 1, high + 1)):
        return
    counts = cards.counts()
    for items in stretches(rules, counts, wilds, suit_, high + 1):
        yield HIGH, items
    for items in _downwards(counts, wilds, suit_, low - 1):
        yield LOW, items


def _downwards(counts: Sequence[int], wilds: int, suit_: int, place: int) -> Iterator[tuple[Item, ...]]:
    """Ascending rows of one suit that end at `place`."""
    if place < 1:
        return
    face = place_face(suit_, place)
    heads: list[tuple[Item, list[int], int]] = []
    if counts[face]:
        heads.append((face, [n - (f == face) for f, n in enumerate(counts)], wilds))
    if wilds:
        heads.append((WILD + face, list(counts), wilds - 1))
    for item, rest, jokers in heads:
        yield (item,)
        for row in _downwards(rest, jokers, suit_, place - 1):
            yield (*row, item)


def swaps(state: Round, seat: int, hand: Mapping[Slot, int]) -> tuple[Swap, ...]:
    """Every joker swap that the engine takes from `state` now: one per joker and face, with the lowest slot.

    For tests, as `layoffs`.
    """
    return _swaps(state, seat, hand, Cards.of(state.rules, hand))


def _swaps(state: Round, seat: int, hand: Mapping[Slot, int], cards: Cards) -> tuple[Swap, ...]:
    if not state.rules.joker_swap or not any(card.wild for meld in state.melds for card in meld.cards):
        return ()
    steps = [
        Swap(number, position, cards.naturals[face][0])
        for number, position, face in exchangeable(state, sorted(cards.naturals))
    ]
    return tuple(step for step in steps if accepts(state, seat, step, hand))


def next_steps(state: Round, seat: int, hand: Mapping[Slot, int]) -> tuple[Step, ...]:
    """Every step that the engine takes next in the middle of the mover's turn: melds, lay-offs and swaps.

    Complete as `melds`, `layoffs` and `swaps` are; a first lay that may need further melds is among them.
    For the random play of the benchmarks.
    """
    cards = Cards.of(state.rules, hand)
    lays: Sequence[Lay] = _melds(state.rules, cards)
    if lays:
        spare = _cards_to_spare(state, seat, hand)
        lays = [lay for lay in lays if len(lay.cards) <= spare or accepts(state, seat, lay, hand)]
    return (*lays, *_layoffs(state, seat, hand, cards), *_swaps(state, seat, hand, cards))


def _cards_to_spare(state: Round, seat: int, hand: Mapping[Slot, int]) -> int:
    """How many cards the mover may surely put into a new meld, as far as the end of the turn goes.

    With two cards left that are no queens of spades every turn can end. Nothing is sure before the draw, or where
    house rules limit the first lay or the cards of the pot.
    """
    rules = state.rules
    if state.phase is not Phase.PLAY or seat != state.mover:
        return 0
    if rules.opening_single_set_of_three or not rules.pot_rest_same_turn:
        return 0
    return len(hand) - 2 - sum(face == QUEEN_OF_SPADES for face in hand.values())


def exchangeable(state: Round, faces: Sequence[int]) -> list[tuple[int, int, int]]:
    """Jokers on the table and faces among `faces` that fit them by form: (meld, position, face)."""
    found = []
    jokers = [
        (number, meld, position, card)
        for number, meld in enumerate(state.melds)
        for position, card in enumerate(meld.cards)
        if card.wild
    ]
    for number, meld, position, card in jokers:
        if meld.kind == RUN or state.rules.tracks_suit:
            fitting = [face for face in faces if face == card.stands_for]
        else:
            lying = {other.face // 13 for other in meld.cards if not other.wild}
            same = [face for face in faces if face % 13 == claimed_rank(card.stands_for)]
            fitting = [face for face in same if len(lying) == 4 or face // 13 not in lying]
        found += [(number, position, face) for face in fitting if not is_wild(state.rules, face)]
    return found


def pot_is_free(state: Round) -> bool:
    """Whether the mover may take the pot without laying its top card at once."""
    rules = state.rules
    return not rules.pot_top_card_must_be_melded or (rules.pot_first_turn_free and not any(state.turns_taken))


def pot_is_closed(state: Round, seat: int) -> bool:
    """Whether the mover may not take the pot whatever it lays."""
    rules = state.rules
    return (
        state.phase is not Phase.DRAW
        or seat != state.mover
        or not state.pot
        or state.stock_only
        or engine.must_end(state)
        or (rules.pot_requires_being_down and not state.down[seat])
        or len(state.hands[seat]) < rules.pot_min_hand
    )


def pot_melds(state: Round, seat: int, faces: Mapping[Slot, int]) -> tuple[Lay | LayOff, ...]:
    """The steps with the top card of the pot that may come first when the pot is taken, fewest cards first.

    Where the pot is free: all melds with its top card, none of which is needed. `faces` has at least the own hand.
    The engine accepts each as the first step of a turn with the pot, except that a first lay may be worth too little
    alone, or leave no legal end where more is laid later.
    """
    rules = state.rules
    if pot_is_closed(state, seat):
        return ()
    known = {**state.faces, **faces}
    top = state.pot[-1]
    usable = {slot: known[slot] for slot in state.hands[seat]}
    if pot_is_free(state) or rules.pot_other_pile_cards_in_first_meld:
        usable.update({slot: known[slot] for slot in state.pot})
    usable[top] = known[top]
    found: list[Lay | LayOff] = []
    for lay in _with_top(rules, usable, top):
        own = sum(card.slot in state.hands[seat] for card in lay.cards)
        if own >= (0 if pot_is_free(state) else rules.pot_needs_hand_cards):
            found.append(lay)
    if rules.pot_layoff_suffices:
        found.extend(_layoffs_of_top(state, seat, usable, top))
    return tuple(sorted(found, key=lambda step: len(step.cards)))


def _with_top(rules: RuleSet, usable: Mapping[Slot, int], top: Slot) -> Iterator[Lay]:
    """Melds of usable cards that contain the top card itself (of equal cards, it is the one that is used first)."""
    first = {-1: usable[top], **{slot: face for slot, face in usable.items() if slot != top}}
    for lay in melds(rules, first):
        if any(card.slot == -1 for card in lay.cards):
            yield Lay(tuple(replace(card, slot=top) if card.slot == -1 else card for card in lay.cards))


def _layoffs_of_top(state: Round, seat: int, usable: Mapping[Slot, int], top: Slot) -> Iterator[LayOff]:
    cards = Cards.of(state.rules, {top: usable[top]})
    for number, meld in enumerate(state.melds):
        if meld.owner == seat:
            for side, items in extensions(state.rules, meld, cards):
                if fits_on(state.rules, meld, items, side):
                    yield LayOff(number, cards.lowest(items), side)


def middle(state: Round, seat: int, faces: Mapping[Slot, int], *, take_pot: bool, steps: Sequence[Step]) -> Round:
    """The state in which the next step is chosen: after the pot and these steps. Raises IllegalMove as the engine.

    With the pot and no step yet it is a state that may need a certain first step; the engine has not judged it.
    """
    if steps or not take_pot:
        return engine.preview(state, seat, take_pot, steps, faces, arranging=True)
    hand = (*state.hands[seat], *state.pot)
    return replace(
        state,
        phase=Phase.PLAY,
        hands=(*state.hands[:seat], hand, *state.hands[seat + 1 :]),
        pot=(),
        drawn=Drawn("pot", state.pot),
        last_mover=None,
        covered=False,
    )


def accepts(state: Round, seat: int, step: Step, faces: Mapping[Slot, int]) -> bool:
    """Whether the engine takes this step next, in the middle of the mover's turn.

    Asks what `engine.preview` would say, without making the state that follows.
    """
    if state.phase is not Phase.PLAY or seat != state.mover:
        return False
    turn = Turn(state, faces)
    laid = 0 if isinstance(step, Swap) else len(step.cards)
    try:
        turn.apply((step,), goes_out=len(turn.hand) - laid <= 1, arranging=True)
        turn.check_hand_left()
    except IllegalMove:
        return False
    return True
