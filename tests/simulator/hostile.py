"""A seat that does not keep to the protocol: a real node whose messages are changed on their way out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from node.memory import Delivery
from node.messages import Heartbeat, SyncAnswer, sign
from node.topics import node_topic, parse_topic
from protocol.crypto.hashing import H32
from protocol.errors import WireError
from protocol.wire.entry import SIDE, Entry, Kind, sign_entry
from tests.simulator.node import SimLink

if TYPE_CHECKING:
    import random

    from tests.simulator.node import Life
    from tests.simulator.world import World

TRICKS = ("two entries", "false entry", "withheld", "early", "claims", "lies", "replay", "other kind")


class HostileLink(SimLink):
    """Sends what the node says, most of the time; from time to time it does one of the tricks that its seed chose."""

    def __init__(self, world: World, life: Life) -> None:
        super().__init__(world, life)
        self._chance = world.chance
        self._seat = life.node.seat
        self._tricks = self._chance.sample(TRICKS, 2)
        self._often = self._chance.choice((0.05, 0.3))

    def send(self, topic: str, payload: bytes, *, retain: bool = False, reliable: bool = True) -> None:
        """Perhaps something else instead, or besides."""
        parsed = parse_topic(topic)
        assert parsed is not None
        entry = self._own_entry(payload) if parsed.channel == "m" else None
        if entry is None or self._chance.random() >= self._often:
            super().send(topic, payload, retain=retain, reliable=reliable)
            return
        trick = self._chance.choice(self._tricks)
        self._world.note(f"hostile seat {self._seat}: {trick} at {entry.kind.name} {entry.step}")
        self._world.tally.faults[f"hostile: {trick}"] += 1
        getattr(self, f"_{trick.replace(' ', '_')}")(topic, entry)

    def _own_entry(self, payload: bytes) -> Entry | None:
        try:
            entry = self._world.entry(payload)
        except WireError:
            return None
        return entry if entry.seat == self._seat else None

    def _signed(self, entry: Entry, **change: Any) -> bytes:
        parts: dict[str, Any] = {
            "step": entry.step,
            "head": entry.head,
            "kind": entry.kind,
            "body": entry.body,
        } | change
        world = self._world
        key, table = world.keys[self._seat], world.genesis.table
        made = sign_entry(key, table, parts["step"], self._seat, parts["head"], parts["kind"], parts["body"])
        return made.frame

    def _to(self, seat: int, topic: str, payload: bytes) -> None:
        """Tell one seat only: no broker of the world does that by itself, but a hostile one can."""
        life = self._world.nodes[seat].life
        if life is not None and not self._life.over:
            self._world.net._launch(Delivery(life.name, topic, payload))

    # ------------------------------------------------------------------ tricks

    def _two_entries(self, topic: str, entry: Entry) -> None:
        other = self._signed(entry, body=changed(entry.body, self._chance))
        seats = [s for s in range(self._world.plan.seats) if s != self._seat]
        told = [self._chance.choice((entry.frame, other)) for _ in seats]
        for seat, frame in zip(seats, told, strict=True):
            self._to(seat, topic, frame)

    def _false_entry(self, topic: str, entry: Entry) -> None:
        super().send(topic, self._signed(entry, body=changed(entry.body, self._chance)))

    def _withheld(self, topic: str, entry: Entry) -> None:
        """Say nothing."""

    def _early(self, topic: str, entry: Entry) -> None:
        for ahead in (1, 2, 40):
            frame = self._signed(entry, step=entry.step + ahead, head=H32("test/head", entry.head))
            super().send(topic, frame)
        super().send(topic, entry.frame)

    def _claims(self, topic: str, entry: Entry) -> None:
        mask = self._chance.randrange(1, 1 << self._world.plan.seats)
        kind = self._chance.choice((Kind.EXPIRED, Kind.HELD, Kind.GOODBYE))
        super().send(topic, self._signed(entry, kind=kind, body=[] if kind is Kind.GOODBYE else [mask]))
        super().send(topic, entry.frame)

    def _lies(self, topic: str, entry: Entry) -> None:
        """A heartbeat and an answer that are not true."""
        world, chance = self._world, self._chance
        key, table = world.keys[self._seat], world.genesis.table
        beat = Heartbeat(
            step=entry.step + chance.randrange(3),
            head=chance.randbytes(32),
            have=chance.randrange(1 << world.plan.seats),
            leaving=chance.random() < 0.2,
            epoch=self._life.node.lives,
            count=1_000_000 + chance.randrange(1_000_000),
        )
        super().send(node_topic(table, "p", key.public), sign(key, table, beat))
        answer = SyncAnswer(step=entry.step + 1, have=0, entries=(chance.randbytes(50), entry.frame[:-1]))
        for public in world.public:
            super().send(node_topic(table, "d", public), sign(key, table, answer))
        super().send(topic, entry.frame)

    def _replay(self, topic: str, entry: Entry) -> None:
        super().send(topic, entry.frame)
        for _ in range(5):
            other, payload = self._chance.choice(self._world.captured)
            super().send(self._chance.choice((other, topic)), payload)

    def _other_kind(self, topic: str, entry: Entry) -> None:
        kinds = [k for k in Kind if k not in SIDE and k is not entry.kind]
        super().send(topic, self._signed(entry, kind=self._chance.choice(kinds)))


def changed(value: Any, chance: random.Random) -> Any:
    """A wire value with one leaf changed: another number, a flipped bit, or something left out."""
    if isinstance(value, list) and value:
        k = chance.randrange(len(value))
        if chance.random() < 0.1:
            return value[:k] + value[k + 1 :]
        return [*value[:k], changed(value[k], chance), *value[k + 1 :]]
    if isinstance(value, bytes) and value:
        k = chance.randrange(len(value))
        return value[:k] + bytes([value[k] ^ 1 << chance.randrange(8)]) + value[k + 1 :]
    if isinstance(value, int):
        return value + 1
    return [7]
