"""Canonical bytes: what the codec writes it reads, and it reads nothing else."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import WireError
from protocol.wire.codec import decode, encode
from protocol.wire.limits import MAX_ARRAY, MAX_DEPTH, MAX_UINT

values = st.recursive(
    st.integers(0, MAX_UINT) | st.binary(max_size=80) | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=6),
    max_leaves=20,
).filter(lambda value: _depth(value) <= MAX_DEPTH)


def _depth(value: Any) -> int:
    return 1 + max(map(_depth, value), default=0) if isinstance(value, list) else 0


@given(values)
def test_what_is_encoded_decodes_to_the_same(value: Any) -> None:
    """Decoding gives back the encoded value."""
    assert value == decode(encode(value), 1_000_000)


@pytest.mark.must("W1", "C8")
@given(st.binary(max_size=300))
def test_any_bytes_give_a_value_or_a_wire_error(data: bytes) -> None:
    """Arbitrary bytes are either the canonical form of their value or refused with a typed error."""
    try:
        value = decode(data, 1_000)
    except WireError:
        return

    assert data == encode(value)


@pytest.mark.must("W1")
@given(values, st.data())
def test_a_flipped_bit_never_decodes_to_the_same_value(value: Any, data: st.DataObject) -> None:
    """Two byte strings never mean one value."""
    raw = bytearray(encode(value))
    place = data.draw(st.integers(0, 8 * len(raw) - 1))
    raw[place // 8] ^= 1 << place % 8
    try:
        other = decode(bytes(raw), 1_000_000)
    except WireError:
        return

    assert value != other


@pytest.mark.must("W1", "W2", "W3", "W4")
@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\xcc\x05", "wire/non-canonical"),  # 5 in two bytes
        (b"\xdc\x00\x01\x05", "wire/non-canonical"),  # a short array in the long form
        (b"\xc4\x01a" + b"x", "wire/undecodable"),  # trailing byte
        (msgpack.packb(1.5), "wire/value"),
        (msgpack.packb(None), "wire/value"),
        (msgpack.packb(True), "wire/value"),
        (msgpack.packb(-1), "wire/value"),
        (msgpack.packb(2**32), "wire/value"),
        (msgpack.packb({}), "wire/value"),
        (msgpack.packb({1: 2}), "wire/undecodable"),
        (b"\xc7\x01\x05a", "wire/undecodable"),  # an extension
        (b"\xdd\xff\xff\xff\xff", "wire/undecodable"),  # four billion elements
        (b"\xa2\xff\xfe", "wire/undecodable"),  # not UTF-8
        (b"\x91" * (MAX_DEPTH + 1) + b"\x90", "wire/value"),  # too deep
        (b"\x91" * 5000, "wire/undecodable"),  # deep and cut
        (b"", "wire/undecodable"),
        (b"a" * 1001, "wire/size"),
    ],
)
def test_what_is_not_canonical_is_refused(data: bytes, code: str) -> None:
    """Every non-canonical, foreign, oversize or unbounded form has its code."""
    with pytest.raises(WireError) as caught:
        decode(data, 1_000 if code == "wire/size" else 100_000)

    assert code == caught.value.code


@pytest.mark.parametrize("value", [1.0, None, True, -1, 2**32, {"a": 1}, [0] * (MAX_ARRAY + 1), "\ud800", object()])
def test_what_may_not_be_sent_is_not_encoded(value: Any) -> None:
    """The encoder refuses the same values as the decoder."""
    with pytest.raises(WireError):
        encode(value)
