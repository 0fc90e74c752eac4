"""The budget of the offline verifier: a full game of four, against the group operations that its checks consist of.

The operations are counted in a run of their own, below every function that computes with points, and weighed as in
spec/20-crypto.md 2.1. Only ristretto255 counts: signatures, hashes, rules and parsing must fit into the half on top.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from node.policy import choose
from protocol.crypto.sodium import LIBRARY
from protocol.session.gamefile import write_game
from protocol.session.verify import Verdict, verify_game
from tests.bench.harness import Meter, Row
from tests.bench.machine import note
from tests.coupled import Coupled

WEIGHTS = {"_mul": 1.0, "_base": 0.33, "_add": 0.29, "_sub": 0.29, "_valid": 0.09, "_from_hash": 0.28}
"""libsodium's functions, as `sodium.Library` holds them, in t_mul."""
NAMES = {"_mul": "multiplications", "_base": "of the base", "_add": "additions", "_valid": "validity checks"}
SEED = 1000


def full_game() -> bytes:
    """The file of a game of four bots, played to its target."""
    table = Coupled(4, seed=SEED, max_rounds=0, choose=choose)
    table.start()
    table.run()
    return write_game(table.genesis, table.sessions[0].log_frames())


@contextmanager
def counted() -> Iterator[dict[str, int]]:
    """Counts every call of a group operation of libsodium while the context lasts."""
    counts = dict.fromkeys(WEIGHTS, 0)

    def counting(name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        counts[name] += 1
        return function(*arguments)

    functions = {name: getattr(LIBRARY, name) for name in WEIGHTS}
    try:
        for name, function in functions.items():
            setattr(LIBRARY, name, partial(counting, name, function))
        yield counts
    finally:
        for name, function in functions.items():
            setattr(LIBRARY, name, function)


def rows(meter: Meter) -> Iterator[Row]:
    """All rows of the offline verifier."""
    game = full_game()

    def work() -> Verdict:
        return verify_game(game, os.urandom(32))

    with counted() as counts:
        verdict = work()
    assert verdict.ok, f"the game does not verify: {verdict.fault}"
    assert verdict.complete, "the game was not played to its end"
    assert counts["_mul"] > 1000 * len(verdict.results), "the operations were not counted"
    operations = sum(WEIGHTS[name] * count for name, count in counts.items())
    checks = verdict.checks
    yield note(
        "a full game of four: rounds, moves, size",
        f"{len(verdict.results)}, {checks.moves}, {len(game) / 1e6:.2g} MB",
    )
    yield Row(
        "  its group operations: " + ", ".join(f"{counts[k]:,} {name}" for k, name in NAMES.items()),
        "counted",
        f"{operations:,.0f}",
        "",
        ok=True,
    )
    yield meter.ratio("verify it offline", work, 1.5 * operations, repeat=3)
