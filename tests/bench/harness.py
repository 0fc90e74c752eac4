"""What the benchmark's row files share: measuring in t_mul, and rows with their bounds.

A row file is `rows_<topic>.py` in this folder with a function `rows(meter)` that yields `Row` values; `run.py` finds
it by name. A row without a bound is for information only.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from statistics import median

from protocol.crypto.group import Q, mul
from protocol.crypto.hashing import Hp, Hs

_SCALAR = Hs("bench/scalar") % Q
_POINT = Hp("bench/point")
_MULTIPLICATIONS = 100


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: texts as they are printed, and whether the bound holds."""

    what: str
    measured: str
    in_t_mul: str
    bound: str
    ok: bool


def at_most(what: str, value: float, bound: float, unit: str) -> Row:
    """A row whose value may not exceed its bound, both in one unit."""
    return Row(what, f"{value:.4g} {unit}", "", f"<= {bound:g} {unit}", value <= bound)


def at_least(what: str, value: float, bound: float, unit: str) -> Row:
    """A row whose value must reach its bound, both in one unit."""
    return Row(what, f"{value:,.0f} {unit}", "", f">= {bound:,.0f} {unit}", value >= bound)


class Meter:
    """Measures work against t_mul, one ristretto255 multiplication, taken right before and after it each time.

    Processor time, not wall time: other processes of the machine shall not decide whether a bound holds.
    """

    def __init__(self, clock: Callable[[], float] = time.process_time) -> None:
        self._clock = clock
        self._samples: list[float] = []
        self._sample_t_mul()  # warm up
        self._samples.clear()

    @property
    def t_mul(self) -> float:
        """Seconds of one multiplication: the median of all samples so far."""
        if not self._samples:
            self._sample_t_mul()
        return median(self._samples)

    def _sample_t_mul(self) -> float:
        begin = self._clock()
        for _ in range(_MULTIPLICATIONS):
            mul(_SCALAR, _POINT)
        sample = (self._clock() - begin) / _MULTIPLICATIONS
        self._samples.append(sample)
        return sample

    def ratio(
        self, what: str, work: Callable[[], object], bound: float | None, *, repeat: int = 7, loops: int = 1
    ) -> Row:
        """A row for work that may take at most `bound` t_mul.

        The best of `repeat` measurements of `loops` runs, against the best sample taken between them: noise only
        ever adds, and adds to both.
        """
        work()  # constants are computed at first use
        samples, times = [self._sample_t_mul()], []
        for _ in range(repeat):
            begin = self._clock()
            for _ in range(loops):
                work()
            times.append((self._clock() - begin) / loops)
            samples.append(self._sample_t_mul())
        value = min(times) / min(samples)
        text = "" if bound is None else f"<= {bound:,g}"
        return Row(what, f"{1000 * min(times):.3g} ms", f"{value:,.1f}", text, bound is None or value <= bound)


def quantile(values: Sequence[float], part: float) -> float:
    """The smallest value that at least this part of all values does not exceed."""
    return sorted(values)[max(0, ceil(part * len(values)) - 1)]


def table(rows: list[Row]) -> str:
    """The rows as aligned text under a heading."""
    cells = [("what", "measured", "in t_mul", "bound", "ok?")]
    cells += [(r.what, r.measured, r.in_t_mul, r.bound, "yes" if r.ok else "NO") for r in rows]
    widths = [max(len(line[i]) for line in cells) for i in range(5)]
    lines = [
        "  ".join(
            cell.ljust(width) if i in {0, 4} else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in cells
    ]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])
