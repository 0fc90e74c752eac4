"""Write spec/vectors/games: a file for every scenario, and the verdicts; `--check` says whether they are up to date.

Usage: python tests/vectors/generate.py [--check]

A game file is random to any packer, so a changed one stays in the history of the project for good: let a file change
only when the protocol does.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from protocol.errors import WireError  # noqa: E402 - run as a script from anywhere
from protocol.session.gamefile import SUFFIX  # noqa: E402
from protocol.session.verify import verify_game  # noqa: E402
from tests.vectors.scenarios import Scenario, scenarios  # noqa: E402

FOLDER = ROOT / "spec" / "vectors" / "games"
VERDICTS = FOLDER / "verdicts.json"
SAID = ("ok", "complete", "departed", "checks", "rounds", "steps", "head", "points", "scores", "winners")
"""What a vector tells of a verdict, besides its fault: what two verifiers must agree on."""


def verdict(data: bytes) -> dict[str, Any]:
    """What must be said of this file: a verdict, or the code for which it is no game."""
    try:
        said = verify_game(data, bytes(32)).as_json()
    except WireError as error:
        return {"layer": "wire", "error": error.code}
    return {"layer": said["layer"], "fault": without_detail(said["fault"]), **{key: said[key] for key in SAID}}


def without_detail(fault: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Seat, step and code of a fault: its detail is for developers and no verifier's concern."""
    return None if fault is None else {key: fault[key] for key in ("seat", "step", "code")}


def vector(scenario: Scenario, data: bytes) -> dict[str, Any]:
    """What is kept about a file. Raises AssertionError when our verifier does not say what the scenario demands."""
    said = verdict(data)
    if scenario.unreadable:
        assert said == {"layer": scenario.layer, "error": scenario.code}, (scenario.name, said)
    else:
        fault = said["fault"]
        got = (fault and fault["code"], fault and fault["seat"], said["complete"], tuple(said["departed"]))
        assert got == (scenario.code, scenario.seat, scenario.complete, scenario.departed), (scenario.name, got)
        assert said["layer"] == scenario.layer, (scenario.name, said["layer"])
    return {"about": scenario.about, "sha256": hashlib.sha256(data).hexdigest(), **said}


def main() -> int:
    """Write or check; exit code 1 when a check finds a difference."""
    check = "--check" in sys.argv
    made = {}
    stale = []
    for scenario in scenarios():
        data = scenario.make()
        made[scenario.name] = vector(scenario, data)
        path = FOLDER / f"{scenario.name}{SUFFIX}"
        if not path.is_file() or path.read_bytes() != data:
            stale.append(path)
            if not check:
                path.write_bytes(data)
    rows = [
        f"{json.dumps(name)}: {json.dumps(said)}" for name, said in made.items()
    ]  # a line each, for the eye of a diff
    text = "{\n" + ",\n".join(rows) + "\n}\n"
    if not VERDICTS.is_file() or VERDICTS.read_text(encoding="utf-8") != text:
        stale.append(VERDICTS)
        if not check:
            VERDICTS.write_text(text, encoding="utf-8")
    surplus = [path for path in FOLDER.glob(f"*{SUFFIX}") if path.stem not in made]
    if not check:
        for path in surplus:
            path.unlink()
    if check and (stale or surplus):
        print("out of date, run `make vectors`:", *(path.name for path in [*stale, *surplus]))
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
