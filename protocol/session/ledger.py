"""Everything public about the cards of one round: keys, decks, shares, opened cards. No rule of the game is known here.

The ledger is filled by the phases as steps close; it holds no secret. It is the only place where slots, card ids and
group elements meet.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from protocol.crypto import context, deck, proofs
from protocol.crypto.deck import Deck
from protocol.errors import CryptoError
from protocol.rules.actions import Slot
from protocol.rules.cards import Pack

from .bodies import OpenBatch, slot_epoch, slot_index, slot_number

PURPOSE_DEAL = proofs.PURPOSE_DEAL
PURPOSE_DRAW = proofs.PURPOSE_DRAW
PURPOSE_OPEN = proofs.PURPOSE_OPEN
PURPOSE_UPCARD = proofs.PURPOSE_UPCARD
EVERYBODY = proofs.ALL


@dataclass(frozen=True, slots=True)
class Link:
    """One seat's shuffle: its output deck, proof and the step it was said in."""

    seat: int
    step: int
    out: Deck
    proof: bytes


@dataclass(slots=True)
class Chain:
    """One deck of the round: the ids that went in, and one link per seat that shuffled."""

    epoch: int
    rctx: bytes
    ids: tuple[int, ...]
    start: Deck
    links: list[Link] = field(default_factory=list)
    deck_hash: bytes = b""
    """Hash of the agreed deck, once READY has closed."""

    @property
    def last(self) -> Deck:
        """The newest deck of the chain."""
        return self.links[-1].out if self.links else self.start


@dataclass(slots=True)
class Ledger:
    """The public card facts of one round."""

    ctx: bytes
    pack: Pack
    seats: tuple[int, ...]
    """Who plays the round, ascending."""
    commitments: dict[int, bytes] = field(default_factory=dict)
    keys: dict[int, bytes] = field(default_factory=dict)
    seed_commitments: dict[int, bytes] = field(default_factory=dict)
    joint_nonce: bytes = b""
    joint_key: bytes = b""
    chains: list[Chain] = field(default_factory=list)
    shares: dict[Slot, dict[int, bytes]] = field(default_factory=dict)
    cards: dict[Slot, int] = field(default_factory=dict)
    """Card ids of all opened slots."""
    seeds: dict[int, bytes] = field(default_factory=dict)

    def chain(self, epoch: int) -> Chain:
        """The deck of an epoch. Raises IndexError for an epoch that has not begun."""
        return self.chains[epoch]

    def begin_chain(self, ids: tuple[int, ...]) -> Chain:
        """Start the next epoch's deck with these card ids, ascending (spec 5.3, 5.6)."""
        epoch = len(self.chains)
        keys, seeds = [*self.keys.values()], [*self.seed_commitments.values()]
        rctx = context.rctx(self.ctx, self.joint_nonce, keys, seeds, epoch)
        chain = Chain(epoch, rctx, ids, deck.start_deck(ids, self.joint_key))
        self.chains.append(chain)
        return chain

    def point_a(self, slot: Slot) -> bytes:
        """First half of the slot's ciphertext in the agreed deck."""
        return self.chain(slot_epoch(slot)).last.A[slot_index(slot)]

    def point_b(self, slot: Slot) -> bytes:
        """Second half."""
        return self.chain(slot_epoch(slot)).last.B[slot_index(slot)]

    def add_share(self, slot: Slot, seat: int, share: bytes) -> None:
        """Keep a verified decryption share."""
        self.shares.setdefault(slot, {})[seat] = share

    def residual(self, slot: Slot, owner: int | None) -> bytes:
        """What is left of the slot when everybody's share but the owner's is taken off (owner None: everybody's).

        Raises KeyError when a share is missing.
        """
        given = self.shares[slot]
        return deck.residual(self.point_b(slot), [given[j] for j in self.seats if j != owner])

    def find(self, slot: Slot, point: bytes) -> int | None:
        """The card id of this epoch's deck whose point this is, else None."""
        return deck.find_card(point, self.chain(slot_epoch(slot)).ids)

    def hidden(self, slots: Iterable[Slot]) -> list[Slot]:
        """Those of these slots whose card is not public yet, by epoch and index."""
        return sorted({s for s in slots if s not in self.cards})

    def face(self, slot: Slot) -> int:
        """Face of an opened slot. Raises KeyError for a hidden one."""
        return self.pack.face(self.cards[slot])

    def verify_shares(
        self, seat: int, purpose: int, to: int, slots: list[Slot], shares: list[bytes], proof: bytes
    ) -> None:
        """Check one batch of decryption shares of one epoch. Raises CryptoError `dleq/..`."""
        chain = self.chain(slot_epoch(slots[0]))
        places = [(slot_epoch(s), slot_index(s)) for s in slots]
        points = [self.point_a(s) for s in slots]
        proofs.verify_shares(
            chain.rctx, chain.deck_hash, seat, purpose, to, places, self.keys[seat], points, shares, proof
        )

    def prove_shares(
        self, seat: int, purpose: int, to: int, slots: list[Slot], secret: int, rnd32: bytes
    ) -> tuple[tuple[bytes, ...], bytes]:
        """Make one batch of shares of one epoch and its proof."""
        chain = self.chain(slot_epoch(slots[0]))
        places = [(slot_epoch(s), slot_index(s)) for s in slots]
        points = [self.point_a(s) for s in slots]
        return proofs.prove_shares(
            chain.rctx, chain.deck_hash, seat, purpose, to, places, secret, points, rnd32, H_j=self.keys[seat]
        )

    def verify_opens(self, owner: int, batches: tuple[OpenBatch, ...], *, trusting: bool = False) -> dict[Slot, int]:
        """Check that the owner opened these hidden slots as these card ids (spec 5.6). Returns slot -> card id.

        The caller has checked that the owner holds the slots. Raises CryptoError `dleq/..` or `card/..`.
        """
        opened: dict[Slot, int] = {}
        for batch in batches:
            slots = list(batch.slots)
            if not trusting:
                self.verify_shares(owner, PURPOSE_OPEN, EVERYBODY, slots, [d for _, _, d in batch.cards], batch.proof)
            ids = self.chain(batch.epoch).ids
            for index, card, share in batch.cards:
                slot = slot_number(batch.epoch, index)
                if not trusting:
                    proofs.verify_card(self.residual(slot, owner), share, card, ids)
                opened[slot] = card
        self._check_once(opened)
        return opened

    def _check_once(self, opened: dict[Slot, int]) -> None:
        """Each id once in a deck: follows from proven shuffles, so it is a check on the proofs too (spec 5.6)."""
        seen: set[tuple[int, int]] = set()
        for slot, card in [*self.cards.items(), *opened.items()]:
            place = (slot_epoch(slot), card)
            if place in seen:
                raise CryptoError("card/twice", f"card {card} was opened before")
            seen.add(place)
