"""Differential fuzzing: random games and random positions, every move judged by engine and referee.

`fuzz` walks from position to position. At each it tries a play that is meant to be legal, spoiled copies of it, and
moves out of turn or phase, each told once with the whole hand open (as the mover sees it) and once with only the opened
cards (as the others see it). Seeds are fixed by the caller: the same seed gives the same moves.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

from protocol.errors import IllegalMove
from protocol.rules import engine, scoring
from protocol.rules.actions import Draw, Exchange, LayOff, Play, Slot, Step, Swap
from protocol.rules.state import Phase
from tests.referee import judge
from tests.referee.candidates import Candidates
from tests.referee.deals import Game, dealt, scattered
from tests.referee.house import rule_cards
from tests.referee.mirror import OUTCOMES, Divergence, Move, Pair, compare, describe, differences
from tests.referee.position import DRAW, EXCHANGE, OVER, PLAY, Position, RefusedError
from tests.referee.score import round_scores
from tests.referee.steps import close_opening, do_step, take_pot
from tests.referee.turn import Turn, copy_of


@dataclass
class Report:
    """What was tried and what was found."""

    moves: int = 0
    comparisons: int = 0
    """More than moves: a play is judged with its mover's hand open and with the opened cards only."""
    codes: Counter[str] = field(default_factory=Counter)
    """How often every verdict was given by both."""
    steps: Counter[str] = field(default_factory=Counter)
    """Steps in plays that both called legal."""
    rules: int = 0
    rounds_over: int = 0
    divergences: list[Divergence] = field(default_factory=list)

    @property
    def illegal(self) -> int:
        """Moves that both refused."""
        asked = sum(count for code, count in self.codes.items() if code.startswith("draw: ") or code == "scored")
        return self.moves - asked - self.codes["legal"] - len(self.divergences)


LATER = {
    *("discard_required", "only_queen_left", "must_keep_discard", "below_opening_minimum", "opening_joker"),
    *("no_going_out_first_turn", "no_going_out_opening_turn", "pot_top_must_meld"),
}
"""Refusals of a play without its end that more steps and a discard may mend."""


