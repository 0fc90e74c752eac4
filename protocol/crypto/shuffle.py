"""The shuffle proof G10, Groth's one-row argument over a masked deck: its check, singly and merged (spec 5.4).

Here live the check of one proof and the check of a whole chain in one sum; the prover is `prover`, offered here
too. How a shuffle is derived from a seed is `deck`'s; who may shuffle when, and what a failure costs, is the
session's. Letters are the spec's.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from protocol.crypto.deck import Deck, card_point, start_deck
from protocol.crypto.g10 import POINTS, generators, nonzero, proof_bytes, statement
from protocol.crypto.group import Point, Q, Scalar, base, decode_point, decode_scalar, msum
from protocol.crypto.hashing import keyed, u8
from protocol.crypto.prover import Prepared, prepare, prove
from protocol.errors import CryptoError

Link: TypeAlias = tuple[int, Deck, bytes]
"""Seat, output deck, proof."""
Own: TypeAlias = tuple[Sequence[int], Sequence[Scalar]]
"""Permutation and masks of a shuffle of our own."""
Weights: TypeAlias = tuple[int, int, int, int]
"""Of V1..V4 of one proof."""

__all__ = ["ChainError", "Own", "Prepared", "prepare", "proof_bytes", "prove", "verify", "verify_chain"]

_SEED_BYTES: Final = 32


class ChainError(CryptoError):
    """A link of a chain whose proof fails by itself: its `seat`, its position `link`, and the later ones that fail."""

    def __init__(self, code: str, detail: str, seat: int, link: int) -> None:
        super().__init__(code, detail)
        self.seat = seat
        self.link = link
        self.later: tuple[ChainError, ...] = ()

    @property
    def all(self) -> tuple[ChainError, ...]:
        """This one and the later ones, by position."""
        return (self, *self.later)


# ------------------------------------------------------------------ reading a proof


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class _Opened:
    """A proof that is well-formed and passed V0, with its challenges."""

    c: Point
    c_d: Point
    E_A: Point
    E_B: Point
    c1: Point  # c'
    c_D: Point  # noqa: N815  (the letter of the spec)
    c_a: Point
    f: list[Scalar]
    Z: Scalar
    F: list[Scalar]
    g: list[Scalar]
    z: Scalar
    z_D: Scalar  # noqa: N815  (the letter of the spec)
    t: list[Scalar]
    lam: Scalar
    x: Scalar
    e: Scalar


def _open(rctx: bytes, seat: int, H: Point, deck_in: Deck, deck_out: Deck, proof: bytes) -> _Opened:
    """All checks up to V0, in the order of the spec; what remains are the sums V1..V4."""
    n = len(deck_in)
    if len(deck_out) != n or len(proof) != proof_bytes(n):
        raise CryptoError("proof/length", f"{len(deck_out)} cards and {len(proof)} bytes for {n} cards")
    words = [proof[at : at + 32] for at in range(0, len(proof), 32)]
    points = [decode_point(word, "proof") for word in words[:POINTS]]
    scalars = [decode_scalar(word, "proof") for word in words[POINTS:]]
    c, c_d, E_A, E_B, c1, c_D, c_a = points
    f, Z = scalars[:n], scalars[n]
    F, g = scalars[n + 1 : 2 * n + 1], scalars[2 * n + 1 : 3 * n]
    z, z_D = scalars[3 * n :]

    transcript = statement(rctx, seat, H, deck_in, deck_out)
    transcript.absorb("1", proof[: 4 * 32])
    t = transcript.vector("t", n)
    transcript.absorb("2", proof[POINTS * 32 : (POINTS + n + 1) * 32])
    lam, x = nonzero(transcript.challenge("lam")), nonzero(transcript.challenge("x"))
    transcript.absorb("3", proof[4 * 32 : POINTS * 32])
    e = nonzero(transcript.challenge("e"))

    # V0, multiplied out so that it needs no inverse: left = e^k Q_(k+1)
    left, power, right = F[0], 1, (lam + t[0] - x) % Q
    for k in range(1, n):
        left = (left * F[k] + power * g[k - 1]) % Q
        power = power * e % Q
        right = right * (lam * (k + 1) + t[k] - x) % Q
    if left != power * e * right % Q:
        raise CryptoError("proof/V0")
    return _Opened(c, c_d, E_A, E_B, c1, c_D, c_a, f, Z, F, g, z, z_D, t, lam, x, e)


class _Tally:
    """Coefficients of one sum of points that must be the identity: V1..V4 of proofs over a row of decks.

    Deck 0 is the first input, deck i + 1 the output of link i. Coefficients of one point add up here, before
    anything is multiplied.
    """

    __slots__ = ("A", "B", "G", "H", "decks", "h", "key", "others")

    def __init__(self, H: Point, decks: Sequence[Deck]) -> None:
        n = len(decks[0])
        self.key = H
        self.decks = decks
        self.G: Scalar = 0
        self.H: Scalar = 0
        self.h: list[Scalar] = [0] * n
        self.A: list[list[Scalar]] = [[0] * n for _ in decks]
        self.B: list[list[Scalar]] = [[0] * n for _ in decks]
        self.others: list[tuple[Scalar, Point]] = []

    def put(self, link: int, o: _Opened, w: Weights) -> None:
        """Add w1 V1 + w2 V2 + w3 V3 + w4 V4 of the proof of a link (spec 5.4, merged form)."""
        w1, w2, w3, w4 = w
        w1e, w2e = w1 * o.e % Q, w2 * o.e % Q
        x, h = o.x, self.h
        for i, (f, F) in enumerate(zip(o.f, o.F, strict=True)):
            h[i] += w1e * (f - x) - w1 * F
        for i, g in enumerate(o.g):
            h[i] -= w2 * g
        for row, weight in ((self.A, w3), (self.B, w4)):
            row_in, row_out = row[link], row[link + 1]
            for k, (f, t) in enumerate(zip(o.f, o.t, strict=True)):
                row_out[k] += weight * f
                row_in[k] -= weight * t
        self.G -= w1 * o.z + w2 * o.z_D + w3 * o.Z
        self.H -= w4 * o.Z
        self.others += [
            (w1e * o.lam, o.c),
            (-w1e, o.c_d),
            (w1, o.c1),
            (w2e, o.c_a),
            (w2, o.c_D),
            (-w3, o.E_A),
            (-w4, o.E_B),
        ]

    def fold(self, link: int, perm: Sequence[int], r: Sequence[Scalar]) -> None:
        """Express the output of an own link by its input: A'_k = A_perm(k) + r_k G, B'_k = B_perm(k) + r_k H."""
        A_in, A_out, B_in, B_out = self.A[link], self.A[link + 1], self.B[link], self.B[link + 1]
        for k, (p, rk) in enumerate(zip(perm, r, strict=True)):
            A_in[p] += A_out[k]
            B_in[p] += B_out[k]
            self.G += rk * A_out[k]
            self.H += rk * B_out[k]
        self.A[link + 1] = self.B[link + 1] = []

    def is_identity(self) -> bool:
        """Whether the sum is the identity."""
        terms = list(self.others)
        terms += zip(self.h, generators(len(self.h)), strict=True)
        G, H = self.G, self.H
        for deck, A, B in zip(self.decks, self.A, self.B, strict=True):
            if deck.start is not None and self.key == deck.start.H:
                # every card is (G, M_c + H)
                G += sum(A)
                H += sum(B)
                terms += zip(B, map(card_point, deck.start.ids), strict=False)
            else:  # the lists of folded decks are empty
                terms += zip(A, deck.A, strict=False)
                terms += zip(B, deck.B, strict=False)
        terms.append((H, self.key))
        return msum(terms) == base(-G)


# ------------------------------------------------------------------ verifier


def verify(rctx: bytes, seat: int, H: Point, deck_in: Deck, deck_out: Deck, proof: bytes) -> None:
    """Accept one proof by itself: its verdict is the one that counts.

    The decks passed `decode_deck` or were computed. Raises CryptoError with the first failing check: `proof/length`,
    `proof/point`, `proof/scalar`, `proof/challenge`, `proof/V0` .. `proof/V4`.
    """
    opened = _open(rctx, seat, H, deck_in, deck_out, proof)
    for code, weights in (
        ("proof/V1", (1, 0, 0, 0)),
        ("proof/V2", (0, 1, 0, 0)),
        ("proof/V3", (0, 0, 1, 0)),
        ("proof/V4", (0, 0, 0, 1)),
    ):
        tally = _Tally(H, (deck_in, deck_out))
        tally.put(0, opened, weights)
        if not tally.is_identity():
            raise CryptoError(code)


def verify_chain(
    rctx: bytes,
    H: Point,
    start: Deck | Sequence[int],
    links: Sequence[Link],
    weights: Callable[[int], bytes],
    skip: Collection[int] = (),
    own: Mapping[int, Own] | None = None,
) -> None:
    """Accept a chain of shuffles: `links` are (seat, output deck, proof), each starting from the output before.

    `start` is the first input deck, or its ids. All proofs are checked in one weighted sum; only when it fails
    is each checked singly, and those verdicts decide. `weights(n)` gives n bytes, uniform, fresh and unknown to
    others. Positions in `skip` are own links, not checked; for those in `own`, with (permutation, masks) of the
    shuffle, the points of its output deck need no multiplication either.

    Raises ChainError, with the code of `verify` and the seat, for the first link that fails by itself; it holds those
    for all others that do.
    """
    own = own or {}
    first = start if isinstance(start, Deck) else start_deck(start, H)
    decks = [first, *(deck for _, deck, _ in links)]
    checked = [i for i in range(len(links)) if i not in skip and i not in own]
    if not checked or _merged(rctx, H, decks, links, checked, weights, own):
        return
    false: list[ChainError] = []
    for i in checked:
        seat, deck, proof = links[i]
        try:
            verify(rctx, seat, H, decks[i], deck, proof)
        except CryptoError as error:
            false.append(ChainError(error.code, error.detail, seat, i))
    if false:
        false[0].later = tuple(false[1:])
        raise false[0]


def _merged(
    rctx: bytes,
    H: Point,
    decks: Sequence[Deck],
    links: Sequence[Link],
    checked: Sequence[int],
    weights: Callable[[int], bytes],
    own: Mapping[int, Own],
) -> bool:
    if any(len(deck) != len(decks[0]) for deck in decks):
        return False
    tally = _Tally(H, decks)
    weigh = _weights(weights(_SEED_BYTES), rctx, decks, links)
    try:
        for i in checked:
            seat, deck, proof = links[i]
            tally.put(i, _open(rctx, seat, H, decks[i], deck, proof), weigh(i))
    except CryptoError:
        return False
    for i in sorted(own, reverse=True):
        tally.fold(i, *own[i])
    return tally.is_identity()


def _weights(seed: bytes, rctx: bytes, decks: Sequence[Deck], links: Sequence[Link]) -> Callable[[int], Weights]:
    """Four weights in 1..2^128-1 for each link (a zero one would switch its check off).

    The random seed alone would do. Hashing everything that is checked with it keeps the sum sound even when a
    node's entropy is poor or reproducible: whoever made the proofs could not know the weights then either.
    """
    draw = keyed("dz1/batch", seed, rctx, *(deck.encode() for deck in decks), *(proof for _, _, proof in links))

    def weigh(link: int) -> Weights:
        data = draw(u8(link))
        w1, w2, w3, w4 = (1 + int.from_bytes(data[at : at + 16], "little") % (2**128 - 1) for at in range(0, 64, 16))
        return w1, w2, w3, w4

    return weigh
