"""Points: of cards, of a round, of a match; who starts and who has won.

Nothing here decides whether a move is legal. Points are whole numbers except the net score, which is an exact
fraction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from protocol.errors import InternalError

from .actions import Slot
from .cards import ACE, FACES, JOKER, QUEEN_OF_SPADES, TWO
from .rulefields import ACE_POINTS, POINTS_2_TO_9, POINTS_TEN_TO_KING, QUEEN_TABLE_POINTS
from .ruleset import RuleSet
from .state import Round


@cache
def _table(deuce: int, joker: int, pip: bool, wild_two: bool) -> tuple[int, ...]:
    points = []
    for face in range(FACES):
        rank = face % 13
        if face == JOKER:
            points.append(joker)
        elif face == QUEEN_OF_SPADES:
            points.append(QUEEN_TABLE_POINTS)
        elif rank == ACE:
            points.append(ACE_POINTS)
        elif rank == TWO and not (pip and not wild_two):
            points.append(deuce)
        elif rank < 9:
            points.append(rank + 1 if pip else POINTS_2_TO_9)
        else:
            points.append(POINTS_TEN_TO_KING)
    return tuple(points)


def points_table(rules: RuleSet) -> tuple[int, ...]:
    """Points of every face on the table, indexed by face (the joker's is 0 where there is none)."""
    return _table(rules.deuce_points, rules.joker_points or 0, rules.pip_scoring, rules.two_as_joker)


def card_points(rules: RuleSet, face: int) -> int:
    """Points of a card on the table; a joker counts as itself whatever it stands for."""
    return points_table(rules)[face]


def hand_card_points(rules: RuleSet, face: int) -> int:
    """Points a card costs its holder at the end of the round."""
    return rules.queen_in_hand_penalty if face == QUEEN_OF_SPADES else points_table(rules)[face]


def deck_points(rules: RuleSet) -> int:
    """Points of the whole deck, at table values."""
    pack = rules.pack
    return sum(card_points(rules, pack.face(card)) for card in range(pack.size))


@dataclass(frozen=True, slots=True)
class RoundPoints:
    """One seat's points of a round: its melds, its hand and its penalties (both a cost), and what is left of them."""

    table: int
    hand: int
    total: int
    penalty: int = 0
    """Points charged for missed last-card calls."""


def seat_points(state: Round, seat: int, faces: Mapping[Slot, int]) -> RoundPoints:
    """Points of one seat if the round ended now. A meld counts for its owner, whoever put the cards there.

    Missed calls cost points. `faces` extends `state.faces` with the opened hand; raises InternalError when a face of it
    is missing.
    """
    worth = points_table(state.rules)
    table = sum(worth[card.face] for meld in state.melds if meld.owner == seat for card in meld.cards)
    penalty = state.calls.penalties[seat] if state.calls.penalties else 0
    hand = 0
    for slot in state.hands[seat]:
        face = state.faces.get(slot, faces.get(slot))
        if face is None:
            raise InternalError("rules/score", f"slot {slot} of seat {seat} is not open")
        hand += hand_card_points(state.rules, face)
    return RoundPoints(table, hand, table - hand - penalty, penalty)


def round_points(state: Round, faces: Mapping[Slot, int]) -> tuple[RoundPoints, ...]:
    """Points of every seat, as `seat_points` gives them, with its errors."""
    return tuple(seat_points(state, seat, faces) for seat in range(state.n))


# ------------------------------------------------------------------ the match


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """The score of a game: the totals after `rounds` finished rounds, and how it was broken off, if it was."""

    rules: RuleSet
    n: int
    totals: tuple[int, ...]
    rounds: int = 0
    leavers: tuple[int, ...] = ()
    """The seat that gave up, left or ran out of time, once the game was broken off."""
    retired: tuple[int, ...] = ()
    """Seats without which the others play on: they keep their totals and win nothing."""

    @classmethod
    def start(cls, rules: RuleSet, n: int) -> Match:
        """The score before the first round."""
        return cls(rules=rules, n=n, totals=(0,) * n)

    def add(self, points: Sequence[int] | Sequence[RoundPoints]) -> Match:
        """The score after a round with these points per seat."""
        gained = [entry.total if isinstance(entry, RoundPoints) else entry for entry in points]
        totals = tuple(total + more for total, more in zip(self.totals, gained, strict=True))
        return replace(self, totals=totals, rounds=self.rounds + 1)

    def abort(self, *leavers: int) -> Match:
        """The score when a seat gives up or leaves: the game is over and counts for no percentage."""
        return replace(self, leavers=leavers)

    def retire(self, *seats: int) -> Match:
        """The score when the others play on without these seats (resign)."""
        return replace(self, retired=tuple(sorted({*self.retired, *seats})))

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that still play for the game."""
        return tuple(seat for seat in range(self.n) if seat not in self.retired)

    def time_is_up(self, hours: Fraction | int) -> bool:
        """Whether a seat that has not moved for so long loses its time (never where there is no limit).

        For the written cases of the rules: no node ends a game by the clock.
        """
        limit = self.rules.turn_time_limit_hours
        return limit is not None and hours > limit

    @property
    def sides(self) -> tuple[int, ...]:
        """What counts towards the target, per seat: its own total, or its team's."""
        teams = self.rules.team_of(self.n)
        if not teams:
            return self.totals
        return tuple(sum(t for t, other in zip(self.totals, teams, strict=True) if other == team) for team in teams)

    @property
    def team_totals(self) -> tuple[int, ...]:
        """Total of each team, by team number; empty when everybody plays alone. For the written cases of the rules."""
        teams = self.rules.team_of(self.n)
        return tuple(
            sum(t for t, other in zip(self.totals, teams, strict=True) if other == k) for k in sorted(set(teams))
        )

    @property
    def is_over(self) -> bool:
        """Whether the game has ended: broken off, or the target reached (without a tie that needs a further round)."""
        if self.leavers:
            return True
        best = max(self.sides[seat] for seat in self.playing)
        if self.rounds == 0 or best < self.rules.target_score:
            return False
        return self.rules.tie_at_top == "shared" or len(self._best(self.playing)) == (self.rules.team_size or 1)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the highest score once the game is over; all seats of the best teams; empty before that.

        Of a game that was broken off, whoever led after the last finished round; nobody before the first.
        """
        if not self.is_over:
            return ()
        if not self.leavers:
            return self._best(self.playing)
        if self.rounds == 0:
            return ()
        teams = self.rules.team_of(self.n)
        gone = {teams[p] if teams else p for p in self.leavers}
        out = {p for p in range(self.n) if (teams[p] if teams else p) in gone}
        return self._best([p for p in range(self.n) if p not in out or not self.rules.aborted_winner_excludes_leaver])

    def _best(self, among: Sequence[int]) -> tuple[int, ...]:
        sides = self.sides
        best = max((sides[seat] for seat in among), default=0)
        return tuple(seat for seat in among if sides[seat] == best)

    @property
    def counts_for_percentage(self) -> bool:
        """Whether the finished game counts in percentages won and lost."""
        return self.is_over and not self.leavers

    def counted_as(self, seat: int) -> str:
        """`won`, `lost` or `not_counted` in the percentages; a shared win is won. For the written cases."""
        if not self.counts_for_percentage:
            return "not_counted"
        return "won" if seat in self.winners else "lost"

    def net(self, seat: int) -> Fraction:
        """The seat's total minus the mean of the totals of the others that still play, exactly."""
        others = [self.totals[other] for other in self.playing if other != seat]
        return net_score(self.totals[seat], others)

    def final_score(self, seat: int) -> Fraction:
        """The score of the finished game as the rules name it: the own total, or net."""
        return self.net(seat) if self.rules.final_score == "own_minus_average" else Fraction(self.totals[seat])


def net_score(own: int, others: Sequence[int]) -> Fraction:
    """A total minus the mean of the others, exactly."""
    return own - Fraction(sum(others), len(others))


def one_decimal(value: Fraction) -> str:
    """A score with one decimal, halves away from zero."""
    tenths = (abs(value) * 20 + 1) // 2
    sign = "-" if value < 0 and tenths else ""
    return f"{sign}{tenths // 10}.{tenths % 10}"


def first_starter(rules: RuleSet, n: int, dealer: int | None) -> int | None:
    """Who starts the first round; None when chance decides (decided outside), also when chance names the dealer."""
    if rules.first_starter == "random" or dealer is None:
        return None
    return (dealer + 1) % n


def next_starter(rules: RuleSet, seats: Sequence[int], previous_starter: int | None) -> int | None:
    """Who of these seats, ascending, starts after `previous_starter`; None when chance decides, outside."""
    if rules.next_starter == "random" or previous_starter is None:
        return None
    return next((seat for seat in seats if seat > previous_starter), seats[0])
