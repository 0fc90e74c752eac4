"""A game file as a row of positions that can be looked at from any seat: what `duizenden replay` shows.

Pure: bytes in, positions out. The file is verified first, by the same verifier as `duizenden verify`; what is shown
are the positions of its honest part. Nothing here knows a terminal or a key.

After a round every card that anybody held is known, by its opening or by SHOW. A position can therefore be seen as a
seat saw it then, as a watcher saw it, or open: with all that became known later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from protocol.errors import PeerFault
from protocol.rules.actions import Slot
from protocol.rules.state import Round
from protocol.session import setup, turns
from protocol.session.gamefile import read_records
from protocol.session.genesis import Genesis, decode_genesis
from protocol.session.outputs import (
    Drew,
    Event,
    Faulted,
    GameOver,
    Played,
    Reshuffling,
    RoundOver,
    RoundStarted,
    SetupProgress,
    Voided,
)
from protocol.session.secrets import weight_source
from protocol.session.table import Table
from protocol.session.verify import Verdict, verify_game
from protocol.session.view import RoundResult, Stage, TableView
from protocol.wire.entry import Kind, parse_entry

from .chronicle import Entry, chronicle

TURN_ENDS = (RoundStarted, Played, RoundOver, Voided, Faulted, GameOver)
"""What a step by whole turns stops at."""
ROUND_ENDS = (RoundStarted, RoundOver, Voided, GameOver)
"""What a step by rounds stops at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """The table right after these events; everything in it was public at that moment."""

    events: tuple[Event, ...]
    stage: Stage
    deal: int
    """The number of the round whose cards lie on the table; 0 before the first."""
    round_number: int
    round: Round | None
    waiting_for: tuple[int, ...]
    totals: tuple[int, ...]
    results: tuple[RoundResult, ...]
    winners: tuple[int, ...]
    departed: tuple[int, ...]
    fault: PeerFault | None
    step: int
    head: bytes


class Replay:
    """A verified game: its positions in order (at least one), and what became known of each round's cards."""

    def __init__(
        self, verdict: Verdict, positions: tuple[Position, ...], revealed: Mapping[int, Mapping[Slot, int]]
    ) -> None:
        self.verdict = verdict
        self.positions = positions
        self._revealed = revealed
        self._logs: dict[tuple[int | None, bool], tuple[tuple[Entry, ...], ...]] = {}

    @property
    def genesis(self) -> Genesis:
        """Players, rules and seats of the game."""
        return self.verdict.genesis

    @property
    def last(self) -> int:
        """The number of the last position; the first is 0."""
        return len(self.positions) - 1

    def view(self, at: int, seat: int | None, *, reveal: bool) -> TableView:
        """Position `at` as this seat (None: a watcher) saw it; with `reveal`, every card that was ever opened.

        Its `checks` are those of the whole file, which were made before anything was shown.
        """
        position = self.positions[at]
        return TableView(
            table=self.genesis.table,
            players=self.genesis.players,
            me=seat,
            rules=self.genesis.rules,
            rules_name=self.genesis.rules_name,
            stage=position.stage,
            round_number=position.round_number,
            round=position.round,
            faces=self._faces(position, seat, reveal=reveal),
            waiting_for=position.waiting_for,
            totals=position.totals,
            results=position.results,
            checks=self.verdict.checks,
            winners=position.winners,
            departed=position.departed,
            fault=position.fault,
            step=position.step,
            head=position.head,
            max_rounds=self.genesis.max_rounds,
            seeded=self.genesis.seeded,
        )

    def _faces(self, position: Position, seat: int | None, *, reveal: bool) -> dict[Slot, int]:
        if position.round is None:
            return {}
        known = self._revealed.get(position.deal, {})
        hands = position.round.hands
        seen = [slot for hand in hands for slot in hand] if reveal else hands[seat] if seat is not None else ()
        return {**position.round.faces, **{slot: known[slot] for slot in seen if slot in known}}

    def log(self, at: int, seat: int | None, *, reveal: bool) -> tuple[Entry, ...]:
        """What had happened up to position `at`, as this seat could tell it."""
        key = (seat, reveal)
        if key not in self._logs:
            self._logs[key] = tuple(self._told(k, seat, reveal=reveal) for k in range(len(self.positions)))
        return tuple(entry for told in self._logs[key][: at + 1] for entry in told)

    def _told(self, at: int, seat: int | None, *, reveal: bool) -> tuple[Entry, ...]:
        position = self.positions[at]
        known = self._revealed.get(position.deal, {})

        def seen(event: Event) -> Event:
            if isinstance(event, Drew) and event.face is None and (reveal or event.seat == seat):
                return replace(event, face=known.get(event.slot))
            return event

        before = self.view(max(at - 1, 0), seat, reveal=reveal)
        now = self.view(at, seat, reveal=reveal)
        return chronicle(before, now, tuple(seen(event) for event in position.events))

    def find(self, at: int, by: int, *, stops: tuple[type[Event], ...]) -> int:
        """The nearest position from `at` in this direction (1 or -1) whose events are among `stops`, else the end."""
        to = at + by
        while 0 < to < self.last and not any(isinstance(event, stops) for event in self.positions[to].events):
            to += by
        return min(max(to, 0), self.last)


