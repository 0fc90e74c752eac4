"""A simulated table: N real nodes, their disks, their network and their players, and a scheduler of faults.

One seed is one history: the same seed does the same things in the same order, on every machine.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections import Counter, deque
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

from node import driver
from node.journal import GameInfo, Journal
from node.messages import SyncAnswer, peek
from node.policy import choose
from node.topics import parse_topic
from protocol.crypto.hashing import H32
from protocol.rules.ruleset import preset
from protocol.wire.entry import Entry, parse_entry
from tests.coupled import genesis_for, keys_for
from tests.simulator.invariants import Watch, require
from tests.simulator.loop import VirtualLoop
from tests.simulator.net import TimedNet, Weather
from tests.simulator.node import Life, SimLink, SimNode, SimWorker

if TYPE_CHECKING:
    from protocol.rules.actions import Action
    from protocol.session.session import Session
    from protocol.session.view import TableView

CARD = replace(preset("modern"), decks=1, hand_size=5)
"""A small pack keeps the cryptography short; nothing else about it is different."""
TABLES = 3
"""Different tables (keys, secrets, cards) for each number of seats."""
PATIENCE = 40.0
"""Virtual seconds without any progress, once faults have stopped, after which the table is stuck."""
FURTHER = 6
FAULTS = ("crash", "crash", "drop", "drop", "cut", "apart", "broker", "everybody", "weather", "weather", "poison")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What happens in one run. `Plan.of` draws one from a seed; any part can be replaced, to shrink a failure."""

    seed: int
    seats: int
    table: int = 0
    storm: float = 15.0
    """Virtual seconds in which faults happen."""
    pause: float = 1.0
    """Mean virtual seconds between two faults."""
    sudden: float = 0.002
    """How likely a node dies at each event, commit and message while the storm lasts."""
    faults: tuple[str, ...] = FAULTS
    hostile: tuple[int, ...] = ()
    gone: tuple[int, ...] = ()
    """Seats that die in the storm and never come back."""
    killed: int | None = None
    """The seat that dies once, when it comes to the step `kill_at`; if it is not among `gone` it comes back."""
    kill_at: int = 0
    kill_when: str = "after an event"
    """At which of the moments that `World.may_crash` is told of."""
    asleep: float = 0.0
    """Virtual seconds for which the network of `killed` is dead instead, told to nobody: a closed lid."""
    leavers: tuple[tuple[int, int], ...] = ()
    """Seats that say goodbye, and the step from which on."""
    play_on: bool = False
    """Whether the rule card says that the others play on without a seat that departs."""
    to_the_end: bool = True
    """Whether the game is played out; else it is enough that it goes on for FURTHER steps."""
    rest: float = 0.0
    """Virtual seconds for which every node is off after the storm."""
    broker: str = ""
    """What the broker does as long as the storm lasts, one of `broker.MALICE`; nothing when empty."""

    @staticmethod
    def of(seed: int) -> Plan:
        """The plan of a seed."""
        chance = random.Random(f"plan {seed}")
        seats = chance.choice((2, 2, 3, 3, 3, 4))
        plan = Plan(
            seed=seed,
            seats=seats,
            table=chance.randrange(TABLES),
            storm=chance.uniform(2.0, 10.0),
            pause=chance.choice((0.2, 0.5, 1.5)),
            sudden=chance.choice((0.0, 0.001, 0.004)),
            to_the_end=chance.random() < 0.25,
            rest=chance.choice((0.0, 0.0, 3.0, 3 * 86_400.0)),
        )
        kind = chance.random()
        seat = chance.randrange(seats)
        if kind < 0.4:
            plan = replace(plan, play_on=chance.random() < 0.5)
        if seats > 2 and kind < 0.12:
            return replace(plan, gone=(seat,))
        if kind < 0.2:
            return replace(plan, leavers=((seat, chance.randrange(1, 30)),))
        if kind < 0.4:
            return replace(plan, hostile=(seat,))
        return plan


