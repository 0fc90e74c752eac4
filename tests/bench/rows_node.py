"""The budgets of whole processes: four nodes at one table over the embedded broker, as people run them.

The table's times are wall times, so whatever else the machine does is in them: the best of several tables is judged
(noise only ever adds), the median is printed beside it, and the load of the machine stands in the output. On a Linux
machine that is busy with something else, root can measure ahead of it:
`setsid -w sh -c 'echo -19 > /proc/self/autogroup; exec python tests/bench/run.py node'`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median

from node.addresses import BrokerAddress
from node.app import LOOPBACK
from node.broker import EmbeddedBroker
from tests.bench.harness import Meter, Row, at_most, quantile
from tests.bench.machine import PROC, ROOT, disk, environment, follow_priority, load, note, resident, unmeasured
from tests.bench.seat import Notes, Task

SEATS = 4
TABLES = 3
ROUNDS = 10
"""Of 15 to 60 moves each."""
PAUSE = 0.03
"""Seconds a seat waits with a move: the machine is quiet when it comes, as it is between people's moves."""
PATIENCE = 300.0
MOVES = 200
"""The fewest moves of a game that make a p99."""


@dataclass(frozen=True, slots=True)
class Table:
    """What four seats noted of one game, and the broker's memory at its end."""

    seats: tuple[Notes, ...]
    broker_megabytes: float

    def setups(self) -> list[tuple[float, float]]:
        """Per round: seconds from the first COMMIT that left a node until every node saw the first turn.

        And the processor seconds of the four nodes meanwhile, each from its own COMMIT.
        """
        found = []
        for k in range(min(len(notes.turns) for notes in self.seats)):
            begin = min(notes.commits[k][0] for notes in self.seats)
            end = max(notes.turns[k][0] for notes in self.seats)
            work = sum(notes.turns[k][1] - notes.commits[k][1] for notes in self.seats)
            found.append((end - begin, work))
        return found

    def moves(self, kind: str) -> list[float]:
        """Per move of this kind: seconds from its submission until all four seats had a snapshot that contains it.

        A play is one step of the log; a draw is two, the intent and everybody's shares of the card.
        """
        steps = 1 if kind == "play" else 2
        return [
            max(seen(notes, at, step + steps) for notes in self.seats) - at
            for mover in self.seats
            for at, step, its_kind in mover.moves
            if its_kind == kind
        ]


def seen(notes: Notes, after: float, step: int) -> float:
    """When this seat first had a snapshot of this step or a later one."""
    return next(at for at, reached in notes.updates if at >= after and reached >= step)


def play_table() -> Table:
    """Play one game of ROUNDS rounds between four processes."""
    with tempfile.TemporaryDirectory() as folder, EmbeddedBroker(host=LOOPBACK, port=0) as broker, ExitStack() as stack:
        assert broker.pid is not None, "the broker has ended"
        follow_priority(broker.pid)
        url = BrokerAddress(LOOPBACK, broker.port).url()
        children: list[subprocess.Popen[str]] = []
        table = ""
        for seat in range(SEATS):
            journals = Path(folder) / f"seat{seat}"
            journals.mkdir()
            task = Task(broker=url, folder=str(journals), seats=SEATS, rounds=ROUNDS, pause=PAUSE, table=table)
            child = subprocess.Popen(
                [sys.executable, "-m", "tests.bench.seat", json.dumps(asdict(task))],
                stdout=subprocess.PIPE,
                text=True,
                env=environment(),
                cwd=ROOT,
            )
            stack.callback(_end, child)
            children.append(child)
            assert child.stdout is not None
            table = table or child.stdout.readline().strip()
            assert table, "nobody hosts"
        notes = sorted((_notes(child) for child in children), key=lambda n: n.seat)
        broker_megabytes = resident(broker.pid) if PROC else 0.0
    assert [n.seat for n in notes] == list(range(SEATS)), "not four seats of one table"
    return Table(tuple(notes), broker_megabytes)


def _notes(child: subprocess.Popen[str]) -> Notes:
    out, _ = child.communicate(timeout=PATIENCE)
    if child.returncode:
        raise RuntimeError(f"a seat ended with exit code {child.returncode}")
    return Notes(**json.loads(out))


def _end(child: subprocess.Popen[str]) -> None:
    if child.poll() is None:
        child.kill()
    child.wait()


def rows(meter: Meter) -> Iterator[Row]:
    """All rows of nodes over the embedded broker."""
    before = load()
    tables = [play_table() for _ in range(TABLES)]
    yield note("four nodes over the embedded broker: the machine before, after", f"{before}, {load()}")
    yield note("  its disk: one durable write, median, nine of ten, worst", disk())
    yield from _setup_rows(tables, meter)
    yield from _move_rows(tables, meter)
    yield from _memory_rows(tables)


def _setup_rows(tables: list[Table], meter: Meter) -> Iterator[Row]:
    setups = [setup for table in tables for setup in table.setups()]
    best = min(wall for wall, _ in setups)
    what = f"setup of a round, COMMIT to first turn on all four (best of {len(setups)})"
    yield replace(at_most(what, best, 1.0, "s"), in_t_mul=f"{best / meter.t_mul:,.0f}")
    yield note("  median", f"{median(wall for wall, _ in setups):.4g} s")
    work = min(work for _, work in setups)
    yield note("  processor time of the four nodes together (least)", f"{work:.4g} s")


def _move_rows(tables: list[Table], meter: Meter) -> Iterator[Row]:
    kinds = [{kind: table.moves(kind) for kind in ("draw", "play")} for table in tables]
    every = [[seconds for moves in table.values() for seconds in moves] for table in kinds]
    count = sum(map(len, every))
    assert min(map(len, every)) >= MOVES, "games too short for a p99"
    best = min(quantile(moves, 0.99) for moves in every)
    what = f"a move on all four screens after its submission, p99 (best of {len(every)} games, {count} moves)"
    yield replace(at_most(what, 1000 * best, 50.0, "ms"), in_t_mul=f"{best / meter.t_mul:,.0f}")
    yield note("  p99 of all moves together", f"{1000 * quantile([s for m in every for s in m], 0.99):.4g} ms")
    for kind in ("draw", "play"):
        yield note(f"  median of a {kind}", f"{1000 * median([s for table in kinds for s in table[kind]]):.4g} ms")


def _memory_rows(tables: list[Table]) -> Iterator[Row]:
    what = f"resident memory of a node, the most of {SEATS * len(tables)} over whole games"
    if not PROC:
        yield unmeasured(what)
        return
    yield at_most(what, max(notes.megabytes[0] for table in tables for notes in table.seats), 100.0, "MB")
    yield note("  of the embedded broker's process", f"{max(t.broker_megabytes for t in tables):.4g} MB")
