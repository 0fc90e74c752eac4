"""N sessions coupled over an in-memory net that loses, doubles and reorders by a seed. No time, no threads.

The net repairs loss the way nodes do: when nothing is under way any more, each session gives the others what they lack.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from protocol.crypto.hashing import H32
from protocol.crypto.identity import SigningKey
from protocol.rules.actions import Action, Draw, Exchange, Play
from protocol.rules.cards import QUEEN_OF_SPADES
from protocol.rules.ruleset import RuleSet, preset
from protocol.rules.state import Phase
from protocol.session.genesis import Genesis
from protocol.session.outputs import KeepSecret, Output, Publish, Record
from protocol.session.session import Session
from protocol.session.view import Player, TableView
from protocol.wire.entry import SIDE, parse_entry

Player_ = Callable[[TableView], Action]


def keys_for(n: int, label: str = "") -> list[SigningKey]:
    """Signing keys of n seats."""
    return [SigningKey(H32("test/key", label.encode(), bytes([i]))) for i in range(n)]


def genesis_for(n: int, *, rules: RuleSet | None = None, max_rounds: int = 1, label: str = "") -> Genesis:
    """A genesis for n seats with the keys of `keys_for`."""
    players = tuple(Player(name=f"Seat {i}", bot=False, key=k.public) for i, k in enumerate(keys_for(n, label)))
    return Genesis(
        table=H32("test/table", label.encode())[:16],
        rules=rules or preset("klassiek"),
        rules_name="klassiek",
        players=players,
        max_rounds=max_rounds,
    )


@dataclass
class Coupled:
    """A table of n seats in one process."""

    n: int
    seed: int = 0
    loss: float = 0.0
    duplicate: float = 0.0
    reorder: bool = False
    max_rounds: int = 1
    rules: RuleSet | None = None
    choose: Player_ | None = None
    sessions: list[Session] = field(init=False)
    journals: list[list[Record]] = field(init=False)
    secrets: list[tuple[int, bytes]] = field(init=False)
    under_way: list[tuple[int, bytes]] = field(default_factory=list)
    patient_seats: bool = False
    """Whether seats wait for their player's word before each round after the first."""
    comparing: frozenset[int] = frozenset()
    """Seats whose player compares the cards of the handshake before their first shuffle."""
    away: set[int] = field(default_factory=set)
    """Seats whose node does not run or is cut off."""
    outputs: list[list[Output]] = field(init=False)

    def __post_init__(self) -> None:
        """Seat everybody; nothing is said yet."""
        label = str(self.seed)
        self.rng = random.Random(self.seed)
        self.keys = keys_for(self.n, label)
        self.public = tuple(k.public for k in self.keys)
        self.genesis = genesis_for(self.n, rules=self.rules, max_rounds=self.max_rounds, label=label)
        self.secrets = [(1, H32("test/secret", label.encode(), bytes([i]))) for i in range(self.n)]
        self.journals = [[] for _ in range(self.n)]
        self.outputs = [[] for _ in range(self.n)]
        self.sessions = [self.make(i) for i in range(self.n)]

    def make(self, seat: int) -> Session:
        """A session of this seat with what its journal holds, not started."""
        number, secret = self.secrets[seat]
        session = Session(
            self.genesis,
            seat=seat,
            key=self.keys[seat],
            secret=secret,
            secret_round=number,
            auto_continue=not self.patient_seats,
            compare=seat in self.comparing,
        )
        session.restore([r.frame for r in sorted(self.journals[seat], key=lambda r: r.step)])
        return session

    def start(self) -> None:
        """Everybody begins."""
        for seat, session in enumerate(self.sessions):
            self.carry_out(seat, session.start())

    def restart(self, seat: int) -> None:
        """Kill a seat and start it again from its journal."""
        self.sessions[seat] = self.make(seat)
        self.carry_out(seat, self.sessions[seat].start())

    def carry_out(self, seat: int, outputs: list[Output]) -> None:
        """Journal first, then send."""
        self.outputs[seat] += outputs
        for output in outputs:
            match output:
                case Record():
                    if output not in self.journals[seat]:
                        self._check_not_contradicted(seat, output)
                        self.journals[seat].append(output)
                case KeepSecret(round_number, secret):
                    self.secrets[seat] = (round_number, secret)
        for output in outputs:
            if isinstance(output, Publish):
                self.send(seat, output.frame)

    def _check_not_contradicted(self, seat: int, record: Record) -> None:
        """A seat's own entry for a step is what it said first, for ever."""
        if record.seat != seat:
            return
        same = [r.frame for r in self.journals[seat] if (r.step, r.seat) == (record.step, seat)]
        ours = [frame for frame in [*same, record.frame] if frame[0]]  # not what somebody else said with our key
        kinds = [parse_entry(f, self.genesis.table, self.public).kind for f in ours]
        assert sum(k not in SIDE for k in kinds) <= 1, "a journalled entry was contradicted"

    def send(self, sender: int, frame: bytes) -> None:
        """Put a frame under way to everybody who is there, the sender included (brokers echo)."""
        if sender in self.away:
            return
        for to in range(self.n):
            copies = 2 if self.rng.random() < self.duplicate else 1
            lost = self.rng.random() < self.loss
            if not lost and to not in self.away:
                self.under_way += [(to, frame)] * copies

    def deliver_next(self) -> bool:
        """Deliver one frame; False when none is under way."""
        if not self.under_way:
            return False
        k = self.rng.randrange(len(self.under_way)) if self.reorder else 0
        to, frame = self.under_way.pop(k)
        if to in self.away:
            return True
        self.carry_out(to, self.sessions[to].receive(frame))
        return True

    def sync(self) -> None:
        """Everybody gives everybody what it lacks, reliably."""
        here = [(seat, s) for seat, s in enumerate(self.sessions) if seat not in self.away]
        for to, session in here:
            for _, other in here:
                place = session.position()
                self.under_way += [(to, frame) for frame in other.frames_from(place.step, place.have)]
            while self.under_way:
                self.deliver_next()

    def run(self, until: Callable[[], bool] | None = None, limit: int = 2_000_000) -> None:
        """Play until all are finished (or faulted), or `until` holds."""
        for _ in range(limit):
            if until is not None and until():
                return
            if self.deliver_next() or self.move():
                continue
            if all(s.finished or s.dead for seat, s in enumerate(self.sessions) if seat not in self.away):
                return
            before = [s.position() for s in self.sessions]
            self.sync()
            if before == [s.position() for s in self.sessions] and not self.move():
                raise AssertionError(f"stuck at {before}")
        raise AssertionError("did not end")

    def move(self) -> bool:
        """Let the first seat that has to choose make its choice; False when nobody has to."""
        for seat, session in enumerate(self.sessions):
            view = session.view()
            if view.my_turn and seat not in self.away:
                action = self.choose(view) if self.choose else Draw()
                self.carry_out(seat, session.act(action))
                return True
        return False


def patient(view: TableView) -> Action:
    """A player that only draws and discards: the round runs into reshuffles and ends by the stalemate rule."""
    assert view.round is not None
    assert view.me is not None
    if view.round.phase is Phase.DRAW:
        return Draw()
    if view.round.phase is Phase.EXCHANGE:
        # Two seats take the open card and give back their first one, the third declines.
        takes = (view.me - view.round.starter) % view.round.n < 2
        return Exchange(next(s for s in view.hand if view.faces[s] != QUEEN_OF_SPADES) if takes else None)
    hand = [slot for slot in view.hand if view.faces[slot] != QUEEN_OF_SPADES] or list(view.hand)
    return Play(discard=hand[-1])
