"""Reason codes: each is listed, has a rule behind it, and tells a house rule from one of the preset."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
import yaml

from protocol.rules.refusals import RULES, TURN, Origin, origin, rule_of
from protocol.rules.rulefields import CONSTANTS, KINDS
from protocol.rules.ruleset import preset, with_overrides

ROOT = Path(__file__).parents[3]
CODES = set(yaml.safe_load((ROOT / "tests/rules_cases/_notation.yaml").read_text(encoding="utf-8"))["reason_codes"])


def _raised() -> set[str]:
    codes = set()
    for path in (ROOT / "protocol/rules").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "IllegalMove":
                codes |= {arg.value for arg in ast.walk(node.args[0]) if isinstance(arg, ast.Constant)}
    return {code for code in codes if isinstance(code, str)}


def test_every_code_has_a_rule() -> None:
    """The codes of the notation, the codes with a rule and the codes raised are the same vocabulary."""
    assert set(RULES) == CODES
    assert _raised() - {"add"} <= CODES
    assert set(RULES.values()) <= set(KINDS) | set(CONSTANTS) | {TURN}


def test_being_down_depends_on_the_step() -> None:
    """Where a player has to be down first, the rule is that of the step."""
    assert rule_of("not_down") == rule_of("not_down", "layoff") == "layoff_requires_being_down"
    assert rule_of("not_down", "swap") == "joker_swap_requires_being_down"
    assert rule_of("not_down", "pot") == "pot_requires_being_down"
    with pytest.raises(ValueError, match="no reason code"):
        rule_of("because")


def test_house_rules_are_told_apart() -> None:
    """A refusal names its rule as one of the game, of the preset, or of the house."""
    rules = with_overrides(preset("spelregelwijzer"), {"opening_minimum": 40})
    assert origin(rule_of("below_opening_minimum"), rules, "spelregelwijzer") is Origin.HOUSE
    assert origin(rule_of("joker_majority"), rules, "spelregelwijzer") is Origin.PRESET
    assert origin(rule_of("ace_wrap"), rules, "spelregelwijzer") is Origin.GAME
    assert origin(rule_of("not_your_turn"), rules, "spelregelwijzer") is Origin.GAME
    with pytest.raises(ValueError, match="no rule"):
        origin("weather", rules, "spelregelwijzer")
