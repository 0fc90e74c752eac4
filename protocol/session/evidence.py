r"""Evidence: why a seat is named, as a file that a stranger checks again (spec/40-game-file.md, "Evidence").

`DUIZENDEN EVIDENCE 1\n`, then records as in a game file: the genesis, the accusation, and what proves it. That is
either the whole log up to the end of the step that broke the game off, or the two entries that one seat signed for one
step. Nothing is taken on trust: nobody is accused of more than the entries in the file prove.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from protocol.errors import WireError
from protocol.wire.codec import decode, encode
from protocol.wire.entry import SIDE, parse_entry
from protocol.wire.limits import MAX_ACCUSATION, MAX_GENESIS, MAX_SEATS

from .gamefile import pack, unpack
from .genesis import Genesis, decode_genesis
from .secrets import weight_source
from .table import Table
from .verify import take
from .view import Finding

MAGIC = b"DUIZENDEN EVIDENCE 1\n"
SUFFIX = ".evidence"
EQUIVOCATION = "log/equivocation"


@dataclass(frozen=True, slots=True)
class Evidence:
    """Who is named for what, and the signed entries that prove it."""

    findings: tuple[Finding, ...]
    frames: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a verifier says of a file of evidence.

    `findings` is what the file says; `proven` whether its entries prove exactly that. `why` is the code of the first
    thing that stands in the way, "" when it is proven.
    """

    genesis: Genesis
    findings: tuple[Finding, ...]
    why: str

    @property
    def proven(self) -> bool:
        """Whether every seat is rightly named."""
        return not self.why

    def as_json(self) -> dict[str, Any]:
        """Plain values for a program."""
        return {
            "proven": self.proven,
            "why": self.why or None,
            "findings": [asdict(f) for f in self.findings],
            "table": self.genesis.table.hex(),
            "players": [p.name for p in self.genesis.players],
        }


def write_evidence(genesis: Genesis, evidence: Evidence) -> bytes:
    """The file of this evidence."""
    accusation = encode([[f.code, f.seat, f.step] for f in evidence.findings])
    return pack(MAGIC, [genesis.encode(), accusation, *evidence.frames])


def verify_evidence(data: bytes, entropy: bytes, progress: Callable[[int, int], None] | None = None) -> Ruling:
    """Check a file of evidence from its bytes alone; arguments as of `verify_game`.

    Raises WireError when the bytes cannot be read as evidence; whether it proves anything is in the ruling.
    """
    genesis_bytes, accusation, *frames = unpack(MAGIC, data, (MAX_GENESIS, MAX_ACCUSATION))
    genesis = decode_genesis(genesis_bytes)
    findings = _parse(accusation, len(genesis.players))
    if findings[0].code == EQUIVOCATION:
        why = _two_entries(genesis, findings, frames)
    else:
        table = Table(genesis, me=None, weights=lambda label: weight_source(entropy, label))
        why = _log(table, findings, frames, progress)
    return Ruling(genesis, findings, why)


def _parse(data: bytes, seats: int) -> tuple[Finding, ...]:
    """The accusation: findings by ascending seat. Raises WireError `evidence/form` (or `wire/..`)."""
    value = decode(data, MAX_ACCUSATION)
    if type(value) is not list or not 1 <= len(value) <= MAX_SEATS:
        raise WireError("evidence/form", "not one to seven findings")
    findings = []
    for item in value:
        if type(item) is not list or [type(part) for part in item] != [str, int, int]:
            raise WireError("evidence/form", "a finding is a code, a seat and a step")
        findings.append(Finding(*item))
    if any(f.seat >= seats for f in findings):
        raise WireError("evidence/form", "no such seat")
    return tuple(findings)


def _two_entries(genesis: Genesis, findings: tuple[Finding, ...], frames: list[bytes]) -> str:
    """Why these frames are not two entries that the accused seat signed for one step; "" when they are (E4)."""
    if len(frames) != 2 or len(findings) != 1:
        return "evidence/count"
    keys = tuple(p.key for p in genesis.players)
    try:
        one, other = (parse_entry(frame, genesis.table, keys) for frame in frames)
    except WireError as error:
        return error.code
    accused = findings[0]
    if {(e.seat, e.step) for e in (one, other)} != {(accused.seat, accused.step)} or {one.kind, other.kind} & SIDE:
        return "evidence/other"
    return "evidence/same" if one.raw == other.raw else ""


def _log(
    table: Table, findings: tuple[Finding, ...], frames: list[bytes], progress: Callable[[int, int], None] | None
) -> str:
    """Why the log that these frames are does not end with a step that names these seats for this; "" when it does."""
    for k, frame in enumerate(frames):
        misplaced = take(table, frame)
        if misplaced is not None:
            return misplaced.code
        if progress is not None:
            progress(k + 1, len(frames))
    last = table.breaks[-1] if table.breaks else None
    if table.spoken or table.claims or last is None or last.steps != table.step:
        return "evidence/nothing"
    return "" if last.findings == findings else "evidence/other"
