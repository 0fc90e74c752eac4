"""From an empty table to dealt hands: SEAT, COMMIT, OPEN, SHUFFLE, READY, DEAL (spec/20-crypto.md 5.7).

The barrier that everything rests on is in `Ready`: it is reached only with a verified chain of shuffles, and no phase
before it asks for a decryption share.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from protocol.crypto import context, proofs, shuffle
from protocol.crypto.deck import decode_deck
from protocol.crypto.group import IDENTITY, decode_point
from protocol.crypto.hashing import H
from protocol.errors import InternalError
from protocol.rules import engine
from protocol.rules.actions import Slot
from protocol.rules.scoring import next_starter
from protocol.wire.entry import VERSION, Entry, Kind

from .bodies import blob, fields, slot_number
from .handshake import handshake_cards
from .ledger import EVERYBODY, PURPOSE_DEAL, PURPOSE_UPCARD, Chain, Ledger, Link
from .outputs import RoundStarted
from .phases import BadContent, BadStep, Phase

if TYPE_CHECKING:
    from .table import Table


class Seating(Phase):
    """SEAT of all: everybody signs the same genesis under their own key."""

    kinds = (Kind.SEAT,)
    leads_to = ("Commit",)

    def check(self, table: Table, entry: Entry) -> Any:
        """The roster part must repeat the genesis."""
        if entry.body != table.seat_body(entry.seat):
            raise BadContent("seat/roster", "does not agree with the genesis")
        return None

    def close(self, table: Table, said: Mapping[int, Any]) -> Phase | None:
        """The first round begins."""
        return begin_round(table)


def seat_body(key: bytes, name: str, rules_hash: bytes) -> list[Any]:
    """Body of SEAT: [protocol version, Ed25519 key, name, rule card hash]."""
    return [VERSION, key, name, rules_hash]


def begin_round(table: Table) -> Phase:
    """Start the next round (or attempt): its number never repeats at a table (spec 5.2)."""
    table.round_number += 1
    ctx = context.ctx(
        table.genesis.table,
        table.round_number,
        [table.genesis.players[seat].key for seat in table.present],
        table.genesis.rules_hash,
        0,
    )
    table.ledger = Ledger(ctx, table.genesis.rules.pack, table.present)
    return Commit(table.present)


class Commit(Phase):
    """COMMIT of all: [COMMIT_i]."""

    kinds = (Kind.COMMIT,)
    leads_to = ("Open",)

    def check(self, table: Table, entry: Entry) -> bytes:
        """32 bytes."""
        (commitment,) = fields(entry.body, 1, "COMMIT")
        return blob(commitment, 32, "commitment")

    def close(self, table: Table, said: Mapping[int, bytes]) -> Phase | None:
        """All commitments are known; now they may be opened."""
        table.ledger.commitments = dict(said)
        return Open(table.present)


class Open(Phase):
    """OPEN of all: [H_i, S_i, rho_i, proof of possession]."""

    kinds = (Kind.OPEN,)
    leads_to = ("Shuffle",)

    def check(self, table: Table, entry: Entry) -> tuple[bytes, bytes, bytes]:
        """The opening must match the commitment, the key must be a point whose logarithm the seat knows."""
        key, seed, nonce, proof = fields(entry.body, 4, "OPEN")
        blob(key, 32, "key share")
        blob(seed, 32, "seed commitment")
        blob(nonce, 32, "nonce")
        blob(proof, 64, "proof of possession")
        ledger, i = table.ledger, entry.seat
        decode_point(key, "pok")
        if context.commitment(ledger.ctx, i, key, seed, nonce) != ledger.commitments[i]:
            raise BadContent("open/commitment", "does not open the commitment")
        if not table.trusting:
            proofs.verify_key(ledger.ctx, i, key, proof)
        table.count(commitments=1)
        return key, seed, nonce

    def close(self, table: Table, said: Mapping[int, tuple[bytes, bytes, bytes]]) -> Phase | None:
        """Joint key and joint nonce; the first deck of the round."""
        ledger = table.ledger
        ledger.keys = {i: key for i, (key, _, _) in said.items()}
        ledger.seed_commitments = {i: seed for i, (_, seed, _) in said.items()}
        keys = [*ledger.keys.values()]
        equal = [i for i, key in ledger.keys.items() if keys.count(key) > 1]
        if equal:
            raise BadStep(*(BadContent("open/equal-keys", f"one key for seats {equal}", seat=i) for i in equal))
        ledger.joint_key = context.joint_key(keys)
        if ledger.joint_key == IDENTITY:
            # each key was committed to before another was seen: it takes all seats to make them cancel
            raise BadStep(*(BadContent("open/joint-key", "the key shares cancel", seat=i) for i in table.present))
        ledger.joint_nonce = context.joint_nonce(ledger.ctx, [nonce for _, _, nonce in said.values()])
        table.handshake = table.handshake or handshake_cards(table.genesis, ledger.joint_nonce)
        return begin_shuffle(table, tuple(range(ledger.pack.size)))


def begin_shuffle(table: Table, ids: tuple[int, ...], resume: Phase | None = None) -> Phase:
    """A new deck of these ids, shuffled by every seat in turn; then `resume` (None: the first deal)."""
    table.ledger.begin_chain(ids)
    return Shuffle((table.present[0],), resume)


@dataclass(slots=True)
class Shuffle(Phase):
    """SHUFFLE of one seat: [deck, proof]. Form and points are checked at once, the proof before READY."""

    resume: Phase | None = None
    kinds = (Kind.SHUFFLE,)
    speakers = "the first seat, then each next one"
    leads_to = ("Shuffle", "Ready")

    def check(self, table: Table, entry: Entry) -> Link:
        """As many cards as went in, every point valid, a proof of the right size."""
        chain = table.ledger.chains[-1]
        size = len(chain.ids)
        data, proof = fields(entry.body, 2, "SHUFFLE")
        blob(data, 64 * size, "deck")
        blob(proof, 32 * (3 * size + 9), "shuffle proof")
        return Link(entry.seat, entry.step, decode_deck(data, size), proof)

    def close(self, table: Table, said: Mapping[int, Link]) -> Phase | None:
        """The next seat shuffles; after the last one the whole chain is verified."""
        (link,) = said.values()
        chain = table.ledger.chains[-1]
        chain.links.append(link)
        if link.seat != table.present[-1]:
            return Shuffle((table.seat_after(link.seat),), self.resume)
        if not table.trusting:
            verify_chain(table, chain)
        chain.deck_hash = context.deckhash(chain.rctx, chain.last)
        return Ready(table.present, self.resume)


def verify_chain(table: Table, chain: Chain) -> None:
    """Verify all shuffles of a chain but our own. Raises BadStep naming the seat and step of every false one."""
    links = [(link.seat, link.out, link.proof) for link in chain.links]
    mine = {k for k, link in enumerate(chain.links) if link.seat == table.me}
    known = table.own_shuffle(chain.rctx)
    own = {} if known is None else dict.fromkeys(mine, known)
    key, weights = table.ledger.joint_key, table.weights(chain.rctx)
    try:
        shuffle.verify_chain(chain.rctx, key, chain.ids, links, weights, skip=mine - own.keys(), own=own)
    except shuffle.ChainError as error:
        steps = {link.seat: link.step for link in chain.links}
        false = (BadContent(e.code, e.detail, seat=e.seat, step=steps[e.seat]) for e in error.all)
        raise BadStep(*false) from None
    table.count(shuffle_proofs=len(links) - len(mine))


@dataclass(slots=True)
class Ready(Phase):
    """READY of all: [rctx, deck hash]. The barrier: no share leaves a node before this step has closed."""

    resume: Phase | None = None
    kinds = (Kind.READY,)
    leads_to = ("Deal", "Share")

    def check(self, table: Table, entry: Entry) -> None:
        """Everybody must have the same deck."""
        if entry.body != ready_body(table):
            raise BadContent("ready/deck", "another deck or context")

    def close(self, table: Table, said: Mapping[int, Any]) -> Phase | None:
        """Deal, or go on with the turn that needed a reshuffle."""
        return self.resume or Deal(table.present)


def ready_body(table: Table) -> list[Any]:
    """Body of READY for the deck just shuffled."""
    chain = table.ledger.chains[-1]
    return [chain.rctx, chain.deck_hash]


def dealt_slots(table: Table, seat: int) -> list[Slot]:
    """The slots dealt to a seat: card k of the p-th of m seats that play is slot k*m + p (spec 5.6)."""
    seats = table.present
    place = seats.index(seat)
    return [slot_number(0, k * len(seats) + place) for k in range(table.genesis.rules.hand_size)]


def upcard_slot(table: Table) -> Slot:
    """The slot of the card turned up at the start."""
    return slot_number(0, table.genesis.rules.hand_size * len(table.present))


class Deal(Phase):
    """DEAL of all: for every other seat [shares of its slots, proof], then the same for the open card."""

    kinds = (Kind.DEAL,)
    leads_to = ("Offer", "Turn")

    def check(self, table: Table, entry: Entry) -> dict[Slot, bytes]:
        """Every batch has a proof that holds."""
        j, ledger = entry.seat, table.ledger
        parts = fields(entry.body, len(table.present), "DEAL")
        found: dict[Slot, bytes] = {}
        batches = [(p, PURPOSE_DEAL, dealt_slots(table, p)) for p in table.present if p != j]
        batches.append((EVERYBODY, PURPOSE_UPCARD, [upcard_slot(table)]))
        given: list[tuple[bytes, bytes]] = []
        for part, (_, _, slots) in zip(parts, batches, strict=True):
            data, proof = fields(part, 2, "DEAL batch")
            given.append((blob(data, 32 * len(slots), "shares"), blob(proof, 64, "share proof")))
        for (data, proof), (to, purpose, slots) in zip(given, batches, strict=True):
            shares = [data[32 * k : 32 * k + 32] for k in range(len(slots))]
            if not table.trusting:
                ledger.verify_shares(j, purpose, to, slots, shares, proof)
            table.count(shares=len(slots))
            found.update(zip(slots, shares, strict=True))
        return found

    def close(self, table: Table, said: Mapping[int, dict[Slot, bytes]]) -> Phase | None:
        """The open card shows, the hands are dealt, the first turn begins."""
        ledger, rules, seats = table.ledger, table.genesis.rules, table.present
        for j, shares in said.items():
            for slot, share in shares.items():
                ledger.add_share(slot, j, share)
        up = upcard_slot(table)
        card = ledger.find(up, ledger.residual(up, None))
        if card is None:
            raise InternalError("deal/up-card", "proven shares of a proven deck show no card")
        ledger.cards[up] = card
        starter = choose_starter(table)
        table.starter = starter
        table.play = engine.start_round(
            rules,
            table.n,
            starter=starter,
            hands=[dealt_slots(table, p) if p in seats else [] for p in table.everybody],
            open_slot=up,
            open_face=ledger.face(up),
            stock=len(ledger.chain(0).ids) - len(seats) * rules.hand_size - 1,
            dealer=seats[seats.index(starter) - 1],
        )
        table.next_draw = slot_number(0, len(seats) * rules.hand_size + 1)
        table.emit(RoundStarted(table.round_number, starter))
        return table.next_turn()


def choose_starter(table: Table) -> int:
    """Who starts: as the rule card says; what is random comes from the joint nonce (spec/10-rules.md R32, R33)."""
    agreed = next_starter(table.genesis.rules, table.present, table.starter)
    if agreed is not None:
        return agreed
    drawn = int.from_bytes(H("dz1/starter", table.ledger.joint_nonce), "little")
    return table.present[drawn % len(table.present)]
