"""What nodes say to each other beside the log: lobby, presence and sync (spec/50-transport.md 4). Form and signature.

A message is `encode([body, signature])`, its body `encode([version, kind, table, key, fields..])`, its signature an
Ed25519 one over H("dz1/node", body) by `key`. Nothing here decides whether a message is welcome, and no message here
ever decides anything of the game: entries of the log have their own form (protocol.wire.entry).

Opening is in two steps, because the signature is the expensive one: `peek` checks the form and says who claims to
speak; `Signed.open` checks the signature.
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from protocol.crypto.hashing import H32, H
from protocol.crypto.identity import SigningKey, verify_signature
from protocol.errors import WireError
from protocol.wire.codec import decode, encode
from protocol.wire.limits import MAX_FRAME, MAX_GENESIS, MAX_NAME, MAX_SEATS, MAX_UINT
from protocol.wire.text import is_plain

VERSION = 1
MAX_ANSWER_ENTRIES = 64
MAX_ANSWER_BYTES = 131_072
"""Entries in one sync answer: few enough that a slow line is not blocked, enough for 500 missed moves in 8 answers."""
MAX_SIGNED = MAX_ANSWER_BYTES + MAX_FRAME + 4_096
"""An answer may exceed its byte limit by its last entry; plus framing."""
MAX_TEXT = 200
PHRASES = 9
"""Phrases of the list in spec/50-transport.md 4.3: said as a number, so that everybody reads them in their language."""
TABLE_BYTES = 16


@dataclass(frozen=True, slots=True)
class Chair:
    """A taken seat as the lobby shows it."""

    name: str
    bot: bool
    key: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Announce:
    """The host's offer, retained on the lobby topic. `nonce` and the host's key make the table id (`table_id`).

    `revision` rises with every change; `issued` and `expires` are the host's clock (seconds since 1970) and only sort
    lists. `open` is False once the table has started or closed.
    """

    nonce: bytes
    revision: int
    app: str
    title: str
    rules_name: str
    rules: bytes
    seats: int
    max_rounds: int
    seeded: bool
    chairs: tuple[Chair, ...]
    issued: int
    expires: int
    open: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Join:
    """Please seat me; sent again every few seconds while waiting. `nonce` names the attempt."""

    name: str
    bot: bool
    app: str
    nonce: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Quit:
    """I leave the table that I joined; it has not started."""

    nonce: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Seated:
    """The host's answer to a Join: your seat, and your name as it is shown."""

    to: bytes
    nonce: bytes
    seat: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """The host's other answer. `code` is one of `full`, `version`, `started`, `closed`, `removed`."""

    to: bytes
    nonce: bytes
    code: str
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """The genesis, signed by the host: the game begins."""

    genesis: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """Let me look on: send me the genesis. Sent again every few seconds until it comes; `nonce` makes each one new."""

    nonce: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Heartbeat:
    """I am here, at this place of the log. `epoch` and `count` only rise; `leaving` says goodbye."""

    epoch: int
    count: int
    step: int
    head: bytes
    have: int
    leaving: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncRequest:
    """Send me what I lack: entries of `step` but for the seats in `have`, and everything later."""

    epoch: int
    count: int
    step: int
    have: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncAnswer:
    """Entries in log order; `step` and `have` say how far the sender itself is."""

    step: int
    have: int
    entries: tuple[bytes, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """Something said to the table: a text, or the number of a phrase (1 to PHRASES)."""

    epoch: int
    count: int
    said: str | int


@dataclass(frozen=True, slots=True, kw_only=True)
class Away:
    """Whether the person at this node is away for a moment, until they say otherwise or the node starts again."""

    epoch: int
    count: int
    away: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """The pause with this number is asked for, or over. Of two statements the greater (number, over) counts."""

    number: int
    on: bool


Message: TypeAlias = (
    Announce
    | Join
    | Quit
    | Seated
    | Refused
    | Start
    | Watch
    | Heartbeat
    | SyncRequest
    | SyncAnswer
    | Chat
    | Away
    | Pause
)


# ------------------------------------------------------------------------------------------ names of things


def table_id(host_key: bytes, nonce: bytes) -> bytes:
    """The 16 bytes that name a table: nobody but this host can announce it."""
    return H32("dz1/table", host_key, nonce)[:TABLE_BYTES]


def _base32(data: bytes) -> str:
    return base64.b32encode(data).decode().rstrip("=").lower()


def table_name(table: bytes) -> str:
    """The table id in topics: 26 characters of a-z2-7."""
    return _base32(table)


def parse_table_name(text: str) -> bytes | None:
    """The table id of its name in topics; None for any other text."""
    if len(text) != 26 or not text.isascii():
        return None
    try:
        table = base64.b32decode(text.upper() + "======")
    except ValueError:
        return None
    return table if _base32(table) == text else None


def node_name(key: bytes) -> str:
    """The id of a node in topics: the first 26 base32 characters of SHA-256 of its key."""
    return _base32(hashlib.sha256(key).digest())[:26]


# ------------------------------------------------------------------------------------------ forms of fields

_Check: TypeAlias = Callable[[Any], Any]


def _uint(limit: int = MAX_UINT) -> _Check:
    def check(value: Any) -> int:
        if type(value) is not int or value > limit:
            raise WireError("node/range")
        return value

    return check


def _flag(value: Any) -> bool:
    return bool(_uint(1)(value))


def _blob(least: int, most: int | None = None) -> _Check:
    def check(value: Any) -> bytes:
        if type(value) is not bytes or not least <= len(value) <= (least if most is None else most):
            raise WireError("node/length")
        return value

    return check


def _text(limit: int, least: int = 0) -> _Check:
    def check(value: Any) -> str:
        # hidden characters could move the cursor of whoever sees the name
        if type(value) is not str or not least <= len(value.encode()) <= limit or not is_plain(value):
            raise WireError("node/text")
        return value

    return check


def _array(item: _Check, most: int) -> _Check:
    def check(value: Any) -> tuple[Any, ...]:
        if type(value) is not list or len(value) > most:
            raise WireError("node/array")
        return tuple(item(v) for v in value)

    return check


def _chair(value: Any) -> Chair:
    if type(value) is not list or len(value) != 3:
        raise WireError("node/chair")
    return Chair(_text(MAX_NAME, 1)(value[0]), _flag(value[1]), _blob(32)(value[2]))


def _entries(value: Any) -> tuple[bytes, ...]:
    entries: tuple[bytes, ...] = _array(_blob(1, MAX_FRAME), MAX_ANSWER_ENTRIES)(value)
    if sum(map(len, entries[:-1])) > MAX_ANSWER_BYTES:
        raise WireError("node/size")
    return entries


def _said(value: Any) -> str | int:
    if type(value) is int and not 1 <= value <= PHRASES:
        raise WireError("node/range")
    return value if type(value) is int else str(_text(MAX_TEXT, 1)(value))


_KEY = _blob(32)
_NONCE = _blob(16)
_SEAT_MASK = _uint((1 << MAX_SEATS) - 1)
_CODES = ("full", "version", "started", "closed", "removed")


def _code(value: Any) -> str:
    if value not in _CODES:
        raise WireError("node/code")
    return str(value)


# kind number on the wire, and the form of every field in the order of the class
_FORMS: dict[type[Any], tuple[int, tuple[_Check, ...]]] = {
    Announce: (
        64,
        (
            _NONCE,
            _uint(),
            _text(32),
            _text(MAX_TEXT),
            _text(64, 1),
            _blob(1, MAX_GENESIS),
            _uint(MAX_SEATS),
            _uint(),
            _flag,
            _array(_chair, MAX_SEATS),
            _uint(),
            _uint(),
            _flag,
        ),
    ),
    Join: (65, (_text(MAX_NAME, 1), _flag, _text(32), _NONCE)),
    Quit: (66, (_NONCE,)),
    Seated: (67, (_KEY, _NONCE, _uint(MAX_SEATS - 1), _text(MAX_NAME, 1))),
    Refused: (68, (_KEY, _NONCE, _code, _text(MAX_TEXT))),
    Start: (69, (_blob(1, MAX_GENESIS),)),
    Heartbeat: (70, (_uint(), _uint(), _uint(), _blob(32), _SEAT_MASK, _flag)),
    SyncRequest: (71, (_uint(), _uint(), _uint(), _SEAT_MASK)),
    SyncAnswer: (72, (_uint(), _SEAT_MASK, _entries)),
    Chat: (73, (_uint(), _uint(), _said)),
    Away: (74, (_uint(), _uint(), _flag)),
    Pause: (75, (_uint(), _flag)),
    Watch: (76, (_NONCE,)),
}
_KINDS: dict[int, type[Any]] = {number: cls for cls, (number, _) in _FORMS.items()}


def _plain(value: Any) -> Any:
    """A field as a wire value."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, tuple):
        return [_plain(v) for v in value]
    if isinstance(value, Chair):
        return [value.name, int(value.bot), value.key]
    return value


# ------------------------------------------------------------------------------------------ signing and opening


@dataclass(frozen=True, slots=True)
class Signed:
    """A well-formed message whose signature has not been checked yet. `key` is who claims to have signed it."""

    table: bytes
    key: bytes
    message: Message
    body: bytes
    signature: bytes

    def open(self) -> Message:
        """The message. Raises WireError `node/signature` when the claimed key did not sign it."""
        if not verify_signature(self.key, H("dz1/node", self.body), self.signature):
            raise WireError("node/signature")
        return self.message


def sign(key: SigningKey, table: bytes, message: Message) -> bytes:
    """Sign a message for a table. Raises WireError for fields that `peek` would refuse: it is never sent."""
    number, checks = _FORMS[type(message)]
    values = [_plain(getattr(message, f.name)) for f in dataclasses.fields(message)]
    for check, value in zip(checks, values, strict=True):
        check(value)
    body = encode([VERSION, number, table, key.public, *values])
    return encode([body, key.sign(H("dz1/node", body))])


def peek(payload: bytes) -> Signed:
    """Check the form of a message. Raises WireError (`wire/..`, `node/..`) and nothing else, whatever the bytes."""
    outer = decode(payload, MAX_SIGNED)
    if not (type(outer) is list and len(outer) == 2 and all(type(part) is bytes for part in outer)):
        raise WireError("node/form")
    body, signature = outer
    value = decode(body, MAX_SIGNED)
    if not (type(value) is list and len(value) >= 4):
        raise WireError("node/form")
    version, number, table, key, *values = value
    if version != VERSION:
        raise WireError("node/version", f"version {version!r}")
    if type(number) is not int or number not in _KINDS:
        raise WireError("node/kind")
    cls = _KINDS[number]
    _, checks = _FORMS[cls]
    if len(values) != len(checks):
        raise WireError("node/fields")
    names = [f.name for f in dataclasses.fields(cls)]
    checked = {name: check(v) for name, check, v in zip(names, checks, values, strict=True)}
    return Signed(_blob(TABLE_BYTES)(table), _KEY(key), cls(**checked), body, signature)
