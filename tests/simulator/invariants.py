"""What must hold at every moment of a simulated table, whatever the network, the machines and hostile seats do."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from protocol.crypto import deck as decks
from protocol.crypto.group import encode_scalar, mul
from protocol.rules.cards import Pack
from protocol.rules.invariants import check_conservation
from protocol.session import closing, setup, turns
from protocol.session.bodies import slot_epoch, slot_index, slot_number
from protocol.wire.entry import SIDE, Entry, Kind

if TYPE_CHECKING:
    from protocol.crypto.deck import Deck
    from protocol.session.ledger import Chain
    from protocol.session.secrets import RoundSecrets
    from protocol.session.session import Session
    from protocol.session.table import Table

_LATE = (closing.Show, closing.Audit, closing.Verdict, closing.Void)
"""Phases in which hands are open or opening, or the round is given up."""
_sound: set[bytes] = set()
"""Heads whose table was found sound in this process."""


class Broken(AssertionError):
    """An invariant does not hold."""


def require(holds: object, what: str) -> None:
    """Raise Broken with this sentence unless it holds."""
    if not holds:
        raise Broken(what)


@dataclass
class Watch:
    """Sees every state of every honest node, and everything that honest nodes send."""

    honest: frozenset[int]
    forkable: bool
    """Whether hostile seats may show two histories (for a moment)."""
    blamable: set[int] = field(default_factory=set)
    """Seats that may be named: hostile, gone for good, or gone with a goodbye."""
    heads: dict[int, bytes] = field(default_factory=dict)
    """The head before each step, as the first node had it."""
    said: dict[tuple[int, int], Entry] = field(default_factory=dict)
    """What each honest seat said in each step, once it has left the node."""
    sent: set[bytes] = field(default_factory=set)
    """Every frame that an honest seat has sent of its own."""
    bound: dict[int, int] = field(default_factory=dict)
    """The last step in which each honest seat has said something."""
    secrets: dict[int, RoundSecrets] = field(default_factory=dict)
    checks: int = 0

    # ------------------------------------------------------------------ states

    def state(self, session: Session, since: int) -> int:
        """Check a session after something happened; steps before `since` were checked. Returns the next `since`.

        A node binds itself by each entry that leaves it, to everything before that. What it holds beyond may be lost in
        a crash: its own next entry that has not left, and entries of peers, which are not written to the disk at once.
        """
        table, seat = session._table, session.seat
        assert seat is not None
        self.checks += 1
        bound = self.bound.get(seat, -1)
        for step in range(since, table.step + 1):
            own = table.log[step - 1].get(seat) if step else None
            if own is not None and own.frame not in self.sent:
                break
            self._history(table, seat, step, binding=step <= bound)
        since = max(since, min(bound, table.step) + 1)
        named = table.named | (set() if table.fault is None else {table.fault.seat})
        require(named <= self.blamable, f"seat {seat} names {sorted(named)} ({table.fault}), may {self.blamable}")
        if session._secrets is not None:
            self.secrets[seat] = session._secrets
        if table.play is not None and table.head not in _sound:
            self._cards(table)
            _sound.add(table.head)
        return since

    def _history(self, table: Table, seat: int, step: int, *, binding: bool) -> None:
        """One history: equal heads at equal steps; with hostile seats, up to what an honest seat has signed."""
        if seat in self.blamable:
            return  # it may have spoken without anybody hearing it, and then the others ended the step without it
        head = table.head if step == table.step else table.heads[step]
        first = self.heads.setdefault(step, head) if binding else self.heads.get(step, head)
        if not self.forkable:
            require(head == first, f"seat {seat} has another history at step {step}")
        if step > 0:
            for author, entry in table.log[step - 1].items():
                spoken = self.said.get((step - 1, author))
                if author in self.honest and entry.kind not in SIDE:
                    require(spoken is not None, f"seat {author} never said what seat {seat} has in step {step - 1}")
                    assert spoken is not None
                    require(spoken.raw == entry.raw, f"seat {author} said two things in step {step - 1}")

    def _cards(self, table: Table) -> None:
        """Every card and every point is in exactly one place, hidden ones included."""
        state = table.play
        assert state is not None
        stock: list[int] | None = None
        faces = {slot: table.ledger.pack.face(card) for slot, card in table.ledger.cards.items()}
        keys = [self.secrets.get(s) for s in table.present]
        playing = isinstance(table.phase, turns.Turn | turns.Offer)
        if playing and all(k is not None and k.ctx == table.ledger.ctx for k in keys):
            stock = list(range(table.next_draw, table.next_draw + state.stock))
            for chain in table.ledger.chains:
                xs = tuple(k.x for k in keys if k is not None)
                cards = _opened(chain.last, xs, chain.ids)
                faces |= {slot_number(chain.epoch, i): Pack.face(table.ledger.pack, c) for i, c in enumerate(cards)}
        check_conservation(state, faces, stock)

    # ------------------------------------------------------------------ messages

    def entry(self, seat: int, entry: Entry, session: Session) -> None:
        """An honest seat publishes this entry: never another one than before, never a secret before its time."""
        if entry.seat == seat:
            self.sent.add(entry.frame)
            self.bound[seat] = max(self.bound.get(seat, -1), entry.step)
        if entry.seat == seat and entry.kind not in SIDE:
            first = self.said.setdefault((entry.step, seat), entry)
            require(first.raw == entry.raw, f"seat {seat} contradicts itself in step {entry.step}")
        if entry.seat == seat and entry.frame not in _sound:
            self.clean(seat, entry.frame)
            self._unopened(entry, session)
            _sound.add(entry.frame)

    def clean(self, seat: int, payload: bytes) -> None:
        """No key and no secret of the seat stands in what it sends."""
        kept = self.secrets.get(seat)
        if kept is not None:
            require(kept.secret not in payload, f"seat {seat} sends its table secret")
            require(encode_scalar(kept.x) not in payload, f"seat {seat} sends its key")

    def _unopened(self, entry: Entry, session: Session) -> None:
        """No share that would open a hidden card of the author's or a card of the stock, and no seed too early."""
        table, secrets = session._table, session._secrets
        if secrets is None or entry.kind is Kind.VERDICT or not table.ledger.chains:
            return
        if entry.kind is not Kind.AUDIT:
            require(secrets.seed not in entry.frame, f"seat {entry.seat} sends its seed in {entry.kind.name}")
        for chain, slot in _closed_slots(table, entry.seat):
            share = _share(secrets.x, chain.last.A[slot_index(slot)])
            require(share not in entry.frame, f"{entry.kind.name} of seat {entry.seat} opens slot {slot}")


