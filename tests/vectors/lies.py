"""What false seats of test vectors say, and what is done to files afterwards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from protocol.crypto import context, deck, shuffle
from protocol.crypto.group import Q
from protocol.crypto.hashing import H
from protocol.errors import IllegalMove
from protocol.rules import engine
from protocol.rules.actions import Exchange, Lay, Placed, Play
from protocol.rules.cards import QUEEN_OF_SPADES
from protocol.session.bodies import exchange_body, play_body, slot_number
from protocol.session.gamefile import MAGIC, read_records
from protocol.wire.codec import decode, encode
from protocol.wire.entry import Kind, genesis_head, next_head, parse_entry, sign_entry
from tests.protocol.session.test_hostile import Hostile, Mutation

from .player import threes
from .tables import VectorTable

Records = list[bytes]

# ------------------------------------------------------------------ plays that are proven, and not allowed


def playing(make: Callable[[Hostile], Play]) -> Mutation:
    """A PLAY with all its cards opened and proven as it should be, whatever the rules say of it."""

    def lie(_: list[Any], seat: Hostile) -> list[Any]:
        play, state = make(seat), seat._table.play
        assert state is not None
        assert seat.seat is not None
        return [play_body(play), seat._open(engine.slots_to_open(state, seat.seat, play))[1], 0]

    return lie


def no_meld(seat: Hostile) -> Play:
    """Three cards that are neither a set nor a run, laid all the same."""
    hand = seat.view().hand
    return Play(steps=(Lay(tuple(map(Placed, hand[:3]))),), discard=hand[3])


def queen_thrown(seat: Hostile) -> Play:
    """The queen of spades as a discard, with other cards in hand. Raises StopIteration for a hand without her."""
    view = seat.view()
    return Play(discard=next(slot for slot in view.hand if view.faces[slot] == QUEEN_OF_SPADES))


def pot_for_nothing(seat: Hostile) -> Play:
    """The pot taken into the hand, with nothing laid."""
    return Play(take_pot=True, discard=seat.view().hand[0])


def too_little(seat: Hostile) -> Play:
    """A first meld of fewer points than the table asks for. Raises StopIteration for a hand without one."""
    view = seat.view()
    assert view.round is not None
    assert view.me is not None
    three = next(threes(view.hand, view.faces))
    return Play(steps=(Lay(tuple(map(Placed, three))),), discard=next(s for s in view.hand if s not in three))


def nothing_thrown(seat: Hostile) -> Play:
    """A turn that ends without a discard, with cards in hand."""
    del seat
    return Play()


def queen_returned(_: list[Any], seat: Hostile) -> list[Any]:
    """An exchange that the rules refuse: the first card of the hand that may not be given back."""
    state, view = seat._table.play, seat.view()
    assert state is not None
    assert seat.seat is not None
    for slot in view.hand:
        try:
            engine.exchange(state, seat.seat, Exchange(slot), dict(view.faces))
        except IllegalMove:
            return [exchange_body(Exchange(slot)), seat._open((slot,))[1]]
    raise LookupError("every card may be given back")


def dealt_to_all(_: list[Any], seat: Hostile) -> list[Any]:
    """Shares of the slots that everybody would have if the seats without which the others play on were there."""
    secrets, table = seat._secrets, seat._table
    assert secrets is not None
    n, hand = len(table.genesis.players), table.genesis.rules.hand_size
    dealt = {p: [slot_number(0, k * n + p) for k in range(hand)] for p in table.present}
    return secrets.deal_body(table.ledger, dealt, slot_number(0, n * hand))


def committed_with_all(body: list[Any], seat: Hostile) -> list[Any]:
    """Once the others play on without a seat: a commitment under the context of all seats of the table."""
    table, secrets = seat._table, seat._secrets
    seat.told = bool(table.named)
    if not seat.told:
        return body
    assert secrets is not None
    keys = [player.key for player in table.genesis.players]
    ctx = context.ctx(table.genesis.table, table.round_number, keys, table.genesis.rules_hash)
    seed = context.seed_commitment(ctx, secrets.seat, secrets.seed)
    return [context.commitment(ctx, secrets.seat, secrets.key, seed, secrets.rho)]


def own_shuffle(_: list[Any], seat: Hostile) -> list[Any]:
    """A shuffle in an order of its own choice, and a proof of it that holds: only the seed does not lead to it."""
    secrets, ledger = seat._secrets, seat._table.ledger
    assert secrets is not None
    assert seat.seat is not None
    chain, other = ledger.chains[-1], bytes(32)
    out, perm, masks = deck.shuffle(chain.last, ledger.joint_key, other, ledger.joint_nonce, chain.epoch, chain.rctx)
    proof = shuffle.prove(chain.rctx, seat.seat, ledger.joint_key, chain.last, out, perm, masks, other, bytes(32))
    secrets.shuffles[chain.rctx] = (perm, masks)
    return [out.encode(), proof]


# ------------------------------------------------------------------ files changed afterwards


def file_of(records: Sequence[bytes]) -> bytes:
    """A game file of these records, whatever they are."""
    return MAGIC + b"".join(len(record).to_bytes(4, "little") + record for record in records)


def records_of(table: VectorTable, count: int | None = None) -> Records:
    """The genesis and the first entries of this table's log."""
    genesis, frames = read_records(table.file())
    return [genesis, *frames][:count]


