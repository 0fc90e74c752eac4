"""The benchmark: measures what has a bound and prints a table; run it as `python tests/bench/run.py`.

Exit code 1 when a bound is broken, unless `--no-fail`. New rows go into a `rows_<topic>.py` beside this file.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from tests.bench.harness import Meter, Row, table  # noqa: E402  (run as a program, the root is not on the path)


def topics() -> list[str]:
    """The topics that have a row file, in alphabetical order."""
    return sorted(path.stem.removeprefix("rows_") for path in HERE.glob("rows_*.py"))


def measure(chosen: Sequence[str], meter: Meter) -> Iterator[Row]:
    """The rows of these topics, each measured when it is asked for."""
    for topic in chosen:
        yield from importlib.import_module(f"tests.bench.rows_{topic}").rows(meter)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and say by the exit code whether every bound holds."""
    parser = argparse.ArgumentParser(description="Measure what has a bound.")
    parser.add_argument("topics", nargs="*", metavar="TOPIC", help=f"one of {', '.join(topics())}; all if none")
    parser.add_argument("--no-fail", action="store_true", help="exit 0 even when a bound is broken")
    options = parser.parse_args(arguments)
    unknown = set(options.topics) - set(topics())
    if unknown:
        parser.error(f"no rows for {', '.join(sorted(unknown))}")
    meter = Meter()
    rows = list(measure(options.topics or topics(), meter))
    print(f"t_mul = {1e6 * meter.t_mul:.1f} us, one ristretto255 multiplication on this machine\n\n{table(rows)}")  # noqa: T201
    broken = [row for row in rows if not row.ok]
    return 1 if broken and not options.no_fail else 0


if __name__ == "__main__":
    sys.exit(main())
