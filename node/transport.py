"""What a node needs of the network, and what it is not promised.

A transport carries logical messages on topics. It promises nothing about delivery: a message may be lost, doubled,
delayed or reordered, may come from anybody, and may be garbage. Order within one connection and topic is usual, not
promised. Everything above repairs itself by signatures, the hash chain and peer sync.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Protocol, Self, TypeAlias


@dataclass(frozen=True, slots=True)
class Incoming:
    """One whole logical message (already reassembled from chunks, at most MAX_MESSAGE bytes)."""

    topic: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class Up:
    """Connected and subscribed; `epoch` counts connections. Ask the peers for what was missed."""

    epoch: int


@dataclass(frozen=True, slots=True)
class Down:
    """Not connected; the transport keeps trying by itself. `reason` is for the log, `code` for what is not trusted."""

    reason: str
    code: str = ""


@dataclass(frozen=True, slots=True)
class Lost:
    """Messages were dropped before they could be read (overflow, oversize, broken chunks); `code` says why."""

    code: str


@dataclass(frozen=True, slots=True)
class Forged:
    """Bytes were dropped that nobody at the table has sent, or not now; `code` says why. Nothing is missing."""

    code: str


Signal: TypeAlias = Incoming | Up | Down | Lost | Forged


class Transport(Protocol):
    """A connection that repairs itself. Use as an async context manager around the whole life of a node."""

    async def __aenter__(self) -> Self: ...

    async def __aexit__(self, *exc: object) -> None: ...

    def subscribe(self, pattern: str) -> None:
        """Also receive topics matching this MQTT filter, now and after every reconnect."""
        ...

    def unsubscribe(self, pattern: str) -> None:
        """Stop receiving these."""
        ...

    def send(self, topic: str, payload: bytes, *, retain: bool = False, reliable: bool = True) -> None:
        """Queue a logical message. Never blocks and never raises for network trouble.

        `reliable` messages (QoS 1) stay queued until the broker has them, over reconnects; others (QoS 0) are dropped
        while down. Raises ValueError for a payload over MAX_MESSAGE bytes.
        """
        ...

    async def flush(self, timeout: float) -> bool:  # noqa: ASYNC109 - it gives a verdict instead of cancelling
        """Wait until the broker has everything queued; False when that did not happen in time (seconds)."""
        ...

    def signals(self) -> AsyncIterator[Signal]:
        """Everything that arrives and every change of the connection, in order; one consumer."""
        ...

    @property
    def connected(self) -> bool:
        """Whether the transport is up at this moment."""
        ...


MAX_MESSAGE = 262_144
"""Largest logical message in bytes, before chunking (spec/50-transport.md)."""
