"""The negative vectors of spec section 9: each case fails at the published first check, singly and merged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from protocol.crypto.audit import NOT_AUDITED, OK, SEED, SHUFFLE, audit_shuffle
from protocol.crypto.context import deckhash, rctx
from protocol.crypto.deck import Deck, card_point, decode_deck, remask, shuffle
from protocol.crypto.group import IDENTITY, G, Point, Q, add, encode_scalar, msum, mul, sub
from protocol.crypto.hashing import H32, Hs, u8
from protocol.crypto.proofs import (
    ALL,
    PURPOSE_DEAL,
    PURPOSE_DRAW,
    PURPOSE_OPEN,
    _finish_key,
    _finish_shares,
    _key_transcript,
    _share_transcript,
    prove_key,
    prove_shares,
    verify_card,
    verify_key,
    verify_shares,
)
from protocol.crypto.shuffle import ChainError, verify, verify_chain
from tests.protocol.crypto.crypto_world import (
    RND,
    VECTORS,
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

CASES: dict[str, dict[str, Any]] = {case["name"]: case for case in VECTORS["negative"]}
N = 108
F1, Z_WORD, F1_CAPITAL, G1 = 7, 7 + N, 8 + N, 8 + 2 * N  # positions of 32-byte words in a proof
SMALL_Z_WORD, Z_D_WORD = 3 * N + 7, 3 * N + 8


def set_word(proof: bytes, at: int, word: bytes) -> bytes:
    """The proof with another 32-byte word."""
    return proof[: 32 * at] + word + proof[32 * at + 32 :]


def word(proof: bytes, at: int) -> bytes:
    """A 32-byte word of the proof."""
    return proof[32 * at : 32 * at + 32]


def plus(proof: bytes, at: int, delta: int) -> bytes:
    """The proof with a scalar changed modulo q."""
    return set_word(proof, at, encode_scalar(int.from_bytes(word(proof, at), "little") + delta))


def plus_q(data: bytes) -> bytes:
    """A scalar's bytes with the order added."""
    return (int.from_bytes(data, "little") + Q).to_bytes(32, "little")


# ------------------------------------------------------------------ shuffle proof of seat 0


class Attempt:
    """One received shuffle of seat 0, to be changed in one way, and its two verdicts."""

    def __init__(self) -> None:
        c = chain()
        self.rctx, self.seat, self.H = c.rctx, 0, c.world.H
        self.deck_in, self.deck_out, self.proof = c.decks[0], c.decks[1], c.proofs[0]

    def received(self) -> Deck:
        """The output deck through the gate, as bytes of a peer."""
        return decode_deck(self.deck_out.encode(), len(self.deck_out))

    def single(self) -> str:
        """Verdict of single verification."""
        return code_of(lambda: verify(self.rctx, self.seat, self.H, self.deck_in, self.received(), self.proof))

    def merged(self) -> str:
        """Verdict of the merged form."""
        return code_of(
            lambda: verify_chain(self.rctx, self.H, self.deck_in, [(self.seat, self.received(), self.proof)], weights)
        )


def _cheat_map() -> list[int]:
    """The witness order that puts the card of output 1 into output 0 as well."""
    perm, _ = chain().witnesses[0]
    return [perm[1], *perm[1:]]


def _duplicate(a: Attempt, *, claim_duplicate: bool) -> None:
    c = chain()
    perm, r = c.witnesses[0]
    copied = _cheat_map()
    a.deck_out = remask(a.deck_in, a.H, copied, r)
    claimed = copied if claim_duplicate else perm
    a.proof = prove_with(c, 0, blinders(), deck_out=a.deck_out, perm=claimed)


def _tag(a: Attempt, k: int, change: Callable[[Point, Point], tuple[Point, Point]]) -> None:
    """Change output card k, then prove honestly over the changed deck."""
    a.deck_out = replace_card(a.deck_out, k, *change(a.deck_out.A[k], a.deck_out.B[k]))
    a.proof = prove_with(chain(), 0, blinders(), deck_out=a.deck_out)


def _tag_cancelling(a: Attempt) -> None:
    _tag(a, 0, lambda A, B: (A, add(B, T)))
    _tag(a, 1, lambda A, B: (A, sub(B, T)))


def _zero_scalars(a: Attempt) -> None:
    honest = blinders()
    a.proof = prove_with(chain(), 0, lambda L, j: 0 if L in {2, 3, 7, 8, 9} else honest(L, j))
    assert word(a.proof, SMALL_Z_WORD) == word(a.proof, Z_D_WORD) == bytes(32)


