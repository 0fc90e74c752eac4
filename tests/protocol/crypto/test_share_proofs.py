"""Key proofs and decryption shares beyond the published cases: every bound value, every field, batches, cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.crypto.deck import card_point, find_card, residual
from protocol.crypto.group import IDENTITY, Point, Q, add, base, encode_scalar, mul, neg
from protocol.crypto.hashing import H32, Hp, u8
from protocol.crypto.proofs import (
    ALL,
    PURPOSE_DEAL,
    PURPOSE_DRAW,
    PURPOSE_OPEN,
    PURPOSE_UPCARD,
    prove_key,
    prove_shares,
    verify_card,
    verify_key,
    verify_shares,
)
from protocol.errors import CryptoError
from tests.protocol.crypto.crypto_world import RND, T, chain, code_of, world


@dataclass(frozen=True)
class Claim:
    """Shares as a verifier sees them."""

    rctx: bytes
    deck_hash: bytes
    seat: int
    purpose: int
    to: int
    slots: Sequence[tuple[int, int]]
    H_j: Point
    As: Sequence[Point]
    Ds: Sequence[Point]
    proof: bytes

    def verdict(self) -> str:
        """The code, or valid."""
        return code_of(
            lambda: verify_shares(
                self.rctx,
                self.deck_hash,
                self.seat,
                self.purpose,
                self.to,
                self.slots,
                self.H_j,
                self.As,
                self.Ds,
                self.proof,
            )
        )


def claim(count: int, seat: int = 1) -> Claim:
    """An honest claim over the first `count` slots of the 12-card chain."""
    c = chain(12, 4)
    slots = [(0, k) for k in range(count)]
    As = list(c.decks[-1].A[:count])
    Ds, proof = prove_shares(c.rctx, c.deck_hash, seat, PURPOSE_DEAL, 0, slots, c.world.x[seat], As, RND)
    return Claim(c.rctx, c.deck_hash, seat, PURPOSE_DEAL, 0, slots, c.world.H_is[seat], As, Ds, proof)


@pytest.mark.parametrize("count", [1, 2, 3, 12])
@pytest.mark.parametrize("seat", range(4))
def test_honest_shares_verify(count: int, seat: int) -> None:
    """Shares of any number of slots verify, one proof for all, and are x A."""
    honest = claim(count, seat)

    assert honest.verdict() == "valid"
    assert list(honest.Ds) == [mul(world(4).x[seat], A) for A in honest.As]
    assert len(honest.proof) == 64


@pytest.mark.must("C51", "C52")
@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize(
    "changed",
    [
        {"rctx": world(4).rctx(1)},
        {"deck_hash": H32("test/deck")},
        {"seat": 2},
        {"purpose": PURPOSE_DRAW},
        {"purpose": PURPOSE_OPEN},
        {"purpose": PURPOSE_UPCARD},
        {"to": 2},
        {"to": ALL},
        {"H_j": world(4).H_is[2]},
        {"H_j": add(world(4).H_is[1], T)},
    ],
)
def test_shares_bind_their_use(count: int, changed: dict[str, Any]) -> None:
    """Shares given for one use are refused for any other round, deck, seat, purpose, recipient or key."""
    assert replace(claim(count), **changed).verdict() == "dleq/dleq"


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("moved", [(1, 0), (0, 100), (0, 256)])
def test_shares_bind_their_slots(count: int, moved: tuple[int, int]) -> None:
    """The same points claimed for another index or another epoch are refused."""
    honest = claim(count)

    assert replace(honest, slots=[moved, *honest.slots[1:]]).verdict() == "dleq/dleq"


def test_shares_bind_their_ciphertexts() -> None:
    """Right shares of other ciphertexts are refused, alone and inside a batch, and order matters."""
    one, three = claim(1), claim(3)
    other = chain(12, 4).decks[-1].A[7]

    assert replace(one, As=[other]).verdict() == "dleq/dleq"
    assert replace(three, As=[other, *three.As[1:]]).verdict() == "dleq/dleq"
    assert replace(three, As=three.As[::-1], Ds=three.Ds[::-1]).verdict() == "dleq/dleq"


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda D: add(D, T), "dleq/dleq"),
        (neg, "dleq/dleq"),
        (lambda D: mul(2, D), "dleq/dleq"),
        (lambda D: IDENTITY, "dleq/point"),
        (lambda D: D[:31] + bytes((D[31] | 0x80,)), "dleq/point"),
        (lambda D: (2**255 - 15).to_bytes(32, "little"), "dleq/point"),
        (lambda D: D[:31], "dleq/length"),
    ],
)
def test_every_wrong_share_is_refused(count: int, change: Any, code: str) -> None:
    """A changed share is refused wherever it stands in the batch."""
    honest = claim(count)
    for k in range(count):
        Ds = [change(D) if i == k else D for i, D in enumerate(honest.Ds)]

        assert replace(honest, Ds=Ds).verdict() == code


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("at", [0, 32])
@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda v: (v + 1) % Q, "dleq/dleq"),
        (lambda v: -v % Q, "dleq/dleq"),
        (lambda v: v + Q, "dleq/scalar"),
        (lambda v: 2**256 - 1, "dleq/scalar"),
    ],
)
def test_every_wrong_proof_field_is_refused(count: int, at: int, change: Any, code: str) -> None:
    """A changed half of the proof is refused, by the scalar gate where it is not reduced."""
    honest = claim(count)
    value = change(int.from_bytes(honest.proof[at : at + 32], "little"))
    proof = honest.proof[:at] + value.to_bytes(32, "little") + honest.proof[at + 32 :]

    assert replace(honest, proof=proof).verdict() == code


def test_zero_response_is_legal_and_zero_challenge_is_not() -> None:
    """S = 0 is only wrong because it does not fit; c = 0 is refused as a challenge."""
    honest = claim(1)

    assert replace(honest, proof=honest.proof[:32] + bytes(32)).verdict() == "dleq/dleq"
    assert replace(honest, proof=bytes(32) + honest.proof[32:]).verdict() == "dleq/challenge"


def test_lengths_of_shares() -> None:
    """No slots, a missing or extra share, and a proof of another length are refused as lengths."""
    honest = claim(3)
    wrong = [
        replace(honest, slots=[], As=[], Ds=[]),
        replace(honest, Ds=honest.Ds[:-1]),
        replace(honest, Ds=[*honest.Ds, T]),
        replace(honest, As=honest.As[:-1]),
        replace(honest, proof=honest.proof[:-1]),
        replace(honest, proof=honest.proof + b"\0"),
        replace(honest, proof=b""),
    ]

    assert {"dleq/length"} == {one.verdict() for one in wrong}


def test_prover_refuses_mixed_epochs() -> None:
    """One batch never mixes epochs, is never empty, and has a ciphertext for each slot."""
    c = chain(12, 4)
    A = c.decks[-1].A
    for slots, As in (([(0, 1), (1, 2)], A[:2]), ([], ()), ([(0, 1)], A[:2])):
        with pytest.raises(ValueError, match="one epoch"):
            prove_shares(c.rctx, c.deck_hash, 0, PURPOSE_OPEN, ALL, slots, c.world.x[0], As, RND)


def test_nonces_differ_with_the_statement() -> None:
    """With the same random string, another statement has another nonce: no two proofs give the key away."""
    c = chain(12, 4)
    w, A = c.world, c.decks[-1].A
    x = w.x[0]
    nonces = set()
    for purpose in (PURPOSE_DEAL, PURPOSE_DRAW, PURPOSE_OPEN):
        for to in (1, 2):
            _, proof = prove_shares(c.rctx, c.deck_hash, 0, purpose, to, [(0, 3)], x, [A[3]], RND)
            challenge, s = int.from_bytes(proof[:32], "little"), int.from_bytes(proof[32:], "little")
            nonces.add((s - challenge * x) % Q)
    proof = prove_key(w.ctx, 0, x, RND)
    nonces.add((int.from_bytes(proof[32:], "little") - int.from_bytes(proof[:32], "little") * x) % Q)

    assert len(nonces) == 7


# ------------------------------------------------------------------ key proofs


@pytest.mark.parametrize("n", range(2, 8))
def test_key_proofs_of_every_seat(n: int) -> None:
    """Each seat's key proof verifies for it, and for no other seat, key or context."""
    w = world(n)
    for i, x in enumerate(w.x):
        proof = prove_key(w.ctx, i, x, RND)
        verify_key(w.ctx, i, w.H_is[i], proof)
        j = (i + 1) % n

        assert code_of(verify_key, w.ctx, j, w.H_is[i], proof) == "pok/pok"
        assert code_of(verify_key, w.ctx, i, w.H_is[j], proof) == "pok/pok"
        assert code_of(verify_key, world(n, 2).ctx, i, w.H_is[i], proof) == "pok/pok"


