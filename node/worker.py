"""The blocking half of a node: one session and its journal, used by one thread.

Everything that may take long (proofs, fsync) happens here, never in the event loop. The order that keeps a seat from
ever contradicting itself is kept here and nowhere else: what the session says is in the journal, durably, before the
caller gets it to publish. When that fails the session has said more than its journal knows, so nothing may be read from
it any more: the worker is dead, and playing on means starting again from the journal.
"""

from __future__ import annotations

import logging
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from protocol.errors import DuizendenError, IllegalMove, NotNow
from protocol.session.outputs import Dropped, Faulted, KeepSecret, Output, Publish, Record
from protocol.wire.limits import MAX_SEATS

from .journal import JournalError
from .messages import MAX_ANSWER_BYTES, MAX_ANSWER_ENTRIES
from .sync import Place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from protocol.session.evidence import Evidence
    from protocol.session.session import Choice, Session
    from protocol.session.view import TableView

    from .journal import Journal

log = logging.getLogger("duizenden.node")

EVERYBODY = (1 << MAX_SEATS) - 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one piece of work. `taken` counts the frames that were used up."""

    outputs: tuple[Output, ...]
    view: TableView
    place: Place
    head: bytes
    finished: bool
    taken: int = 0
    refused: NotNow | None = None
    """Why the player's choice was not made although something happened."""
    unsaved: bool = False
    """Whether some of it is not durable yet (peers' entries only)."""
    heads: tuple[tuple[int, bytes], ...] = ()
    """The head before each step since the outcome before this one: (step, head)."""
    beside: tuple[bytes, ...] = ()
    """What was said beside the open step (claims, goodbyes): no place shows it, so it is said again and again."""


