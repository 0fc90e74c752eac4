"""The verifier in JavaScript (spec/verifier), as a program that judges bytes. It shares no code with ours."""

from __future__ import annotations

import atexit
import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

HOME = Path(__file__).resolve().parent.parent / "spec" / "verifier"
NODE = shutil.which("node")
AVAILABLE = NODE is not None and (HOME / "node_modules").is_dir()
MISSING = "the second verifier needs node, and `npm ci` in spec/verifier"
_COMMAND = (NODE or "node", str(HOME / "verify.mjs"))
COMPARED = ("ok", "layer", "complete", "departed", "checks", "rounds", "steps", "head", "points", "scores", "winners")


def second_opinion(data: bytes, folder: Path, *options: str) -> tuple[int, dict[str, Any]]:
    """Exit code and JSON of the other verifier about these bytes, from one process that judges them all."""
    file = folder / "judged"
    file.write_bytes(data)
    asked = _judge()
    assert asked.stdin is not None
    assert asked.stdout is not None
    asked.stdin.write(" ".join((*options, f"{file}\n")))
    asked.stdin.flush()
    code, _, said = asked.stdout.readline().partition(" ")
    assert said, "the second verifier has a defect: what it is stands in its stderr"
    return int(code), json.loads(said)


def program_opinion(data: bytes, folder: Path, *options: str) -> tuple[int, dict[str, Any]]:
    """The same from the program as a person calls it, in a process of its own."""
    file = folder / "judged"
    file.write_bytes(data)
    done = subprocess.run([*_COMMAND, str(file), "--json", *options], capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


@cache
def _judge() -> subprocess.Popen[str]:
    """The process of this test run. A file takes a third of the time where the code is warm."""
    judge = subprocess.Popen([*_COMMAND, "--lines"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    atexit.register(_end, judge)
    return judge


def _end(judge: subprocess.Popen[str]) -> None:
    """It ends with its input."""
    judge.communicate()


def compared(verdict: dict[str, Any]) -> dict[str, Any]:
    """Those parts of a verdict that both verifiers must agree on; the texts for developers are their own."""
    fault = verdict["fault"]
    named = None if fault is None else {key: fault[key] for key in ("code", "seat", "step")}
    return {key: verdict[key] for key in COMPARED} | {"fault": named}
