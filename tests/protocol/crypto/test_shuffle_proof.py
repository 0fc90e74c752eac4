"""The shuffle proof beyond the published cases: completeness, mutations, cheats, merged against single."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.crypto.context import deckhash
from protocol.crypto.deck import Deck, find_card, remask, shuffle, start_deck
from protocol.crypto.g10 import POINTS, proof_bytes, statement
from protocol.crypto.group import IDENTITY, Q, add, base, encode_scalar, msum, neg, sub
from protocol.crypto.hashing import H32, Hs, u8
from protocol.crypto.shuffle import ChainError, prepare, prove, verify, verify_chain
from protocol.errors import CryptoError, InternalError
from tests.protocol.crypto.crypto_world import (
    RND,
    Chain,
    T,
    blinders,
    chain,
    code_of,
    prove_with,
    replace_card,
    swap_cards,
    weights,
    world,
)


def single(c: Chain, proof: bytes, *, link: int = 0, deck_out: Deck | None = None) -> str:
    """Verdict of single verification of one link."""
    out = c.decks[link + 1] if deck_out is None else deck_out
    return code_of(lambda: verify(c.rctx, link, c.world.H, c.decks[link], out, proof))


def merged(c: Chain, proof: bytes, *, link: int = 0, deck_out: Deck | None = None) -> str:
    """Verdict of the merged form over the one link, with no start deck to fold."""
    out = c.decks[link + 1] if deck_out is None else deck_out
    plain = replace(c.decks[link], start=None)
    return code_of(lambda: verify_chain(c.rctx, c.world.H, plain, [(link, out, proof)], weights))


# ------------------------------------------------------------------ completeness


@pytest.mark.parametrize(
    ("size", "seats"), [(2, 2), (2, 7), (3, 3), (5, 4), (12, 7), (12, 2), (60, 3), (104, 2), (162, 2), (216, 2)]
)
def test_honest_chain_is_accepted(size: int, seats: int) -> None:
    """Honest shuffles of any deck size and number of seats verify merged, and the last one singly."""
    c = chain(size, seats)
    verify_chain(c.rctx, c.world.H, c.ids, c.links, weights)
    last = seats - 1

    assert single(c, c.proofs[last], link=last) == "valid"
    assert {proof_bytes(size)} == {len(proof) for proof in c.proofs}


@pytest.mark.parametrize(("size", "seats"), [(2, 2), (5, 4), (12, 7)])
def test_every_card_comes_out_once(size: int, seats: int) -> None:
    """Opened with all keys, the final deck is a permutation of the ids."""
    c = chain(size, seats)
    found = [find_card(c.card_of(slot), c.ids) for slot in range(size)]

    assert sorted(c.ids) == sorted(card for card in found if card is not None)


def test_largest_deck() -> None:
    """The largest deck there can be, 256 cards, proves and verifies."""
    w = world(2)
    ids = tuple(range(256))
    first = start_deck(ids, w.H)
    out, perm, r = shuffle(first, w.H, w.s[0], w.R, 0, w.rctx())
    proof = prove(w.rctx(), 0, w.H, first, out, perm, r, w.s[0], RND)
    verify_chain(w.rctx(), w.H, first, [(0, out, proof)], weights)

    assert len(proof) == proof_bytes(256)


# ------------------------------------------------------------------ own links in a chain


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("folded", [False, True])
def test_own_link_is_skipped(seat: int, folded: bool) -> None:
    """A player checks the others' proofs only; its own proof may be absent, its own deck folded away."""
    c = chain(12, 4)
    links = c.links
    links[seat] = (seat, c.decks[seat + 1], b"")
    own = {seat: c.witnesses[seat]} if folded else None
    verify_chain(c.rctx, c.world.H, c.ids, links, weights, {seat}, own)

    for other in set(range(4)) - {seat}:
        broken = list(links)
        broken[other] = (other, links[other][1], plus_one(links[other][2], -1))
        with pytest.raises(ChainError) as caught:
            verify_chain(c.rctx, c.world.H, c.ids, broken, weights, {seat}, own)
        assert (caught.value.seat, caught.value.link, caught.value.code) == (other, other, "proof/V2")


