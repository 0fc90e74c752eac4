"""Every decoder of bytes that others make, as a target for fuzzers: bytes in; a value or a typed error, or it raises.

`TARGETS` serves the coverage-guided fuzzer (fuzz.py) and the short tests of the suite (tests/test_bad_bytes.py).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgpack

from node.addresses import parse_address
from node.chunks import Reassembler, split
from node.discovery import Advert, read_announcement
from node.journal import _SPOILED, GameInfo, _settings_of
from node.messages import Announce, Heartbeat, SyncAnswer, peek, sign
from node.resume import UNFIT, _kept, _progress
from node.sealing import _HEAD, BUCKETS, Seal, SealKeys
from node.table_code import CodeError, TableCode, is_code_like, parse_code, parse_way
from node.topics import parse_topic
from node.transport import MAX_MESSAGE
from protocol.crypto.identity import SigningKey
from protocol.crypto.shuffle import verify_chain
from protocol.errors import CryptoError, IllegalMove, WireError
from protocol.rules.ruleset import canonical, from_canonical, preset
from protocol.session.evidence import MAGIC as EVIDENCE
from protocol.session.evidence import verify_evidence
from protocol.session.gamefile import MAGIC as GAME
from protocol.session.gamefile import pack, read_records
from protocol.session.genesis import decode_genesis
from protocol.session.ledger import Link
from protocol.session.phases import BadContent
from protocol.session.secrets import weight_source
from protocol.session.session import Session
from protocol.session.table import Table
from protocol.session.verify import take, verify_game
from protocol.wire.codec import decode, encode
from protocol.wire.entry import SIDE, Entry, Kind, parse_entry, sign_entry
from protocol.wire.limits import MAX_FRAME
from tests.coupled import Coupled, genesis_for, keys_for

GAMES = Path(__file__).resolve().parents[2] / "spec" / "vectors" / "games"
SOURCES = ("ok-online-2-seats", "ok-spelregelwijzer-5-seats", "ok-leave")
"""Games in which every kind of entry of the log is said."""
ENTROPY = bytes(32)
KEY = SigningKey(bytes([7]) * 32)
SEAL_KEYS = SealKeys(topic="dz/v1/s/x", beacon=bytes(16), key=bytes([9]) * 32)


@dataclass(frozen=True, slots=True)
class Target:
    """A decoder. `take` raises only for a defect; `seeds` are inputs to start from; `size` bounds the inputs."""

    take: Callable[[bytes], object]
    seeds: Callable[[], list[bytes]]
    size: int = 4_096
    slow: bool = field(default=False)
    """Whether it may check proofs, so that fewer inputs can be tried."""


def loose(data: bytes) -> Any:
    """Some value that may be sent, from any bytes: so that a fuzzer gets behind the check of canonical bytes."""
    value: Any = None
    with suppress(ValueError, TypeError, msgpack.UnpackException, RecursionError):
        value = msgpack.Unpacker(None, raw=False, strict_map_key=False, max_buffer_size=len(data) + 1)
        value.feed(data)
        value = value.unpack()
    try:
        return decode(encode(value), MAX_FRAME)
    except (WireError, RecursionError):
        return []


# ------------------------------------------------------------------------------------------ the log


@cache
def source(name: str) -> tuple[bytes, list[bytes]]:
    """Genesis and entries of a published game."""
    return read_records((GAMES / f"{name}.duizenden").read_bytes())


def table_at(name: str, count: int) -> Table:
    """The table of a published game after so many entries, ready to check the next."""
    genesis, frames = source(name)
    table = Table(decode_genesis(genesis), me=None, weights=lambda label: weight_source(ENTROPY, label))
    table.trusting = True
    for frame in frames[:count]:
        assert take(table, frame) is None
    table.trusting = False
    return table


@cache
def moment(kind: Kind) -> tuple[Table, Entry]:
    """A table that waits for an entry of this kind, and the largest one of a published game."""
    for name in SOURCES:
        genesis = decode_genesis(source(name)[0])
        keys = tuple(p.key for p in genesis.players)
        entries = [parse_entry(frame, genesis.table, keys) for frame in source(name)[1]]
        numbers = [n for n, entry in enumerate(entries) if entry.kind is kind]
        if numbers:
            best = max(numbers, key=lambda n: len(entries[n].frame))
            return table_at(name, best), entries[best]
    raise LookupError(kind.name)


def check_body(kind: Kind) -> Callable[[bytes], object]:
    """What tells whether a body of this kind is true at a table that waits for one."""

    def check(data: bytes) -> object:
        table, entry = moment(kind)
        assert table.phase is not None
        try:
            said = table.phase.check(table, replace(entry, body=loose(data)))
            if isinstance(said, Link):
                _check_proof(table, said)
        except (BadContent, WireError, CryptoError, IllegalMove) as error:
            return error.code
        return said

    return check


def _check_proof(table: Table, link: Link) -> None:
    """What a table does with a shuffle when the last seat has shuffled."""
    chain, ledger = table.ledger.chains[-1], table.ledger
    links = [(one.seat, one.out, one.proof) for one in (*chain.links, link)]
    verify_chain(chain.rctx, ledger.joint_key, chain.ids, links, table.weights(chain.rctx))


@cache
def seated() -> Coupled:
    """A table of three in its third step."""
    coupled = Coupled(3, seed=5)
    coupled.start()
    coupled.run(until=lambda: all(s.position().step >= 2 for s in coupled.sessions))
    return coupled


def hear(data: bytes) -> None:
    """Give a seat an entry that another seat has signed, of any step, kind and body: `[seat, step, kind, body]`."""
    coupled = seated()
    listener = coupled.make(0)
    listener.start()
    value = loose(data)
    fields = value if type(value) is list and len(value) == 4 else [1, 2, Kind.EXPIRED, value]
    seat, step, kind, body = fields
    seat = 1 + seat % 2 if type(seat) is int else 1
    at = listener.position()
    step = at.step if type(step) is not int else step
    known = kind if type(kind) is int and kind in Kind._value2member_map_ else Kind.EXPIRED
    body = body if type(body) is list else [body]
    entry = sign_entry(coupled.keys[seat], coupled.genesis.table, step, seat, at.head, Kind(known), body)
    for _ in range(2):
        listener.receive(entry.frame)
    _whole(listener)


def _whole(session: Session) -> None:
    """Whoever reads a session that heard anything at all gets an answer."""
    session.view()
    session.evidence()
    session.frames_from(0)


def read_entry(data: bytes) -> None:
    """Bytes as an entry, as they are and well signed."""
    genesis, keys = genesis_for(3), keys_for(3)
    public = tuple(k.public for k in keys)
    with suppress(WireError):
        parse_entry(data, genesis.table, public)
    raw = encode(loose(data))
    with suppress(WireError):
        parse_entry(encode([raw, keys[0].sign(b"")]), genesis.table, public)


def _bodies(kind: Kind) -> Callable[[], list[bytes]]:
    return lambda: [encode(moment(kind)[1].body)]


def _heard() -> list[bytes]:
    bodies: dict[Kind, list[Any]] = {Kind.EXPIRED: [4], Kind.HELD: [4], Kind.GOODBYE: [], Kind.LEAVE: []}
    return [
        encode([seat, step, int(kind), body]) for kind, body in bodies.items() for seat in (1, 2) for step in (2, 3)
    ]


def _codec() -> list[bytes]:
    deep: Any = []
    for _ in range(12):
        deep = [deep]
    return [encode([1, b"x", "y", [2**32 - 1]]), msgpack.packb(deep), b"\xdd\xff\xff\xff\xff", b"\x81\x01\x01"]


# ------------------------------------------------------------------------------------------ files


def _files(magic: bytes) -> Callable[[], list[bytes]]:
    def seeds() -> list[bytes]:
        genesis, frames = source(SOURCES[0])
        said = [encode([["log/equivocation", 0, 1]])] if magic == EVIDENCE else []
        return [pack(magic, [genesis, *said, *frames[:count]]) for count in (0, 1, 5)]

    return seeds


def read_file(magic: bytes, read: Callable[[bytes, bytes], object]) -> Callable[[bytes], None]:
    """What reads a file, as it is and behind the right first bytes."""

    def take_file(data: bytes) -> None:
        for candidate in (data, magic + data):
            with suppress(WireError):
                read(candidate, ENTROPY)

    return take_file


# ------------------------------------------------------------------------------------------ the node


def read_message(data: bytes) -> None:
    """A node message as it is, and with any fields behind a good head."""
    for payload in (data, encode([encode(loose(data)), bytes(64)])):
        with suppress(WireError):
            peek(payload).open()
    value = loose(data)
    if type(value) is list and value:
        body = encode([1, value[0], bytes(16), KEY.public, *value[1:]])
        with suppress(WireError):
            peek(encode([body, bytes(64)]))


def _messages() -> list[bytes]:
    announce = Announce(
        nonce=bytes(16),
        revision=1,
        app="1",
        title="t",
        rules_name="klassiek",
        rules=canonical(preset("klassiek")),
        seats=4,
        max_rounds=0,
        seeded=False,
        chairs=(),
        issued=1,
        expires=2,
        open=True,
    )
    beat = Heartbeat(epoch=1, count=1, step=1, head=bytes(32), have=3, leaving=False)
    answer = SyncAnswer(step=1, have=1, entries=(b"x", b"y"))
    signed = [sign(KEY, bytes(16), m) for m in (announce, beat, answer)]
    inner = [decode(decode(payload, MAX_FRAME)[0], MAX_FRAME) for payload in signed]
    return [*signed, *(encode([kind, *fields]) for _, kind, _, _, *fields in inner)]


def read_frames(data: bytes) -> None:
    """Link frames of 1 to 64 bytes, one after another, on few topics."""
    reassembler = Reassembler(max_bytes=MAX_MESSAGE, part=32)
    at = 0
    while at < len(data):
        size = 1 + data[at] % 80
        with suppress(WireError):
            reassembler.feed(f"t{data[at] % 3}", data[at + 1 : at + 1 + size], float(at))
        at += 1 + size
    assert reassembler.held <= MAX_MESSAGE


def _frames() -> list[bytes]:
    parts = split(bytes(range(100)), 32)
    return [b"".join(bytes([len(part) - 1]) + part for part in parts)]


@cache
def _seal() -> Seal:
    return Seal(SEAL_KEYS, bytes)


def open_sealed(data: bytes) -> None:
    """Sealed bytes as a stranger makes them, and as somebody makes them who has the key."""
    seal_ = _seal()
    plain = data[: BUCKETS[0] - 28].ljust(BUCKETS[0] - 28, b"\0")
    inside = bytes(12) + seal_._cipher.encrypt(bytes(12), plain, seal_._bound)
    for candidate in (data, data.ljust(BUCKETS[0], b"\0"), inside):
        with suppress(WireError):
            seal_.open(candidate)


def read_code(data: bytes) -> None:
    """Anything typed where a table code, a way to a table or a broker's address is asked for."""
    text = data.decode("utf-8", "replace")
    is_code_like(text)
    ways = ((parse_code, (CodeError,)), (parse_way, (CodeError, ValueError)), (parse_address, (ValueError,)))
    for read, errors in ways:
        with suppress(*errors):
            str(read(text))
    parse_topic(text)


