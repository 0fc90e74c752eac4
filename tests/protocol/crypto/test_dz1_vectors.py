"""Every published value of spec section 9, byte for byte."""

from __future__ import annotations

import hashlib

import pytest

from protocol.crypto.audit import OK, audit_shuffle
from protocol.crypto.context import commitment, deckhash
from protocol.crypto.deck import card_point, find_card, residual
from protocol.crypto.g10 import generator, proof_bytes
from protocol.crypto.group import encode_scalar, mul
from protocol.crypto.hashing import H32, H
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
from protocol.crypto.shuffle import verify, verify_chain
from protocol.crypto.transcript import Transcript
from tests.protocol.crypto.crypto_world import RND, VECTORS, chain, weights, world

DEAL, UPCARD, DRAW, OPEN = VECTORS["DEAL"], VECTORS["UPCARD"], VECTORS["DRAW"], VECTORS["OPEN"]
SHOW, RESHUFFLE = VECTORS["SHOW_batch"], VECTORS["RESHUFFLE"]
RESHUFFLE_IDS = tuple(RESHUFFLE["ids"])


@pytest.mark.must("C6")
@pytest.mark.parametrize("name", VECTORS["constants"])
def test_constants(name: str) -> None:
    """Generators and card points are the published ones."""
    kind, _, number = name.partition("_")
    point = generator(int(number)) if kind == "h" else card_point(int(number))

    assert VECTORS["constants"][name] == point.hex()


@pytest.mark.must("C7")
def test_transcript() -> None:
    """A transcript gives the published challenge, vector and state."""
    expected = VECTORS["transcript"]
    t = Transcript("test")
    t.absorb("a", b"abc")

    assert expected['T("test"); absorb("a","abc"); challenge("x")'] == encode_scalar(t.challenge("x")).hex()
    assert expected['then vector("y",2)'] == [encode_scalar(v).hex() for v in t.vector("y", 2)]
    assert expected["st"] == t.state.hex()


@pytest.mark.must("C10", "C12", "C13")
def test_contexts() -> None:
    """Contexts, commitments, joint nonce and joint key are the published ones."""
    w = world()

    assert VECTORS["ctx"] == w.ctx.hex()
    assert VECTORS["H_i"] == [p.hex() for p in w.H_is]
    assert VECTORS["S_i"] == [p.hex() for p in w.S_is]
    assert VECTORS["COMMIT_i"] == [commitment(w.ctx, i, w.H_is[i], w.S_is[i], w.rho[i]).hex() for i in range(len(w.x))]
    assert VECTORS["R"] == w.R.hex()
    assert VECTORS["H"] == w.H.hex()
    assert VECTORS["rctx"] == w.rctx(0).hex()
    assert VECTORS["rctx_epoch1"] == w.rctx(1).hex()


@pytest.mark.must("C50")
@pytest.mark.parametrize("seat", range(4))
def test_key_proofs(seat: int) -> None:
    """Proofs of possession are the published bytes and verify."""
    w = world()
    proof = prove_key(w.ctx, seat, w.x[seat], RND)
    verify_key(w.ctx, seat, w.H_is[seat], proof)

    assert VECTORS["PoK_i"][seat] == proof.hex()


@pytest.mark.must("C14", "C21", "C22")
def test_decks() -> None:
    """The derived shuffles give the published decks, permutation, masks and final order."""
    c = chain()
    perm, r = c.witnesses[0]
    seat0 = VECTORS["seat0"]

    assert VECTORS["deckhash"] == {f"D_{i}": deckhash(c.rctx, deck).hex() for i, deck in enumerate(c.decks)}
    assert VECTORS["deck_D4_sha512"] == hashlib.sha512(c.decks[4].encode()).hexdigest()
    assert seat0["perm_first8"] == list(perm[:8])
    assert (seat0["r_0"], seat0["r_107"]) == (encode_scalar(r[0]).hex(), encode_scalar(r[107]).hex())
    assert (seat0["out_first_A"], seat0["out_first_B"]) == (c.decks[1].A[0].hex(), c.decks[1].B[0].hex())
    assert VECTORS["ids_first8"] == [find_card(c.card_of(slot), range(108)) for slot in range(8)]


@pytest.mark.must("C30", "C31", "C32", "C33", "C34", "C35")
def test_shuffle_proofs() -> None:
    """The shuffle proofs are the published bytes; each verifies alone, and the chain merged."""
    c = chain()
    for i, proof in enumerate(c.proofs):
        verify(c.rctx, i, c.world.H, c.decks[i], c.decks[i + 1], proof)
    verify_chain(c.rctx, c.world.H, c.ids, c.links, weights)

    assert VECTORS["proof_sha512"] == [hashlib.sha512(proof).hexdigest() for proof in c.proofs]
    assert VECTORS["proof_first64"] == [proof[:64].hex() for proof in c.proofs]
    assert {VECTORS["proof_bytes"]} == {proof_bytes(108)} == {len(proof) for proof in c.proofs}


@pytest.mark.must("C51", "C52", "C60")
def test_deal() -> None:
    """The shares of a deal and their one proof are the published bytes and verify."""
    c, w = chain(), world()
    slots = [(0, index) for index in DEAL["slots"]]
    As = [c.decks[4].A[index] for index in DEAL["slots"]]
    seat, to = DEAL["seat"], DEAL["to"]
    Ds, proof = prove_shares(c.rctx, c.deck_hash, seat, PURPOSE_DEAL, to, slots, w.x[seat], As, RND)
    verify_shares(c.rctx, c.deck_hash, seat, PURPOSE_DEAL, to, slots, w.H_is[seat], As, Ds, proof)

    assert DEAL["D"] == [D.hex() for D in Ds]
    assert DEAL["proof"] == proof.hex()


