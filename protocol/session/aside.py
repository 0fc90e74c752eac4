"""What is said beside the log: EXPIRED, HELD and GOODBYE, as one seat sees them (spec/30-wire.md 6).

The point of the rules here: a step closes in one way only, by its entries or by the claims of all who wait no longer.
Whoever has claimed that a seat is silent lets that seat's late words, its entry and its claims, count only when
somebody outside the claim says HELD; whoever has said HELD, or shares a claim with a seat, never claims that seat.
Nothing here decides by time: that is for people and nodes.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from protocol.wire.entry import SIDE, Entry, Kind
from protocol.wire.limits import MAX_STEP_AHEAD

from .bodies import mask_seats, parse_mask, seats_mask
from .table import Table


@dataclass(slots=True)
class Aside:
    """What this seat has said and heard beside the open step. `seat` is None for a watcher."""

    seat: int | None
    step: int = 0
    claimed: int = 0
    """Mask of the seats that we claimed to be silent in the open step."""
    holds: int = 0
    """Mask of the seats whose entries we said we hold in the open step."""
    held: dict[int, Entry] = field(default_factory=dict)
    """HELD entries of the open step, by seat."""
    late: dict[int, Entry] = field(default_factory=dict)
    """Entries of seats that we claimed silent, waiting for a HELD."""
    late_claims: dict[tuple[int, int], Entry] = field(default_factory=dict)
    """Their claims, by (seat, mask), waiting too: what they complete might name others than our claims do."""
    early: dict[tuple[int, int, Kind], Entry] = field(default_factory=dict)
    """Claims and holds of steps that have not begun here."""
    strays: dict[tuple[int, int], Entry] = field(default_factory=dict)
    """The first entry that came too late for a step that claims have closed, by (step, seat)."""
    leaving: dict[int, Entry] = field(default_factory=dict)
    """GOODBYE entries, by seat: they last."""

    def follow(self, step: int) -> None:
        """The open step is another one now: what was said beside the old one is over."""
        if step != self.step:
            self.step, self.claimed, self.holds = step, 0, 0
            self.held, self.late, self.late_claims = {}, {}, {}
            self.early = {k: e for k, e in self.early.items() if k[0] >= step}

    def stray(self, table: Table, entry: Entry) -> Entry | None:
        """What this seat said before, too late as well, in a step that claims have closed; None for any other step.

        Two different entries prove equivocation although neither counts: whoever had them in time names the seat.
        """
        if all(said.kind not in SIDE for said in table.log[entry.step].values()):
            return None
        return self.strays.setdefault((entry.step, entry.seat), entry)

    def keep_early(self, entry: Entry) -> bool:
        """Keep a claim or a hold of a later step; False when it is too far ahead."""
        if entry.step > self.step + MAX_STEP_AHEAD:
            return False
        self.early[entry.step, entry.seat, entry.kind] = entry
        return True

    def due(self) -> list[Entry]:
        """Take what was kept for the step that is open now."""
        keys = sorted(k for k in self.early if k[0] == self.step)
        return [self.early.pop(k) for k in keys]

    def is_released(self, seat: int) -> bool:
        """Whether the late entry of a seat that we claimed silent may count: somebody outside our claim holds it."""
        return any(
            not self.claimed >> holder & 1 and parse_mask(entry) >> seat & 1 for holder, entry in self.held.items()
        )

    def released(self) -> list[Entry]:
        """Take the late entries, then the late claims, of seats that somebody outside our claim holds."""
        entries = [self.late.pop(seat) for seat in [*self.late] if self.is_released(seat)]
        claims = [self.late_claims.pop(place) for place in [*self.late_claims] if self.is_released(place[0])]
        return [*entries, *claims]

    def heard(self, table: Table) -> int:
        """Mask of the seats whose word in the open step binds us: its entry, or a claim that we share."""
        shared = (claims for claims in table.claims.values() if self.seat in claims)
        return seats_mask({*table.spoken, *(seat for claims in shared for seat in claims)})

    def claimable(self, table: Table, seats: tuple[int, ...]) -> int:
        """The mask to claim when we wait no longer for these seats; 0 when there is nothing new to claim."""
        bound = self.heard(table) | self.holds
        absent = {s for s in seats if s in table.present and not bound >> s & 1}
        silent = absent - {self.seat} if absent & set(table.waiting_for) else set()
        kept = {s for s in mask_seats(self.claimed) if s not in table.spoken and not self.is_released(s)}
        mask = seats_mask(silent | kept)
        if 2 * mask.bit_count() >= len(table.present):
            return 0  # those who are left must outnumber those they name
        return 0 if mask == self.claimed else mask

    def note(self, entry: Entry) -> None:
        """Something this seat itself said, now or before a restart."""
        if entry.kind is Kind.GOODBYE:
            self.leaving.setdefault(entry.seat, entry)
        elif entry.step == self.step and entry.kind is Kind.EXPIRED:
            self.claimed |= parse_mask(entry)
        elif entry.step == self.step:
            self.holds |= parse_mask(entry)
            self.held.setdefault(entry.seat, entry)

    def entries(self, table: Table) -> list[Entry]:
        """What was said beside the open step, for a peer that may lack it; nothing once the game is over."""
        if table.phase is None:
            return []
        leaving = [self.leaving[s] for s in sorted(self.leaving) if s in table.present]
        claims = [claims[s] for _, claims in sorted(table.claims.items()) for s in sorted(claims)]
        return [*leaving, *claims, *(self.held[s] for s in sorted(self.held))]
