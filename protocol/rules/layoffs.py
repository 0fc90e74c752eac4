"""Cards that join a meld which lies already: lay-offs at the ends of a run or onto a set, and joker swaps.

Only form lives here; whose meld it is and whether the player may do so now is judged in `turn`. What lies keeps its
place and its meaning: a joker never slides, and only a swap replaces it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from protocol.errors import IllegalMove

from .actions import HIGH, LOW, Slot
from .cards import ACE
from .melds import (
    HIGH_ACE,
    LOW_ACE,
    RUN,
    SET,
    Given,
    check_claims,
    check_majority,
    check_span,
    claimed_rank,
    is_wild,
    run_card,
    set_cards,
    suit_ranks,
)
from .ruleset import RuleSet
from .state import Meld, MeldCard


def places(meld: Meld) -> list[int]:
    """The place of every card of a run, ascending (a second copy shares the place of the first)."""
    result = [meld.low]
    for before, card in zip(meld.cards, meld.cards[1:], strict=False):
        result.append(result[-1] + (card.stands_for != before.stands_for))
    return result


def lay_off(rules: RuleSet, meld: Meld, given: Sequence[Given], side: str | None) -> Meld:
    """The meld after these cards join it.

    Raises IllegalMove does_not_fit, ace_wrap, joker_identity, joker_majority, set_full, duplicate_suit, bridge_order
    or a switch on runs. An undeclared joker or an ace needs `side` where the agreed rules let it
    lie at either end.
    """
    if not given:
        raise IllegalMove("does_not_fit", "no card")
    if side not in {None, LOW, HIGH}:
        raise IllegalMove("does_not_fit", "a run has a low and a high end")
    check_claims(rules, given)
    onto = _onto_set if meld.kind == SET else _onto_run
    result = onto(rules, meld, given, side)
    check_majority(rules, sum(not card.wild for card in result.cards), len(result.cards))
    return result


def _onto_set(rules: RuleSet, meld: Meld, given: Sequence[Given], side: str | None) -> Meld:
    rank = claimed_rank(meld.cards[0].stands_for)
    if side is not None:
        raise IllegalMove("does_not_fit", "a set has no ends")
    for _, face, _ in given:
        if not is_wild(rules, face) and face % 13 != rank:
            raise IllegalMove("does_not_fit", "another rank")
    return replace(meld, cards=set_cards(rules, rank, meld.cards, given))


# ------------------------------------------------------------------ runs


def _onto_run(rules: RuleSet, meld: Meld, given: Sequence[Given], side: str | None) -> Meld:
    suit = meld.cards[0].stands_for // 13
    low, high = meld.low, places(meld)[-1]
    ranks = suit_ranks(rules, suit, given)
    found: list[list[int]] = []
    why: list[IllegalMove] = []
    for end in (HIGH, LOW) if side is None else (side,):
        try:
            found.append(_at_end(rules, given, ranks, low, high, end))
        except IllegalMove as error:
            why.append(error)
    if not found and rules.duplicate_in_run and None not in ranks:
        found = _second_copies(rules, meld, [rank for rank in ranks if rank is not None], low, high)
    if not found and side is None and len(given) > 1 and None not in ranks:
        found = _both_ends([rank for rank in ranks if rank is not None], low, high)
    if not found:
        raise min(why, key=lambda error: ("ace_wrap", "joker_identity", "does_not_fit").index(error.code))
    joined: list[Meld] = []
    barred: list[IllegalMove] = []
    for taken in found:
        try:
            joined.append(_joined(rules, meld, suit, given, taken))
        except IllegalMove as error:
            barred.append(error)
    if not joined:
        raise barred[0]
    if len(joined) > 1:
        raise IllegalMove("joker_identity" if None in ranks else "does_not_fit", "it fits at both ends: say which")
    return joined[0]


def _at_end(
    rules: RuleSet, given: Sequence[Given], ranks: Sequence[int | None], low: int, high: int, side: str
) -> list[int]:
    """The place of every card when all of them continue the run at one end; raises IllegalMove."""
    count = len(ranks)
    wanted = list(range(high + 1, high + count + 1)) if side == HIGH else list(range(low - count, low))
    by_rank = {(place - 1) % 13: place for place in wanted}
    taken: dict[int, int] = {}
    for i, rank in enumerate(ranks):
        if rank is None:
            continue
        place = by_rank.get(rank)
        if place is None or place in taken.values():
            declared = is_wild(rules, given[i][1])
            raise IllegalMove("joker_identity" if declared else "does_not_fit", "not the next card")
        taken[i] = place
    if wanted[0] < LOW_ACE or wanted[-1] > HIGH_ACE:
        raise IllegalMove("ace_wrap", "the run ends at the ace")
    free = iter(place for place in wanted if place not in taken.values())
    return [taken[i] if i in taken else next(free) for i in range(count)]


def _both_ends(ranks: Sequence[int], low: int, high: int) -> list[list[int]]:
    """The places of natural or declared cards that continue the run at both ends at once, if they do."""
    below = low - 1
    above = high + 1
    result: dict[int, int] = {}
    left = dict(enumerate(ranks))
    while left:
        up = [i for i, rank in left.items() if above <= HIGH_ACE and rank == (above - 1) % 13]
        down = [i for i, rank in left.items() if below >= LOW_ACE and rank == (below - 1) % 13]
        if up and down and up == down:
            return []  # one ace that fits at both ends
        if up:
            result[up[0]] = above
            del left[up[0]]
            above += 1
        elif down:
            result[down[0]] = below
            del left[down[0]]
            below -= 1
        else:
            return []
    return [[result[i] for i in range(len(ranks))]]


def _second_copies(rules: RuleSet, meld: Meld, ranks: Sequence[int], low: int, high: int) -> list[list[int]]:
    """The places of cards of which a copy lies in the run already, where that is allowed."""
    count = dict.fromkeys(range(low, high + 1), 0)
    for place in places(meld):
        count[place] += 1
    result = []
    for rank in ranks:
        here = [place for place in ((LOW_ACE, HIGH_ACE) if rank == ACE else (rank + 1,)) if place in count]
        if rules.layoff_run_ends:
            here = [place for place in here if place in {low, high}]
        here = [place for place in here if count[place] < rules.decks]
        if not here:
            return []
        count[here[0]] += 1
        result.append(here[0])
    return [result]


def _joined(rules: RuleSet, meld: Meld, suit: int, given: Sequence[Given], taken: Sequence[int]) -> Meld:
    span = [*places(meld), *taken]
    check_span(rules, min(span), max(span), len(span))
    new = [
        (place, run_card(rules, suit, place, slot, face)) for place, (slot, face, _) in zip(taken, given, strict=True)
    ]
    row = sorted([*zip(places(meld), meld.cards, strict=True), *new], key=lambda pair: pair[0])
    return replace(meld, cards=tuple(card for _, card in row), low=row[0][0])


# ------------------------------------------------------------------ swaps


def swap(rules: RuleSet, meld: Meld, position: int, slot: Slot, face: int) -> Meld:
    """The meld after the natural card takes the joker's place. Raises IllegalMove swap_mismatch."""
    if not 0 <= position < len(meld.cards) or not meld.cards[position].wild:
        raise IllegalMove("swap_mismatch", "no joker there")
    if is_wild(rules, face) or not _matches(rules, meld, meld.cards[position].stands_for, face):
        raise IllegalMove("swap_mismatch", "not the card the joker stands for")
    cards = list(meld.cards)
    cards[position] = MeldCard(slot, face, face)
    return replace(meld, cards=tuple(cards))


def _matches(rules: RuleSet, meld: Meld, stands_for: int, face: int) -> bool:
    if meld.kind == RUN or rules.tracks_suit:
        return face == stands_for
    lying = {card.face // 13 for card in meld.cards if not card.wild}
    return face % 13 == claimed_rank(stands_for) and (len(lying) == 4 or face // 13 not in lying)
