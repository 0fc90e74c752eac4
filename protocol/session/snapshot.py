"""What may be seen of a table by one seat or a watcher, taken at one moment."""

from __future__ import annotations

from collections.abc import Mapping

from protocol.rules.actions import Slot

from . import setup, turns
from .table import Table
from .view import Stage, TableView


def snapshot(
    table: Table, *, me: int | None, own: Mapping[Slot, int], leaving: tuple[int, ...], to_compare: bool
) -> TableView:
    """The view of seat `me`: all that is public, and the card ids `own` of the hidden slots that it can read.

    `leaving` are the seats that said goodbye; `to_compare` whether the table waits for our player to compare the cards
    of the handshake.
    """
    genesis, pack = table.genesis, table.ledger.pack
    return TableView(
        table=genesis.table,
        players=genesis.players,
        me=me,
        rules=genesis.rules,
        rules_name=genesis.rules_name,
        stage=stage_of(table),
        round_number=table.round_number,
        round=table.play,
        faces={slot: pack.face(card) for slot, card in {**table.ledger.cards, **own}.items()},
        waiting_for=table.waiting_for,
        totals=table.match.totals,
        results=table.results,
        checks=table.checks,
        winners=table.winners,
        departed=tuple(sorted(table.named)),
        leaving=leaving,
        fault=table.fault,
        step=table.step,
        head=table.head,
        max_rounds=genesis.max_rounds,
        seeded=genesis.seeded,
        handshake=table.handshake,
        to_compare=to_compare,
    )


def stage_of(table: Table) -> Stage:
    """Where the table stands. FAULTED: dead, or broken off after a fault; a fault that was played on from is none."""
    if table.dead:
        return Stage.FAULTED
    match table.phase:
        case None:
            return Stage.FAULTED if table.fault is not None and table.match.leavers else Stage.FINISHED
        case setup.Seating():
            return Stage.SEATING
        case setup.Commit():
            return Stage.SHUFFLING if table.round_number == 1 else Stage.BETWEEN
        case setup.Open() | setup.Shuffle() | setup.Ready():
            return Stage.SHUFFLING
        case setup.Deal():
            return Stage.DEALING
        case turns.Turn() | turns.Share() | turns.Offer():
            return Stage.PLAYING
        case _:
            return Stage.SCORING
