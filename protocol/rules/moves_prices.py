"""A relaxation of the search for the best laydown: suits and ranks apart from each other, held together by prices.

Each suit is played out alone (see `moves_suits`), and so is each rank: a card may go to a set whatever the others of
its rank do. What that makes too easy is paid for: whoever lays a joker pays its price, whoever lays a card in a set a
toll. The jokers at hand get the price back; the sets of a rank get the tolls of those cards that pay most, less the
jokers that so few cards need. By weak duality that is a bound from above at any price and any tolls. Good ones are
found by subgradient steps (Held, Wolfe and Crowder, 1974).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from .cards import face_of
from .moves_problem import Problem
from .moves_suits import DONE, END, SUITS, Cell, Suits

STEPS = 12
"""Subgradient steps: more of them take longer than the states that they spare the search."""
FIRST_PRICE = 20
"""What a joker costs before the first step, in points: about what it saves when there are some."""
_REACH = 70
_PATIENCE = 2
_SHRINK = 0.6
"""A step aims so many points below the least bound so far, and at less after so many steps without a lesser one."""
_MOMENTUM = 0.5
"""How much of a step's direction goes into the next."""

_NEVER = -(1 << 30)


@dataclass(slots=True)
class Prices:
    """What a joker costs, what a card of each face pays to lie in a set, and what everything is worth at that."""

    joker: int
    tolls: list[int]
    own: list[list[int]] = field(default_factory=list)
    """Per cell what its cards bring when runs take none of them, one, .."""
    nodes: list[int] = field(default_factory=lambda: [0])
    """Per node the most that a suit brings from there on."""
    back: list[int] = field(default_factory=list)
    """What the sets of the last ranks get back, of none of them, one, .."""


