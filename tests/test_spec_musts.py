"""Every requirement of the specification is named by a test, or by a file of golden cases, that checks it.

A test names what it checks by `@pytest.mark.must("W1", ..)`, a file of golden cases by its key `musts`.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted((ROOT / "spec").glob("[0-9]*.md"))
ITEM = re.compile(r"^(?:\* |\| )([A-Z][0-9]+)(?:\. | [A-Z])", re.MULTILINE)
"""Where an identifier stands: at the beginning of a paragraph or of a table row."""


def _items() -> list[tuple[str, str]]:
    """(identifier, page) of every requirement, as often as it is written."""
    return [(name, page.name) for page in PAGES for name in ITEM.findall(page.read_text(encoding="utf-8"))]


def _named() -> set[str]:
    """Every identifier that a test or a file of golden cases names."""
    found: set[str] = set()
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.must":
                found |= {str(ast.literal_eval(arg)) for arg in node.args}
    for path in sorted((ROOT / "tests" / "rules_cases").glob("[!_]*.yaml")):
        found |= set(yaml.safe_load(path.read_text(encoding="utf-8")).get("musts", ()))
    return found


def test_every_requirement_is_checked_by_a_test() -> None:
    """No requirement of the specification is without a test that names it."""
    assert sorted({name for name, _ in _items()} - _named()) == []


def test_no_test_names_a_requirement_that_is_not_there() -> None:
    """An identifier that was taken out of the specification, or misspelt, is noticed."""
    assert sorted(_named() - {name for name, _ in _items()}) == []


def test_identifiers_are_given_once() -> None:
    """No two requirements have one identifier."""
    names = [name for name, _ in _items()]

    assert sorted({name for name in names if names.count(name) > 1}) == []


def test_no_must_stands_outside_a_requirement() -> None:
    """Every MUST belongs to a paragraph with an identifier."""
    for page in PAGES:
        for part in re.split(r"\n(?=\* |\||#|\n)|\n\n", page.read_text(encoding="utf-8")):
            if "MUST" in part:
                assert ITEM.match(part), f"{page.name}: {part[:80]}"
