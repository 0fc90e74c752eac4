"""Proof of possession of a key share, and proofs that decryption shares are right (spec 5.5, 5.6).

Both are Schnorr-type proofs `c | s` of 64 bytes. Provers take their 32 random bytes as an argument; the nonce is a
hash of these, the secret and the whole statement, so that a repeated random string repeats a proof, not a nonce.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from protocol.crypto.deck import card_point
from protocol.crypto.group import IDENTITY, base, decode_point, decode_scalar, encode_scalar, msum, mul, sub
from protocol.crypto.hashing import Hs, u8, u16
from protocol.crypto.transcript import Transcript
from protocol.errors import CryptoError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from protocol.crypto.group import Point, Scalar

PURPOSE_DEAL: Final = 1
PURPOSE_DRAW: Final = 2
PURPOSE_OPEN: Final = 3
PURPOSE_UPCARD: Final = 5
ALL: Final = 255
PROOF_BYTES: Final = 64


# ------------------------------------------------------------------ possession of a key share


def _key_transcript(ctx: bytes, seat: int, H_i: Point) -> Transcript:
    t = Transcript("dz1/pok")
    t.absorb("ctx", ctx)
    t.absorb("seat", u8(seat))
    t.absorb("key", H_i)
    return t


def prove_key(ctx: bytes, seat: int, x: Scalar, rnd32: bytes) -> bytes:
    """Proof that this seat knows x of its key share x G."""
    t = _key_transcript(ctx, seat, base(x))
    k = Hs("dz1/nonce", rnd32, encode_scalar(x), t.state)
    return _finish_key(t, x, k)


def _finish_key(t: Transcript, x: Scalar, k: Scalar) -> bytes:
    t.absorb("K", base(k))
    c = t.challenge("c")
    return encode_scalar(c) + encode_scalar(k + c * x)


def verify_key(ctx: bytes, seat: int, H_i: Point, proof: bytes) -> None:
    """Accept a received key share with its proof.

    Raises CryptoError `pok/length`, `pok/point`, `pok/scalar`, `pok/challenge` (c = 0), `pok/K` or `pok/pok`.
    """
    if len(proof) != PROOF_BYTES:
        raise CryptoError("pok/length")
    decode_point(H_i, "pok")
    c, s = _read_proof(proof, "pok")
    K = sub(base(s), mul(c, H_i))
    if K == IDENTITY:
        raise CryptoError("pok/K")
    t = _key_transcript(ctx, seat, H_i)
    t.absorb("K", K)
    if t.challenge("c") != c:
        raise CryptoError("pok/pok")


# ------------------------------------------------------------------ decryption shares


def _share_transcript(
    rctx: bytes,
    deck_hash: bytes,
    seat: int,
    purpose: int,
    to: int,
    slots: Sequence[tuple[int, int]],
    H_j: Point,
    As: Sequence[Point],
    Ds: Sequence[Point],
) -> tuple[Transcript, Point, Point]:
    """The transcript up to the shares, and the one pair (A, D) that stands for all of them."""
    t = Transcript("dz1/dleq")
    t.absorb("rctx", rctx)
    t.absorb("deck", deck_hash)
    t.absorb("seat", u8(seat))
    t.absorb("purpose", u8(purpose))
    t.absorb("to", u8(to))
    t.absorb("slots", b"".join(u8(epoch) + u16(index) for epoch, index in slots))
    t.absorb("key", H_j)
    t.absorb("A", b"".join(As))
    t.absorb("D", b"".join(Ds))
    if len(As) == 1:
        return t, As[0], Ds[0]
    w = t.vector("w", len(As))
    return t, msum(zip(w, As, strict=True)), msum(zip(w, Ds, strict=True))


def prove_shares(
    rctx: bytes,
    deck_hash: bytes,
    seat: int,
    purpose: int,
    to: int,
    slots: Sequence[tuple[int, int]],
    x: Scalar,
    As: Sequence[Point],
    rnd32: bytes,
    H_j: Point | None = None,
) -> tuple[tuple[Point, ...], bytes]:
    """The shares x A of these slots, and one proof for all of them.

    `slots` are (epoch, index) of one epoch, `As` their first halves in the agreed deck; `H_j` is x G, computed
    unless given. Whether a share may be given at all is the session's decision. ValueError for no slots, two
    epochs or unequal lengths.
    """
    if not slots or len(slots) != len(As) or len({epoch for epoch, _ in slots}) != 1:
        raise ValueError("shares are for one or more slots of one epoch")
    Ds = tuple(mul(x, A) for A in As)
    t, A, _ = _share_transcript(rctx, deck_hash, seat, purpose, to, slots, base(x) if H_j is None else H_j, As, Ds)
    k = Hs("dz1/nonce", rnd32, encode_scalar(x), t.state)
    return Ds, _finish_shares(t, x, k, A)


def _finish_shares(t: Transcript, x: Scalar, k: Scalar, A: Point) -> bytes:
    t.absorb("K", base(k) + mul(k, A))
    c = t.challenge("c")
    return encode_scalar(c) + encode_scalar(k + c * x)


def verify_shares(
    rctx: bytes,
    deck_hash: bytes,
    seat: int,
    purpose: int,
    to: int,
    slots: Sequence[tuple[int, int]],
    H_j: Point,
    As: Sequence[Point],
    Ds: Sequence[Point],
    proof: bytes,
) -> None:
    """Accept received shares `Ds` of seat `seat`, whose key share is `H_j`, for exactly this use.

    Raises CryptoError `dleq/length`, `dleq/point`, `dleq/scalar`, `dleq/challenge` (c = 0), `dleq/K` or `dleq/dleq`.
    """
    if not slots or len(slots) != len(As) or len(Ds) != len(As) or len(proof) != PROOF_BYTES:
        raise CryptoError("dleq/length")
    for D in Ds:
        decode_point(D, "dleq")
    c, s = _read_proof(proof, "dleq")
    t, A, D = _share_transcript(rctx, deck_hash, seat, purpose, to, slots, H_j, As, Ds)
    K1 = sub(base(s), mul(c, H_j))
    K2 = sub(mul(s, A), mul(c, D))
    if IDENTITY in (K1, K2):
        raise CryptoError("dleq/K")
    t.absorb("K", K1 + K2)
    if t.challenge("c") != c:
        raise CryptoError("dleq/dleq")


def verify_card(R_s: Point, D: Point, c: int, ids: Collection[int]) -> None:
    """Accept that a slot with residual R_s, opened by the owner's (proven) share D, is card c of a deck with `ids`.

    Raises CryptoError `card/card` when c is no id of that deck or the slot holds another card.
    """
    if c not in ids or sub(R_s, D) != card_point(c):
        raise CryptoError("card/card", f"the slot is not card {c}")


def _read_proof(proof: bytes, layer: str) -> tuple[Scalar, Scalar]:
    c = decode_scalar(proof[:32], layer)
    s = decode_scalar(proof[32:], layer)
    if c == 0:
        raise CryptoError(f"{layer}/challenge", "zero")
    return c, s