def _other_permutation(a: Attempt) -> None:
    perm, r = chain().witnesses[0]
    turned = [*perm[1:], perm[0]]
    a.deck_out = remask(a.deck_in, a.H, turned, r)
    a.proof = prove_with(chain(), 0, blinders(), deck_out=a.deck_out, perm=turned)


def _set(name: str, value: Callable[[Attempt], Any]) -> Callable[[Attempt], None]:
    return lambda a: setattr(a, name, value(a))


def _other_rctx(_: Attempt) -> bytes:
    w = world()
    return rctx(w.ctx, w.R, w.H_is, [*w.S_is[:3], w.S_is[2]], 0)


PROOF_CASES: dict[str, Callable[[Attempt], None]] = {
    "proof_ok": lambda a: None,
    "proof_f1_plus_1": _set("proof", lambda a: plus(a.proof, F1, 1)),
    "proof_f1_plus_q": _set("proof", lambda a: set_word(a.proof, F1, plus_q(word(a.proof, F1)))),
    "proof_Z_plus_1": _set("proof", lambda a: plus(a.proof, Z_WORD, 1)),
    "proof_F1_plus_1": _set("proof", lambda a: plus(a.proof, F1_CAPITAL, 1)),
    "proof_g1_plus_1": _set("proof", lambda a: plus(a.proof, G1, 1)),
    "proof_z_plus_1": _set("proof", lambda a: plus(a.proof, SMALL_Z_WORD, 1)),
    "proof_zD_plus_1": _set("proof", lambda a: plus(a.proof, Z_D_WORD, 1)),
    "proof_c_identity": _set("proof", lambda a: set_word(a.proof, 0, IDENTITY)),
    "proof_c_noncanonical": _set("proof", lambda a: set_word(a.proof, 0, (2**255 - 15).to_bytes(32, "little"))),
    "proof_EA_plus_T": _set("proof", lambda a: set_word(a.proof, 2, add(word(a.proof, 2), T))),
    "proof_short": _set("proof", lambda a: a.proof[:-32]),
    "proof_long": _set("proof", lambda a: a.proof + bytes(32)),
    "proof_other_seat": _set("seat", lambda a: 1),
    "proof_other_epoch": _set("rctx", lambda a: world().rctx(1)),
    "proof_other_seed_commitment": _set("rctx", _other_rctx),
    "proof_other_key": _set("H", lambda a: add(a.H, G)),
    "deck_out_swapped": _set("deck_out", lambda a: swap_cards(a.deck_out, 0, 1)),
    "deck_in_swapped": _set("deck_in", lambda a: swap_cards(a.deck_in, 0, 1)),
    "deck_out_short": _set("deck_out", lambda a: Deck(a.deck_out.A[:-1], a.deck_out.B[:-1])),
    "deck_out_identity": _set("deck_out", lambda a: replace_card(a.deck_out, 0, IDENTITY, a.deck_out.B[0])),
    "cheat_duplicate": lambda a: _duplicate(a, claim_duplicate=True),
    "cheat_copy_true_perm": lambda a: _duplicate(a, claim_duplicate=False),
    "cheat_tag_BT": lambda a: _tag(a, 0, lambda A, B: (A, add(B, T))),
    "cheat_tag_5x": lambda a: _tag(a, 0, lambda A, B: (mul(5, A), mul(5, B))),
    "cheat_tag_cancelling": _tag_cancelling,
    "ok_zero_scalars": _zero_scalars,
    "ok_other_permutation": _other_permutation,
}


@pytest.mark.must("C36", "C37", "C38")
@pytest.mark.parametrize("name", PROOF_CASES)
def test_shuffle_proof_case(name: str) -> None:
    """A shuffle proof changed in one way fails at the published check, by both forms of verification."""
    attempt = Attempt()
    PROOF_CASES[name](attempt)
    verdict = attempt.single()

    assert CASES[name]["expect"].removeprefix("invalid:") == verdict.rpartition("/")[2]
    assert verdict == attempt.merged()


# ------------------------------------------------------------------ merged errors that cancel


CHAIN_CASES: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "chain_ok": lambda p: p,
    "chain_cross_cancel": lambda p: [plus(p[0], SMALL_Z_WORD, 1), plus(p[1], SMALL_Z_WORD, -1), *p[2:]],
    "chain_z_zD_cancel": lambda p: [plus(plus(p[0], SMALL_Z_WORD, 1), Z_D_WORD, -1), *p[1:]],
    "chain_proofs_swapped": lambda p: [p[1], p[0], *p[2:]],
}


