"""What selected cards could do: every single step that uses exactly these cards, for a person to choose from.

Nothing is guessed here: where a joker may stand for several cards, or a card fits two melds, all ways are offered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product

from protocol.errors import IllegalMove

from . import engine
from .actions import ANY_SUIT, HIGH, LOW, Lay, LayOff, Placed, Slot, Step, Swap
from .cards import face_of
from .layoffs import places as run_places
from .melds import RUN, claimed_rank, place_face
from .moves_shapes import WILD, Cards, Item, joker_suits, lying_suits, places, set_rows
from .moves_steps import middle
from .ruleset import RuleSet
from .scoring import points_table
from .state import Meld, Round


@dataclass(frozen=True, slots=True)
class Fit:
    """One step that the selected cards can make now, and what it adds to the melds of the seat that makes it.

    `result` is the meld that results. `reaches` is false for a first lay that needs more points: further melds have
    to follow in the same turn.
    """

    step: Step
    points: int
    result: Meld
    reaches: bool = True


def what_fits(
    state: Round,
    seat: int,
    selection: Sequence[Slot],
    faces: Mapping[Slot, int],
    *,
    take_pot: bool = False,
    steps: Sequence[Step] = (),
) -> tuple[Fit, ...]:
    """All steps that use exactly the selected slots after the pot (if taken) and `steps`: lays, lay-offs, swaps.

    Complete for melds, with every meaning their jokers can have; different orders of the same meanings count as one.
    Raises IllegalMove when the engine refuses `steps`. With the pot, where its top card must be melded first, the
    first step is offered as the engine takes it.
    """
    rules = state.rules
    known = {**state.faces, **faces}
    now = middle(state, seat, faces, take_pot=take_pot, steps=steps)
    chosen = tuple(dict.fromkeys(selection))
    if not chosen or any(slot not in now.hands[seat] or slot not in known for slot in chosen):
        return ()
    cards = Cards.of(rules, {slot: known[slot] for slot in chosen})
    found: dict[tuple[object, ...], Fit] = {}
    for step in _steps(rules, now, cards, chosen):
        fit = _judged(state, now, known, take_pot, tuple(steps), step)
        if fit is not None:
            found.setdefault(_meaning(fit), fit)
    return tuple(found.values())


def _steps(rules: RuleSet, now: Round, cards: Cards, chosen: Sequence[Slot]) -> Iterator[Step]:
    for row in _new_melds(rules, cards):
        yield Lay(cards.take(row)[0])
    if rules.duplicate_in_run:
        yield Lay(tuple(Placed(slot) for slot in chosen))
    for number, meld in enumerate(now.melds):
        for side, row in _additions(rules, meld, cards):
            yield LayOff(number, cards.take(row)[0], side)
        if rules.duplicate_in_run:
            yield LayOff(number, tuple(Placed(slot) for slot in chosen))
        if len(chosen) == 1 and not cards.wilds:
            for position, card in enumerate(meld.cards):
                if card.wild:
                    yield Swap(number, position, chosen[0])


def _judged(
    state: Round, now: Round, known: Mapping[Slot, int], take_pot: bool, steps: tuple[Step, ...], step: Step
) -> Fit | None:
    """The fit of a step that the engine takes in the position `now`, or None."""
    seat = now.mover
    try:
        after = engine.preview(state, seat, take_pot, (*steps, step), known, arranging=True)
    except IllegalMove:
        return None
    result = after.melds[-1] if isinstance(step, Lay) else after.melds[step.meld]
    worth = points_table(state.rules)
    if isinstance(step, Swap):
        points = worth[known[step.slot]] - worth[now.melds[step.meld].cards[step.position].face]
    else:
        points = sum(worth[known[card.slot]] for card in step.cards)
    if result.owner != seat:
        points = 0
    reaches = True
    try:
        engine.preview(state, seat, take_pot, (*steps, step), known)
    except IllegalMove:
        reaches = False
    return Fit(step, points, result, reaches)


def _meaning(fit: Fit) -> tuple[object, ...]:
    """What distinguishes one fit from another: the place it goes to and what its cards stand for there."""
    step = fit.step
    if isinstance(step, Swap):
        return ("swap", step.meld, step.position)
    target = step.meld if isinstance(step, LayOff) else -1
    stands = sorted(card.stands_for for card in fit.result.cards)
    wild = sorted((card.stands_for, card.slot) for card in fit.result.cards if card.wild)
    jokers = tuple(sorted(stand for stand, _ in wild))
    return (target, fit.result.kind, fit.result.low, tuple(stands), jokers)


def _new_melds(rules: RuleSet, cards: Cards) -> Iterator[tuple[Item, ...]]:
    """Rows of items that use all the cards: as a run at every place, as a set with every meaning of the jokers."""
    naturals = [face for face, slots in sorted(cards.naturals.items()) for _ in slots]
    wilds = len(cards.wilds)
    if not naturals:
        return
    if len({face % 13 for face in naturals}) == 1:
        chosen = [naturals.count(face_of(s, naturals[0] % 13)) for s in range(4)]
        yield from set_rows(rules, naturals[0] % 13, chosen, wilds)
    if len({face // 13 for face in naturals}) == 1:
        yield from _run_rows(rules, naturals, wilds)


def _run_rows(rules: RuleSet, naturals: Sequence[int], wilds: int) -> Iterator[tuple[Item, ...]]:
    """Runs that use all these natural cards of one suit and jokers."""
    first, last = places(rules)
    size = len(naturals) + wilds
    suit_ = naturals[0] // 13
    for low in range(first, last - size + 2):
        yield from _filled(suit_, range(low, low + size), naturals)


def _filled(suit_: int, span: Sequence[int], naturals: Sequence[int]) -> Iterator[tuple[Item, ...]]:
    """Rows over these places with every natural card at a place of its own and jokers at the others."""
    homes = [[place for place in span if place_face(suit_, place) == face] for face in naturals]
    rows: dict[tuple[Item, ...], None] = {}
    for taken in product(*homes):
        if len(set(taken)) == len(taken):
            rows[tuple(place_face(suit_, p) + (0 if p in taken else WILD) for p in span)] = None
    yield from rows


def _additions(rules: RuleSet, meld: Meld, cards: Cards) -> Iterator[tuple[str | None, tuple[Item, ...]]]:
    """Rows of items that add all the cards to a meld: at either end of a run, at both, or onto a set."""
    naturals = [face for face, slots in sorted(cards.naturals.items()) for _ in slots]
    wilds = len(cards.wilds)
    if meld.kind != RUN:
        for row in _onto_set(rules, meld, naturals, wilds):
            yield None, row
        return
    suit_ = meld.cards[0].stands_for // 13
    low, high = meld.low, run_places(meld)[-1]
    size = len(naturals) + wilds
    for above in range(size, -1, -1):
        below = size - above
        if low - below < 1 or high + above > 14 or any(face // 13 != suit_ for face in naturals):
            continue
        span = [*range(low - below, low), *range(high + 1, high + above + 1)]
        side = HIGH if not below else LOW if not above else None
        for row in _filled(suit_, span, naturals):
            yield side, row


def _onto_set(rules: RuleSet, meld: Meld, naturals: Sequence[int], wilds: int) -> Iterator[tuple[Item, ...]]:
    rank_ = claimed_rank(meld.cards[0].stands_for)
    if any(face % 13 != rank_ for face in naturals):
        return
    if not wilds or not rules.tracks_suit:
        yield (*naturals, *([WILD + ANY_SUIT + rank_] * wilds))
        return
    lying = [n + naturals.count(face_of(s, rank_)) for s, n in enumerate(lying_suits(meld))]
    for suits in joker_suits(rules, lying, wilds):
        jokers = [WILD + face_of(s, rank_) for s in suits]
        if rules.joker_swap_match == "exact_bridge" and wilds == 1:
            yield from dict.fromkeys(permutations((*naturals, *jokers)))  # the order decides there
        else:
            yield (*naturals, *jokers)
