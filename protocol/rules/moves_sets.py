"""What the cards of one rank can do as sets: new ones, and additions to those on the table."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TypeAlias

from .cards import face_of
from .moves_problem import OpenSet, Problem
from .moves_shapes import balanced, copies, set_additions, set_limit, set_row
from .ruleset import RuleSet

SetPlan: TypeAlias = tuple[list[tuple[tuple[int, ...], int]], list[tuple[OpenSet, tuple[int, ...], int]]]
"""New sets (natural cards per suit, jokers) and additions to sets on the table."""


class Sets:
    """The sets of one problem.

    Cards chosen for sets of a rank are coded in one integer: their number, or their numbers per suit where suits
    matter (`units` says what one card adds).
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.rules = rules = problem.rules
        self.majority = rules.joker_majority
        self.least = rules.meld_min_cards
        self.most_jokers = problem.wilds + len(problem.swaps)
        self.plan_cache: dict[tuple[int, int, int], int] = {}
        self.by_rank: dict[int, list[OpenSet]] = {}
        for open_set in problem.sets:
            self.by_rank.setdefault(open_set.rank, []).append(open_set)
        self.detailed = [bool(self.by_rank.get(r)) or not rules.same_suit_twice_in_set for r in range(13)]
        self.units = [[(1 << (4 * s)) if self.detailed[r] else 1 for r in range(13)] for s in range(4)]
        self.possible = [self.possible_in(r) for r in range(13)]

    def possible_in(self, rank_: int) -> bool:
        """Whether natural cards of this rank can be in any set at all."""
        if rank_ in self.by_rank:
            return True
        naturals = sum(self.problem.counts[face_of(s, rank_)] for s in range(4))
        return naturals + self.most_jokers >= self.least

    def _chosen(self, rank_: int, code: int) -> list[int]:
        """Cards per suit; where suits do not matter only their number was kept, and any suits will do."""
        if self.detailed[rank_]:
            return [code >> (4 * s) & 15 for s in range(4)]
        return [code // 4 + (s < code % 4) for s in range(4)]

    def size(self, rank_: int, code: int) -> int:
        """How many natural cards were chosen."""
        return sum(self._chosen(rank_, code)) if self.detailed[rank_] else code

    def takes_more(self, rank_: int, code: int) -> bool:
        """Whether one more natural card of this rank surely fits some set of it."""
        lying = sum(len(open_set.lying.cards) for open_set in self.by_rank.get(rank_, ()))
        chosen = sum(self._chosen(rank_, code))
        return bool(chosen or lying) and chosen + lying + self.least <= self.rules.set_max_cards

    def room(self, rank_: int, code: int, jokers: int) -> int | None:
        """The room that sets of exactly these cards have, or None where they are no sets."""
        key = (rank_, code, jokers)
        if key not in self.plan_cache:
            plan = self.plan(rank_, self._chosen(rank_, code), jokers)
            room = -1
            if plan is not None:
                room = sum(sum(group) - wild - 1 for group, wild in plan[0]) if self.majority else len(plan[0])
                if self.problem.layoff_jokers and self.majority:
                    room += sum(sum(part) - wild for _, part, wild in plan[1])
            self.plan_cache[key] = room
        found = self.plan_cache[key]
        return None if found < 0 else found

    def plan(self, rank_: int, chosen: Sequence[int], jokers: int) -> SetPlan | None:
        """New sets and additions to sets on the table that use exactly these cards, or None."""
        return self._share(rank_, chosen, jokers, self.by_rank.get(rank_, []))

    def _share(self, rank_: int, chosen: Sequence[int], jokers: int, open_sets: list[OpenSet]) -> SetPlan | None:
        """New sets if possible; else give the first open set as much as it takes, then share the rest."""
        plan = new_sets(self.rules, rank_, chosen, jokers)
        if plan is not None:
            return plan, []
        if not open_sets:
            return None
        first, rest = open_sets[0], open_sets[1:]
        for part in product(*(range(n, -1, -1) for n in chosen)):
            for wild in range(jokers if self.problem.layoff_jokers else 0, -1, -1):
                if (any(part) or wild) and set_additions(self.rules, first.lying, part, wild) is None:
                    continue
                remaining = [n - k for n, k in zip(chosen, part, strict=True)]
                found = self._share(rank_, remaining, jokers - wild, rest)
                if found is not None:
                    added = [(first, part, wild)] if any(part) or wild else []
                    return found[0], [*added, *found[1]]
        return None


def new_sets(
    rules: RuleSet, rank_: int, chosen: Sequence[int], jokers: int
) -> list[tuple[tuple[int, ...], int]] | None:
    """Sets (natural cards per suit, jokers) that use exactly these cards, as few sets as possible, or None."""
    total = sum(chosen) + jokers
    if not total:
        return []
    row = [s for s in range(4) for _ in range(chosen[s])]
    for parts in range(1, total // rules.meld_min_cards + 1):
        groups = [[0, 0, 0, 0] for _ in range(parts)]
        for number, s in enumerate(row):
            groups[number % parts][s] += 1
        wild = [0] * parts
        for _ in range(jokers):
            target = min(range(parts), key=lambda g: (sum(groups[g]) + wild[g], g))
            wild[target] += 1
        plan = [(tuple(group), w) for group, w in zip(groups, wild, strict=True)]
        if all(_is_set(rules, rank_, group, w) for group, w in plan):
            return plan
    return None


def _is_set(rules: RuleSet, rank_: int, chosen: Sequence[int], jokers: int) -> bool:
    size = sum(chosen) + jokers
    return (
        rules.meld_min_cards <= size <= set_limit(rules)
        and max(chosen) <= copies(rules)
        and balanced(rules, sum(chosen), jokers)
        and set_row(rules, rank_, chosen, jokers) is not None
    )
