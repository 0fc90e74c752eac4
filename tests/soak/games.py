"""Plays games with real processes under random faults: `python tests/soak/games.py --minutes 60 --seed 1`.

Every table has node processes of its own over an embedded broker, of its host or beside it, each line through a proxy
(tests/proxy.py). While they play, nodes, host and broker are killed and stopped and lines are spoilt (storm.py). Once
the last round ends all is left in peace, and then everybody must have one head, one score, clean audits and a file that
verifies. Prints a table, and last a JSON line. Ends with 1 at the first game where that fails: its folder is kept.

The seed decides on tables and faults, not on the course of the games: these are real processes on a real clock.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from node.addresses import BrokerAddress, parse_address
from node.app import LOOPBACK, connected, mqtt, own_broker
from node.app import run as loop_run
from node.bots import Orders
from node.crew import NAMES, BotProcess
from node.messages import SyncAnswer, parse_table_name, peek
from node.sealing import new_secret, sealed
from node.tasks import background
from node.topics import channel_filter
from protocol.errors import DuizendenError
from protocol.rules.ruleset import PRESETS, canonical, preset
from protocol.session.verify import verify_game
from protocol.wire.codec import decode
from protocol.wire.entry import Kind
from protocol.wire.limits import MAX_FRAME
from tests.proxy import FaultProxy
from tests.soak.storm import Memory, Storm, broker_of, kill

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from node.router import Router
    from node.topics import Topic

PATIENCE = 240.0
"""Seconds without news, the storm being over, after which a table hangs."""
STORM = 60.0
COMPLAINTS = ("never retrieved", "never awaited")
"""What no node's log may hold, as little as a traceback, whatever is done to it."""


class DivergedError(Exception):
    """Something at a table does not hold; the text says what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One table, as its seed has it."""

    seed: int
    seats: int
    rounds: int
    rules: str
    sealed: bool
    hosts_broker: bool
    """Whether seat 0 brings the broker along, so that both die together."""

    @classmethod
    def of(cls, seed: int) -> Setting:
        """The table of this seed."""
        chance = Random(seed)
        return cls(
            seed=seed,
            seats=chance.choice((2, 3, 3, 4, 4, 5)),
            rounds=chance.choice((1, 2, 3)),
            rules=chance.choice(sorted(PRESETS)),
            sealed=chance.random() < 0.3,
            hosts_broker=chance.random() < 0.6,
        )


@dataclass
class Tally:
    """What happened over all games."""

    games: int = 0
    rounds: int = 0
    restarts: int = 0
    entries: int = 0
    resent: int = 0
    injected: Counter[str] = field(default_factory=Counter)
    memory: Memory = field(default_factory=Memory)


class Ear:
    """Hears a table as a stranger on its broker: counts entries, those that are said again, and how many rounds end."""

    def __init__(self, setting: Setting, tally: Tally, quiet: asyncio.Event) -> None:
        self._rounds = setting.rounds
        self._tally = tally
        self._quiet = quiet
        self._seen: set[bytes] = set()
        self._ends: set[int] = set()

    def listen(self, router: Router, table: bytes) -> None:
        """Begin; `quiet` is set when the last round is at its end."""
        for channel, take in (("m", self._on_entry), ("d", self._on_answer)):
            router.handle(table, channel, take)
            router.transport.subscribe(channel_filter(table, channel))

    def _on_entry(self, topic: Topic, payload: bytes) -> None:
        if payload in self._seen:
            self._tally.resent += 1
            return
        self._seen.add(payload)
        self._tally.entries += 1
        _, _, step, _, _, kind, _ = decode(decode(payload, MAX_FRAME)[0], MAX_FRAME)
        if kind == Kind.END:
            self._ends.add(step)
            if len(self._ends) == self._rounds:
                self._quiet.set()

    def _on_answer(self, topic: Topic, payload: bytes) -> None:
        message = peek(payload).message
        if isinstance(message, SyncAnswer):
            self._tally.resent += len(message.entries)


