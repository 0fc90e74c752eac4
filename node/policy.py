"""How a bot plays: a pure function from what its seat sees to an action.

A bot is a peer like any other; it gets a `TableView` and nothing else. Given the same view it makes the same choice.
Its taste (what a card is worth in hand, when the pot pays) lives here; what is possible and best to lay comes from
`protocol.rules.moves`, and every play is checked by the engine before it is proposed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from protocol.errors import IllegalMove, InternalError
from protocol.rules import engine, moves
from protocol.rules.actions import Action, Draw, Exchange, Play, Slot, Step
from protocol.rules.cards import QUEEN_OF_SPADES
from protocol.rules.layoffs import lay_off
from protocol.rules.melds import is_wild
from protocol.rules.scoring import hand_card_points, points_table
from protocol.rules.state import Drawn, Meld, Phase, Round
from protocol.session.view import TableView

LIMIT = 2500
"""States a search of a bot may look at: a decision has to come within some 50 ms."""

JOKER_KEPT = 40
"""What a joker in hand is worth: nearly every hand finds a place for it."""
PAIR_KEPT = 7
NEXT_KEPT = 6
GAP_KEPT = 4
"""What two cards of one rank, two neighbours, or two cards with a gap between them are worth when live."""
QUEEN_FRIEND = 12
"""What a card is worth more that helps to lay the queen of spades in hand."""
STOCK_CARD = 10
"""What an unknown card from the stock is worth on average."""
POT_LEFT = 1
"""What a card of the pot is worth to those who come next."""
URGENCY_LEAST = 0.3
URGENCY_OUT = 1.15
URGENCY_STEP = 0.075
"""How likely a card in hand stays there until the end: at least, when the nearest has no card, less per card it has."""
CAUGHT = 9.0
"""Points that a card in the hand of others costs them when the round ends."""
JOKER_DANGER = 18.0
"""What the card is worth to the others that one of them can swap for a joker."""
JOKER_GIVEN = 40.0
"""What a joker in the pot is worth to the others."""
FIT_DANGER = 0.6
"""The part of its points that a card is worth to the next seat, onto whose melds it fits; half of it to others."""


def choose(view: TableView) -> Action:
    """The action of this seat now. Raises ValueError when it is not this seat's turn to choose.

    Never an illegal action: an InternalError would say that the engine refuses every way to end the turn.
    """
    state = view.round
    if state is None or view.me is None or state.mover != view.me or state.phase is Phase.OVER:
        raise ValueError("this seat has nothing to choose")
    mind = _Mind(state, view.me, {**state.faces, **view.faces})
    if state.phase is Phase.EXCHANGE:
        return mind.exchange()
    if state.phase is Phase.DRAW:
        return mind.draw_or_take()
    return mind.plan(take_pot=False).play


@dataclass(frozen=True, slots=True)
class _Plan:
    """A legal play and what the bot thinks of the position after it."""

    play: Play
    worth: float
    lays: bool


class _Mind:
    """What a seat knows and expects at one moment."""

    def __init__(self, state: Round, me: int, faces: Mapping[Slot, int]) -> None:
        self.state = state
        self.rules = state.rules
        self.me = me
        self.faces = faces
        self.points = points_table(self.rules)
        self.hand = state.hands[me]
        self.urgency = self._urgency()
        self.unseen = self._unseen()

    # ------------------------------------------------------------------------------------------ what is going on

    def _urgency(self) -> float:
        """How likely a card in hand stays there until the round ends: near 1 when somebody is about to go out."""
        fewest = min(self._held_by_others(), default=0)
        return max(URGENCY_LEAST, min(1.0, URGENCY_OUT - URGENCY_STEP * fewest))

    def _held_by_others(self) -> list[int]:
        """How many cards each of the others holds; seats without cards are out of the round."""
        return [len(hand) for seat, hand in enumerate(self.state.hands) if seat != self.me and hand]

    def _unseen(self) -> list[int]:
        """Copies of each face that are neither on the table, nor in the pot, nor in the own hand."""
        pack = self.rules.pack
        unseen = [pack.packs] * 52 + [pack.jokers]
        slots = {card.slot for meld in self.state.melds for card in meld.cards}
        slots.update(self.state.pot)
        slots.update(self.hand)
        for slot in slots:
            face = self.faces.get(slot)
            if face is not None and unseen[face]:
                unseen[face] -= 1
        return unseen

    def _ours(self, meld: Meld) -> bool:
        teams = self.state.team_of
        return meld.owner == self.me or (bool(teams) and teams[meld.owner] == teams[self.me])

    # ------------------------------------------------------------------------------------------ the hand

    def kept(self, face: int, others: Sequence[int]) -> float:
        """What a card is worth beside these others in hand: the melds that it may become part of."""
        if is_wild(self.rules, face):
            return JOKER_KEPT
        rank, suit = face % 13, face // 13
        worth = 0.0
        live_rank = sum(self.unseen[rank + 13 * s] for s in range(4))
        for other in others:
            if is_wild(self.rules, other):
                continue
            if other % 13 == rank:
                worth += PAIR_KEPT * min(1.0, live_rank / 4)
            elif other // 13 == suit:
                worth += self._as_run(rank, other % 13, suit)
        if (
            QUEEN_OF_SPADES in others
            and face != QUEEN_OF_SPADES
            and (rank == 11 or (suit == 0 and rank in {9, 10, 12}))
        ):
            worth += QUEEN_FRIEND
        return worth + 0.2 * self.points[face]

    def _as_run(self, one: int, other: int, suit: int) -> float:
        """What two ranks of one suit are worth together: whether the cards that they need can still come."""
        low, high = sorted((one, other))
        if low == 0 and high >= 11 and self.rules.ace_high:
            low, high = high, 13
        distance = high - low
        if distance == 2:
            return GAP_KEPT * min(1, self.unseen[suit * 13 + (low + 1)])
        if distance != 1:
            return 0.0
        ends = [end for end in (low - 1, high + 1) if 0 <= end <= 13]
        return NEXT_KEPT * min(1.0, sum(self.unseen[suit * 13 + end % 13] for end in ends) / 2)

    def burden(self, hand: Iterable[Slot]) -> float:
        """What a hand is expected to cost: its points as far as it stays, less what it may become."""
        faces = [self.faces[slot] for slot in hand]
        cost = 0.0
        for number, face in enumerate(faces):
            hope = self.kept(face, faces[:number] + faces[number + 1 :])
            cost += self.urgency * hand_card_points(self.rules, face) - (1 - self.urgency) * hope
        return cost

    # ------------------------------------------------------------------------------------------ discards

    def danger(self, face: int, melds: Sequence[Meld]) -> float:
        """What a discard gives to the others: a joker to swap for, a card for their melds, company for the queen."""
        danger = 0.0
        following = engine.seat_after(self.state.hands, self.me)
        for meld in melds:
            if self._ours(meld):
                continue
            if self.rules.joker_swap and any(c.wild and self._stands_for(c.stands_for, face) for c in meld.cards):
                danger += JOKER_DANGER
            elif not is_wild(self.rules, face) and self._fits(meld, face):
                danger += (FIT_DANGER if meld.owner == following else FIT_DANGER / 2) * self.points[face]
        if is_wild(self.rules, face):
            danger += JOKER_GIVEN
        if self.unseen[QUEEN_OF_SPADES] and (face % 13 == 11 or face in {10, 12}):
            danger += 4
        return danger

    def _stands_for(self, stands_for: int, face: int) -> bool:
        return face == stands_for if stands_for < 52 else stands_for % 64 == face % 13

    def _fits(self, meld: Meld, face: int) -> bool:
        try:
            lay_off(self.rules, meld, [(-1, face, None)], None)
        except IllegalMove:
            return False
        return True

    def discards(self, hand: Sequence[Slot], melds: Sequence[Meld]) -> list[Slot]:
        """The hand in the order in which it would be discarded, best first."""
        faces = {slot: self.faces[slot] for slot in hand}

        def worth(slot: Slot) -> float:
            face = faces[slot]
            others = [faces[other] for other in hand if other != slot]
            saved = self.urgency * hand_card_points(self.rules, face) - (1 - self.urgency) * self.kept(face, others)
            return saved - self.danger(face, melds)

        return sorted(hand, key=lambda slot: (-worth(slot), slot))

    # ------------------------------------------------------------------------------------------ plans

    def plan(self, *, take_pot: bool) -> _Plan:
        """The best legal play found, with the pot or after the draw. Raises InternalError when there is none."""
        for steps in self._ways(take_pot):
            plan = self._ended(steps, take_pot)
            if plan is not None:
                return plan
        raise InternalError("policy/stuck", "no legal way to end the turn")

    def _ways(self, take_pot: bool) -> Iterator[tuple[Step, ...]]:
        steps = moves.laydown(self.state, self.me, self.faces, take_pot=take_pot, limit=LIMIT).steps
        yield steps
        if steps:
            yield ()

    def _ended(self, steps: tuple[Step, ...], take_pot: bool) -> _Plan | None:
        """The play with these steps and the best discard that the engine takes."""
        try:
            after = engine.preview(self.state, self.me, take_pot, steps, self.faces)
        except IllegalMove:
            return None
        hand = after.hands[self.me]
        discards: list[Slot | None] = [*self.discards(hand, after.melds), None]
        for discard in discards:
            rest = [slot for slot in hand if slot != discard]
            call = len(rest) == 1 and self.rules.last_card_call != "none"
            play = Play(take_pot=take_pot, steps=steps, discard=discard, call_last=call)
            legal = self._legal(play)
            if legal is not None:
                gained = self._table(after) - self._table(self.state)
                worth = gained - self.burden(rest)
                if discard is not None:
                    worth -= self.danger(self.faces[discard], after.melds)
                if not rest:
                    worth += self._caught()
                return _Plan(legal, worth, bool(steps))
        return None

    def _legal(self, play: Play) -> Play | None:
        """The play with its proof, if the engine takes it from what all will see."""
        try:
            play = engine.with_proof(self.state, self.me, play, self.faces)
            opened = engine.slots_to_open(self.state, self.me, play)
            engine.play(self.state, self.me, play, {slot: self.faces[slot] for slot in opened})
        except IllegalMove:
            return None
        return play

    def _table(self, state: Round) -> int:
        return sum(self.points[card.face] for meld in state.melds if self._ours(meld) for card in meld.cards)

    def _caught(self) -> float:
        """What the others are expected to lose in hand when the round ends now, per seat."""
        others = self._held_by_others()
        return CAUGHT * sum(others) / max(len(others), 1)

    def draw_or_take(self) -> Action:
        """Take the pot when what it lets us lay outweighs what it leaves in hand, else draw."""
        if moves.pot_is_closed(self.state, self.me):
            return Draw()
        taken = self._taken()
        if taken is None or not taken.lays:
            return Draw()
        return taken.play if taken.worth > self._without_pot() else Draw()

    def _taken(self) -> _Plan | None:
        steps = moves.laydown(self.state, self.me, self.faces, take_pot=True, limit=LIMIT).steps
        return self._ended(steps, True) if steps else None

    def _without_pot(self) -> float:
        """What the position is worth after a draw: what can be laid anyway, and an unknown card for a discard."""
        drawn = replace(self.state, phase=Phase.PLAY, drawn=Drawn("stock", ()))
        steps = moves.laydown(drawn, self.me, self.faces, take_pot=False, limit=LIMIT).steps
        after = engine.preview(drawn, self.me, False, steps, self.faces)
        gained = self._table(after) - self._table(self.state)
        return gained - self.burden(after.hands[self.me]) + STOCK_CARD - POT_LEFT * len(self.state.pot)

    # ------------------------------------------------------------------------------------------ the exchange

    def exchange(self) -> Exchange:
        """Take the open card once, when it is worth clearly more than the card that goes back."""
        open_card = self.state.open_card
        if open_card is None or any(slot in self.state.faces for slot in self.hand):
            return Exchange(None)  # this hand has an open card from before: enough
        faces = [self.faces[slot] for slot in self.hand]
        gain = self.kept(self.faces[open_card], faces)
        allowed = [s for s in self.hand if self.faces[s] != QUEEN_OF_SPADES and not is_wild(self.rules, self.faces[s])]
        if self.faces[open_card] == QUEEN_OF_SPADES or not allowed:
            return Exchange(None)

        def hope(slot: Slot) -> float:
            return self.kept(self.faces[slot], [self.faces[other] for other in self.hand if other != slot])

        worst = min(allowed, key=lambda slot: (hope(slot), slot))
        return Exchange(worst) if gain > hope(worst) + 4 else Exchange(None)
