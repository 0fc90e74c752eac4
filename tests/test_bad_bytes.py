"""Bytes that others make: every decoder gives a value or a typed error, whatever they are, in bounded memory and time.

The targets are those of the coverage-guided fuzzer (tests/soak/fuzz.py), which looks longer.
"""

from __future__ import annotations

import random
import tracemalloc
from typing import Any

import msgpack
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from protocol.crypto.group import Q
from protocol.wire.codec import encode
from protocol.wire.entry import Kind
from tests.soak.targets import TARGETS, moment

MANY = 2**32 - 1
NO_POINT = bytes.fromhex("01" + 31 * "00")
"""Odd, so no canonical ristretto encoding."""
NO_SCALAR = Q.to_bytes(32, "little")
"""The least value that is out of range."""

VALUES = st.recursive(
    st.integers(0, MANY) | st.sampled_from([0, 1, 255, 2**16, MANY]) | st.binary(max_size=70) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=5),
    max_leaves=12,
)


def nested(depth: int) -> bytes:
    """An array in an array in an array."""
    return b"\x91" * depth + b"\x90"


BOMBS = [
    b"\xdd\xff\xff\xff\xff",  # an array of 2^32 - 1
    b"\xc6\xff\xff\xff\xff",  # as many bytes
    b"\xdb\xff\xff\xff\xff",  # as long a text
    b"\xdf\xff\xff\xff\xff",  # as large a map
    b"\xc9\xff\xff\xff\xff\x01",  # an extension
    b"\xcf" + b"\xff" * 8,  # an integer over 2^32
    b"\xd3" + b"\xff" * 8,  # a negative one
    nested(40),
    nested(3_000),
    b"\xdc\x04\x00" * 3,  # a thousand arrays of a thousand arrays
]


@pytest.mark.parametrize("name", TARGETS)
def test_every_decoder_survives_any_bytes(name: str) -> None:
    """Random bytes, random values, and good examples with some bytes changed bring nothing but typed errors."""
    target = TARGETS[name]
    seeds = target.seeds()

    @settings(max_examples=15 if target.slow else 60, deadline=None, suppress_health_check=[*HealthCheck])
    @given(st.binary(max_size=200) | VALUES.map(encode) | st.sampled_from(seeds), st.randoms(use_true_random=False))
    @example(b"", random.Random(0))
    def tried(data: bytes, chance: random.Random) -> None:
        changed = bytearray(data)
        for _ in range(chance.randrange(4)):
            if changed:
                changed[chance.randrange(len(changed))] = chance.randrange(256)
        target.take(data)
        target.take(bytes(changed))

    tried()


@pytest.mark.parametrize("name", TARGETS)
def test_no_few_bytes_take_much_memory(name: str) -> None:
    """Counts that promise more than there is, deep nesting and huge integers cost no more than their bytes."""
    target = TARGETS[name]
    for data in target.seeds():
        target.take(data)  # what is computed once
    tracemalloc.start()
    try:
        for data in BOMBS:
            target.take(data)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < 8 * 1024 * 1024


def poisoned(value: Any, poison: bytes) -> list[Any]:
    """Every way to put the poison into the first 32 bytes, or the last, of one of the byte strings in a value."""
    if type(value) is bytes and len(value) >= 32:
        return [poison + value[32:], value[:-32] + poison]
    if type(value) is list:
        return [[*value[:k], bad, *value[k + 1 :]] for k, item in enumerate(value) for bad in poisoned(item, poison)]
    return []


@pytest.mark.parametrize("kind", [Kind.OPEN, Kind.SHUFFLE, Kind.DEAL, Kind.EXCHANGE, Kind.SHARES, Kind.PLAY, Kind.SHOW])
def test_points_and_scalars_out_of_range_are_refused(kind: Kind) -> None:
    """No body of any kind is taken with 32 bytes that are no point, or no scalar, in place of some of its own."""
    take = TARGETS[f"body-{kind.name.lower()}"].take
    body = moment(kind)[1].body
    for poison in (NO_POINT, NO_SCALAR, b"\xff" * 32):
        for bad in poisoned(body, poison)[:24]:
            verdict = take(msgpack.packb(bad))

            assert isinstance(verdict, str), verdict
            assert "/" in verdict or "_" in verdict
