"""What the protocol demands that a seat says now, without any choice of its player (spec/20-crypto.md 5.7)."""

from __future__ import annotations

from typing import Any

from protocol.rules.actions import Slot
from protocol.wire.entry import Kind

from . import closing, setup, turns
from .bodies import opens_body
from .ledger import PURPOSE_DRAW
from .secrets import RoundSecrets
from .table import Table


def duty(
    table: Table, seat: int, secrets: RoundSecrets | None, own: dict[Slot, int], challenge: int
) -> tuple[Kind, list[Any]] | None:
    """Kind and body of the entry that `seat` owes in the open step; None where its player has to choose (a turn).

    `own` are the card ids of the hidden slots it holds, `challenge` what it challenges (0, or a seat plus one).
    Without the round's secrets a seat owes nothing it can say.
    """
    if isinstance(table.phase, setup.Seating):
        return Kind.SEAT, table.seat_body(seat)
    if isinstance(table.phase, closing.Void):
        return Kind.VOID, closing.void_body(table)
    if secrets is None:
        return None
    ledger = table.ledger
    match table.phase:
        case setup.Commit():
            return Kind.COMMIT, secrets.commit_body()
        case setup.Open():
            return Kind.OPEN, secrets.open_body()
        case setup.Shuffle():
            return Kind.SHUFFLE, secrets.shuffle_body(ledger, ledger.chains[-1])
        case setup.Ready():
            return Kind.READY, setup.ready_body(table)
        case setup.Deal():
            dealt = {p: setup.dealt_slots(table, p) for p in table.present}
            return Kind.DEAL, secrets.deal_body(ledger, dealt, setup.upcard_slot(table))
        case turns.Share(drawer=drawer, slot=slot):
            return Kind.SHARES, secrets.share_body(ledger, PURPOSE_DRAW, drawer, slot, challenge)
        case closing.End():
            return Kind.END, closing.end_body(table)
        case closing.Show():
            opened = secrets.open_slots(ledger, closing.hand_to_show(table, seat), own)
            return Kind.SHOW, [opens_body(opened)]
        case closing.Audit():
            return Kind.AUDIT, [secrets.seed]
        case closing.Verdict():
            return Kind.VERDICT, closing.verdict_body(table)
        case _:
            return None


def setup_progress(table: Table) -> tuple[str, int, int] | None:
    """(stage, steps closed, steps in all) while a deck is being made, for people to watch; else None."""
    seats = table.present
    total = len(seats) + 4
    match table.phase:
        case setup.Open():
            return "open", 1, total
        case setup.Shuffle(seats=(seat,)):
            return "shuffle", 2 + seats.index(seat), total
        case setup.Ready():
            return "ready", len(seats) + 2, total
        case setup.Deal():
            return "deal", len(seats) + 3, total
        case _:
            return None
