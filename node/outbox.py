"""Link frames on their way to a broker, in order, until it has acknowledged them. Knows no network and no clock."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One link frame (see `chunks`) for one topic."""

    topic: str
    body: bytes
    retain: bool = False


class Outbox:
    """Waiting frames, and those in flight under the number that the broker will acknowledge."""

    def __init__(self) -> None:
        self._waiting: deque[Frame] = deque()
        self._flying: dict[int, Frame] = {}

    def __len__(self) -> int:
        return len(self._waiting) + len(self._flying)

    @property
    def flying(self) -> int:
        """Frames sent and not acknowledged."""
        return len(self._flying)

    def put(self, frames: list[Frame]) -> None:
        """Append the frames of one message. A retained one replaces older retained ones of its topic that wait."""
        for frame in frames:
            if frame.retain:
                self._waiting = deque(f for f in self._waiting if not (f.retain and f.topic == frame.topic))
        self._waiting.extend(frames)

    def first(self) -> Frame | None:
        """The frame to send next."""
        return self._waiting[0] if self._waiting else None

    def sent(self, number: int) -> None:
        """The first waiting frame is in flight under this number."""
        self._flying[number] = self._waiting.popleft()

    def acknowledged(self, number: int) -> bool:
        """The broker has this frame; False if none is in flight under this number."""
        return self._flying.pop(number, None) is not None

    def take_back(self) -> None:
        """The connection ended: what was in flight waits again, before everything else and in its old order."""
        self._waiting.extendleft(reversed(self._flying.values()))
        self._flying.clear()
