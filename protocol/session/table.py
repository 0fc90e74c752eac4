"""The table: the state machine that every node, watcher and verifier replicates from the log alone.

A table is given signed entries in step order; it holds no secret and makes no choice. It checks each entry of the
current step, closes the step when every expected seat has spoken, and says what is expected next. The same code
judges our own entries and everybody else's. After a fault the table is dead.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from protocol.crypto.shuffle import Own
from protocol.errors import CryptoError, IllegalMove, PeerFault, WireError
from protocol.rules.actions import Slot
from protocol.rules.scoring import Match
from protocol.rules.state import Round
from protocol.wire.entry import Entry, genesis_head, next_head

from . import setup, turns
from .genesis import Genesis
from .ledger import Ledger
from .outputs import Event, Faulted
from .phases import BadContent, Phase
from .view import Checks, RoundResult

Weights = Callable[[bytes], Callable[[int], bytes]]
"""Given a context (32 bytes), a source of unpredictable bytes for the weights of one merged check (spec 5.4)."""

OwnShuffle = Callable[[bytes], Own | None]


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
        self.log: list[dict[int, Entry]] = []
        """Closed steps, oldest first: seat -> entry, in seat order."""
        self.spoken: dict[int, Entry] = {}
        """Entries of the current step so far."""
        self._said: dict[int, Any] = {}
        self.phase: Phase | None = setup.Seating(self.everybody)
        self.fault: PeerFault | None = None
        self.events: list[Event] = []
        self.checks = Checks()
        # the game
        self.match = Match.start(genesis.rules, self.n)
        self.results: tuple[RoundResult, ...] = ()
        self.round_number = 0
        self.starter: int | None = None
        # the round
        self.ledger = Ledger(b"", genesis.rules.pack, self.n)
        self.play: Round | None = None
        self.next_draw: Slot = 0
        self.verdicts: tuple[int, ...] = ()

    # ------------------------------------------------------------------ the log

    @property
    def waiting_for(self) -> tuple[int, ...]:
        """Seats that have not spoken in the current step."""
        if self.phase is None or self.fault is not None:
            return ()
        return tuple(seat for seat in self.phase.seats if seat not in self.spoken)

    def accept(self, entry: Entry) -> None:
        """Take a signed entry at the current step and head, from a seat that has not spoken in this step yet.

        Closes the step when it was the last one. Raises PeerFault (and is dead from then on) for bad content: the fault
        names the seat of this entry, or of an earlier one whose badness shows only now (a false shuffle, a false seed).
        """
        assert self.phase is not None
        assert self.fault is None
        assert entry.step == self.step
        assert entry.head == self.head
        self.spoken[entry.seat] = entry
        try:
            self.phase.expect(entry)
            self._said[entry.seat] = self.phase.check(self, entry)
            self.count(signatures=1)
            if not self.waiting_for:
                self._close(self.phase)
        except (BadContent, WireError, CryptoError, IllegalMove) as error:
            self._die(error, entry)

    def _close(self, phase: Phase) -> None:
        seats = sorted(self.spoken)
        entries = {seat: self.spoken[seat] for seat in seats}
        said = {seat: self._said[seat] for seat in seats}
        self.log.append(entries)
        self.head = next_head(self.head, [e.raw for e in entries.values()])
        self.step += 1
        self.spoken, self._said = {}, {}
        self.phase = phase.close(self, said)

    def _die(self, error: BadContent | WireError | CryptoError | IllegalMove, entry: Entry) -> None:
        """Become dead, with the fault that names who did it. Always raises PeerFault."""
        code = f"rules/{error.code}" if isinstance(error, IllegalMove) else error.code
        seat, step = entry.seat, entry.step
        if isinstance(error, BadContent):
            seat = seat if error.seat is None else error.seat
            step = step if error.step is None else error.step
        self.blame(PeerFault(code, seat, step, error.detail))

    def blame(self, fault: PeerFault) -> None:
        """Stop for good. Always raises the fault."""
        self.fault = fault
        self.emit(Faulted(fault))
        raise fault from None

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
        if not self.results or not self.is_game_over:
            return ()
        best = max(self.match.sides)
        return self.match.winners or tuple(seat for seat in self.everybody if self.match.sides[seat] == best)