class Place:
    """One seat: its process of now, started again from the journal whenever it dies before the game is over."""

    def __init__(self, number: int, folder: Path, tally: Tally, chance: Random) -> None:
        self.number = number
        self.bot: BotProcess | None = None
        self.end: Mapping[str, Any] | None = None
        self.heard = time.monotonic()
        self.log = folder / f"seat{number}.log"
        self.file = folder / f"seat{number}.duizenden"
        self.journals = folder / f"seat{number}"
        self.journals.mkdir()
        self.playing = asyncio.Event()
        """Its game is in a journal: from now on it can be killed and comes back."""
        self._journal = ""
        self._tally = tally
        self._chance = chance

    @property
    def pid(self) -> int | None:
        """The process, None once the seat's game is over."""
        return None if self.bot is None or self.end is not None else self.bot.pid

    async def sit(self, kind: str, orders: Orders) -> Mapping[str, Any]:
        """Start the process for the first time and wait for its report of this kind."""
        self.bot = BotProcess(self.log)
        await self.bot.until("ready", PATIENCE)
        self.bot.say(orders.line())
        return await self.bot.until(kind, PATIENCE)

    async def live(self) -> None:
        """Follow the process, and bring it back, until the game is over. Raises DivergedError for one that fails."""
        while self.end is None:
            assert self.bot is not None
            failure = await self._follow(self.bot)
            await self.bot.close()
            if self.end is None:
                if failure is not None and failure != "broker/listen":  # the old broker may still be ending
                    raise DivergedError(f"seat {self.number} failed: {failure}")
                self._tally.restarts += 1
                await asyncio.sleep(self._chance.uniform(0.0, 3.0))
                self.bot = BotProcess(self.log)
                self.bot.say(Orders(role="resume", journal=self._journal, delay=(0.0, 0.05)).line())

    async def _follow(self, bot: BotProcess) -> str | None:
        """Take reports until the game is over or the process has ended; why it failed, if it said so."""
        failure = None
        while (report := await bot.report()) is not None:
            self.heard = time.monotonic()
            if "journal" in report:
                self._journal = str(report["journal"])
                self.playing.set()
            if report["report"] == "failed":
                failure = str(report["code"])
            if report["report"] == "over":
                self.end = report
        return failure


async def play(setting: Setting, folder: Path, tally: Tally) -> None:
    """One game. Raises DivergedError when anything does not hold at its end, DuizendenError when it cannot begin."""
    chance, quiet = Random(setting.seed), asyncio.Event()
    secret = new_secret() if setting.sealed else None
    places = [Place(i, folder, tally, chance) for i in range(setting.seats)]
    async with AsyncExitStack() as stack:
        broker: BrokerAddress | None = None
        if not setting.hosts_broker:
            beside = own_broker(bind=LOOPBACK, port=0, log_file=folder / "broker.log")
            broker = (await stack.enter_async_context(beside)).address
        proxies: list[FaultProxy] = []

        async def line() -> str:
            assert broker is not None
            proxies.append(await stack.enter_async_context(FaultProxy(broker.port, seed=setting.seed)))
            return f"mqtt://{LOOPBACK}:{proxies[-1].port}"

        table = ""
        for place in places:
            stack.push_async_callback(_end, place)
            orders = Orders(
                role="join" if table else "host",
                name=NAMES[place.number],
                broker="" if broker is None else await line(),
                table=table,
                journals=str(place.journals),
                files=(str(place.file),),
                delay=(0.0, 0.1),
                secret="" if secret is None else secret.hex(),
                rules=canonical(preset(setting.rules)).decode(),
                rules_name=setting.rules,
                seats=setting.seats,
                max_rounds=setting.rounds,
            )
            report = await place.sit("seated" if table else "hosting", orders)
            if not table:
                table = str(report["table"])
                broker = broker or parse_address(str(report["broker"]))
        assert broker is not None
        connect, _ = await sealed(mqtt, secret)
        router = await stack.enter_async_context(connected(broker, connect))
        name = parse_table_name(table)
        assert name is not None
        Ear(setting, tally, quiet).listen(router, name)
        first = places[0].bot
        assert first is not None
        first.say("start")

        def broker_pid() -> int | None:
            parent = places[0].pid if setting.hosts_broker else os.getpid()
            return None if parent is None else broker_of(parent)

        storm = Storm(chance, lambda: [p.pid for p in places], broker_pid, proxies, quiet, STORM, tally.injected)
        async with background(_measure(places, broker_pid, tally.memory), "memory"):
            await _until_over(places, storm, quiet)
        _compare(places, folder, tally)


async def _end(place: Place) -> None:
    """Take down what a failed game has left; a stopped process cannot end by itself."""
    if place.bot is not None:
        if place.end is None:
            kill(place.bot.pid)
        await place.bot.close()


async def _measure(places: list[Place], broker: Any, memory: Memory) -> None:
    while True:
        for place in places:
            memory.look("node" if place.number else "host", place.pid)
        memory.look("broker", broker())
        await asyncio.sleep(1.0)


