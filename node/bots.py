"""A node without a screen in a process of its own: a bot. `python -m node.bots`, driven over its pipes.

The process says `ready`, reads its orders as one JSON line from standard input (nothing secret is in its arguments),
and reports in JSON lines on standard output. It plays with the moves of `node.policy` like any other peer, with its own
key and journal. It ends when its standard input closes or says `stop`; the game is then in its journal.

Orders: `{"role": "join" | "host" | "resume", ..}`, see `Orders`. A host waits for `start` on a line of its own.
Reports: `ready`, `seated` or `hosting`, `playing`, `turn` (the first has been made), `round`, `over`, `failed` (with
a code).
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
import sys
import threading
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from protocol.crypto.audit import OK
from protocol.errors import DuizendenError, IllegalMove, NotNow
from protocol.rules import engine
from protocol.rules.actions import Draw, Play
from protocol.rules.ruleset import from_canonical
from protocol.session.outputs import Claimed
from protocol.session.session import Challenge, Claim
from protocol.session.view import Stage

from .addresses import parse_address
from .app import LOOPBACK
from .app import run as loop_run
from .entropy import Entropy, SeededEntropy, SystemEntropy
from .messages import parse_table_name, table_name

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from protocol.rules.actions import Action
    from protocol.session.view import TableView

    from .driver import TableDriver
    from .handle import TableHandle

log = logging.getLogger("duizenden.bot")

ENDED = (Stage.FINISHED, Stage.FAULTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """What a bot process is to do.

    `delay` are the least and most seconds it thinks about a move. `journal` is the file to resume from, `journals` the
    folder for a new one. `seed` makes a reproducible test game; `label` keeps its nodes apart.
    """

    role: str
    name: str = "Bot"
    broker: str = ""
    table: str = ""
    journals: str = ""
    journal: str = ""
    files: tuple[str, ...] = ()
    delay: tuple[float, float] = (0.0, 0.0)
    seed: str | None = None
    label: str = ""
    secret: str = field(default="", repr=False)
    """Of a sealed table, hexadecimal."""
    rules: str = ""
    """The rule card's canonical text (a host's)."""
    rules_name: str = ""
    seats: int = 0
    max_rounds: int = 0
    port: int = 0
    """Port of a host's own broker on this machine, which it brings along when `broker` is empty (0: any)."""

    def line(self) -> str:
        """The orders as the line to send."""
        return json.dumps({f.name: getattr(self, f.name) for f in fields(self)})


def read_orders(line: str) -> Orders:
    """Orders from their line. Raises ValueError or TypeError for anything else."""
    value = json.loads(line)
    return Orders(**{**value, "files": tuple(value["files"]), "delay": tuple(value["delay"])})


# ------------------------------------------------------------------------------------------ playing


async def play(handle: TableHandle, delay: tuple[float, float]) -> AsyncIterator[TableView]:
    """Make every move of this seat until the game is over; yields each new view.

    A missed last-card call is challenged at our next move. A claim that seats are silent is joined as soon as we do not
    hear them either: people must not wait for a bot. In a pause nothing is done.
    """
    from .policy import choose

    jitter = random.SystemRandom()
    claims: set[tuple[int, ...]] = set()
    async for update in handle.updates():
        claims |= {event.silent for event in update.events if isinstance(event, Claimed)}
        if not _paused(handle):
            await _join_claims(handle, claims)
        while handle.view().my_turn and not _paused(handle):
            if delay[1] > 0:
                await asyncio.sleep(jitter.uniform(*delay))
            await catch(handle)
            view = handle.view()
            if not view.my_turn:
                break  # the round was given up while we thought
            action = await asyncio.to_thread(choose, view)
            if _paused(handle) or not await _move(handle, action):
                break
        yield handle.view()
        if handle.view().stage in ENDED:
            return


def _paused(handle: TableHandle) -> bool:
    return handle.talk.standing().paused_by is not None


async def catch(handle: TableHandle) -> None:
    """Challenge a missed last-card call, with our own next entry: as late as a person who notices it at its turn."""
    view = handle.view()
    if view.round is None or view.me is None:
        return
    for offender in engine.punishable(view.round):
        if engine.challenge_holds(view.round, view.me, offender):
            with suppress(IllegalMove, NotNow):  # the log went on meanwhile
                await handle.submit(Challenge(offender))
            return


async def _join_claims(handle: TableHandle, claims: set[tuple[int, ...]]) -> None:
    peers = handle.connection().peers
    for silent in [c for c in sorted(claims) if not any(peers[seat] for seat in c)]:
        claims.discard(silent)
        with suppress(NotNow):  # said already, or the log went on meanwhile
            await handle.submit(Claim(silent))


async def _move(handle: TableHandle, action: Action) -> bool:
    """Make this move, or if the rules refuse it any that they accept: a bot must never hold up the table."""
    hand = handle.view().hand
    for candidate in [action, Draw(), *(Play(discard=slot) for slot in hand)]:
        try:
            await handle.submit(candidate)
        except IllegalMove as error:
            log.warning("%r was refused: %s", candidate, error)
        except NotNow:
            return False
        else:
            return True
    log.error("no move is left with hand %r", hand)
    return False


def summary(view: TableView, sent: int) -> dict[str, Any]:
    """What a node says at the end of its game."""
    return {
        "head": view.head.hex(),
        "rounds": len(view.results),
        "moves": view.checks.moves,
        "scores": list(view.totals),
        "winners": list(view.winners),
        "fault": None if view.fault is None else view.fault.code,
        "audits": all(v == OK for r in view.results for seat, v in enumerate(r.verdicts) if not r.sat_out(seat)),
        "finished": view.stage is Stage.FINISHED,
        "bytes": sent,
    }


