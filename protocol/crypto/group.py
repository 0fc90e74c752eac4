"""The group of dz1, ristretto255, as plain values: a point is its canonical 32 bytes, a scalar an int modulo Q.

Two gates, `decode_point` and `decode_scalar`, are the only way for received bytes into the group; everything else
here takes values that passed them or were computed. Computed points may be the identity, which libsodium refuses
to produce: the wrapping for that lives here and nowhere else (spec 5.1, RFC 9496).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from protocol.crypto.sodium import LIBRARY, POINT_BYTES, SCALAR_BYTES, InvalidPointError
from protocol.errors import CryptoError, InternalError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Point: TypeAlias = bytes
Scalar: TypeAlias = int

Q: Final = 2**252 + 27742317777372353535851937790883648493
IDENTITY: Final[Point] = bytes(POINT_BYTES)

_mul = LIBRARY.scalarmult
_base = LIBRARY.scalarmult_base
_valid = LIBRARY.is_valid_point

G: Final[Point] = _base((1).to_bytes(SCALAR_BYTES, "little"))


# ------------------------------------------------------------------ the two gates


def decode_point(data: bytes, layer: str = "group") -> Point:
    """The point that received bytes encode: canonical and not the identity.

    Raises CryptoError `<layer>/length` for another length than 32, `<layer>/point` for anything else.
    """
    if len(data) != POINT_BYTES:
        raise CryptoError(f"{layer}/length", f"a point of {len(data)} bytes")
    # libsodium ignores bit 255 and takes the identity
    if data[31] & 0x80 or data == IDENTITY or not _valid(data):
        raise CryptoError(f"{layer}/point", "no canonical encoding, or the identity")
    return data


def decode_scalar(data: bytes, layer: str = "group") -> Scalar:
    """The scalar that received bytes encode; zero is one.

    Raises CryptoError `<layer>/length` for another length than 32, `<layer>/scalar` for an integer >= Q.
    """
    if len(data) != SCALAR_BYTES:
        raise CryptoError(f"{layer}/length", f"a scalar of {len(data)} bytes")
    value = int.from_bytes(data, "little")
    if value >= Q:
        raise CryptoError(f"{layer}/scalar", "not reduced")
    return value


def encode_scalar(scalar: Scalar) -> bytes:
    """The 32 bytes, little-endian, of a scalar modulo Q."""
    return (scalar % Q).to_bytes(SCALAR_BYTES, "little")


# ------------------------------------------------------------------ computing; identities are legal here


def mul(scalar: Scalar, point: Point) -> Point:
    """Scalar times point. Raises InternalError when the bytes never passed the gate and are no point."""
    reduced = scalar % Q
    if not reduced or point == IDENTITY:
        return IDENTITY
    try:
        return _mul(reduced.to_bytes(SCALAR_BYTES, "little"), point)
    except InvalidPointError:
        raise _unchecked() from None


def base(scalar: Scalar) -> Point:
    """Scalar times the generator G."""
    reduced = scalar % Q
    return _base(reduced.to_bytes(SCALAR_BYTES, "little")) if reduced else IDENTITY


def add(left: Point, right: Point) -> Point:
    """Sum of two points. Raises InternalError when one never passed the gate and is no point."""
    try:
        return LIBRARY.add(left, right)
    except InvalidPointError:
        raise _unchecked() from None


def sub(left: Point, right: Point) -> Point:
    """Difference of two points. Raises InternalError when one never passed the gate and is no point."""
    try:
        return LIBRARY.sub(left, right)
    except InvalidPointError:
        raise _unchecked() from None


def neg(point: Point) -> Point:
    """The inverse of a point."""
    return sub(IDENTITY, point)


def psum(points: Sequence[Point]) -> Point:
    """Sum of points; the identity for none."""
    try:
        return LIBRARY.point_sum(points) or IDENTITY
    except InvalidPointError:
        raise _unchecked() from None


def msum(pairs: Iterable[tuple[Scalar, Point]]) -> Point:
    """Sum of scalar times point over (scalar, point) pairs; the identity for none.

    Terms that are zero are dropped without cost; equal points are not looked for. Put multiples of G into `base`,
    which is three times as fast.
    """
    terms = (
        (reduced.to_bytes(SCALAR_BYTES, "little"), point)
        for scalar, point in pairs
        if (reduced := scalar % Q) and point != IDENTITY
    )
    try:
        return LIBRARY.linear_combination(terms) or IDENTITY
    except InvalidPointError:
        raise _unchecked() from None


def from_digest(digest: bytes) -> Point:
    """The point of 64 uniform bytes (RFC 9496 one-way map); nobody knows its logarithm."""
    return LIBRARY.from_hash(digest)


def _unchecked() -> InternalError:
    return InternalError("crypto/unchecked", "bytes that never passed decode_point were used as a point")