@pytest.mark.must("C52", "C60")
def test_up_card() -> None:
    """All shares of the up-card are the published ones and open the published card."""
    c, w = chain(), world()
    slot = UPCARD["slot"]
    A = c.decks[4].A[slot]
    shares = []
    for seat in range(4):
        (D,), proof = prove_shares(c.rctx, c.deck_hash, seat, PURPOSE_UPCARD, ALL, [(0, slot)], w.x[seat], [A], RND)
        verify_shares(c.rctx, c.deck_hash, seat, PURPOSE_UPCARD, ALL, [(0, slot)], w.H_is[seat], [A], [D], proof)
        assert (UPCARD["D"][seat], UPCARD["proof"][seat]) == (D.hex(), proof.hex())
        shares.append(D)

    assert UPCARD["card"] == find_card(residual(c.decks[4].B[slot], shares), c.ids)


@pytest.mark.must("C62")
def test_draw() -> None:
    """The share of a drawn slot is published, and the drawer reads the published card."""
    c, w = chain(), world()
    slot, seat, drawer = DRAW["slot"], DRAW["share_of_seat"], DRAW["drawer"]
    A = c.decks[4].A[slot]
    (D,), proof = prove_shares(c.rctx, c.deck_hash, seat, PURPOSE_DRAW, drawer, [(0, slot)], w.x[seat], [A], RND)
    own_reading = residual(c.residual(drawer, slot), [mul(w.x[drawer], A)])

    assert (DRAW["D"], DRAW["proof"]) == (D.hex(), proof.hex())
    assert DRAW["card_drawn"] == find_card(own_reading, c.ids)


@pytest.mark.must("C63")
def test_open() -> None:
    """An open gives the published residual, share and proof, and shows the published card."""
    c, w = chain(), world()
    slot, seat = OPEN["slot"], OPEN["seat"]
    A = c.decks[4].A[slot]
    R_s = c.residual(seat, slot)
    (D,), proof = prove_shares(c.rctx, c.deck_hash, seat, PURPOSE_OPEN, ALL, [(0, slot)], w.x[seat], [A], RND)
    verify_shares(c.rctx, c.deck_hash, seat, PURPOSE_OPEN, ALL, [(0, slot)], w.H_is[seat], [A], [D], proof)
    verify_card(R_s, D, OPEN["card"], c.ids)

    assert (OPEN["residual"], OPEN["D"], OPEN["proof"]) == (R_s.hex(), D.hex(), proof.hex())


@pytest.mark.must("C63")
def test_show_as_one_batch() -> None:
    """A whole hand opens with one proof, the published one."""
    c, w = chain(), world()
    seat, indices = SHOW["seat"], SHOW["slots"]
    slots = [(0, index) for index in indices]
    As = [c.decks[4].A[index] for index in indices]
    Ds, proof = prove_shares(c.rctx, c.deck_hash, seat, PURPOSE_OPEN, ALL, slots, w.x[seat], As, RND)
    verify_shares(c.rctx, c.deck_hash, seat, PURPOSE_OPEN, ALL, slots, w.H_is[seat], As, Ds, proof)
    for index, D, card in zip(indices, Ds, SHOW["cards"], strict=True):
        verify_card(c.residual(seat, index), D, card, c.ids)

    assert SHOW["D_sha512"] == hashlib.sha512(b"".join(Ds)).hexdigest()
    assert SHOW["proof"] == proof.hex()


@pytest.mark.must("C84", "C94")
def test_reshuffle() -> None:
    """The second epoch over the ids put back gives the published decks, proofs and order."""
    c = chain(epoch=RESHUFFLE["epoch"], ids=RESHUFFLE_IDS)
    verify_chain(c.rctx, c.world.H, RESHUFFLE_IDS, c.links, weights)

    assert RESHUFFLE["deckhash"] == {f"D_{i}": deckhash(c.rctx, deck).hex() for i, deck in enumerate(c.decks)}
    assert RESHUFFLE["proof_sha512"] == [hashlib.sha512(proof).hexdigest() for proof in c.proofs]
    assert RESHUFFLE["order"] == [find_card(c.card_of(slot), RESHUFFLE_IDS) for slot in range(6)]


@pytest.mark.must("C87")
@pytest.mark.parametrize("seat", range(4))
def test_audit(seat: int) -> None:
    """Recomputing every shuffle of both epochs from the seeds agrees with what was put out."""
    for c in (chain(), chain(epoch=RESHUFFLE["epoch"], ids=RESHUFFLE_IDS)):
        w = c.world
        verdict = audit_shuffle(
            w.ctx,
            seat,
            w.S_is[seat],
            w.s[seat],
            R=w.R,
            epoch=c.epoch,
            rctx=c.rctx,
            H=w.H,
            deck_in=c.decks[seat],
            deck_out=c.decks[seat + 1],
        )

        assert verdict == OK


@pytest.mark.must("C70")
def test_log_hashes() -> None:
    """The hashes of a log entry, of the genesis and of a step are the published ones."""
    entry = bytes.fromhex(VECTORS["entry"]["bytes"])
    head = H32("dz1/genesis", b"genesis")

    assert VECTORS["entry"]["head_0"] == head.hex()
    assert VECTORS["entry"]["digest"] == H("dz1/entry", entry).hex()
    assert VECTORS["entry"]["next_head_of_this_entry_alone"] == H32("dz1/step", head, entry).hex()
