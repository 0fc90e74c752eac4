"""The exact search behind `moves.laydown`: the greatest value that can be put on the table, and how."""

from __future__ import annotations

from .moves_problem import Problem, Solution
from .moves_trace import Trace
from .moves_walk import Walk

LIMIT = 4000
"""States a search may look at before it settles for a good laydown: some 100 ms, enough for nearly every hand of 40."""


def solve(problem: Problem, limit: int | None = None) -> Solution:
    """The laydown of greatest value that leaves a legal end of the turn; the first found of equals; perhaps nothing.

    It is the best of all (`Solution.exact`) unless the search had to look at more than `limit` states.
    """
    walk = Walk(problem, limit)
    if walk.run() <= 0:
        return Solution(0, (), (), (), walk.exact)
    return Trace(walk).solution()