def test_wrong_own_witness_names_nobody() -> None:
    """Folding with a wrong witness only costs the single checks, which decide."""
    c = chain(5, 4)
    verify_chain(c.rctx, c.world.H, c.ids, c.links, weights, (), {1: c.witnesses[2]})

    broken = c.links
    broken[3] = (3, broken[3][1], plus_one(broken[3][2], -1))
    with pytest.raises(ChainError) as caught:
        verify_chain(c.rctx, c.world.H, c.ids, broken, weights, (), {1: c.witnesses[2]})
    assert caught.value.seat == 3


def test_nothing_to_check() -> None:
    """A chain of own links only asks for no weights."""

    def no_weights(_: int) -> bytes:
        raise AssertionError

    c = chain(5, 2)
    verify_chain(c.rctx, c.world.H, c.ids, c.links, no_weights, {0, 1})

    with pytest.raises(AssertionError):
        verify_chain(c.rctx, c.world.H, c.ids, c.links, no_weights, {0})


def test_first_bad_link_is_named() -> None:
    """With several bad links the first one is named, whichever check it fails."""
    c = chain(5, 4)
    links = c.links
    links[1] = (1, links[1][1], plus_one(links[1][2], -1))
    links[2] = (2, links[2][1], links[2][2][:-32])
    with pytest.raises(ChainError) as caught:
        verify_chain(c.rctx, c.world.H, c.ids, links, weights)

    assert (caught.value.seat, caught.value.code) == (1, "proof/V2")


def test_shorter_deck_in_a_chain() -> None:
    """A deck of another length in the middle is its seat's fault."""
    c = chain(5, 4)
    links = c.links
    links[1] = (1, Deck(links[1][1].A[:-1], links[1][1].B[:-1]), links[1][2])
    with pytest.raises(ChainError) as caught:
        verify_chain(c.rctx, c.world.H, c.ids, links, weights)

    assert (caught.value.seat, caught.value.code) == (1, "proof/length")


# ------------------------------------------------------------------ mutations of every field


def plus_one(proof: bytes, at: int) -> bytes:
    """The proof with 1 added to a scalar, by its position among all words."""
    at %= len(proof) // 32
    value = int.from_bytes(proof[32 * at : 32 * at + 32], "little")
    return proof[: 32 * at] + encode_scalar(value + 1) + proof[32 * at + 32 :]


NOT_CANONICAL = (2**255 - 15).to_bytes(32, "little")
POINT_CHANGES: dict[str, Callable[[bytes], bytes]] = {
    "identity": lambda word: IDENTITY,
    "other": lambda word: add(word, T),
    "negation": neg,
    "non-canonical": lambda word: NOT_CANONICAL,
    "bit 255": lambda word: word[:31] + bytes((word[31] | 0x80,)),
}


def scalar_change(change: Callable[[int], int]) -> Callable[[bytes], bytes]:
    """A change of the encoded integer."""
    return lambda word: change(int.from_bytes(word, "little")).to_bytes(32, "little")


SCALAR_CHANGES: dict[str, Callable[[bytes], bytes]] = {
    "plus one": scalar_change(lambda s: (s + 1) % Q),
    "negation": scalar_change(lambda s: -s % Q),
    "plus q": scalar_change(lambda s: s + Q),
    "zero": scalar_change(lambda s: 0),
}
LAYERS = {
    "identity": {"proof/point"},
    "non-canonical": {"proof/point"},
    "bit 255": {"proof/point"},
    "plus q": {"proof/scalar"},
}
SUMS = {"proof/V0", "proof/V1", "proof/V2", "proof/V3", "proof/V4"}
N_FIELDS = proof_bytes(12) // 32


@pytest.mark.parametrize("field", range(N_FIELDS))
def test_every_field_of_a_proof(field: int) -> None:
    """Any change of any 32-byte field is refused, for the right reason, alike by both forms."""
    c = chain(12, 2)
    proof = c.proofs[1]
    word = proof[32 * field : 32 * field + 32]
    changes = POINT_CHANGES if field < POINTS else SCALAR_CHANGES
    for name, change in changes.items():
        mutant = proof[: 32 * field] + change(word) + proof[32 * field + 32 :]
        verdict = single(c, mutant, link=1)

        assert verdict in LAYERS.get(name, SUMS), name
        assert verdict == merged(c, mutant, link=1), name


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_changed_bit_is_refused(data: st.DataObject) -> None:
    """A proof with any bit flipped is refused, and the gate or a sum says so, never a crash."""
    c = chain(3, 3)
    proof = bytearray(c.proofs[1])
    bit = data.draw(st.integers(0, 8 * len(proof) - 1))
    proof[bit // 8] ^= 1 << bit % 8

    verdict = single(c, bytes(proof), link=1)
    assert verdict in {"proof/point", "proof/scalar"} | SUMS
    assert verdict == merged(c, bytes(proof), link=1)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=32 * 20))