@pytest.mark.parametrize("name", CHAIN_CASES)
def test_chain_case(name: str) -> None:
    """Errors that would cancel in a sum without weights are found, and the right seat is named."""
    c = chain()
    proofs = CHAIN_CASES[name](list(c.proofs))
    links = [(i, deck, proof) for i, (deck, proof) in enumerate(zip(c.decks[1:], proofs, strict=True))]
    verdict = None
    try:
        verify_chain(c.rctx, c.world.H, c.ids, links, weights)
    except ChainError as error:
        verdict = [error.seat, error.code.removeprefix("proof/")]

    assert CASES[name]["expect"] == verdict


# ------------------------------------------------------------------ proof of possession of seat 0


def _pok(
    *, seat: int = 0, key: bytes | None = None, change: Callable[[bytes], bytes] = lambda p: p, x: int | None = None
) -> str:
    w = world()
    proof = change(prove_key(w.ctx, 0, w.x[0] if x is None else x, RND))
    return code_of(lambda: verify_key(w.ctx, seat, w.H_is[0] if key is None else key, proof))


def _pok_zero_nonce() -> str:
    w = world()
    proof = _finish_key(_key_transcript(w.ctx, 0, w.H_is[0]), w.x[0], 0)
    return code_of(lambda: verify_key(w.ctx, 0, w.H_is[0], proof))


def _rogue_key() -> Point:
    return msum([(7, G), *((-1, H_i) for H_i in world().H_is[1:])])


POK_CASES: dict[str, Callable[[], str]] = {
    "pok_ok": _pok,
    "pok_other_seat": lambda: _pok(seat=1),
    "pok_s_plus_q": lambda: _pok(change=lambda p: p[:32] + plus_q(p[32:])),
    "pok_c_zero": lambda: _pok(change=lambda p: bytes(32) + p[32:]),
    "pok_k_zero": _pok_zero_nonce,
    "pok_key_identity": lambda: _pok(key=IDENTITY),
    "pok_rogue_key": lambda: _pok(key=_rogue_key(), x=7),
}


# ------------------------------------------------------------------ the DEAL of seat 1 to seat 0, the OPEN of seat 0


class Shares:
    """The DEAL of seat 1 to seat 0 of the vectors, to be changed in one way."""

    def __init__(self) -> None:
        c, w = chain(), world()
        indices = VECTORS["DEAL"]["slots"]
        self.rctx, self.deck_hash, self.seat, self.purpose, self.to = c.rctx, c.deck_hash, 1, PURPOSE_DEAL, 0
        self.slots = [(0, index) for index in indices]
        self.As = [c.decks[4].A[index] for index in indices]
        Ds, self.proof = prove_shares(self.rctx, self.deck_hash, 1, PURPOSE_DEAL, 0, self.slots, w.x[1], self.As, RND)
        self.Ds = list(Ds)

    def verdict(self) -> str:
        """What the verifier says."""
        return code_of(
            lambda: verify_shares(
                self.rctx,
                self.deck_hash,
                self.seat,
                self.purpose,
                self.to,
                self.slots,
                world().H_is[1],
                self.As,
                self.Ds,
                self.proof,
            )
        )


def _shares(name: str, value: Callable[[Shares], Any]) -> Callable[[], str]:
    def run() -> str:
        shares = Shares()
        setattr(shares, name, value(shares))
        return shares.verdict()

    return run


def _shares_zero_nonce(a: Shares) -> bytes:
    w = world()
    t, A, _ = _share_transcript(a.rctx, a.deck_hash, 1, a.purpose, a.to, a.slots, w.H_is[1], a.As, a.Ds)
    return _finish_shares(t, w.x[1], 0, A)


DLEQ_CASES: dict[str, Callable[[], str]] = {
    "dleq_ok": lambda: Shares().verdict(),
    "dleq_wrong_share": _shares("Ds", lambda a: [add(a.Ds[0], T), *a.Ds[1:]]),
    "dleq_swapped": _shares("Ds", lambda a: [a.Ds[1], a.Ds[0], *a.Ds[2:]]),
    "dleq_cancelling": _shares("Ds", lambda a: [add(a.Ds[0], T), sub(a.Ds[1], T), *a.Ds[2:]]),
    "dleq_identity": _shares("Ds", lambda a: [IDENTITY, *a.Ds[1:]]),
    "dleq_short": _shares("Ds", lambda a: a.Ds[:-1]),
    "dleq_other_rctx": _shares("rctx", lambda a: world().rctx(1)),
    "dleq_other_deck": _shares("deck_hash", lambda a: deckhash(a.rctx, chain().decks[1])),
    "dleq_other_seat": _shares("seat", lambda a: 0),
    "dleq_other_purpose": _shares("purpose", lambda a: PURPOSE_DRAW),
    "dleq_other_recipient": _shares("to", lambda a: 1),
    "dleq_other_slots": _shares("slots", lambda a: [(0, index + 1) for _, index in a.slots]),
    "dleq_s_plus_q": _shares("proof", lambda a: a.proof[:32] + plus_q(a.proof[32:])),
    "dleq_k_zero": _shares("proof", _shares_zero_nonce),
}


