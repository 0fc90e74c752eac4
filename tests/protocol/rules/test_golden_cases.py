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

_CALL = "the last-card call and its challenge are not played yet; the rules refuse the setting"
NOT_YET: dict[str, str] = {
    "hr-last-card-missed-extra": _CALL,
    "hr-last-card-missed-points": _CALL,
    "hr-last-card-early-challenge": _CALL,
    "hr-last-card-not-noticed": _CALL,
    "hr-last-card-two-left": _CALL,
}
"""Cases that the rules do not cover yet, by id. A listed case that passes fails the test: the list only shrinks."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.file}:{case.name}")
def test_golden_case(case: Case) -> None:
    """The rules do what the case says, or the case is listed as not covered and indeed is not."""
    if case.body["id"] not in NOT_YET:
        run(case)
        return
    assert case.preset != "klassiek"
    with pytest.raises((AssertionError, ValueError)):
        run(case)


def test_listed_cases_exist() -> None:
    """Every case listed as not covered is there."""
    assert {case.body["id"] for case in CASES} >= set(NOT_YET)


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
