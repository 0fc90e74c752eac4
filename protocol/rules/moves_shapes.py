"""What can be formed from a pile of faces: runs, sets and extensions, as sequences of *items*.

Only form lives here: faces, jokers and the agreed limits on melds. Slots, seats, hands and whose turn it is do not.
An item is a natural face (0..51), or `WILD + stands_for` for a joker. Everything is enumerated in a fixed order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from typing import TypeAlias

from protocol.errors import IllegalMove

from .actions import ANY_SUIT, Placed, Slot
from .cards import JOKER, QUEEN_OF_SPADES, TWO, face_of, suit
from .layoffs import lay_off
from .melds import claimed_rank, place_face
from .ruleset import RuleSet
from .state import Meld

Item: TypeAlias = int
WILD = 128
"""Items from WILD on are jokers: WILD + what the joker stands for."""

_BRIDGE = (2, 1, 0, 3)
"""The circle of suits of the exact bridge: diamonds, hearts, spades, clubs, and round again."""


@dataclass(frozen=True, slots=True)
class Cards:
    """Slots sorted for use: `naturals` per face and `wilds`, each ascending."""

    naturals: Mapping[int, tuple[Slot, ...]]
    wilds: tuple[Slot, ...]

    @classmethod
    def of(cls, rules: RuleSet, hand: Mapping[Slot, int]) -> Cards:
        """The cards of `hand`, which maps slots to faces."""
        naturals: dict[int, tuple[Slot, ...]] = {}
        wilds: tuple[Slot, ...] = ()
        two = TWO if rules.two_as_joker else -1
        for slot in sorted(hand):
            face = hand[slot]
            if face == JOKER or face % 13 == two:
                wilds = (*wilds, slot)
            else:
                naturals[face] = (*naturals.get(face, ()), slot)
        return cls(naturals, wilds)

    def counts(self) -> list[int]:
        """How many natural cards there are of each face 0..51."""
        counts = [0] * 52
        for face, slots in self.naturals.items():
            counts[face] = len(slots)
        return counts

    def take(self, items: Sequence[Item]) -> tuple[tuple[Placed, ...], Cards]:
        """The lowest slots that realise these items, and the cards left. Raises IndexError when they are not there."""
        naturals = dict(self.naturals)
        wilds = self.wilds
        placed: list[Placed] = []
        for item in items:
            if item >= WILD:
                placed.append(Placed(wilds[0], item - WILD))
                wilds = wilds[1:]
            else:
                slots = naturals.get(item, ())
                placed.append(Placed(slots[0]))
                naturals[item] = slots[1:]
        return tuple(placed), Cards(naturals, wilds)

    def lowest(self, items: Sequence[Item]) -> tuple[Placed, ...]:
        """The lowest slots that realise these items, which are there."""
        next_of: dict[int, int] = {}
        placed = []
        for item in items:
            kind = min(WILD, item)
            number = next_of.get(kind, 0)
            next_of[kind] = number + 1
            placed.append(
                Placed(self.wilds[number], item - WILD) if kind == WILD else Placed(self.naturals[item][number])
            )
        return tuple(placed)


def places(rules: RuleSet) -> tuple[int, int]:
    """First and last place a run can use."""
    return (1 if rules.ace_low else 2), (14 if rules.ace_high else 13)


def balanced(rules: RuleSet, naturals: int, wilds: int) -> bool:
    """Whether a meld may consist of so many natural cards and jokers."""
    if naturals < rules.min_naturals:
        return False
    return naturals > wilds or not wilds or not rules.joker_majority


def run_balanced(rules: RuleSet, naturals: int, wilds: int) -> bool:
    """As `balanced`, for a run: where a lone natural card with jokers is always a set, a run needs two."""
    return balanced(rules, naturals, wilds) and not (rules.single_natural_is_set and naturals < 2)


# ---------------------------------------------------------------------------------------------------------- runs


def stretches(rules: RuleSet, counts: Sequence[int], wilds: int, suit_: int, low: int) -> Iterator[tuple[Item, ...]]:
    """Every ascending row of items of one suit beginning at place `low`, of any length from one card on.

    A place may take a joker even where the natural card is at hand: that card may be wanted elsewhere.
    """
    last = places(rules)[1]
    if low == 1 and not rules.ace_both_ends:
        last = min(last, 13)
    last = min(last, low + rules.run_max_cards - 1)
    left = list(counts)
    barred = 2 if rules.two_as_joker and not rules.wild_two_may_be_two else 0

    def grow(place: int, items: tuple[Item, ...], jokers: int) -> Iterator[tuple[Item, ...]]:
        if place > last:
            return
        face = place_face(suit_, place)
        if left[face]:
            left[face] -= 1
            longer = (*items, face)
            yield longer
            yield from grow(place + 1, longer, jokers)
            left[face] += 1
        if jokers and place != barred:
            longer = (*items, WILD + face)
            yield longer
            yield from grow(place + 1, longer, jokers - 1)

    return grow(low, (), wilds)


def runs(rules: RuleSet, counts: Sequence[int], wilds: int) -> Iterator[tuple[int, tuple[Item, ...]]]:
    """Every legal run, as its first place and its items."""
    first, last = places(rules)
    least = rules.meld_min_cards
    for suit_ in range(4):
        row = [*counts[suit_ * 13 : suit_ * 13 + 13], counts[suit_ * 13]]
        if row.count(0) > 14 - least + wilds:
            continue
        for low in range(first, last - least + 2):
            if row[low - 1 : low - 1 + least].count(0) > wilds:
                continue
            for items in stretches(rules, counts, wilds, suit_, low):
                if len(items) < least:
                    continue
                jokers = sum(item >= WILD for item in items) if wilds else 0
                if run_balanced(rules, len(items) - jokers, jokers):
                    yield low, items


# ---------------------------------------------------------------------------------------------------------- sets


def set_limit(rules: RuleSet) -> int:
    """Most cards in a set: four where suits have to differ."""
    return rules.set_max_cards if rules.same_suit_twice_in_set else min(4, rules.set_max_cards)


def copies(rules: RuleSet) -> int:
    """How often one suit may lie in a set."""
    return rules.decks if rules.same_suit_twice_in_set else 1


def joker_suits(rules: RuleSet, lying: Sequence[int], jokers: int) -> Iterator[tuple[int, ...]]:
    """Every choice of suits for `jokers` jokers added to a set in which `lying[suit]` cards lie or are declared."""
    room = [copies(rules) - lying[suit_] for suit_ in range(4)]
    for suits in combinations_with_replacement(range(4), jokers):
        if all(suits.count(suit_) <= room[suit_] for suit_ in set(suits)):
            yield suits


def safest_suits(rules: RuleSet, rank_: int, lying: Sequence[int], jokers: int) -> tuple[int, ...] | None:
    """The suits for jokers that opponents find hardest to swap, or None when the jokers do not fit.

    The queen of spades where they may not put her there, then the suit with most copies lying already.
    """
    now = list(lying)
    chosen: list[int] = []
    black_queen = face_of(0, rank_) == QUEEN_OF_SPADES and not rules.queen_swap_opponent_joker
    for _ in range(jokers):
        free = [suit_ for suit_ in range(4) if now[suit_] < copies(rules)]
        if not free:
            return None
        best = min(free, key=lambda suit_: (not (black_queen and suit_ == 0), -now[suit_], suit_))
        now[best] += 1
        chosen.append(best)
    return tuple(chosen)


def sets(rules: RuleSet, counts: Sequence[int], wilds: int) -> Iterator[tuple[int, tuple[int, ...], int]]:
    """Every legal choice of cards for a set: rank, natural cards per suit, jokers."""
    most = copies(rules)
    for rank_ in range(13):
        held = counts[rank_] + counts[rank_ + 13] + counts[rank_ + 26] + counts[rank_ + 39]
        if not held or held + wilds < rules.meld_min_cards:
            continue
        have = [min(counts[rank_ + 13 * suit_], most) for suit_ in range(4)]
        for chosen in product(*(range(n + 1) for n in have)):
            naturals = sum(chosen)
            for jokers in range(wilds + 1):
                size = naturals + jokers
                if rules.meld_min_cards <= size <= set_limit(rules) and balanced(rules, naturals, jokers):
                    yield rank_, chosen, jokers


def set_rows(rules: RuleSet, rank_: int, chosen: Sequence[int], jokers: int) -> Iterator[tuple[Item, ...]]:
    """Every legal way to declare a new set of these cards, one row of items each.

    Rows that differ only in the order of equal suits count as one. Nothing is yielded when the jokers do not fit.
    """
    naturals = tuple(face_of(suit_, rank_) for suit_ in range(4) for _ in range(chosen[suit_]))
    if not jokers:
        yield naturals
    elif not rules.tracks_suit:
        if next(joker_suits(rules, chosen, jokers), None) is not None:
            yield (*naturals, *([WILD + ANY_SUIT + rank_] * jokers))
    elif rules.joker_swap_match == "exact_bridge" and jokers == 1 and max(chosen) == 1:
        yield from _bridge_rows(rank_, chosen)
    else:
        for suits in joker_suits(rules, chosen, jokers):
            yield (*naturals, *(WILD + face_of(suit_, rank_) for suit_ in suits))


def set_row(rules: RuleSet, rank_: int, chosen: Sequence[int], jokers: int) -> tuple[Item, ...] | None:
    """One way to declare a set of these cards: the one whose jokers are safest. None when the jokers do not fit."""
    rows = list(set_rows(rules, rank_, chosen, jokers))
    if not rows:
        return None
    suits = safest_suits(rules, rank_, chosen, jokers) or ()
    wanted = sorted(WILD + face_of(suit_, rank_) for suit_ in suits)
    return next((row for row in rows if sorted(item for item in row if item >= WILD) == wanted), rows[0])


def _bridge_rows(rank_: int, chosen: Sequence[int]) -> Iterator[tuple[Item, ...]]:
    """Rows of neighbours in the circle of suits, which fixes the suit of the joker (spec/10-rules.md R82)."""
    for missing in range(4):
        if chosen[missing]:
            continue
        present = [bool(chosen[suit_]) or suit_ == missing for suit_ in _BRIDGE]
        size = sum(present)
        for start in range(4):
            arc = [_BRIDGE[(start + step) % 4] for step in range(size)]
            if all(present[(start + step) % 4] for step in range(size)):
                yield tuple(face_of(s, rank_) + (WILD if s == missing else 0) for s in arc)
                break


def lying_suits(meld: Meld) -> list[int]:
    """How many natural and declared cards of each suit lie in a set (jokers without a suit do not count)."""
    lying = [0, 0, 0, 0]
    for card in meld.cards:
        if card.stands_for < ANY_SUIT:
            lying[suit(card.stands_for)] += 1
    return lying


def set_additions(rules: RuleSet, meld: Meld, added: Sequence[int], jokers: int) -> tuple[Item, ...] | None:
    """Items that add these natural cards (per suit) and jokers to a set on the table, or None where it refuses them.

    Jokers are declared where opponents find them hardest to swap.
    """
    rank_ = claimed_rank(meld.cards[0].stands_for)
    naturals = tuple(face_of(s, rank_) for s in range(4) for _ in range(added[s]))
    lying = [n + k for n, k in zip(lying_suits(meld), added, strict=True)]
    choices: list[tuple[Item, ...]] = [(WILD + ANY_SUIT + rank_,) * jokers]
    if rules.tracks_suit and jokers:
        safest = safest_suits(rules, rank_, lying, jokers)
        others = joker_suits(rules, lying, jokers)
        choices = [tuple(WILD + face_of(s, rank_) for s in suits) for suits in [*([safest] if safest else []), *others]]
    for choice in choices:
        if fits_on(rules, meld, (*naturals, *choice), None):
            return (*naturals, *choice)
    return None


def fits_on(rules: RuleSet, meld: Meld, items: Sequence[Item], side: str | None) -> bool:
    """Whether a meld on the table takes these items, as far as form goes."""
    joker = JOKER if not rules.two_as_joker else TWO
    given = [(-1 - n, joker, i - WILD) if i >= WILD else (-1 - n, i, None) for n, i in enumerate(items)]
    try:
        lay_off(rules, meld, given, side)
    except IllegalMove:
        return False
    return True