class Worker:
    """Session and journal of one seat. `make` builds the session from the table secret and its round.

    One thread at a time. An error of the journal (a full disk) leaves the method that met it and from then on every
    method that speaks or says what was said: the seat is silent until somebody resumes its game.
    """

    def __init__(self, journal: Journal, make: Callable[[int, bytes], Session]) -> None:
        self._journal = journal
        self._make = make
        self._session: Session | None = None
        self._failure: Exception | None = None
        self.path = journal.path
        self._dirty = False
        self._told = 0
        """The first step of which no outcome has told the head."""

    @property
    def dead(self) -> bool:
        """Whether an error of the journal has silenced this seat."""
        return self._failure is not None

    def open(self) -> Outcome:
        """Build the session, replay the journal and say what is owed. Raises WireError for a foreign journal.

        Raises JournalError `journal/damaged` for one that no session can go on from.
        """
        return self._outcome(self._build())

    def receive(self, frames: Sequence[bytes]) -> Outcome:
        """Give frames to the session until it wants to publish or they are used up."""
        outputs: list[Output] = []
        taken = 0
        for frame in frames:
            taken += 1
            session = self._running
            try:
                new = session.receive(frame)
            except Exception:
                # a session promises not to raise: ours is at fault, and what it now holds cannot be trusted
                log.exception("the session failed on a frame; it starts again from the journal")
                new = [Dropped("node/internal"), *self._build()]
            else:
                self._record(new)
            outputs += new
            if any(isinstance(o, Publish) for o in new):
                break
        return self._outcome(outputs, taken=taken)

    def act(self, action: Choice) -> Outcome:
        """Make a choice of the player's. Raises IllegalMove or NotNow, and then nothing has changed.

        If the session fails (our mistake), it starts again from the journal: the outcome is what it then says, and why
        the choice was refused.
        """
        session = self._running
        try:
            outputs = session.act(action)
        except (IllegalMove, NotNow):
            raise
        except Exception as error:
            log.exception("the session failed on a choice; it starts again from the journal")
            return self._outcome(self._build(), refused=NotNow("node/internal", str(error)))
        self._record(outputs)
        return self._outcome(outputs)

    def missing_at(self, place: Place) -> list[bytes]:
        """The first entries that a node at this place lacks, as many as fit one answer."""
        chosen: list[bytes] = []
        size = 0
        for frame in self._running.frames_from(place.step, place.have):
            if len(chosen) == MAX_ANSWER_ENTRIES or size + len(frame) > MAX_ANSWER_BYTES:
                break
            chosen.append(frame)
            size += len(frame)
        return chosen

    def log_frames(self) -> list[bytes]:
        """The whole log so far."""
        return self._running.log_frames()

    def evidence(self) -> tuple[Evidence, ...]:
        """What proves why seats were named so far."""
        return self._running.evidence()

    def authors(self) -> list[tuple[int, int]]:
        """(step, seat) of every entry in the journal."""
        return [(r.step, r.seat) for r in self._journal.records()]

    def kept_talk(self) -> bytes:
        """What `keep_talk` kept last, in this life of the node or an earlier one."""
        kept = self._journal.settings.get("talk")
        with suppress(TypeError, ValueError):  # a note of another release
            return bytes.fromhex(kept)  # type: ignore[arg-type]
        return b""

    def keep_talk(self, talk: bytes) -> None:
        """Keep this for the next life of the node: it is no part of the game."""
        with self._deadly():
            self._journal.update_settings(talk=talk.hex())

    def commit(self) -> None:
        """Make durable what was taken since the last own entry."""
        with self._deadly():
            if self._dirty:
                self._journal.commit()
                self._dirty = False

    def close(self) -> None:
        """Note how far the game is, for lists of games, and close the journal."""
        try:
            if self._session is not None and self._failure is None:
                view = self._session.view()
                progress = {
                    "stage": view.stage.value,
                    "round": view.round_number,
                    "totals": list(view.totals),
                    "departed": list(view.departed),
                }
                self._journal.update_settings(progress=progress)
        finally:
            self._journal.close()

    @property
    def _running(self) -> Session:
        if self._failure is not None:
            raise self._failure
        assert self._session is not None, "open() comes first"
        return self._session

    @contextmanager
    def _deadly(self) -> Iterator[None]:
        """Where an error means that session and journal have parted for good."""
        try:
            yield
        except Exception as error:
            self._failure = self._failure or error
            raise

    def _build(self) -> list[Output]:
        """A session with everything that was recorded, started; what it says then is recorded too."""
        with self._deadly():
            self._journal.commit()
            number, secret = self._journal.secret
            # each frame once, by step: the evidence of a fault may have been recorded twice and after its step
            records = {r.frame: r for r in self._journal.records()}.values()
            try:
                session = self._make(number, secret)
                if records:
                    session.restore([r.frame for r in sorted(records, key=lambda r: r.step)])
                outputs = session.start()
            except DuizendenError:
                raise
            except Exception as error:  # what we recorded ourselves never brings a session to this
                raise JournalError("journal/damaged", f"{self.path}: {error!r}") from error
            self._session = session
        self._record(outputs)
        return outputs

    def _record(self, outputs: Sequence[Output]) -> None:
        """What must be kept goes to the journal in order; `_outcome` makes it durable where it has to be."""
        kept = [o for o in outputs if isinstance(o, (Record, KeepSecret))]
        with self._deadly():
            self._journal.append(kept)
        self._dirty = self._dirty or bool(kept)

    def _outcome(self, outputs: Sequence[Output], *, taken: int = 0, refused: NotNow | None = None) -> Outcome:
        """What came of recorded outputs: durable by now when something leaves the node because of them."""
        if any(isinstance(o, (Publish, KeepSecret, Faulted)) for o in outputs):
            self.commit()
        session = self._running
        at = session.position()
        first = min(self._told, at.step)
        heads = tuple(enumerate(session.heads_from(first), first))
        self._told = at.step + 1
        return Outcome(
            outputs=tuple(outputs),
            view=session.view(),
            place=Place(at.step, at.have),
            head=at.head,
            finished=session.finished,
            taken=taken,
            refused=refused,
            unsaved=self._dirty,
            heads=heads,
            beside=tuple(session.frames_from(at.step, EVERYBODY)),
        )
