"""The golden cases notice every change of a preset that can be noticed at all."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from protocol.rules.ruleset import PRESETS, preset
from tests.mutations import rules as mutations
from tests.protocol.rules import golden

ROOT = Path(__file__).resolve().parents[3]
REASONS = yaml.safe_load((ROOT / "tests" / "mutations" / "survivors.yaml").read_text(encoding="utf-8"))["survivors"]


def test_every_mutant_is_killed_or_explained() -> None:
    """Every change of one rule of a preset makes a golden case fail, or is explained by a reason that holds."""
    command = [sys.executable, "tests/mutations/rules.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    summary = json.loads(done.stdout.splitlines()[-1])

    assert done.returncode == 0, done.stdout
    assert summary["unexplained"] == 0
    assert summary["idle_explanations"] == []
    assert summary["killed"] > 400


@pytest.mark.parametrize("name", PRESETS)
def test_unchanged_presets_pass(name: str) -> None:
    """No golden case fails under the preset itself, so it is the change that a mutant's case notices."""
    killer = mutations.Killer(list(golden.load(mutations.CASES)))
    unchanged = mutations.Mutant(name, "", None, preset(name))

    assert killer.killer(unchanged) is None


def test_explanations_say_why() -> None:
    """Every explanation names fields, presets and a reason; one whose condition does not hold explains nothing."""
    for reason in REASONS:
        assert {"fields", "presets", "why"} <= set(reason) <= {"fields", "presets", "why", "values", "because"}
    mutant = mutations.Mutant("basis", "exchange_may_return_queen", True, preset("basis"))

    assert mutations.explained(mutant, REASONS) is None
