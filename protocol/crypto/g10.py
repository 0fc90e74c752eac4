"""What the prover and the verifier of the shuffle proof G10 share: commitments, statement and layout (spec 5.4).

A proof is 7 points (c, c_d, E_A, E_B, c', c_D, c_a) and 3N + 2 scalars (f_1..f_N, Z, F_1..F_N, g_1..g_(N-1), z, z_D).
Lists count from 0 where the spec counts from 1, so its pi(k) is perm[k-1] + 1.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from protocol.crypto.deck import MAX_CARDS
from protocol.crypto.group import IDENTITY, add, base, msum
from protocol.crypto.hashing import Hp, u8, u16
from protocol.crypto.transcript import Transcript
from protocol.errors import CryptoError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from protocol.crypto.deck import Deck
    from protocol.crypto.group import Point, Scalar

POINTS: Final = 7


def proof_bytes(n: int) -> int:
    """Length of the proof for n cards."""
    return 32 * (3 * n + 9)


@cache
def generator(i: int) -> Point:
    """h_i, i = 1..256: commitment bases that nobody knows a relation of; ValueError outside."""
    if not 1 <= i <= MAX_CARDS:
        raise ValueError(f"no generator: {i}")
    return Hp("dz1/gen", u16(i))


@cache
def generators(n: int) -> tuple[Point, ...]:
    """h_1 .. h_n."""
    return tuple(generator(i) for i in range(1, n + 1))


def commit(values: Sequence[Scalar], z: Scalar) -> Point:
    """com(values; z)."""
    return add(base(z), msum(zip(values, generators(len(values)), strict=True)))


def commit_order(perm: Sequence[int], z: Scalar) -> Point:
    """com(pi(1..N); z) by suffix sums: 2N additions instead of N multiplications by small numbers."""
    h = generators(len(perm))
    positions: list[list[int]] = [[] for _ in perm]
    for k, p in enumerate(perm):
        positions[p].append(k)
    suffix = total = IDENTITY
    for ks in reversed(positions):
        for k in ks:
            suffix = add(suffix, h[k])
        total = add(total, suffix)
    return add(base(z), total)


def statement(rctx: bytes, seat: int, H: Point, deck_in: Deck, deck_out: Deck) -> Transcript:
    """The transcript of a proof up to its first message."""
    t = Transcript("dz1/shuf")
    t.absorb("rctx", rctx)
    t.absorb("seat", u8(seat))
    t.absorb("N", u16(len(deck_in)))
    t.absorb("H", H)
    t.absorb("in", deck_in.encode())
    t.absorb("out", deck_out.encode())
    return t


def nonzero(challenge: Scalar) -> Scalar:
    """The challenge; raises CryptoError `proof/challenge` when it is zero."""
    if challenge == 0:
        raise CryptoError("proof/challenge", "zero")
    return challenge
