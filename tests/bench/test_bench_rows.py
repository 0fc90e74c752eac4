"""What the rows compute from what they noted: intervals over four seats, quantiles, counted operations."""

from __future__ import annotations

import os

import pytest

from protocol.crypto import group
from tests.bench.harness import quantile
from tests.bench.machine import PROC, busy, resident
from tests.bench.rows_node import Table
from tests.bench.rows_verify import counted
from tests.bench.seat import Notes


def seats() -> tuple[Notes, Notes]:
    """Two seats: the first draws in step 5 and plays in step 7, the second sees each a little later."""
    first = Notes(
        seat=0,
        commits=[(10.0, 1.0)],
        turns=[(11.0, 1.5)],
        moves=[(20.0, 5, "draw"), (30.0, 7, "play")],
        updates=[(20.1, 6), (20.2, 7), (30.1, 8)],
    )
    second = Notes(
        seat=1, commits=[(9.5, 2.0)], turns=[(10.5, 2.25)], updates=[(19.0, 5), (20.3, 6), (20.4, 7), (30.5, 9)]
    )
    return first, second


def test_a_setup_lasts_from_the_first_commit_to_the_last_first_turn() -> None:
    """The earliest COMMIT of any seat begins it, the latest first turn ends it; processor times are added up."""
    assert Table(seats(), 0.0).setups() == [(1.5, 0.75)]


def test_a_move_lasts_until_the_slowest_screen_has_it() -> None:
    """A draw is there when its shares are (two steps), a play when its step closed; a later snapshot has it too."""
    table = Table(seats(), 0.0)

    assert table.moves("draw") == [pytest.approx(0.4)]
    assert table.moves("play") == [pytest.approx(0.5)]


@pytest.mark.parametrize(("count", "part", "value"), [(1, 0.99, 1), (100, 0.99, 99), (101, 0.99, 100), (4, 0.5, 2)])
def test_quantile(count: int, part: float, value: int) -> None:
    """It is one of the values, and no more than the rest lie above it."""
    assert quantile(range(count, 0, -1), part) == value


def test_operations_are_counted_inside_sums_too() -> None:
    """A sum of three products is three multiplications and two additions; afterwards nothing is counted any more."""
    points = [group.base(k) for k in (2, 3, 4)]
    with counted() as counts:
        total = group.msum((k, point) for k, point in zip((5, 6, 7), points, strict=True))
        group.decode_point(group.sub(total, group.base(1)))
    group.mul(3, total)

    assert total == group.base(5 * 2 + 6 * 3 + 7 * 4)
    assert counts == {"_mul": 3, "_base": 1, "_add": 2, "_sub": 1, "_valid": 1, "_from_hash": 0}


@pytest.mark.skipif(not PROC, reason="needs /proc")
def test_a_process_is_looked_at_from_outside() -> None:
    """Memory in MB, never more than its peak; processor seconds never less than those of this thread so far."""
    assert 5 < resident() <= resident(field="VmHWM") < 5_000
    assert busy(os.getpid()) >= 0.9 * os.times().user