@pytest.mark.parametrize("length", [0, 32, 63, 65])
def test_key_proof_length(length: int) -> None:
    """A key proof has 64 bytes; a key 32."""
    w = world(2)
    proof = prove_key(w.ctx, 0, w.x[0], RND)

    assert code_of(verify_key, w.ctx, 0, w.H_is[0], (proof + proof)[:length]) == "pok/length"
    assert code_of(verify_key, w.ctx, 0, w.H_is[0] + b"\0", proof) == "pok/length"


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=40), st.binary(max_size=80))
def test_any_bytes_as_a_key_get_a_verdict(key: bytes, proof: bytes) -> None:
    """Arbitrary bytes as a key and a proof get a CryptoError and nothing else."""
    with pytest.raises(CryptoError):
        verify_key(world(2).ctx, 0, key, proof)


# ------------------------------------------------------------------ opening cards


@pytest.mark.must("C63")
@pytest.mark.parametrize("slot", range(12))
def test_each_slot_opens_as_its_card_only(slot: int) -> None:
    """A slot opens as one id: every other id, and the same id in a deck that has it not, is refused."""
    c = chain(12, 4)
    owner = slot % 4
    D = mul(c.world.x[owner], c.decks[-1].A[slot])
    R_s = c.residual(owner, slot)
    accepted = [card for card in c.ids if code_of(verify_card, R_s, D, card, c.ids) == "valid"]
    (card,) = accepted

    assert find_card(c.card_of(slot), c.ids) == card
    assert code_of(lambda: verify_card(R_s, D, card, [i for i in c.ids if i != card])) == "card/card"
    assert code_of(lambda: verify_card(R_s, D, -1, c.ids)) == "card/card"


