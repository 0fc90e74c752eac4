"""What is reported of a foreign node: a requirement of the specification, and whether it held."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any


class Held(Enum):
    """What became of a requirement at one table."""

    HELD = "held"
    BROKEN = "broken"
    UNSEEN = "not observed"


@dataclass(frozen=True, slots=True)
class Finding:
    """One requirement at one table. `why` is a stable code for what was seen, with its facts; "" where it held."""

    must: str
    held: Held
    why: str = ""
    facts: dict[str, Any] = field(default_factory=dict)


def held(must: str) -> Finding:
    """It held."""
    return Finding(must, Held.HELD)


def broken(must: str, why: str, **facts: Any) -> Finding:
    """It did not."""
    return Finding(must, Held.BROKEN, why, facts)


def unseen(must: str) -> Finding:
    """Nothing happened that would show it."""
    return Finding(must, Held.UNSEEN)


def merged(findings: list[Finding]) -> list[Finding]:
    """One finding for each requirement, by number: what is broken counts before what held, that before the rest."""
    order = (Held.BROKEN, Held.HELD, Held.UNSEEN)
    best: dict[str, Finding] = {}
    for finding in findings:
        known = best.get(finding.must)
        if known is None or order.index(finding.held) < order.index(known.held):
            best[finding.must] = finding
    return sorted(best.values(), key=lambda f: (f.must[0], int(f.must[1:])))
