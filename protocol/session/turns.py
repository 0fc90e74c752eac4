"""Turns: EXCHANGE, DRAW, SHARES, PLAY, and the way into a reshuffle or the end of the round (spec/20-crypto.md 5.7).

A play is judged as one whole: the cards it opens are proven first, then the rules decide on all of it, with the same
function that judged it before it was sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from protocol.rules import engine
from protocol.rules.actions import Play, Slot
from protocol.rules.engine import DrawOutcome
from protocol.rules.state import Phase as RulePhase
from protocol.rules.state import Round
from protocol.wire.entry import Entry, Kind
from protocol.wire.limits import MAX_SEATS

from .bodies import (
    OpenBatch,
    blob,
    fields,
    parse_exchange,
    parse_opens,
    parse_play,
    slot_epoch,
    slot_index,
    slot_number,
    uint,
)
from .closing import End, check_opened_slots
from .ledger import PURPOSE_DRAW
from .outputs import Challenged, Drew, Exchanged, Played, Reshuffling
from .phases import BadContent, Phase
from .setup import begin_shuffle

if TYPE_CHECKING:
    from .table import Table


def next_turn(table: Table) -> Phase:
    """The phase for where the round stands now."""
    state = table.play
    assert state is not None
    if state.phase is RulePhase.OVER:
        return End(table.present)
    if state.phase is RulePhase.EXCHANGE:
        return Offer((state.mover,))
    offender = engine.penalty_due(state)
    if offender is not None:
        return _penalty(table, state, offender)
    if state.phase is RulePhase.DRAW and engine.must_end(state):
        table.play = engine.end_round(state)
        return End(table.present)
    return Turn((state.mover,), may_draw=state.phase is RulePhase.DRAW)


@dataclass(frozen=True, slots=True)
class Wish:
    """A DRAW: the slot that would be taken, what the wish leads to, and a challenge (None: nobody)."""

    slot: Slot
    outcome: DrawOutcome
    challenged: int | None


@dataclass(frozen=True, slots=True)
class Move:
    """A checked PLAY: the cards it opened, the state after it, and a challenge (None: nobody)."""

    play: Play
    opened: dict[Slot, int]
    after: Round
    challenged: int | None


@dataclass(frozen=True, slots=True)
class Swapped:
    """A checked EXCHANGE: the returned slot (None: declined), what it opened, and the state after it."""

    returned: Slot | None
    opened: dict[Slot, int]
    after: Round


def drawable_slot(table: Table) -> tuple[Slot, DrawOutcome]:
    """The slot that a DRAW must name now, and what it leads to.

    From the stock: its next slot. With an empty stock: slot 0 of the next epoch, whether a reshuffle or the end of the
    round follows; a pot of one card is drawn openly and keeps its slot (spec 5.7, RESHUFFLE).
    """
    state = table.play
    assert state is not None
    outcome = engine.draw_outcome(state)
    match outcome:
        case DrawOutcome.STOCK:
            return table.next_draw, outcome
        case DrawOutcome.SINGLE:
            return state.pot[0], outcome
        case _:
            return slot_number(len(table.ledger.chains), 0), outcome


@dataclass(slots=True)
class Turn(Phase):
    """The seat to move draws (DRAW) or plays (PLAY, with the pot instead of a draw)."""

    may_draw: bool = True
    kinds = (Kind.DRAW, Kind.PLAY)
    speakers = "the mover"
    leads_to = ("Share", "Shuffle", "Turn", "End")

    def check(self, table: Table, entry: Entry) -> Wish | Move:
        """A draw must be possible; a play must be proven and legal to its end."""
        if entry.kind is Kind.DRAW:
            return self._check_draw(table, entry)
        return check_play(table, entry)

    def _check_draw(self, table: Table, entry: Entry) -> Wish:
        epoch, index, challenge = fields(entry.body, 3, "DRAW")
        slot = slot_number(uint(epoch, 255, "epoch"), uint(index, 255, "index"))
        challenged = parse_challenge(challenge)
        if not self.may_draw:
            raise BadContent("rules/already_drawn", "a second draw in one turn")
        expected, outcome = drawable_slot(table)
        if slot != expected:
            raise BadContent("draw/slot", f"not the next card: {slot}, expected {expected}")
        return Wish(slot, outcome, challenged)

    def close(self, table: Table, said: Mapping[int, Wish | Move]) -> Phase | None:
        """Take the draw or apply the play."""
        ((seat, what),) = said.items()
        if isinstance(what, Move):
            return _apply(table, seat, what)
        state = table.play
        assert state is not None
        match what.outcome:
            case DrawOutcome.STOCK:
                phase = _take(table, seat, what.slot, engine.draw(state, seat, what.slot))
            case DrawOutcome.SINGLE:
                table.play = engine.draw_single(state, seat)
                table.emit(Drew(seat, what.slot, table.ledger.face(what.slot)))
                judge_challenges(table, {seat: what.challenged})
                return next_turn(table)
            case DrawOutcome.RESHUFFLE:
                turned, pot = engine.reshuffle(state)
                phase = _reshuffle(table, seat, pot, what.slot, engine.draw(turned, seat, what.slot))
            case _:
                table.play = engine.end_round(state)
                return End(table.present)
        judge_challenges(table, {seat: what.challenged})
        return phase


def _take(table: Table, seat: int, slot: Slot, after: Round) -> Phase:
    """The drawn slot now has one recipient for ever; the others owe it their shares."""
    table.play = after
    table.next_draw = slot + 1
    return Share(tuple(j for j in table.present if j != seat), seat, slot)


def _reshuffle(table: Table, seat: int, pot: tuple[Slot, ...], slot: Slot, after: Round) -> Phase:
    """The whole pot becomes the new stock: its ids ascending, a new epoch, a new chain, a new READY."""
    ids = tuple(sorted(table.ledger.cards[s] for s in pot))
    table.emit(Reshuffling(seat, len(ids)))
    return begin_shuffle(table, ids, _take(table, seat, slot, after))


def _penalty(table: Table, state: Round, offender: int) -> Phase:
    """A missed call costs a stock card: the next slot goes to the offender, whoever moves (spec/10-rules.md R146)."""
    match engine.penalty_outcome(state):
        case DrawOutcome.STOCK:
            slot = table.next_draw
            return _take(table, offender, slot, engine.penalty_draw(state, slot))
        case DrawOutcome.RESHUFFLE:
            turned, pot = engine.penalty_reshuffle(state)
            slot = slot_number(len(table.ledger.chains), 0)
            return _reshuffle(table, offender, pot, slot, engine.penalty_draw(turned, slot))
        case DrawOutcome.SINGLE:
            table.emit(Drew(offender, state.pot[0], table.ledger.face(state.pot[0])))
            table.play = engine.penalty_single(state)
        case _:
            table.play = engine.penalty_lapses(state)
    return next_turn(table)


def parse_challenge(value: Any) -> int | None:
    """The challenge on an entry: 0 for none, else the challenged seat plus one."""
    challenged = uint(value, MAX_SEATS, "challenge")
    return None if challenged == 0 else challenged - 1


def judge_challenges(table: Table, challenges: Mapping[int, int | None]) -> None:
    """Judge the challenges of a step on the state it led to, by ascending seat; a wrong one has no effect."""
    for seat, challenged in challenges.items():
        assert table.play is not None
        if challenged is not None and engine.challenge_holds(table.play, seat, challenged):
            table.play = engine.challenge(table.play, seat, challenged)
            table.emit(Challenged(seat, challenged))


@dataclass(slots=True)
class Share(Phase):
    """SHARES of all others: their decryption share of the drawn slot, for the drawer alone to finish."""

    drawer: int = 0
    slot: Slot = 0
    kinds = (Kind.SHARES,)
    speakers = "all but the seat that gets the card"
    leads_to = ("Turn", "Share", "Shuffle", "End")

    def check(self, table: Table, entry: Entry) -> tuple[bytes, int | None]:
        """The share is proven."""
        data, proof, challenge = fields(entry.body, 3, "SHARES")
        share = blob(data, 32, "share")
        blob(proof, 64, "share proof")
        challenged = parse_challenge(challenge)
        if not table.trusting:
            table.ledger.verify_shares(entry.seat, PURPOSE_DRAW, self.drawer, [self.slot], [share], proof)
        table.count(shares=1)
        return share, challenged

    def close(self, table: Table, said: Mapping[int, tuple[bytes, int | None]]) -> Phase | None:
        """The drawer can read the card; nobody else can."""
        for j, (share, _) in said.items():
            table.ledger.add_share(self.slot, j, share)
        table.emit(Drew(self.drawer, self.slot, None))
        judge_challenges(table, {j: challenged for j, (_, challenged) in said.items()})
        return next_turn(table)


class Offer(Phase):
    """EXCHANGE of one seat: it takes the open card and returns another, opened, or declines (spec/10-rules.md R40)."""

    kinds = (Kind.EXCHANGE,)
    speakers = "the seat on offer"
    leads_to = ("Offer", "Turn")

    def check(self, table: Table, entry: Entry) -> Swapped:
        """As a play: the returned card is proven, then the rules decide."""
        act, opens = fields(entry.body, 2, "EXCHANGE")
        action, batches = parse_exchange(act), parse_opens(opens)
        state = table.play
        assert state is not None
        needed = () if action.returned is None else (action.returned,)
        opened = open_for(table, entry.seat, batches, needed)
        after = engine.exchange(state, entry.seat, action, known_faces(table, opened))
        table.count(opened_cards=len(opened), moves=1)
        return Swapped(action.returned, opened, after)

    def close(self, table: Table, said: Mapping[int, Swapped]) -> Phase | None:
        """The offer goes on, or the first turn begins."""
        ((seat, what),) = said.items()
        state = table.play
        assert state is not None
        taken = None if what.returned is None else state.open_card
        table.play = what.after
        table.ledger.cards.update(what.opened)
        table.emit(Exchanged(seat, taken, what.returned))
        return next_turn(table)


def open_for(table: Table, seat: int, batches: tuple[OpenBatch, ...], needed: tuple[Slot, ...]) -> dict[Slot, int]:
    """Check that exactly the hidden ones of the needed slots are opened, by their holder, with proof."""
    check_opened_slots(table, seat, batches, table.ledger.hidden(needed))
    return table.ledger.verify_opens(seat, batches, trusting=table.trusting)


def known_faces(table: Table, opened: dict[Slot, int]) -> dict[Slot, int]:
    """Public faces and those of just opened cards."""
    assert table.play is not None
    pack = table.ledger.pack
    return {**table.play.faces, **{slot: pack.face(card) for slot, card in opened.items()}}


def check_play(table: Table, entry: Entry) -> Move:
    """Check a PLAY [act, opens, challenge] as one whole. Raises BadContent, WireError, CryptoError or IllegalMove."""
    act, opens, challenge = fields(entry.body, 3, "PLAY")
    play, batches, challenged = parse_play(act), parse_opens(opens), parse_challenge(challenge)
    state = table.play
    assert state is not None
    opened = open_for(table, entry.seat, batches, engine.slots_to_open(state, entry.seat, play))
    after = engine.play(state, entry.seat, play, known_faces(table, opened))
    table.count(opened_cards=len(opened), moves=1)
    return Move(play, opened, after, challenged)


def _apply(table: Table, seat: int, move: Move) -> Phase:
    state = table.play
    assert state is not None
    table.play = move.after
    table.ledger.cards.update(move.opened)
    pot = state.pot if move.play.take_pot else ()
    table.emit(Played(seat, move.play, pot, out=move.after.out == seat))
    judge_challenges(table, {seat: move.challenged})
    return next_turn(table)


def draw_body(slot: Slot, challenge: int) -> list[Any]:
    """Body of DRAW: [epoch, index, challenge]."""
    return [slot_epoch(slot), slot_index(slot), challenge]
