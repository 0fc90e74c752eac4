r"""The game file: the genesis and the signed log, and nothing else (spec/40-game-file.md).

`DUIZENDEN GAME 1\n`, then records: u32 little-endian length and that many bytes. The first record is the genesis, the
others are signed entries, step by step, within a step by ascending seat. Every byte is covered by the magic, the
hash chain or a signature; a file that ends inside a record is not a game file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from protocol.errors import WireError
from protocol.wire.limits import MAX_FRAME, MAX_GAME_FILE, MAX_GENESIS

from .genesis import Genesis

MAGIC = b"DUIZENDEN GAME 1\n"
SUFFIX = ".duizenden"


def write_game(genesis: Genesis, frames: Iterable[bytes]) -> bytes:
    """The file of this game. `frames` are signed entries in log order (`Session.frames_from(0)`)."""
    return pack(MAGIC, [genesis.encode(), *frames])


def read_records(data: bytes) -> tuple[bytes, list[bytes]]:
    """Genesis bytes and signed entries of a game file, not checked yet.

    Raises WireError `file/..` when it is not a game file, is cut inside a record, or claims an oversize record.
    """
    genesis, *frames = unpack(MAGIC, data, (MAX_GENESIS,))
    return genesis, frames


def pack(magic: bytes, records: Iterable[bytes]) -> bytes:
    """A file of records: the magic, then every record after its length."""
    return magic + b"".join(len(r).to_bytes(4, "little") + r for r in records)


def unpack(magic: bytes, data: bytes, first: Sequence[int]) -> list[bytes]:
    """The records of such a file: at least as many as `first` has limits in bytes; the others are signed entries.

    Raises WireError `file/..`.
    """
    if len(data) > MAX_GAME_FILE:
        raise WireError("file/size", "larger than any game")
    if not data.startswith(magic):
        raise WireError("file/magic", f"does not begin with {magic!r}")
    records: list[bytes] = []
    at = len(magic)
    while at < len(data):
        if at + 4 > len(data):
            raise WireError("file/cut", "ends inside a record")
        length = int.from_bytes(data[at : at + 4], "little")
        if length > (first[len(records)] if len(records) < len(first) else MAX_FRAME):
            raise WireError("file/record", "oversize record")
        if at + 4 + length > len(data):
            raise WireError("file/cut", "ends inside a record")
        records.append(data[at + 4 : at + 4 + length])
        at += 4 + length
    if len(records) < len(first):
        raise WireError("file/cut", "ends before its log begins")
    return records
