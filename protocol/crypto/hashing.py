"""Labelled hashing: every hash of dz1 is SHA-512 over an injective encoding of a tag and its parts (spec 5.1).

Nothing here knows what is hashed. Lengths are part of the preimage, so no two different lists of parts collide.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

from protocol.crypto.group import Q, from_digest

if TYPE_CHECKING:
    from collections.abc import Callable

    from protocol.crypto.group import Point, Scalar

_LONGEST_NAME: Final = 255


def u8(value: int) -> bytes:
    """One byte; OverflowError outside 0..255."""
    return value.to_bytes(1, "little")


def u16(value: int) -> bytes:
    """Two bytes, little-endian; OverflowError outside 0..65535."""
    return value.to_bytes(2, "little")


def u32(value: int) -> bytes:
    """Four bytes, little-endian; OverflowError outside 0..2^32-1."""
    return value.to_bytes(4, "little")


def label(text: str) -> bytes:
    """A tag or name with its length in front: ASCII, 1..255 characters, else ValueError."""
    data = text.encode("ascii")
    if not 1 <= len(data) <= _LONGEST_NAME:
        raise ValueError("a tag has 1..255 characters")
    return bytes((len(data),)) + data


def H(tag: str, *parts: bytes) -> bytes:
    """64 bytes: SHA-512( u8 len(tag) | tag | u32 len(p_1) | p_1 | .. )."""
    pieces = [label(tag)]
    for part in parts:
        pieces.append(len(part).to_bytes(4, "little"))
        pieces.append(part)
    return hashlib.sha512(b"".join(pieces)).digest()


def H32(tag: str, *parts: bytes) -> bytes:
    """The first 32 bytes of H."""
    return H(tag, *parts)[:32]


def Hs(tag: str, *parts: bytes) -> Scalar:
    """H as an integer, little-endian, modulo Q."""
    return int.from_bytes(H(tag, *parts), "little") % Q


def Hp(tag: str, *parts: bytes) -> Point:
    """H mapped to a point whose logarithm nobody knows."""
    return from_digest(H(tag, *parts))


def keyed(tag: str, *parts: bytes) -> Callable[..., bytes]:
    """The function of further parts that equals H(tag, *parts, *further), with the common beginning hashed once."""
    begun = hashlib.sha512(label(tag))
    for part in parts:
        begun.update(len(part).to_bytes(4, "little") + part)

    def finish(*further: bytes) -> bytes:
        state = begun.copy()
        for part in further:
            state.update(len(part).to_bytes(4, "little") + part)
        return state.digest()

    return finish
