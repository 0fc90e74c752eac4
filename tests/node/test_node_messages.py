"""Messages of nodes: what is signed opens again, and nothing else gets in."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from node.messages import (
    Announce,
    Away,
    Chair,
    Chat,
    Heartbeat,
    Join,
    Message,
    Pause,
    Quit,
    Refused,
    Seated,
    Start,
    SyncAnswer,
    SyncRequest,
    node_name,
    parse_table_name,
    peek,
    sign,
    table_id,
    table_name,
)
from node.topics import Topic, channel_filter, lobby_topic, node_topic, parse_topic
from protocol.crypto.identity import SigningKey
from protocol.errors import WireError
from protocol.wire.codec import decode, encode

KEY = SigningKey(b"k" * 32)
OTHER = SigningKey(b"o" * 32)
TABLE = table_id(KEY.public, b"n" * 16)
HEARTBEAT = Heartbeat(epoch=3, count=9, step=1000, head=b"h" * 32, have=5, leaving=False)
MESSAGES: list[Message] = [
    Announce(
        nonce=b"n" * 16,
        revision=2,
        app="0.1.0",
        title="Bij Truus",
        rules_name="klassiek",
        rules=b"rules",
        seats=4,
        max_rounds=0,
        seeded=False,
        chairs=(Chair("Truus", bot=False, key=KEY.public), Chair("Robot 1", bot=True, key=OTHER.public)),
        issued=1_700_000_000,
        expires=1_700_000_600,
        open=True,
    ),
    Join(name="Joep", bot=False, app="0.1.0", nonce=b"j" * 16),
    Quit(nonce=b"j" * 16),
    Seated(to=OTHER.public, nonce=b"j" * 16, seat=1, name="Joep 2"),
    Refused(to=OTHER.public, nonce=b"j" * 16, code="full", detail=""),
    Start(genesis=b"genesis"),
    HEARTBEAT,
    SyncRequest(epoch=1, count=2, step=3, have=4),
    SyncAnswer(step=7, have=1, entries=(b"one", b"two")),
    Chat(epoch=1, count=2, said="Mooi gedaan, Anna! 👍"),
    Chat(epoch=1, count=3, said=9),
    Away(epoch=1, count=4, away=True),
    Pause(number=7, on=True),
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda m: type(m).__name__)
def test_round_trip(message: Message) -> None:
    """Every kind of message comes back equal, with its table and its signer."""
    signed = peek(sign(KEY, TABLE, message))

    assert (signed.open(), signed.key, signed.table) == (message, KEY.public, TABLE)


@pytest.mark.parametrize("message", MESSAGES, ids=lambda m: type(m).__name__)
def test_every_changed_byte_is_noticed(message: Message) -> None:
    """A message with any one byte changed never opens as anything."""
    payload = sign(KEY, TABLE, message)
    for place in range(0, len(payload), 3):
        changed = payload[:place] + bytes([payload[place] ^ 1]) + payload[place + 1 :]
        with pytest.raises(WireError):
            peek(changed).open()


@pytest.mark.must("T8")
def test_another_signer_is_refused() -> None:
    """A message in the name of a key that did not sign it does not open."""
    body, _ = decode(sign(KEY, TABLE, HEARTBEAT), 10_000)
    _, signature = decode(sign(OTHER, TABLE, HEARTBEAT), 10_000)
    with pytest.raises(WireError) as caught:
        peek(encode([body, signature])).open()

    assert caught.value.code == "node/signature"


@pytest.mark.must("M1")
@given(st.binary(max_size=300))
def test_garbage_never_raises_anything_else(data: bytes) -> None:
    """Random bytes are refused as WireError, whatever they are."""
    with pytest.raises(WireError):
        peek(data)


WIRE = st.recursive(
    st.integers(0, 2**32 - 1) | st.binary(max_size=40) | st.text(max_size=10), lambda inner: st.lists(inner, max_size=6)
)


@pytest.mark.must("X3")
@pytest.mark.must("M1")
@given(st.integers(60, 78), st.lists(WIRE, max_size=14))
def test_well_encoded_nonsense_never_raises_anything_else(kind: int, fields: list[object]) -> None:
    """Canonical values in place of the fields give a message or WireError."""
    payload = encode([encode([1, kind, TABLE, KEY.public, *fields]), b"s" * 64])
    try:
        signed = peek(payload)
    except WireError:
        return

    assert dataclasses.is_dataclass(signed.message)


@pytest.mark.parametrize(
    "message",
    [
        Join(name="", bot=False, app="", nonce=b"j" * 16),
        Join(name="a\x1b[2J", bot=False, app="", nonce=b"j" * 16),
        Join(name="x" * 65, bot=False, app="", nonce=b"j" * 16),
        dataclasses.replace(HEARTBEAT, head=b"short"),
        dataclasses.replace(HEARTBEAT, have=128),
        dataclasses.replace(HEARTBEAT, step=2**32),
        Refused(to=KEY.public, nonce=b"j" * 16, code="because", detail=""),
        SyncAnswer(step=0, have=0, entries=(b"x",) * 65),
        SyncAnswer(step=0, have=0, entries=(b"x" * 60_000,) * 4),
        Chat(epoch=0, count=0, said=""),
        Chat(epoch=0, count=0, said="x" * 201),
        Chat(epoch=0, count=0, said="a\x1b]0;b\x07"),
        Chat(epoch=0, count=0, said="abc\u202edef"),
        Chat(epoch=0, count=0, said=0),
        Chat(epoch=0, count=0, said=10),
        Pause(number=2**32, on=True),
    ],
    ids=range(16),
)
def test_fields_out_of_bounds_are_not_even_sent(message: Message) -> None:
    """A field that a receiver would refuse is refused by the sender."""
    with pytest.raises(WireError):
        sign(KEY, TABLE, message)


@pytest.mark.must("X1")
def test_another_version_is_told_apart() -> None:
    """A message of another protocol version is refused with its own code."""
    body = decode(decode(sign(KEY, TABLE, HEARTBEAT), 10_000)[0], 10_000)
    with pytest.raises(WireError) as caught:
        peek(encode([encode([2, *body[1:]]), b"s" * 64]))

    assert caught.value.code == "node/version"


@given(st.binary(min_size=16, max_size=16))
def test_table_names(table: bytes) -> None:
    """A table id and its name in topics are each other's inverse, and the name is plain."""
    name = table_name(table)

    assert parse_table_name(name) == table
    assert len(name) == 26
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz234567")


@pytest.mark.parametrize("text", ["", "a" * 25, "a" * 27, "A" * 26, "1" * 26, "a" * 25 + "z", "é" * 26])
def test_other_texts_are_no_table_names(text: str) -> None:
    """Only the one canonical spelling names a table."""
    assert parse_table_name(text) is None


def test_topics() -> None:
    """Topics come back as their parts; a topic of something else does not."""
    topics = [lobby_topic(TABLE), node_topic(TABLE, "m", KEY.public)]
    parsed = [Topic(TABLE, "lobby", ""), Topic(TABLE, "m", node_name(KEY.public))]
    strange = ["", "dz/v1/lobby/x", "dz/v2/lobby/" + table_name(TABLE), channel_filter(TABLE, "x"), topics[1] + "/x"]

    assert [parse_topic(t) for t in topics] == parsed
    assert [parse_topic(t) for t in strange] == [None] * 5
