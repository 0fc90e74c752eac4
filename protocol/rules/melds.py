"""What is a meld: the one place that turns listed cards into a set or a run and fixes what every joker stands for.

Only form lives here. Whose cards they are, whether the player may lay now and what is left in hand is judged
elsewhere; adding to a meld that lies already is in `layoffs`. Places of a run are 1 (low ace) .. 14 (high ace).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

from protocol.errors import IllegalMove

from .actions import ANY_SUIT, Slot
from .cards import ACE, JOKER, TWO
from .ruleset import RuleSet
from .state import Meld, MeldCard

SET = "set"
RUN = "run"
LOW_ACE = 1
HIGH_ACE = 14

Given: TypeAlias = tuple[Slot, int, int | None]
"""A card on its way into a meld: slot, face, and what it is declared to stand for (None: natural or undeclared)."""

_CIRCLE = (2, 1, 0, 3)
"""Place of each suit S H D C in the circle diamonds - hearts - spades - clubs of the exact bridge."""


def is_wild(rules: RuleSet, face: int) -> bool:
    """Whether a card with this face is a joker under these rules (twos are, where the rules say so)."""
    return face == JOKER or (rules.two_as_joker and face % 13 == TWO)


def place_face(suit: int, place: int) -> int:
    """The face at a place of a run in this suit."""
    return suit * 13 + (place - 1) % 13


def recognise(rules: RuleSet, owner: int, given: Sequence[Given]) -> Meld:
    """The meld these cards form in the listed order.

    Raises IllegalMove with the first reason of: too_short, needs_natural, joker_majority, kind
    (single_natural_is_set, not_a_meld), placement (ace_wrap, joker_identity, set_full, duplicate_suit,
    bridge_order, the switches on aces, run_full).
    """
    if len(given) < rules.meld_min_cards:
        raise IllegalMove("too_short", f"{len(given)} cards")
    naturals = [face for _, face, _ in given if not is_wild(rules, face)]
    if len(naturals) < rules.min_naturals:
        raise IllegalMove("needs_natural", f"{len(naturals)} natural cards")
    check_majority(rules, len(naturals), len(given))
    check_claims(rules, given)
    first = naturals[0]
    if _is_set(rules, naturals, given):
        return Meld(owner, SET, set_cards(rules, first % 13, (), given))
    return _run(rules, owner, first // 13, given)


def check_majority(rules: RuleSet, naturals: int, cards: int) -> None:
    """Raises IllegalMove joker_majority where natural cards must be more than half and are not."""
    if rules.joker_majority and 2 * naturals <= cards:
        raise IllegalMove("joker_majority", f"{naturals} natural cards of {cards}")


def check_claims(rules: RuleSet, given: Sequence[Given]) -> None:
    """Raises IllegalMove joker_identity for a declared natural card, or a two declared as a two where it may not be."""
    for _, face, claim in given:
        if claim is None:
            continue
        if not is_wild(rules, face) or not (0 <= claim < 52 or ANY_SUIT <= claim < ANY_SUIT + 13):
            raise IllegalMove("joker_identity", "only a joker stands for a card")
        if claimed_rank(claim) == TWO and rules.two_as_joker and not rules.wild_two_may_be_two:
            raise IllegalMove("joker_identity", "a two may not stand for a two")


def claimed_rank(claim: int) -> int:
    """The rank in a declaration, with or without a suit."""
    return claim - ANY_SUIT if claim >= ANY_SUIT else claim % 13


def _is_set(rules: RuleSet, naturals: Sequence[int], given: Sequence[Given]) -> bool:
    first = naturals[0]
    if len(naturals) == 1:
        other_rank = any(claim is not None and claimed_rank(claim) != first % 13 for _, _, claim in given)
        if other_rank and rules.single_natural_is_set:
            raise IllegalMove("single_natural_is_set", "one natural card and jokers are a set")
        return not other_rank
    if all(face % 13 == first % 13 for face in naturals):
        return True
    if all(face // 13 == first // 13 for face in naturals):
        return False
    raise IllegalMove("not_a_meld", "neither one rank nor one suit")


# ------------------------------------------------------------------ sets


def set_cards(rules: RuleSet, rank: int, lying: tuple[MeldCard, ...], given: Sequence[Given]) -> tuple[MeldCard, ...]:
    """The cards of a set of this rank after `given` (all of the rank or wild) join those that lie there.

    Raises IllegalMove set_full, duplicate_suit, joker_identity or bridge_order.
    """
    size = len(lying) + len(given)
    wild = [is_wild(rules, face) for _, face, _ in given]
    suits = [0, 0, 0, 0]
    for card in lying:
        if card.stands_for < ANY_SUIT:
            suits[card.stands_for // 13] += 1
    for (_, face, _), is_joker in zip(given, wild, strict=True):
        if not is_joker:
            suits[face // 13] += 1
    if not rules.same_suit_twice_in_set and (max(suits) > 1 or size > 4):
        raise IllegalMove("duplicate_suit", "a suit would lie twice")
    if size > rules.set_max_cards:
        raise IllegalMove("set_full", f"{size} cards; {rules.set_max_cards} exist")
    if True not in wild:
        return lying + tuple(MeldCard(slot, face, face) for slot, face, _ in given)
    identities = _identities(rules, rank, lying, given, suits)
    return lying + tuple(
        MeldCard(slot, face, identities[i] if wild[i] else face, wild=wild[i])
        for i, (slot, face, _) in enumerate(given)
    )


def _identities(
    rules: RuleSet, rank: int, lying: tuple[MeldCard, ...], given: Sequence[Given], suits: list[int]
) -> list[int]:
    """What each wild card of `given` stands for; entries of natural cards are their faces."""
    result = [face for _, face, _ in given]
    wild = [i for i, (_, face, _) in enumerate(given) if is_wild(rules, face)]
    for i in wild:
        claim = given[i][2]
        if claim is not None and claimed_rank(claim) != rank:
            raise IllegalMove("joker_identity", "the declared card has another rank")
    if not rules.tracks_suit:
        for i in wild:
            result[i] = ANY_SUIT + rank
        return result
    if len(wild) == 1 and _bridge_applies(rules, lying, suits):
        result[wild[0]] = rank + 13 * _bridge_suit(lying, given, wild[0])
        return result
    open_ones: list[int] = []
    for i in wild:
        claim = given[i][2]
        if claim is None or claim >= ANY_SUIT:
            open_ones.append(i)
            continue
        suits[claim // 13] += 1
        if not rules.same_suit_twice_in_set and suits[claim // 13] > 1:
            raise IllegalMove("duplicate_suit", "the joker stands for a suit that lies there")
        if suits[claim // 13] > rules.decks:
            raise IllegalMove("joker_identity", "no further copy of the declared card exists")
        result[i] = claim
    for i in open_ones:
        # First a suit that is missing, then one with a copy left: some suit has one, the set is not over-full.
        suit = suits.index(0) if 0 in suits else next(s for s in range(4) if suits[s] < rules.decks)
        suits[suit] += 1
        result[i] = rank + 13 * suit
    return result


def _bridge_applies(rules: RuleSet, lying: tuple[MeldCard, ...], suits: Sequence[int]) -> bool:
    return (
        rules.joker_swap_match == "exact_bridge"
        and max(suits) == 1
        and sum(suits) <= 3
        and not any(card.wild for card in lying)
    )


def _bridge_suit(lying: tuple[MeldCard, ...], given: Sequence[Given], at: int) -> int:
    """The suit that makes the row a chain of neighbours in the circle; `at` is the joker's place in `given`."""
    row: list[int | None] = [card.face // 13 for card in lying]
    row += [None if i == at else face // 13 for i, (_, face, _) in enumerate(given)]
    fitting = []
    for suit in range(4):
        chain = [suit if s is None else s for s in row]
        steps = [abs(_CIRCLE[a] - _CIRCLE[b]) for a, b in pairwise(chain)]
        if len(set(chain)) == len(chain) and all(step in {1, 3} for step in steps):
            fitting.append(suit)
    claim = given[at][2]
    if claim is not None and claim < ANY_SUIT:
        fitting = [suit for suit in fitting if suit == claim // 13]
    if not fitting:
        raise IllegalMove("bridge_order", "no such suit continues the row")
    return fitting[0]


# ------------------------------------------------------------------ runs


def _run(rules: RuleSet, owner: int, suit: int, given: Sequence[Given]) -> Meld:
    ranks = suit_ranks(rules, suit, given)
    # A whole suit is a run with the ace at either end: first look only where these rules let an ace lie.
    allowed = (LOW_ACE if rules.ace_low else LOW_ACE + 1, HIGH_ACE if rules.ace_high else HIGH_ACE - 1)
    for ends in dict.fromkeys((allowed, (LOW_ACE, HIGH_ACE))):
        placed = _places(rules, given, ranks, *ends)
        if placed is not None:
            return run_meld(rules, owner, suit, placed)
    raise IllegalMove(_why_no_run(rules, given, ranks), "no run")


def _places(
    rules: RuleSet, given: Sequence[Given], ranks: Sequence[int | None], first: int, last: int
) -> list[tuple[int, Given]] | None:
    """The cards with their places between first and last, ascending: as listed, descending, or else out of order."""
    for row, known in ((given, ranks), (given[::-1], ranks[::-1])):
        low = _listed(known, first, last)
        if low is not None:
            return list(enumerate(row, low))
    return _unlisted(rules, given, ranks, first, last)


def suit_ranks(rules: RuleSet, suit: int, given: Sequence[Given]) -> list[int | None]:
    """Rank of every natural or declared card of a run in this suit, None for undeclared jokers.

    Raises IllegalMove does_not_fit for a natural card of another suit, joker_identity for a joker declared as one.
    """
    ranks: list[int | None] = []
    for _, face, claim in given:
        if not is_wild(rules, face):
            if face // 13 != suit:
                raise IllegalMove("does_not_fit", "another suit")
            ranks.append(face % 13)
        elif claim is None:
            ranks.append(None)
        elif claim >= ANY_SUIT or claim // 13 != suit:
            raise IllegalMove("joker_identity", "the declared card is of another suit")
        else:
            ranks.append(claim % 13)
    return ranks


def _listed(ranks: Sequence[int | None], first: int, last: int) -> int | None:
    """Place of the first card when the list is an ascending run as it stands between these places, else None."""
    lows: set[int] | None = None
    for i, rank in enumerate(ranks):
        if rank is None:
            continue
        here = {rank + 1 - i} if rank != ACE else {LOW_ACE - i, HIGH_ACE - i}
        lows = here if lows is None else lows & here
    fitting = [low for low in lows or () if low >= first and low + len(ranks) - 1 <= last]
    return min(fitting, default=None)


def _unlisted(
    rules: RuleSet, given: Sequence[Given], ranks: Sequence[int | None], first: int, last: int
) -> list[tuple[int, Given]] | None:
    """The places of cards listed out of order: undeclared jokers fill the gaps between the others."""
    known = [(rank, card) for rank, card in zip(ranks, given, strict=True) if rank is not None]
    free = [card for rank, card in zip(ranks, given, strict=True) if rank is None]
    for places in _options(rules, [rank for rank, _ in known]):
        if min(places) < first or max(places) > last:
            continue
        gaps = [place for place in range(min(places), max(places) + 1) if place not in places]
        if len(gaps) == len(free) and len({*places, *gaps}) >= rules.meld_min_cards:
            taken = _assign(places, [rank for rank, _ in known])
            placed = [(place, card) for place, (_, card) in zip(taken, known, strict=True)]
            placed += zip(gaps, free, strict=True)
            return sorted(placed, key=lambda pair: pair[0])
    return None


def _options(rules: RuleSet, ranks: Sequence[int]) -> list[list[int]]:
    """The ways to give cards of these ranks places, low ace first; empty when a place would be taken twice."""
    plain = sorted(rank + 1 for rank in ranks if rank != ACE)
    aces = len(ranks) - len(plain)
    if rules.duplicate_in_run:
        if max((plain.count(place) for place in plain), default=1) > rules.decks:
            return []
        ways = [[LOW_ACE] * low + plain + [HIGH_ACE] * (aces - low) for low in range(aces, -1, -1)]
        return [way for way in ways if max(way.count(LOW_ACE), way.count(HIGH_ACE)) <= rules.decks]
    if len(set(plain)) != len(plain) or aces > 2:
        return []
    return [[*[LOW_ACE] * low, *plain, *[HIGH_ACE] * (aces - low)] for low in (1, 0) if low <= aces and aces - low <= 1]


def _assign(places: Sequence[int], ranks: Sequence[int]) -> list[int]:
    """Which of `places` each rank takes, aces low first."""
    aces = [place for place in places if place in {LOW_ACE, HIGH_ACE}]
    return [rank + 1 if rank != ACE else aces.pop(0) for rank in ranks]


def _why_no_run(rules: RuleSet, given: Sequence[Given], ranks: Sequence[int | None]) -> str:
    options = _options(rules, [rank for rank in ranks if rank is not None])
    if _wraps(ranks) or _wraps(ranks[::-1]):
        return "ace_wrap"
    free = sum(rank is None for rank in ranks)
    if any(max(places) - min(places) + 1 - len(set(places)) < free for places in options):
        return "joker_identity"  # jokers remain when the gaps are filled: front or back must be said
    known = {rank for rank in ranks if rank is not None}
    if len(known) + free == len(ranks) and _window(known, len(ranks)):
        return "ace_wrap"
    # Would the jokers fit if nothing had been declared?
    bare = [face % 13 if not is_wild(rules, face) else None for _, face, _ in given]
    unclaimed = bare.count(None)
    if unclaimed > free:
        ways = _options(rules, [rank for rank in bare if rank is not None])
        if any(max(places) - min(places) + 1 <= len(ranks) for places in ways):
            return "joker_identity"
    return "not_a_meld"


def _wraps(ranks: Sequence[int | None]) -> bool:
    """Whether the list runs on through king, ace and two as it stands."""
    starts = {(rank - i) % 13 for i, rank in enumerate(ranks) if rank is not None}
    return len(starts) == 1


def _window(ranks: set[int], size: int) -> bool:
    """Whether `size` neighbours of the circle of ranks hold all these ranks."""
    return size <= 13 and any(all((rank - start) % 13 < size for rank in ranks) for start in range(13))


def run_meld(rules: RuleSet, owner: int, suit: int, placed: Sequence[tuple[int, Given]]) -> Meld:
    """The run with these cards at these ascending places.

    Raises IllegalMove ace_low_not_allowed, ace_high_not_allowed, ace_both_ends, run_full, or joker_identity when an
    undeclared two would stand for a two and may not.
    """
    low, high = placed[0][0], placed[-1][0]
    check_span(rules, low, high, len(placed))
    cards = [run_card(rules, suit, place, slot, face) for place, (slot, face, _) in placed]
    return Meld(owner, RUN, tuple(cards), low)


def run_card(rules: RuleSet, suit: int, place: int, slot: Slot, face: int) -> MeldCard:
    """The card as it lies at this place of a run. Raises IllegalMove joker_identity for a two as a barred two."""
    wild = is_wild(rules, face)
    stands_for = place_face(suit, place)
    if wild and stands_for % 13 == TWO and rules.two_as_joker and not rules.wild_two_may_be_two:
        raise IllegalMove("joker_identity", "a two may not stand for a two")
    return MeldCard(slot, face, stands_for, wild=wild)


def check_span(rules: RuleSet, low: int, high: int, cards: int) -> None:
    """Raises IllegalMove for a run whose ends or length the agreed rules do not allow."""
    if low == LOW_ACE and not rules.ace_low:
        raise IllegalMove("ace_low_not_allowed", "the ace is high only")
    if high == HIGH_ACE and not rules.ace_high:
        raise IllegalMove("ace_high_not_allowed", "the ace is low only")
    if low == LOW_ACE and high == HIGH_ACE and not rules.ace_both_ends:
        raise IllegalMove("ace_both_ends", "an ace at one end only")
    if cards > rules.run_max_cards:
        raise IllegalMove("run_full", f"{cards} cards; at most {rules.run_max_cards}")
