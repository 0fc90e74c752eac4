"""The table: the state machine that every node, watcher and verifier replicates from the log alone.

A table is given signed entries in step order; it holds no secret and makes no choice. It checks each entry of the
current step, closes the step when every expected seat has spoken, and says what is expected next. The same code
judges our own entries and everybody else's. After a fault, or when seats are silent for too long, the others void the
round; after a contradiction in the log itself the table is dead.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from protocol.crypto.shuffle import Own
from protocol.errors import CryptoError, DuizendenError, IllegalMove, PeerFault, WireError
from protocol.rules.actions import Slot
from protocol.rules.scoring import Match
from protocol.rules.state import Round
from protocol.wire.entry import Entry, Kind, genesis_head, next_head

from . import closing, setup, turns
from .bodies import fields, mask_seats, parse_mask
from .genesis import Genesis
from .ledger import Ledger
from .outputs import Event, Faulted, Voided
from .phases import BadContent, BadStep, Phase
from .view import Break, Checks, Finding, RoundResult

Weights = Callable[[bytes], Callable[[int], bytes]]
"""Given a context (32 bytes), a source of unpredictable bytes for the weights of one merged check (spec 5.4)."""

OwnShuffle = Callable[[bytes], Own | None]

FAULT, SILENCE, LEFT = 2, 3, 4
"""Reasons of a VOID (spec/30-wire.md 6)."""

EXPIRED, LEAVE = "log/expired", "log/left"
"""What seats are named for that are no fault: all others waited no longer for them, or they said LEAVE."""


class Table:
    """The replicated state of one table.

    `me` is the seat whose own shuffles need no proof check (None: check everything); `own_shuffle` may know permutation
    and masks of one, by its context, which makes checking the others' cheaper. While `trusting`, cryptographic proofs
    are not checked again: for entries this node itself verified and journalled before.
    """

    def __init__(
        self, genesis: Genesis, *, me: int | None, weights: Weights, own_shuffle: OwnShuffle = lambda _: None
    ) -> None:
        self.genesis = genesis
        self.me = me
        self.weights = weights
        self.own_shuffle = own_shuffle
        self.n = len(genesis.players)
        self.everybody = tuple(range(self.n))
        self.trusting = False
        self.step = 0
        self.head = genesis_head(genesis.encode())
        self.heads: list[bytes] = []
        """The head before every closed step."""
        self.log: list[dict[int, Entry]] = []
        """Closed steps, oldest first: seat -> entry, in seat order."""
        self.spoken: dict[int, Entry] = {}
        """Entries of the current step so far."""
        self._said: dict[int, Any] = {}
        self.phase: Phase | None = setup.Seating(self.everybody)
        self._bad: dict[int, PeerFault] = {}
        self._left: set[int] = set()
        """Seats whose entry of the open step is a goodbye."""
        self.claims: dict[int, dict[int, Entry]] = {}
        """EXPIRED entries of the open step, by mask and seat."""
        self.named: set[int] = set()
        """Seats that a VOID named: false or silent. They are no longer at the table."""
        self.breaks: tuple[Break, ...] = ()
        """What every seat in `named` is named for, in the order of the log."""
        self.fault: PeerFault | None = None
        self.dead = False
        self.events: list[Event] = []
        self.checks = Checks()
        # the game
        self.match = Match.start(genesis.rules, self.n)
        self.results: tuple[RoundResult, ...] = ()
        self.round_number = 0
        self.starter: int | None = None
        self.handshake: tuple[int, ...] = ()
        """The cards of the handshake, once the first round's commitments are open."""
        # the round
        self.ledger = Ledger(b"", genesis.rules.pack, self.everybody)
        self.play: Round | None = None
        self.next_draw: Slot = 0
        self.verdicts: tuple[int, ...] = ()

    # ------------------------------------------------------------------ the log

    @property
    def present(self) -> tuple[int, ...]:
        """The seats that are still at the table: not named by a VOID."""
        return tuple(seat for seat in self.everybody if seat not in self.named)

    def is_out(self, seat: int) -> bool:
        """Whether the others play on without this seat: the VOID that names it has closed, and the game goes on.

        All who are left have signed that VOID on one history, so nothing more that the seat signs can part them.
        """
        ends = (end.steps for end in self.breaks if any(found.seat == seat for found in end.findings))
        return seat in self.match.retired and self.phase is not None and any(step < self.step for step in ends)

    def seat_after(self, seat: int) -> int:
        """The next seat clockwise that is still at the table."""
        return next((s for s in self.present if s > seat), self.present[0])

    @property
    def waiting_for(self) -> tuple[int, ...]:
        """Seats that have not spoken in the current step."""
        if self.phase is None or self.dead:
            return ()
        return tuple(seat for seat in self.phase.seats if seat not in self.spoken)

    @property
    def pending_fault(self) -> PeerFault | None:
        """The fault of an entry of the open step, which counts when the step closes; of several the lowest seat's."""
        return self._bad[min(self._bad)] if self._bad else None

    def finding(self, seat: int, step: int) -> str | None:
        """The code of what this seat is named for in the open step or an earlier one; None for a seat that is not."""
        if step == self.step:
            return None if seat not in self._bad else self._bad[seat].code
        found = (finding for end in self.breaks for finding in end.findings)
        return next((one.code for one in found if (one.seat, one.step) == (seat, step)), None)

    def accept(self, entry: Entry) -> None:
        """Take a signed entry at the current step and head, from a seat that has not spoken in this step yet.

        Closes the step when it was the last one. Bad content makes the closed step a fault of its seat: `fault` names
        it and VOID follows. Whether an entry is bad does not depend on the order in which a step's entries come.
        Raises WireError for a seat that has nothing to say in this step: not an entry here.
        """
        assert self.phase is not None
        assert entry.step == self.step
        assert entry.head == self.head
        if entry.seat not in self.phase.seats:
            raise WireError("log/not-expected", "this seat does not speak in this step")
        self.spoken[entry.seat] = entry
        self.count(signatures=1)
        try:
            if entry.kind is Kind.LEAVE:
                fields(entry.body, 0, "LEAVE")
                self._left.add(entry.seat)
            elif entry.kind not in self.phase.kinds:
                raise BadContent("log/kind", f"{entry.kind.name} is not expected here")  # noqa: TRY301 - one verdict
            else:
                self._said[entry.seat] = self.phase.check(self, entry)
        except (BadContent, WireError, CryptoError, IllegalMove) as error:
            self._bad[entry.seat] = _fault(error, entry.seat, entry.step)
        if not self.waiting_for:
            self._close(self.phase)

    def check_claim(self, entry: Entry) -> tuple[int, ...]:
        """The seats that an EXPIRED [mask] of the open step names.

        Raises WireError for a mask that names nobody who could speak now, the claimant, somebody who is gone, or so
        many that those who are left do not outnumber them: else one seat could throw out all others.
        """
        assert self.phase is not None
        silent = mask_seats(parse_mask(entry))
        others = set(self.present) - set(silent)
        needed = set(silent) & set(self.phase.seats)
        outnumbered = len(others) > len(silent)
        if not (needed and outnumbered and set(silent) <= set(self.present) and entry.seat in others):
            raise WireError("side/mask", f"seats {silent}")
        return silent

    def claim(self, entry: Entry) -> None:
        """Take an EXPIRED of the open step: its seat waits no longer for the seats of the mask.

        When all other seats that are present claimed the same mask, their claims close the step and VOID follows.
        Raises WireError as `check_claim`.
        """
        silent = self.check_claim(entry)
        claims = self.claims.setdefault(parse_mask(entry), {})
        if entry.seat not in claims:
            claims[entry.seat] = entry
            self.count(signatures=1)
        if set(claims) == set(self.present) - set(silent):
            self._advance(dict(sorted(claims.items())))
            self._break_off(SILENCE, [Finding(EXPIRED, seat, self.step - 1) for seat in silent])

    def next_claimant(self, mask: int) -> int | None:
        """The smallest present seat outside the mask that has not claimed it yet."""
        claims = self.claims.get(mask, {})
        return min((s for s in self.present if s not in claims and not mask >> s & 1), default=None)

    def _close(self, phase: Phase) -> None:
        """All have spoken: the step is history, and the next one follows from it."""
        said = {seat: self._said[seat] for seat in sorted(self._said)}
        bad, left = [self._bad[seat] for seat in sorted(self._bad)], sorted(self._left)
        step = self.step
        self._advance(dict(sorted(self.spoken.items())))
        if not bad and not left:
            try:
                self.phase = phase.close(self, said)
                assert self.phase is None or type(self.phase).__name__ in phase.leads_to
            except BadStep as error:
                bad = [_fault(one, min(said), step) for one in error.faults]
        if bad:
            self._note(bad[0])
            self._break_off(FAULT, [Finding(f.code, f.seat, f.step) for f in bad])
        elif left:
            self._break_off(LEFT, [Finding(LEAVE, seat, step) for seat in left])

    def _advance(self, entries: dict[int, Entry]) -> None:
        """The entries of the open step, by seat, become part of every later head."""
        self.log.append(entries)
        self.heads.append(self.head)
        self.head = next_head(self.head, [e.raw for e in entries.values()])
        self.step += 1
        self.spoken, self._said, self._bad, self._left, self.claims = {}, {}, {}, set(), {}

    def _break_off(self, reason: int, findings: list[Finding]) -> None:
        """The round cannot be played to its end: those who are left agree on why, and on who is named for it."""
        seats = tuple(f.seat for f in findings)
        self.breaks += (Break(tuple(findings), self.step),)
        self.named |= set(seats)
        self.emit(Voided(reason, seats))
        if self.present:
            self.phase = closing.Void(self.present, reason)
        else:
            self.phase = None
            closing.broken_off(self)

    def _note(self, fault: PeerFault) -> None:
        """Tell of a fault; the first one is the table's."""
        self.fault = self.fault or fault
        self.emit(Faulted(fault))

    def blame(self, fault: PeerFault) -> None:
        """Stop for good: a contradiction that no further step can heal. Always raises the fault."""
        self.dead, self.fault = True, fault
        self.emit(Faulted(fault))
        raise fault

    # ------------------------------------------------------------------ for the phases

    def emit(self, event: Event) -> None:
        """Note something that people want to know."""
        self.events.append(event)

    def count(self, **more: int) -> None:
        """Count checks that held."""
        self.checks = replace(self.checks, **{k: getattr(self.checks, k) + v for k, v in more.items()})

    def next_turn(self) -> Phase:
        """The phase for where the round stands."""
        return turns.next_turn(self)

    def seat_body(self, seat: int) -> list[Any]:
        """Body of SEAT for a seat of this genesis."""
        player = self.genesis.players[seat]
        return setup.seat_body(player.key, player.name, self.genesis.rules_hash)

    # ------------------------------------------------------------------ the game

    @property
    def is_game_over(self) -> bool:
        """Whether no further round follows."""
        limit = self.genesis.max_rounds
        return self.match.is_over or (limit > 0 and len(self.results) >= limit)

    @property
    def winners(self) -> tuple[int, ...]:
        """The winning seats of a finished game, else none; after an agreed number of rounds, the highest totals."""
        if self.match.leavers:
            return self.match.winners
        if not self.results or not self.is_game_over:
            return ()
        best = max(self.match.sides[seat] for seat in self.present)
        return self.match.winners or tuple(seat for seat in self.present if self.match.sides[seat] == best)


def _fault(error: DuizendenError, seat: int, step: int) -> PeerFault:
    """What a check found, as a fault of a seat; a BadContent may name another entry than the checked one."""
    code = f"rules/{error.code}" if isinstance(error, IllegalMove) else error.code
    if isinstance(error, BadContent):
        seat = seat if error.seat is None else error.seat
        step = step if error.step is None else error.step
    return PeerFault(code, seat, step, error.detail)
