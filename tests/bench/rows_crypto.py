"""The budgets of the card cryptography (spec section 2.4), for 108 cards and four seats."""

from __future__ import annotations

import os
from collections.abc import Iterator

from protocol.crypto.audit import audit_shuffle
from protocol.crypto.context import ctx, deckhash, joint_key, joint_nonce, rctx, seed_commitment
from protocol.crypto.deck import Deck, decode_deck, find_card, residual, shuffle, start_deck
from protocol.crypto.group import base, mul
from protocol.crypto.hashing import H32, Hs, u8
from protocol.crypto.proofs import ALL, PURPOSE_DRAW, PURPOSE_OPEN, prove_shares, verify_card, verify_shares
from protocol.crypto.shuffle import prepare, prove, verify_chain
from tests.bench.harness import Meter, Row

SEATS, N, HAND = 4, 108, 13


class Round:
    """A round set up by four seats: keys, decks, proofs."""

    def __init__(self) -> None:
        self.ctx = ctx(b"B" * 16, 1, [bytes((i,)) * 32 for i in range(SEATS)], bytes(32))
        self.x = [Hs("bench/x", u8(i)) for i in range(SEATS)]
        self.s = [H32("bench/s", u8(i)) for i in range(SEATS)]
        self.S = [seed_commitment(self.ctx, i, s) for i, s in enumerate(self.s)]
        self.keys = [base(x) for x in self.x]
        self.R = joint_nonce(self.ctx, [H32("bench/rho", u8(i)) for i in range(SEATS)])
        self.H = joint_key(self.keys)
        self.rctx = rctx(self.ctx, self.R, self.keys, self.S, 0)
        self.decks = [start_deck(range(N), self.H)]
        self.proofs: list[bytes] = []
        self.own: list[tuple[list[int], list[int]]] = []
        for seat in range(SEATS):
            out, perm, r = shuffle(self.decks[-1], self.H, self.s[seat], self.R, 0, self.rctx)
            self.proofs.append(self.prove(seat, self.decks[-1], out, perm, r))
            self.decks.append(decode_deck(out.encode(), N))
            self.own.append((perm, r))
        self.deck_hash = deckhash(self.rctx, self.decks[-1])

    def prove(self, seat: int, deck_in: Deck, deck_out: Deck, perm: list[int], r: list[int]) -> bytes:
        """A proof with fresh blinders."""
        return prove(self.rctx, seat, self.H, deck_in, deck_out, perm, r, self.s[seat], os.urandom(32))

    def links(self) -> list[tuple[int, Deck, bytes]]:
        """The chain as a verifier gets it."""
        return [(i, self.decks[i + 1], self.proofs[i]) for i in range(SEATS)]


def rows(meter: Meter) -> Iterator[Row]:
    """All rows of the card cryptography."""
    setup = Round()
    yield from _shuffling(meter, setup)
    yield from _verifying(meter, setup)
    yield from _sharing(meter, setup)


def _shuffling(meter: Meter, g: Round) -> Iterator[Row]:
    def whole() -> None:
        out, perm, r = shuffle(g.decks[1], g.H, g.s[1], g.R, 0, g.rctx)
        g.prove(1, g.decks[1], out, perm, r)

    def audit() -> None:
        audit_shuffle(
            g.ctx,
            1,
            g.S[1],
            g.s[1],
            R=g.R,
            epoch=0,
            rctx=g.rctx,
            H=g.H,
            deck_in=g.decks[1],
            deck_out=g.decks[2],
        )

    stock = [prepare(N, os.urandom(32)) for _ in range(8)]

    def critical() -> None:
        out, perm, r = shuffle(g.decks[1], g.H, g.s[1], g.R, 0, g.rctx)
        prove(g.rctx, 1, g.H, g.decks[1], out, perm, r, g.s[1], os.urandom(32), stock.pop())

    yield meter.ratio("derive + shuffle + prove, 108 cards", whole, 1300)
    yield meter.ratio("  on the critical path, blinders prepared", critical, 750, repeat=7)
    yield meter.ratio("audit of one shuffle", audit, None)


def _verifying(meter: Meter, g: Round) -> Iterator[Row]:
    links = g.links()

    def one() -> None:
        verify_chain(g.rctx, g.H, g.decks[1], links[1:2], os.urandom)

    def three(seat: int) -> None:
        verify_chain(g.rctx, g.H, g.decks[0], links, os.urandom, {seat}, {seat: g.own[seat]})

    def all_four() -> None:
        verify_chain(g.rctx, g.H, g.decks[0], links, os.urandom)

    yield meter.ratio("verify one shuffle", one, 800)
    for seat in range(SEATS):
        yield meter.ratio(f"verify the three others of a chain, merged, as seat {seat}", lambda s=seat: three(s), 1300)  # type: ignore[misc]
    yield meter.ratio("verify all four of a chain, merged", all_four, 1650)


def _sharing(meter: Meter, g: Round) -> Iterator[Row]:
    deck, drawer, slot = g.decks[-1], 0, SEATS * HAND + 1
    A = [deck.A[slot]]

    def share(seat: int) -> tuple[tuple[bytes, ...], bytes]:
        return prove_shares(
            g.rctx, g.deck_hash, seat, PURPOSE_DRAW, drawer, [(0, slot)], g.x[seat], A, os.urandom(32), g.keys[seat]
        )

    shares = {seat: share(seat) for seat in range(SEATS) if seat != drawer}

    def check() -> None:
        for seat, (Ds, proof) in shares.items():
            verify_shares(g.rctx, g.deck_hash, seat, PURPOSE_DRAW, drawer, [(0, slot)], g.keys[seat], A, Ds, proof)

    owner = 3
    slots = [(0, k * SEATS + owner) for k in range(HAND)]
    As = [deck.A[k] for _, k in slots]
    others = [x for j, x in enumerate(g.x) if j != owner]
    residuals = [residual(deck.B[k], [mul(x, deck.A[k]) for x in others]) for _, k in slots]
    Ds, proof = prove_shares(g.rctx, g.deck_hash, owner, PURPOSE_OPEN, ALL, slots, g.x[owner], As, os.urandom(32))
    cards = [find_card(residual(R_s, [D]), range(N)) for R_s, D in zip(residuals, Ds, strict=True)]

    def open_hand() -> None:
        verify_shares(g.rctx, g.deck_hash, owner, PURPOSE_OPEN, ALL, slots, g.keys[owner], As, Ds, proof)
        for R_s, D, card in zip(residuals, Ds, cards, strict=True):
            assert card is not None
            verify_card(R_s, D, card, range(N))

    yield meter.ratio("make a share of a drawn card", lambda: share(1), 3, loops=50)
    yield meter.ratio("check the three shares of a drawn card", check, 14, loops=20)
    # measured 43 with the first implementation (spec 2.3)
    yield meter.ratio("check 13 cards opened as one batch", open_hand, 50, loops=5)
