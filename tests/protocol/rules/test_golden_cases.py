"""The golden cases: every case that names a preset is played under that preset."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.protocol.rules.golden import Case, load, run
from tests.protocol.rules.golden_table import NotUnderstood

HOME = Path(__file__).parents[2] / "rules_cases"
FOLDERS = [HOME, *(Path(folder) for folder in os.environ.get("DUIZENDEN_RULE_CASES", "").split(os.pathsep) if folder)]
CASES = [case for folder in FOLDERS for case in load(folder)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.file}:{case.name}")
def test_golden_case(case: Case) -> None:
    """The rules do what the case says."""
    run(case)


def test_unknown_words_fail() -> None:
    """A case with a step, a fact or a position key without a meaning fails instead of passing unread."""
    good = {"id": "x", "preset": "klassiek", "pos": {"hand": ["7H", "KC"]}, "do": [{"discard": "KC"}]}
    run(Case("x", "klassiek", {**good, "expect": {"legal": True, "hand": ["7H"]}}))
    for change in (
        {"expect": {"legal": True, "colour": "red"}},
        {"do": [{"dance": "KC"}]},
        {"pos": {"hand": ["KC"], "weather": "fine"}},
        {"extra": 1},
    ):
        with pytest.raises(NotUnderstood):
            run(Case("x", "klassiek", {**good, "expect": {"legal": True}, **change}))
