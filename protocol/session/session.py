"""A seat at a table, sans I/O: bytes and choices in, outputs out. Three verbs: `start`, `receive`, `act`.

A session couples a `Table` (which judges) with one seat's secrets (which act). Whatever the protocol demands of the
seat it says by itself; drawing, playing and going on to the next round are the player's to choose. Every entry of ours
is in a `Record` of the same batch as its `Publish`, and once recorded it is what this seat says in that step, for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from protocol.crypto.identity import SigningKey
from protocol.crypto.shuffle import Own
from protocol.errors import IllegalMove, InternalError, NotNow, PeerFault, WireError
from protocol.rules import engine
from protocol.rules.actions import Action, Draw, Exchange, Slot
from protocol.wire.entry import SIDE, Entry, Kind, parse_entry, sign_entry
from protocol.wire.limits import MAX_STEP_AHEAD

from . import closing, setup, turns
from .aside import Aside
from .bodies import exchange_body, fields, mask_seats, opens_body, parse_mask, play_body, seats_mask
from .duties import duty, setup_progress
from .evidence import EQUIVOCATION, Evidence
from .genesis import Genesis
from .outputs import Claimed, Drew, Dropped, KeepSecret, Left, Output, Publish, Record, SetupProgress
from .secrets import RoundSecrets, ratchet, weight_source
from .snapshot import snapshot
from .table import LEAVE, Table
from .view import Finding, TableView, plays_on

OWN_UNKNOWN = "log/own-entry-unknown"
_NOT_OURS = b"\0"
"""Stands in a record before an entry that we have not said, although our key has signed it: it silences us for good."""


@dataclass(frozen=True, slots=True)
class NextRound:
    """A choice of the player: ready for the next round (the table waits until every seat is)."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """A choice of the player: `offender` did not call its last card. It travels on our next entry that can carry it."""

    offender: int


@dataclass(frozen=True, slots=True)
class Claim:
    """A choice of the player: wait no longer for these seats. When all others say so, the round is void."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Leave:
    """A choice of the player: say goodbye. The others void the round at the next step that needs this seat."""


@dataclass(frozen=True, slots=True)
class SameCards:
    """A choice of whoever compares: everybody named the same three cards, so the first shuffle may begin."""


Choice: TypeAlias = Action | NextRound | Challenge | Claim | Leave | SameCards
"""What a player can decide: a move, going on, catching a missed call, waiting no longer for seats, saying goodbye,
having compared the cards of the handshake."""


@dataclass(frozen=True, slots=True)
class Position:
    """How far a session is: the open step, the head before it, and a bit per seat whose entry of that step is here."""

    step: int
    head: bytes
    have: int


def _shufflers(step: Mapping[int, Entry]) -> list[int]:
    """Whoever shuffled in a step."""
    return [seat for seat, entry in step.items() if entry.kind is Kind.SHUFFLE]


