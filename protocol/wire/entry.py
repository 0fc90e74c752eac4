"""The signed entry: what one seat says in one step of the log (spec/30-wire.md 2, spec/20-crypto.md 5.7).

Framing and signature only; what a body means and whether it is true is decided in `protocol.session`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from protocol.crypto.hashing import H32, H
from protocol.crypto.identity import SigningKey, verify_signature
from protocol.errors import WireError

from .codec import decode, encode
from .limits import MAX_FRAME, MAX_SEATS, MAX_UINT

VERSION = 1


class Kind(IntEnum):
    """Kinds of entries; the numbers are on the wire."""

    SEAT = 1
    COMMIT = 2
    OPEN = 3
    SHUFFLE = 4
    READY = 5
    DEAL = 6
    EXCHANGE = 7
    DRAW = 8
    SHARES = 9
    PLAY = 10
    END = 11
    SHOW = 12
    AUDIT = 13
    VERDICT = 14
    VOID = 15
    EXPIRED = 32
    HELD = 33
    LEAVE = 34
    GOODBYE = 35


SIDE = frozenset({Kind.EXPIRED, Kind.HELD, Kind.GOODBYE})
"""Kinds that a seat may say beside its entry of a step (spec/30-wire.md 6)."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One signed entry. `raw` are the canonical bytes that heads and signatures cover; `frame` adds the signature."""

    step: int
    seat: int
    head: bytes
    kind: Kind
    body: list[Any]
    raw: bytes
    frame: bytes


def sign_entry(key: SigningKey, table: bytes, step: int, seat: int, head: bytes, kind: Kind, body: list[Any]) -> Entry:
    """Make and sign an entry. Raises WireError when the body cannot be sent."""
    raw = encode([VERSION, table, step, seat, head, int(kind), body])
    frame = encode([raw, key.sign(H("dz1/entry", raw))])
    return Entry(step, seat, head, kind, body, raw, frame)


def parse_entry(frame: bytes, table: bytes, keys: tuple[bytes, ...]) -> Entry:
    """Parse a frame and check everything about it that needs no state: form, size, version, table, seat, signature.

    `keys` are the Ed25519 keys of the seats. Raises WireError (`wire/..`, `entry/version`, `entry/table`, `entry/seat`,
    `entry/kind`, `entry/form`, `entry/signature`): such bytes are not an entry and name nobody.
    """
    outer = decode(frame, MAX_FRAME)
    if not (type(outer) is list and len(outer) == 2 and type(outer[0]) is bytes and type(outer[1]) is bytes):
        raise WireError("entry/form", "not a signed entry")
    raw, signature = outer
    value = decode(raw, MAX_FRAME)
    if not (type(value) is list and len(value) == 7):
        raise WireError("entry/form", "not seven fields")
    version, its_table, step, seat, head, kind, body = value
    if version != VERSION:
        raise WireError("entry/version", f"version {version!r}")
    if its_table != table:
        raise WireError("entry/table")
    if not (type(step) is int and step < MAX_UINT and type(head) is bytes and len(head) == 32 and type(body) is list):
        raise WireError("entry/form", "field types")
    if not (type(seat) is int and seat < min(len(keys), MAX_SEATS)):
        raise WireError("entry/seat", f"seat {seat!r}")
    if type(kind) is not int or kind not in Kind._value2member_map_:
        raise WireError("entry/kind", f"kind {kind!r}")
    if len(signature) != 64 or not verify_signature(keys[seat], H("dz1/entry", raw), signature):
        raise WireError("entry/signature")
    return Entry(step, seat, head, Kind(kind), body, raw, frame)


def genesis_head(genesis: bytes) -> bytes:
    """head_0 of the log that starts from these genesis bytes."""
    return H32("dz1/genesis", genesis)


def next_head(head: bytes, raws: list[bytes]) -> bytes:
    """head_{k+1} from head_k and the entries of step k in seat order, without their signatures."""
    return H32("dz1/step", head, *raws)
