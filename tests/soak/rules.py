"""Compares engine and referee over many random moves: `python tests/soak/rules.py --moves 200000 --seed 1`.

Prints what was tried. Ends with 1 when the two disagree anywhere, after one line per disagreement that names the rules,
the position, the move and both verdicts; else with 0. The same seed tries the same moves.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from protocol.rules.ruleset import PRESETS
from tests.referee.fuzz import fuzz
from tests.referee.house import HOUSE_RULES


def main() -> int:
    """Fuzzes and reports."""
    parser = argparse.ArgumentParser(description="Compare the rules engine with the referee over random moves.")
    parser.add_argument("--moves", type=int, default=200_000, help="moves to compare at least")
    parser.add_argument("--seed", type=int, default=1, help="the same seed tries the same moves")
    parser.add_argument("--most", type=int, default=20, help="disagreements after which to stop")
    asked = parser.parse_args()
    start = time.monotonic()
    report = fuzz(asked.moves, asked.seed, asked.most)
    for divergence in report.divergences:
        sys.stdout.write(f"{divergence}\n")
    summary = {
        "seed": asked.seed,
        "moves": report.moves,
        "comparisons": report.comparisons,
        "illegal": report.illegal,
        "presets": len(PRESETS),
        "house_rules": len(HOUSE_RULES),
        "rule_cards": report.rules,
        "rounds_over": report.rounds_over,
        "steps": dict(report.steps),
        "verdicts": dict(report.codes.most_common()),
        "divergences": len(report.divergences),
        "seconds": round(time.monotonic() - start, 1),
    }
    sys.stdout.write(json.dumps(summary) + "\n")
    return 1 if report.divergences else 0


if __name__ == "__main__":
    sys.exit(main())
