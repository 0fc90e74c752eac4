"""Tables of bots and other players on the bare rules engine: no cryptography, no network, everything from a seed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from protocol.errors import IllegalMove
from protocol.rules import engine, moves, scoring
from protocol.rules.actions import Action, Draw, Exchange, Play, Slot, Step
from protocol.rules.engine import DrawOutcome
from protocol.rules.invariants import check_conservation
from protocol.rules.ruleset import RuleSet, for_players
from protocol.rules.state import Phase, Round
from protocol.session.view import Checks, Player, Stage, TableView

Choose = Callable[[TableView], Action]
MOST_TURNS = 1500
"""Turns after which a round counts as endless."""


@dataclass
class Tally:
    """What happened in the rounds of one run."""

    rounds: int = 0
    turns: int = 0
    pots: int = 0
    outs: int = 0
    steps: Counter[str] = field(default_factory=Counter)
    longest: int = 0
    points: list[int] = field(default_factory=list)
    queens_caught: int = 0

    def line(self) -> str:
        """One line of statistics for people."""
        means = ", ".join(f"{points / max(1, self.rounds):.1f}" for points in self.points)
        return (
            f"{self.rounds} rounds, {self.turns / max(1, self.rounds):.1f} turns each (longest {self.longest}), "
            f"{self.pots} pots, {self.outs} outs, {dict(self.steps)}, {self.queens_caught} queens caught; "
            f"mean points {means}"
        )


class BotTable:
    """Seats with a policy each, dealt to from a seed; every state is checked for lost cards."""

    def __init__(self, rules: RuleSet, players: Sequence[Choose], seed: int) -> None:
        self.rules = for_players(rules, len(players))
        self.players = players
        self.n = len(players)
        self.rng = random.Random(seed)
        self.faces: dict[Slot, int] = {}
        self.stock: list[Slot] = []
        self.tally = Tally(points=[0] * self.n)
        self.starter = 0

    def deal(self) -> Round:
        """A shuffled deal; the next seat starts."""
        pack = self.rules.pack
        cards = list(range(pack.size))
        self.rng.shuffle(cards)
        self.faces = {slot: pack.face(card) for slot, card in enumerate(cards)}
        h = self.rules.hand_size
        self.stock = list(range(h * self.n + 1, pack.size))
        starter, self.starter = self.starter, (self.starter + 1) % self.n
        return engine.start_round(
            self.rules,
            self.n,
            starter=starter,
            hands=[range(h * seat, h * seat + h) for seat in range(self.n)],
            open_slot=h * self.n,
            open_face=self.faces[h * self.n],
            stock=len(self.stock),
        )

    def view(self, state: Round) -> TableView:
        """What the mover may see: public cards and its own hand."""
        me = state.mover
        known = {**state.faces, **{slot: self.faces[slot] for slot in state.hands[me]}}
        return TableView(
            table=bytes(16),
            players=tuple(Player(name=f"bot {seat}", bot=True, key=bytes(32)) for seat in range(self.n)),
            me=me,
            rules=self.rules,
            rules_name="test",
            stage=Stage.PLAYING,
            round_number=1,
            round=state,
            faces=known,
            waiting_for=(me,),
            totals=(0,) * self.n,
            results=(),
            checks=Checks(),
            winners=(),
            fault=None,
            step=0,
            head=bytes(32),
            max_rounds=0,
            seeded=True,
        )

    def round(self) -> tuple[int, ...]:
        """Play a round to its end; the points of the seats."""
        state = self.deal()
        turns = offers = 0
        while state.phase is not Phase.OVER:
            check_conservation(state, self.faces, self.stock)
            if state.phase is Phase.EXCHANGE:
                offers += 1
                assert offers <= 3 * self.n, "an exchange without end"
                state = self._exchange(state)
                continue
            turns += 1
            assert turns <= MOST_TURNS, "a round without end"
            state = self._turn(state)
        check_conservation(state, self.faces, self.stock)
        return self._count(state, turns)

    def _count(self, state: Round, turns: int) -> tuple[int, ...]:
        points = tuple(entry.total for entry in scoring.round_points(state, self.faces))
        tally = self.tally
        tally.rounds += 1
        tally.turns += turns
        tally.longest = max(tally.longest, turns)
        tally.outs += state.out is not None
        tally.points = [a + b for a, b in zip(tally.points, points, strict=True)]
        tally.queens_caught += sum(self.faces[slot] == 11 for hand in state.hands for slot in hand)
        return points

    def _exchange(self, state: Round) -> Round:
        action = self.players[state.mover](self.view(state))
        assert isinstance(action, Exchange)
        return engine.exchange(state, state.mover, action, self.faces)

    def _turn(self, state: Round) -> Round:
        if engine.must_end(state):
            return engine.end_round(state)
        seat = state.mover
        action = self.players[seat](self.view(state))
        if isinstance(action, Draw):
            drawn = self._draw(state)
            if drawn.phase is Phase.OVER:
                return drawn
            state = drawn
            action = self.players[seat](self.view(state))
        assert isinstance(action, Play)
        self.tally.pots += action.take_pot
        self.tally.steps.update(type(step).__name__ for step in action.steps)
        opened = {slot: self.faces[slot] for slot in engine.slots_to_open(state, seat, action)}
        return engine.play(state, seat, action, opened)

    def _draw(self, state: Round) -> Round:
        outcome = engine.draw_outcome(state)
        if outcome is DrawOutcome.ROUND_ENDS:
            return engine.end_round(state)
        if outcome is DrawOutcome.SINGLE:
            return engine.draw_single(state, state.mover)
        if outcome is DrawOutcome.RESHUFFLE:
            state, old = engine.reshuffle(state)
            cards = [self.faces[slot] for slot in old]
            self.rng.shuffle(cards)
            first = max(self.faces) + 1
            self.stock = list(range(first, first + len(cards)))
            self.faces.update(zip(self.stock, cards, strict=True))
        return engine.draw(state, state.mover, self.stock.pop(0))

    def game(self, most: int = 200) -> scoring.Match:
        """Play rounds until the match is over (or `most` rounds, which counts as endless)."""
        match = scoring.Match.start(self.rules, self.n)
        while not match.is_over:
            assert match.rounds < most, "a game without end"
            match = match.add(self.round())
        return match


class Careless:
    """A player of random legal moves: it lays, lays off and swaps what it happens to see, and discards blindly."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def __call__(self, view: TableView) -> Action:
        """Some legal action."""
        state, me = view.round, view.me
        assert state is not None
        assert me is not None
        if state.phase is Phase.EXCHANGE:
            return Exchange(None)
        if state.phase is Phase.DRAW:
            if moves.pot_is_free(state) and not moves.pot_is_closed(state, me) and self.rng.random() < 0.2:
                return self._rest(state, me, view.faces, take_pot=True)
            return Draw()
        return self._rest(state, me, view.faces, take_pot=False)

    def _rest(self, state: Round, me: int, faces: Mapping[Slot, int], *, take_pot: bool) -> Play:
        steps: list[Step] = []
        now = engine.preview(state, me, take_pot, steps, faces)
        for _ in range(3):
            hand = {slot: faces[slot] for slot in now.hands[me]}
            ways: list[Step] = [*moves.melds(state.rules, hand), *moves.layoffs(now, me, hand)]
            ways += moves.swaps(now, me, hand)
            if not ways:
                break
            step = self.rng.choice(ways)
            try:
                now = engine.preview(state, me, take_pot, [*steps, step], faces)
            except IllegalMove:
                continue
            steps.append(step)
        discards: list[Slot | None] = [*now.hands[me]]
        self.rng.shuffle(discards)
        for discard in [*discards, None]:
            play = Play(take_pot=take_pot, steps=tuple(steps), discard=discard)
            try:
                play = engine.with_proof(state, me, play, faces)
                engine.play(state, me, play, faces)
            except IllegalMove:
                continue
            return play
        raise AssertionError("a turn that cannot end")