def replaced(records: Records, at: int, *by: bytes) -> Records:
    """These records with another one, several or none in one place."""
    return [*records[:at], *by, *records[at + 1 :]]


def signed_again(seats: VectorTable, record: bytes, *, by: int | None = None, **changes: Any) -> bytes:
    """An entry with these fields changed, signed by the seat it names (or by another)."""
    raw, _ = decode(record, 1 << 20)
    version, its_table, step, seat, head, kind, body = decode(raw, 1 << 20)
    names = ("version", "table", "step", "seat", "head", "kind", "body")
    fields = {**dict(zip(names, (version, its_table, step, seat, head, kind, body), strict=True)), **changes}
    key = seats.keys[min(fields["seat"], seats.n - 1) if by is None else by]
    new = encode([fields[name] for name in names])
    return encode([new, key.sign(H("dz1/entry", new))])


def signature_changed(record: bytes, change: Callable[[bytes], bytes]) -> bytes:
    """An entry whose signature alone is another."""
    raw, signature = decode(record, 1 << 20)
    return encode([raw, change(signature)])


def second_form(signature: bytes) -> bytes:
    """The same signature with the group's order added to its scalar: lax verifiers accept it."""
    return signature[:32] + (int.from_bytes(signature[32:], "little") + Q).to_bytes(32, "little")


def said_instead(
    table: VectorTable,
    kinds: tuple[Kind, ...],
    seat: int | None,
    kind: Kind,
    body: list[Any],
    *,
    after: Kind = Kind.SEAT,
) -> bytes:
    """The log up to the first entry of these kinds behind `after`; its seat (or another) says something else."""
    records = records_of(table)
    genesis, frames = records[0], records[1:]
    head, step, spoken, begun = genesis_head(genesis), 0, list[bytes](), False
    for place, frame in enumerate(frames):
        entry = parse_entry(frame, table.genesis.table, table.public)
        if entry.step != step:
            head, step, spoken = next_head(head, spoken), entry.step, []
        begun = begun or entry.kind is after
        if begun and entry.kind in kinds:
            who = entry.seat if seat is None else seat
            other = sign_entry(table.keys[who], table.genesis.table, step, who, head, kind, body)
            return file_of([*records[: place + 1], other.frame])
        spoken.append(entry.raw)
    raise LookupError(f"nobody says {kinds}")


def genesis_changed(table: VectorTable, **changes: Any) -> bytes:
    """A file of the genesis alone, with these of its values changed."""
    return file_of([replace(table.genesis, **changes).encode()])


def card_changed(table: VectorTable, before: bytes, after: bytes) -> bytes:
    """A file of the genesis alone, with this part of its rule card replaced."""
    fields = list(decode(table.genesis.encode(), 1 << 20))
    assert before in fields[4]
    fields[4] = fields[4].replace(before, after)
    return file_of([encode(fields)])
