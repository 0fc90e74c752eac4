"""What comes from the network for a table that has begun: who may say it, how much of it, and where it goes.

Checks go from the cheapest to the dearest, and nothing here waits. What is refused leaves as WireError, which the
router counts; dropping is always safe, since peer sync repairs it.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, TypeVar

from protocol.errors import WireError
from protocol.wire.limits import MAX_FRAME

from .guard import Bucket
from .inbox import AnswerEnd, Inbox
from .messages import Heartbeat, Signed, SyncAnswer, SyncRequest, node_name, peek
from .sync import Place
from .topics import channel_filter, node_topic

if TYPE_CHECKING:
    from collections.abc import Callable

    from protocol.session.genesis import Genesis

    from .router import Router
    from .sync import Sync
    from .topics import Topic

log = logging.getLogger("duizenden.node")
T = TypeVar("T")

ENTRY_RATE, ENTRY_BURST = 400.0, 1_200.0
"""Entries a second from one seat: bots without a delay stay below; a flood beyond it costs no signature check."""
TALK_RATE, TALK_BURST = 20.0, 60.0
"""Heartbeats, requests and answers a second from one seat."""
WATCH_RATE, WATCH_BURST = 2.0, 12.0
"""Requests a second of all watchers together: whoever looks on must not slow down the table."""


class Arrivals:
    """Takes a table's messages from the router: entries into `inbox`, the peers' places into the sync.

    `came` is set when there is something in the inbox; `talked`, and `poke`, when a peer has said how far it is.
    `alive` is told each seat and epoch that a heartbeat proves.
    """

    def __init__(
        self,
        genesis: Genesis,
        seat: int | None,
        key: bytes,
        router: Router,
        sync: Sync,
        poke: asyncio.Event,
        alive: Callable[[int, int], None],
    ) -> None:
        self._table = genesis.table
        self._me = seat
        self._key = key
        self._router = router
        self._sync = sync
        self._poke = poke
        self._alive = alive
        self._nodes = {node_name(p.key): i for i, p in enumerate(genesis.players)}
        self._keys = {p.key: i for i, p in enumerate(genesis.players)}
        n = len(genesis.players)
        self._entry_limits = [Bucket(ENTRY_RATE, ENTRY_BURST) for _ in range(n)]
        self._answer_limits = [Bucket(ENTRY_RATE, ENTRY_BURST) for _ in range(n)]
        """For the entries in answers: of their own, since anybody can use up the limit of a seat's topic."""
        self._watch_limit = Bucket(WATCH_RATE, WATCH_BURST)
        self._talk_limits = [Bucket(TALK_RATE, TALK_BURST) for _ in range(n)]
        self.inbox = Inbox()
        self.came = asyncio.Event()
        self.talked = asyncio.Event()

    def open(self) -> None:
        """Begin to listen to the table."""
        handlers = {"m": self._on_entry, "q": self._on_request, "p": self._on_heartbeat, "d": self._on_answer}
        for channel, handler in handlers.items():
            self._router.handle(self._table, channel, handler)
        for channel in "mqp":
            self._router.transport.subscribe(channel_filter(self._table, channel))
        self._router.transport.subscribe(node_topic(self._table, "d", self._key))

    def close(self) -> None:
        """Listen no more."""
        for channel in "mqpd":
            self._router.ignore(self._table, channel)

    # ------------------------------------------------------------------ channels

    def _on_entry(self, topic: Topic, payload: bytes) -> None:
        seat = self._seat_of(topic)
        if seat is None:
            return
        if len(payload) > MAX_FRAME:
            raise WireError("wire/size", "entry")
        _within(self._entry_limits[seat])
        self.inbox.put(("m", seat), payload)
        self.came.set()

    def _on_heartbeat(self, topic: Topic, payload: bytes) -> None:
        seat = self._seat_of(topic)
        if seat is None:
            return
        beat = self._open(seat, payload, Heartbeat)
        if not self._sync.heard(seat, (beat.epoch, beat.count), Place(beat.step, beat.have), _now()):
            raise WireError("node/stale", "heartbeat")
        self._alive(seat, beat.epoch)
        if beat.leaving:
            self._sync.left(seat)
        elif self._sync.head_seen(beat.step, beat.head, _now()):
            self._router.drops.count("log/fork")
            log.warning("seat %d has another history at step %d", seat, beat.step)
        self.talked.set()
        self._poke.set()

    def _on_request(self, topic: Topic, payload: bytes) -> None:
        seat = self._nodes.get(topic.node)
        if seat is None:
            self._on_watcher(topic, payload)
            return
        if seat == self._me:
            return
        request = self._open(seat, payload, SyncRequest)
        place = Place(request.step, request.have)
        if not self._sync.heard(seat, (request.epoch, request.count), place, _now()):
            raise WireError("node/stale", "request")
        if self._me is not None:
            self._sync.asked(seat, place, _now())
        self.talked.set()
        self._poke.set()

    def _on_watcher(self, topic: Topic, payload: bytes) -> None:
        """Somebody who has no seat asks for the log, which is public."""
        if self._me is None:
            return
        _within(self._watch_limit)
        signed = peek(payload)
        request = signed.message
        if signed.table != self._table or node_name(signed.key) != topic.node:
            raise WireError("node/signer")
        if not isinstance(request, SyncRequest):
            raise WireError("node/channel")
        signed.open()
        self._sync.watched(signed.key, Place(request.step, request.have), _now())
        self._poke.set()

    def _on_answer(self, topic: Topic, payload: bytes) -> None:
        if topic.node != node_name(self._key):
            raise WireError("topic/unasked")
        signed = peek(payload)
        seat = self._keys.get(signed.key)
        if seat is None or seat == self._me:
            raise WireError("topic/stranger")
        if not self._sync.expects(seat):
            raise WireError("node/unasked", "answer")
        _within(self._talk_limits[seat])
        answer = self._opened(seat, signed, SyncAnswer)
        _within(self._answer_limits[seat], len(answer.entries))
        self.inbox.put(("d", seat), *answer.entries, AnswerEnd(seat, Place(answer.step, answer.have)))
        self._sync.accepted(seat)
        self.came.set()

    # ------------------------------------------------------------------ checks

    def _seat_of(self, topic: Topic) -> int | None:
        """The seat of a topic's node, dropping strangers; None also for our own echo."""
        seat = self._nodes.get(topic.node)
        if seat is None:
            self._router.drops.count("topic/stranger")
        return None if seat == self._me else seat

    def _open(self, seat: int, payload: bytes, kind: type[T]) -> T:
        """A message of this seat and kind. Raises WireError."""
        _within(self._talk_limits[seat])
        return self._opened(seat, peek(payload), kind)

    def _opened(self, seat: int, signed: Signed, kind: type[T]) -> T:
        if signed.table != self._table:
            raise WireError("node/table")
        if self._keys.get(signed.key) != seat:
            raise WireError("node/signer")
        if not isinstance(signed.message, kind):
            raise WireError("node/channel")
        signed.open()
        return signed.message


def _within(limit: Bucket, count: int = 1) -> None:
    if not limit.take(_now(), count):
        raise WireError("limit/rate")


def _now() -> float:
    return asyncio.get_running_loop().time()
