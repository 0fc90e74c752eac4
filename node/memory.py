"""A network in memory, as bad as one likes and the same for each seed: for tests and for a table within one process.

`MemoryNet` alone is a scheduler without asyncio: `send`, then `deliver_next` until it says None. `MemoryLink` is a
`Transport` over it for asyncio nodes. Topics, filters and retained messages are MQTT's; a sender that subscribes to
its own topic hears itself, as with MQTT 3.1.1.
"""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Self, TypeAlias

from .filters import check_filter, check_topic, matches
from .signals import SignalQueue
from .transport import MAX_MESSAGE, Down, Incoming, Signal, Up

Will: TypeAlias = tuple[str, bytes]


@dataclass(frozen=True, slots=True)
class Delivery:
    """A message that reaches one receiver now."""

    receiver: str
    topic: str
    payload: bytes


class MemoryNet:
    """Carries messages between named nodes.

    Each copy for a receiver is lost with probability `loss`, sent twice with `duplicate`; each delivery takes, with
    probability `reorder`, any message in flight instead of the oldest. All chances come from `seed`.
    """

    def __init__(self, seed: int = 0, loss: float = 0.0, duplicate: float = 0.0, reorder: float = 0.0) -> None:
        for name, chance in (("loss", loss), ("duplicate", duplicate), ("reorder", reorder)):
            if not 0.0 <= chance <= 1.0:
                raise ValueError(f"{name} is a probability, not {chance}")
        self._chance = random.Random(seed)  # noqa: S311  repeatable on purpose
        self._loss = loss
        self._duplicate = duplicate
        self._reorder = reorder
        self._patterns: dict[str, dict[str, None]] = {}
        self._sinks: dict[str, Callable[[Delivery], None]] = {}
        self._cut: set[str] = set()
        self._retained: dict[str, bytes] = {}
        self._flying: deque[Delivery] = deque()
        self._quiet = asyncio.Event()
        self._quiet.set()
        self.lost = 0

    def join(self, node: str, *patterns: str) -> None:
        """Add a node that hears these filters. Raises ValueError for a name in use."""
        if node in self._patterns:
            raise ValueError(f"{node} has joined already")
        self._patterns[node] = {}
        for pattern in patterns:
            self.subscribe(node, pattern)

    def leave(self, node: str) -> None:
        """Remove a node; what is in flight to it is dropped."""
        self._patterns.pop(node, None)
        self._sinks.pop(node, None)
        self._cut.discard(node)

    def subscribe(self, node: str, pattern: str) -> None:
        """Hear one more filter; its retained messages are sent at once."""
        check_filter(pattern)
        self._patterns[node][pattern] = None
        for topic, payload in self._retained.items():
            if matches(pattern, topic):
                self._launch(Delivery(node, topic, payload))

    def unsubscribe(self, node: str, pattern: str) -> None:
        """Hear one filter less."""
        self._patterns[node].pop(pattern, None)

    def send(self, sender: str, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """Put a message in flight to everybody who subscribes. Lost at once if the sender is cut off."""
        check_topic(topic)
        if len(payload) > MAX_MESSAGE:
            raise ValueError(f"a message of {len(payload)} bytes is over {MAX_MESSAGE}")
        if sender in self._cut:
            self.lost += 1
            return
        if retain:
            self._retained.pop(topic, None)
            if payload:
                self._retained[topic] = payload
        for node, patterns in self._patterns.items():
            if any(matches(pattern, topic) for pattern in patterns):
                self._launch(Delivery(node, topic, payload))

    def deliver_next(self) -> Delivery | None:
        """Take the next message out of flight, hand it to its receiver's link if it has one; None if none is left."""
        while self._flying:
            position = 0
            if self._reorder and self._chance.random() < self._reorder:
                position = self._chance.randrange(len(self._flying))
            delivery = self._flying[position]
            del self._flying[position]
            if delivery.receiver in self._cut or delivery.receiver not in self._patterns:
                self.lost += 1
                continue
            if sink := self._sinks.get(delivery.receiver):
                sink(delivery)
            return delivery
        return None

    def cut(self, node: str) -> None:
        """Lose everything to and from this node until `mend`, without anybody being told."""
        self._cut.add(node)

    def mend(self, node: str) -> None:
        """End `cut`."""
        self._cut.discard(node)

    def attach(self, node: str, sink: Callable[[Delivery], None]) -> None:
        """Call `sink` for each delivery to this node."""
        self._sinks[node] = sink

    def pump(self) -> None:
        """Deliver everything from the running event loop, one message at a time, other tasks getting their turns."""
        if self._quiet.is_set():
            self._quiet.clear()
            asyncio.get_running_loop().call_soon(self._pump)

    async def quiet(self) -> None:
        """Wait until `pump` has nothing left to deliver; receivers may answer later."""
        await self._quiet.wait()

    def _pump(self) -> None:
        if self.deliver_next() is None:
            self._quiet.set()
        else:
            asyncio.get_running_loop().call_soon(self._pump)

    def _launch(self, delivery: Delivery) -> None:
        if self._loss and self._chance.random() < self._loss:
            self.lost += 1
            return
        self._flying.append(delivery)
        if self._duplicate and self._chance.random() < self._duplicate:
            self._flying.append(delivery)


class MemoryLink:
    """A `Transport` over a `MemoryNet`; `name` is the node's. `drop` and `restore` play the broker's part."""

    def __init__(
        self,
        net: MemoryNet,
        name: str,
        *,
        will: Will | Callable[[int], Will] | None = None,
        subscriptions: Iterable[str] = (),
    ) -> None:
        self._net = net
        self._name = name
        self._will = will
        self._wanted = dict.fromkeys(subscriptions)
        for pattern in self._wanted:
            check_filter(pattern)
        self._outbox: deque[tuple[str, bytes, bool]] = deque()
        self._signals = SignalQueue()
        self._idle = asyncio.Event()
        self._idle.set()
        self._epoch = 0
        self._up = False

    async def __aenter__(self) -> Self:
        self.restore()
        return self

    async def __aexit__(self, *exc: object) -> None:
        if self._up:
            self._net.leave(self._name)
            self._up = False
        self._signals.close()

    def subscribe(self, pattern: str) -> None:
        """See `Transport.subscribe`."""
        check_filter(pattern)
        self._wanted[pattern] = None
        if self._up:
            self._net.subscribe(self._name, pattern)
            self._net.pump()

    def unsubscribe(self, pattern: str) -> None:
        """See `Transport.unsubscribe`."""
        self._wanted.pop(pattern, None)
        if self._up:
            self._net.unsubscribe(self._name, pattern)

    def send(self, topic: str, payload: bytes, *, retain: bool = False, reliable: bool = True) -> None:
        """See `Transport.send`. "The broker has it" here means that it is in flight, or lost by the net's chances."""
        check_topic(topic)
        if len(payload) > MAX_MESSAGE:
            raise ValueError(f"a message of {len(payload)} bytes is over {MAX_MESSAGE}")
        if self._up:
            self._net.send(self._name, topic, payload, retain=retain)
            self._net.pump()
        elif reliable:
            self._outbox.append((topic, payload, retain))
            self._idle.clear()

    async def flush(self, timeout: float) -> bool:  # noqa: ASYNC109  the interface has it
        """See `Transport.flush`."""
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout):
                await self._idle.wait()
        return self._idle.is_set()

    def signals(self) -> AsyncIterator[Signal]:
        """See `Transport.signals`."""
        return aiter(self._signals)

    @property
    def connected(self) -> bool:
        """See `Transport.connected`."""
        return self._up

    def drop(self, reason: str = "dropped") -> None:
        """Lose the connection: what is in flight to this node is lost, its will is sent."""
        if not self._up:
            return
        self._up = False
        self._net.leave(self._name)
        will = self._will(self._epoch) if callable(self._will) else self._will
        if will is not None:
            self._net.send(self._name, *will)
            self._net.pump()
        self._signals.put(Down(reason))

    def restore(self) -> None:
        """Connect again: subscribe, say Up, send what waited."""
        if self._up:
            return
        self._up = True
        self._epoch += 1
        self._signals.put(Up(self._epoch))
        self._net.join(self._name, *self._wanted)
        self._net.attach(self._name, self._arrive)
        while self._outbox:
            topic, payload, retain = self._outbox.popleft()
            self._net.send(self._name, topic, payload, retain=retain)
        self._idle.set()
        self._net.pump()

    def _arrive(self, delivery: Delivery) -> None:
        self._signals.put(Incoming(delivery.topic, delivery.payload))
