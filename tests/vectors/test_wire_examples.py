"""The examples of spec/vectors/wire.json: the code writes them anew, and reads them back."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
from typing import Any

import msgpack
import pytest

from node.chunks import CHUNK, Reassembler
from node.messages import _KINDS, SyncAnswer, node_name, peek, table_id
from node.topics import parse_topic
from protocol.crypto.hashing import H
from protocol.crypto.identity import SigningKey, verify_signature
from protocol.session.genesis import decode_genesis
from protocol.wire.entry import Kind, parse_entry
from tests.vectors.wire import FILE, SPOKEN_NAMES, plain, text

WIRE: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
NODES = WIRE["names"]["nodes"]
TABLE = bytes.fromhex(WIRE["names"]["table"]["id"])


def unpacked(digits: str) -> Any:
    """What these hexadecimal digits hold, by the msgpack library alone."""
    return msgpack.unpackb(bytes.fromhex(digits), raw=False)


def received(topic: str, *payloads: str) -> bytes:
    """The message of these MQTT payloads."""
    reassembler = Reassembler()
    (message,) = (got for p in payloads if (got := reassembler.feed(topic, bytes.fromhex(p), 0.0)) is not None)
    return message


def test_the_code_writes_the_examples() -> None:
    """`make vectors` would change nothing."""
    assert text() == FILE.read_text(encoding="utf-8")


@pytest.mark.parametrize("who", NODES)
def test_a_key_leads_to_its_topics(who: str) -> None:
    """The id of a node is the first 26 base32 characters of SHA-256 of its key, a table's all of its 16 bytes."""
    node, table = NODES[who], WIRE["names"]["table"]
    key = SigningKey(bytes.fromhex(node["seed"])).public
    digest = hashlib.sha256(key).digest()

    assert (node["key"], node["sha256"]) == (key.hex(), digest.hex())
    assert node["node"] == base64.b32encode(digest).decode().lower()[:26]
    assert table["table"] == base64.b32encode(TABLE).decode().lower().rstrip("=")
    assert table_id(bytes.fromhex(NODES["host"]["key"]), bytes.fromhex(table["nonce"])) == TABLE


def test_the_topics_are_those_of_the_joiner() -> None:
    """Every topic of a table is parsed as the channel that it stands for."""
    topics = WIRE["names"]["topics of the joiner"]
    parsed = {name: parse_topic(topic) for name, topic in topics.items()}

    assert set(topics) == {"lobby", *"jgmdqpc"}
    assert {(t.table, t.channel == name) for name, t in parsed.items() if t is not None} == {(TABLE, True)}
    assert {t.node for t in parsed.values() if t is not None} == {"", NODES["joiner"]["node"]}


@pytest.mark.must("M1")
@pytest.mark.parametrize("example", WIRE["messages"], ids=lambda e: e["about"])
def test_a_node_message_is_read_back(example: dict[str, Any]) -> None:
    """From the MQTT payload come the fields, the body, a signature that holds, and the message that a node takes."""
    payload = received(example["topic"], example["payload"])
    fields = list(example["fields"].values())
    body, signature = msgpack.unpackb(payload, raw=False)
    signed = peek(payload)
    said = signed.open()
    named = {SPOKEN_NAMES.get(f.name, f.name) for f in dataclasses.fields(said)}

    assert (body.hex(), signature.hex()) == (example["body"], example["signature"])
    assert plain(unpacked(example["body"])) == fields
    assert H("dz1/node", body).hex() == example["signed"]
    assert verify_signature(bytes.fromhex(fields[3]["bin"]), bytes.fromhex(example["signed"]), signature)
    assert named == set(list(example["fields"])[4:])
    assert (parse_topic(example["topic"]) or signed).table == signed.table == TABLE


def test_there_is_an_example_of_every_kind() -> None:
    """No kind of node message and no kind of entry is missing."""
    assert {e["fields"]["kind"] for e in WIRE["messages"]} == set(_KINDS)
    assert {e["kind"] for e in WIRE["entries"]} == set(Kind)


def test_the_answer_holds_an_entry_of_its_table() -> None:
    """What a sync answer brings is the host's SEAT under the genesis of the start."""
    start = next(e for e in WIRE["messages"] if e["about"] == "start")
    genesis = decode_genesis(bytes.fromhex(start["fields"]["genesis"]["bin"]))
    (answer,) = (e for e in WIRE["messages"] if e["fields"].get("entries"))
    said = peek(received("d", answer["payload"])).open()

    assert isinstance(said, SyncAnswer)
    assert parse_entry(said.entries[0], TABLE, tuple(p.key for p in genesis.players)).kind is Kind.SEAT
    assert node_name(genesis.players[0].key) == NODES["host"]["node"]


@pytest.mark.must("T13", "T14")
def test_a_message_in_parts_is_put_together() -> None:
    """The two link frames give the message back, in whatever order they come."""
    told = WIRE["in parts"]
    message = bytes(i % 251 for i in range(told["length"]))
    first = told["first header"] + message[:CHUNK].hex()

    assert hashlib.sha256(message).hexdigest() == told["sha256"]
    assert hashlib.sha256(bytes.fromhex(first)).hexdigest() == told["first sha256"]
    assert received("m", first, told["last"]) == received("m", told["last"], first) == message


@pytest.mark.must("B1")
@pytest.mark.parametrize("example", WIRE["entries"], ids=lambda e: e["about"])
def test_an_entry_is_read_back(example: dict[str, Any]) -> None:
    """From the MQTT payload come the body, as JSON and as bytes, and a signature that holds under the seat's key."""
    genesis = decode_genesis(bytes.fromhex(WIRE["games"][example["game"]]["genesis"]))
    frame = received("m", example["payload"])
    raw, signature = msgpack.unpackb(frame, raw=False)
    version, table, step, seat, head, kind, body = msgpack.unpackb(raw, raw=False)
    entry = parse_entry(frame, genesis.table, tuple(p.key for p in genesis.players))

    assert (raw.hex(), signature.hex()) == (example["entry"], example["signature"])
    assert (version, table) == (1, genesis.table)
    assert [step, seat, head.hex(), kind] == [example[name] for name in ("step", "seat", "head", "kind")]
    assert plain(body) == example["body"] == plain(unpacked(example["body bytes"])) == plain(entry.body)
    assert H("dz1/entry", raw).hex() == example["signed"]
    seed = bytes.fromhex(WIRE["games"][example["game"]]["seeds"][seat])
    assert SigningKey(seed).sign(bytes.fromhex(example["signed"])) == signature
