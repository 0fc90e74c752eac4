"""Canonical msgpack: one value, one byte string. The codec accepts only what it would itself have written.

Allowed values are unsigned integers below 2^32, byte strings, text and arrays of these; nothing else exists on the
wire: no maps, floats, booleans, nil, extensions (spec/30-wire.md 1).
"""

from __future__ import annotations

from typing import Any, TypeAlias

import msgpack

from protocol.errors import WireError

from .limits import MAX_ARRAY, MAX_DEPTH, MAX_UINT

Value: TypeAlias = int | bytes | str | list["Value"]


def encode(value: Any) -> bytes:
    """The canonical bytes of a value (lists and tuples are arrays). Raises WireError for what may not be sent."""
    _check(value, 0)
    packed: bytes = msgpack.packb(value, use_bin_type=True)
    return packed


def decode(data: bytes, max_bytes: int) -> Any:
    """The value of these bytes, arrays as lists.

    Raises WireError: `wire/size`, `wire/undecodable`, `wire/value` or `wire/non-canonical`. Never raises anything else
    and never allocates more than a small multiple of `len(data)`.
    """
    if len(data) > max_bytes:
        raise WireError("wire/size", f"{len(data)} bytes, at most {max_bytes}")
    try:
        value = msgpack.unpackb(
            data,
            raw=False,
            use_list=True,
            strict_map_key=True,
            max_array_len=MAX_ARRAY,
            max_map_len=0,
            max_ext_len=0,
            max_bin_len=len(data),
            max_str_len=len(data),
        )
    except (ValueError, TypeError, OverflowError, RecursionError, msgpack.UnpackException) as error:
        raise WireError("wire/undecodable", type(error).__name__) from None
    if encode(value) != data:
        raise WireError("wire/non-canonical")
    return value


def _check(value: Any, depth: int) -> None:
    """Refuse what must not be on the wire; raises WireError `wire/value` (bool is not an integer here)."""
    kind = type(value)
    if kind is int:
        if not 0 <= value <= MAX_UINT:
            raise WireError("wire/value", "integer out of range")
    elif kind is list or kind is tuple:
        if depth >= MAX_DEPTH or len(value) > MAX_ARRAY:
            raise WireError("wire/value", "array too deep or too long")
        for item in value:
            _check(item, depth + 1)
    elif kind is str:
        try:
            value.encode()
        except UnicodeEncodeError:
            raise WireError("wire/value", "text is not Unicode") from None
    elif kind is not bytes:
        raise WireError("wire/value", kind.__name__)
