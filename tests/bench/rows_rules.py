"""The budgets of the rules: checked moves per second over whole random rounds, and the best laydown of a full hand.

A move is a draw or a play (the rest of a turn as one whole). Times are processor times: other processes of the
machine shall not decide whether a bound holds.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from statistics import median

from protocol.errors import IllegalMove
from protocol.rules import engine, moves
from protocol.rules.actions import Play, Slot, Step
from protocol.rules.cards import QUEEN_OF_SPADES
from protocol.rules.engine import DrawOutcome
from protocol.rules.ruleset import RuleSet, preset
from protocol.rules.state import Drawn, Phase, Round
from tests.bench.harness import Meter, Row, at_least, at_most, quantile

ROUNDS = 40
SEATS = 4

Move = tuple[Slot, Mapping[Slot, int]] | tuple[Play, Mapping[Slot, int]]
"""A drawn slot, or a play with the faces it opens."""


class Recorder:
    """Rounds of a random player that moves by generation: every move it makes is generated and checked."""

    def __init__(self, rules: RuleSet, seed: int) -> None:
        self.rules = rules
        self.rng = random.Random(seed)
        self.faces: dict[Slot, int] = {}
        self.start: Round | None = None
        self.moves: list[Move] = []

    def round(self) -> None:
        """Plays until somebody is out or the stock is empty; the moves are kept."""
        pack, h = self.rules.pack, self.rules.hand_size
        cards = list(range(pack.size))
        self.rng.shuffle(cards)
        self.faces = {slot: pack.face(card) for slot, card in enumerate(cards)}
        stock = list(range(h * SEATS + 1, pack.size))
        state = self.start = engine.start_round(
            self.rules,
            SEATS,
            starter=0,
            hands=[range(h * seat, h * seat + h) for seat in range(SEATS)],
            open_slot=h * SEATS,
            open_face=self.faces[h * SEATS],
            stock=len(stock),
        )
        while state.phase is Phase.DRAW and engine.draw_outcome(state) is DrawOutcome.STOCK:
            slot = stock.pop(0)
            state = engine.draw(state, state.mover, slot)
            self.moves.append((slot, {}))
            state = self._play(state)

    def _play(self, state: Round) -> Round:
        """One of the generated steps, if there is any, and a random discard."""
        seat = state.mover
        hand = {slot: self.faces[slot] for slot in state.hands[seat]}
        ways = moves.next_steps(state, seat, hand)
        steps: tuple[Step, ...] = (self.rng.choice(ways),) if ways else ()
        used = {card.slot for step in steps if hasattr(step, "cards") for card in step.cards}
        left = [slot for slot, face in hand.items() if slot not in used and face != QUEEN_OF_SPADES]
        while True:
            discard = self.rng.choice(left or list(hand))
            play = Play(steps=steps, discard=discard)
            opened = {slot: hand[slot] for slot in engine.slots_to_open(state, seat, play)}
            try:
                after = engine.play(state, seat, play, opened)
            except IllegalMove:
                if not steps:
                    play = engine.with_proof(state, seat, play, hand)
                    opened = {slot: hand[slot] for slot in engine.slots_to_open(state, seat, play)}
                    after = engine.play(state, seat, play, opened)
                else:
                    steps, left = (), [s for s, face in hand.items() if face != QUEEN_OF_SPADES]
                    continue
            self.moves.append((play, opened))
            return after


def replay(start: Round, recorded: list[Move]) -> Round:
    """The final state of a recorded round, every move checked again."""
    state = start
    for what, opened in recorded:
        if isinstance(what, Play):
            state = engine.play(state, state.mover, what, opened)
        else:
            state = engine.draw(state, state.mover, what)
    return state


def rows(meter: Meter) -> Iterator[Row]:
    """All rows of the rules."""
    del meter  # nothing here multiplies points
    yield from _random_play()
    yield from _laydowns("klassiek")
    yield from _laydowns("modern")


def _random_play() -> Iterator[Row]:
    generated: list[float] = []
    replayed: list[float] = []
    for seed in range(ROUNDS):
        recorder = Recorder(preset("klassiek"), seed)
        begin = time.process_time()
        recorder.round()
        middle = time.process_time()
        assert recorder.start is not None
        replay(recorder.start, recorder.moves)
        end = time.process_time()
        generated.append((middle - begin) / len(recorder.moves))
        replayed.append((end - middle) / len(recorder.moves))
    yield at_least("random play with move generation, klassiek", 1 / median(generated), 20_000, "moves/s")
    yield at_least("replay of the same rounds", 1 / median(replayed), 60_000, "moves/s")


def _laydowns(name: str) -> Iterator[Row]:
    """The best laydown of random hands, for 30 cards at a key press and for the hand of a normal turn."""
    rules = preset(name)
    for size, bound in ((30, 30.0), (14, 5.0)):
        times = []
        for seed in range(200):
            state, faces = _turn(rules, seed, size)
            begin = time.process_time()
            moves.laydown(state, 0, faces, take_pot=False)
            times.append(1000 * (time.process_time() - begin))
        yield at_most(f"best laydown of {size} random cards, {name} (median)", median(times), bound, "ms")
        yield at_most(f"  nine of ten ({size} cards, {name})", quantile(times, 0.9), bound, "ms")
        if size == 30:
            yield at_most(f"  99 of a hundred ({size} cards, {name})", quantile(times, 0.99), bound, "ms")


def _turn(rules: RuleSet, seed: int, size: int) -> tuple[Round, dict[Slot, int]]:
    """The middle of a turn with `size` random cards in hand."""
    recorder = Recorder(rules, seed)
    recorder.round()
    assert recorder.start is not None
    hand = recorder.rng.sample(sorted(recorder.faces), size)
    others = tuple((1000 + seat,) for seat in range(1, SEATS))
    state = replace(recorder.start, phase=Phase.PLAY, hands=(tuple(hand), *others), drawn=Drawn("stock", (hand[0],)))
    return state, {slot: recorder.faces[slot] for slot in hand}
