"""The offline verifier: everything about a game again, from its file alone.

Signatures, hash chain, commitments, every shuffle proof, every decryption share, every opened card, every move against
the rules, every score, every seed. It uses the same `Table` as the nodes and trusts nothing that they said.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from protocol.errors import PeerFault, WireError
from protocol.wire.entry import parse_entry

from .gamefile import read_records
from .genesis import Genesis, decode_genesis
from .secrets import weight_source
from .table import Table
from .view import Checks, RoundResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a verifier says of a game file.

    `complete`: the game was played to its end (False for an honest prefix). `fault` is the first thing that is wrong:
    `seat` is None where nobody can be named (an entry that is not validly signed, or out of place).
    """

    genesis: Genesis
    ok: bool
    complete: bool
    fault_code: str | None
    fault_seat: int | None
    fault_step: int | None
    fault_detail: str
    checks: Checks
    steps: int
    head: bytes
    results: tuple[RoundResult, ...]
    totals: tuple[int, ...]
    winners: tuple[int, ...]

    def as_json(self) -> dict[str, Any]:
        """Plain values for a program."""
        fault = None
        if self.fault_code is not None:
            seat, step = self.fault_seat, self.fault_step
            fault = {"seat": seat, "step": step, "code": self.fault_code, "detail": self.fault_detail}
        return {
            "ok": self.ok,
            "complete": self.complete,
            "fault": fault,
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
    """Verify a whole game file. `entropy` (32 fresh random bytes) makes the merged checks unpredictable to its author.

    `progress(done, total)` is called after every entry. Raises WireError when the bytes cannot be read as a game at all;
    anything wrong inside a readable game is in the verdict.
    """
    genesis_bytes, frames = read_records(data)
    genesis = decode_genesis(genesis_bytes)
    keys = tuple(p.key for p in genesis.players)
    table = Table(genesis, me=None, weights=lambda label: weight_source(entropy, label))
    fault: tuple[str, int | None, int | None, str] | None = None
    last = (-1, -1)
    for k, frame in enumerate(frames):
        try:
            entry = parse_entry(frame, genesis.table, keys)
            if (entry.step, entry.seat) <= last or table.phase is None or entry.step != table.step:
                raise WireError("log/order", f"entry of step {entry.step}, seat {entry.seat}")
            if entry.head != table.head:
                raise WireError("log/head", "does not follow from the entries before it")
            last = (entry.step, entry.seat)
            table.accept(entry)
        except WireError as error:
            fault = (error.code, None, table.step, error.detail)
            break
        except PeerFault as error:
            fault = (error.code, error.seat, error.step, error.detail)
            break
        if progress is not None:
            progress(k + 1, len(frames))
    code, seat, step, detail = fault or (None, None, None, "")
    return Verdict(
        genesis=genesis,
        ok=fault is None,
        complete=fault is None and table.phase is None,
        fault_code=code,
        fault_seat=seat,
        fault_step=step,
        fault_detail=detail,
        checks=table.checks,
        steps=table.step,
        head=table.head,
        results=table.results,
        totals=table.match.totals,
        winners=table.winners,
    )
