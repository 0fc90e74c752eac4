"""What one seat (or a watcher) may see of a table: the only thing a client or a bot is ever given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from protocol.crypto.audit import NOT_AUDITED
from protocol.errors import PeerFault
from protocol.rules.actions import Slot
from protocol.rules.rulefields import PLAYERS_LEAST
from protocol.rules.ruleset import RuleSet
from protocol.rules.state import Round


class Stage(Enum):
    """Where the table stands, in words a screen can use."""

    SEATING = "seating"
    SHUFFLING = "shuffling"
    DEALING = "dealing"
    PLAYING = "playing"
    SCORING = "scoring"
    BETWEEN = "between"
    """A round is scored; the next begins when every seat says it is ready."""
    FINISHED = "finished"
    FAULTED = "faulted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """One seat's public identity. `key` is its Ed25519 public key (32 bytes)."""

    name: str
    bot: bool
    key: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """How many things of each kind this node has checked itself so far in the game (all of them held).

    After a restart, proofs that were checked before it are not checked again and count no more.
    """

    signatures: int = 0
    commitments: int = 0
    shuffle_proofs: int = 0
    shares: int = 0
    opened_cards: int = 0
    moves: int = 0
    audited_shuffles: int = 0


@dataclass(frozen=True, slots=True)
class Finding:
    """What a seat is named for: a stable code, the seat, and the step in which it said it or should have spoken."""

    code: str
    seat: int
    step: int


@dataclass(frozen=True, slots=True)
class Break:
    """Why a game was broken off: the findings of the step that ended with them, and the steps closed by then."""

    findings: tuple[Finding, ...]
    steps: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundResult:
    """A scored round: points per seat, the opened hands (faces), who went out, and the audit verdict per seat.

    Verdicts: 0 ok, 1 seed, 2 shuffle, 255 not audited.
    """

    round_number: int
    points: tuple[int, ...]
    totals: tuple[int, ...]
    table_points: tuple[int, ...]
    hand_points: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    out: int | None
    verdicts: tuple[int, ...]
    penalties: tuple[int, ...] = ()
    """Points lost per seat for missed calls of the last card (already taken off `points`); empty without that rule."""

    def sat_out(self, seat: int) -> bool:
        """Whether this seat was no longer at the table: it had no cards, and no shuffle to audit."""
        return self.verdicts[seat : seat + 1] == (NOT_AUDITED,) and not self.hands[seat]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """A snapshot of the table as seat `me` sees it (None for a watcher).

    `round` is the public state of the round in play (None before the first deal); between rounds it is the final
    state of the last one. `faces` maps every slot whose face this seat knows (public cards, its own hand) to it.
    `waiting_for` are the seats that must speak before the table moves on.
    """

    table: bytes
    players: tuple[Player, ...]
    me: int | None
    rules: RuleSet
    rules_name: str
    stage: Stage
    round_number: int
    round: Round | None
    faces: Mapping[Slot, int]
    waiting_for: tuple[int, ...]
    totals: tuple[int, ...]
    results: tuple[RoundResult, ...]
    checks: Checks
    winners: tuple[int, ...]
    fault: PeerFault | None
    step: int
    head: bytes
    departed: tuple[int, ...] = ()
    """Seats that a void round named: they were false, silent for too long, or said goodbye."""
    leaving: tuple[int, ...] = ()
    """Seats that said goodbye: their nodes say LEAVE in the next step that needs them (spec/30-wire.md 6)."""
    max_rounds: int
    seeded: bool
    """Whether the game's secrets derive from a known seed (a test game, not secret)."""
    handshake: tuple[int, ...] = ()
    """Three faces that every seat of this table sees, for people to compare; empty until they are known."""
    to_compare: bool = False
    """Whether the table waits until our player says that everybody sees the same three cards."""

    @property
    def present(self) -> tuple[int, ...]:
        """The seats that are still at the table."""
        return tuple(seat for seat in range(len(self.players)) if seat not in self.departed)

    @property
    def broken_off(self) -> bool:
        """Whether a departure ends the game, or has ended it; False while the others play on or have done so."""
        return bool(self.departed) and not plays_on(self.rules, len(self.present))

    @property
    def hand(self) -> tuple[Slot, ...]:
        """Our own slots, oldest first; empty for a watcher or before the deal."""
        if self.round is None or self.me is None:
            return ()
        return self.round.hands[self.me]

    @property
    def my_turn(self) -> bool:
        """Whether the table waits for a choice of ours in play."""
        return (
            self.stage is Stage.PLAYING
            and self.me is not None
            and self.round is not None
            and self.round.mover == self.me
            and self.me in self.waiting_for
        )


def plays_on(rules: RuleSet, left: int) -> bool:
    """Whether so many seats, all that a void round leaves, play on (spec/10-rules.md R132)."""
    return rules.resign == "play_on" and left >= PLAYERS_LEAST
