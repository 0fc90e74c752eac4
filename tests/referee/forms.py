"""What is a meld, and what may be added to one (matrix 2.4, 2.6, 3.4, 3.5), by trying every place.

A run occupies places 1 (low ace), 2 .. 13 (king), 14 (high ace). Nothing is clever here: a list of cards is a run when
some assignment of places works, and the reason code of a refusal is found by trying again with one rule left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from protocol.rules.actions import ANY_SUIT, HIGH, LOW
from protocol.rules.cards import SUITS, TWO, face_of, rank, suit
from protocol.rules.ruleset import RuleSet
from tests.referee.position import OnTable, RefusedError, TableMeld, refuse_if

CIRCLE = range(-13, 29)
"""Places when the row went round for ever: 13 king, 14 ace, 15 two: only to tell ace_wrap from no run at all."""


@dataclass
class Card:
    """A card to be laid: natural when `wild` is False; `claim` is what the player says it stands for."""

    slot: int
    face: int
    wild: bool
    claim: int | None


def claim_rank(claim: int) -> int:
    """The rank a declaration names."""
    return claim - ANY_SUIT if claim >= ANY_SUIT else rank(claim)


def rank_at(place: int) -> int:
    """The rank that belongs at a place, also beyond 1..14."""
    return (place - 1) % 13


def may_lie_at(card: Card, place: int, suit_: int) -> bool:
    """Whether the card may have this place in a run of this suit; an undeclared joker may have any."""
    named = card.claim if card.wild else card.face
    return named is None or named == face_of(suit_, rank_at(place))


def check_suit_named(cards: Sequence[Card], suit_: int) -> None:
    """Raises joker_identity for a joker in a run that is declared with another suit or with none (spec R83)."""
    for card in cards:
        named = card.claim if card.wild else None
        refuse_if(named is not None and (named >= ANY_SUIT or suit(named) != suit_), "joker_identity")


def straight(cards: Sequence[Card], low: int, suit_: int) -> bool:
    """Whether the cards, as listed, lie at low, low + 1, and so on."""
    return all(may_lie_at(card, low + i, suit_) for i, card in enumerate(cards))


def as_listed(cards: Sequence[Card], lows: Sequence[int], suit_: int) -> list[tuple[int, Card]] | None:
    """Places for the cards in the listed order, ascending or else descending."""
    for row in (list(cards), list(reversed(cards))):
        for low in lows:
            if straight(row, low, suit_):
                return [(low + i, card) for i, card in enumerate(row)]
    return None


def fill(cards: Sequence[Card], places: Sequence[int], suit_: int) -> list[tuple[int, Card]] | None:
    """Places for the cards in any order that take exactly `places`; undeclared jokers fill what is left over."""
    fixed = [card for card in cards if not (card.wild and card.claim is None)]
    free = [card for card in cards if card.wild and card.claim is None]
    choices = [[place for place in places if may_lie_at(card, place, suit_)] for card in fixed]
    for chosen in product(*choices):
        if len(set(chosen)) != len(chosen):
            continue
        rest = [place for place in places if place not in chosen]
        if len(rest) == len(free):
            return sorted([*zip(chosen, fixed, strict=True), *zip(rest, free, strict=True)], key=lambda pair: pair[0])
    return None


def inner_fill(cards: Sequence[Card], window: Sequence[int], suit_: int) -> list[tuple[int, Card]] | None:
    """As `fill` for any row of places in the window whose two ends are not undeclared jokers."""
    for low in window:
        places = range(low, low + len(cards))
        if places[-1] > max(window):
            break
        row = fill(cards, places, suit_)
        if row and all(not (card.wild and card.claim is None) for card in (row[0][1], row[-1][1])):
            return row
    return None


def find_run(cards: Sequence[Card], window: Sequence[int], suit_: int) -> list[tuple[int, Card]] | None:
    """The run that the cards make within the window of places: as listed, else with the inner gaps filled."""
    lows = [low for low in window if low + len(cards) - 1 <= max(window)]
    return as_listed(cards, lows, suit_) or inner_fill(cards, window, suit_)


def check_aces(rules: RuleSet, low: int, high: int) -> None:
    """Raises RefusedError when the row low..high has an ace where these rules have none, or is too long."""
    refuse_if(low == 1 and not rules.ace_low, "ace_low_not_allowed")
    refuse_if(high == 14 and not rules.ace_high, "ace_high_not_allowed")
    refuse_if(low == 1 and high == 14 and not rules.ace_both_ends, "ace_both_ends")
    refuse_if(high - low + 1 > rules.run_max_cards, "run_full")


def run_meld(rules: RuleSet, owner: int, cards: Sequence[Card], suit_: int) -> TableMeld:
    """The run the cards make. Raises RefusedError where they make none."""
    check_suit_named(cards, suit_)
    # Of several readings (an ace is low or high) any that the rules allow will do.
    first: RefusedError | None = None
    for window in windows(rules):
        row = find_run(cards, window, suit_)
        if row is None:
            continue
        try:
            check_aces(rules, row[0][0], row[-1][0])
            check_two_in_run(rules, row)
        except RefusedError as error:
            first = first or error
            continue
        return TableMeld(owner, "run", placed_in_run(row, suit_), row[0][0])
    if first is not None:
        raise first
    refuse_if(as_listed(cards, CIRCLE, suit_) is not None, "ace_wrap")
    # A joker too many for the gaps: front or back must be said.
    refuse_if(jokers_to_blame(cards, suit_), "joker_identity")
    rows = [range(low, low + len(cards)) for low in CIRCLE if len(cards) <= 13]
    refuse_if(any(fill(cards, row, suit_) for row in rows), "ace_wrap")
    # Without what is declared it would be a run.
    silent = [Card(card.slot, card.face, card.wild, None) for card in cards]
    refuse_if(jokers_to_blame(silent, suit_), "joker_identity")
    raise RefusedError("not_a_meld")


def windows(rules: RuleSet) -> Iterator[range]:
    """The places the rules allow, then all places there are."""
    yield range(1 if rules.ace_low else 2, 15 if rules.ace_high else 14)
    yield range(1, 15)


def check_two_in_run(rules: RuleSet, row: Sequence[tuple[int, Card]]) -> None:
    """Raises joker_identity where a joker stands for a two and may not."""
    stands = any(card.wild and rank_at(place) == TWO for place, card in row)
    refuse_if(stands and rules.two_as_joker and not rules.wild_two_may_be_two, "joker_identity")


def placed_in_run(row: Sequence[tuple[int, Card]], suit_: int) -> list[OnTable]:
    """The cards of a run as they lie."""
    return [OnTable(card.slot, card.face, face_of(suit_, rank_at(place)), card.wild) for place, card in row]


def jokers_to_blame(cards: Sequence[Card], suit_: int) -> bool:
    """Whether the other cards could lie in a run with that many undeclared jokers, were they placed otherwise."""
    fixed = [card for card in cards if not (card.wild and card.claim is None)]
    jokers = len(cards) - len(fixed)
    for places in product(*([p for p in range(1, 15) if may_lie_at(card, p, suit_)] for card in fixed)):
        if len(set(places)) == len(places) and max(places) - min(places) + 1 - len(places) <= jokers:
            return jokers > 0
    return False


# ------------------------------------------------------------------ sets


def set_meld(rules: RuleSet, owner: int, lying: Sequence[OnTable], cards: Sequence[Card], rank_: int) -> TableMeld:
    """The set of this rank with these cards added to those that lie. Raises RefusedError where it may not be."""
    for card in cards:
        refuse_if(not card.wild and rank(card.face) != rank_, "does_not_fit")
    total = len(lying) + len(cards)
    if not rules.same_suit_twice_in_set:
        check_suits_differ(lying, cards, total)
    refuse_if(total > 4 * rules.decks, "set_full")
    for card in cards:
        wrong = card.wild and card.claim is not None and claim_rank(card.claim) != rank_
        refuse_if(wrong, "joker_identity")
    no_two = rules.two_as_joker and not rules.wild_two_may_be_two
    refuse_if(no_two and rank_ == TWO and any(card.wild for card in cards), "joker_identity")
    if not rules.tracks_suit:
        added = [OnTable(c.slot, c.face, ANY_SUIT + rank_ if c.wild else c.face, c.wild) for c in cards]
        return TableMeld(owner, "set", [*lying, *added])
    claims = bridge_claims(rules, lying, cards, rank_)
    return TableMeld(owner, "set", [*lying, *with_suits(rules, lying, cards, claims, rank_)])


def check_suits_differ(lying: Sequence[OnTable], cards: Sequence[Card], total: int) -> None:
    """Raises duplicate_suit where a suit would lie twice, or more than four cards (jokers take missing suits)."""
    suits = [suit(card.stands_for) for card in lying if card.stands_for < ANY_SUIT]
    suits += [suit(card.face) for card in cards if not card.wild]
    refuse_if(len(set(suits)) != len(suits) or total > 4, "duplicate_suit")


def with_suits(
    rules: RuleSet, lying: Sequence[OnTable], cards: Sequence[Card], claims: Sequence[int | None], rank_: int
) -> list[OnTable]:
    """The added cards with the suit of every joker. Raises joker_identity for a copy that cannot exist."""
    count = [0] * 4
    for on_table in lying:
        count[suit(on_table.stands_for)] += 1
    for card in cards:
        if not card.wild:
            count[suit(card.face)] += 1
    # A natural card is real, whatever a joker stands for already; a joker needs a copy that can still exist.
    for claim in claims:
        if claim is not None:
            count[suit(claim)] += 1
            refuse_if(not rules.same_suit_twice_in_set and count[suit(claim)] > 1, "duplicate_suit")
            refuse_if(count[suit(claim)] > rules.decks, "joker_identity")
    added = []
    for card, claim in zip(cards, claims, strict=True):
        stands_for = card.face
        if card.wild and claim is not None:
            stands_for = claim
        elif card.wild:
            free = [s for s in range(4) if count[s] == 0] or [s for s in range(4) if count[s] < rules.decks]
            stands_for = face_of(free[0], rank_)
            count[free[0]] += 1
        added.append(OnTable(card.slot, card.face, stands_for, card.wild))
    return added


CIRCLE_OF_SUITS = ["DHSC".index(letter) for letter in SUITS]
"""Where each suit stands in the circle diamonds - hearts - spades - clubs - diamonds."""


def neighbours(one: int, other: int) -> bool:
    """Whether two suits are next to each other in the circle."""
    return (CIRCLE_OF_SUITS[one] - CIRCLE_OF_SUITS[other]) % 4 in {1, 3}


def bridge_claims(rules: RuleSet, lying: Sequence[OnTable], cards: Sequence[Card], rank_: int) -> list[int | None]:
    """The declarations of the cards, and under exact_bridge the suit that the row gives to a single joker."""
    claims = [card.claim if card.wild and card.claim is not None and card.claim < ANY_SUIT else None for card in cards]
    if rules.joker_swap_match != "exact_bridge" or any(card.wild for card in lying):
        return claims
    jokers = [i for i, card in enumerate(cards) if card.wild]
    naturals = [suit(card.face) for card in lying if not card.wild]
    naturals += [suit(card.face) for card in cards if not card.wild]
    if len(jokers) != 1 or len(set(naturals)) != len(naturals) or len(naturals) == 4:
        return claims
    at = jokers[0]
    before = len(lying) + at
    fitting = []
    for suit_ in range(4):
        row = [*naturals[:before], suit_, *naturals[before:]]
        if len(set(row)) == len(row) and all(neighbours(row[i], row[i + 1]) for i in range(len(row) - 1)):
            fitting.append(face_of(suit_, rank_))
    refuse_if(not fitting, "bridge_order")
    if claims[at] is None:
        claims[at] = fitting[0]
    refuse_if(claims[at] not in fitting, "bridge_order")
    return claims


# ------------------------------------------------------------------ a new meld


def check_declarations(rules: RuleSet, cards: Sequence[Card]) -> None:
    """Raises joker_identity for a natural card that is said to stand for something (even for itself, spec R80)."""
    for card in cards:
        refuse_if(not card.wild and card.claim is not None, "joker_identity")
        if card.claim is not None:
            refuse_if(card.claim not in [*range(52), *range(ANY_SUIT, ANY_SUIT + 13)], "joker_identity")
            no_two = rules.two_as_joker and not rules.wild_two_may_be_two
            refuse_if(no_two and claim_rank(card.claim) == TWO, "joker_identity")


def check_majority(rules: RuleSet, naturals: int, jokers: int) -> None:
    """Raises joker_majority unless natural cards are more than half, where the rules want that."""
    refuse_if(rules.joker_majority and jokers > 0 and naturals <= jokers, "joker_majority")


def new_meld(rules: RuleSet, owner: int, cards: Sequence[Card]) -> TableMeld:
    """The meld these cards make, in the order of checks of matrix 3.4. Raises RefusedError."""
    naturals = [card for card in cards if not card.wild]
    jokers = [card for card in cards if card.wild]
    refuse_if(len(cards) < rules.meld_min_cards, "too_short")
    refuse_if(len(naturals) < rules.min_naturals, "needs_natural")
    check_majority(rules, len(naturals), len(jokers))
    check_declarations(rules, cards)
    ranks = {rank(card.face) for card in naturals}
    suits = {suit(card.face) for card in naturals}
    first = naturals[0].face
    if len(naturals) == 1:
        as_set = all(card.claim is None or claim_rank(card.claim) == rank(first) for card in jokers)
        if as_set:
            return set_meld(rules, owner, [], cards, rank(first))
        refuse_if(rules.single_natural_is_set, "single_natural_is_set")
        return run_meld(rules, owner, cards, suit(first))
    if len(ranks) == 1:
        return set_meld(rules, owner, [], cards, rank(first))
    refuse_if(len(suits) > 1, "not_a_meld")
    return run_meld(rules, owner, cards, suit(first))


# ------------------------------------------------------------------ a larger meld


def larger_meld(rules: RuleSet, meld: TableMeld, cards: Sequence[Card], side: str | None) -> TableMeld:
    """The meld with these cards laid off. Raises RefusedError where they do not fit."""
    refuse_if(not cards, "does_not_fit")
    check_declarations(rules, cards)
    if meld.kind == "set":
        refuse_if(side is not None, "does_not_fit")
        ranks = [claim_rank(card.stands_for) for card in meld.cards]
        grown = set_meld(rules, meld.owner, meld.cards, cards, ranks[0])
    else:
        grown = longer_run(rules, meld, cards, side)
    jokers = sum(card.wild for card in grown.cards)
    check_majority(rules, len(grown.cards) - jokers, jokers)
    return grown


def longer_run(rules: RuleSet, meld: TableMeld, cards: Sequence[Card], side: str | None) -> TableMeld:
    """The run with these cards at its ends."""
    suit_ = suit(meld.cards[0].stands_for)
    for card in cards:
        refuse_if(not card.wild and suit(card.face) != suit_, "does_not_fit")
        check_suit_named([card], suit_)
    low, high = meld.low, meld.low + len(meld.cards) - 1
    found = [row for row in extensions(cards, low, high, side, suit_) if row[0][0] >= 1 and row[-1][0] <= 14]
    if not found:
        raise RefusedError(why_no_extension(cards, low, high, side))
    # Of two ends only those count that the rules allow; a choice of one is no choice.
    allowed = [row for row in found if may_become(rules, row, low, high)]
    undeclared = any(card.wild and card.claim is None for card in cards)
    refuse_if(len(allowed) > 1, "joker_identity" if undeclared else "does_not_fit")
    row = (allowed or found)[0]
    check_aces(rules, min(low, row[0][0]), max(high, row[-1][0]))
    check_two_in_run(rules, row)
    below = [pair for pair in row if pair[0] < low]
    above = [pair for pair in row if pair[0] > high]
    laid = [*placed_in_run(below, suit_), *meld.cards, *placed_in_run(above, suit_)]
    return TableMeld(meld.owner, "run", laid, low - len(below))


def may_become(rules: RuleSet, row: Sequence[tuple[int, Card]], low: int, high: int) -> bool:
    """Whether the rules allow the run low..high to grow by this row."""
    try:
        check_aces(rules, min(low, row[0][0]), max(high, row[-1][0]))
        check_two_in_run(rules, row)
    except RefusedError:
        return False
    return True


def why_no_extension(cards: Sequence[Card], low: int, high: int, side: str | None) -> str:
    """The reason code, of both ends the first of ace_wrap, joker_identity, does_not_fit (spec R92)."""
    k = len(cards)
    codes = []
    for here, start in ((HIGH, high + 1), (LOW, low - k)):
        if side in {here, None}:
            codes.append(why_not_there(cards, range(start, start + k)))
    return next(code for code in ("ace_wrap", "joker_identity", "does_not_fit") if code in codes)


def why_not_there(cards: Sequence[Card], places: Sequence[int]) -> str:
    """Why the cards do not take exactly these places: the first card without one, else the ace that ends the row."""
    free = list(places)
    for card in cards:
        face = card.claim if card.wild else card.face
        if face is None:
            continue
        here = [place for place in free if rank_at(place) == rank(face)]
        if not here:
            return "joker_identity" if card.wild else "does_not_fit"
        free.remove(here[0])
    return "ace_wrap"


def extensions(
    cards: Sequence[Card], low: int, high: int, side: str | None, suit_: int
) -> Iterator[list[tuple[int, Card]]]:
    """Every way to put the cards at an end of the row low..high, in any order, else at both ends.

    Undeclared jokers take the places that are left, ascending, as listed (spec R92; the matrix does not say).
    """
    k = len(cards)
    one_end = False
    for here, start in ((HIGH, high + 1), (LOW, low - k)):
        if side in {here, None}:
            row = fill(cards, range(start, start + k), suit_)
            if row:
                one_end = True
                yield row
    if side is None and not one_end and not any(card.wild and card.claim is None for card in cards):
        for below in range(1, k):
            row = fill(cards, [*range(low - below, low), *range(high + 1, high + 1 + k - below)], suit_)
            if row:
                yield row