def _open(*, card: int = 31, bluff: bool = False) -> str:
    """Seat 0 opens slot 0; a bluff sends the D that would make the slot card + 1."""
    c, w = chain(), world()
    A, R_s = c.decks[4].A[0], c.residual(0, 0)
    (D,), proof = prove_shares(c.rctx, c.deck_hash, 0, PURPOSE_OPEN, ALL, [(0, 0)], w.x[0], [A], RND)
    if bluff:
        D = sub(R_s, card_point(card + 1))
        card += 1

    def check() -> None:
        verify_shares(c.rctx, c.deck_hash, 0, PURPOSE_OPEN, ALL, [(0, 0)], w.H_is[0], [A], [D], proof)
        verify_card(R_s, D, card, c.ids)

    return code_of(check)


OPEN_CASES: dict[str, Callable[[], str]] = {
    "open_ok": _open,
    "open_other_card": lambda: _open(card=32),
    "open_other_copy": lambda: _open(card=31 + 54),
    "open_foreign_id": lambda: _open(card=N),
    "open_bluff": lambda: _open(bluff=True),
}
SHARE_CASES = POK_CASES | DLEQ_CASES | OPEN_CASES


@pytest.mark.must("C50", "C51", "C63")
@pytest.mark.parametrize("name", SHARE_CASES)
def test_share_case(name: str) -> None:
    """A key proof, a dealt batch or an open changed in one way fails at the published check."""
    assert CASES[name]["expect"].removeprefix("invalid:") == SHARE_CASES[name]().rpartition("/")[2]


# ------------------------------------------------------------------ audit of seat 0, mask reuse


def _audit(s: bytes | None, deck_out: Deck) -> int:
    c, w = chain(), world()
    return audit_shuffle(
        w.ctx, 0, w.S_is[0], s, R=w.R, epoch=0, rctx=c.rctx, H=w.H, deck_in=c.decks[0], deck_out=deck_out
    )


def _other_order() -> Deck:
    attempt = Attempt()
    _other_permutation(attempt)
    return attempt.deck_out


AUDIT_CASES: dict[str, Callable[[], int]] = {
    "audit_ok": lambda: _audit(world().s[0], chain().decks[1]),
    "audit_other_seed": lambda: _audit(H32("test/s", u8(9)), chain().decks[1]),
    "audit_other_permutation": lambda: _audit(world().s[0], _other_order()),
    "audit_missing_seed": lambda: _audit(None, chain().decks[1]),
}
VERDICTS = {OK: "ok", SEED: "seed not as committed", SHUFFLE: "shuffle not as committed", NOT_AUDITED: "not audited"}


@pytest.mark.must("C87")
@pytest.mark.parametrize("name", AUDIT_CASES)
def test_audit_case(name: str) -> None:
    """The audit tells a wrong seed from a wrong shuffle from a missing seed."""
    assert CASES[name]["expect"] == VERDICTS[AUDIT_CASES[name]()]


@pytest.mark.must("C23")
def test_mask_reuse() -> None:
    """One seed over two input decks of the same order shows no position: the masks differ everywhere."""
    c, w = chain(), world()
    other_masks = [Hs("test/mask", u8(k)) for k in range(N)]
    second_in = remask(c.decks[1], w.H, range(N), other_masks)
    first, perm, _ = shuffle(c.decks[1], w.H, w.s[1], w.R, 0, c.rctx)
    second, _, _ = shuffle(second_in, w.H, w.s[1], w.R, 0, c.rctx)
    # with reused masks B'_2 - B'_1 at position k would be exactly the difference of inputs at perm[k]
    differences_in = {sub(b, a): p for p, (a, b) in enumerate(zip(c.decks[1].B, second_in.B, strict=True))}
    recovered = [
        k for k, (a, b) in enumerate(zip(first.B, second.B, strict=True)) if differences_in.get(sub(b, a)) == perm[k]
    ]

    assert CASES["mask_reuse"]["expect"] == len(recovered)


def test_every_published_case_is_tested() -> None:
    """No negative vector is left out."""
    tested = {*PROOF_CASES, *CHAIN_CASES, *SHARE_CASES, *AUDIT_CASES, "mask_reuse"}

    assert set(CASES) == tested
