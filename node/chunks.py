"""Logical messages to link frames and back (spec/50-transport.md 3). Pure: time is an argument.

Everything that goes over the wire is a link frame (within this layer: a frame). It has nothing to do with the frame of
a signed entry, which is one kind of message here. Its first byte says what follows:

    00 | message                                 a whole message of 1 to 16384 bytes
    01 | length u32 | index u8 | SHA-256 | part  part `index` of a longer message; all parts but the last are full
    (nothing)                                    the empty message, which MQTT needs to clear a retained one

Incoming frames come from anybody. `feed` returns a message, nothing yet, or raises WireError; it keeps a bounded
amount of memory whatever it is fed.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from hashlib import sha256

from protocol.errors import WireError

from .transport import MAX_MESSAGE

CHUNK = 16_384
"""Largest part in bytes. A frame stays under 20480 bytes, the smallest default limit met in a broker; and a long
proof does not hold up a heartbeat on a slow link."""

MAX_CHUNKS = MAX_MESSAGE // CHUNK
MAX_LINK_FRAME = CHUNK + 38
MAX_UNFINISHED = 2
"""Messages in parts that one topic may have open: the one being sent and one sent again after a reconnect."""

MAX_UNFINISHED_BYTES = 8 * MAX_MESSAGE
"""Bytes of parts kept over all topics (2 MiB): a table of six sends one long message per seat at a time."""

MAX_UNFINISHED_MESSAGES = 64
"""Unfinished messages over all topics, since a last part may be a single byte."""

MAX_AGE = 30.0
"""Seconds after its first part that an unfinished message is given up."""

_WHOLE = b"\x00"
_PART = b"\x01"
_HEADER = struct.Struct(">cIB32s")


def split(message: bytes, part: int = CHUNK) -> list[bytes]:
    """The frames of a message, in sending order, with parts of this size.

    Raises ValueError for more than MAX_MESSAGE bytes.
    """
    if len(message) > MAX_MESSAGE:
        raise ValueError(f"a message of {len(message)} bytes is over {MAX_MESSAGE}")
    if not message:
        return [b""]
    if len(message) <= part:
        return [_WHOLE + message]
    digest = sha256(message).digest()
    return [
        _HEADER.pack(_PART, len(message), index, digest) + message[index * part : (index + 1) * part]
        for index in range(-(-len(message) // part))
    ]


@dataclass(slots=True)
class _Unfinished:
    started: float
    count: int
    parts: dict[int, bytes] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return sum(map(len, self.parts.values()))


class Reassembler:
    """Puts frames together, per topic, of parts of one size.

    `given_up` counts unfinished messages dropped for age or for room.
    """

    def __init__(self, *, max_bytes: int = MAX_UNFINISHED_BYTES, part: int = CHUNK) -> None:
        if max_bytes < MAX_MESSAGE:
            raise ValueError("there must be room for one message")
        self._max_bytes = max_bytes
        self._part_size = part
        self._open: dict[tuple[str, int, bytes], _Unfinished] = {}  # oldest first
        self._bytes = 0
        self.given_up = 0

    @property
    def held(self) -> int:
        """Bytes of parts held at the moment."""
        return self._bytes

    def feed(self, topic: str, frame: bytes, now: float) -> bytes | None:
        """Take one frame; the message that it is or completes, or None while parts are missing.

        `now` is monotonic, in seconds. A part that was seen is ignored. Raises WireError (`chunk/...`) for a frame
        that no sender of ours makes, and when the finished message is not the one its parts promised.
        """
        self.expire(now)
        if not frame:
            return b""
        kind = frame[:1]
        if kind == _WHOLE:
            if not 1 < len(frame) <= self._part_size + 1:
                raise WireError("chunk/size", f"whole message of {len(frame) - 1} bytes")
            return frame[1:]
        if kind == _PART:
            return self._part(topic, frame, now)
        raise WireError("chunk/kind", f"first byte {frame[0]:#04x}")

    def expire(self, now: float) -> None:
        """Give up unfinished messages older than MAX_AGE."""
        for key in [key for key, message in self._open.items() if now - message.started > MAX_AGE]:
            self._give_up(key)

    def _part(self, topic: str, frame: bytes, now: float) -> bytes | None:
        total, index, digest, part = _parse(frame, self._part_size)
        key = (topic, total, digest)
        message = self._open.get(key)
        if message is None:
            self._make_room(topic)
            message = self._open[key] = _Unfinished(now, -(-total // self._part_size))
        if index in message.parts:
            return None
        message.parts[index] = part
        self._bytes += len(part)
        if len(message.parts) < message.count:
            while self._bytes > self._max_bytes:
                self._give_up(next(k for k in self._open if k != key))
            return None
        self._forget(key)
        whole = b"".join(message.parts[i] for i in range(message.count))
        if sha256(whole).digest() != digest:
            raise WireError("chunk/hash", f"{total} bytes on {topic}")
        return whole

    def _make_room(self, topic: str) -> None:
        mine = [key for key in self._open if key[0] == topic]
        if len(mine) >= MAX_UNFINISHED:
            self._give_up(mine[0])
        elif len(self._open) >= MAX_UNFINISHED_MESSAGES:
            self._give_up(next(iter(self._open)))

    def _give_up(self, key: tuple[str, int, bytes]) -> None:
        self._forget(key)
        self.given_up += 1

    def _forget(self, key: tuple[str, int, bytes]) -> None:
        self._bytes -= self._open.pop(key).size


def _parse(frame: bytes, size: int) -> tuple[int, int, bytes, bytes]:
    if len(frame) <= _HEADER.size:
        raise WireError("chunk/size", f"part frame of {len(frame)} bytes")
    _, total, index, digest = _HEADER.unpack_from(frame)
    part = frame[_HEADER.size :]
    if not size < total <= MAX_MESSAGE:
        raise WireError("chunk/total", f"{total} bytes in parts")
    expected = min(size, total - index * size)
    if expected <= 0:
        raise WireError("chunk/index", f"part {index} of {total} bytes")
    if len(part) != expected:
        raise WireError("chunk/size", f"part {index} has {len(part)} bytes, expected {expected}")
    return total, index, digest, part
