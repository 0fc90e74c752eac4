"""The game file: no bit of it can be changed, no garbage crashes its reader."""

from __future__ import annotations

import functools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from node.policy import choose
from protocol.errors import WireError
from protocol.session.gamefile import MAGIC, read_records, write_game
from protocol.session.genesis import decode_genesis
from protocol.session.session import NextRound
from protocol.session.verify import verify_game
from protocol.session.view import Stage
from tests.coupled import Coupled

ENTROPY = bytes(32)


@functools.cache
def game() -> bytes:
    """A whole file of one round at two seats."""
    table = Coupled(2, seed=21, choose=choose)
    table.start()
    table.run()
    return write_game(table.genesis, table.sessions[0].log_frames())


def refused(data: bytes) -> bool:
    """Whether a verifier refuses these bytes, with a fault or as no game."""
    try:
        return not verify_game(data, ENTROPY).ok
    except WireError:
        return True


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0), st.integers(0, 7))
def test_any_flipped_bit_is_refused(place: int, bit: int) -> None:
    """One changed bit anywhere in a game file is found."""
    data = bytearray(game())
    data[place % len(data)] ^= 1 << bit

    assert refused(bytes(data))


def test_every_bit_of_the_first_and_last_bytes_is_covered() -> None:
    """Also the bytes that no later entry covers: magic, genesis, and the last signature."""
    data = game()
    places = [*range(60), *range(len(data) - 70, len(data), 7)]
    for place in places:
        changed = bytearray(data)
        changed[place] ^= 1

        assert refused(bytes(changed)), place


def test_records_may_not_be_left_out_repeated_or_exchanged() -> None:
    """The order of records is part of the file."""
    genesis, frames = read_records(game())
    table = decode_genesis(genesis)
    for k in (0, 3, 8, len(frames) - 2):
        left_out = write_game(table, frames[:k] + frames[k + 1 :])
        assert refused(left_out) or not verify_game(left_out, ENTROPY).complete
        assert refused(write_game(table, frames[: k + 1] + frames[k:]))
        assert refused(write_game(table, [*frames[:k], frames[k + 1], frames[k], *frames[k + 2 :]]))
    assert refused(write_game(table, [*frames, frames[-1]]))


def test_the_open_step_of_an_unfinished_game_may_lack_any_seat() -> None:
    """Whoever has spoken in the last step, in whatever subset: an honest prefix is no fault of anybody."""
    table = Coupled(3, seed=2, choose=choose, max_rounds=0)
    table.patient_seats = True
    table.sessions = [table.make(i) for i in range(3)]
    table.start()
    table.run(until=lambda: all(s.view().stage is Stage.BETWEEN for s in table.sessions))
    table.carry_out(2, table.sessions[2].act(NextRound()))
    table.carry_out(1, table.sessions[1].act(NextRound()))
    while table.deliver_next():
        pass
    for session in table.sessions:
        verdict = verify_game(write_game(table.genesis, session.log_frames()), ENTROPY)

        assert (verdict.ok, verdict.complete, verdict.fault) == (True, False, None)


def test_a_file_cut_inside_a_record_is_no_game() -> None:
    """Every cut that is not between two records is unreadable."""
    data = game()
    for cut in (1, 2, 3, 5, 40, 70):
        with pytest.raises(WireError, match="file/cut"):
            verify_game(data[:-cut], ENTROPY)


@given(st.binary(max_size=200))
def test_garbage_is_no_game(data: bytes) -> None:
    """Arbitrary bytes, with or without the magic, end in a typed error."""
    for candidate in (data, MAGIC + data, MAGIC + len(data).to_bytes(4, "little") + data):
        with pytest.raises(WireError):
            verify_game(candidate, ENTROPY)


def test_the_genesis_survives_its_bytes() -> None:
    """Decoding a genesis gives back what was encoded."""
    genesis, _ = read_records(game())

    assert genesis == decode_genesis(genesis).encode()
