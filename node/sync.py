"""Peer sync: when to ask, when to answer, who is there. Pure decisions on a clock that is passed in; no I/O.

The network may lose anything, so nodes compare places. A *place* is how far a node is in the log: the open step and the
seats whose entry of it is held. Every heartbeat, request and answer carries its sender's place. Whoever sees a place
that shows more than it has, asks; whoever waits for others without progress asks too, which tells the others its own
place. The author of the first missing entry answers at once, others after a random while if nobody has.

The clock is our own monotonic one: nobody's claim about time decides anything.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

BACKOFF = (0.5, 1.0, 2.0, 4.0)
"""Seconds without progress before each next request."""
SETTLE = 0.15
"""Entries may still be on their way when a heartbeat overtakes them: wait this long before asking."""
ANSWER_DELAY = (0.1, 0.4)
ANSWER_PAUSE = 2.0
"""Seconds between two answers to one seat from one place far behind: such an answer is large, and was under way."""
FORK_PAUSE = 1.0
"""Seconds between two requests for where two histories part, however often somebody signs another head."""
MAX_FORK_PAUSE = 64.0
"""The pause doubles up to this once we have asked for everything: more of the same hardly helps."""
HEARTBEAT = 5.0
ANSWERS = 2
"""Answers of one seat that a request makes welcome: a network may double one."""
MAX_WELCOME = 4
"""Answers of one seat that are welcome at most, however often we have asked: some come late."""
SUSPECT = 15.0
"""Seconds of silence after which a peer is shown as away."""
NEVER = float("inf")


@dataclass(frozen=True, slots=True)
class Place:
    """How far a node is: the open step and a mask of the seats whose entry of it is held."""

    step: int = 0
    have: int = 0

    def lacks(self, other: Place) -> bool:
        """Whether the other place shows something that this one has not."""
        return other.step > self.step or (other.step == self.step and bool(other.have & ~self.have))


@dataclass(frozen=True, slots=True)
class Ask:
    """Publish a sync request from this place."""

    place: Place


@dataclass(frozen=True, slots=True)
class Answer:
    """Send this seat what it lacks at this place."""

    seat: int
    place: Place


@dataclass(frozen=True, slots=True)
class Show:
    """Send the watcher with this key what it lacks at this place."""

    key: bytes
    place: Place


Todo: TypeAlias = Ask | Answer | Show


@dataclass(slots=True)
class _Peer:
    place: Place = Place()
    stamp: tuple[int, int] = (-1, -1)
    heard: float = -NEVER
    welcome: int = 0
    answered: dict[Place, float] = field(default_factory=dict)
    """The places far behind that it was answered from lately, and when."""


@dataclass(slots=True)
class _Due:
    at: float
    place: Place


class Sync:
    """The sync of one node. Feed it places and time; `poll` says what to do now, `deadline` when to poll again."""

    def __init__(self, *, me: int | None, seats: int, now: float, delay: Callable[[float, float], float]) -> None:
        self._me = me
        self._seats = range(seats)
        self._peers = {seat: _Peer() for seat in range(seats) if seat != me}
        self._delay = delay
        self._place = Place()
        self._heads: dict[int, bytes] = {}
        self._authors: dict[int, int] = {}
        self._waiting = True
        self._attempt = 0
        self._next_ask = now
        self._began = now
        self._asked_from: Place | None = None
        self._evidence = Place()
        self._due: dict[int, _Due] = {}
        self._shows: list[Show] = []
        self._fork_depth = 0
        self._fork_step: int | None = None
        self._fork_at = -NEVER
        self._fork_pause = FORK_PAUSE
        self.without: frozenset[int] = frozenset()
        """Seats without which the others play on: nobody stays for them at the end, and they show watchers nothing."""

    # ------------------------------------------------------------------ what happened

    def recorded(self, step: int, seat: int) -> None:
        """An entry of this seat belongs to our log."""
        self._authors[step] = self._authors.get(step, 0) | 1 << seat

    def passed(self, step: int, head: bytes) -> None:
        """The head before a step of our log."""
        self._heads[step] = head

    def moved(self, place: Place, *, waiting: bool, now: float) -> None:
        """Our own place after something was processed; `waiting`: others must speak before the log goes on."""
        progress = place != self._place
        self._place = place
        if progress or waiting != self._waiting:
            self._attempt = 0
            self._next_ask = now + BACKOFF[0]
        self._waiting = waiting

    def connected(self, now: float) -> None:
        """We are on the network (again), or know that we lost messages: ask at once."""
        self._attempt = 0
        self._next_ask = now
        self._evidence = Place(self._place.step + 1)  # whatever we missed: believe in it until a request was sent

    def heard(self, seat: int, stamp: tuple[int, int], place: Place, now: float) -> bool:
        """A signed word of this seat with its rising (epoch, count). False for a stale or repeated one: ignore it."""
        peer = self._peers.get(seat)
        if peer is None or stamp <= peer.stamp:
            return False
        peer.stamp = stamp
        peer.heard = now
        self._saw(peer, place, now)
        return True

    def expects(self, seat: int) -> bool:
        """Whether we have asked for what this seat sends: nobody else's entries come but as they are published."""
        peer = self._peers.get(seat)
        return peer is not None and peer.welcome > 0

    def accepted(self, seat: int) -> None:
        """An answer of this seat was let in: one less is expected."""
        self._peers[seat].welcome -= 1

    def answered(self, seat: int, place: Place, now: float) -> None:
        """An answer of this seat was processed (its entries are in, if they fit); it says how far the seat is."""
        peer = self._peers.get(seat)
        if peer is not None:
            peer.heard = max(peer.heard, now)
            self._saw(peer, place, now)
            if self._place.lacks(place) and self._place != self._asked_from:  # it helped, and there is more
                self._next_ask = now

    def asked(self, seat: int, place: Place, now: float) -> None:
        """This seat asks for what follows its place (already told by `heard`)."""
        missing = self._held(place.step) & ~place.have
        if place.step > self._place.step or (place.step == self._place.step and not missing):
            self._due.pop(seat, None)
            return
        # none missing although our log goes on: the step closed here by claims, which no place shows
        first_author = (missing & -missing).bit_length() - 1 if missing else None
        at = now if first_author == self._me else now + self._delay(*ANSWER_DELAY)
        at = max(at, self._peers[seat].answered.get(place, -NEVER) + ANSWER_PAUSE)
        self._due[seat] = _Due(at, place)

    def watched(self, key: bytes, place: Place, now: float) -> None:
        """A watcher asks for what follows its place: the first seat that is there shows it."""
        there = (seat for seat, present in enumerate(self.present(now)) if present and seat not in self.without)
        if next(there, None) == self._me and place.lacks(self._place):
            self._shows.append(Show(key, place))

    def head_seen(self, step: int, head: bytes, now: float) -> bool:
        """A peer's head of this step. True when it contradicts ours: two logs; we ask for where they part."""
        ours = self._heads.get(step)
        if ours is None or ours == head:
            return False
        self._fork_step = step
        self._next_ask = min(self._next_ask, max(now + SETTLE, self._fork_at))
        return True

    def left(self, seat: int) -> None:
        """This seat said goodbye."""
        self._peers[seat].heard = -NEVER

    # ------------------------------------------------------------------ what to do

    def poll(self, now: float) -> list[Todo]:
        """Everything that is due at this time."""
        todo: list[Todo] = [*self._shows]
        self._shows.clear()
        for seat, due in list(self._due.items()):
            if due.at <= now:
                del self._due[seat]
                if not due.place.lacks(self._peers[seat].place):  # else somebody else was faster
                    todo.append(Answer(seat, due.place))
                    self._note_answer(self._peers[seat], due.place, now)
        if self._next_ask <= now:
            todo.extend(self._ask(now))
        return todo

    def deadline(self) -> float:
        """When to poll again at the latest (NEVER: not before something happens)."""
        return min([self._next_ask, *(due.at for due in self._due.values())])

    def present(self, now: float) -> tuple[bool, ...]:
        """Per seat whether it was heard lately (we ourselves always)."""
        return tuple(s == self._me or now - self._peers[s].heard < SUSPECT for s in self._seats)

    def silent(self, now: float) -> tuple[bool, ...]:
        """Per seat whether it can be called silent: gone after its last word, or never heard in a long time."""
        listened = now - self._began >= SUSPECT
        unheard = _Peer().stamp
        return tuple(
            not present and (listened or self._peers[seat].stamp != unheard)
            for seat, present in enumerate(self.present(now))
        )

    def all_at(self, place: Place, now: float) -> bool:
        """Whether every peer that is still there has said that it is this far."""
        there = (p for s, p in self._peers.items() if s not in self.without and now - p.heard < SUSPECT)
        return all(not peer.place.lacks(place) for peer in there)

    # ------------------------------------------------------------------ inside

    def _note_answer(self, peer: _Peer, place: Place, now: float) -> None:
        peer.answered = {p: at for p, at in peer.answered.items() if now - at < ANSWER_PAUSE}
        if place.step + 1 < self._place.step:  # at the open step an answer is small, and a lost one must be made up for
            peer.answered[place] = now

    def _held(self, step: int) -> int:
        if step == self._place.step:
            return self._place.have
        return self._authors.get(step, 0) if step < self._place.step else 0

    def _saw(self, peer: _Peer, place: Place, now: float) -> None:
        news = peer.place.lacks(place)
        peer.place = place
        if self._evidence.lacks(place):
            self._evidence = place
        # only news shortens the wait: a peer that repeats itself, and gives nothing, is asked ever more rarely
        if news and self._place.lacks(place) and self._next_ask > now + SETTLE:
            self._next_ask = now + SETTLE
            self._attempt = 0

    def _ask(self, now: float) -> list[Todo]:
        behind = self._place.lacks(self._evidence)
        self._asked_from = self._place
        if not (behind or self._waiting or self._fork_step is not None):
            self._next_ask = NEVER
            return []
        place = self._place
        if self._fork_step is not None and now >= self._fork_at:
            self._fork_at = now + self._fork_pause
            self._fork_depth = max(1, 2 * self._fork_depth)
            place = Place(max(0, min(self._fork_step, place.step) - self._fork_depth))
            self._fork_step = None
            if place.step == 0:
                self._fork_pause = min(2 * self._fork_pause, MAX_FORK_PAUSE)
        if self._attempt < len(BACKOFF) - 1 or behind:
            self._attempt = min(self._attempt + 1, len(BACKOFF) - 1)
            self._next_ask = now + BACKOFF[self._attempt]
        else:
            # nobody has shown more than we have: a player is thinking. Heartbeats tell when that changes
            self._next_ask = NEVER
        if self._fork_step is not None:
            self._next_ask = min(self._next_ask, self._fork_at)
        if behind and not any(self._place.lacks(p.place) for p in self._peers.values()):
            self._evidence = self._place
        for peer in self._peers.values():
            peer.welcome = min(peer.welcome + ANSWERS, MAX_WELCOME)
        return [Ask(place)]
