"""The signed entry: framing, signature, and what is not an entry at all."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto.hashing import H
from protocol.errors import WireError
from protocol.wire.codec import decode, encode
from protocol.wire.entry import Kind, genesis_head, next_head, parse_entry, sign_entry
from tests.coupled import keys_for

TABLE = b"T" * 16
HEAD = b"h" * 32
SIGNERS = keys_for(3)
PUBLIC = tuple(k.public for k in SIGNERS)


def _frame(fields: list[Any], signer: int = 1) -> bytes:
    raw = encode(fields)
    return encode([raw, SIGNERS[signer].sign(H("dz1/entry", raw))])


def test_a_signed_entry_parses_to_itself() -> None:
    """What one seat signs, every seat reads."""
    entry = sign_entry(SIGNERS[1], TABLE, 7, 1, HEAD, Kind.READY, [b"a" * 32, b"b" * 32])

    assert entry == parse_entry(entry.frame, TABLE, PUBLIC)


@pytest.mark.must("C70")
def test_the_published_vector_of_entry_and_head() -> None:
    """Entry hash and step hash equal the vectors of spec/20-crypto.md section 9."""
    head = genesis_head(b"genesis")
    commit = bytes.fromhex("e8514fdd94f18f7c9e6585f79b16c55eb664b7a721429ed156ac5e73308ead46")
    raw = encode([1, TABLE, 1, 0, head, 2, [commit]])

    assert head.hex() == "d3c377da440f6b1e797702c79ecbaca030def16264f7ea7b5fae67a29b5a173d"
    assert H("dz1/entry", raw).hex().startswith("c3d1c0d5b86d9d79adf711bcafdbaad327473f28996892dfbd82b588b16bcfc4")
    assert next_head(head, [raw]).hex() == "31f0c8219515102e921aa116aa1b6dca76d8a4d9b31c6df6e9ed7b7d01cfb5e1"


@pytest.mark.must("E1", "C72")
@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ([2, TABLE, 7, 1, HEAD, 5, []], "entry/version"),
        ([1, b"t" * 16, 7, 1, HEAD, 5, []], "entry/table"),
        ([1, TABLE, 7, 3, HEAD, 5, []], "entry/seat"),
        ([1, TABLE, 7, 1, HEAD, 99, []], "entry/kind"),
        ([1, TABLE, 7, 1, HEAD[:31], 5, []], "entry/form"),
        ([1, TABLE, 7, 1, HEAD, 5, b""], "entry/form"),
        ([1, TABLE, b"7", 1, HEAD, 5, []], "entry/form"),
        ([1, TABLE, 7, 1, HEAD, 5], "entry/form"),
        ([1, TABLE, 7, 0, HEAD, 5, []], "entry/signature"),  # signed by seat 1, claims seat 0
    ],
)
def test_what_is_not_an_entry_of_this_table_is_refused(fields: list[Any], code: str) -> None:
    """Wrong version, table, seat, kind, form or signature: not an entry, and nobody is named."""
    with pytest.raises(WireError) as caught:
        parse_entry(_frame(fields), TABLE, PUBLIC)

    assert code == caught.value.code


@given(st.integers(0, 8 * 190 - 1))
def test_every_flipped_bit_is_refused(place: int) -> None:
    """No bit of a frame can be changed: framing, fields and signature are all covered."""
    frame = bytearray(sign_entry(SIGNERS[0], TABLE, 7, 0, HEAD, Kind.END, [b"r" * 32]).frame)
    place %= 8 * len(frame)
    frame[place // 8] ^= 1 << place % 8

    with pytest.raises(WireError):
        parse_entry(bytes(frame), TABLE, PUBLIC)


@pytest.mark.must("W4")
@given(st.binary(max_size=200))
def test_garbage_is_a_wire_error(data: bytes) -> None:
    """Arbitrary bytes never become an entry and never raise anything else."""
    with pytest.raises(WireError):
        parse_entry(data, TABLE, PUBLIC)


def test_an_entry_is_two_byte_strings() -> None:
    """The outer frame holds the entry's canonical bytes and its signature, nothing else."""
    entry = sign_entry(SIGNERS[0], TABLE, 0, 0, HEAD, Kind.END, [])

    assert [entry.raw, SIGNERS[0].sign(H("dz1/entry", entry.raw))] == decode(entry.frame, 1000)
