"""Whole rounds played by a careless random player, for properties that hold in every game."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from protocol.errors import IllegalMove
from protocol.rules import engine
from protocol.rules.actions import HIGH, LOW, Exchange, Lay, LayOff, Placed, Play, Slot, Step, Swap
from protocol.rules.engine import DrawOutcome
from protocol.rules.invariants import check_calls, check_conservation
from protocol.rules.melds import is_wild
from protocol.rules.ruleset import RuleSet
from protocol.rules.state import Phase, Round


@dataclass
class Playout:
    """One round with everything known to the test: the faces of all slots and the order of the stock."""

    rules: RuleSet
    n: int
    rng: random.Random
    faces: dict[Slot, int] = field(default_factory=dict)
    stock: list[Slot] = field(default_factory=list)
    turns: int = 0
    challenges: int = 0
    """Challenges that held."""
    watch: Callable[[Round, dict[Slot, int]], None] = lambda _state, _faces: None

    def deal(self) -> Round:
        """A shuffled deal with seat 0 to start."""
        pack = self.rules.pack
        cards = list(range(pack.size))
        self.rng.shuffle(cards)
        self.faces = {slot: pack.face(card) for slot, card in enumerate(cards)}
        h, n = self.rules.hand_size, self.n
        self.stock = list(range(h * n + 1, pack.size))
        return engine.start_round(
            self.rules,
            n,
            starter=0,
            hands=[range(h * seat, h * seat + h) for seat in range(n)],
            open_slot=h * n,
            open_face=self.faces[h * n],
            stock=len(self.stock),
        )

    def check(self, state: Round) -> Round:
        """The state itself, once no card is lost."""
        check_conservation(state, self.faces, self.stock)
        check_calls(state)
        self.watch(state, self.faces)
        return state

    def round(self) -> Round:
        """Plays a round to its end, checking conservation after every step."""
        state = self.check(self.deal())
        while state.phase is not Phase.OVER:
            if state.phase is Phase.EXCHANGE:
                returned = self.rng.choice([None, *state.hands[state.mover]])
                state = self.check(self._exchange(state, returned))
                continue
            state = self.accuse(self.check(self.turn(state)))
        return state

    def accuse(self, state: Round) -> Round:
        """Everybody who may challenge somebody now does so half of the time; the penalty cards are taken."""
        for offender in engine.punishable(state):
            challenger = self.rng.randrange(self.n)
            if self.rng.random() < 0.5 and engine.challenge_holds(state, challenger, offender):
                state = self.check(engine.challenge(state, challenger, offender))
                self.challenges += 1
        while engine.penalty_due(state) is not None:
            state = self.check(self._penalty(state))
        return state

    def _penalty(self, state: Round) -> Round:
        outcome = engine.penalty_outcome(state)
        if outcome is DrawOutcome.ROUND_ENDS:
            return engine.penalty_lapses(state)
        if outcome is DrawOutcome.SINGLE:
            return engine.penalty_single(state)
        if outcome is DrawOutcome.RESHUFFLE:
            state, old = engine.penalty_reshuffle(state)
            self._shuffle(old)
            self.check(state)
        return engine.penalty_draw(state, self.stock.pop(0))

    def _shuffle(self, old: tuple[Slot, ...]) -> None:
        cards = [self.faces[slot] for slot in old]
        self.rng.shuffle(cards)
        first = max(self.faces) + 1
        self.stock = list(range(first, first + len(cards)))
        self.faces.update(zip(self.stock, cards, strict=True))

    def _exchange(self, state: Round, returned: Slot | None) -> Round:
        try:
            return engine.exchange(state, state.mover, Exchange(returned), self.faces)
        except IllegalMove:
            return engine.exchange(state, state.mover, Exchange(None), self.faces)

    def turn(self, state: Round) -> Round:
        """One whole turn of the mover."""
        self.turns += 1
        if engine.must_end(state):
            return engine.end_round(state)
        if self.rng.random() < 0.5:
            for steps in self._pot_steps(state):
                try:
                    return self.rest(state, True, steps)
                except IllegalMove:
                    continue
        outcome = engine.draw_outcome(state)
        if outcome is DrawOutcome.ROUND_ENDS:
            return engine.end_round(state)
        if outcome is DrawOutcome.SINGLE:
            return self.rest(self.accuse(self.check(engine.draw_single(state, state.mover))), False, [])
        if outcome is DrawOutcome.RESHUFFLE:
            state, old = engine.reshuffle(state)
            self._shuffle(old)
            self.check(state)
        state = engine.draw(state, state.mover, self.stock.pop(0))
        return self.rest(self.accuse(self.check(state)), False, [])

    def _pot_steps(self, state: Round) -> Iterator[list[Step]]:
        if not state.pot:
            return
        yield []
        top = state.pot[-1]
        for meld in self.melds([*state.hands[state.mover], top]):
            if any(card.slot == top for card in meld.cards):
                yield [meld]

    def rest(self, state: Round, take_pot: bool, steps: list[Step]) -> Round:
        """Lays what happens to be possible and discards something; raises IllegalMove if the pot may not be taken."""
        seat = state.mover
        now = engine.preview(state, seat, take_pot, steps, self.faces)
        for _ in range(self.rng.randrange(4)):
            for step in self._some_steps(now):
                try:
                    now = engine.preview(state, seat, take_pot, [*steps, step], self.faces)
                except IllegalMove:
                    continue
                steps.append(step)
                self.check_hands(state, now)
                break
        called = self.rules.last_card_call != "none" and self.rng.random() < 0.5
        discards: list[Slot | None] = [*now.hands[seat]]
        self.rng.shuffle(discards)
        for discard in [*discards, None]:
            play = Play(take_pot=take_pot, steps=tuple(steps), discard=discard, call_last=called)
            play = engine.with_proof(state, seat, play, self.faces)
            opened = {slot: self.faces[slot] for slot in engine.slots_to_open(state, seat, play)}
            try:
                after = engine.play(state, seat, play, opened)
            except IllegalMove:
                continue
            assert after == engine.play(state, seat, play, self.faces), "a peer and the holder agree"
            return after
        raise AssertionError("a turn that cannot end")

    def check_hands(self, before: Round, now: Round) -> None:
        """Nobody else's hand changes in a turn."""
        for seat in range(self.n):
            assert seat == before.mover or now.hands[seat] == before.hands[seat]

    def melds(self, hand: list[Slot]) -> list[Lay]:
        """Some selections of three or four cards that may be melds."""
        wild = [slot for slot in hand if is_wild(self.rules, self.faces[slot])]
        plain = sorted((slot for slot in hand if slot not in wild), key=lambda slot: self.faces[slot])
        found: list[list[Slot]] = []
        for rank in range(13):
            same = [slot for slot in plain if self.faces[slot] % 13 == rank]
            found += [same] if len(same) > 2 else []
            found += [[*same, *wild[:1]]] if len(same) == 2 and wild else []
            found += [[*same, *wild[:2]]] if len(same) == 1 and len(wild) > 1 else []
        for start in range(52):
            run = [slot for face in range(start, start + 4) for slot in plain if self.faces[slot] == face][:4]
            found += [run, run[:3]] if len(run) > 2 else []
            found += [[run[0], *wild[:1], run[1]]] if len(run) == 2 and wild else []
        self.rng.shuffle(found)
        return [Lay(tuple(Placed(slot) for slot in cards)) for cards in found[:8]]

    def _some_steps(self, state: Round) -> Iterator[Step]:
        hand = list(state.hands[state.mover])
        yield from self.melds(hand)
        self.rng.shuffle(hand)
        for number, meld in enumerate(state.melds):
            for slot in hand[:6]:
                yield LayOff(number, (Placed(slot),), self.rng.choice([None, LOW, HIGH]))
                for position, card in enumerate(meld.cards):
                    if card.wild:
                        yield Swap(number, position, slot)