def read_txt(data: bytes) -> None:
    """The properties of an announcement: key, value, key, value, each of at most as many bytes as its first says."""
    parts, at = [], 0
    while at < len(data):
        parts.append(data[at + 1 : at + 1 + data[at] % 64])
        at += 1 + data[at] % 64
    properties = dict(zip(parts[::2], parts[1::2], strict=False))
    for port in (1883, 0, None):
        read_announcement(properties, ["192.168.1.2"], port, [])


def _txt() -> list[bytes]:
    advert = Advert(table="a" * 26, name="T", sealed=False, port=1, taken=1, seats=4, tls=True, fingerprint="0" * 64)
    flat = [part.encode()[:63] for pair in advert.properties().items() for part in pair]
    return [b"".join(bytes([len(part)]) + part for part in flat)]


def read_rules(data: bytes) -> None:
    """A rule card's bytes."""
    with suppress(ValueError):
        from_canonical(data)


def read_genesis(data: bytes) -> None:
    """A genesis as it is, and any value in its place."""
    for candidate in (data, encode(loose(data))):
        with suppress(WireError):
            decode_genesis(candidate)


def read_settings(data: bytes) -> None:
    """Settings of a journal: either they are damaged, or whoever resumes and the list of games can read them."""
    try:
        settings: Mapping[str, Any] = _settings_of(data)
    except _SPOILED:
        return
    _progress(settings.get("progress"))
    genesis = genesis_for(2)
    info = GameInfo(genesis=genesis.encode(), seat=0, seed=bytes(32), role="host")
    journal: Any = SimpleNamespace(info=info, settings=settings, path=Path("x"))
    with suppress(*UNFIT):
        _kept(journal, genesis, keys_for(2)[0])