class Relaxation:
    """The relaxation of one problem. `first` and `last` are the places that a run can use."""

    def __init__(self, problem: Problem, first: int, last: int) -> None:
        self.problem = problem
        self.suits = Suits(problem, first, last)
        least = problem.rules.meld_min_cards
        self.roots = [self.suits.node(s, 1, 0, (0,) * least) for s in SUITS]
        self.jokers = problem.wilds + len(problem.swaps)
        self.offered: dict[int, list[int]] = {}
        for offer in sorted(problem.swaps, key=lambda offer: -offer.gain):
            self.offered.setdefault(offer.face, []).append(offer.gain + problem.joker_value)
        lies = {open_set.rank for open_set in problem.sets}
        self.held = [[face_of(s, r) for s in SUITS for _ in range(problem.counts[face_of(s, r)])] for r in range(13)]
        self.needed = [0 if r in lies else least for r in range(13)]
        self.may_set = [
            bool(cards) and n - len(cards) <= self.jokers for cards, n in zip(self.held, self.needed, strict=True)
        ]

    def usual(self, price: int) -> Prices:
        """Prices at which no set gets more back than its jokers cost."""
        tolls = [0] * 52
        for cards, needed in zip(self.held, self.needed, strict=True):
            for face in cards:
                tolls[face] = price * max(0, needed - len(cards)) // len(cards)
        return Prices(price, tolls)

    def best(self) -> Prices:
        """Prices made for this problem: those of the least bound that was found."""
        best = prices = self.usual(FIRST_PRICE)
        price, tolls = float(prices.joker), [float(toll) for toll in prices.tolls]
        down, downs = 0.0, [0.0] * 52
        least, reach, idle = 1 << 30, float(_REACH), 0
        for _ in range(STEPS):
            most, jokers, cards = self.bound(prices)
            if most < least:
                best, least, idle = prices, most, 0
            else:
                idle += 1
                if idle == _PATIENCE:
                    reach, idle = reach * _SHRINK, 0
            down = jokers + _MOMENTUM * down
            downs = [n + _MOMENTUM * before for n, before in zip(cards, downs, strict=True)]
            norm = down * down + sum(d * d for d in downs)
            if not norm:
                break
            step = (most - least + reach) / norm
            price = max(0.0, price - step * down)
            tolls = [toll - step * d for toll, d in zip(tolls, downs, strict=True)]
            prices = Prices(round(price), [round(toll) for toll in tolls])
        return best

    def bound(self, prices: Prices) -> tuple[int, int, list[int]]:
        """The bound of the whole problem; what is left of the jokers there, and of each face what sets ask too much."""
        self.weigh(prices)
        most = (self.problem.joker_value + prices.joker) * self.problem.wilds
        jokers = self.problem.wilds
        asked = [0] * 52
        for rank_ in range(13):
            back, faces = self._set(prices, rank_, 0, 0)
            most += back
            if faces:
                jokers -= max(0, self.needed[rank_] - len(faces))
            for face in faces:
                asked[face] += 1
        for node in self.roots:
            most += prices.nodes[node]
            jokers -= self._follow(prices, node, asked)
        return most, jokers, asked

    def _follow(self, prices: Prices, node: int, asked: list[int]) -> int:
        """Goes the best way from a node; takes the cards that lie in sets off `asked`. The jokers that it lays."""
        jokers = 0
        while node != DONE:
            number = self.suits.at[node]
            own, (face, place, held) = prices.own[number], self.suits.cells[number]
            taken, used, node = max(
                self.suits.edges[node], key=lambda edge: own[edge[0]] - prices.joker * edge[1] + prices.nodes[edge[2]]
            )
            jokers += used
            if place > 1 and self.may_set[face % 13] and prices.tolls[face] < self.problem.values[face]:
                asked[face] -= max(0, held - taken - len(self.offered.get(face, ())))
        return jokers

    # ------------------------------------------------------------------------------------------- suits

    def weigh(self, prices: Prices) -> None:
        """Finds what the nodes are worth of which it is not known yet."""
        nodes, own, price, suits = prices.nodes, prices.own, prices.joker, self.suits
        own.extend(self._own(prices, cell) for cell in suits.cells[len(own) :])
        start = len(nodes)
        for cell, edges in zip(suits.at[start:], suits.edges[start:], strict=True):
            gain = own[cell]
            nodes.append(max([gain[taken] - price * jokers + nodes[after] for taken, jokers, after in edges]))

    def _own(self, prices: Prices, cell: Cell) -> list[int]:
        """What the cards of a cell bring when runs take none, one, ..; aces that stay count at their high place."""
        face, place, held = cell
        value = self.problem.values[face]
        in_set = max(0, value - prices.tolls[face]) if place > 1 and self.may_set[face % 13] else 0
        swaps = [gain + prices.joker for gain in self.offered.get(face, ())] if place > 1 else []
        if not swaps:
            return [taken * value + (held - taken) * in_set for taken in range(held + 1)]
        alone = [
            max(sum(swaps[:swapped]) + (cards - swapped) * in_set for swapped in range(min(cards, len(swaps)) + 1))
            for cards in range(held + 1)
        ]
        return [taken * value + alone[held - taken] for taken in range(held + 1)]

    # ------------------------------------------------------------------------------------------- ranks

    def back(self, prices: Prices, place: int, suit_: int, chosen: int) -> int:
        """What sets get back from a place on, with so many cards chosen for one there by the suits before `suit_`."""
        if not prices.back:
            # The ranks of places 14, 13, .. 2: at its low place an ace lies in no set.
            prices.back.extend(accumulate((self._set(prices, r % 13, 0, 0)[0] for r in range(13, 0, -1)), initial=0))
        later = prices.back[END - 1 - place]
        return later + (self._set(prices, (place - 1) % 13, suit_, chosen)[0] if place > 1 else 0)

    def _set(self, prices: Prices, rank_: int, suit_: int, chosen: int) -> tuple[int, Sequence[int]]:
        """What sets of a rank get back at most, and the faces that they take from `suit_` on."""
        if not chosen and not self.may_set[rank_]:
            return 0, ()
        tolls, price, needed = prices.tolls, prices.joker, self.needed[rank_] - chosen
        faces = [face for face in self.held[rank_] if face >= 13 * suit_]
        faces.sort(key=tolls.__getitem__, reverse=True)
        best, cards, back = _NEVER if chosen else 0, 0, 0
        if chosen and needed <= self.jokers:
            best = -price * max(0, needed)
        for number, face in enumerate(faces, 1):
            back += tolls[face]
            jokers = max(0, needed - number)
            if jokers <= self.jokers and back - price * jokers > best:
                best, cards = back - price * jokers, number
        return best, faces[:cards]