class Session:
    """One seat (or, with seat None, one watcher) at one table.

    `secret` is the table secret of round `secret_round` (32 bytes); everything that must be unpredictable derives from
    it. With `auto_continue` the seat is always ready for the next round. With `compare` its first shuffle of the game
    waits for `SameCards`. Raises ValueError for a key that does not own the seat.
    """

    def __init__(
        self,
        genesis: Genesis,
        *,
        seat: int | None,
        key: SigningKey | None,
        secret: bytes,
        secret_round: int = 1,
        auto_continue: bool = False,
        compare: bool = False,
    ) -> None:
        if (seat is None) != (key is None):
            raise ValueError("a seat needs its key, a watcher has none")
        if seat is not None and key is not None and genesis.players[seat].key != key.public:
            raise ValueError("this key does not own this seat")
        self.genesis = genesis
        self.seat = seat
        self._key = key
        self._keys = tuple(p.key for p in genesis.players)
        self._secret = secret
        self._secret_round = secret_round
        self._auto_continue = auto_continue
        self._compares = compare
        self._ready_round = 1
        self._table = Table(genesis, me=seat, weights=self._weights, own_shuffle=self._own_shuffle)
        self._secrets: RoundSecrets | None = None
        self._own: dict[Slot, int] = {}
        """Card ids of the hidden slots this seat holds."""
        self._early: dict[tuple[int, int], Entry] = {}
        """Entries of steps that have not begun here, or of the open one with another head, by (step, seat)."""
        self._out: list[Output] = []
        self._aside = Aside(seat)
        self._answered: set[tuple[int, int]] = set()
        """Claims about closed steps that were answered: (step, claimant)."""
        self._left = False
        self._evidence: tuple[bytes, ...] = ()
        """Two entries of one seat for one step, once somebody gave us both; forgotten when that seat is out."""
        self._challenged: int | None = None
        """The seat our next draw, share or play challenges."""
        self._started = False

    def _weights(self, label: bytes) -> Callable[[int], bytes]:
        return weight_source(self._secret, label)

    def _own_shuffle(self, rctx: bytes) -> Own | None:
        return None if self._secrets is None else self._secrets.shuffles.get(rctx)

    # ------------------------------------------------------------------ reading

    @property
    def finished(self) -> bool:
        """Whether the game is over and its log complete."""
        return self._table.phase is None and not self._table.dead

    @property
    def fault(self) -> PeerFault | None:
        """The first fault of the game, if any: the others void the round; what follows is the rule card's (R132)."""
        return self._table.fault

    @property
    def dead(self) -> bool:
        """Whether this session has stopped for good: a contradiction in the log that no further step can heal."""
        return self._table.dead

    def position(self) -> Position:
        """How far this session is."""
        have = sum(1 << seat for seat in self._table.spoken)
        return Position(self._table.step, self._table.head, have)

    def heads_from(self, step: int) -> list[bytes]:
        """The head before each step from this one to the open one."""
        return [*self._table.heads[step:], self._table.head]

    def log_frames(self) -> list[bytes]:
        """The log itself: every closed step and what was said in the open one, for a game file."""
        return self._log_from(0, 0)

    def frames_from(self, step: int, have: int = 0) -> list[bytes]:
        """Signed entries from `step` on, without those of `step` by the seats in the bit mask `have`, in log order.

        After them evidence and what was said beside the open step: for a peer, not for a game file.
        """
        beside = [entry.frame for entry in self._aside.entries(self._table)]
        return [*self._log_from(step, have), *self._evidence, *beside]

    def _log_from(self, step: int, have: int) -> list[bytes]:
        table = self._table
        frames: list[bytes] = []
        for k in range(max(0, step), table.step + 1):
            entries = table.log[k] if k < table.step else table.spoken
            frames += [e.frame for s, e in sorted(entries.items()) if k > step or e.kind in SIDE or not have >> s & 1]
        return frames

    def evidence(self) -> tuple[Evidence, ...]:
        """For everything that a seat was named for so far, what proves it to a stranger."""
        table = self._table
        found = []
        for broken in table.breaks:
            frames = tuple(entry.frame for step in table.log[: broken.steps] for entry in step.values())
            found.append(Evidence(broken.findings, frames))
        if self._evidence:
            entry = self._parse(self._evidence[0])
            found.append(Evidence((Finding(EQUIVOCATION, entry.seat, entry.step),), self._evidence))
        return tuple(found)

    def view(self) -> TableView:
        """What this seat may see now."""
        leaving = tuple(sorted(self._aside.leaving))
        return snapshot(self._table, me=self.seat, own=self._own, leaving=leaving, to_compare=self._comparing)

    @property
    def _comparing(self) -> bool:
        """Whether the table waits until the player of this seat has compared the cards of the handshake."""
        table = self._table
        asked = self._compares and isinstance(table.phase, setup.Shuffle) and self.seat in table.waiting_for
        return asked and not any(seat == self.seat for step in table.log for seat in _shufflers(step))

    # ------------------------------------------------------------------ the verbs

    def restore(self, frames: Sequence[bytes]) -> None:
        """Replay this seat's journal, in log order, before `start`. Evidence of equivocation may stand anywhere.

        Proofs were checked before they were journalled and are not checked again, but for the last two steps (the node
        may have died between taking a shuffle and verifying it) and the step before a VOID (which holds a fault).
        Raises WireError when this is not a log of this table.
        """
        entries = [self._parse(frame) for frame in frames if frame[:1] != _NOT_OURS]
        steps = {e.step for e in entries if e.kind not in SIDE}
        last = next(k for k in range(len(steps) + 1) if k + 1 not in steps)
        doubtful = {e.step - 1 for e in entries if e.kind is Kind.VOID} | {last - 1, last}
        table = self._table
        left: list[Entry] = []
        for entry in entries:
            table.trusting = entry.step not in doubtful
            if not self._replay(entry):
                left.append(entry)
        table.trusting = False
        with suppress(PeerFault):
            self._weigh(left)
            for frame in frames:
                if frame[:1] == _NOT_OURS:
                    self._take(self._parse(frame[1:]))
        table.events.clear()
        self._out.clear()
        self._ready_round = self._round_agreed_to()

    def _parse(self, frame: bytes) -> Entry:
        """A frame as an entry of this table. Raises WireError."""
        return parse_entry(frame, self.genesis.table, self._keys)

    @property
    def _silenced(self) -> bool:
        """Whether somebody else speaks for this seat, so that it may not."""
        fault = self._table.fault
        return fault is not None and fault.code == OWN_UNKNOWN

    def _round_agreed_to(self) -> int:
        """The last round this seat said yes to: a round after the first begins with its own COMMIT."""
        table = self._table
        asked = isinstance(table.phase, setup.Commit) and self._own_entry() is None
        return max(1, table.round_number - 1 if asked else table.round_number)

    def _replay(self, entry: Entry) -> bool:
        """One record of the journal; False for one that the log has no place for. Raises WireError for another log."""
        table = self._table
        if entry.kind in SIDE:
            if entry.kind is Kind.GOODBYE or entry.step == table.step:
                self._hear(entry)
            return True
        if table.phase is None or (entry.step, entry.head) != (table.step, table.head) or entry.seat in table.spoken:
            return False
        self._accept(entry)
        return True

    def _weigh(self, left: list[Entry]) -> None:
        """What the replayed log has no place for must be evidence: a second entry of a seat for one step.

        Raises PeerFault for it, WireError when it is not (the journal has a hole).
        """
        table = self._table
        ahead: dict[tuple[int, int], Entry] = {}
        for entry in left:
            if table.is_out(entry.seat):
                continue
            if entry.step < table.step:
                self._compare(table.log[entry.step].get(entry.seat), entry)
            elif entry.step == table.step and entry.seat in table.spoken:
                self._compare(table.spoken[entry.seat], entry)
            else:
                self._compare(ahead.setdefault((entry.step, entry.seat), entry), entry)
        if ahead and not self._evidence:
            raise WireError("journal/order", f"an entry of step {min(ahead)[0]} at step {table.step}")

    def start(self) -> list[Output]:
        """Begin, or go on after `restore`: says what this seat owes, and says again what it said in the open step."""
        self._started = True
        said = [*self._table.spoken.values(), *self._aside.entries(self._table)]
        own = [entry.frame for entry in said if entry.seat == self.seat and not self._silenced]
        self._out += [Publish(frame) for frame in [*own, *self._evidence]]
        return self._advance()

    def receive(self, frame: bytes) -> list[Output]:
        """Take bytes that claim to be a signed entry.

        Never raises for their content: what is not an entry is `Dropped`, what is false is `Faulted`.
        """
        if self._table.dead:
            return []
        try:
            entry = self._parse(frame)
            if entry.kind in SIDE:
                self._hear(entry)
            else:
                self._take(entry)
        except WireError as error:
            self._out.append(Dropped(error.code))
        except PeerFault:
            pass  # the table has noted it and is dead; `_compare` has recorded the evidence
        return self._advance()

    def act(self, action: Choice) -> list[Output]:
        """The player's choice. Raises IllegalMove when the rules refuse it, NotNow when there is nothing to choose."""
        table = self._table
        gone = self.seat not in table.present
        if self.seat is None or gone or not self._started or table.dead or table.phase is None:
            raise NotNow("session/not-playing", "a watcher, somebody who is gone, or a table that has stopped")
        if self._left and not isinstance(action, Claim):  # until its LEAVE counts, the others need its claims
            raise NotNow("session/not-playing", "this seat has said goodbye")
        if isinstance(action, NextRound):
            if not isinstance(table.phase, setup.Commit) or table.round_number <= self._ready_round:
                raise NotNow("session/no-round-ended", "no round has just ended")
            self._ready_round = table.round_number
            return self._advance()
        if isinstance(action, SameCards):
            if not self._comparing:
                raise NotNow("session/nothing-to-compare", "the first shuffle does not wait for this seat")
            self._compares = False
            return self._advance()
        if isinstance(action, Challenge):
            self._challenge(action, self.seat)
            return self._advance()
        if isinstance(action, Claim):
            if not self._claim(action.seats):
                raise NotNow("session/nothing-to-claim", "the table does not wait for these seats")
            return self._advance()
        if isinstance(action, Leave):
            self._left = True
            self._say_beside(Kind.GOODBYE, [], table.step, table.head)
            return self._advance()
        if not isinstance(table.phase, turns.Turn | turns.Offer) or self.seat not in table.waiting_for:
            raise NotNow("session/not-your-turn", "the table does not wait for a move of this seat")
        kind, body = self._choice(action, self.seat)
        self._say(kind, body)
        return self._advance()

    # ------------------------------------------------------------------ taking entries

    def _take(self, entry: Entry) -> None:
        """Sort an entry by its step: past, open or future. Raises WireError (not an entry here) or PeerFault."""
        table = self._table
        if entry.step < table.step:
            self._compare(table.log[entry.step].get(entry.seat), entry)
        elif table.is_out(entry.seat):
            raise WireError("log/not-expected", "this seat is no longer at the table")
        elif table.phase is None:
            raise WireError("log/over", "the game has ended")
        elif entry.step == table.step and entry.seat in table.spoken:
            self._compare(table.spoken[entry.seat], entry)
        elif entry.seat == self.seat:
            # 20-crypto.md 5.9: somebody speaks with our key, or our journal is an old copy.
            self._out.append(Record(entry.step, entry.seat, _NOT_OURS + entry.frame))
            table.blame(PeerFault(OWN_UNKNOWN, entry.seat, entry.step, "our journal lacks this entry"))
        elif entry.step > table.step:
            self._keep_early(entry)
        else:
            self._take_now(entry)

    def _take_now(self, entry: Entry) -> None:
        """Take an entry of the open step by a seat that has not spoken in it. Raises WireError or PeerFault."""
        table, aside, place = self._table, self._aside, (entry.step, entry.seat)
        known = aside.late.get(entry.seat) or self._early.get(place)
        if known is not None:
            self._compare(known, entry)
        if entry.head != table.head:
            self._early[place] = entry  # it may be half of an equivocation
            self._reconsider()
            raise WireError("log/head", "another history")
        if aside.claimed >> entry.seat & 1 and not aside.is_released(entry.seat):
            aside.late[entry.seat] = entry
        else:
            self._accept(entry)

    def _compare(self, known: Entry | None, entry: Entry) -> None:
        """A second entry of a seat for one step: the same bytes are an echo, other bytes are equivocation.

        Of a seat that is out it means nothing any more. While the VOID that names the seat is open the others may have
        either entry: the table stops only if they do not agree on the history after all (V12).
        """
        if self._table.is_out(entry.seat):
            return
        if known is None or known.kind in SIDE:
            known = self._aside.stray(self._table, entry)
            if known is None:
                raise WireError("log/not-expected", "that step closed without an entry of this seat")
        told = bool(self._evidence) and self._parse(self._evidence[0]).seat == entry.seat
        if known.raw != entry.raw and not told:
            # both, so that a restart finds the same fault: the first one may be of a step that never closes
            self._evidence = (known.frame, entry.frame)
            self._out += [Record(entry.step, entry.seat, frame) for frame in self._evidence]
            self._out += [Publish(frame) for frame in self._evidence]
            if not self._may_heal(entry.seat) or self._is_parted():
                self._stop()

    def _may_heal(self, cheat: int) -> bool:
        """Whether the open VOID, once all have signed it, shows that the cheat has not parted those who are left."""
        table = self._table
        heals = isinstance(table.phase, closing.Void) and cheat in table.named
        return heals and plays_on(self.genesis.rules, len(table.present))

    def _is_parted(self) -> bool:
        """Whether somebody whose VOID we await has signed another history, or stops."""
        table = self._table
        early = (self._early.get((table.step, seat)) for seat in table.waiting_for)
        other = any(entry is not None and entry.head != table.head for entry in early)
        return other or any(seat in self._aside.leaving for seat in table.waiting_for)

    def _stop(self) -> None:
        """Stop for good, by the evidence; where the others might wait for us, say so. Always raises PeerFault."""
        table, first = self._table, self._parse(self._evidence[0])
        waited_for = table.genesis.rules.resign == "play_on" and self.seat in table.present
        if waited_for and self._started and not self._left and table.phase is not None:
            self._left = True
            self._say_beside(Kind.GOODBYE, [], table.step, table.head)
        detail = f"two signed entries: {' '.join(frame.hex() for frame in self._evidence)}"
        table.blame(PeerFault(EQUIVOCATION, first.seat, first.step, detail))

    def _reconsider(self) -> None:
        """Somebody has shown that the evidence we hold back matters, or nobody has. Raises PeerFault."""
        if self._evidence and self._is_parted():
            self._stop()

    def _keep_early(self, entry: Entry) -> None:
        if entry.step > self._table.step + MAX_STEP_AHEAD:
            raise WireError("log/too-far", f"step {entry.step}, here {self._table.step}")
        known = self._early.setdefault((entry.step, entry.seat), entry)
        if known is not entry:
            self._compare(known, entry)

    def _accept(self, entry: Entry) -> None:
        """Give an entry to the table; when it closed the step, see what that means for this seat."""
        closed = self._table.step
        self._table.accept(entry)
        self._after(closed)

    def _after(self, closed: int) -> None:
        """See whether the step that was open has closed, and what that means for this seat."""
        if self._table.step > closed:
            entries = self._table.log[closed]
            self._out += [Record(closed, s, e.frame) for s, e in entries.items() if s != self.seat]
            self._aside.follow(self._table.step)
            if self._evidence and self._table.is_out(self._parse(self._evidence[0]).seat):
                self._evidence = ()
            self._follow()

    def _advance(self) -> list[Output]:
        """Go on until others have to speak or the player has to choose; then give everything there is to do."""
        table = self._table
        while self._started and not table.dead and table.phase is not None:
            if not (self._take_early() or self._do_duty()):
                break
        return self._flush()

    def _take_early(self) -> bool:
        """Take one entry that came before its step began; False when there is none."""
        table = self._table
        for entry in self._aside.due():
            try:
                self._hear(entry)
            except WireError as error:
                self._out.append(Dropped(error.code))
        for seat in table.waiting_for:
            early = self._early.get((table.step, seat))
            if early is not None and early.head == table.head:
                del self._early[table.step, seat]
                self._accept(early)
                return True
        self._early = {k: v for k, v in self._early.items() if k[0] >= table.step}
        return False

    # ------------------------------------------------------------------ speaking

    def _own_entry(self) -> Entry | None:
        return None if self.seat is None else self._table.spoken.get(self.seat)

    def _do_duty(self) -> bool:
        """Say what the protocol demands now; False when it demands nothing of this seat."""
        table = self._table
        if self.seat is None or self.seat not in table.waiting_for:
            return False
        if self._left and not isinstance(table.phase, closing.Void):
            self._say(Kind.LEAVE, [])
            return True
        waits = isinstance(table.phase, setup.Commit) and table.round_number > self._ready_round
        if (waits and not self._auto_continue) or self._comparing:
            return False
        said = duty(table, self.seat, self._secrets, self._own, self._carried_challenge())
        if said is None:
            return False
        self._say(*said)
        return True

    def _say(self, kind: Kind, body: list[Any]) -> None:
        """Sign, judge by the same check as everybody's, record and publish."""
        table, seat = self._table, self.seat
        assert seat is not None
        assert self._key is not None
        entry = sign_entry(self._key, self.genesis.table, table.step, seat, table.head, kind, body)
        self._out += [Record(table.step, seat, entry.frame), Publish(entry.frame)]
        before = len(self._out) - 2
        self._accept(entry)
        found = table.finding(seat, entry.step)
        if found not in (None, LEAVE):
            del self._out[before:]  # never let a mistake of our own out of the node
            raise InternalError("session/own-entry", f"{kind.name}: {found}")

    # ------------------------------------------------------------------ beside the log

    def _hear(self, entry: Entry) -> None:
        """Take an EXPIRED, HELD or GOODBYE. Raises WireError for one that means nothing here."""
        table, aside = self._table, self._aside
        if entry.kind is Kind.GOODBYE:
            fields(entry.body, 0, entry.kind.name)
            if table.phase is None:
                raise WireError("log/over", "the game has ended")
            if entry.seat not in aside.leaving and entry.seat in table.present:
                aside.note(entry)
                self._left = self._left or entry.seat == self.seat
                self._out.append(Record(table.step, entry.seat, entry.frame))
                table.emit(Left(entry.seat))
                self._reconsider()
            return
        mask = parse_mask(entry)
        if entry.step < table.step:
            self._answer_claim(entry, mask)
        elif table.phase is None:
            raise WireError("log/over", "the game has ended")
        elif entry.step > table.step:
            if not aside.keep_early(entry):
                raise WireError("log/too-far", f"step {entry.step}, here {table.step}")
        elif entry.head != table.head:
            raise WireError("log/head", "another history")
        elif entry.kind is Kind.EXPIRED:
            self._hear_claim(entry, mask)
        elif entry.seat not in table.present:
            raise WireError("log/not-expected", "this seat is no longer at the table")
        elif entry.seat not in aside.held:
            aside.held[entry.seat] = entry
            if entry.seat == self.seat:
                aside.note(entry)
            self._out.append(Record(entry.step, entry.seat, entry.frame))
            self._release()

    def _release(self) -> None:
        """Take what waited for the HELD that has come; any of it may close the step for the rest."""
        for late in self._aside.released():
            try:
                if late.kind in SIDE:
                    self._hear(late)
                else:
                    self._take(late)
            except WireError as error:
                self._out.append(Dropped(error.code))

    def _hear_claim(self, entry: Entry, mask: int) -> None:
        """Somebody waits no longer for the seats of the mask; we say so if we hold what it misses."""
        table, aside = self._table, self._aside
        if entry.seat in table.claims.get(mask, {}):
            return
        table.check_claim(entry)
        if entry.seat == self.seat:
            aside.note(entry)
        step = table.step
        if entry.seat != self.seat:
            self._hold(mask)
        if aside.claimed >> entry.seat & 1 and not aside.is_released(entry.seat):
            aside.late_claims[entry.seat, mask] = entry
            return
        self._out.append(Record(step, entry.seat, entry.frame))
        table.emit(Claimed(entry.seat, mask_seats(mask)))
        table.claim(entry)
        self._after(step)

    def _hold(self, mask: int) -> None:
        """Somebody claims these seats: say HELD for those whose word of the open step we hold, and say it again."""
        table, aside = self._table, self._aside
        missed = mask & aside.heard(table) & ~aside.claimed & ~aside.holds
        if missed and self.seat in table.present and self._started:
            self._say_beside(Kind.HELD, [missed], table.step, table.head)
            words = [*table.spoken.values(), *(e for claims in table.claims.values() for e in claims.values())]
            self._out += [Publish(word.frame) for word in words if missed >> word.seat & 1]

    def _answer_claim(self, entry: Entry, mask: int) -> None:
        """A claim about a step that has closed here: say HELD once for whoever spoke in it, and say that again."""
        said = self._table.log[entry.step]
        if self.seat not in self._table.present or not self._started or entry.kind is not Kind.EXPIRED:
            return
        missed = seats_mask(s for s in mask_seats(mask) if s in said)
        if missed and entry.head == self._table.heads[entry.step] and (entry.step, entry.seat) not in self._answered:
            self._answered.add((entry.step, entry.seat))  # once: whoever still lacks it can ask
            self._say_beside(Kind.HELD, [missed], entry.step, entry.head)
            self._out += [Publish(said[s].frame) for s in mask_seats(missed)]

    def _claim(self, seats: tuple[int, ...]) -> bool:
        """Say that we wait no longer for these seats; False when the open step does not wait for them."""
        table, aside = self._table, self._aside
        if self.seat not in table.present or not self._started or table.phase is None:
            return False
        mask = aside.claimable(table, seats)
        if not mask:
            return False
        entry = self._say_beside(Kind.EXPIRED, [mask], table.step, table.head)
        step = table.step
        table.claim(entry)
        self._after(step)
        if table.step == step:  # what we share now may be what another seat misses
            self._hold(seats_mask(s for other in table.claims for s in mask_seats(other)))
        return True

    def _say_beside(self, kind: Kind, body: list[Any], step: int, head: bytes) -> Entry:
        """Sign, record and publish an entry beside the log."""
        assert self.seat is not None
        assert self._key is not None
        entry = sign_entry(self._key, self.genesis.table, step, self.seat, head, kind, body)
        self._out += [Record(step, self.seat, entry.frame), Publish(entry.frame)]
        self._aside.note(entry)
        return entry

    # ------------------------------------------------------------------ choices

    def _choice(self, action: Action, seat: int) -> tuple[Kind, list[Any]]:
        """The entry of a player's choice, judged before it is signed. Raises IllegalMove."""
        table = self._table
        state, phase = table.play, table.phase
        assert state is not None
        if isinstance(action, Exchange):
            needed = () if action.returned is None else (action.returned,)
            faces, opens = self._open(needed)
            engine.exchange(state, seat, action, faces)
            return Kind.EXCHANGE, [exchange_body(action), opens]
        if isinstance(phase, turns.Offer):
            raise IllegalMove("not_your_turn", "the open card is on offer: take it or decline it")
        if isinstance(action, Draw):
            if not (isinstance(phase, turns.Turn) and phase.may_draw):
                raise IllegalMove("already_drawn", "a second draw in one turn")
            return Kind.DRAW, turns.draw_body(turns.drawable_slot(table)[0], self._carried_challenge())
        faces, opens = self._open(engine.slots_to_open(state, seat, action))
        engine.play(state, seat, action, faces)
        return Kind.PLAY, [play_body(action), opens, self._carried_challenge()]

    def _challenge(self, action: Challenge, seat: int) -> None:
        """Remember a challenge that can still hold. Raises IllegalMove no_offence for one that cannot."""
        state = self._table.play
        if state is None or action.offender == seat or action.offender not in state.calls.uncalled:
            raise IllegalMove("no_offence", "this seat has not missed a call")
        self._challenged = action.offender

    def _carried_challenge(self) -> int:
        """The challenge field of our next entry: 0, or the challenged seat plus one. A lapsed one is forgotten."""
        state = self._table.play
        if self._challenged is None or state is None or self._challenged not in state.calls.uncalled:
            self._challenged = None
            return 0
        return self._challenged + 1

    def _open(self, needed: tuple[Slot, ...]) -> tuple[dict[Slot, int], list[Any]]:
        """Open the hidden ones of these slots: the faces as everybody will know them, and the wire form.

        Raises IllegalMove for a slot that this seat does not hold.
        """
        table, secrets = self._table, self._secrets
        assert secrets is not None
        hidden = table.ledger.hidden(needed)
        if any(slot not in self._own for slot in hidden):
            raise IllegalMove("card_not_in_hand", "a card that this seat does not hold")
        faces = turns.known_faces(table, {slot: self._own[slot] for slot in hidden})
        return faces, opens_body(secrets.open_slots(table.ledger, hidden, self._own))

    # ------------------------------------------------------------------ secrets

    def _follow(self) -> None:
        """A step closed: the ratchet may move on, cards may have become ours to read."""
        table = self._table
        progress = setup_progress(table)
        if progress is not None:
            stage, done, total = progress
            table.emit(SetupProgress(stage, done, total, table.waiting_for[0] if table.waiting_for else None))
        if self.seat is None:
            return
        if table.phase is None or isinstance(table.phase, setup.Commit):
            self._next_secrets(self.seat)
        if self._secrets is not None and table.play is not None and isinstance(table.phase, turns.Turn | turns.Offer):
            for slot in table.play.hands[self.seat]:
                if slot not in table.ledger.cards and slot not in self._own:
                    self._own[slot] = self._secrets.read(table.ledger, slot)

    def _next_secrets(self, seat: int) -> None:
        """A round begins, or the game has ended: the ratchet moves on and the secrets of the round before are gone."""
        table = self._table
        now = table.round_number + (1 if table.phase is None else 0)
        while self._secret_round < now:
            self._secret = ratchet(self._secret)
            self._secret_round += 1
            self._out.append(KeepSecret(self._secret_round, self._secret))
        self._own = {}
        self._secrets = None
        if table.phase is not None and self._secret_round == now:
            self._secrets = RoundSecrets(seat, self._secret, table.ledger.ctx)

    def _flush(self) -> list[Output]:
        """Everything there is to do since the last call, then what happened, for people to read."""
        happened = [self._with_own_card(event) for event in self._table.events]
        out, self._out = [*self._out, *happened], []
        self._table.events.clear()
        return out

    def _with_own_card(self, event: Output) -> Output:
        """Our own draw, with the card only we can read."""
        if isinstance(event, Drew) and event.seat == self.seat and event.slot in self._own:
            return replace(event, face=self._table.ledger.pack.face(self._own[event.slot]))
        return event