class Walker:
    """Walks through one game, comparing as it goes."""

    def __init__(self, rng: random.Random, game: Game, report: Report) -> None:
        self.rng = rng
        self.game = game
        self.report = report
        self.stuck = False

    @property
    def pair(self) -> Pair:
        """Where the game stands."""
        return self.game.pair

    def known(self, seat: int) -> dict[Slot, int]:
        """What a seat sees: its own hand."""
        return {slot: self.game.faces[slot] for slot in self.pair.position.hands[seat]}

    def try_move(self, seat: int, move: Move, opened: Mapping[Slot, int], *, again: bool = False) -> Pair | None:
        """Compares one move; the next position where both call it legal. `again`: counted before, told otherwise."""
        result = compare(self.pair, seat, move, opened, self.game.faces)
        self.report.comparisons += 1
        self.report.moves += not again
        if isinstance(result, Divergence):
            self.report.divergences.append(result)
            return None
        if again:
            return result[1]
        self.report.codes[result[0]] += 1
        if result[1] is not None and isinstance(move, Play):
            self.report.steps.update(type(step).__name__ for step in move.steps)
        return result[1]

    # -------------------------------------------------------------- plays

    def good_play(self, *, take_pot: bool) -> Play:
        """A play put together step by step so that it is legal as far as it goes."""
        position, rng = self.pair.position, self.rng
        seat = position.mover
        faces = {**self.game.faces}
        steps: list[Step] = []
        play = Play(take_pot=take_pot)
        for attempt in range(rng.choice([0, 1, 2, 4, 6, 10])):
            now, laid = self.look(play, seat)
            draft = Candidates(rng, now, faces)
            hand = now.hands[seat]
            step: Step | None
            if take_pot and not laid and position.pot:
                top = position.pot[-1]
                kind = rng.random()
                step = draft.lay([*hand, top], must=top) if kind < 0.7 else draft.lay_off([top], now.melds)
                step = step if kind < 0.9 else draft.step([*hand, top], now.melds)
            elif rng.random() < 0.3 and self.pair.state.phase is Phase.PLAY and not laid:
                step = draft.generated(self.pair.state, hand)
            else:
                step = draft.step(hand, now.melds)
            if step is None:
                continue
            longer = replace(play, steps=(*play.steps, step))
            if self.verdict(longer, seat) in {"legal", *LATER} or (attempt == 9 and rng.random() < 0.3):
                play = longer
                steps.append(step)
        return replace(play, discard=self.best_discard(play, seat))

    def best_discard(self, play: Play, seat: int) -> Slot | None:
        """A discard that makes the play legal, if there is one among a few."""
        now, _ = self.look(play, seat)
        draft = Candidates(self.rng, now, self.game.faces)
        hand = now.hands[seat]
        chosen = draft.discard(hand)
        for _ in range(3):
            if self.verdict(replace(play, discard=chosen), seat) == "legal":
                return chosen
            chosen = draft.discard(hand)
        return chosen

    def look(self, play: Play, seat: int) -> tuple[Position, bool]:
        """The position in the middle of a play, as far as the referee gets, and whether anything was done."""
        position = self.pair.position
        turn = Turn(copy_of(position), seat, self.known(seat), list(position.hands[seat]))
        try:
            if play.take_pot:
                take_pot(turn, play)
            for step in play.steps:
                if isinstance(step, LayOff | Swap):
                    close_opening(turn)
                do_step(turn, step)
        except RefusedError:
            pass
        return turn.at, bool(play.steps)

    def verdict(self, play: Play, seat: int) -> str:
        """What the referee says to a play."""
        try:
            judge.play(self.pair.position, seat, play, self.known(seat))
        except RefusedError as error:
            return error.code
        return "legal"

    def try_play(self, seat: int, play: Play) -> Pair | None:
        """Compares a play as its mover sees it and as everybody else does."""
        known = self.known(seat)
        if self.rng.random() < 0.9:
            with suppress(IllegalMove):
                play = engine.with_proof(self.pair.state, seat, play, known)
        before = len(self.report.divergences)
        self.try_move(seat, play, known)
        if len(self.report.divergences) > before:
            return None
        named = [card.slot for step in play.steps if not isinstance(step, Swap) for card in step.cards]
        named += [step.slot for step in play.steps if isinstance(step, Swap)]
        named += [*play.shown, *([] if play.discard is None else [play.discard])]
        return self.try_move(seat, play, {slot: known[slot] for slot in named if slot in known}, again=True)

    def plays(self, *, take_pot: bool) -> list[Pair]:
        """Compares a good play and spoiled ones; the positions that legal ones lead to."""
        position = self.pair.position
        seat = position.mover
        reached = []
        for _ in range(2):
            play = self.good_play(take_pot=take_pot)
            reached.append(self.try_play(seat, play))
            spoiler = Candidates(self.rng, position, self.game.faces)
            everywhere = [*position.hands[seat], *position.hands[seat], *position.pot]
            everywhere += [card.slot for meld in position.melds for card in meld.cards]
            everywhere += position.hands[(seat + 1) % position.n][:2]
            reached += [self.try_play(seat, spoiler.spoil(play, everywhere)) for _ in range(2)]
        if self.rng.random() < 0.1:
            self.try_play(self.rng.randrange(position.n), play)
        if not take_pot:
            reached += self.single_steps()
        return [pair for pair in reached if pair is not None]

    def single_steps(self) -> list[Pair | None]:
        """Compares plays of one step, right or wrong, with an end that would do."""
        position, rng = self.pair.position, self.rng
        seat = position.mover
        draft = Candidates(rng, position, self.game.faces)
        hand = position.hands[seat]
        reached = []
        for _ in range(4):
            step = draft.step(hand, position.melds)
            if step is None:
                continue
            if rng.random() < 0.5:
                step = draft.spoil_step(step, hand)
            play = Play(steps=(step,))
            reached.append(self.try_play(seat, replace(play, discard=self.best_discard(play, seat))))
        return reached

    # -------------------------------------------------------------- phases

    def exchange(self) -> None:
        """One offer of the opening exchange."""
        position, rng = self.pair.position, self.rng
        seat = position.mover
        reached = []
        for _ in range(3):
            hand = position.hands[seat]
            returned = rng.choice([None, position.open_card, *hand, position.hands[(seat + 1) % position.n][0]])
            reached.append(self.try_move(seat, Exchange(returned), self.known(seat)))
        self.try_move(rng.randrange(position.n), Exchange(None), {})
        if rng.random() < 0.2:
            self.try_play(seat, Play(discard=hand[0]))
            self.try_play(seat, Play(take_pot=True, discard=hand[0]))
        legal = [pair for pair in reached if pair is not None]
        if legal:
            self.game.pair = rng.choice(legal)

    def check_outcome(self) -> str:
        """Compares what a wish for a stock card leads to."""
        theirs = OUTCOMES[engine.draw_outcome(self.pair.state)]
        mine = judge.stock_draw_leads_to(self.pair.position)
        self.report.moves += 1
        if theirs != mine:
            self.report.divergences.append(Divergence(describe(self.pair, self.game.faces), "draw", theirs, mine))
        else:
            self.report.codes[f"draw: {mine}"] += 1
        return mine

    def draw(self) -> None:
        """The draw of the mover: first tries at other things, then the pot or a stock card."""
        rng, position, state = self.rng, self.pair.position, self.pair.state
        seat = position.mover
        if rng.random() < 0.2:
            self.try_move(rng.randrange(position.n), Draw(), {}) if self.check_outcome() == "stock" else None
            self.try_move(seat, Exchange(None), {})
        outcome = self.check_outcome()
        if judge.is_stalemate(position) != engine.must_end(state):
            where = describe(self.pair, self.game.faces)
            self.report.divergences.append(Divergence(where, "stalemate", "", ""))
        if engine.must_end(state):
            self.over()
            return
        free = not position.rules.pot_top_card_must_be_melded
        often = 0.6 if free or outcome != "stock" else 0.25
        taken = self.plays(take_pot=True) if rng.random() < often else []
        if taken and rng.random() < 0.7:
            self.game.pair = rng.choice(taken)
            return
        if rng.random() < 0.1:
            self.try_play(seat, self.good_play(take_pot=False))
        self.stock(outcome)

    def stock(self, outcome: str) -> None:
        """The mover wants a stock card."""
        game, seat = self.game, self.pair.position.mover
        if outcome == "round_ends":
            self.over()
            return
        if outcome == "single":
            game.pair = Pair(engine.draw_single(self.pair.state, seat), judge.draw_single(self.pair.position, seat))
            self.same()
            return
        if outcome == "reshuffle":
            state, left = engine.reshuffle(self.pair.state)
            position, gone = judge.reshuffle(self.pair.position)
            assert list(left) == gone
            game.pair = Pair(state, position)
            self.same()
            self.rng.shuffle(gone)
            first = game.new_slot()
            game.deck = list(range(first, first + len(gone)))
            game.faces.update(zip(game.deck, [game.faces[slot] for slot in gone], strict=True))
        slot = game.deck.pop(0)
        game.pair = Pair(engine.draw(self.pair.state, seat, slot), judge.draw(self.pair.position, seat, slot))
        self.same()

    def over(self) -> None:
        """The round ends without anybody going out."""
        self.game.pair = Pair(engine.end_round(self.pair.state), judge.end_round(self.pair.position))
        self.same()

    def same(self) -> None:
        """Counts a step that both did, and reports where the positions differ."""
        self.report.moves += 1
        difference = differences(self.pair.state, self.pair.position)
        if difference:
            where = describe(self.pair, self.game.faces)
            self.report.divergences.append(Divergence(where, "after a step of the stock", difference, ""))
            self.stuck = True
        else:
            self.report.codes["legal"] += 1

    def score(self) -> None:
        """Compares the points of the round."""
        theirs = [entry.total for entry in scoring.round_points(self.pair.state, self.game.faces)]
        mine = round_scores(self.pair.position, self.game.faces)
        self.report.moves += 1
        if theirs == mine:
            self.report.codes["scored"] += 1
        else:
            where = describe(self.pair, self.game.faces)
            self.report.divergences.append(Divergence(where, "score", str(theirs), str(mine)))

    def walk(self, turns: int) -> None:
        """Goes on until the round is over, nothing legal is found, or so many turns were seen."""
        for _ in range(turns):
            phase = self.pair.position.phase
            if phase == OVER or self.stuck:
                break
            if phase == EXCHANGE:
                self.exchange()
            elif phase == DRAW:
                self.draw()
            else:
                assert phase == PLAY
                if self.rng.random() < 0.1:
                    self.try_move(self.rng.randrange(self.pair.position.n), Draw(), {})
                reached = self.plays(take_pot=False)
                if not reached:
                    break
                self.game.pair = self.rng.choice(reached)
        if self.pair.position.phase == OVER:
            self.report.rounds_over += 1
            self.score()
            seat = self.rng.randrange(self.pair.position.n)
            if not self.stuck:
                self.try_play(seat, Play(discard=0))
                self.try_move(seat, Exchange(None), {})


def fuzz(moves: int, seed: int, most_divergences: int = 20) -> Report:
    """Compares at least this many moves, or stops at so many divergences."""
    rng = random.Random(seed)
    report = Report()
    for rules in rule_cards(rng):
        report.rules += 1
        game = dealt(rules, rng) if rng.random() < 0.2 else scattered(rules, rng)
        Walker(rng, game, report).walk(rng.choice([3, 6, 12, 40]))
        if report.moves >= moves or len(report.divergences) >= most_divergences:
            break
    return report
