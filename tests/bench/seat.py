"""One seat of a measured table, in a process of its own: `python -m tests.bench.seat` with its `Task` as JSON.

It is the product's own node with the product's own bot choices; only its transport notes when an entry is handed to it,
and only its handle's updates are timed. Times are of the monotonic clock, which the processes of a machine share.
It prints the table's name when it hosts, and at the end what it noted, each as one line.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from node.addresses import BrokerAddress, parse_address
from node.app import run
from node.bots import ENDED
from node.hosting import HostConfig, host_table
from node.joining import JoinConfig, join_table
from node.link import MqttLink
from node.messages import parse_table_name, table_name
from node.policy import choose
from node.topics import parse_topic
from protocol.rules.actions import Draw
from protocol.rules.ruleset import preset, with_overrides
from protocol.rules.state import Phase
from protocol.session.view import Stage
from protocol.wire.codec import decode
from protocol.wire.entry import Kind
from protocol.wire.limits import MAX_FRAME
from tests.bench.machine import PROC, resident

if TYPE_CHECKING:
    from node.driver import TableDriver

RULES = "klassiek"
FAR = 100_000
"""A target that nobody reaches: the number of rounds is what ends the game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What this seat is to do. `table` empty: host it. `pause`: seconds between a choice and its submission."""

    broker: str
    folder: str
    seats: int
    rounds: int
    pause: float
    table: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notes:
    """What a seat saw, in seconds of the monotonic clock.

    `commits` and `turns`: when its COMMIT of each round left it, and when it saw the round's first turn; with the
    processor seconds of the process until then. `moves`: when it submitted (time, step, kind). `updates`: the open step
    of each snapshot. `megabytes`: the most memory it ever had.
    """

    seat: int
    commits: list[tuple[float, float]] = field(default_factory=list)
    turns: list[tuple[float, float]] = field(default_factory=list)
    moves: list[tuple[float, int, str]] = field(default_factory=list)
    updates: list[tuple[float, int]] = field(default_factory=list)
    megabytes: list[float] = field(default_factory=list)


def stamp() -> tuple[float, float]:
    """Now, and the processor seconds of this process."""
    return time.monotonic(), time.process_time()


def tell(line: str) -> None:
    """Give the measuring process a line."""
    print(line, flush=True)  # noqa: T201  the pipe is the interface


class NotingLink(MqttLink):
    """The usual link; it notes when a COMMIT is handed to it."""

    def __init__(self, address: BrokerAddress) -> None:
        super().__init__(address)
        self.commits: list[tuple[float, float]] = []

    def send(self, topic: str, payload: bytes, *, retain: bool = False, reliable: bool = True) -> None:
        """Send as usual."""
        parsed = parse_topic(topic)
        if parsed is not None and parsed.channel == "m":
            raw, _signature = decode(payload, MAX_FRAME)
            if decode(raw, MAX_FRAME)[5] == Kind.COMMIT:
                self.commits.append(stamp())
        super().send(topic, payload, retain=retain, reliable=reliable)


async def play(driver: TableDriver, notes: Notes, pause: float) -> None:
    """Make every move of this seat until the game is over, and note."""
    async for update in driver.updates():
        view = update.view
        notes.updates.append((time.monotonic(), view.step))
        fresh = view.round is not None and view.round.phase is Phase.DRAW and not any(view.round.turns_taken)
        if view.stage is Stage.PLAYING and fresh and len(notes.turns) < view.round_number:
            notes.turns.append(stamp())
        if view.stage in ENDED:
            return
        if view.my_turn:
            action = await asyncio.to_thread(choose, view)
            await asyncio.sleep(pause)  # like people: nobody else is busy when the move comes
            notes.moves.append((time.monotonic(), view.step, "draw" if isinstance(action, Draw) else "play"))
            await driver.submit(action)


async def sit(task: Task) -> Notes:
    """Host or join, play, and return what was noted."""
    links: list[NotingLink] = []

    def connect(address: BrokerAddress) -> NotingLink:
        links.append(NotingLink(address))
        return links[-1]

    folder = Path(task.folder)
    broker = parse_address(task.broker)
    async with AsyncExitStack() as stack:
        if task.table:
            join = JoinConfig(
                broker=broker,
                name="Guest",
                journals=folder,
                table=parse_table_name(task.table),
                bot=True,
                auto_continue=True,
            )
            joined = await stack.enter_async_context(join_table(join, connect=connect))
            driver = await stack.enter_async_context(joined.play())
        else:
            host = HostConfig(
                name="Host",
                rules=with_overrides(preset(RULES), {"target_score": FAR}),
                rules_name=RULES,
                seats=task.seats,
                journals=folder,
                max_rounds=task.rounds,
                bot=True,
                broker=broker,
                discoverable=False,
                auto_continue=True,
            )
            hosted = await stack.enter_async_context(host_table(host, connect=connect))
            tell(table_name(hosted.table))
            async for room in hosted.updates():
                if room.full:
                    break
            _, driver = await hosted.start()
        me = driver.view().me
        assert me is not None
        notes = Notes(seat=me, commits=links[0].commits)
        await play(driver, notes, task.pause)
        if driver.view().stage is not Stage.FINISHED:
            raise RuntimeError(f"the game ended as {driver.view().stage}")
        notes.megabytes.append(resident(field="VmHWM") if PROC else 0.0)
        await driver.linger()
    return notes


if __name__ == "__main__":
    tell(json.dumps(asdict(run(sit(Task(**json.loads(sys.argv[1])))))))
