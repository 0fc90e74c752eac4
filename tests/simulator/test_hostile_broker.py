"""Hostile brokers: whatever the one does that carries the messages, nobody is named, and no state is ever wrong.

What must hold is judged after every event by the simulator's invariants: one history for all, no card or point that
comes or goes, nothing secret said, no honest seat named.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from tests.simulator.broker import MALICE
from tests.simulator.memo import remembering
from tests.simulator.world import Plan, simulate


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Nodes warn of what such a broker does; there is a lot of that."""
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("malice", MALICE)
def test_a_hostile_broker_costs_time_only(malice: str) -> None:
    """The game goes on once the broker behaves, and nobody is named for what it did; with crashes on top as well."""
    with remembering():
        for seed in range(8):
            plan = Plan(
                seed=seed,
                seats=2 + seed % 3,
                table=seed % 2,
                storm=8.0,
                faults=(),
                sudden=0.002 * (seed % 2),
                broker=malice,
                to_the_end=False,
            )
            tally = simulate(plan)

            assert tally.ends in ({"goes on": 1}, {"played to its end": 1})
            assert sum(count for kind, count in tally.faults.items() if kind.startswith("broker: ")) > 20


def test_a_game_under_a_hostile_broker_ends_as_any_other() -> None:
    """A game that begins under a broker that does everything is played out, alike for all."""
    with remembering():
        tally = simulate(Plan(seed=1, seats=3, storm=10.0, faults=(), broker=MALICE[-1]))

    assert tally.ends == {"played to its end": 1}
