"""A masked deck and what is done to it without proofs: start deck, derived shuffle, cards, residuals (spec 5.3, 5.6).

A deck knows positions and points, never faces: which card of the game an id stands for is the rules' business.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from protocol.crypto.context import deckhash
from protocol.crypto.group import G, Q, add, base, decode_point, mul, sub
from protocol.crypto.hashing import Hp, keyed, u8, u16
from protocol.errors import CryptoError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from protocol.crypto.group import Point, Scalar

MIN_CARDS: Final = 2
MAX_CARDS: Final = 256
CARD_BYTES: Final = 64


@dataclass(frozen=True, slots=True)
class Start:
    """That a deck is a start deck: card k is (G, M_ids[k] + H). Lets a verifier fold its points together."""

    ids: tuple[int, ...]
    H: Point


@dataclass(frozen=True, slots=True)
class Deck:
    """N masked cards: card k is the ElGamal pair (A[k], B[k]).

    `decode_deck` is the gate for received ones. `start` is known only to who computed a start deck and takes no
    part in equality.
    """

    A: tuple[Point, ...]
    B: tuple[Point, ...]
    start: Start | None = field(default=None, compare=False)

    def __len__(self) -> int:
        return len(self.A)

    def encode(self) -> bytes:
        """A_0 | B_0 | A_1 | B_1 | ..: 64 bytes a card."""
        return b"".join([point for pair in zip(self.A, self.B, strict=True) for point in pair])


def decode_deck(data: bytes, n: int) -> Deck:
    """The deck of n cards that received bytes encode.

    Raises CryptoError `deck/length`, then `deck/point` (an encoding that is not canonical, or the identity).
    """
    if len(data) != CARD_BYTES * n:
        raise CryptoError("deck/length", f"{len(data)} bytes for {n} cards")
    points = [decode_point(data[at : at + 32], "deck") for at in range(0, len(data), 32)]
    return Deck(tuple(points[0::2]), tuple(points[1::2]))


# ------------------------------------------------------------------ cards


@cache
def card_point(c: int) -> Point:
    """M_c, the point of card id c; ValueError outside 0..255."""
    if not 0 <= c < MAX_CARDS:
        raise ValueError(f"no card id: {c}")
    return Hp("dz1/card", u16(c))


def find_card(point: Point, ids: Collection[int]) -> int | None:
    """The id among `ids` whose point this is, or None: a share or a key was wrong, or the card is of another deck."""
    found = _cards().get(point)
    return found if found is not None and found in ids else None


@cache
def _cards() -> dict[Point, int]:
    return {card_point(c): c for c in range(MAX_CARDS)}


def residual(B: Point, shares: Iterable[Point]) -> Point:
    """B minus all these shares: with everybody's but the owner's it is R_s, with everybody's it is the card."""
    for share in shares:
        B = sub(B, share)
    return B


# ------------------------------------------------------------------ start deck and derived shuffle


def start_deck(ids: Sequence[int], H: Point) -> Deck:
    """The deck everybody computes at the beginning of an epoch: the ids ascending, card k is (G, M_c + H).

    ValueError unless 2..256 ids ascend strictly.
    """
    if not MIN_CARDS <= len(ids) <= MAX_CARDS or any(a >= b for a, b in pairwise(ids)):
        raise ValueError("a start deck has 2..256 ids, ascending")
    start = Start(tuple(ids), H)
    return Deck((G,) * len(ids), tuple(add(card_point(c), H) for c in ids), start)


def permutation(s: bytes, R: bytes, epoch: int, din: bytes, n: int) -> list[int]:
    """The order a seed gives for one input deck: output position k takes input position arr[k]."""
    draw = keyed("dz1/perm", s, R, u8(epoch), din)
    arr = list(range(n))
    for j in range(n - 1, 0, -1):
        w = int.from_bytes(draw(u16(j)), "little") % (j + 1)
        arr[j], arr[w] = arr[w], arr[j]
    return arr


def masks(s: bytes, R: bytes, epoch: int, din: bytes, n: int) -> list[Scalar]:
    """The masks r_0..r_{n-1} of a seed for one input deck. Never precompute them for another (spec 2.4)."""
    draw = keyed("dz1/mask", s, R, u8(epoch), din)
    return [int.from_bytes(draw(u16(k)), "little") % Q for k in range(n)]


def remask(deck: Deck, H: Point, perm: Sequence[int], r: Sequence[Scalar]) -> Deck:
    """The deck whose card k is card perm[k] with the mask r[k] added."""
    A = tuple(add(deck.A[p], base(x)) for p, x in zip(perm, r, strict=True))
    B = tuple(add(deck.B[p], mul(x, H)) for p, x in zip(perm, r, strict=True))
    return Deck(A, B)


def shuffle(deck: Deck, H: Point, s: bytes, R: bytes, epoch: int, rctx: bytes) -> tuple[Deck, list[int], list[Scalar]]:
    """The shuffle that seed s commits to for this input deck: output deck, permutation, masks.

    A seat emits at most one output per rctx (spec 5.3): keeping that is the session's duty.
    """
    din = deckhash(rctx, deck)
    perm = permutation(s, R, epoch, din, len(deck))
    r = masks(s, R, epoch, din, len(deck))
    return remask(deck, H, perm, r), perm, r