def _settings() -> list[bytes]:
    joiner = {"broker": "mqtt://10.0.0.1:1883", "files": ["a"], "nonce": "00", "secret": "00" * 8, "discoverable": True}
    host = {"bind": "0.0.0.0", "port": 1883, "progress": {"stage": "playing", "round": 1, "totals": [1, 2]}}
    return [json.dumps(one).encode() for one in (joiner, host, {"port": 1e400}, {"broker": [], "files": 1})]


TARGETS: dict[str, Target] = {
    "codec": Target(lambda data: suppress_wire(decode, data), _codec),
    "entry": Target(read_entry, lambda: source(SOURCES[0])[1][:3]),
    "session": Target(hear, _heard, size=512, slow=True),
    **{
        f"body-{kind.name.lower()}": Target(check_body(kind), _bodies(kind), size=MAX_FRAME, slow=True)
        for kind in Kind
        if kind not in SIDE and kind is not Kind.LEAVE
    },
    "genesis": Target(read_genesis, lambda: [source(name)[0] for name in SOURCES]),
    "rules": Target(read_rules, lambda: [canonical(preset(name)) for name in ("klassiek", "spelregelwijzer")]),
    "game": Target(read_file(GAME, verify_game), _files(GAME), size=MAX_FRAME, slow=True),
    "evidence": Target(read_file(EVIDENCE, verify_evidence), _files(EVIDENCE), size=MAX_FRAME, slow=True),
    "messages": Target(read_message, _messages),
    "chunks": Target(read_frames, _frames),
    "sealed": Target(open_sealed, lambda: [_HEAD.pack(bytes(8), 1, 3, 2) + b"t/x" + b"ab"]),
    "codes": Target(
        read_code, lambda: [str(TableCode(host="192.168.1.20")).encode(), b"39QM-35 h", b"mqtts://a:b@h:1"]
    ),
    "txt": Target(read_txt, _txt),
    "settings": Target(read_settings, _settings),
}


def suppress_wire(read: Callable[[bytes, int], object], data: bytes) -> None:
    """Read what should be a value of at most MAX_FRAME bytes."""
    with suppress(WireError):
        read(data, MAX_FRAME)
