"""The benchmark itself: bounds are judged, rows are found, the exit code tells."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.bench import run
from tests.bench.harness import Meter, Row, at_least, at_most, table


def ticking(step: float) -> Callable[[], float]:
    """A clock that moves by one step at each look."""
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += step
        return now

    return clock


@pytest.mark.parametrize(("bound", "ok"), [(99.0, False), (101.0, True), (None, True)])
def test_ratio_is_judged(bound: float | None, ok: bool) -> None:
    """Work that takes as long as the hundred multiplications of a sample is 100 t_mul, and judged as that."""
    row = Meter(ticking(1.0)).ratio("work", lambda: None, bound, repeat=3)

    assert (row.in_t_mul, row.ok) == ("100.0", ok)


def test_bounds_hold_at_their_edge() -> None:
    """A value equal to its bound holds, one beyond it does not."""
    assert at_most("memory", 100, 100, "MB").ok
    assert not at_most("memory", 101, 100, "MB").ok
    assert at_least("moves", 20_000, 20_000, "/s").ok
    assert not at_least("moves", 19_999, 20_000, "/s").ok


def test_table_marks_what_is_broken() -> None:
    """Each row is one line, and a broken bound says NO."""
    text = table([at_most("good", 1, 2, "MB"), at_most("bad", 3, 2, "MB")]).splitlines()

    assert len(text) == 4
    assert text[2].endswith("yes")
    assert text[3].endswith("NO")


@pytest.mark.parametrize(
    ("arguments", "ok", "code"), [([], True, 0), ([], False, 1), (["--no-fail"], False, 0), (["--no-fail"], True, 0)]
)
def test_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str], ok: bool, code: int
) -> None:
    """A broken bound is exit code 1 unless it was asked not to be; the table is printed either way."""

    def rows(chosen: list[str], meter: Meter) -> Iterator[Row]:
        yield Row("planted", "1 ms", "1", "<= 1", ok)

    monkeypatch.setattr(run, "measure", rows)

    assert run.main(arguments) == code
    assert "planted" in capsys.readouterr().out


def test_topics_are_found_and_checked(capsys: pytest.CaptureFixture[str]) -> None:
    """Row files are found by name; an unknown topic is a usage error."""
    assert "crypto" in run.topics()
    with pytest.raises(SystemExit) as caught:
        run.main(["no-such-topic"])

    assert caught.value.code == 2
    assert "no-such-topic" in capsys.readouterr().err
