"""Many histories of simulated tables: whatever fails on the way, everybody ends with one truth, and nothing leaks."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from node.sync import NEVER, Sync
from protocol.session import duties
from tests.simulator.memo import remembering
from tests.simulator.world import Plan, SimulationError, Tally, simulate

SEEDS = 2_000
GROUPS = 20
RESTING = 9
"""A seed of two that are gone in which the table has to rest."""
LEAVES = 2
"""Seeds for each way of leaving a big table."""
REAL = 6
"""Seeds for which nothing is remembered from run to run: every proof is made and checked anew."""


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Nodes warn of what hostile seats do; there is a lot of that."""
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("group", range(GROUPS))
def test_whatever_happens_there_is_one_truth(group: int) -> None:
    """Loss, doubles, delays, partitions, crashes at any moment, hostile seats: what must hold holds at each event."""
    total = Tally()
    with remembering():
        for seed in range(group, SEEDS, GROUPS):
            total.add(simulate(Plan.of(seed)))

    assert total.runs == SEEDS // GROUPS
    assert total.restarts > total.runs
    assert total.lost > total.runs
    assert total.ends["played to its end"] > 0


@pytest.mark.parametrize("seed", range(REAL))
def test_nothing_depends_on_what_is_remembered(seed: int) -> None:
    """A run ends alike whether the results of the cryptography are remembered or computed."""
    plan = replace(Plan.of(seed), to_the_end=False)
    computed = simulate(plan)
    with remembering():
        remembered = simulate(plan)

    assert computed == remembered


def test_a_seed_is_one_history() -> None:
    """The same plan does the same things in the same order."""
    plan = replace(Plan.of(7), hostile=(0,), sudden=0.004)
    with remembering():
        first, second = simulate(plan), simulate(plan)

    assert first == second


def test_a_table_rests_for_days() -> None:
    """Everybody's machine is off for a week in the middle of a round; then the game goes on to its end."""
    plan = Plan(seed=1, seats=3, storm=6.0, faults=(), sudden=0.0, rest=7 * 86_400.0)
    with remembering():
        tally = simulate(plan)

    assert tally.ends == {"played to its end": 1}
    assert tally.seconds > 7 * 86_400


@pytest.mark.parametrize("seed", range(6))
def test_no_clock_of_the_day_decides_anything(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run is the very same when the clocks of all machines jump by ten minutes, back and forth, all the time."""
    plan = replace(Plan.of(seed), to_the_end=False)
    chance = random.Random(seed)
    real = time.time
    with remembering():
        steady = simulate(plan)
        monkeypatch.setattr(time, "time", lambda: real() + chance.choice((-600.0, 0.0, 600.0)))
        jumping = simulate(plan)

    assert jumping == steady


WAYS = ("goodbyes in one step", "one goodbye after the other", "a goodbye and one gone", "two gone")


def departures(kind: str, seats: int, seed: int) -> Plan:
    """A big table that two seats leave: by goodbyes, by going for good, or one of each."""
    chance = random.Random(f"departures {kind} {seats} {seed}")
    one, other = chance.sample(range(seats), 2)
    step = chance.randrange(1, 8)
    plan = Plan(seed=seed, seats=seats, storm=chance.uniform(1.0, 6.0), pause=0.5)
    match kind:
        case "goodbyes in one step":
            return replace(plan, leavers=((one, step), (other, step)))
        case "one goodbye after the other":
            return replace(plan, leavers=((one, step), (other, step + chance.randrange(1, 4))))
        case "a goodbye and one gone":
            return replace(plan, leavers=((one, step),), gone=(other,))
        case _:
            return replace(plan, gone=(one, other))


@pytest.mark.parametrize("seats", [5, 6, 7])
@pytest.mark.parametrize("kind", WAYS)
def test_two_seats_leave_a_big_table(kind: str, seats: int) -> None:
    """Whatever two of five to seven do when they leave, the others end the game alike."""
    total = Tally()
    with remembering():
        for seed in range(LEAVES):
            total.add(simulate(departures(kind, seats, seed)))

    assert total.ends == {"void after a departure": LEAVES}


@pytest.mark.parametrize("seats", [5, 7])
@pytest.mark.parametrize("kind", WAYS)
def test_those_who_are_left_play_on(kind: str, seats: int) -> None:
    """Where the rule card says so, those who are left play the round again to its end, whoever went, and how."""
    with remembering():
        tally = simulate(replace(departures(kind, seats, 0), play_on=True))

    assert tally.ends == {"played on to its end": 1}


def test_a_table_rests_for_one_who_spoke_and_vanished() -> None:
    """Of two that are gone one has spoken in the open step: the table waits until it is back, and then goes on."""
    with remembering():
        tally = simulate(departures("two gone", 5, RESTING))

    assert tally.faults["rests"] == 1
    assert tally.ends == {"void after a departure": 1}


def test_it_notices_a_table_that_is_stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    """A node that never asks for what it lacks is found, with the seed and a trace to look at."""
    monkeypatch.setattr(Sync, "poll", lambda self, now: [])
    monkeypatch.setattr(Sync, "deadline", lambda self: NEVER)
    plan = Plan(seed=3, seats=2, storm=5.0, pause=0.2)
    with remembering(), pytest.raises(SimulationError, match=r"(?s)stuck.*seat 1 says SEAT 0.*--seed 3"):
        simulate(plan)


def test_it_notices_a_secret_that_leaks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A node that says its seed before the round is over is found."""
    real = duties.duty

    def leaking(table: object, seat: int, secrets: object, *more: object) -> object:
        said = real(table, seat, secrets, *more)  # type: ignore[arg-type]
        return (said[0], [secrets.seed, *said[1]]) if said and said[0].name == "READY" and seat == 1 else said  # type: ignore[attr-defined]

    monkeypatch.setattr("protocol.session.session.duty", leaking)
    with remembering(), pytest.raises(SimulationError):
        simulate(Plan(seed=4, seats=2, faults=(), sudden=0.0))