@dataclass
class Tally:
    """What happened in one run or in many."""

    runs: int = 0
    steps: int = 0
    """Steps of the log, at the end."""
    events: int = 0
    """States of sessions that were checked."""
    messages: int = 0
    lost: int = 0
    doubled: int = 0
    restarts: int = 0
    seconds: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        """Count another run too."""
        for name in ("runs", "steps", "events", "messages", "lost", "doubled", "restarts", "seconds"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.faults += other.faults
        self.ends += other.ends


_choices: dict[tuple[bytes, int | None], Action] = {}


class World:
    """Everything of one run."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self.plan = plan
        self.folder = folder
        self.tally = Tally(runs=1)
        self.chance = random.Random(plan.seed)
        self.loop = VirtualLoop(random.Random(f"threads {plan.seed}"))
        self.net = self._network(random.Random(f"net {plan.seed}"))
        label = self.label = f"simulator {plan.seats} {plan.table}"
        self.keys = keys_for(plan.seats, label)
        self.public = tuple(k.public for k in self.keys)
        rules = replace(CARD, resign="play_on") if plan.play_on else CARD
        self.genesis = genesis_for(plan.seats, rules=rules, label=label)
        self.honest = frozenset(range(plan.seats)) - set(plan.hostile)
        self.watch = Watch(self.honest, forkable=bool(plan.hostile))
        self.watch.blamable |= {*plan.hostile, *plan.gone}
        self.gone = {*plan.gone, *plan.hostile}
        """Seats of which the others will not wait for ever."""
        self.away = set(plan.gone)
        """Seats that do not come back."""
        self.leaving = dict(plan.leavers)
        self.calm = False
        self.doomed = plan.killed is not None
        """Whether the seat that the plan kills is still to die."""
        self.resting = False
        self.goal = 0
        """The step at which a run that is not played out may end."""
        self.trace: deque[str] = deque(maxlen=400)
        self.broken: BaseException | None = None
        self._secrets = [H32("test/secret", label.encode(), bytes([i])) for i in range(plan.seats)]
        self.nodes = [SimNode(self, i, self._new_journal(i)) for i in range(plan.seats)]
        self.captured: list[tuple[str, bytes]] = []
        """Messages as a broker could keep them, to play them again."""

    def _network(self, chance: random.Random) -> TimedNet:
        from tests.simulator.broker import HostileNet

        return HostileNet(self, chance, self._sent) if self.plan.broker else TimedNet(chance, self._sent)

    def _new_journal(self, seat: int) -> Path:
        path = self.folder / f"{seat}.journal"
        seed = H32("test/key", self.label.encode(), bytes([seat]))
        info = GameInfo(genesis=self.genesis.encode(), seat=seat, seed=seed, role="joiner")
        Journal.create(path, info, self._secrets[seat]).close()
        return path

    # ------------------------------------------------------------------ what nodes ask

    def note(self, text: str) -> None:
        """One line of the trace."""
        self.trace.append(f"{self.loop.now:10.3f}  {text}")

    def thinking(self) -> float:
        """Seconds until a player has chosen."""
        return self.chance.uniform(0.0, 0.4)

    def choose(self, view: TableView) -> Action:
        """What a bot would do; the same at the same place of the same table."""
        place = (view.head, view.me)
        if place not in _choices:
            _choices[place] = choose(view)
        return _choices[place]

    def check(self, life: Life) -> None:
        """Something happened in a node: see whether everything still holds."""
        if life.over or life.session is None or life.node.seat not in self.honest:
            return
        with self.judging():
            life.checked = self.watch.state(life.session, life.checked)

    def may_crash(self, life: Life, when: str) -> None:
        """Perhaps the node dies at this very moment."""
        if life.over or self.calm:
            return
        if self._due(life, when):
            self.doomed = False
            if self.plan.asleep:
                self.note(f"seat {life.node.seat} falls asleep {when}")
                self.net.cut(life.name)
                self.loop.call_later(self.plan.asleep, self.net.mend, life.name)
                return
        elif self.chance.random() >= self.plan.sudden:
            return
        self.note(f"seat {life.node.seat} dies {when}")
        self.tally.faults["sudden crash"] += 1
        self.kill(life.node)

    def _due(self, life: Life, when: str) -> bool:
        """Whether this is the moment that the plan has named for this seat."""
        plan, session = self.plan, life.session
        if not self.doomed or life.node.seat != plan.killed or when != plan.kill_when or session is None:
            return False
        return session.position().step >= plan.kill_at

    def hostile_link(self, life: Life) -> SimLink:
        """The link of a seat that does not keep to the protocol."""
        from tests.simulator.hostile import HostileLink

        return HostileLink(self, life)

    def judging(self) -> Judging:
        """What fails in here ends the run."""
        return Judging(self)

    # ------------------------------------------------------------------ messages

    def _sent(self, sender: str, topic: str, payload: bytes) -> None:
        seat = int(sender.partition(".")[0])
        life = self.nodes[seat].life
        if len(self.captured) < 300:
            self.captured.append((topic, payload))
        if seat not in self.honest or life is None or life.session is None:
            return
        with self.judging():
            parsed = parse_topic(topic)
            assert parsed is not None
            if parsed.channel == "m":
                entry = self.entry(payload)
                self.note(f"seat {seat} says {entry.kind.name} {entry.step}" + ("" if entry.seat == seat else " again"))
                self.watch.entry(seat, entry, life.session)
                return
            self.watch.clean(seat, payload)
            if parsed.channel == "d":
                message = peek(payload).message
                assert isinstance(message, SyncAnswer)
                for frame in message.entries:
                    self.watch.entry(seat, self.entry(frame), life.session)

    def entry(self, frame: bytes) -> Entry:
        """A frame of this table. Raises WireError."""
        return parse_entry(frame, self.genesis.table, self.public)

    # ------------------------------------------------------------------ faults

    def kill(self, node: SimNode) -> None:
        """A node dies, and comes back after a while unless it is gone for good."""
        node.crash()
        self.tally.restarts += 1
        if node.seat not in self.away:
            self.loop.call_later(self.chance.uniform(0.05, 4.0), self.revive, node)

    def revive(self, node: SimNode) -> None:
        """A node starts again, unless it runs or everything is over."""
        if not (node.is_up or self.resting or self.broken):
            self.note(f"seat {node.seat} comes back")
            node.boot()

    async def _storm(self) -> None:
        end = self.plan.storm
        while self.loop.now < end and self.broken is None and not self._struck():
            await asyncio.sleep(self.chance.expovariate(1 / self.plan.pause))
            if self.plan.faults:
                fault = self.chance.choice(self.plan.faults)
                self.tally.faults[fault] += 1
                getattr(self, f"_{fault}")(self.chance.choice(self.nodes))
        for seat in self.plan.gone:
            if self.nodes[seat].is_up:
                self.kill(self.nodes[seat])
        self.net.weather = Weather()
        self.net.apart.clear()

    def _struck(self) -> bool:
        """Whether the one death of the plan has happened: nothing else is to come."""
        return self.plan.killed is not None and not self.doomed and not self.plan.asleep

    def _crash(self, node: SimNode) -> None:
        if node.is_up:
            self.note(f"seat {node.seat} dies")
            self.kill(node)

    def _drop(self, node: SimNode) -> None:
        """The connection breaks, and everybody is told."""
        life = node.life
        if life is not None and life.link is not None and life.link.connected:
            self.note(f"seat {node.seat} loses its connection")
            life.link.drop()
            self.loop.call_later(self.chance.uniform(0.05, 5.0), self._restore, life)

    def _restore(self, life: Life) -> None:
        if not life.over and life.link is not None:
            life.link.restore()

    def _cut(self, node: SimNode) -> None:
        """Nothing passes to and from a node, and nobody is told."""
        life = node.life
        if life is not None:
            self.note(f"seat {node.seat} is cut off")
            self.net.cut(life.name)
            self.loop.call_later(self.chance.uniform(0.1, 8.0), self.net.mend, life.name)

    def _apart(self, node: SimNode) -> None:
        """A broker hides two nodes from each other."""
        other = self.chance.choice(self.nodes)
        if other is not node and node.life is not None and other.life is not None:
            pair = frozenset((node.life.name, other.life.name))
            self.note(f"seats {node.seat} and {other.seat} do not hear each other")
            self.net.apart.add(pair)
            self.loop.call_later(self.chance.uniform(0.5, 8.0), self.net.apart.discard, pair)

    def _broker(self, _: SimNode) -> None:
        """The broker dies: all connections at once."""
        for node in self.nodes:
            self._drop(node)

    def _everybody(self, _: SimNode) -> None:
        """The power fails in the whole house."""
        for node in self.nodes:
            self._crash(node)

    def _weather(self, _: SimNode) -> None:
        """The network becomes as bad as this for a while."""
        chance = self.chance
        weather = Weather(
            loss=chance.choice((0.0, 0.1, 0.4)),
            duplicate=chance.choice((0.0, 0.3)),
            delay=chance.choice((0.01, 0.1, 1.0)),
            late=chance.choice((0.0, 0.1)),
        )
        self.note(f"{weather}")
        self.net.weather = weather

    def _poison(self, node: SimNode) -> None:
        """Somebody on the broker says again what was said before, under any name, or garbage; some of it retained."""
        if not self.captured:
            return
        for _ in range(self.chance.randrange(1, 10)):
            topic = self.chance.choice(self.captured)[0]
            payload = self.chance.choice(self.captured)[1]
            if self.chance.random() < 0.3:
                payload = self.chance.randbytes(self.chance.randrange(200))
            self.net.inject(topic, payload, retain=self.chance.random() < 0.2)

    # ------------------------------------------------------------------ the run

    async def run(self) -> None:
        """Play through the storm; then everything works again, and the game must end."""
        for node in self.nodes:
            node.boot()
        await self._storm()
        self.calm = True
        self.note("the storm is over")
        if self.plan.rest:
            await self._rest()
        for node in self.nodes:
            if node.life is not None and node.life.link is not None:
                self.net.mend(node.life.name)
                node.life.link.restore()
        await self._until_over()
        self.tally.steps += max(s.position().step for s in self._sessions() if s is not None)
        self.tally.events += self.watch.checks
        self.tally.messages += self.net.delivered
        self.tally.lost += self.net.lost
        self.tally.doubled += self.net.doubled
        self.tally.seconds += self.loop.now

    async def _rest(self) -> None:
        """Everybody goes to bed: no node runs for a long time."""
        self.resting = True
        for node in self.nodes:
            if node.is_up:
                self.kill(node)
        await asyncio.sleep(self.plan.rest)
        self.resting = False
        for node in self._coming_back():
            self.revive(node)

    def _coming_back(self) -> list[SimNode]:
        return [node for node in self.nodes if node.seat not in self.away]

    async def _until_over(self) -> None:
        """Wait for the end; a table that does not move for PATIENCE is stuck."""
        self.goal = max((s.position().step for s in self._sessions() if s is not None), default=0) + FURTHER
        place, since = self._place(), self.loop.now
        while self.broken is None and not self._over():
            await asyncio.sleep(0.5)
            if (now := self._place()) != place:
                place, since = now, self.loop.now
            if self.loop.now - since >= PATIENCE and (awaited := self._awaited()):
                self._bring_back(min(awaited))
                since = self.loop.now
            require(self.loop.now - since < PATIENCE, f"stuck: {[node.state() for node in self.nodes]}")
        if self.broken is not None:
            raise self.broken
        for node in self._playing():
            assert node.life is not None
            self.check(node.life)
        if self.broken is not None:
            raise self.broken
        self.tally.ends[self._end()] += 1

    def _awaited(self) -> set[int]:
        """Those who are gone and for whom the table may rest: they have spoken in the open step, another one has not.

        Who holds their entries never claims them, so the claims about the other one wait for them (decision 0007).
        """
        spoken = set().union(*(s._table.spoken for s in self._sessions() if s is not None))
        return self.away & spoken if len(self.away) > 1 else set()

    def _bring_back(self, seat: int) -> None:
        """One for whom the table rests comes back after all."""
        self.note(f"the table rests until seat {seat} is back")
        self.tally.faults["rests"] += 1
        self.away.discard(seat)
        self.gone.discard(seat)
        self.revive(self.nodes[seat])

    def _playing(self) -> list[SimNode]:
        return [n for n in self.nodes if n.seat in self.honest - self.away]

    def _sessions(self) -> list[Session | None]:
        return [None if n.life is None else n.life.session for n in self._playing()]

    def _place(self) -> list[object]:
        return [None if s is None else s.position() for s in self._sessions()]

    def _over(self) -> bool:
        sessions = self._sessions()
        if not self.plan.to_the_end and all(s is not None and s.position().step >= self.goal for s in sessions):
            return True
        waiting = [set(range(self.plan.seats)) if s is None else set(s._table.waiting_for) for s in sessions]
        return all(seats <= self._waited_for_in_vain() for seats in waiting)

    def _waited_for_in_vain(self) -> set[int]:
        """The seats for which a table of two may have to wait for ever: one against one, nobody can be named."""
        return set(self.plan.hostile) if self.plan.seats == 2 else set()

    def _end(self) -> str:
        tables = [s._table for s in self._sessions() if s is not None]
        if any(t.waiting_for for t in tables):
            return "waits for a hostile seat" if self.plan.seats == 2 and self.plan.hostile else "goes on"
        heads = {t.head for t in tables if not t.dead}
        require(len(heads) <= 1 or self.plan.hostile, f"the game ended with {len(heads)} heads")
        if any(t.dead for t in tables):
            return "stopped by evidence"
        if any(t.fault is not None and t.match.leavers for t in tables):
            return "void after a fault"
        if any(t.results for t in tables):
            return "played on to its end" if any(t.named for t in tables) else "played to its end"
        return "void after a departure"


class Judging:
    """A context in which a failing check ends the run: it may be far inside code that survives errors."""

    def __init__(self, world: World) -> None:
        self._world = world

    def __enter__(self) -> None:
        """Nothing to do."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        """Keep the first error for `run`."""
        if error is not None:
            self._world.broken = self._world.broken or error
            return True
        return False


class SimulationError(AssertionError):
    """A run in which something did not hold: the seed, how to run it again, and what happened last."""


def simulate(plan: Plan) -> Tally:
    """Run a plan. Raises SimulationError."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(dir=_memory()))
        world = World(plan, Path(folder))
        stack.enter_context(patch.object(driver, "Worker", SimWorker))
        try:
            world.loop.run_until_complete(world.run())
        except Exception as error:
            events = "\n".join(world.trace)
            again = f"python tests/soak/faults.py --seed {plan.seed} --runs 1"
            raise SimulationError(f"{error}\n{events}\n{plan}\nagain: {again}") from error
        finally:
            world.loop.run_until_complete(_close(world))
            world.loop.close()
    return world.tally


async def _close(world: World) -> None:
    """End every task that is left; nobody comes back meanwhile."""
    world.resting = True
    for node in world.nodes:
        if node.life is not None:
            node.crash()
    await asyncio.gather(*(task for node in world.nodes for task in node.ended), return_exceptions=True)


def _memory() -> str | None:
    """A folder in memory where there is one: every journal is synced to its disk again and again."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None
