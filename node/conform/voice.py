"""What one of our seats sends: a transport between node and network that a script may change, hold back or add to.

The node above never knows. A false entry is the true one with another body, signed again with the seat's own key, so
that nothing but its content is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

from node.messages import Heartbeat, SyncRequest, peek, sign
from node.topics import node_topic, parse_topic
from protocol.wire.codec import decode
from protocol.wire.entry import SIDE, Entry, Kind, sign_entry
from protocol.wire.limits import MAX_FRAME

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from node.sync import Place
    from node.transport import Signal, Transport
    from protocol.crypto.identity import SigningKey


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message that our node hands to the transport. `entry` is set for an entry of its own."""

    topic: str
    channel: str
    payload: bytes
    retain: bool
    reliable: bool
    entry: Entry | None


class Script:
    """What becomes of the messages of one seat. This one sends them as they are."""

    def take(self, voice: Voice, out: Outgoing) -> None:
        """Send this message, something else, or nothing."""
        voice.pass_on(out)


@dataclass(slots=True)
class Sent:
    """What our seats have sent so far: entries as (step, seat), in the order of sending, and bytes thrown about."""

    order: list[tuple[int, int]] = field(default_factory=list)
    thrown: set[bytes] = field(default_factory=set)


class Voice:
    """A `Transport` of one of our seats. `key` is told as soon as it is known, `table` is that of the topics."""

    def __init__(self, inner: Transport, sent: Sent) -> None:
        self._inner = inner
        self._sent = sent
        self._extra = 0
        self.script = Script()
        self.key: SigningKey | None = None
        self.table = bytes(16)
        self.mute = False
        """Whether everything that the node says is lost."""
        self.asking = False
        """Whether the node keeps quiet about its own place, since the script shows others."""

    async def __aenter__(self) -> Self:
        await self._inner.__aenter__()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._inner.__aexit__(*exc)

    def subscribe(self, pattern: str) -> None:
        """See `Transport.subscribe`."""
        self._inner.subscribe(pattern)

    def unsubscribe(self, pattern: str) -> None:
        """See `Transport.unsubscribe`."""
        self._inner.unsubscribe(pattern)

    async def flush(self, timeout: float) -> bool:  # noqa: ASYNC109  the interface has it
        """See `Transport.flush`."""
        return await self._inner.flush(timeout)

    def signals(self) -> AsyncIterator[Signal]:
        """See `Transport.signals`."""
        return self._inner.signals()

    @property
    def connected(self) -> bool:
        """See `Transport.connected`."""
        return self._inner.connected

    def send(self, topic: str, payload: bytes, *, retain: bool = False, reliable: bool = True) -> None:
        """As `Transport.send`, after the script has had its way."""
        parsed = parse_topic(topic)
        channel = "" if parsed is None else parsed.channel
        self.table = self.table if parsed is None else parsed.table
        if self.mute or (self.asking and channel in {"q", "p", "d"}):
            return
        entry = read_entry(payload) if channel == "m" else None
        self.script.take(self, Outgoing(topic, channel, self._restamped(channel, payload), retain, reliable, entry))

    # ------------------------------------------------------------------ for scripts

    def pass_on(self, out: Outgoing) -> None:
        """Send this message as it is."""
        if out.entry is not None and out.entry.kind not in SIDE:
            self._sent.order.append((out.entry.step, out.entry.seat))
        self._inner.send(out.topic, out.payload, retain=out.retain, reliable=out.reliable)

    def say(self, out: Outgoing, **change: Any) -> Entry:
        """Send the entry of this message with these parts changed (step, head, kind, body), validly signed."""
        assert out.entry is not None
        entry = self.signed(out.entry, **change)
        self.pass_on(replace(out, payload=entry.frame, entry=entry))
        return entry

    def signed(self, entry: Entry, **change: Any) -> Entry:
        """This entry with parts changed and a signature that holds."""
        assert self.key is not None
        parts: dict[str, Any] = {"step": entry.step, "head": entry.head, "kind": entry.kind, "body": entry.body}
        parts |= change
        return sign_entry(self.key, self.table, parts["step"], entry.seat, parts["head"], parts["kind"], parts["body"])

    def throw(self, topic: str, payload: bytes) -> None:
        """Send any bytes on any topic; they count as nothing that anybody has said."""
        self._sent.thrown.add(payload)
        self.slip(topic, payload)

    def slip(self, topic: str, payload: bytes) -> None:
        """Send these bytes beside what the seat says in its steps."""
        self._inner.send(topic, payload)

    def ask(self, place: Place) -> None:
        """Send a valid sync request from this place, wherever the node is."""
        assert self.key is not None
        self._extra += 1
        epoch, count = self._stamp
        request = SyncRequest(epoch=epoch, count=count + self._extra, step=place.step, have=place.have)
        self.slip(node_topic(self.table, "q", self.key.public), sign(self.key, self.table, request))

    # ------------------------------------------------------------------ inside

    _stamp = (0, 0)

    def _restamped(self, channel: str, payload: bytes) -> bytes:
        """A heartbeat or request of the node, numbered on after the requests of the script."""
        if channel not in {"q", "p"} or self.key is None:
            return payload
        message = peek(payload).message
        if not isinstance(message, Heartbeat | SyncRequest):
            return payload
        self._stamp = (message.epoch, message.count)
        return sign(self.key, self.table, replace(message, count=message.count + self._extra))


def read_entry(payload: bytes) -> Entry:
    """An entry that our own node made: nothing about it needs a check."""
    raw, _ = decode(payload, MAX_FRAME)
    _, _, step, seat, head, kind, body = decode(raw, MAX_FRAME)
    return Entry(step, seat, head, Kind(kind), body, raw, payload)
