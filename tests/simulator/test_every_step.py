"""One machine fails at every single step of a game, one step after the other; nothing else goes wrong."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.simulator.memo import remembering
from tests.simulator.world import Plan, simulate

SEATS = 3
MOMENTS = ("before a message", "after an event", "before a commit", "after a commit")
QUIET = Plan(seed=1, seats=SEATS, storm=100.0, pause=0.2, faults=(), sudden=0.0)
"""The table of these tests: without a fault it is the same game in every run."""


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Nodes warn of what they miss; there is a lot of that."""
    logging.disable(logging.WARNING)
    with remembering():
        yield
    logging.disable(logging.NOTSET)


def steps() -> range:
    """The steps of the whole game, from the first signature to the verdict of its round."""
    undisturbed = simulate(replace(QUIET, storm=1.0))
    assert undisturbed.ends == {"played to its end": 1}
    assert undisturbed.steps > 50
    return range(undisturbed.steps)


@pytest.mark.parametrize("seat", range(SEATS))
def test_a_seat_that_dies_for_good_at_any_step_holds_nobody_up(seat: int) -> None:
    """Killed with no warning and never back, whoever is to speak: the others name it, and their game ends."""
    for step in steps():
        plan = replace(QUIET, killed=seat, kill_at=step, gone=(seat,))
        tally = simulate(plan)

        assert (tally.restarts, tally.ends) == (1, {"void after a departure": 1}), plan


@pytest.mark.parametrize("moment", range(len(MOMENTS)))
def test_a_seat_that_dies_at_any_step_and_comes_back_goes_on(moment: int) -> None:
    """Killed around its word or its disk, it goes on from what it had kept, and the table goes on with nobody named."""
    for step in steps()[moment :: len(MOMENTS)]:
        when = MOMENTS[moment]
        plan = replace(QUIET, killed=step % SEATS, kill_at=step, kill_when=when, to_the_end=False)
        tally = simulate(plan)

        assert tally.restarts == 1, plan
        assert tally.ends.keys() <= {"goes on", "played to its end"}, plan


@pytest.mark.parametrize("step", [0, 5, 12, 30, 70, 90])
def test_a_closed_lid_for_ten_minutes_loses_nothing(step: int) -> None:
    """A seat that nobody can hear for ten minutes, and hears nothing, is waited for; then the game is played out."""
    plan = replace(QUIET, storm=700.0, killed=step % SEATS, kill_at=step, asleep=600.0)
    tally = simulate(plan)

    assert (tally.restarts, tally.ends) == (0, {"played to its end": 1})
    assert tally.lost > 100
    assert tally.seconds >= 700.0