# ------------------------------------------------------------------------------------------ the process


class Pipes:
    """The lines from our owner, and the way back. Reading is in a thread: pipes cannot be polled on every system."""

    def __init__(self) -> None:
        self.orders: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        """The first line; None when the owner went away before."""
        self.start = asyncio.Event()
        self.stop = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, name="orders", daemon=True).start()

    def report(self, kind: str, **facts: Any) -> None:
        """Tell the owner. An owner that is gone is no error: the end of its pipe stops us soon."""
        try:
            print(json.dumps({"report": kind, **facts}), flush=True)  # noqa: T201  the pipe is the interface
        except (OSError, ValueError):
            log.info("nobody hears our reports")

    def _read(self) -> None:
        with suppress(RuntimeError):  # the loop has ended, nobody cares any more
            for line in sys.stdin:
                self._loop.call_soon_threadsafe(self._take, line.strip())
            self._loop.call_soon_threadsafe(self._take, None)

    def _take(self, line: str | None) -> None:
        if line is None or line == "stop":
            self.stop.set()
        if not self.orders.done():
            self.orders.set_result(line)
        elif line == "start":
            self.start.set()


async def run(pipes: Pipes) -> int:
    """One bot's life, until its game is over or its owner stops it. Returns the exit code."""
    pipes.report("ready")
    line = await pipes.orders
    if line is None:
        return 0
    try:
        working = asyncio.create_task(_work(read_orders(line), pipes), name="bot")
        stopping = asyncio.create_task(pipes.stop.wait(), name="stop")
        await asyncio.wait({working, stopping}, return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        if not working.done():
            working.cancel()
        await working
    except asyncio.CancelledError:
        return 0
    except Exception as error:
        log.exception("the bot failed")
        pipes.report("failed", code=error.code if isinstance(error, DuizendenError) else type(error).__name__)
        return 1
    return 0


async def _work(orders: Orders, pipes: Pipes) -> None:
    entropy: Entropy = SystemEntropy() if orders.seed is None else SeededEntropy(orders.seed, orders.label)
    async with AsyncExitStack() as stack:
        match orders.role:
            case "host":
                driver = await _host(orders, pipes, entropy, stack)
            case "join":
                driver = await _join(orders, pipes, entropy, stack)
            case "resume":
                from .resume import resume_table

                broker = parse_address(orders.broker) if orders.broker else None
                driver = await stack.enter_async_context(resume_table(Path(orders.journal), broker=broker))
            case role:
                raise ValueError(f"no such role: {role}")
        await _until_over(driver, orders, pipes)


async def _host(orders: Orders, pipes: Pipes, entropy: Entropy, stack: AsyncExitStack) -> TableDriver:
    from .hosting import HostConfig, host_table

    config = HostConfig(
        name=orders.name,
        rules=from_canonical(orders.rules.encode()),
        rules_name=orders.rules_name,
        seats=orders.seats,
        journals=Path(orders.journals),
        max_rounds=orders.max_rounds,
        bot=True,
        broker=parse_address(orders.broker) if orders.broker else None,
        bind=LOOPBACK,
        port=orders.port,
        discoverable=False,
        files=tuple(map(Path, orders.files)),
        auto_continue=True,
        secret=bytes.fromhex(orders.secret) or None,
        seeded=orders.seed is not None,
        created=None if orders.seed is None else 0,
    )
    lobby = await stack.enter_async_context(host_table(config, entropy=entropy))
    pipes.report("hosting", table=table_name(lobby.table), broker=lobby.place.address.url())
    await pipes.start.wait()
    _, driver = await lobby.start()
    return driver


async def _join(orders: Orders, pipes: Pipes, entropy: Entropy, stack: AsyncExitStack) -> TableDriver:
    from .joining import JoinConfig, join_table

    config = JoinConfig(
        broker=parse_address(orders.broker),
        name=orders.name,
        journals=Path(orders.journals),
        table=parse_table_name(orders.table),
        secret=bytes.fromhex(orders.secret) or None,
        bot=True,
        files=tuple(map(Path, orders.files)),
        auto_continue=True,
    )
    lobby = await stack.enter_async_context(join_table(config, entropy=entropy))
    pipes.report("seated", seat=lobby.room().me, journal=str(lobby.ticket))
    return await stack.enter_async_context(lobby.play())


async def _until_over(driver: TableDriver, orders: Orders, pipes: Pipes) -> None:
    pipes.report("playing", journal=str(driver.journal))
    rounds = turns = 0
    async for view in play(driver, orders.delay):
        if view.round is not None and sum(view.round.turns_taken) > turns == 0:
            turns = 1
            pipes.report("turn")
        if len(view.results) > rounds:
            rounds = len(view.results)
            pipes.report("round", number=rounds, totals=list(view.totals))
    pipes.report("over", **summary(driver.view(), driver.bytes_sent))
    await driver.linger()


async def _main() -> int:
    return await run(Pipes())


def main() -> int:
    """The process. What it logs goes to standard error, which its owner sends to a file."""
    logging.raiseExceptions = False  # a full disk takes the log, not the game
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s %(levelname)s %(message)s")
    try:
        return loop_run(_main())
    except KeyboardInterrupt:  # Ctrl-C reaches the whole terminal; our owner's pipe tells us the rest
        return 0


if __name__ == "__main__":
    raise SystemExit(main())
