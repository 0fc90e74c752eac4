"""The verifier in JavaScript (spec/verifier), as a program that judges bytes. It shares no code with ours."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

HOME = Path(__file__).resolve().parent.parent / "spec" / "verifier"
NODE = shutil.which("node")
AVAILABLE = NODE is not None and (HOME / "node_modules").is_dir()
MISSING = "the second verifier needs node, and `npm ci` in spec/verifier"
COMPARED = ("ok", "layer", "complete", "departed", "checks", "rounds", "steps", "head", "points", "scores", "winners")


def second_opinion(data: bytes, folder: Path, *options: str) -> tuple[int, dict[str, Any]]:
    """Exit code and JSON of the other verifier about these bytes."""
    assert NODE is not None
    file = folder / "judged"
    file.write_bytes(data)
    command = [NODE, str(HOME / "verify.mjs"), str(file), "--json", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


def compared(verdict: dict[str, Any]) -> dict[str, Any]:
    """Those parts of a verdict that both verifiers must agree on; the texts for developers are their own."""
    fault = verdict["fault"]
    named = None if fault is None else {key: fault[key] for key in ("code", "seat", "step")}
    return {key: verdict[key] for key in COMPARED} | {"fault": named}
