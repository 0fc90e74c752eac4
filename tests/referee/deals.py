"""Positions to start from: dealt rounds, and positions put together at random to be full of jokers, queens and ends."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from protocol.errors import IllegalMove
from protocol.rules import engine
from protocol.rules.actions import Slot
from protocol.rules.cards import QUEEN_OF_SPADES, rank, suit
from protocol.rules.ruleset import RuleSet, check_players
from tests.referee.candidates import Candidates
from tests.referee.forms import Card, new_meld
from tests.referee.mirror import Pair, differences, to_round
from tests.referee.position import DRAW, EXCHANGE, PLAY, Position, RefusedError


@dataclass
class Game:
    """A position with everything hidden: the faces of all slots and the stock in its order."""

    pair: Pair
    faces: dict[Slot, int]
    deck: list[Slot] = field(default_factory=list)

    def new_slot(self) -> Slot:
        """A slot that was never used."""
        return max(self.faces) + 1


def fitting_seats(rules: RuleSet) -> list[int]:
    """The numbers of seats, two to seven, that the deck and the teams serve."""
    fits = []
    for n in range(2, 8):
        try:
            check_players(rules, n)
        except IllegalMove:
            continue
        fits.append(n)
    return fits


def some_seats(rules: RuleSet, rng: random.Random) -> int:
    """One of these numbers, two and four more often."""
    fits = fitting_seats(rules)
    return rng.choice([*fits, *(n for n in fits if n in {2, 4})])


def shuffled(rules: RuleSet, rng: random.Random) -> dict[Slot, int]:
    """The faces of a shuffled deck by slot."""
    cards = list(range(rules.pack.size))
    rng.shuffle(cards)
    return {slot: rules.pack.face(card) for slot, card in enumerate(cards)}


def dealt(rules: RuleSet, rng: random.Random) -> Game:
    """A dealt round, by both."""
    n = some_seats(rules, rng)
    faces = shuffled(rules, rng)
    size = rules.hand_size
    hands = [list(range(size * seat, size * seat + size)) for seat in range(n)]
    open_slot = size * n
    deck = list(range(open_slot + 1, rules.pack.size))
    starter = rng.randrange(n)
    state = engine.start_round(
        rules, n, starter=starter, hands=hands, open_slot=open_slot, open_face=faces[open_slot], stock=len(deck)
    )
    exchange = rules.opening_exchange != "none"
    position = Position(
        rules=rules,
        n=n,
        hands=hands,
        public={open_slot: faces[open_slot]},
        mover=starter,
        phase=EXCHANGE if exchange else DRAW,
        stock=len(deck),
        pot=[] if exchange else [open_slot],
        open_card=open_slot if exchange else None,
        starter=starter,
        down=[False] * n,
        teams=teams(rules, n),
        turns_taken=[0] * n,
    )
    assert not differences(state, position), differences(state, position)
    return Game(Pair(state, position), faces, deck)


def teams(rules: RuleSet, n: int) -> list[int]:
    """Team numbers, seated alternately; empty when everybody plays alone."""
    return [seat % (n // rules.team_size) for seat in range(n)] if rules.team_size else []


class Scatter:
    """Puts a position together from a shuffled deck."""

    def __init__(self, rules: RuleSet, rng: random.Random) -> None:
        self.rules = rules
        self.rng = rng
        self.faces = shuffled(rules, rng)
        self.left = list(self.faces)
        n = some_seats(rules, rng)
        turns = rng.choice([0, 1, 1, 1, 2])
        self.position = Position(
            rules=rules,
            n=n,
            hands=[[] for _ in range(n)],
            public={},
            mover=rng.randrange(n),
            phase=DRAW,
            stock=0,
            down=[False] * n,
            teams=teams(rules, n),
            turns_taken=[turns] * n,
        )

    def take(self, count: int) -> list[Slot]:
        """Cards from the deck."""
        taken, self.left = self.left[:count], self.left[count:]
        return taken

    def melds(self) -> None:
        """Lays a few legal melds for everybody."""
        position, rng = self.position, self.rng
        draft = Candidates(rng, position, self.faces)
        if rng.random() < 0.5:
            self.theme()
        for _ in range(rng.choice([0, 1, 2, 3, 4, 6])):
            owner = rng.randrange(position.n)
            if len(self.left) < 40:
                return
            step = draft.lay(self.left[:40])
            cards = [
                Card(c.slot, self.faces[c.slot], position.wild(self.faces[c.slot]), c.stands_for) for c in step.cards
            ]
            try:
                meld = new_meld(self.rules, owner, cards)
            except RefusedError:
                continue
            position.melds.append(meld)
            position.down[owner] = True
            for card in meld.cards:
                position.public[card.slot] = card.face
                self.left.remove(card.slot)

    def queens_first(self) -> None:
        """Puts the queens of spades where they are dealt soon."""
        queens = [slot for slot in self.left if self.faces[slot] == QUEEN_OF_SPADES]
        others = [slot for slot in self.left if slot not in queens]
        at = self.rng.randrange(3)
        self.left = [*others[:at], *queens, *others[at:]]

    def theme(self) -> None:
        """Puts cards that belong together on top: one suit, a few ranks, jokers; or a whole suit; or the queens."""
        rng = self.rng
        suits = rng.sample(range(4), rng.choice([0, 0, 1, 1, 2]))
        ranks = rng.sample(range(13), rng.choice([0, 1, 1, 2, 3, 5]))
        jokers = rng.random() < 0.6
        kind = rng.random()
        if kind < 0.15:
            suits, ranks = [rng.randrange(4)], []
        elif kind < 0.3:
            suits, ranks, jokers = [], [rank(QUEEN_OF_SPADES)], True

        def wanted(slot: Slot) -> bool:
            face = self.faces[slot]
            if self.position.wild(face):
                return jokers
            return suit(face) in suits or rank(face) in ranks

        first = [slot for slot in self.left if wanted(slot) and rng.random() < 0.95]
        seen = [self.faces[slot] for slot in first]
        copies = {slot: seen[:i].count(self.faces[slot]) for i, slot in enumerate(first)}
        # One of each kind first, so that a whole suit is a long run.
        first.sort(key=lambda slot: copies[slot])
        if rng.random() < 0.5:
            first.sort(key=lambda slot: not self.position.wild(self.faces[slot]))
        self.left = [*first, *(slot for slot in self.left if slot not in first)]

    def build(self) -> Game:
        """The position for both."""
        rng, position = self.rng, self.position
        self.melds()
        if rng.random() < 0.7:
            self.theme()
        if rng.random() < 0.3:
            self.queens_first()
        if rng.random() < 0.1:
            # One card for the mover; the queens that are left may come to the pot, and to nobody else.
            position.hands[position.mover] = self.take(1)
            self.left.sort(key=lambda slot: self.faces[slot] == QUEEN_OF_SPADES)
        sizes = [1, 1, 2, 2, 3, 4, 5, 7, 10, 14, 18]
        for seat in [position.mover, *range(position.n)]:
            room = len(self.left) - 2 * position.n
            if not position.hands[seat] and room > 0:
                position.hands[seat] = self.take(min(room, rng.choice(sizes)))
        self.piles()
        self.counters()
        if rng.random() < 0.6 and len(position.hands[position.mover]) > 1:
            position.phase = PLAY
            position.drawn_from = "stock"
            position.drawn = position.hands[position.mover][-1:]
        state = to_round(position)
        return Game(Pair(state, position), self.faces, self.left)

    def piles(self) -> None:
        """The pot and the stock, sometimes nearly empty."""
        rng, position = self.rng, self.position
        if rng.random() < 0.1:
            self.queens_first()
        position.pot = self.take(rng.choice([0, 1, 1, 2, 3, 5, 8]))
        position.public.update({slot: self.faces[slot] for slot in position.pot})
        if rng.random() < 0.3:
            self.left = self.left[: rng.choice([0, 0, 1, 2])]
        position.stock = len(self.left)

    def counters(self) -> None:
        """Who is down, how long nothing happened."""
        rng, position, rules = self.rng, self.position, self.rules
        for seat in range(position.n):
            position.down[seat] = position.down[seat] or rng.random() < 0.3
        if rng.random() < 0.3:
            position.turns_since_lay = rng.randrange(3 * position.n + 2)
            position.idle_turns = rng.randrange(position.turns_since_lay + 1)
            position.reshuffles = rng.randrange(3)
            position.laid_since_reshuffle = rng.random() < 0.3
        empty = rng.randrange(position.n)
        if rules.team_size and rules.team_going_out == "all" and rng.random() < 0.4 and empty != position.mover:
            position.hands[empty] = []


def scattered(rules: RuleSet, rng: random.Random) -> Game:
    """A position put together at random."""
    return Scatter(rules, rng).build()
