"""One seat's secrets: everything derives from one 32-byte table secret that moves on after every round (spec 5.9).

The only file that handles secret keys. What it makes for others to see is returned as wire bodies; nothing here is
ever printed, compared or logged.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from protocol.crypto import context, deck, group, proofs, shuffle
from protocol.crypto.hashing import H32, H, Hs, u32
from protocol.errors import InternalError
from protocol.rules.actions import Slot

from .bodies import OpenBatch, slot_epoch, slot_index
from .ledger import EVERYBODY, PURPOSE_DEAL, PURPOSE_OPEN, PURPOSE_UPCARD, Chain, Ledger


def ratchet(secret: bytes) -> bytes:
    """The table secret of the next round: the old one cannot be computed from it (spec 5.9)."""
    return H32("dz1/ratchet", secret)


def weight_source(secret: bytes, label: bytes) -> Callable[[int], bytes]:
    """A stream of bytes that nobody without `secret` can predict, for the weights of one merged check."""
    counter = 0

    def take(count: int) -> bytes:
        nonlocal counter
        out = b""
        while len(out) < count:
            out += H("dz1/weights", secret, label, u32(counter))
            counter += 1
        return out[:count]

    return take


@dataclass(slots=True)
class RoundSecrets:
    """The secrets of one seat in one round: key x, seed s, nonce rho, all from the table secret and the context."""

    seat: int
    secret: bytes = field(repr=False)
    ctx: bytes
    x: int = field(repr=False, init=False)
    seed: bytes = field(repr=False, init=False)
    rho: bytes = field(repr=False, init=False)
    shuffles: dict[bytes, shuffle.Own] = field(repr=False, init=False, default_factory=dict)
    """Permutation and masks of our shuffles, by context."""

    def __post_init__(self) -> None:
        """Derive the round's secrets."""
        self.x = Hs("dz1/x", self.secret, self.ctx)
        self.seed = H32("dz1/s", self.secret, self.ctx)
        self.rho = H32("dz1/rho", self.secret, self.ctx)

    def _fresh(self, label: str, *parts: bytes) -> bytes:
        """Proof randomness, bound to what it is for: a restart makes the same proof, no other statement shares it."""
        return H32("dz1/rnd", self.secret, self.ctx, label.encode(), *parts)

    @property
    def key(self) -> bytes:
        """Public key share H_i."""
        return group.base(self.x)

    def commit_body(self) -> list[Any]:
        """Body of COMMIT."""
        seeds = context.seed_commitment(self.ctx, self.seat, self.seed)
        return [context.commitment(self.ctx, self.seat, self.key, seeds, self.rho)]

    def open_body(self) -> list[Any]:
        """Body of OPEN."""
        seeds = context.seed_commitment(self.ctx, self.seat, self.seed)
        proof = proofs.prove_key(self.ctx, self.seat, self.x, self._fresh("key"))
        return [self.key, seeds, self.rho, proof]

    def shuffle_body(self, ledger: Ledger, chain: Chain) -> list[Any]:
        """Body of SHUFFLE: the shuffle derived from the seed and the input deck, with its proof."""
        before = chain.last
        out, perm, masks = deck.shuffle(
            before, ledger.joint_key, self.seed, ledger.joint_nonce, chain.epoch, chain.rctx
        )
        self.shuffles[chain.rctx] = (perm, masks)
        rnd = self._fresh("shuffle", chain.rctx, context.deckhash(chain.rctx, before))
        proof = shuffle.prove(chain.rctx, self.seat, ledger.joint_key, before, out, perm, masks, self.seed, rnd)
        return [out.encode(), proof]

    def deal_body(self, ledger: Ledger, dealt: dict[int, list[Slot]], upcard: Slot) -> list[Any]:
        """Body of DEAL: our shares of everybody else's hand and of the open card."""
        body: list[Any] = []
        for p, slots in dealt.items():
            if p != self.seat:
                body.append(self._shares(ledger, PURPOSE_DEAL, p, slots))
        body.append(self._shares(ledger, PURPOSE_UPCARD, EVERYBODY, [upcard]))
        return body

    def _shares(self, ledger: Ledger, purpose: int, to: int, slots: list[Slot]) -> list[Any]:
        rnd = self._fresh("shares", bytes([purpose, to]), b"".join(u32(s) for s in slots))
        shares, proof = ledger.prove_shares(self.seat, purpose, to, slots, self.x, rnd)
        return [b"".join(shares), proof]

    def share_body(self, ledger: Ledger, purpose: int, to: int, slot: Slot, challenge: int) -> list[Any]:
        """Body of SHARES: our share of one drawn slot, its proof, a challenge."""
        return [*self._shares(ledger, purpose, to, [slot]), challenge]

    def read(self, ledger: Ledger, slot: Slot) -> int:
        """The card id of a slot of ours."""
        left = ledger.residual(slot, self.seat)
        card = ledger.find(slot, group.sub(left, group.mul(self.x, ledger.point_a(slot))))
        if card is None:
            raise InternalError("deal/unreadable", "proven shares of a proven deck show no card")
        return card

    def open_slots(self, ledger: Ledger, slots: list[Slot], cards: dict[Slot, int]) -> tuple[OpenBatch, ...]:
        """Open these hidden slots of ours (ascending), one proof an epoch."""
        batches = []
        for epoch in sorted({slot_epoch(s) for s in slots}):
            batch = sorted(s for s in slots if slot_epoch(s) == epoch)
            rnd = self._fresh("open", b"".join(u32(s) for s in batch))
            shares, proof = ledger.prove_shares(self.seat, PURPOSE_OPEN, EVERYBODY, batch, self.x, rnd)
            opened = tuple((slot_index(s), cards[s], d) for s, d in zip(batch, shares, strict=True))
            batches.append(OpenBatch(epoch, opened, proof))
        return tuple(batches)
