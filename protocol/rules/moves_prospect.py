"""How much the cards still ahead of a walk can bring when few jokers are left: a bound from above.

A natural card goes to the table without a further joker only in a run whose places are all held (or lie there, or are
open from before), or in a set of its rank. One joker more rescues the neighbours of one place, or one pair.
"""

from __future__ import annotations

from collections.abc import Sequence

from .cards import face_of
from .melds import place_face
from .moves_problem import Problem

_END = 15


class Prospect:
    """The bounds of one problem."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.least = problem.rules.meld_min_cards
        self.joker_value = problem.joker_value
        counts = problem.counts
        in_rank = [sum(counts[face_of(s, r)] for s in range(4)) for r in range(13)]
        lying_ranks = {open_set.rank for open_set in problem.sets}
        self.is_set = [in_rank[r] >= self.least or r in lying_ranks for r in range(13)]
        offered = {offer.face for offer in problem.swaps}
        self.trivial = bool(offered)
        self.sure = [[[0, 0] for _ in range(_END + 1)] for _ in range(4)]
        self.rescue = [[0] * (_END + 1) for _ in range(4)]
        self.pair = [0] * (_END + 1)
        if not self.trivial:
            for s in range(4):
                self._suit(s)
            self._pairs(in_rank)

    def most(self, place: int, suit_: int, rows: Sequence[int], jokers: int) -> int:
        """The most that can still come from `place` on (suits before `suit_` from the next place on).

        `rows` are nonzero for suits with an open run; `jokers` is 0 or 1.
        """
        if self.trivial or place == 1:
            return 1 << 30
        total = 0
        for s in range(4):
            total += self.sure[s][place + (s < suit_)][1 if rows[s] else 0]
        if jokers:
            best = max(self.rescue[s][place + (s < suit_)] for s in range(4))
            total += max(best, self.pair[place]) + self.joker_value
        return total

    def _suit(self, s: int) -> None:
        problem = self.problem
        lying = [False] * (_END + 2)
        for run in problem.runs:
            if run.suit == s:
                for place in range(run.low, run.high + 1):
                    lying[place] = True
        worth = [0] * (_END + 2)
        held = [False] * (_END + 2)
        in_set = [False] * (_END + 2)
        for place in range(2, _END):
            face = place_face(s, place)
            worth[place] = problem.counts[face] * problem.values[face]
            held[place] = problem.counts[face] > 0
            in_set[place] = self.is_set[face % 13]
        for start in range(_END, 1, -1):
            self._from(s, start, worth, [h or k for h, k in zip(held, lying, strict=True)], lying, in_set)

    def _from(
        self, s: int, start: int, worth: list[int], solid: list[bool], lying: list[bool], in_set: list[bool]
    ) -> None:
        """Bounds for the cards of a suit from place `start` on."""
        sure = [0, 0]
        loose: list[int] = [0] * (_END + 2)
        place = start
        while place < _END:
            if not solid[place]:
                place += 1
                continue
            end = place
            while solid[end]:
                end += 1
            joined = end - place >= self.least or any(lying[place:end])
            for here in range(place, end):
                if joined or in_set[here]:
                    sure[0] += worth[here]
                else:
                    loose[here] = worth[here]
                sure[1] += worth[here] if joined or in_set[here] or place == start else 0
            place = end
        self.sure[s][start] = sure
        best = 0
        for gap in range(start, _END):
            gain, near = loose[gap], gap - 1
            while near >= start and solid[near]:
                gain += loose[near]
                near -= 1
            far = gap + 1
            while solid[far]:
                gain += loose[far]
                far += 1
            best = max(best, gain)
        self.rescue[s][start] = best

    def _pairs(self, in_rank: Sequence[int]) -> None:
        """The value of all cards of the best rank from a place on that a joker could make a set of."""
        best = 0
        for place in range(_END - 1, 1, -1):
            rank_ = (place - 1) % 13
            if in_rank[rank_] + 1 >= self.least and not self.is_set[rank_]:
                faces = [face_of(s, rank_) for s in range(4)]
                best = max(best, sum(self.problem.counts[f] * self.problem.values[f] for f in faces))
            self.pair[place] = best
