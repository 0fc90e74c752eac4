"""Frames: every message survives the way, and no bytes from anybody do harm."""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from node.chunks import (
    CHUNK,
    MAX_AGE,
    MAX_CHUNKS,
    MAX_LINK_FRAME,
    MAX_UNFINISHED_BYTES,
    Reassembler,
    split,
)
from node.transport import MAX_MESSAGE
from protocol.errors import WireError


def fill(size: int, salt: int) -> bytes:
    """`size` bytes that differ by `salt`."""
    block = salt.to_bytes(4, "big") + bytes(range(251))
    return (block * (size // len(block) + 1))[:size]


sizes = st.one_of(
    st.integers(0, 3 * CHUNK),
    st.sampled_from([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, MAX_MESSAGE - 1, MAX_MESSAGE]),
)


@pytest.mark.must("T14")
@given(size=sizes, order=st.randoms(use_true_random=False))
def test_a_message_survives_its_frames_in_any_order_and_doubled(size: int, order: Random) -> None:
    """Whatever the order of the frames, and with each sent twice, the message comes out, from bounded frames."""
    message = fill(size, 7)
    frames = split(message)
    assert len(frames) <= MAX_CHUNKS
    assert all(len(frame) <= MAX_LINK_FRAME for frame in frames)
    shuffled = frames[:]
    order.shuffle(shuffled)
    reassembler = Reassembler()

    fed = [reassembler.feed("t", frame, 0.0) for frame in shuffled for _ in range(2)]

    assert message in fed
    assert {m for m in fed if m is not None} == {message}


def test_too_long_a_message_is_refused() -> None:
    """One byte over the limit raises ValueError."""
    with pytest.raises(ValueError, match="262145"):
        split(bytes(MAX_MESSAGE + 1))


@given(st.lists(st.tuples(st.sampled_from("abc"), st.binary(max_size=80)), max_size=30))
def test_any_bytes_give_a_message_or_a_wire_error(frames: list[tuple[str, bytes]]) -> None:
    """Nothing but a value, None or WireError comes out, and what is held stays bounded."""
    reassembler = Reassembler()
    for topic, frame in frames:
        with suppress(WireError):
            message = reassembler.feed(topic, frame, 0.0)
            assert message is None or frame in {b"", b"\x00" + message}
        assert reassembler.held <= MAX_UNFINISHED_BYTES


@pytest.mark.must("T15")
@given(
    st.lists(
        st.tuples(st.integers(0, 40), st.integers(0, 60), st.integers(CHUNK + 1, MAX_MESSAGE), st.integers(0, 15)),
        max_size=60,
    )
)
def test_parts_that_never_finish_cost_bounded_memory(parts: list[tuple[int, int, int, int]]) -> None:
    """However many messages are begun on however many topics, the parts held stay under the limit."""
    reassembler = Reassembler()
    for begun, (topic, salt, total, index) in enumerate(parts, start=1):
        frames = split(fill(total, salt))
        reassembler.feed(f"t{topic}", frames[index % (len(frames) - 1)], 0.0)
        assert reassembler.held <= MAX_UNFINISHED_BYTES
        assert len(reassembler._open) + reassembler.given_up <= begun


def test_single_byte_parts_do_not_pile_up() -> None:
    """A thousand last parts of one byte on a thousand topics leave no more than the bounded number open."""
    reassembler = Reassembler()
    last = split(fill(CHUNK + 1, 0))[1]
    for topic in range(1_000):
        reassembler.feed(f"t{topic}", last, 0.0)

    assert len(reassembler._open) == 64
    assert reassembler.given_up == 1_000 - 64


@pytest.mark.must("T15")
def test_a_third_unfinished_message_pushes_out_the_oldest_of_its_topic() -> None:
    """Two messages may be open on a topic; the third drops the first and leaves other topics alone."""
    reassembler = Reassembler()
    messages = [split(fill(CHUNK + 10, salt)) for salt in range(3)]
    reassembler.feed("other", messages[0][0], 0.0)
    for frames in messages:
        assert reassembler.feed("t", frames[0], 0.0) is None

    assert reassembler.feed("t", messages[1][1], 0.0) == fill(CHUNK + 10, 1)
    assert reassembler.feed("t", messages[2][1], 0.0) == fill(CHUNK + 10, 2)
    assert reassembler.feed("t", messages[0][1], 0.0) is None
    assert reassembler.feed("other", messages[0][1], 0.0) == fill(CHUNK + 10, 0)
    assert reassembler.given_up == 1


@pytest.mark.must("T15")
def test_unfinished_messages_age() -> None:
    """A part counts for thirty seconds after the first one, not longer."""
    first, last = split(fill(CHUNK + 10, 0))
    reassembler = Reassembler()
    reassembler.feed("t", first, 100.0)
    assert reassembler.feed("t", last, 100.0 + MAX_AGE) == fill(CHUNK + 10, 0)

    reassembler.feed("t", first, 200.0)
    assert reassembler.feed("t", last, 200.1 + MAX_AGE) is None
    assert reassembler.given_up == 1


@pytest.mark.must("T14")
def test_the_same_parts_on_two_topics_are_two_messages() -> None:
    """Parts never mix over topics, since the topic names the sender."""
    first, last = split(fill(CHUNK + 10, 0))
    reassembler = Reassembler()

    assert reassembler.feed("a", first, 0.0) is None
    assert reassembler.feed("b", last, 0.0) is None


def part(total: int, index: int, digest: bytes, body: bytes) -> bytes:
    """A part frame with these fields."""
    return b"\x01" + total.to_bytes(4, "big") + bytes([index]) + digest + body


DIGEST = sha256(b"").digest()


@pytest.mark.must("T13")
@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (b"\x00", "chunk/size"),
        (b"\x00" + bytes(CHUNK + 1), "chunk/size"),
        (b"\x02hello", "chunk/kind"),
        (b"\xff", "chunk/kind"),
        (b"\x01", "chunk/size"),
        (part(CHUNK + 1, 0, DIGEST, b""), "chunk/size"),
        (part(CHUNK, 0, DIGEST, bytes(CHUNK)), "chunk/total"),
        (part(MAX_MESSAGE + 1, 0, DIGEST, bytes(CHUNK)), "chunk/total"),
        (part(CHUNK + 1, 2, DIGEST, b"x"), "chunk/index"),
        (part(CHUNK + 1, 255, DIGEST, b"x"), "chunk/index"),
        (part(CHUNK + 1, 0, DIGEST, bytes(CHUNK - 1)), "chunk/size"),
        (part(CHUNK + 1, 1, DIGEST, b"xy"), "chunk/size"),
    ],
)
def test_frames_that_no_sender_makes_are_refused(frame: bytes, code: str) -> None:
    """Each malformed frame has its code and leaves nothing behind."""
    reassembler = Reassembler()
    with pytest.raises(WireError) as caught:
        reassembler.feed("t", frame, 0.0)

    assert caught.value.code == code
    assert reassembler.held == 0


@pytest.mark.must("T14")
def test_a_message_that_is_not_what_its_parts_promised_is_refused() -> None:
    """A wrong byte in one part fails the hash, and the parts are forgotten."""
    first, last = split(fill(CHUNK + 10, 0))
    reassembler = Reassembler()
    reassembler.feed("t", first, 0.0)
    with pytest.raises(WireError) as caught:
        reassembler.feed("t", last[:-1] + b"?", 0.0)

    assert caught.value.code == "chunk/hash"
    assert reassembler.held == 0
