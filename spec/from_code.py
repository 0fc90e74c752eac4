"""The parts of the specification that are read off the code: steps of the log, limits, codes of faults."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from pathlib import Path

from protocol.session import closing, setup, turns
from protocol.session.layers import GROUPS, LAYERS, layer_of
from protocol.session.phases import Phase
from protocol.wire.entry import Kind

ROOT = Path(__file__).resolve().parent.parent
OVER = "the log ends"
PHASES = [
    cls
    for module in (setup, turns, closing)
    for cls in vars(module).values()
    if isinstance(cls, type) and issubclass(cls, Phase) and cls.__module__ == module.__name__
]
"""Every step of the log, in the order of the code."""

_CODE = re.compile("[a-z]+/[A-Za-z0-9-]+")
_GATES = {"decode_point": ("point",), "decode_scalar": ("scalar",), "_read_proof": ("scalar", "challenge")}
"""Functions that name the layer they are told; their lengths were checked by the body before."""
_ELSEWHERE = {"group/length", "deck/length", "proof/length", "pok/length", "dleq/length"}
"""Codes of the crypto functions that an earlier check of the body always keeps from appearing."""
_AT_A_NODE = {
    *(
        "log/too-far",
        "log/over",
        "log/not-expected",
        "log/equivocation",
        "log/own-entry-unknown",
        "log/expired",
        "log/left",
    ),
    "side/mask",
}
"""Codes that only a running node can meet, not the reader of a game file."""


def _step(name: str | None) -> str:
    return OVER if name is None else next("/".join(k.name for k in p.kinds) for p in PHASES if p.__name__ == name)


def steps() -> str:
    """A row for every step: what is said, by whom, and which steps may follow."""
    rows = [f"| {_step(p.__name__)} | {p.speakers} | {', '.join(_step(name) for name in p.leads_to)} |" for p in PHASES]
    return "\n".join(["| step | who speaks | then |", "|---|---|---|", *rows])


def diagram() -> str:
    """The same as a state diagram in Mermaid."""
    arrows = [f"    {p.__name__} --> {'[*]' if name is None else name}" for p in PHASES for name in p.leads_to]
    names = [f'    state "{_step(p.__name__)}" as {p.__name__}' for p in PHASES]
    return "\n".join(["```mermaid", "stateDiagram-v2", *names, f"    [*] --> {PHASES[0].__name__}", *arrows, "```"])


def kinds() -> str:
    """The numbers of the kinds of entries."""
    return ", ".join(f"{kind.value} {kind.name}" for kind in Kind)


def limits() -> str:
    """Every cap on received values with its reason."""
    body = ast.parse((ROOT / "protocol/wire/limits.py").read_text(encoding="utf-8")).body
    rows = []
    for target, reason in pairwise(body):
        if isinstance(target, ast.Assign) and isinstance(reason, ast.Expr):
            name = ast.unparse(target.targets[0])
            value: int = eval(ast.unparse(target.value))  # noqa: S307 - an arithmetic constant of our own
            rows.append(f"| `{name}` | {value} | {' '.join(str(ast.literal_eval(reason.value)).split())} |")
    return "\n".join(["| limit | value | why |", "|---|---|---|", *rows])


def codes() -> str:
    """Every code that a verifier can give, by layer. The codes of the rules are in 10-rules.md 4."""
    found = sorted(_codes() - _ELSEWHERE, key=str.lower)
    fit = [c for c in found if c not in _AT_A_NODE]
    rows = []
    for name in LAYERS:
        mine = [f"`{c}`" for c in fit if layer_of(c) == name and not c.startswith(("file/", "genesis/"))]
        if name == "rules":
            mine.append("`rules/` and a reason code of [10-rules.md](10-rules.md)")
        rows.append(f"| {name} | {', '.join(mine)} |")
    none = ", ".join(f"`{c}`" for c in fit if c.startswith(("file/", "genesis/")))
    return "\n".join(["| layer | codes |", "|---|---|", *rows, f"| no game at all | {none} |"])


def _codes() -> set[str]:
    """All codes that the protocol has for received bytes: its strings of that form, and what the gates are told."""
    found: set[str] = set()
    for folder in ("wire", "crypto", "session"):
        for path in sorted((ROOT / "protocol" / folder).glob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and _CODE.fullmatch(node.value):
                    found.add(node.value)
                elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    found |= _gated(node.func.id, node.args)
    return {code for code in found if code.partition("/")[0] in GROUPS}


def _gated(called: str, args: list[ast.expr]) -> set[str]:
    layer = args[1] if len(args) > 1 else ast.Constant("group")
    if called not in _GATES or not isinstance(layer, ast.Constant):
        return set()
    return {f"{layer.value}/{name}" for name in _GATES[called]}
