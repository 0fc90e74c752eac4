"""The offline verifier: everything about a game again, from its file alone.

Signatures, hash chain, commitments, every shuffle proof, every decryption share, every opened card, every move against
the rules, every score, every seed. It uses the same `Table` as the nodes and trusts nothing that they said.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from protocol.errors import WireError
from protocol.wire.entry import SIDE, Entry, Kind, parse_entry

from .bodies import parse_mask
from .gamefile import read_records
from .genesis import Genesis, decode_genesis
from .layers import layer_of
from .secrets import weight_source
from .table import Table
from .view import Checks, RoundResult


@dataclass(frozen=True, slots=True)
class Fault:
    """The first thing wrong in a game file: stable code, seat (None after the end of the game), step, and why."""

    code: str
    seat: int | None
    step: int
    detail: str

    @property
    def names(self) -> bool:
        """Whether the seat signed what is wrong; else it is only the place in the file where something else stands."""
        return self.code.split("/", maxsplit=1)[0] not in {"wire", "entry"} and self.code not in {
            "log/order",
            "log/head",
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a verifier says of a game file.

    `complete`: the game was played to its end (False for an honest prefix). `fault` is the first thing that is wrong.
    """

    genesis: Genesis
    ok: bool
    complete: bool
    fault: Fault | None
    departed: tuple[int, ...]
    """Seats that a void round named, for a fault, silence or departure."""
    checks: Checks
    steps: int
    head: bytes
    results: tuple[RoundResult, ...]
    totals: tuple[int, ...]
    winners: tuple[int, ...]

    def as_json(self) -> dict[str, Any]:
        """Plain values for a program."""
        return {
            "ok": self.ok,
            "complete": self.complete,
            "layer": "ok" if self.fault is None else layer_of(self.fault.code),
            "fault": None if self.fault is None else asdict(self.fault),
            "departed": list(self.departed),
            "checks": asdict(self.checks),
            "table": self.genesis.table.hex(),
            "rules": self.genesis.rules_name,
            "players": [p.name for p in self.genesis.players],
            "seeded": self.genesis.seeded,
            "rounds": len(self.results),
            "steps": self.steps,
            "head": self.head.hex(),
            "points": [list(r.points) for r in self.results],
            "scores": list(self.totals),
            "winners": list(self.winners),
        }


def verify_game(data: bytes, entropy: bytes, progress: Callable[[int, int], None] | None = None) -> Verdict:
    """Verify a whole game file.

    `entropy` (32 fresh random bytes) makes the merged checks unpredictable to the author. `progress(done, total)`
    is called after every entry. Raises WireError when the bytes cannot be read as a game at all; what is wrong inside
    a readable game is in the verdict.
    """
    genesis_bytes, frames = read_records(data)
    genesis = decode_genesis(genesis_bytes)
    table = Table(genesis, me=None, weights=lambda label: weight_source(entropy, label))
    misplaced: Fault | None = None
    for k, frame in enumerate(frames):
        misplaced = take(table, frame)
        if misplaced is not None:
            break
        if progress is not None:
            progress(k + 1, len(frames))
    named = table.fault or table.pending_fault
    fault = misplaced if named is None else Fault(named.code, named.seat, named.step, named.detail)
    return Verdict(
        genesis=genesis,
        ok=fault is None,
        complete=table.phase is None and misplaced is None,
        fault=fault,
        departed=tuple(sorted(table.named)),
        checks=table.checks,
        steps=table.step,
        head=table.head,
        results=table.results,
        totals=table.match.totals,
        winners=table.winners,
    )


def take(table: Table, frame: bytes) -> Fault | None:
    """Give the table the next record; the fault when it cannot stand there.

    A record that is no valid entry, or has no place here, proves nothing about anybody: the fault names the place where
    it stands. In the last step of an unfinished game seats may be missing.
    """
    place = _place(table)
    try:
        entry = parse_entry(frame, table.genesis.table, tuple(p.key for p in table.genesis.players))
    except WireError as error:
        return Fault(error.code, place, table.step, error.detail)
    if table.phase is None or entry.step != table.step or not _stands(table, entry):
        return Fault("log/order", place, table.step, f"{entry.kind.name} of seat {entry.seat}, step {entry.step}")
    if entry.head != table.head:
        return Fault("log/head", place, table.step, "does not follow from the entries before it")
    if entry.kind is Kind.EXPIRED:
        table.claim(entry)
    else:
        table.accept(entry)
    return None


def _place(table: Table) -> int | None:
    """The seat whose entry should come next: the lowest one that the open step lacks; None after the end."""
    if table.claims:
        return table.next_claimant(next(iter(table.claims)))
    return min(table.waiting_for, default=None)


def _stands(table: Table, entry: Entry) -> bool:
    """Whether this entry of the open step is the next one of a game file (spec/40-game-file.md F2).

    What an honest seat may say beside its entry (HELD, GOODBYE, an EXPIRED that closes no step) never stands for it.
    """
    if entry.kind is not Kind.EXPIRED:
        higher = entry.seat in table.waiting_for and entry.seat > max(table.spoken, default=-1)
        return higher and entry.kind not in SIDE and not table.claims
    try:
        table.check_claim(entry)
    except WireError:
        return False
    mask = parse_mask(entry)
    return not table.spoken and set(table.claims) <= {mask} and entry.seat == table.next_claimant(mask)
