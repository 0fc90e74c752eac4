"""Simulated tables for as long as you like: `python tests/soak/faults.py --minutes 60 --seed 1000`.

Every seed is a history of its own (see tests/simulator/README.md). Ends with 1 at the first one in which something does
not hold, after the smallest plan found that still fails, what happened in it, and the command that repeats it.
"""

from __future__ import annotations

import argparse
import json
import logging
import resource
import sys
import time
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.simulator.memo import remembering
from tests.simulator.world import Plan, SimulationError, Tally, simulate


def shrunk(plan: Plan, error: SimulationError) -> SimulationError:
    """The error of a plan with as little in it as still fails."""

    def tried(**wish: object) -> None:
        nonlocal plan, error
        smaller = replace(plan, **wish)  # type: ignore[arg-type]
        try:
            simulate(smaller)
        except SimulationError as found:
            plan, error = smaller, found

    tried(rest=0.0)
    tried(sudden=0.0)
    tried(hostile=())
    tried(gone=())
    tried(leavers=())
    for fault in dict.fromkeys(plan.faults):
        tried(faults=tuple(f for f in plan.faults if f != fault))
    for part in (0.25, 0.5, 0.75):
        tried(storm=plan.storm * part)
    return error


def main() -> int:
    """Run seed after seed and report."""
    parser = argparse.ArgumentParser(description="Simulate tables under faults, one seed after the other.")
    parser.add_argument("--minutes", type=float, default=10.0, help="how long, unless --runs says how many")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--runs", type=int, help="how many seeds")
    parser.add_argument("--plain", action="store_true", help="compute all cryptography anew in every run (slower)")
    asked = parser.parse_args()
    logging.disable(logging.WARNING)
    start, seed, total = time.monotonic(), asked.seed, Tally()
    with nullcontext() if asked.plain else remembering():
        while (total.runs < asked.runs) if asked.runs else (time.monotonic() - start < 60 * asked.minutes):
            plan = Plan.of(seed)
            try:
                total.add(simulate(plan))
            except SimulationError as error:
                sys.stdout.write(f"seed {seed} fails: {shrunk(plan, error)}\n")
                return 1
            seed += 1
            if total.runs % 500 == 0:
                sys.stdout.write(f"{total.runs} runs, {total.restarts} restarts, {total.events} states checked\n")
                sys.stdout.flush()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    took = round(time.monotonic() - start, 1)
    summary = {"first_seed": asked.seed, **vars(total), "took": took, "megabytes": memory, "failures": 0}
    sys.stdout.write(json.dumps(summary) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
