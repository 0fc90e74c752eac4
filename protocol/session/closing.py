"""The end of a round: END, SHOW, AUDIT, VERDICT (spec/20-crypto.md 5.7).

The order is the protection: no hand opens before every seat agreed that the round is over, and no seed leaves a node
before every hand is open.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from protocol.crypto import audit
from protocol.crypto.hashing import H32
from protocol.rules.actions import Slot
from protocol.rules.scoring import RoundPoints, round_points
from protocol.wire.entry import Entry, Kind

from .bodies import OpenBatch, blob, fields, parse_opens, seats_mask
from .outputs import GameOver, RoundOver
from .phases import BadContent, BadStep, Phase
from .setup import begin_round
from .view import RoundResult, plays_on

if TYPE_CHECKING:
    from .table import Table


class End(Phase):
    """END of all: [rctx of the last epoch]: agreement that the round is over, and nothing else."""

    kinds = (Kind.END,)
    leads_to = ("Show",)

    def check(self, table: Table, entry: Entry) -> None:
        """Everybody must be at the same deck."""
        if entry.body != end_body(table):
            raise BadContent("end/context", "another deck")

    def close(self, table: Table, said: Mapping[int, Any]) -> Phase | None:
        """Now hands may be opened."""
        return Show(table.present)


def end_body(table: Table) -> list[Any]:
    """Body of END."""
    return [table.ledger.chains[-1].rctx]


def hand_to_show(table: Table, seat: int) -> list[Slot]:
    """The hidden slots a seat still holds, ascending: what it must show."""
    assert table.play is not None
    return table.ledger.hidden(table.play.hands[seat])


def check_opened_slots(table: Table, seat: int, batches: tuple[OpenBatch, ...], expected: list[Slot]) -> None:
    """Exactly these slots must be opened, and the seat must hold them. Raises BadContent."""
    assert table.play is not None
    opened = [s for batch in batches for s in batch.slots]
    if not set(opened) <= set(table.play.hands[seat]):
        raise BadContent("open/owner", "opens a slot it does not hold")
    if opened != expected:
        raise BadContent("open/slots", f"opens {opened}, must open {expected}")


class Show(Phase):
    """SHOW of all: [opens] of every hidden slot the seat holds."""

    kinds = (Kind.SHOW,)
    leads_to = ("Audit",)

    def check(self, table: Table, entry: Entry) -> dict[Slot, int]:
        """Complete and proven."""
        (opens,) = fields(entry.body, 1, "SHOW")
        batches = parse_opens(opens)
        check_opened_slots(table, entry.seat, batches, hand_to_show(table, entry.seat))
        opened = table.ledger.verify_opens(entry.seat, batches, trusting=table.trusting)
        table.count(opened_cards=len(opened))
        return opened

    def close(self, table: Table, said: Mapping[int, dict[Slot, int]]) -> Phase | None:
        """All hands are public; the score is known, the seeds may follow."""
        for opened in said.values():
            table.ledger.cards.update(opened)
        return Audit(table.present)


class Audit(Phase):
    """AUDIT of all: [s_i]. Judged when all seeds are here, so that every seat reaches the same verdict."""

    kinds = (Kind.AUDIT,)
    leads_to = ("Verdict",)

    def check(self, table: Table, entry: Entry) -> bytes:
        """32 bytes."""
        (seed,) = fields(entry.body, 1, "AUDIT")
        return blob(seed, 32, "seed")

    def close(self, table: Table, said: Mapping[int, bytes]) -> Phase | None:
        """Recompute every shuffle of every seat from its seed; whose are not as committed is at fault."""
        table.ledger.seeds = dict(said)
        skipped = audit.NOT_AUDITED
        table.verdicts = tuple(audit_seat(table, s) if s in said else skipped for s in table.everybody)
        codes = {audit.SEED: "audit/seed", audit.SHUFFLE: "audit/shuffle"}
        false = [
            BadContent(codes[verdict], "not as committed", seat=seat)
            for seat, verdict in enumerate(table.verdicts)
            if verdict not in {audit.OK, audit.NOT_AUDITED}
        ]
        if false:
            raise BadStep(*false)
        return Verdict(table.present)


def audit_seat(table: Table, seat: int) -> int:
    """Verdict byte on one seat: the first of its shuffles of the round that is not as committed, else OK."""
    ledger = table.ledger
    committed, seed = ledger.seed_commitments[seat], ledger.seeds[seat]
    if table.trusting:
        return audit.audit_seed(ledger.ctx, seat, committed, seed)
    for chain in ledger.chains:
        before = chain.start
        for link in chain.links:
            if link.seat == seat:
                verdict = audit.audit_shuffle(
                    ledger.ctx,
                    seat,
                    committed,
                    seed,
                    R=ledger.joint_nonce,
                    epoch=chain.epoch,
                    rctx=chain.rctx,
                    H=ledger.joint_key,
                    deck_in=before,
                    deck_out=link.out,
                )
                if verdict != audit.OK:
                    return verdict
                table.count(audited_shuffles=1)
            before = link.out
    return audit.OK


class Verdict(Phase):
    """VERDICT of all: [one byte a seat, hash of the score]."""

    kinds = (Kind.VERDICT,)
    leads_to = ("Commit", None)

    def check(self, table: Table, entry: Entry) -> None:
        """Everybody must reach the same verdict and the same score."""
        if entry.body != verdict_body(table):
            raise BadContent("verdict/differs", "another verdict or score")

    def close(self, table: Table, said: Mapping[int, Any]) -> Phase | None:
        """Score the round; then the next one, or the end."""
        table.results += (round_result(table),)
        table.match = table.match.add(table.results[-1].points)
        result = table.results[-1]
        table.emit(RoundOver(result.round_number, result.points, result.totals))
        if table.is_game_over:
            table.emit(GameOver(table.winners))
            return None
        return begin_round(table)


@dataclass(slots=True)
class Void(Phase):
    """VOID of all who are not named: [rctx or 0^32, reason, named mask] (spec 5.8).

    Neither hands nor seeds are shown after it: with the seeds, who has left could read every card of the round.
    """

    reason: int = 0
    kinds = (Kind.VOID,)
    speakers = "all that no VOID named"
    leads_to = ("Commit", None)

    def check(self, table: Table, entry: Entry) -> None:
        """Everybody must name the same seats for the same reason."""
        if entry.body != void_body(table):
            raise BadContent("void/differs", "another reason or other seats")

    def close(self, table: Table, said: Mapping[int, Any]) -> Phase | None:
        """The others play on, or the game is broken off, as the rule card says."""
        if not plays_on(table.genesis.rules, len(table.present)):
            broken_off(table)
            return None
        table.match = table.match.retire(*sorted(table.named))
        table.play, table.verdicts = None, ()
        return begin_round(table)


def void_body(table: Table) -> list[Any]:
    """Body of VOID."""
    chains = table.ledger.chains
    assert isinstance(table.phase, Void)
    return [chains[-1].rctx if chains else bytes(32), table.phase.reason, seats_mask(table.named)]


def broken_off(table: Table) -> None:
    """The game ends without the named seats: who led after the last full round wins (resign, aborted_winner)."""
    table.match = table.match.abort(*sorted(table.named))
    table.emit(GameOver(table.winners))


def points_of(table: Table) -> tuple[RoundPoints, ...]:
    """Points of the round, all cards known."""
    assert table.play is not None
    pack = table.ledger.pack
    faces = {slot: pack.face(card) for slot, card in table.ledger.cards.items()}
    return tuple(round_points(table.play, faces))


def verdict_body(table: Table) -> list[Any]:
    """Body of VERDICT."""
    points = [p.total for p in points_of(table)]
    return [bytes(table.verdicts), score_hash(table.round_number, points, table.match.totals)]


def score_hash(round_number: int, points: list[int], totals_before: tuple[int, ...]) -> bytes:
    """H32("dz1/score", u32 round, then i32 little-endian points and new total of every seat) (spec/30-wire.md 6)."""
    parts = [round_number.to_bytes(4, "little")]
    for gained, before in zip(points, totals_before, strict=True):
        parts += [gained.to_bytes(4, "little", signed=True), (before + gained).to_bytes(4, "little", signed=True)]
    return H32("dz1/score", b"".join(parts))


def round_result(table: Table) -> RoundResult:
    """The scored round for people and for the match."""
    assert table.play is not None
    points = points_of(table)
    gained = tuple(p.total for p in points)
    ledger = table.ledger
    return RoundResult(
        round_number=table.round_number,
        points=gained,
        totals=tuple(t + g for t, g in zip(table.match.totals, gained, strict=True)),
        table_points=tuple(p.table for p in points),
        hand_points=tuple(p.hand for p in points),
        hands=tuple(tuple(ledger.face(s) for s in hand) for hand in table.play.hands),
        out=table.play.out,
        verdicts=table.verdicts,
        penalties=tuple(p.penalty for p in points) if table.genesis.rules.last_card_call != "none" else (),
    )
