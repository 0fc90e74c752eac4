"""Changes every rule of every preset and looks for a golden case that notices: `python tests/mutations/rules.py`.

A mutant is a preset with one field changed: a switch flipped, a number one lower and one higher (and, where it may be
absent, absent), a word replaced by every other word. A mutant is *killed* when a golden case of that preset fails; a
case that overrides the same field, or cannot be set up because two settings clash, says nothing. A mutant that
survives has to be explained in `survivors.yaml`, and every explanation there has to explain a survivor and to hold:
what it says the preset has is looked up.

Prints one JSON line; ends with 1 when a survivor is not explained or an explanation is idle.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import yaml

from protocol.errors import DuizendenError
from protocol.rules import ruleset
from protocol.rules.rulefields import KINDS
from protocol.rules.rulekinds import Choice, Number, Switch, Value, write
from protocol.rules.ruleset import PRESETS, RuleSet, preset, with_overrides
from tests.protocol.rules import golden
from tests.protocol.rules.golden import Case
from tests.protocol.rules.golden_table import NotUnderstood

HERE = Path(__file__).parent
CASES = HERE.parent / "rules_cases"


@dataclass(frozen=True)
class Mutant:
    """A preset with one field changed."""

    preset: str
    field: str
    value: Value
    rules: RuleSet

    @property
    def name(self) -> str:
        """One text for it."""
        return f"{self.preset}: {self.field}={write(self.value)}"


def other_values(field: str, value: Value) -> list[Value]:
    """The values a field is changed to."""
    kind = KINDS[field]
    if isinstance(kind, Switch):
        return [not value]
    if isinstance(kind, Choice):
        words: list[Value] = [*kind.words, *([None] if kind.optional else [])]
        return [word for word in words if word != value]
    assert isinstance(kind, Number)
    near: list[Value] = []
    if value is None:
        near = [kind.low, kind.high]
    elif isinstance(value, int):
        near = [number for number in (value - 1, value + 1) if kind.low <= number <= kind.high]
        near += [None] if kind.optional else []
    return near


def mutants(name: str) -> Iterator[Mutant]:
    """Every mutant of a preset that is a rule set at all."""
    base = preset(name)
    for field in KINDS:
        for value in other_values(field, getattr(base, field)):
            try:
                rules = with_overrides(base, {field: value})
            except ValueError:
                continue
            yield Mutant(name, field, value, rules)


def fails(case: Case) -> bool:
    """Whether the case notices that something is wrong."""
    try:
        golden.run(case)
    except NotUnderstood:
        raise
    except (AssertionError, DuizendenError):
        return True
    except ValueError:
        return False  # two settings clash: this case cannot be played under the mutant
    return False


class Killer:
    """Plays golden cases under a mutant in place of its preset."""

    def __init__(self, cases: Sequence[Case]) -> None:
        self.cases = cases
        self.first: dict[str, list[Case]] = {}
        """Cases of each preset, those that killed last in front."""
        for name in PRESETS:
            self.first[name] = [case for case in cases if case.preset == name]

    def killer(self, mutant: Mutant) -> str | None:
        """The name of a case that notices the mutant, None when none does."""
        row = self.first[mutant.preset]

        def changed(name: str) -> RuleSet:
            return mutant.rules if name == mutant.preset else ruleset.preset(name)

        with patch.object(golden, "preset", changed):
            for at, case in enumerate(row):
                if mutant.field not in case.body.get("overrides", {}) and fails(case):
                    row.insert(0, row.pop(at))
                    return case.name
        return None


def explained(mutant: Mutant, reasons: Sequence[Mapping[str, Any]]) -> int | None:
    """The number of the first explanation that covers the mutant."""
    for number, reason in enumerate(reasons):
        fields, presets = reason["fields"], reason["presets"]
        values = reason.get("values")
        if mutant.field not in fields or (presets != "all" and mutant.preset not in presets):
            continue
        because = reason.get("because", {})
        holds = all(write(getattr(mutant.rules, key)) == text for key, text in because.items())
        if holds and (values is None or write(mutant.value) in values):
            return number
    return None


def main() -> int:
    """Tries all mutants and reports."""
    parser = argparse.ArgumentParser(description="Change every rule of every preset and look for a case that notices.")
    parser.add_argument("presets", nargs="*", help="only these presets")
    parser.add_argument("--killers", action="store_true", help="print which case killed which mutant")
    asked = parser.parse_args()
    start = time.monotonic()
    reasons = yaml.safe_load((HERE / "survivors.yaml").read_text(encoding="utf-8"))["survivors"]
    killer = Killer(list(golden.load(CASES)))
    idle = set(range(len(reasons)))
    tried, killed, unexplained = 0, 0, []
    for name in asked.presets or PRESETS:
        for mutant in mutants(name):
            tried += 1
            case = killer.killer(mutant)
            if case is not None:
                killed += 1
                if asked.killers:
                    sys.stdout.write(f"{mutant.name} killed by {case}\n")
                continue
            number = explained(mutant, reasons)
            if number is None:
                unexplained.append(mutant.name)
                sys.stdout.write(f"{mutant.name} survives\n")
            else:
                idle.discard(number)
    left = [] if asked.presets else [reasons[number]["fields"] for number in sorted(idle)]
    summary = {
        "mutants": tried,
        "killed": killed,
        "explained": tried - killed - len(unexplained),
        "unexplained": len(unexplained),
        "idle_explanations": left,
        "seconds": round(time.monotonic() - start, 1),
    }
    sys.stdout.write(json.dumps(summary) + "\n")
    return 1 if unexplained or left else 0


if __name__ == "__main__":
    sys.exit(main())
