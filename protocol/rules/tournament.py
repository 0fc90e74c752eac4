"""Tournaments: who may join, when all have finished, and the ranking. Tables play by `engine` as always.

No node runs a tournament; the written cases of the rules pin what one has to decide.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from protocol.errors import IllegalMove

from .rulefields import CONSTANTS
from .ruleset import RuleSet

PARTICIPANTS = 10
assert CONSTANTS["tournament_participants"] == PARTICIPANTS


def join(rules: RuleSet, joined: int) -> int:
    """The number of participants after one more joins. Raises IllegalMove no_tournament or tournament_full."""
    if not rules.tournament:
        raise IllegalMove("no_tournament", "these rules have no tournament")
    if joined >= PARTICIPANTS:
        raise IllegalMove("tournament_full", f"{PARTICIPANTS} have joined")
    return joined + 1


def is_complete(joined: int, finished: int) -> bool:
    """Whether everybody has joined and finished the own game."""
    return joined == PARTICIPANTS and finished == joined


def ranks(scores: Mapping[str, Fraction]) -> dict[str, int]:
    """The rank of every participant, 1 for the highest score; equal scores share it and the next ranks are skipped."""
    return {name: 1 + sum(other > score for other in scores.values()) for name, score in scores.items()}
