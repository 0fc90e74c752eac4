"""A broker that is hostile for a while: it carries messages as it likes, and says what it likes in anybody's name.

It has no key of a seat: that is all it cannot do. `MALICE` names what such a broker may be up to.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from node.memory import Delivery
from node.messages import Heartbeat, SyncAnswer, SyncRequest, node_name, sign
from node.topics import CHANNELS, lobby_topic, node_topic, parse_topic
from protocol.crypto.identity import SigningKey
from protocol.wire.entry import Kind, sign_entry
from tests.simulator.net import TimedNet

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from tests.simulator.world import World

MALICE = (
    "drops what one seat should hear",
    "delays one seat",
    "reorders",
    "repeats",
    "shows each something else",
    "garbage",
    "tampers",
    "wrong topics",
    "forges",
    "takes over",
    "retains",
    "all of it",
)
VICTIM = 1


class HostileNet(TimedNet):
    """Carries messages in virtual time like its base, and does what `malice` says until `until`, in virtual seconds."""

    def __init__(self, world: World, chance: random.Random, sent: Callable[[str, str, bytes], None]) -> None:
        super().__init__(chance, sent)
        self._world = world
        self._malice = world.plan.broker
        self._until = world.plan.storm
        self._old: list[Delivery] = []
        self._key = SigningKey(bytes([66]) * 32)

    def _launch(self, delivery: Delivery) -> None:
        world = self._world
        if world.loop.now >= self._until:
            super()._launch(delivery)
            return
        if len(self._old) < 200:
            self._old.append(delivery)
        malice = self._malice if self._malice != MALICE[-1] else self._chance.choice(MALICE[:-1])
        world.tally.faults[f"broker: {malice}"] += 1
        getattr(self, f"_{malice.replace(' ', '_')}")(delivery)

    def _carry(self, *deliveries: Delivery) -> None:
        for delivery in deliveries:
            super()._launch(delivery)

    def _later(self, delivery: Delivery, seconds: float) -> None:
        asyncio.get_running_loop().call_later(seconds, self._land, self._sender, delivery)

    # ------------------------------------------------------------------ what it does

    def _drops_what_one_seat_should_hear(self, delivery: Delivery) -> None:
        """The victim gets no entry as it is published, and only now and then an answer."""
        topic = parse_topic(delivery.topic)
        assert topic is not None
        mine = delivery.receiver.startswith(f"{VICTIM}.")
        if not mine or topic.channel not in "md" or (topic.channel == "d" and self._chance.random() < 0.3):
            self._carry(delivery)

    def _delays_one_seat(self, delivery: Delivery) -> None:
        """What the victim says reaches the others seconds later."""
        topic = parse_topic(delivery.topic)
        assert topic is not None
        if topic.node == node_name(self._world.public[VICTIM]):
            self._later(delivery, self._chance.uniform(1.0, 6.0))
        else:
            self._carry(delivery)

    def _reorders(self, delivery: Delivery) -> None:
        """Nothing comes in the order in which it was said."""
        self._later(delivery, self._chance.uniform(0.0, 2.0))

    def _repeats(self, delivery: Delivery) -> None:
        """With each message come others that were said long ago, to whoever."""
        old = [replace(self._chance.choice(self._old), receiver=delivery.receiver) for _ in range(3)]
        self._carry(delivery, *old)

    def _shows_each_something_else(self, delivery: Delivery) -> None:
        """Of every message one receiver or the other hears nothing, by halves that change with the message."""
        if (sum(delivery.payload[-1:]) + int(delivery.receiver.partition(".")[0])) % 2:
            self._carry(delivery)

    def _garbage(self, delivery: Delivery) -> None:
        """Bytes that mean nothing, on every topic of the table."""
        world, chance = self._world, self._chance
        self._carry(delivery)
        for channel in CHANNELS:
            topic = node_topic(world.genesis.table, channel, chance.choice(world.public))
            size = chance.choice((0, 1, 60, 5_000))
            made = chance.choice((chance.randbytes(size), delivery.payload[: size + 1], delivery.payload + b"\0"))
            self._carry(Delivery(delivery.receiver, topic, made))

    def _tampers(self, delivery: Delivery) -> None:
        """Messages arrive with a bit changed, now and then."""
        payload = bytearray(delivery.payload)
        if payload and self._chance.random() < 0.3:
            payload[self._chance.randrange(len(payload))] ^= 1 << self._chance.randrange(8)
        self._carry(replace(delivery, payload=bytes(payload)))

    def _wrong_topics(self, delivery: Delivery) -> None:
        """What one says comes under another's name, and on other channels too."""
        world = self._world
        for public in world.public:
            channel = self._chance.choice(sorted(CHANNELS))
            for topic in (node_topic(world.genesis.table, channel, public), node_topic(bytes(16), "m", public)):
                self._carry(replace(delivery, topic=topic))
        self._carry(delivery)

    def _forges(self, delivery: Delivery) -> None:
        """Words of every kind in a seat's name, signed by a key of the broker's own."""
        world, chance = self._world, self._chance
        table, public = world.genesis.table, chance.choice(world.public)
        step = chance.randrange(40)
        stamp = {"epoch": 1_000_000, "count": chance.randrange(1_000_000)}
        head = chance.randbytes(32)
        kind = chance.choice((Kind.EXPIRED, Kind.HELD, Kind.GOODBYE, Kind.LEAVE, Kind.VOID, Kind.DRAW))
        frame = sign_entry(self._key, table, step, VICTIM, head, kind, [1]).frame
        words = {
            "m": frame,
            "p": sign(self._key, table, Heartbeat(step=step, head=head, have=7, leaving=True, **stamp)),
            "q": sign(self._key, table, SyncRequest(step=0, have=0, **stamp)),
            "d": sign(self._key, table, SyncAnswer(step=step, have=0, entries=(frame,))),
        }
        self._carry(delivery)
        for channel, payload in words.items():
            self._carry(Delivery(delivery.receiver, node_topic(table, channel, public), payload))

    def _takes_over(self, delivery: Delivery) -> None:
        """The victim's connection is taken over again and again, and it is told so."""
        self._carry(delivery)
        life = self._world.nodes[VICTIM].life
        if life is not None and life.link is not None and life.link.connected and self._chance.random() < 0.1:
            asyncio.get_running_loop().call_soon(life.link.drop)
            asyncio.get_running_loop().call_later(self._chance.uniform(0.01, 1.0), self._world._restore, life)

    def _retains(self, delivery: Delivery) -> None:
        """Announcement and topics are cleared or overwritten, for everybody who connects; connections break."""
        table = self._world.genesis.table
        for topic in (lobby_topic(table), delivery.topic):
            self._retained[topic] = self._chance.choice((delivery.payload, b"garbage", self._old[0].payload))
        self._takes_over(delivery)
