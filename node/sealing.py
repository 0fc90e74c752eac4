"""Sealed tables: all that a table says goes over one topic whose name says nothing, under a key that its code gives.

`SealedTransport` stands between a node and its transport, and nothing else of the node knows (spec/50-transport.md 8).
Who does not have the code sees when something is said and how long it is, rounded up; what he sends, repeats or changes
is dropped and counted. Everybody at the table has the same key: who said what is for the signatures inside.
"""

from __future__ import annotations

import asyncio
import secrets
import struct
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from protocol.errors import WireError

from .chunks import CHUNK, Reassembler, split
from .filters import check_filter, check_topic, matches
from .guard import Bucket
from .messages import table_name
from .table_code import SECRET_BYTES
from .topics import ROOT
from .transport import Forged, Incoming, Lost, Signal, Transport

if TYPE_CHECKING:
    from .addresses import BrokerAddress
    from .app import Connect

SALT = b"dz1/sealed-table"
PASSES, LANES, MEMORY_KIB = 3, 4, 65_536
"""Argon2id as RFC 9106 section 4 recommends it where memory is short: some 0.1 s here, for each guess of a stranger."""

BUCKETS = (512, 1_024, 2_048, 4_096, 8_192, CHUNK)
"""Sizes that sealed messages have, in bytes."""
PART = 16_000
"""Largest part of a message, so that its frame, a topic and the seal fit the largest bucket."""

_NONCE, _TAG = 12, 16
_HEAD = struct.Struct(">8sQBH")
"""Who sends (a random name for one life of a node), his how manyth message, lengths of topic and frame."""
_WINDOW = 1_024
"""How far a message may be overtaken by later ones of its sender."""
_SENDERS = 64
"""Senders whose messages are told from their repetitions; each life of a node is one."""
_RESTORE_RATE, _RESTORE_BURST = 1.0, 3.0
"""How often what we keep on the topic is put back when somebody has overwritten it."""


@dataclass(frozen=True, slots=True)
class SealKeys:
    """What the secret of a table gives: the topic, the key, and the name by which its players find it by mDNS."""

    topic: str
    key: bytes = field(repr=False)
    beacon: bytes


def new_secret() -> bytes:
    """A secret for a new sealed table; always from the system, in seeded games too."""
    return secrets.token_bytes(SECRET_BYTES)


def derive_keys(secret: bytes) -> SealKeys:
    """The keys of a secret. Blocks for some 0.1 s, takes 64 MiB meanwhile."""
    from cryptography.hazmat.primitives.kdf.argon2 import Argon2id  # only sealed tables pay for loading it

    stretch = Argon2id(salt=SALT, length=64, iterations=PASSES, lanes=LANES, memory_cost=MEMORY_KIB)
    keys = stretch.derive(secret)
    return SealKeys(topic=f"{ROOT}/s/{table_name(keys[:16])}", beacon=keys[16:32], key=keys[32:])


async def sealed(connect: Connect, secret: bytes | None) -> tuple[Connect, SealKeys | None]:
    """`connect` with a seal around the transport, and the keys; as it was, without keys, for an open table."""
    if secret is None:
        return connect, None
    keys = await asyncio.to_thread(derive_keys, secret)
    return lambda address: SealedTransport(connect(address), keys), keys


class Seal:
    """Seals frames for a topic and opens them. One for each life of a node, since it counts what it sends."""

    def __init__(self, keys: SealKeys, entropy: Callable[[int], bytes] = secrets.token_bytes) -> None:
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

        self._cipher = ChaCha20Poly1305(keys.key)
        self._bound = b"dz1/seal/" + keys.topic.encode()
        self._entropy = entropy
        self._sender = entropy(8)
        self._count = 0
        self._heard: OrderedDict[bytes, _Window] = OrderedDict()

    def close(self, topic: str, frame: bytes) -> bytes:
        """A frame for this topic, sealed."""
        self._count += 1
        name = topic.encode()
        plain = _HEAD.pack(self._sender, self._count, len(name), len(frame)) + name + frame
        size = next(bucket for bucket in BUCKETS if bucket >= len(plain) + _NONCE + _TAG)
        nonce = self._entropy(_NONCE)
        return nonce + self._cipher.encrypt(nonce, plain.ljust(size - _NONCE - _TAG, b"\0"), self._bound)

    def open(self, data: bytes) -> tuple[str, bytes] | None:
        """Topic and frame; None for what we have sent ourselves.

        Raises WireError: `seal/size`, `seal/broken` (not sealed by our key for our topic), `seal/replay`, `seal/form`.
        """
        from cryptography.exceptions import InvalidTag

        if len(data) not in BUCKETS:
            raise WireError("seal/size")
        try:
            plain = self._cipher.decrypt(data[:_NONCE], data[_NONCE:], self._bound)
        except InvalidTag:
            raise WireError("seal/broken") from None
        sender, count, topic_size, frame_size = _HEAD.unpack_from(plain)
        name, frame, rest = _cut(plain[_HEAD.size :], topic_size, frame_size)
        if len(frame) != frame_size or not name.isascii() or rest.strip(b"\0"):
            raise WireError("seal/form")
        if not self._window(sender).fresh(count):
            raise WireError("seal/replay")
        return None if sender == self._sender else (name.decode(), frame)

    def _window(self, sender: bytes) -> _Window:
        window = self._heard.get(sender)
        if window is None:
            window = self._heard[sender] = _Window()
            if len(self._heard) > _SENDERS:
                self._heard.popitem(last=False)
        self._heard.move_to_end(sender)
        return window


