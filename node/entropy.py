"""Where a node's secrets come from: the operating system, or a stated seed for a reproducible test game.

Nothing else in the packages makes randomness that reaches a key, a secret or a table id. Timing jitter is not entropy
and has no place here.
"""

from __future__ import annotations

import hashlib
import os
from typing import Protocol


class Entropy(Protocol):
    """A source of secret bytes."""

    def take(self, count: int) -> bytes:
        """The next `count` bytes; never the same ones again."""
        ...


class SystemEntropy:
    """The operating system's generator."""

    def take(self, count: int) -> bytes:
        """`count` unpredictable bytes."""
        return os.urandom(count)


class SeededEntropy:
    """Bytes that follow from a seed and a label alone: SHA-512(label | seed | counter) blocks, 64 bytes each.

    Whoever knows the seed knows everything drawn from here, so only `selfplay --seed` uses it and the genesis says so.
    Labels keep the nodes of one run apart.
    """

    def __init__(self, seed: str, label: str) -> None:
        self._prefix = hashlib.sha512(f"duizenden/entropy\0{label}\0{seed}".encode()).digest()
        self._counter = 0

    def take(self, count: int) -> bytes:
        """The next `count` bytes; each call starts a new block, so that calls do not depend on each other's sizes."""
        out = b""
        while len(out) < count:
            out += hashlib.sha512(self._prefix + self._counter.to_bytes(8, "big")).digest()
            self._counter += 1
        return out[:count]
