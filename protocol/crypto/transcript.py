"""The running transcript of a proof, from which its challenges come (Fiat-Shamir, spec 5.1).

Provers and verifiers run the very same steps; what is absorbed, and in which order, belongs to each proof.
"""

from __future__ import annotations

import hashlib
from functools import cache
from typing import TYPE_CHECKING

from protocol.crypto.group import Q
from protocol.crypto.hashing import H, label

if TYPE_CHECKING:
    from protocol.crypto.group import Scalar

_start = cache(lambda name: H("dz1/t", name.encode("ascii")))
_name = cache(label)


class Transcript:
    """A 64-byte state that everything said so far went into; `state` may seed nonces."""

    __slots__ = ("state",)

    def __init__(self, name: str) -> None:
        """Begin the transcript of one kind of proof."""
        self.state: bytes = _start(name)

    def absorb(self, name: str, data: bytes) -> None:
        """Put a named value in."""
        self.state = hashlib.sha512(
            b"".join((self.state, _name(name), len(data).to_bytes(4, "little"), data)),
        ).digest()

    def _step(self, name: str) -> None:
        self.state = hashlib.sha512(self.state + _name(name) + b"?").digest()

    def challenge(self, name: str) -> Scalar:
        """One challenge. It may be zero, with negligible probability: proofs must refuse that."""
        self._step(name)
        return int.from_bytes(hashlib.sha512(self.state + b"\x01").digest(), "little") % Q

    def vector(self, name: str, count: int) -> list[Scalar]:
        """Challenges number 1..count; single ones may be zero."""
        self._step(name)
        begun = hashlib.sha512(self.state + b"\x02")
        values = []
        for i in range(1, count + 1):
            state = begun.copy()
            state.update(i.to_bytes(2, "little"))
            values.append(int.from_bytes(state.digest(), "little") % Q)
        return values
