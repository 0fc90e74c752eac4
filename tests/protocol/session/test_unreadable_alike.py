"""What cannot be read as a game: both verifiers give the same code for the same bytes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from protocol.errors import WireError
from protocol.session.gamefile import MAGIC
from protocol.session.verify import verify_game
from protocol.wire.codec import decode, encode
from tests.coupled import genesis_for
from tests.second_verifier import AVAILABLE, MISSING, second_opinion

pytestmark = pytest.mark.skipif(not AVAILABLE, reason=MISSING)


def without(parts: list[Any]) -> None:
    """A field too few."""
    parts.pop()


def put(value: Any, *path: int) -> Callable[[list[Any]], None]:
    """Replace one part."""

    def change(parts: list[Any]) -> None:
        for k in path[:-1]:
            parts = parts[k]
        parts[path[-1]] = value

    return change


CHANGES: list[tuple[str, Callable[[list[Any]], None]]] = [
    ("genesis/form", without),
    ("genesis/form", put("another", 0)),
    ("genesis/version", put(2, 1)),
    ("genesis/form", put(b"short", 2)),
    ("genesis/form", put(b"klassiek", 3)),
    ("genesis/rules", put(b"decks=2\n", 4)),
    ("genesis/form", put([0, 2, 0], 6)),
    ("genesis/name", put("", 3)),
    ("genesis/name", put("a\u202eb", 3)),
    ("genesis/players", put([], 5)),
    ("genesis/players", put([["A", 0]], 5)),
    ("genesis/name", put("a\u00a0b", 5, 1, 0)),
    ("genesis/name", put("ab\ufe0f", 5, 1, 0)),
    ("genesis/players", put(2, 5, 1, 1)),
    ("genesis/players", put(b"key", 5, 1, 2)),
]


def file_of(genesis: bytes) -> bytes:
    """A game file that begins with these bytes."""
    return MAGIC + len(genesis).to_bytes(4, "little") + genesis


def both(data: bytes, folder: Path) -> tuple[str, str]:
    """The codes of both verifiers about bytes that are no game."""
    with pytest.raises(WireError) as caught:
        verify_game(data, bytes(32))
    exit_code, other = second_opinion(data, folder)
    assert exit_code == 2
    return caught.value.code, other["error"]


@pytest.mark.parametrize(("code", "change"), CHANGES)
def test_a_genesis_is_refused_with_one_code(code: str, change: Callable[[list[Any]], None], tmp_path: Path) -> None:
    """Every part of a genesis that may not be, by the first check that fails."""
    parts = decode(genesis_for(3).encode(), 16_384)
    change(parts)

    assert both(file_of(encode(parts)), tmp_path) == (code, code)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "wire/undecodable"),
        (b"\xc1", "wire/undecodable"),
        (b"\x92\x00", "wire/undecodable"),
        (b"\x00\x00", "wire/undecodable"),
        (b"\x91\xc0", "wire/value"),
        (b"\x91\xff", "wire/value"),
        (b"\x91\xcb" + bytes(8), "wire/value"),
        (b"\x91\x80", "wire/value"),
        (b"\x91" * 9 + b"\x00", "wire/value"),
        (b"\x92\xcc\x01\xc0", "wire/value"),
        (b"\x92\xc0\xcc", "wire/undecodable"),
        (b"\x91\xcc\x01", "wire/non-canonical"),
        (b"\x91\xd0\x01", "wire/non-canonical"),
        (b"\x91\xcf" + bytes(8), "wire/non-canonical"),
        (b"\xdc\x00\x01\x00", "wire/non-canonical"),
    ],
)
def test_bytes_are_refused_with_one_code(data: bytes, code: str, tmp_path: Path) -> None:
    """W4: undecodable goes before what may not be a value, and that before a longer form than needed."""
    assert both(file_of(data), tmp_path) == (code, code)
