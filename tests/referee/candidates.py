"""Random moves for a position: sensible steps found by looking at the cards, and the same moves spoiled.

Nothing here decides what is legal; the more of both kinds come out, the better.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

from protocol.rules import moves
from protocol.rules.actions import ANY_SUIT, HIGH, LOW, Lay, LayOff, Placed, Play, Slot, Step, Swap
from protocol.rules.cards import QUEEN_OF_SPADES, face_of, rank, suit
from protocol.rules.state import Round
from tests.referee.forms import rank_at
from tests.referee.position import Position, TableMeld


class Candidates:
    """Random steps and plays for one seat of one position; `faces` are all faces of its hand and of the table."""

    def __init__(self, rng: random.Random, position: Position, faces: Mapping[Slot, int]) -> None:
        self.rng = rng
        self.position = position
        self.faces = faces

    def naturals(self, hand: Sequence[Slot]) -> list[Slot]:
        """The cards of the hand that are no jokers."""
        return [slot for slot in hand if not self.position.wild(self.faces[slot])]

    def jokers(self, hand: Sequence[Slot]) -> list[Slot]:
        """The jokers of the hand."""
        return [slot for slot in hand if self.position.wild(self.faces[slot])]

    # -------------------------------------------------------------- new melds

    def lay(self, hand: Sequence[Slot], must: Slot | None = None) -> Lay:
        """A set or a run, with jokers now and then; with the card `must` in it where one is named."""
        kind = self.rng.random()
        cards = self.set_of(hand, must) if kind < 0.45 else self.run_of(hand, must) if kind < 0.95 else []
        if len(cards) < 3 and self.rng.random() < 0.8:
            cards = self.set_of(hand, must) if kind >= 0.45 else self.run_of(hand, must)
        if not cards:
            some = self.rng.sample(list(hand), min(len(hand), self.rng.choice([2, 3, 3, 4])))
            cards = [Placed(slot) for slot in some]
        return Lay(tuple(cards))

    def set_of(self, hand: Sequence[Slot], must: Slot | None) -> list[Placed]:
        """Cards of the rank the hand has most of, or of any rank, with some jokers."""
        naturals, jokers = self.naturals(hand), self.jokers(hand)
        if not naturals:
            return [Placed(slot) for slot in jokers[:3]]
        start = must if must in naturals else self.rng.choice(naturals)
        assert start is not None
        same = [slot for slot in naturals if rank(self.faces[slot]) == rank(self.faces[start])]
        self.rng.shuffle(same)
        same = same[: self.rng.choice([1, 2, 3, 3, 4, 5, 8, 16])]
        if start not in same:
            same[-1] = start
        cards = [Placed(slot) for slot in same]
        want = 1 if len(same) >= 3 and self.rng.random() < 0.4 else max(0, 3 - len(same))
        if self.rng.random() < 0.15:
            want += self.rng.choice([1, 1, 2, 8])
        used = [must] if must in jokers else []
        used += [slot for slot in jokers if slot not in used]
        for slot in used[: max(want, int(must in jokers))]:
            cards.insert(self.rng.randrange(len(cards) + 1), Placed(slot, self.claim(rank(self.faces[start]))))
        return cards

    def claim(self, rank_: int) -> int | None:
        """A declaration for a joker in a set of this rank."""
        return self.rng.choice([None, None, ANY_SUIT + rank_, *(face_of(s, rank_) for s in range(4))])

    def run_of(self, hand: Sequence[Slot], must: Slot | None) -> list[Placed]:
        """Neighbours of one suit, jokers in the gaps or at an end."""
        naturals, jokers = self.naturals(hand), self.jokers(hand)
        if not naturals:
            return []
        start = must if must in naturals else self.rng.choice(naturals)
        assert start is not None
        suit_ = suit(self.faces[start])
        at: dict[int, Slot] = {}
        for slot in naturals:
            if suit(self.faces[slot]) == suit_ and (slot == start or self.rng.random() < 0.95):
                place = rank(self.faces[slot]) + 1
                if place == 1 and (at.get(1) is not None or self.rng.random() < 0.5):
                    place = 14
                if at.get(place) != start:
                    at[place] = slot
        here = next((place for place, slot in at.items() if slot == start), 1)
        length = self.rng.choice([3, 3, 3, 4, 4, 5, 6, 8, 13, 14])
        low = here - self.rng.randrange(length)
        if self.rng.random() < 0.95:
            low = max(1, min(low, 15 - length))
        cards = []
        spare = list(jokers)
        self.rng.shuffle(spare)
        if must in spare:
            spare.remove(must)
            spare.append(must)
        budget = self.rng.choice([0, 1, 1, 2, 3, 8])
        for place in range(low, low + length):
            if place in at:
                cards.append(Placed(at[place]))
            elif spare and budget:
                budget -= 1
                named = face_of(suit_, rank_at(place))
                claims = [None, named, named] if self.rng.random() < 0.95 else [ANY_SUIT + rank_at(place)]
                cards.append(Placed(spare.pop(), self.rng.choice(claims)))
            elif place > here and len(cards) >= 3:
                break
            else:
                cards = [] if place < here else cards
        if self.rng.random() < 0.2:
            cards.reverse()
        elif self.rng.random() < 0.2:
            self.rng.shuffle(cards)
        return cards

    # -------------------------------------------------------------- what lies

    def lay_off(self, hand: Sequence[Slot], melds: Sequence[TableMeld]) -> LayOff | None:
        """One to three cards that look as if they fit a meld."""
        if not melds or not hand:
            return None
        own = [i for i, meld in enumerate(melds) if meld.owner == self.position.mover]
        number = self.rng.choice(own) if own and self.rng.random() < 0.7 else self.rng.randrange(len(melds))
        meld = melds[number]
        wanted = self.fitting(meld)
        cards: list[Placed] = []
        some = list(hand)
        self.rng.shuffle(some)
        limit = self.rng.choice([1, 1, 1, 2, 2, 3, 6])
        for slot in some:
            if len(cards) < limit and (self.faces[slot] in wanted or self.position.wild(self.faces[slot])):
                cards.append(Placed(slot, self.layoff_claim(wanted) if self.position.wild(self.faces[slot]) else None))
        if not cards or self.rng.random() < 0.03:
            cards = [Placed(slot) for slot in some[:limit]]
        sides = [None] if meld.kind == "set" else [LOW, HIGH, HIGH, None]
        side = self.rng.choice(sides) if self.rng.random() < 0.95 else self.rng.choice([LOW, HIGH, None])
        return LayOff(number, tuple(cards), side)

    def fitting(self, meld: TableMeld) -> list[int]:
        """Faces that would extend the meld."""
        first = meld.cards[0]
        if meld.kind == "set":
            natural = next(card.face for card in meld.cards if not card.wild)
            return [face_of(s, rank(natural)) for s in range(4)]
        low, high = meld.low, meld.low + len(meld.cards) - 1
        suit_ = suit(first.stands_for)
        return [face_of(suit_, rank_at(place)) for place in (low - 1, high + 1, high + 2, low - 2)]

    def layoff_claim(self, wanted: Sequence[int]) -> int | None:
        """A declaration for a joker that is laid off."""
        return self.rng.choice([None, None, *wanted])

    def swap(self, hand: Sequence[Slot], melds: Sequence[TableMeld]) -> Swap | None:
        """A card that looks right for a joker on the table."""
        places = [(m, i) for m, meld in enumerate(melds) for i, card in enumerate(meld.cards) if card.wild]
        if not places or not hand:
            return None
        number, at = self.rng.choice(places)
        named = melds[number].cards[at].stands_for
        good = [
            slot
            for slot in hand
            if self.faces[slot] == named or (named >= ANY_SUIT and rank(self.faces[slot]) == named - ANY_SUIT)
        ]
        if not good and self.rng.random() < 0.9:
            return None
        return Swap(number, at, self.rng.choice(good or list(hand)))

    def step(self, hand: Sequence[Slot], melds: Sequence[TableMeld]) -> Step | None:
        """Any step."""
        if not hand:
            return None
        kind = self.rng.random()
        if kind < 0.5:
            return self.lay(hand)
        return self.lay_off(hand, melds) if kind < 0.8 else self.swap(hand, melds)

    def generated(self, state: Round, hand: Sequence[Slot]) -> Step | None:
        """A step that the program itself would propose."""
        faces = {slot: self.faces[slot] for slot in hand}
        kind = self.rng.random()
        found: list[Step] = []
        if kind < 0.5:
            found += moves.melds(state.rules, faces)
        elif kind < 0.8:
            found += moves.layoffs(state, state.mover, faces)
        else:
            found += moves.swaps(state, state.mover, faces)
        return self.rng.choice(found) if found else None

    # -------------------------------------------------------------- whole plays

    def discard(self, hand: Sequence[Slot]) -> Slot | None:
        """A card to discard, seldom the queen of spades."""
        if not hand:
            return None
        calm = [slot for slot in hand if self.faces[slot] != QUEEN_OF_SPADES]
        return self.rng.choice(calm if calm and self.rng.random() < 0.9 else list(hand))

    def spoil(self, play: Play, everywhere: Sequence[Slot]) -> Play:
        """The play with one or two things changed."""
        for _ in range(self.rng.choice([1, 1, 2])):
            play = self.spoil_once(play, everywhere)
        return play

    def spoil_once(self, play: Play, everywhere: Sequence[Slot]) -> Play:
        """The play with one thing changed."""
        rng = self.rng
        steps = list(play.steps)
        kind = rng.choice([0, 1, 2, 3, 4, 4, 5, 5, *range(6, 16)])
        if kind == 0 and rng.random() < 0.3:
            return replace(play, take_pot=not play.take_pot)
        if kind == 1:
            return replace(play, discard=rng.choice([None, *everywhere]))
        if kind == 2 and rng.random() < 0.3:
            return replace(play, shown=tuple(rng.sample(list(everywhere), min(2, len(everywhere)))))
        if kind == 3:
            return replace(play, discard=rng.choice([*self.position.hands[self.position.mover], None]))
        if not steps:
            return replace(play, discard=rng.choice([None, *everywhere]))
        at = rng.randrange(len(steps))
        if kind == 4:
            del steps[at]
        elif kind == 5:
            rng.shuffle(steps)
        else:
            steps[at] = self.spoil_step(steps[at], everywhere)
        return replace(play, steps=tuple(steps))

    def spoil_step(self, step: Step, everywhere: Sequence[Slot]) -> Step:
        """The step with one thing changed."""
        rng = self.rng
        if isinstance(step, Swap):
            kind = rng.randrange(3)
            if kind == 0:
                return replace(step, slot=rng.choice(everywhere))
            if kind == 1:
                return replace(step, position=rng.randrange(-1, 4))
            return replace(step, meld=rng.randrange(-1, len(self.position.melds) + 2))
        cards = list(step.cards)
        if not cards:
            return step
        at = rng.randrange(len(cards))
        hand = self.position.hands[self.position.mover]
        kind = rng.randrange(7)
        if kind == 0:
            cards[at] = replace(cards[at], slot=rng.choice(everywhere if rng.random() < 0.2 else hand))
        elif kind == 1:
            jokers = [i for i, card in enumerate(cards) if self.position.wild(self.faces[card.slot])]
            at = rng.choice(jokers or [at])
            claims = [*range(52), *range(ANY_SUIT, ANY_SUIT + 13)]
            near = [
                face
                for face in (self.faces[card.slot] + d for card in cards for d in (-2, -1, 0, 1, 2))
                if 0 <= face < 52
            ]
            cards[at] = replace(cards[at], stands_for=rng.choice([None, rng.choice(claims), *near]))
        elif kind == 2:
            del cards[at]
        elif kind in {3, 6}:
            cards.insert(
                rng.choice([0, at, len(cards)]), Placed(rng.choice(everywhere if rng.random() < 0.2 else hand))
            )
        elif kind == 4:
            rng.shuffle(cards)
        elif isinstance(step, LayOff):
            other = rng.randrange(-1, len(self.position.melds) + 2)
            return rng.choice([replace(step, side=rng.choice([LOW, HIGH, None])), replace(step, meld=other)])
        return replace(step, cards=tuple(cards))
