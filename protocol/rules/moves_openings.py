"""First lays where the rules ask for a minimum: melds that together just reach it (matrix 2.5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from .actions import Lay, Placed, Slot, Step
from .cards import JOKER, TWO
from .moves_shapes import WILD, Cards, Item
from .moves_steps import melds
from .ruleset import RuleSet
from .scoring import points_table


class Openings:
    """The possible openings with cards whose faces are `known`."""

    def __init__(self, rules: RuleSet, known: Mapping[Slot, int]) -> None:
        self.rules = rules
        self.known = known
        self.worth = points_table(rules)
        self.joker = TWO if rules.two_as_joker else JOKER

    def after(self, first: tuple[Lay, ...], cards: Cards) -> Iterator[tuple[Step, ...]]:
        """Melds, after `first`, that together just reach the opening minimum, fewest cards first."""
        rules = self.rules
        countable = [lay for lay in first if self._counts(lay)]
        have = sum(self._points(lay) for lay in countable)
        if have >= rules.opening_minimum:
            yield first
            return
        wilds = cards.wilds if rules.opening_joker == "allowed" else ()
        hand = {slot: face for face, slots in cards.naturals.items() for slot in slots}
        hand.update(dict.fromkeys(wilds, self.joker))
        lays = sorted(melds(rules, hand), key=lambda lay: (len(lay.cards), -self._points(lay)))
        for lay in lays:
            if self._points(lay) + (have if rules.opening_several_melds else 0) >= rules.opening_minimum:
                yield (*first, lay)
        if rules.opening_several_melds:
            yield from self._pairs(first, have, cards, [lay for lay in lays if len(lay.cards) <= 4])

    def _pairs(self, first: tuple[Lay, ...], have: int, cards: Cards, lays: list[Lay]) -> Iterator[tuple[Step, ...]]:
        """Two or three further melds of which each is needed."""
        least = self.rules.opening_minimum - have
        for number, one in enumerate(lays):
            p = self._points(one)
            if p >= least:
                continue
            for other in lays[number:]:
                pair = self._disjoint((one, other), cards)
                q = p + self._points(other)
                if pair is None or self._points(other) >= least:
                    continue
                if q >= least:
                    yield (*first, *pair)
                    continue
                for third in lays[number:]:
                    three = self._disjoint((one, other, third), cards)
                    if three is not None and q + self._points(third) >= least:
                        yield (*first, *three)

    def _disjoint(self, lays: Sequence[Lay], cards: Cards) -> tuple[Lay, ...] | None:
        """The same melds made of different cards, or None when there are not enough."""
        result: list[Lay] = []
        try:
            for lay in lays:
                placed, cards = cards.take([self._item(card) for card in lay.cards])
                result.append(Lay(placed))
        except IndexError:
            return None
        return tuple(result)

    def _item(self, card: Placed) -> Item:
        return self.known[card.slot] if card.stands_for is None else WILD + card.stands_for

    def _points(self, lay: Lay) -> int:
        return sum(self.worth[self.known[card.slot]] for card in lay.cards)

    def _counts(self, lay: Lay) -> bool:
        jokers = any(card.stands_for is not None for card in lay.cards)
        return self.rules.opening_joker == "allowed" or not jokers
