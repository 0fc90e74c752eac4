"""The prover of the shuffle proof G10 (spec 5.4, P1..P4); the verifier is `shuffle`.

Blinders come from a hash of fresh random bytes, the seat's seed and the statement. Those whose commitments do not
depend on the deck may be made in advance (`prepare`), which takes half of the work off the critical path; they
serve once, and only in memory. Blinders are secrets as long as the seed is: whoever sees d reads the permutation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from protocol.crypto.g10 import commit, commit_order, nonzero, statement
from protocol.crypto.group import Q, base, encode_scalar, msum, sub
from protocol.crypto.hashing import keyed, u8, u16
from protocol.errors import InternalError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from protocol.crypto.deck import Deck
    from protocol.crypto.group import Point, Scalar
    from protocol.crypto.transcript import Transcript

    Blind = Callable[[int, int], Scalar]  # b(L, j) of the spec


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class _Blinders:
    """The blinders of one proof, with the commitments to those that know no deck."""

    d: list[Scalar]
    d1: list[Scalar]  # d'
    D: list[Scalar]
    r_d: Scalar
    r1: Scalar  # r'
    r_D: Scalar  # noqa: N815  (the letter of the spec)
    cross: list[Scalar]  # D_k d'_(k+1)
    c_d: Point
    c1: Point  # c'
    c_D: Point  # noqa: N815  (the letter of the spec)


def _early(n: int, b: Blind) -> _Blinders:
    d = [b(1, j) for j in range(1, n + 1)]
    d1 = [b(5, j) for j in range(1, n + 1)]
    D = [d1[0], *(b(6, j) for j in range(2, n)), 0]
    r_d, r1, r_D = b(3, 0), b(7, 0), b(8, 0)
    cross = [D[k] * d1[k + 1] % Q for k in range(n - 1)]
    return _Blinders(
        d=d,
        d1=d1,
        D=D,
        r_d=r_d,
        r1=r1,
        r_D=r_D,
        cross=cross,
        c_d=commit(d, r_d),
        c1=commit(d1, r1),
        c_D=commit([-y for y in cross], r_D),
    )


class Prepared:
    """Blinders and commitments for one proof of n cards, made before its deck is known (`prepare`).

    Spent by the proof that takes it. Never store, copy or send one.
    """

    __slots__ = ("_blinders", "n")

    def __init__(self, n: int, blinders: _Blinders) -> None:
        self.n = n
        self._blinders: _Blinders | None = blinders

    def spend(self) -> _Blinders:
        """Hand the blinders out and forget them; InternalError the second time: a reused d shows pi."""
        blinders, self._blinders = self._blinders, None
        if blinders is None:
            raise InternalError("crypto/blinders", "prepared blinders serve one proof")
        return blinders

    def __reduce__(self) -> str:
        raise InternalError("crypto/blinders", "prepared blinders stay in memory")


def prepare(n: int, rnd32: bytes) -> Prepared:
    """Do the half of a proof of n cards that needs no deck; `rnd32` is fresh and serves nothing else."""
    draw = keyed("dz1/prepared", rnd32)
    return Prepared(n, _early(n, lambda L, j: int.from_bytes(draw(u8(L), u16(j)), "little") % Q))


def prove(
    rctx: bytes,
    seat: int,
    H: Point,
    deck_in: Deck,
    deck_out: Deck,
    perm: Sequence[int],
    r: Sequence[Scalar],
    s: bytes,
    rnd32: bytes,
    prepared: Prepared | None = None,
) -> bytes:
    """Proof that deck_out is deck_in in another order under other masks: perm and r are the witness.

    `rnd32` is fresh for every proof, `s` the seat's seed. ValueError for unequal lengths. Raises CryptoError
    `proof/challenge` when a challenge is zero (never, in practice): prove again with a new rnd32.
    """
    n = len(deck_in)
    if not n == len(deck_out) == len(perm) == len(r) or (prepared is not None and prepared.n != n):
        raise ValueError("decks, permutation, masks and prepared blinders have one length")
    t = statement(rctx, seat, H, deck_in, deck_out)
    draw = keyed("dz1/blind", rnd32, s, t.state)

    def b(L: int, j: int) -> Scalar:
        return int.from_bytes(draw(u8(L), u16(j)), "little") % Q

    early = _early(n, b) if prepared is None else prepared.spend()
    return _prove(t, H, deck_out, perm, r, early, (b(2, 0), b(4, 0), b(9, 0)))


def _prove(
    t: Transcript,
    H: Point,
    deck_out: Deck,
    perm: Sequence[int],
    r: Sequence[Scalar],
    b: _Blinders,
    late: tuple[Scalar, Scalar, Scalar],
) -> bytes:
    n = len(perm)
    r_c, R_d, r_a = late
    # P1
    E_A = sub(msum(zip(b.d, deck_out.A, strict=True)), base(R_d))
    E_B = msum([*zip(b.d, deck_out.B, strict=True), (-R_d, H)])
    first = commit_order(perm, r_c) + b.c_d + E_A + E_B
    t.absorb("1", first)
    ts = t.vector("t", n)
    # P2
    t_pi = [ts[p] for p in perm]
    f = [tk + dk for tk, dk in zip(t_pi, b.d, strict=True)]
    Z = R_d + sum(tk * rk for tk, rk in zip(t_pi, r, strict=True))
    second = b"".join(map(encode_scalar, (*f, Z)))
    t.absorb("2", second)
    lam, x = nonzero(t.challenge("lam")), nonzero(t.challenge("x"))
    m = [(lam * (p + 1) + tk - x) % Q for p, tk in zip(perm, t_pi, strict=True)]
    # P3
    a = m[0]
    v = []  # what c_a commits to
    for k in range(n - 1):
        v.append((b.D[k + 1] - m[k + 1] * b.D[k] - a * b.d1[k + 1]) % Q)
        a = a * m[k + 1] % Q
    third = b.c1 + b.c_D + commit(v, r_a)
    t.absorb("3", third)
    e = nonzero(t.challenge("e"))
    # P4
    F = [e * mk + d for mk, d in zip(m, b.d1, strict=True)]
    g = [e * vk - y for vk, y in zip(v, b.cross, strict=True)]
    z = e * (lam * r_c - b.r_d) + b.r1
    z_D = e * r_a + b.r_D
    return first + third + second + b"".join(map(encode_scalar, (*F, *g, z, z_D)))
