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
from protocol.wire.entry import Kind, sign_entry
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


@pytest.mark.must("F2")
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


@pytest.mark.must("F3")
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


@pytest.mark.must("F1")
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


def claims_of(*said: tuple[int, int]) -> bytes:
    """A game of five that begins with EXPIRED entries (seat, mask) in its first step."""
    table = Coupled(5, seed=3)
    head = table.sessions[0].position().head
    frames = [
        sign_entry(table.keys[seat], table.genesis.table, 0, seat, head, Kind.EXPIRED, [mask]).frame
        for seat, mask in said
    ]
    return write_game(table.genesis, frames)


@pytest.mark.must("F2")
def test_claims_of_one_step_all_say_the_same_mask() -> None:
    """A second EXPIRED with another mask has no place in a file, whoever signed it; nobody is named."""
    honest = verify_game(claims_of((0, 0b11000), (1, 0b11000)), ENTROPY)
    mixed = verify_game(claims_of((0, 0b11000), (0, 0b10000)), ENTROPY).fault
    other = verify_game(claims_of((0, 0b11000), (1, 0b10000)), ENTROPY).fault
    closed = verify_game(claims_of((0, 0b11000), (1, 0b11000), (2, 0b11000)), ENTROPY)

    assert (honest.ok, honest.complete, honest.departed) == (True, False, ())
    assert (mixed and mixed.code, mixed and mixed.seat) == ("log/order", 1)
    assert (other and other.code, other and other.seat) == ("log/order", 1)
    assert not (mixed and mixed.names)
    assert (closed.ok, closed.departed) == (True, (3, 4))


@pytest.mark.must("F2", "V4")
@pytest.mark.parametrize(
    ("seat", "mask"), [(0, 0), (0, 0b1), (0, 0b111000), (0, 0b11100), (1, 0b11000), (3, 0b11000), (0, 255)]
)
def test_a_claim_that_cannot_be_first_has_no_place(seat: int, mask: int) -> None:
    """A mask that counts for nothing, or a claimant who is not the first: `log/order` at the place, nobody is named."""
    fault = verify_game(claims_of((seat, mask)), ENTROPY).fault

    assert fault is not None
    assert (fault.code, fault.seat, fault.step, fault.names) == ("log/order", 0, 0, False)


@pytest.mark.must("E6", "F2")
@pytest.mark.parametrize("kind", [Kind.EXPIRED, Kind.HELD, Kind.GOODBYE])
def test_what_is_said_beside_a_step_never_stands_for_its_entry(kind: Kind) -> None:
    """An honest seat says these beside its entry; put in its place they name nobody."""
    table = Coupled(3, seed=3)
    table.start()
    first = table.sessions[0].log_frames()[0]
    body = [] if kind is Kind.GOODBYE else [0b100]
    beside = sign_entry(table.keys[1], table.genesis.table, 0, 1, table.sessions[0].position().head, kind, body)
    fault = verify_game(write_game(table.genesis, [first, beside.frame]), ENTROPY).fault

    assert fault is not None
    assert (fault.code, fault.seat, fault.names) == ("log/order", 1, False)


@pytest.mark.must("W3", "F4")
def test_an_oversize_record_is_no_game() -> None:
    """A record larger than any entry is refused before it is read."""
    genesis, _ = read_records(game())
    with pytest.raises(WireError, match="file/record"):
        verify_game(write_game(decode_genesis(genesis), [bytes(65_537)]), ENTROPY)