def test_any_bytes_get_a_verdict(data: bytes) -> None:
    """Arbitrary bytes as a proof get a CryptoError and nothing else."""
    c = chain(3, 3)

    assert single(c, data) == merged(c, data) != "valid"


# ------------------------------------------------------------------ zero scalars


def _with_zeros(*zeros: tuple[int, int]) -> Callable[[int, int], int]:
    honest = blinders()
    return lambda L, j: 0 if (L, j) in zeros or (L, 0) in zeros else honest(L, j)


@pytest.mark.parametrize("link", [0, 1])
def test_zero_openings_are_legal(link: int) -> None:
    """Blinders r_c, r_d, r', r_D, r_a of zero give z = z_D = 0 on the wire, valid by both forms."""
    c = chain(5, 2)
    proof = prove_with(c, link, _with_zeros((2, 0), (3, 0), (7, 0), (8, 0), (9, 0)))

    assert proof[-64:] == bytes(64)
    assert single(c, proof, link=link) == merged(c, proof, link=link) == "valid"


@pytest.mark.parametrize("link", [0, 1])
def test_zero_g_is_legal(link: int) -> None:
    """Blinders that make g_1 zero on the wire are valid by both forms."""
    c = chain(5, 2)
    proof = prove_with(c, link, _with_zeros((5, 1), (5, 2), (6, 2)))
    g_1 = 32 * (POINTS + 2 * 5 + 1)

    assert proof[g_1 : g_1 + 32] == bytes(32)
    assert single(c, proof, link=link) == merged(c, proof, link=link) == "valid"


def test_identity_commitment_is_refused() -> None:
    """Blinders that make a commitment the identity are refused at the gate, by both forms."""
    c = chain(5, 2)
    proof = prove_with(c, 0, lambda L, j: 0)

    assert single(c, proof) == merged(c, proof) == "proof/point"


# ------------------------------------------------------------------ cheats


def test_duplicate_hidden_in_f() -> None:
    """Claiming the true order in c, but answering for the duplicated card in f, fails."""
    c = chain(12, 2)
    perm, r = c.witnesses[0]
    doubled = [perm[1], *perm[1:]]
    out = remask(c.decks[0], c.world.H, doubled, r)
    # f_1, and Z with it, for the challenge of the duplicated card instead of the one claimed in c
    proof = prove_with(c, 0, blinders(), deck_out=out)
    t = statement(c.rctx, 0, c.world.H, c.decks[0], out)
    t.absorb("1", proof[:128])
    ts = t.vector("t", 12)
    shift = ts[perm[1]] - ts[perm[0]]
    at_f, at_Z = 32 * POINTS, 32 * (POINTS + 12)
    f_1 = int.from_bytes(proof[at_f : at_f + 32], "little") + shift
    Z = int.from_bytes(proof[at_Z : at_Z + 32], "little") + shift * r[0]
    cheat = proof[:at_f] + encode_scalar(f_1) + proof[at_f + 32 : at_Z] + encode_scalar(Z) + proof[at_Z + 32 :]

    assert single(c, cheat, deck_out=out) == merged(c, cheat, deck_out=out) == "proof/V0"


def test_duplicates_of_equal_product() -> None:
    """Ids 2, 2 in place of 1, 4 have the right product but are no permutation."""
    c = chain(12, 2)
    perm, r = c.witnesses[0]
    forged = [1 if p in {0, 3} else p for p in perm]  # positions count from 0 here
    out = remask(c.decks[0], c.world.H, forged, r)
    proof = prove_with(c, 0, blinders(), deck_out=out, perm=forged)

    assert single(c, proof, deck_out=out) == merged(c, proof, deck_out=out) == "proof/V0"


