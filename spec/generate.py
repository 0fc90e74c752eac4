"""Write the parts of the specification that follow from the code; `--check` says whether they are up to date.

Usage: python spec/generate.py [--check]
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import from_code  # noqa: E402 - run as a script from anywhere

from protocol.rules import refusals  # noqa: E402
from protocol.rules.rulefields import CONSTANTS, KINDS  # noqa: E402
from protocol.rules.rulekinds import NONE, Kind, Number, Switch, write  # noqa: E402
from protocol.rules.ruleset import PRESETS, preset  # noqa: E402

BEGIN, END = "<!-- generated: {name} -->", "<!-- end of {name} -->"


def ranges() -> str:
    """A row for every field that is no switch: the values it may have, numbers before words."""
    plain = {key: kind for key, kind in KINDS.items() if not isinstance(kind, Switch)}
    keys = sorted(plain, key=lambda key: not isinstance(plain[key], Number))
    rows = [f"| `{key}` | {_range(plain[key])} |" for key in keys]
    return "\n".join(["| setting | values |", "|---|---|", *rows, "| every other setting | true, false |"])


def _range(kind: Kind) -> str:
    if isinstance(kind, Switch):
        return "true, false"
    if isinstance(kind, Number):
        text = f"{kind.low}..{kind.high}"
    else:
        text = ", ".join(kind.words)
        if NONE in kind.words:
            return f"{text} (here `{NONE}` is a word)"
    return f"{text} or {NONE}" if kind.optional else text


def settings() -> str:
    """A row for every field of the rule card: its values in every preset."""
    rows = ["| setting | " + " | ".join(PRESETS) + " |", "|---|" + "---|" * len(PRESETS)]
    for key in sorted(KINDS):
        values = " | ".join(write(getattr(preset(name), key)) for name in PRESETS)
        rows.append(f"| `{key}` | {values} |")
    return "\n".join(rows)


def constants() -> str:
    """The rules that no table can change."""
    return "\n".join(
        ["| rule | value |", "|---|---|", *(f"| `{k}` | {write(v)} |" for k, v in sorted(CONSTANTS.items()))]
    )


def codes() -> str:
    """Every reason code and the rule behind it."""
    return "\n".join(
        ["| code | rule |", "|---|---|", *(f"| `{k}` | `{v}` |" for k, v in sorted(refusals.RULES.items()))]
    )


PARTS = {
    "10-rules.md": {"values": ranges, "settings": settings, "constants": constants, "codes": codes},
    "30-wire.md": {
        "kinds": from_code.kinds,
        "steps": from_code.steps,
        "diagram": from_code.diagram,
        "limits": from_code.limits,
    },
    "40-game-file.md": {"layers": from_code.codes},
}


def generated(path: Path) -> str:
    """The text of a file with its generated parts made anew. Raises ValueError where a marker is missing."""
    text = path.read_text(encoding="utf-8")
    for name, make in PARTS[path.name].items():
        begin, end = BEGIN.format(name=name), END.format(name=name)
        before, found, rest = text.partition(begin)
        _, closed, after = rest.partition(end)
        if not (found and closed):
            raise ValueError(f"{path.name}: no part {name}")
        text = f"{before}{begin}\n{make()}\n{end}{after}"
    return text


def main() -> int:
    """Write or check; exit code 1 when a check finds a difference."""
    stale = []
    for name in PARTS:
        path = ROOT / "spec" / name
        text = generated(path)
        if text != path.read_text(encoding="utf-8"):
            stale.append(name)
            if "--check" not in sys.argv:
                path.write_text(text, encoding="utf-8")
    if stale and "--check" in sys.argv:
        print("out of date, run `make spec`:", *stale)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