@pytest.mark.must("C62")
def test_slot_needs_every_key() -> None:
    """With any one share missing a slot decodes to no card at all."""
    c = chain(12, 4)
    deck = c.decks[-1]
    for slot in range(12):
        shares = [mul(x, deck.A[slot]) for x in c.world.x]
        for missing in range(4):
            others = shares[:missing] + shares[missing + 1 :]

            assert find_card(residual(deck.B[slot], others), range(256)) is None


def test_find_card() -> None:
    """A card point is found among the ids of its deck only; other points are no card."""
    assert find_card(card_point(7), range(108)) == 7
    assert find_card(card_point(7), (6, 8)) is None
    assert find_card(card_point(255), range(256)) == 255
    assert find_card(T, range(256)) is None
    assert find_card(card_point(0), ()) is None


@pytest.mark.parametrize("c", [-1, 256])
def test_card_ids_are_bounded(c: int) -> None:
    """There are 256 card points."""
    with pytest.raises(ValueError, match="card id"):
        card_point(c)


def test_card_points_are_distinct_from_generators() -> None:
    """No two constants are equal, and none is a small multiple of G."""
    cards = {card_point(c) for c in range(256)}
    small = {base(k) for k in range(1000)}

    assert len(cards) == 256
    assert not cards & small
    assert Hp("dz1/card", u8(0) + u8(0)) in cards
    assert encode_scalar(0) not in cards