# ------------------------------------------------------------------ from the file


def load_replay(data: bytes, entropy: bytes, progress: Callable[[int, int], None] | None = None) -> Replay:
    """Verify a game file and take it apart into positions.

    `entropy` and `progress(done, total)` are as for `verify_game`. A fault in the file is in `Replay.verdict`; the
    positions are those before it. Raises WireError when the bytes cannot be read as a game at all.
    """
    good = 0

    def checked(done: int, total: int) -> None:
        nonlocal good
        good = done
        if progress is not None:
            progress(done, total)

    verdict = verify_game(data, entropy, checked)
    genesis_bytes, frames = read_records(data)
    table = Table(decode_genesis(genesis_bytes), me=None, weights=lambda label: weight_source(entropy, label))
    # What holds need not be proven twice; what a fault leads to needs the checks that find it.
    table.trusting = verdict.fault is None
    collected = _Collector(table)
    keys = tuple(player.key for player in table.genesis.players)
    for frame in frames[:good]:
        entry = parse_entry(frame, table.genesis.table, keys)
        if entry.kind is Kind.EXPIRED:
            table.claim(entry)
        else:
            table.accept(entry)
        collected.look()
    return Replay(verdict, collected.positions(), collected.revealed())


class _Collector:
    """Watches a table from entry to entry and keeps a position whenever something happened that people see."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._kept: list[Position] = []
        self._deal = 0
        self._cards: dict[int, Mapping[Slot, int]] = {}

    def look(self) -> None:
        """See what the last entry led to."""
        table = self._table
        events = tuple(event for event in table.events if not isinstance(event, SetupProgress))
        table.events.clear()
        if any(isinstance(event, RoundStarted) for event in events):
            self._deal = table.round_number
            self._cards[self._deal] = table.ledger.cards
        if events:
            self._kept.append(self._position(events))

    def _position(self, events: tuple[Event, ...]) -> Position:
        table = self._table
        return Position(
            events=events,
            stage=_stage(table, events),
            deal=self._deal,
            round_number=table.round_number,
            round=table.play,
            waiting_for=table.waiting_for,
            totals=table.match.totals,
            results=table.results,
            winners=table.winners,
            departed=tuple(sorted(table.named)),
            fault=table.fault,
            step=table.step,
            head=table.head,
        )

    def positions(self) -> tuple[Position, ...]:
        """All of them; a game that never came to a first turn has the empty table as its only position."""
        return tuple(self._kept) or (self._position(()),)

    def revealed(self) -> dict[int, dict[Slot, int]]:
        """The face of every slot that was opened, by round."""
        pack = self._table.genesis.rules.pack
        return {deal: {slot: pack.face(card) for slot, card in cards.items()} for deal, cards in self._cards.items()}


def _stage(table: Table, events: tuple[Event, ...]) -> Stage:
    """Where the table stands, for a screen. While the pot is shuffled again the table stays in sight."""
    match table.phase:
        case None:
            return Stage.FAULTED if table.fault is not None and table.match.leavers else Stage.FINISHED
        case turns.Turn() | turns.Share() | turns.Offer():
            return Stage.PLAYING
        case setup.Commit() if table.results:
            return Stage.BETWEEN
        case _ if any(isinstance(event, Reshuffling) for event in events):
            return Stage.PLAYING
        case setup.Seating() | setup.Commit() | setup.Open() | setup.Shuffle() | setup.Ready() | setup.Deal():
            return Stage.SEATING
        case _:
            return Stage.SCORING
