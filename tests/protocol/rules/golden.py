"""Runs golden cases (tests/rules_cases/_notation.yaml explains them) against the rules.

A case that this runner does not understand raises NotUnderstood: nothing is skipped silently.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from protocol.errors import IllegalMove
from protocol.rules.notation import SEATS
from protocol.rules.ruleset import PRESETS, ClashError, RuleSet, preset, with_overrides
from tests.protocol.rules.golden_scores import special
from tests.protocol.rules.golden_table import NotUnderstood, Table


@dataclass(frozen=True)
class Case:
    """One golden case for one preset."""

    file: str
    preset: str
    body: Mapping[str, Any]

    @property
    def name(self) -> str:
        """Identifier of the case and the preset."""
        return f"{self.body['id']}[{self.preset}]"


def load(place: Path) -> Iterator[Case]:
    """Every case in the folder (or the file), once for every preset it names. Raises FileNotFoundError without any."""
    paths = [place] if place.is_file() else sorted(place.glob("*.yaml"))
    if not paths:
        raise FileNotFoundError(f"no golden cases in {place}")
    for path in paths:
        if path.name.startswith("_"):
            continue
        for body in yaml.safe_load(path.read_text(encoding="utf-8"))["cases"]:
            named = body["preset"]
            names = PRESETS if named == "all" else [named] if isinstance(named, str) else named
            for name in names:
                yield Case(path.name, name, body)


def rules_of(case: Case) -> RuleSet:
    """The preset with the overrides of the case; `teams` lists the players of every team in seating order."""
    overrides = dict(case.body.get("overrides", {}))
    teams = overrides.pop("teams", None)
    if teams is not None:
        overrides["team_size"] = len(teams[0])
        if sorted(player for team in teams for player in team) != list(SEATS[: len(teams) * len(teams[0])]):
            raise NotUnderstood("teams of unequal size")
        if any(SEATS.index(player) % len(teams) != k for k, team in enumerate(teams) for player in team):
            raise NotUnderstood("teams that do not sit alternately")
    return with_overrides(preset(case.preset), overrides)


def _refusal(act: Callable[[], object]) -> str | None:
    """The reason code with which the rules refuse, or None."""
    try:
        act()
    except (IllegalMove, ClashError) as error:
        return error.code
    return None


def _table_case(rules: RuleSet, case: Case) -> None:
    steps = [step for step in case.body["do"] if isinstance(step, dict)]
    expect = dict(case.body["expect"])
    table = Table(rules, case.body["pos"], steps[0])
    for step in steps[:-1]:
        table.do(step)
    table.facts = {}
    if not expect.pop("legal"):
        before = table.state
        assert expect == {"why": _refusal(lambda: table.do(steps[-1]))}
        assert table.state is before
        return
    table.do(steps[-1])
    table.finish()
    _check(table, expect)


def _check(table: Table, expect: dict[str, Any]) -> None:
    for key, value in expect.items():
        if key == "table":
            table.check_table(value)
        elif key == "hand":
            actual = table.fact(key)
            assert sorted(value) == actual, key
        elif key == "hand_count":
            counts = table.fact(key)
            assert isinstance(counts, dict)
            assert value == {player: counts[player] for player in value}, key
        else:
            assert value == table.fact(key), key


def run(case: Case) -> None:
    """Raises AssertionError unless the rules do what the case says."""
    unknown = set(case.body) - {"id", "kind", "preset", "overrides", "pos", "do", "expect", "source", "note"}
    if unknown:
        raise NotUnderstood(f"case key {sorted(unknown)}")
    step, pos, expect = case.body["do"][-1], case.body["pos"], dict(case.body["expect"])
    found: list[dict[str, Any] | None] = []
    code = _refusal(lambda: found.append(special(rules_of(case), pos, step)))
    if code is None and found[0] is None:
        _table_case(rules_of(case), case)
        return
    assert expect.get("why") == code
    if code is not None:
        assert expect.pop("legal") is False
        return
    actual = found[0]
    assert actual is not None
    expect.pop("legal", None)
    for key, value in expect.items():
        if key not in actual:
            raise NotUnderstood(f"fact {key}")
        if key in {"net", "net_shown"}:
            assert value == {name: actual[key][name] for name in value}, key
        else:
            assert value == actual[key], key
