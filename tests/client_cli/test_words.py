"""The sentences of the command line: each code that is said has one, and each sentence is said somewhere."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

from client_cli.commands import words
from client_cli.commands.words import WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
COMMANDS = ROOT / "client_cli" / "commands"
PREFIX = re.compile(r"[a-z_]+[./]([a-z_]+\.)*")
"""How a code begins that is put together from parts."""


def trees(folder: Path) -> Iterator[ast.AST]:
    """The parsed sources in a folder, the catalogues themselves excepted."""
    for path in folder.rglob("*.py"):
        if "texts" not in path.parts and path != Path(words.__file__):
            yield ast.parse(path.read_text(encoding="utf-8"))


def strings(*found: ast.AST) -> set[str]:
    """Every string in these sources, the constant parts of f-strings included."""
    nodes = (node for tree in found for node in ast.walk(tree))
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def test_every_code_that_a_command_says_has_a_sentence() -> None:
    """Codes given literally to `word` and `say`, also as one of two, are in the catalogue; and such calls are found."""
    calls = (node for tree in trees(COMMANDS) for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args)
    said = [c.args[0] for c in calls if (getattr(c.func, "attr", "") or getattr(c.func, "id", "")) in {"word", "say"}]
    ways = [way for code in said for way in ((code.body, code.orelse) if isinstance(code, ast.IfExp) else (code,))]
    codes = {str(way.value) for way in ways if isinstance(way, ast.Constant)}

    assert len(codes) > 100
    assert sorted(codes - WORDS.keys()) == []


def test_no_sentence_of_the_command_line_is_without_use() -> None:
    """Each code is said literally or by its first part; one of an error is raised by the node, the protocol or us."""
    own = (node for node in ast.parse(Path(words.__file__).read_text()).body if isinstance(node, ast.FunctionDef))
    said = strings(*trees(ROOT / "client_cli"), *own)
    raised = strings(*trees(ROOT / "node"), *trees(ROOT / "protocol"))
    parts = tuple(text for text in said | raised if PREFIX.fullmatch(text))
    spare = {code for code in WORDS if code not in said and code not in raised and not code.startswith(parts)}

    assert sorted(spare) == []