@pytest.mark.parametrize("half", ["A", "B"])
def test_first_message_solved_after_the_challenge(half: str) -> None:
    """E_A or E_B computed to fit a tagged deck after the challenges are known changes those challenges."""
    c = chain(5, 2)
    tagged = replace_card(c.decks[1], 0, add(c.decks[1].A[0], T), add(c.decks[1].B[0], T))
    proof = prove_with(c, 0, blinders(), deck_out=tagged)
    f_1 = int.from_bytes(proof[32 * POINTS : 32 * POINTS + 32], "little")
    at = 2 if half == "A" else 3
    E = add(proof[32 * at : 32 * at + 32], msum([(f_1, T)]))
    cheat = proof[: 32 * at] + E + proof[32 * at + 32 :]

    assert single(c, cheat, deck_out=tagged) == merged(c, cheat, deck_out=tagged) == "proof/V0"


def test_copied_victim_slots() -> None:
    """The copy attack, re-masked copies of earlier slots as one's own, is refused before any share."""
    c = chain(12, 2)
    perm, r = c.witnesses[1]
    copied = [perm[k - k % 2] for k in range(12)]
    out = remask(c.decks[1], c.world.H, copied, r)
    for claimed in (copied, perm):
        proof = prove_with(c, 1, blinders(), deck_out=out, perm=claimed)

        assert single(c, proof, link=1, deck_out=out) == merged(c, proof, link=1, deck_out=out) != "valid"


def test_proof_binds_its_whole_statement() -> None:
    """A valid proof is refused for another round, seat, epoch, key, input order, output order or earlier deck."""
    c, w = chain(12, 2), world(2)
    proof, decks = c.proofs[1], c.decks
    statements: list[tuple[bytes, int, bytes, Deck, Deck]] = [
        (world(2, 2).rctx(), 1, w.H, decks[1], decks[2]),
        (c.rctx, 0, w.H, decks[1], decks[2]),
        (w.rctx(1), 1, w.H, decks[1], decks[2]),
        (c.rctx, 1, add(w.H, T), decks[1], decks[2]),
        (c.rctx, 1, w.H, swap_cards(decks[1], 3, 4), decks[2]),
        (c.rctx, 1, w.H, decks[1], swap_cards(decks[2], 3, 4)),
        (c.rctx, 1, w.H, decks[0], decks[2]),
        (c.rctx, 1, w.H, decks[1], decks[1]),
    ]

    assert single(c, proof, link=1) == "valid"
    for rctx, seat, H, deck_in, deck_out in statements:
        with pytest.raises(CryptoError) as caught:
            verify(rctx, seat, H, deck_in, deck_out, proof)
        assert caught.value.code == "proof/V0"


def test_start_deck_under_another_key_is_not_folded() -> None:
    """A start deck of another joint key is an ordinary deck, not (G, M_c + H)."""
    w = world(2)
    foreign = start_deck(range(5), add(w.H, T))
    out, perm, r = shuffle(foreign, w.H, w.s[0], w.R, 0, w.rctx())
    proof = prove(w.rctx(), 0, w.H, foreign, out, perm, r, w.s[0], RND)
    verify(w.rctx(), 0, w.H, foreign, out, proof)

    assert code_of(lambda: verify(w.rctx(), 0, w.H, start_deck(range(5), w.H), out, proof)) == "proof/V0"


# ------------------------------------------------------------------ blinders


def _c_d(proof: bytes) -> bytes:
    return proof[32:64]


@pytest.mark.must("C35")
def test_blinders_depend_on_everything() -> None:
    """Proofs with another random string, seed, seat or deck never share a commitment to d."""
    c = chain(5, 2)
    w, (perm, r) = c.world, c.witnesses[1]
    turned = [*perm[1:], perm[0]]
    base_case = (c.rctx, 1, w.H, c.decks[1], c.decks[2], perm, r, w.s[1], RND)
    proofs = [
        prove(*base_case),
        prove(*base_case[:8], H32("test/rnd")),
        prove(*base_case[:7], w.s[0], RND),
        prove(c.rctx, 0, *base_case[2:]),
        prove(c.rctx, 1, w.H, c.decks[1], remask(c.decks[1], w.H, turned, r), turned, r, w.s[1], RND),
    ]

    assert len(proofs) == len({_c_d(proof) for proof in proofs})
    assert proofs[0] == prove(*base_case)


