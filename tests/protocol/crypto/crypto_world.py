"""The table of spec section 9, and chains of shuffles over it: the common ground of the cryptography's tests."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from protocol.crypto.context import ctx, deckhash, joint_key, joint_nonce, rctx, seed_commitment
from protocol.crypto.deck import Deck, residual, shuffle, start_deck
from protocol.crypto.g10 import statement
from protocol.crypto.group import Point, Scalar, base, mul
from protocol.crypto.hashing import H32, Hp, Hs, u8
from protocol.crypto.prover import _early, _prove, prove
from protocol.errors import CryptoError

RND = bytes(32)
T = Hp("test/T")
VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parents[3] / "spec" / "vectors" / "dz1.json").read_text(encoding="utf-8")
)


@dataclass(frozen=True)
class World:
    """Everything secret and public of one attempt at a round."""

    ctx: bytes
    x: tuple[Scalar, ...]
    s: tuple[bytes, ...]
    rho: tuple[bytes, ...]
    H_is: tuple[Point, ...]
    S_is: tuple[bytes, ...]
    R: bytes
    H: Point

    def rctx(self, epoch: int = 0) -> bytes:
        """The context of an epoch."""
        return rctx(self.ctx, self.R, self.H_is, self.S_is, epoch)


@cache
def world(n: int = 4, round_number: int = 1) -> World:
    """The test world of section 9 for n seats."""
    context = ctx(b"T" * 16, round_number, [bytes((i,)) * 32 for i in range(n)], bytes(32))
    x = tuple(Hs("test/x", u8(i)) for i in range(n))
    s = tuple(H32("test/s", u8(i)) for i in range(n))
    rho = tuple(H32("test/rho", u8(i)) for i in range(n))
    H_is = tuple(base(xi) for xi in x)
    S_is = tuple(seed_commitment(context, i, si) for i, si in enumerate(s))
    return World(context, x, s, rho, H_is, S_is, joint_nonce(context, rho), joint_key(H_is))


@dataclass(frozen=True)
class Chain:
    """Decks D_0..D_n of an epoch, the proofs between them and their witnesses (permutation, masks)."""

    world: World
    ids: tuple[int, ...]
    epoch: int
    decks: tuple[Deck, ...]
    proofs: tuple[bytes, ...]
    witnesses: tuple[tuple[Sequence[int], Sequence[Scalar]], ...]

    @property
    def rctx(self) -> bytes:
        """The context of this epoch."""
        return self.world.rctx(self.epoch)

    @property
    def deck_hash(self) -> bytes:
        """The hash of the last deck."""
        return deckhash(self.rctx, self.decks[-1])

    @property
    def links(self) -> list[tuple[int, Deck, bytes]]:
        """As `verify_chain` takes them."""
        return [(i, deck, proof) for i, (deck, proof) in enumerate(zip(self.decks[1:], self.proofs, strict=True))]

    def card_of(self, slot: int) -> Point:
        """The card point of a slot, opened with all keys."""
        deck = self.decks[-1]
        return residual(deck.B[slot], [mul(x, deck.A[slot]) for x in self.world.x])

    def residual(self, owner: int, slot: int) -> Point:
        """R_s of a slot of this owner."""
        deck = self.decks[-1]
        shares = [mul(x, deck.A[slot]) for j, x in enumerate(self.world.x) if j != owner]
        return residual(deck.B[slot], shares)


@cache
def chain(size: int = 108, n: int = 4, epoch: int = 0, ids: tuple[int, ...] | None = None) -> Chain:
    """The chain of all n seats over these ids (0..size-1 unless given)."""
    w = world(n)
    all_ids = tuple(range(size)) if ids is None else ids
    context = w.rctx(epoch)
    decks = [start_deck(all_ids, w.H)]
    proofs, witnesses = [], []
    for i in range(n):
        out, perm, r = shuffle(decks[-1], w.H, w.s[i], w.R, epoch, context)
        proofs.append(prove(context, i, w.H, decks[-1], out, perm, r, w.s[i], RND))
        decks.append(out)
        witnesses.append((perm, r))
    return Chain(w, all_ids, epoch, tuple(decks), tuple(proofs), tuple(witnesses))


def prove_with(
    c: Chain,
    link: int,
    blind: Callable[[int, int], Scalar],
    *,
    deck_out: Deck | None = None,
    perm: Sequence[int] | None = None,
    r: Sequence[Scalar] | None = None,
) -> bytes:
    """A proof for a link with chosen blinders b(L, j), output deck and witness: what a cheat may try."""
    out = c.decks[link + 1] if deck_out is None else deck_out
    own_perm, own_r = c.witnesses[link]
    t = statement(c.rctx, link, c.world.H, c.decks[link], out)
    late = (blind(2, 0), blind(4, 0), blind(9, 0))
    return _prove(
        t,
        c.world.H,
        out,
        own_perm if perm is None else perm,
        own_r if r is None else r,
        _early(len(out), blind),
        late,
    )


def replace_card(deck: Deck, k: int, A: Point, B: Point) -> Deck:
    """The deck with another card k."""
    return replace(deck, A=(*deck.A[:k], A, *deck.A[k + 1 :]), B=(*deck.B[:k], B, *deck.B[k + 1 :]), start=None)


def swap_cards(deck: Deck, j: int, k: int) -> Deck:
    """The deck with two cards exchanged."""
    first = replace_card(deck, j, deck.A[k], deck.B[k])
    return replace_card(first, k, deck.A[j], deck.B[j])


def blinders(name: str = "test/blind") -> Callable[[int, int], Scalar]:
    """Honest-looking blinders of a test prover."""
    return lambda L, j: Hs(name, u8(L), j.to_bytes(2, "little"))


def code_of(check: Callable[..., object], *arguments: object) -> str:
    """The code of the CryptoError that a check of these arguments raises, or "valid"."""
    try:
        check(*arguments)
    except CryptoError as error:
        return error.code
    return "valid"


def weights(n: int) -> bytes:
    """The worst source of weights there is: the sum must be sound even so."""
    return bytes(n)
