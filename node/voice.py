"""What a node says at a table that has begun: on which topic, under whose key, and how much it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .messages import Message, sign
from .topics import node_topic

if TYPE_CHECKING:
    from .seat import Seat
    from .transport import Transport


class Voice:
    """Says things for one seat, or for a watcher, which has no voice in the log. `epoch` counts the node's lives."""

    def __init__(self, seat: Seat, transport: Transport, epoch: int) -> None:
        self._key = seat.key
        self._table = seat.genesis.table
        self._watches = seat.seat is None
        self._transport = transport
        self._epoch = epoch
        self._count = 0
        self.bytes_sent = 0
        """Payload bytes handed to the transport so far."""

    def stamp(self) -> dict[str, int]:
        """Epoch and count of our next word: the two only rise."""
        self._count += 1
        return {"epoch": self._epoch, "count": self._count}

    def publish(self, frame: bytes) -> None:
        """Say an entry, or what is beside the log; a watcher says none."""
        if not self._watches:
            self.give("m", frame)

    def say(self, channel: str, message: Message, *, reliable: bool = True) -> None:
        """Say this to everybody on our topic of a channel."""
        self.give(channel, sign(self._key, self._table, message), reliable=reliable)

    def tell(self, key: bytes, message: Message) -> None:
        """Say this to one node only."""
        self._give(node_topic(self._table, "d", key), sign(self._key, self._table, message), reliable=True)

    def give(self, channel: str, payload: bytes, *, reliable: bool = True) -> None:
        """Send bytes as they are on our topic of a channel."""
        self._give(node_topic(self._table, channel, self._key.public), payload, reliable=reliable)

    def _give(self, topic: str, payload: bytes, *, reliable: bool) -> None:
        self._transport.send(topic, payload, reliable=reliable)
        self.bytes_sent += len(payload)