@pytest.mark.must("C35")
def test_prepared_blinders() -> None:
    """A proof from prepared blinders verifies, and these serve exactly once."""
    c = chain(5, 2)
    w, (perm, r) = c.world, c.witnesses[1]
    prepared = prepare(5, H32("test/prepared"))
    proof = prove(c.rctx, 1, w.H, c.decks[1], c.decks[2], perm, r, w.s[1], RND, prepared)

    assert single(c, proof, link=1) == merged(c, proof, link=1) == "valid"
    assert _c_d(proof) != _c_d(c.proofs[1])
    with pytest.raises(InternalError):
        prove(c.rctx, 1, w.H, c.decks[1], c.decks[2], perm, r, w.s[1], RND, prepared)


def test_prepared_blinders_stay_in_memory() -> None:
    """Prepared blinders cannot be serialised, show no value in text, and fit one deck size only."""
    prepared = prepare(3, H32("test/prepared"))
    c = chain(5, 2)

    assert repr(Hs("dz1/prepared", H32("test/prepared"), u8(1), b"\x01\0")) not in repr(prepared)
    with pytest.raises(InternalError):
        pickle.dumps(prepared)
    with pytest.raises(ValueError, match="one length"):
        prove(c.rctx, 1, c.world.H, c.decks[1], c.decks[2], *c.witnesses[1], c.world.s[1], RND, prepared)


def test_prover_needs_equal_lengths() -> None:
    """Decks and witness of different lengths are the caller's mistake."""
    c = chain(5, 2)
    perm, r = c.witnesses[0]
    with pytest.raises(ValueError, match="one length"):
        prove(c.rctx, 0, c.world.H, c.decks[0], c.decks[1], perm[:-1], r, c.world.s[0], RND)


def _with_other_opening(delta: int) -> Callable[[int, int], int]:
    honest = blinders()
    return lambda L, j: honest(L, j) + (delta if L == 2 else 0)


def test_why_blinders_serve_once() -> None:
    """Two proofs with the same d show the whole permutation: the reason for the one-use rule."""
    c = chain(12, 2)
    f, t = [], []
    for other in (0, 1):
        proof = prove_with(c, 1, _with_other_opening(other))
        transcript = statement(c.rctx, 1, c.world.H, c.decks[1], c.decks[2])
        transcript.absorb("1", proof[:128])
        t.append(transcript.vector("t", 12))
        f.append([int.from_bytes(proof[32 * (POINTS + k) : 32 * (POINTS + k) + 32], "little") for k in range(12)])
    differences = {(a - b) % Q: p for p, (a, b) in enumerate(zip(*t, strict=True))}
    seen = [differences[(a - b) % Q] for a, b in zip(*f, strict=True)]

    assert list(c.witnesses[1][0]) == seen


@pytest.mark.must("C36", "C37", "C38")
def test_sums_of_the_verifier_are_not_vacuous() -> None:
    """V1 to V4 each can fail alone: a change that only one of them sees is named by that one."""
    c = chain(5, 2)
    n = 5
    z, z_D = 3 * n + 7, 3 * n + 8
    tag_A = replace_card(c.decks[1], 0, add(c.decks[1].A[0], T), c.decks[1].B[0])
    tag_B = replace_card(c.decks[1], 0, c.decks[1].A[0], sub(c.decks[1].B[0], base(1)))
    verdicts = [
        single(c, plus_one(c.proofs[0], z)),
        single(c, plus_one(c.proofs[0], z_D)),
        single(c, prove_with(c, 0, blinders(), deck_out=tag_A), deck_out=tag_A),
        single(c, prove_with(c, 0, blinders(), deck_out=tag_B), deck_out=tag_B),
    ]

    assert verdicts == ["proof/V1", "proof/V2", "proof/V3", "proof/V4"]


def test_error_carries_seat_and_code() -> None:
    """A chain error is a CryptoError with the seat, so that a fault can name it."""
    error = ChainError("proof/V0", "", 2, 1)

    assert isinstance(error, CryptoError)
    assert (error.code, error.seat, error.link) == ("proof/V0", 2, 1)


def test_deck_hash_covers_order_and_context() -> None:
    """Another order of the same cards, or another context, has another deck hash."""
    c = chain(5, 2)
    hashes = {
        deckhash(c.rctx, c.decks[2]),
        deckhash(c.rctx, swap_cards(c.decks[2], 0, 1)),
        deckhash(c.world.rctx(1), c.decks[2]),
    }

    assert len(hashes) == 3
