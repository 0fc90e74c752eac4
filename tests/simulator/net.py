"""The network of a simulated table: the one in memory, with time, and with whatever a broker can do to messages."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass

from node.memory import Delivery, MemoryNet


@dataclass(slots=True)
class Weather:
    """How bad the network is now: chances per copy of a message, and the longest usual delay in seconds."""

    loss: float = 0.0
    duplicate: float = 0.0
    delay: float = 0.01
    late: float = 0.0
    """How likely a copy takes a hundred times as long, and so comes after what was sent later."""


class TimedNet(MemoryNet):
    """Carries messages between named nodes in virtual time; `sent` is told of everything before it leaves."""

    def __init__(self, chance: random.Random, sent: Callable[[str, str, bytes], None]) -> None:
        super().__init__()
        self.weather = Weather()
        self.apart: set[frozenset[str]] = set()
        """Pairs of nodes that do not hear each other."""
        self.delivered = 0
        self.doubled = 0
        self._chance = chance
        self._sent = sent
        self._sender = ""

    def send(self, sender: str, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """See `MemoryNet.send`."""
        self._sent(sender, topic, payload)
        self._sender = sender
        super().send(sender, topic, payload, retain=retain)

    def pump(self) -> None:
        """Everything is delivered by the clock."""

    def _launch(self, delivery: Delivery) -> None:
        chance, weather = self._chance, self.weather
        if chance.random() < weather.loss:
            self.lost += 1
            return
        copies = 1 + (chance.random() < weather.duplicate)
        self.doubled += copies - 1
        for _ in range(copies):
            delay = weather.delay * chance.random()
            if chance.random() < weather.late:
                delay *= 100
            asyncio.get_running_loop().call_later(delay, self._land, self._sender, delivery)

    def _land(self, sender: str, delivery: Delivery) -> None:
        sink = self._sinks.get(delivery.receiver)
        cut = {sender, delivery.receiver} & self._cut or frozenset((sender, delivery.receiver)) in self.apart
        if sink is None or cut:
            self.lost += 1
            return
        self.delivered += 1
        sink(delivery)

    def inject(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """Say something in nobody's name."""
        self._sender = ""
        super().send("", topic, payload, retain=retain)