def _cut(data: bytes, first: int, second: int) -> tuple[bytes, bytes, bytes]:
    return data[:first], data[first : first + second], data[first + second :]


class _Window:
    """Which messages of one sender have been seen: the newest number, and a bit for each before it."""

    def __init__(self) -> None:
        self._newest = 0
        self._seen = 0

    def fresh(self, count: int) -> bool:
        """Whether this number is seen for the first time; one that is too old to tell is not."""
        ahead = count - self._newest
        if ahead > 0:
            kept = self._seen << ahead if ahead < _WINDOW else 0
            self._newest, self._seen = count, (kept | 1) & (1 << _WINDOW) - 1
            return True
        bit = 1 << -ahead if -ahead < _WINDOW else 0
        if not bit or self._seen & bit:
            return False
        self._seen |= bit
        return True


class SealedTransport:
    """A `Transport` over another one, for one sealed table. Topics and messages of the table stay inside the seal."""

    def __init__(
        self, inner: Transport, keys: SealKeys, *, entropy: Callable[[int], bytes] = secrets.token_bytes
    ) -> None:
        self._inner = inner
        self._topic = keys.topic
        self._seal = Seal(keys, entropy)
        self._wanted: dict[str, None] = {}
        self._parts = Reassembler(part=PART)
        self._source: AsyncIterator[Signal] | None = None
        self._ready: deque[Signal] = deque()
        self._kept = ("", b"")
        """The topic that we retain something on, and that as it was sent."""
        self._restore = Bucket(_RESTORE_RATE, _RESTORE_BURST)

    @property
    def address(self) -> BrokerAddress:
        """Where the inner link goes; may be set anew if that can (`node.roaming`)."""
        return self._inner.address  # type: ignore[attr-defined, no-any-return]

    @address.setter
    def address(self, address: BrokerAddress) -> None:
        self._inner.address = address  # type: ignore[attr-defined]

    async def __aenter__(self) -> Self:
        await self._inner.__aenter__()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._inner.__aexit__(*exc)

    def subscribe(self, pattern: str) -> None:
        """See `Transport.subscribe`. Only the first filter makes the broker send what is retained."""
        check_filter(pattern)
        if not self._wanted:
            self._inner.subscribe(self._topic)
        self._wanted[pattern] = None

    def unsubscribe(self, pattern: str) -> None:
        """See `Transport.unsubscribe`."""
        self._wanted.pop(pattern, None)

    def send(self, topic: str, payload: bytes, *, retain: bool = False, reliable: bool = True) -> None:
        """See `Transport.send`. A retained message must fit one part."""
        check_topic(topic)
        if retain and not payload:
            self._kept = ("", b"")
            self._inner.send(self._topic, b"", retain=True, reliable=reliable)
            return
        frames = split(payload, PART)
        if retain and len(frames) > 1:
            raise ValueError(f"a retained message has at most {PART} bytes")
        for frame in frames:
            data = self._seal.close(topic, frame)
            if retain:
                self._kept = (topic, data)
            self._inner.send(self._topic, data, retain=retain, reliable=reliable)

    async def flush(self, timeout: float) -> bool:  # noqa: ASYNC109  the interface has it
        """See `Transport.flush`."""
        return await self._inner.flush(timeout)

    def signals(self) -> AsyncIterator[Signal]:
        """See `Transport.signals`. What nobody at the table has sent arrives as `Forged`."""
        self._source = self._inner.signals()
        return self

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Signal:
        assert self._source is not None
        while not self._ready:
            signal = await anext(self._source)
            match signal:
                case Incoming(payload=payload):
                    self._take(payload)
                case Lost(code) if code.startswith("chunk/"):
                    self._ready.append(Forged(code))  # what we send is never in parts there
                case _:
                    self._ready.append(signal)
        return self._ready.popleft()

    @property
    def connected(self) -> bool:
        """See `Transport.connected`."""
        return self._inner.connected

    # ------------------------------------------------------------------ inside

    def _take(self, data: bytes) -> None:
        if not data or data == self._kept[1]:
            if not data:
                self._put_back()
            return  # cleared, or our own, sent again by the broker
        now = asyncio.get_running_loop().time()
        try:
            opened = self._seal.open(data)
        except WireError as error:
            self._ready.append(Forged(error.code))
            self._put_back()
            return
        if opened is None:
            return
        topic, frame = opened
        if not any(matches(pattern, topic) for pattern in self._wanted):
            return
        try:
            message = self._parts.feed(topic, frame, now)
        except WireError as error:
            self._ready.append(Lost(error.code))
            return
        if message is not None:
            self._ready.append(Incoming(topic, message))

    def _put_back(self) -> None:
        """Somebody may have overwritten what we retain: tell whoever retains it that it is gone."""
        topic, _ = self._kept
        if topic and self._restore.take(asyncio.get_running_loop().time()):
            self._ready.append(Incoming(topic, b""))