def _closed_slots(table: Table, seat: int) -> list[tuple[Chain, int]]:
    """The slots that no share of this seat may open now: its own hidden ones, and the stock."""
    ledger, state = table.ledger, table.play
    if isinstance(table.phase, _LATE) or table.phase is None:
        return []
    if isinstance(table.phase, setup.Deal):
        slots = [*setup.dealt_slots(table, seat), *range(setup.upcard_slot(table) + 1, len(ledger.chain(0).ids))]
    elif state is None or not isinstance(table.phase, turns.Turn | turns.Share | turns.Offer | closing.End):
        return []
    else:
        stock = set(range(table.next_draw, table.next_draw + state.stock))
        if isinstance(table.phase, turns.Share):
            stock.discard(table.phase.slot)
        slots = [*ledger.hidden(state.hands[seat]), *sorted(stock)]
    epochs = {c.epoch: c for c in ledger.chains if c.deck_hash}
    found = [(epochs.get(slot_epoch(slot)), slot) for slot in slots]
    return [(chain, slot) for chain, slot in found if chain is not None]


@cache
def _share(x: int, point: bytes) -> bytes:
    return mul(x, point)


@cache
def _opened(deck: Deck, keys: tuple[int, ...], ids: tuple[int, ...]) -> list[int]:
    """Every card of a deck, opened with all keys."""
    cards = [
        decks.find_card(decks.residual(b, [_share(x, a) for x in keys]), ids)
        for a, b in zip(deck.A, deck.B, strict=True)
    ]
    require(None not in cards, "a card of the deck cannot be opened")
    return [c for c in cards if c is not None]
