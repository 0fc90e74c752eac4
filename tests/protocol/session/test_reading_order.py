"""Of several things that are wrong the first one of the specification decides; and what a verdict counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from node.policy import choose
from protocol.crypto.hashing import H
from protocol.errors import WireError
from protocol.session.bodies import parse_exchange, parse_opens, parse_play
from protocol.session.gamefile import MAGIC, read_records, write_game
from protocol.session.genesis import decode_genesis
from protocol.session.verify import verify_game
from protocol.wire.codec import decode, encode
from protocol.wire.entry import Kind, parse_entry
from protocol.wire.limits import MAX_FRAME, MAX_GAME_FILE, MAX_GENESIS
from tests.coupled import Coupled, genesis_for, keys_for
from tests.second_verifier import AVAILABLE, MISSING, second_opinion

ENTROPY = bytes(32)
GENESIS = genesis_for(2)


def put(*path: int, value: Any) -> Callable[[list[Any]], None]:
    """Replace what stands at this path."""

    def change(whole: list[Any]) -> None:
        at = whole
        for k in path[:-1]:
            at = at[k]
        at[path[-1]] = value

    return change


WRONG_GENESIS = [
    (put(0, value="tausend"), "genesis/form"),
    (put(1, value=2), "genesis/version"),
    (put(2, value=bytes(15)), "genesis/form"),
    (put(4, value=b"no card"), "genesis/rules"),
    (put(6, value=[0, 2, 0]), "genesis/form"),
    (put(3, value=""), "genesis/name"),
    (put(5, 0, 0, value="a\x1bb"), "genesis/name"),
    (put(5, 1, 1, value=2), "genesis/players"),
    (put(5, 1, 2, value=GENESIS.players[0].key), "genesis/keys"),
]


@pytest.mark.must("G1", "X1")
@pytest.mark.parametrize("places", list(combinations(range(len(WRONG_GENESIS)), 2)))
def test_the_first_thing_wrong_in_a_genesis_decides(places: tuple[int, int]) -> None:
    """Of any two defects of a genesis the earlier one of the list gives the code."""
    value = decode(GENESIS.encode(), MAX_GENESIS)
    for place in places:
        WRONG_GENESIS[place][0](value)

    with pytest.raises(WireError, match=f"^{WRONG_GENESIS[places[0]][1]}"):
        decode_genesis(encode(value))


WRONG_ENTRY = [
    (put(0, value=2), "entry/version"),
    (put(1, value=bytes(16)), "entry/table"),
    (put(4, value=bytes(31)), "entry/form"),
    (put(3, value=2), "entry/seat"),
    (put(5, value=99), "entry/kind"),
    (put(6, value=[1]), "entry/signature"),
]


@pytest.mark.must("E1", "X1")
@pytest.mark.parametrize("places", list(combinations(range(len(WRONG_ENTRY)), 2)))
def test_the_first_thing_wrong_in_an_entry_decides(places: tuple[int, int]) -> None:
    """Of any two defects of an entry the earlier one of the list gives the code."""
    key = keys_for(2)[0]
    value = [1, GENESIS.table, 0, 0, bytes(32), 1, []]
    signature = key.sign(H("dz1/entry", encode(value)))
    for place in places:
        WRONG_ENTRY[place][0](value)

    with pytest.raises(WireError, match=f"^{WRONG_ENTRY[places[0]][1]}"):
        parse_entry(encode([encode(value), signature]), GENESIS.table, tuple(p.key for p in GENESIS.players))


def record(data: bytes, length: int | None = None) -> bytes:
    """A record of a file, with its true length or another."""
    return (len(data) if length is None else length).to_bytes(4, "little") + data


@pytest.mark.must("F1", "F4")
@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "file/magic"),
        (MAGIC[:-1], "file/magic"),
        (b"x" + MAGIC, "file/magic"),
        (MAGIC, "file/cut"),
        (MAGIC + b"\x01\x00\x00", "file/cut"),
        (MAGIC + record(b"x", MAX_GENESIS), "file/cut"),
        (MAGIC + record(b"x", MAX_GENESIS + 1), "file/record"),
        (MAGIC + record(GENESIS.encode()) + record(b"x", MAX_FRAME), "file/cut"),
        (MAGIC + record(GENESIS.encode()) + record(b"x", MAX_FRAME + 1), "file/record"),
        (MAGIC + record(b"") + record(b"x", 5), "file/cut"),
        (MAGIC + record(b""), "wire/undecodable"),
        (MAGIC + record(encode([])), "genesis/form"),
    ],
)
def test_what_is_no_game_file_says_why(data: bytes, code: str) -> None:
    """Sizes come before contents, record by record; the genesis is read when all records are there."""
    with pytest.raises(WireError, match=f"^{code}"):
        verify_game(data, ENTROPY)


@pytest.mark.must("F4")
def test_a_file_larger_than_any_game_is_not_looked_at() -> None:
    """The size goes before the magic."""
    with pytest.raises(WireError, match="file/size"):
        read_records(bytes(MAX_GAME_FILE + 1))


@pytest.mark.must("F3", "F4")
def test_a_genesis_alone_is_an_honest_beginning() -> None:
    """No record after it: nothing wrong, not complete; an empty record after it is a fault at its place."""
    alone = verify_game(write_game(GENESIS, []), ENTROPY)
    empty = verify_game(write_game(GENESIS, [b""]), ENTROPY)

    assert (alone.ok, alone.complete, alone.steps, alone.winners) == (True, False, 0, ())
    assert empty.fault is not None
    assert (empty.fault.code, empty.fault.seat, empty.fault.step) == ("wire/undecodable", 0, 0)


@pytest.mark.must("F5", "F6", "F7", "B6")
def test_what_a_verdict_says_and_counts() -> None:
    """Every count is what the log itself holds; a record after the end has no seat; a prefix has no winner."""
    n, table = 2, Coupled(2, seed=21, choose=choose)
    table.start()
    table.run()
    frames = table.sessions[0].log_frames()
    entries = [decode(decode(f, MAX_FRAME)[0], MAX_FRAME) for f in frames]
    kinds = Counter(Kind(e[5]) for e in entries)
    opens = [e[6][0 if e[5] == Kind.SHOW else 1] for e in entries if e[5] in {Kind.PLAY, Kind.SHOW}]
    whole = verify_game(write_game(table.genesis, frames), ENTROPY).as_json()
    more = verify_game(write_game(table.genesis, [*frames, frames[0]]), ENTROPY).as_json()
    prefix = verify_game(write_game(table.genesis, frames[:-1]), ENTROPY).as_json()

    assert whole["checks"] == {
        "signatures": len(frames),
        "commitments": n,
        "shuffle_proofs": kinds[Kind.SHUFFLE],
        "shares": n * ((n - 1) * table.genesis.rules.hand_size + 1) + kinds[Kind.SHARES],
        "opened_cards": sum(len(cards) for batches in opens for _, cards, _ in batches),
        "moves": kinds[Kind.PLAY],
        "audited_shuffles": kinds[Kind.SHUFFLE],
    }
    assert (whole["ok"], whole["layer"], whole["complete"], whole["rounds"]) == (True, "ok", True, 1)
    assert whole["steps"] == entries[-1][2] + 1
    assert (more["fault"]["code"], more["fault"]["seat"], more["fault"]["step"]) == ("log/order", None, whole["steps"])
    assert (more["ok"], more["layer"], more["complete"]) == (False, "chain", False)
    assert (prefix["ok"], prefix["complete"], prefix["rounds"], prefix["winners"]) == (True, False, 0, [])


SHARE, PROOF = bytes(32), bytes(64)


@pytest.mark.must("B1", "B2", "B3", "V9")
@pytest.mark.parametrize(
    ("read", "value", "code"),
    [
        (parse_play, [0, [], [], 0], "body/form"),
        (parse_play, [2, [], [], 0, []], "body/range"),
        (parse_play, [0, 1, [], 0, []], "body/form"),
        (parse_play, [0, [[4, []]], [], 0, []], "body/form"),
        (parse_play, [0, [[1, [], 0]], [], 0, []], "body/form"),
        (parse_play, [0, [[1, [[3]]]], [], 0, []], "body/form"),
        (parse_play, [0, [[1, [[3, 256]]]], [], 0, []], "body/range"),
        (parse_play, [0, [[2, 256, 0, []]], [], 0, []], "body/range"),
        (parse_play, [0, [[2, 0, 3, []]], [], 0, []], "body/range"),
        (parse_play, [0, [[3, 0, 256, 1]], [], 0, []], "body/range"),
        (parse_play, [0, [], [1, 2], 0, []], "body/form"),
        (parse_play, [0, [], [(255 << 16 | 255) + 1], 0, []], "body/range"),
        (parse_play, [0, [], [], 2, []], "body/range"),
        (parse_play, [0, [], [], 0, ["x"]], "body/range"),
        (parse_exchange, [1, 2], "body/form"),
        (parse_opens, [[0, [], PROOF]], "body/order"),
        (parse_opens, [[0, [[1, 2, SHARE], [1, 3, SHARE]], PROOF]], "body/order"),
        (parse_opens, [[1, [[1, 2, SHARE]], PROOF], [0, [[1, 2, SHARE]], PROOF]], "body/order"),
        (parse_opens, [[0, [[256, 2, SHARE]], PROOF]], "body/range"),
        (parse_opens, [[0, [[1, 256, SHARE]], PROOF]], "body/range"),
        (parse_opens, [[256, [[1, 2, SHARE]], PROOF]], "body/range"),
        (parse_opens, [[0, [[1, 2, SHARE[:-1]]], PROOF]], "body/length"),
        (parse_opens, [[0, [[1, 2, SHARE]], PROOF[:-1]]], "body/length"),
        (parse_play, [[], [], 0, 0, []], "body/range"),
        (parse_play, [0, [[2, 0, 3, 0]], [], 0, []], "body/range"),
        (parse_play, [0, [], 0, 2, []], "body/form"),
        (parse_opens, [[256, 0, 0]], "body/range"),
        (parse_opens, [[0, [], 0]], "body/order"),
    ],
)
def test_the_shape_of_a_body_has_its_codes(read: Callable[[Any], Any], value: Any, code: str) -> None:
    """Each wrong shape has its code; of several the first field decides, with all that it holds."""
    with pytest.raises(WireError, match=f"^{code}"):
        read(value)


@pytest.mark.skipif(not AVAILABLE, reason=MISSING)
@pytest.mark.must("W4")
@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\x92\xc0\xc1", "wire/undecodable"),
        (b"\x92\xcc\x01\xc0", "wire/value"),
        (b"\x80", "wire/value"),
        (b"\xcf" + bytes(7) + b"\x01", "wire/non-canonical"),
        (b"\xd3" + b"\xff" * 8, "wire/value"),
        (b"\x91" * 9 + b"\x01", "wire/value"),
        (b"\xdc\x04\x01" + b"\x01" * 1025, "wire/undecodable"),
    ],
)
def test_both_verifiers_name_the_same_defect_of_bytes(data: bytes, code: str, tmp_path: Path) -> None:
    """Bytes that are no canonical value have one code, as a genesis and as a record after it."""
    _, no_game = second_opinion(MAGIC + record(data), tmp_path)
    _, faulty = second_opinion(write_game(GENESIS, [data]), tmp_path)
    ours = verify_game(write_game(GENESIS, [data]), ENTROPY).fault

    assert ours is not None
    assert (no_game["error"], faulty["fault"]["code"], ours.code) == (code, code, code)
    with pytest.raises(WireError, match=f"^{code}"):
        verify_game(MAGIC + record(data), ENTROPY)
