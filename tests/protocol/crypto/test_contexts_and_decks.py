"""Hashing, contexts and decks: what they separate, what they refuse, and how they come back from bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto.audit import SEED, audit_seed, audit_shuffle
from protocol.crypto.context import commitment, ctx, joint_key, joint_nonce, rctx, seed_commitment
from protocol.crypto.deck import Deck, decode_deck, masks, permutation, start_deck
from protocol.crypto.g10 import generator
from protocol.crypto.group import IDENTITY, G, Q, add, neg
from protocol.crypto.hashing import H32, H, Hs, keyed, label, u8, u16, u32
from protocol.crypto.transcript import Transcript
from tests.protocol.crypto.crypto_world import T, chain, code_of, world

PARTS = st.lists(st.binary(max_size=12), max_size=4)


# ------------------------------------------------------------------ hashing


@given(PARTS, PARTS)
def test_hash_is_injective_on_lists(one: list[bytes], other: list[bytes]) -> None:
    """Two lists of parts hash alike only when they are equal: lengths are part of the preimage."""
    assert (H("tag", *one) == H("tag", *other)) == (one == other)


@given(PARTS, PARTS)
def test_keyed_hash_is_the_hash(common: list[bytes], further: list[bytes]) -> None:
    """The form with a common beginning gives the very same hashes, again and again."""
    finish = keyed("tag", *common)

    assert finish(*further) == finish(*further) == H("tag", *common, *further)


@pytest.mark.must("C5")
def test_hash_by_hand() -> None:
    """The preimage is the one of the spec, byte for byte."""
    expected = hashlib.sha512(b"\x03tag\x02\0\0\0ab\0\0\0\0").digest()

    assert expected == H("tag", b"ab", b"")
    assert expected[:32] == H32("tag", b"ab", b"")
    assert int.from_bytes(expected, "little") % Q == Hs("tag", b"ab", b"")


@pytest.mark.must("C4")
@pytest.mark.parametrize("text", ["", "x" * 256, "é"])
def test_tags_are_short_ascii(text: str) -> None:
    """A tag is ASCII of 1..255 characters."""
    with pytest.raises(ValueError, match=r"characters|ordinal"):
        label(text)


@pytest.mark.must("C4")
@pytest.mark.parametrize(("encode", "most"), [(u8, 2**8), (u16, 2**16), (u32, 2**32)])
def test_integers_have_fixed_widths(encode: Callable[[int], bytes], most: int) -> None:
    """Integers are little-endian of a fixed width and never wrap."""
    assert encode(most - 1) == b"\xff" * len(encode(0))
    assert encode(1)[0] == 1
    for outside in (-1, most):
        with pytest.raises(OverflowError):
            encode(outside)


def test_transcripts_separate() -> None:
    """Label, name, data, order and kind of step all change what follows."""

    def run(name: str, *steps: tuple[str, bytes]) -> bytes:
        t = Transcript(name)
        for step, data in steps:
            t.absorb(step, data)
        return t.state

    states = [
        run("a"),
        run("b"),
        run("a", ("x", b"")),
        run("a", ("y", b"")),
        run("a", ("x", b"1")),
        run("a", ("x", b"1"), ("y", b"2")),
        run("a", ("y", b"2"), ("x", b"1")),
        run("a", ("x", b"1\x01y")),
    ]
    t = Transcript("a")
    t.challenge("x")

    assert len({*states, t.state}) == 9


def test_vector_entries_are_a_prefix() -> None:
    """Entries depend on their number only, and differ from a challenge of that name."""
    short, long, single = Transcript("a"), Transcript("a"), Transcript("a")
    entries = long.vector("t", 5)

    assert short.vector("t", 2) == entries[:2]
    assert single.challenge("t") not in entries
    assert short.state == long.state == single.state


# ------------------------------------------------------------------ contexts


KEYS = [bytes((i,)) * 32 for i in range(3)]
CTX: dict[str, Any] = {"table_id": b"T" * 16, "round_number": 1, "id_pks": KEYS, "rules_hash": bytes(32), "mode": 0}


@pytest.mark.must("C10")
@pytest.mark.parametrize(
    "changed",
    [
        {"table_id": b"U" * 16},
        {"round_number": 2},
        {"id_pks": KEYS[:2]},
        {"id_pks": KEYS[::-1]},
        {"rules_hash": b"\1" * 32},
        {"mode": 1},
    ],
)
def test_context_separates(changed: dict[str, Any]) -> None:
    """Another table, round, roster, order of seats, rule card or mode is another context."""
    assert ctx(**CTX) != ctx(**(CTX | changed))


@pytest.mark.parametrize(
    "changed",
    [
        {"table_id": bytes(15)},
        {"rules_hash": bytes(31)},
        {"id_pks": [bytes(31), bytes(32)]},
        {"id_pks": [KEYS[0], KEYS[1], KEYS[0]]},
    ],
)
def test_context_refuses(changed: dict[str, Any]) -> None:
    """Wrong widths, and one key on two seats, are refused."""
    with pytest.raises(ValueError, match=r"bytes|distinct"):
        ctx(**(CTX | changed))


@pytest.mark.must("C12", "C13")
def test_every_value_of_a_round_is_bound() -> None:
    """Each opened value, and its place, changes the commitments, R or the round context."""
    w = world(3)
    a, b = w.H_is[:2]
    values = [
        w.rctx(0),
        w.rctx(1),
        rctx(w.ctx, w.R, (b, a, w.H_is[2]), w.S_is, 0),
        rctx(w.ctx, w.R, w.H_is, w.S_is[::-1], 0),
        rctx(w.ctx, bytes(32), w.H_is, w.S_is, 0),
        rctx(bytes(32), w.R, w.H_is, w.S_is, 0),
        joint_nonce(w.ctx, w.rho),
        joint_nonce(w.ctx, w.rho[::-1]),
        seed_commitment(w.ctx, 0, w.s[0]),
        seed_commitment(w.ctx, 1, w.s[0]),
        commitment(w.ctx, 0, a, w.S_is[0], w.rho[0]),
        commitment(w.ctx, 1, a, w.S_is[0], w.rho[0]),
        commitment(w.ctx, 0, b, w.S_is[0], w.rho[0]),
        commitment(w.ctx, 0, a, w.S_is[1], w.rho[0]),
        commitment(w.ctx, 0, a, w.S_is[0], w.rho[1]),
    ]

    assert len(set(values)) == len(values)


@pytest.mark.must("C12")
def test_joint_key_may_vanish() -> None:
    """Keys that cancel give the identity: the session voids that attempt."""
    assert joint_key([T, G, neg(add(T, G))]) == IDENTITY
    assert joint_key([T, G]) == add(T, G)


def test_seed_width() -> None:
    """A seed has 32 bytes; a revealed one of another width is simply not the committed one."""
    w = world(2)
    with pytest.raises(ValueError, match="32 bytes"):
        seed_commitment(w.ctx, 0, bytes(31))

    assert audit_seed(w.ctx, 0, w.S_is[0], w.s[0][:31]) == SEED


@pytest.mark.must("C87")
def test_audit_names_the_seed_first() -> None:
    """With a wrong seed the shuffle is not even looked at."""
    c = chain(5, 2)
    w = c.world
    verdict = audit_shuffle(
        w.ctx, 0, w.S_is[0], w.s[1], R=w.R, epoch=0, rctx=c.rctx, H=w.H, deck_in=c.decks[1], deck_out=c.decks[1]
    )

    assert verdict == SEED


# ------------------------------------------------------------------ decks


@pytest.mark.parametrize("size", [2, 5, 12])
def test_decks_round_trip(size: int) -> None:
    """A deck decodes to itself from its 64 bytes a card, with nothing left to fold."""
    for deck in chain(size, 2).decks:
        data = deck.encode()
        again = decode_deck(data, size)

        assert len(data) == 64 * size
        assert (again, again.start) == (deck, None)


@given(st.binary(max_size=200))
def test_any_bytes_as_a_deck_get_a_verdict(data: bytes) -> None:
    """Arbitrary bytes are a deck of two cards or a CryptoError naming length or point."""
    assert code_of(lambda: decode_deck(data, 2)) in {"valid", "deck/length", "deck/point"}


@pytest.mark.parametrize("at", range(4))
@pytest.mark.parametrize("bad", [IDENTITY, (2**255 - 15).to_bytes(32, "little")])
def test_every_point_of_a_deck_is_gated(at: int, bad: bytes) -> None:
    """An invalid point at any place is refused."""
    data = chain(2, 2).decks[1].encode()
    changed = data[: 32 * at] + bad + data[32 * at + 32 :]

    assert code_of(lambda: decode_deck(data, 2)) == "valid"
    assert code_of(lambda: decode_deck(changed, 2)) == "deck/point"


@pytest.mark.parametrize("length", [0, 64, 127, 129, 192])
def test_deck_length(length: int) -> None:
    """A deck of n cards has exactly 64 n bytes."""
    assert code_of(lambda: decode_deck((chain(5, 2).decks[1].encode())[:length], 2)) == "deck/length"


@pytest.mark.must("C21")
@pytest.mark.parametrize("ids", [(), (3,), (1, 1), (2, 1), tuple(range(257))])
def test_start_deck_refuses(ids: tuple[int, ...]) -> None:
    """A start deck has 2..256 ids in strictly ascending order."""
    with pytest.raises(ValueError, match="ascending"):
        start_deck(ids, G)


def test_equality_ignores_what_is_known_about_a_deck() -> None:
    """A start deck equals the same cards received."""
    first = chain(2, 2).decks[0]

    assert first == Deck(first.A, first.B)
    assert first != Deck(first.B, first.A)


SHUFFLE_INPUTS: list[tuple[str, bytes | int]] = [("s", T), ("R", T), ("epoch", 1), ("din", T)]


@pytest.mark.must("C22")
@pytest.mark.parametrize(("name", "value"), SHUFFLE_INPUTS)
def test_order_and_masks_are_bound(name: str, value: bytes | int) -> None:
    """Another seed, joint nonce, epoch or input deck gives another order and masks that share no value."""
    inputs: dict[str, Any] = {"s": bytes(32), "R": bytes(32), "epoch": 0, "din": bytes(32), "n": 108}
    other = inputs | {name: value}

    assert permutation(**inputs) == permutation(**inputs) != permutation(**other)
    assert not set(masks(**inputs)) & set(masks(**other))
    assert len(set(masks(**inputs))) == 108


@pytest.mark.parametrize("i", [0, 257])
def test_generators_are_bounded(i: int) -> None:
    """There are 256 generators, counted from 1."""
    with pytest.raises(ValueError, match="generator"):
        generator(i)