async def _until_over(places: list[Place], storm: Storm, quiet: asyncio.Event) -> None:
    """Let it storm, then wait until everybody has ended the game. Raises DivergedError when the table hangs."""
    lives = asyncio.gather(*(place.live() for place in places))
    try:
        ready = asyncio.gather(*(place.playing.wait() for place in places))
        both: set[asyncio.Future[Any]] = {lives, ready}
        await asyncio.wait(both, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        if not ready.done():
            ready.cancel()
            raise DivergedError("the game did not begin")
        await storm.run()
        calm = time.monotonic()
        while not lives.done():
            await asyncio.wait({lives}, timeout=1.0)
            last = max(calm, *(place.heard for place in places))
            if not lives.done() and time.monotonic() - last > PATIENCE:
                waits = [place.number for place in places if place.end is None]
                raise DivergedError(f"no news for {PATIENCE:.0f} s; seats {waits} have not ended their game")
        await lives
    finally:
        quiet.set()
        lives.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await lives


def _compare(places: list[Place], folder: Path, tally: Tally) -> None:
    """Everybody must have come to the same, and every file must prove it. Raises DivergedError."""
    ends = [place.end or {} for place in places]
    for key in ("head", "rounds", "moves", "scores", "winners"):
        if len({json.dumps(end.get(key)) for end in ends}) != 1:
            raise DivergedError(f"{key} differ: {[end.get(key) for end in ends]}")
    if not all(end["finished"] and end["audits"] and end["fault"] is None for end in ends):
        raise DivergedError(f"not clean: {ends}")
    for data in {place.file.read_bytes() for place in places}:
        verdict = verify_game(data, os.urandom(32))
        if not (verdict.ok and verdict.complete and verdict.head.hex() == ends[0]["head"]):
            raise DivergedError(f"a file does not verify: {verdict.as_json()}")
    for path in folder.glob("seat*.log"):  # the broker's library logs a traceback for a client that was away
        text = path.read_text(errors="replace")
        expected = text.count("node.broker.BrokerError: broker/listen")  # a host killed while its broker was stopped
        if text.count("Traceback") > expected or any(complaint in text for complaint in COMPLAINTS):
            raise DivergedError(f"{path.name}: {text[-2_000:]}")
    tally.games += 1
    tally.rounds += int(ends[0]["rounds"])


def _report(tally: Tally, took: float, failures: list[str]) -> None:
    rows = [("games", tally.games), ("rounds", tally.rounds), ("entries", tally.entries)]
    rows += [("entries resent", tally.resent), ("restarts", tally.restarts)]
    rows += [(f"fault: {kind}", count) for kind, count in sorted(tally.injected.items())]
    lines = [f"{name:<28}{value:>10}" for name, value in rows]
    for kind, row in tally.memory.table().items():
        sizes = "  ".join(f"{name} {size / 1024:.1f}" for name, size in row.items() if name != "processes")
        lines.append(f"{kind + ' memory (MB)':<28}{sizes}  ({row['processes']} processes)")
    lines.append(f"{'divergences':<28}{len(failures):>10}")
    sys.stdout.write("\n".join(lines) + "\n")
    summary = {
        "games": tally.games,
        "rounds": tally.rounds,
        "entries": tally.entries,
        "resent": tally.resent,
        "restarts": tally.restarts,
        "faults": dict(tally.injected),
        "memory": tally.memory.table(),
        "seconds": round(took, 1),
        "divergences": failures,
    }
    sys.stdout.write(json.dumps(summary) + "\n")


async def soak(seeds: AsyncIterator[int], tally: Tally) -> list[str]:
    """Play the games of these seeds until one fails; what failed."""
    async for seed in seeds:
        setting = Setting.of(seed)
        folder = Path(tempfile.mkdtemp(prefix=f"game{seed}-"))
        sys.stdout.write(f"{setting}\n")
        sys.stdout.flush()
        try:
            await play(setting, folder, tally)
        except (DivergedError, DuizendenError) as error:
            return [f"seed {seed}: {type(error).__name__}: {error} ({folder} is kept)"]
        shutil.rmtree(folder)
    return []


def main() -> int:
    """Play game after game and report."""
    parser = argparse.ArgumentParser(description="Play games with real processes under random faults.")
    parser.add_argument("--minutes", type=float, default=10.0, help="no game begins after so long")
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--games", type=int, help="how many games at most")
    asked = parser.parse_args()
    if not Path("/proc/self/status").exists():
        sys.stderr.write("this soak finds and measures processes in /proc: it needs Linux\n")
        return 2
    begun, tally = time.monotonic(), Tally()

    async def seeds() -> AsyncIterator[int]:
        seed = asked.seed
        while time.monotonic() - begun < 60 * asked.minutes and (not asked.games or seed < asked.seed + asked.games):
            yield seed
            seed += 1

    failures = loop_run(soak(seeds(), tally))
    _report(tally, time.monotonic() - begun, failures)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
