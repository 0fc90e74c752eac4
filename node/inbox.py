"""What has arrived for the session and waits for it, in order of arrival, within bounds for each source.

A source is whoever the items are counted against: a flood of one source can fill its own share and nobody else's.
Dropping is always safe: peer sync repairs it.
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from protocol.errors import WireError

from .sync import Place

if TYPE_CHECKING:
    from collections.abc import Hashable

SHARE_BYTES = 1_048_576
"""Bytes of one source: five sync answers of the largest size, or sixteen of the largest entries."""
SHARE_ITEMS = 2_000
"""Items of one source, since they may be small."""


@dataclass(frozen=True, slots=True)
class AnswerEnd:
    """All entries of a sync answer stand before this: its sender `seat` was at this place."""

    seat: int
    place: Place


class Inbox:
    """A queue of signed entries, and of the ends of sync answers."""

    def __init__(self) -> None:
        self._items: deque[tuple[Hashable, bytes | AnswerEnd]] = deque()
        self._bytes: Counter[Hashable] = Counter()
        self._counts: Counter[Hashable] = Counter()

    def __len__(self) -> int:
        return len(self._items)

    def put(self, source: Hashable, *items: bytes | AnswerEnd) -> None:
        """Queue these together. Raises WireError `limit/inbox` when they do not fit the source's share: none is."""
        size = sum(map(_size, items))
        if self._bytes[source] + size > SHARE_BYTES or self._counts[source] + len(items) > SHARE_ITEMS:
            raise WireError("limit/inbox")
        self._bytes[source] += size
        self._counts[source] += len(items)
        self._items.extend((source, item) for item in items)

    def entries(self, most: int) -> list[bytes]:
        """The entries at the front, at most so many; they stay until `drop`."""
        ahead = takewhile(lambda item: isinstance(item, bytes), (item for _, item in islice(self._items, most)))
        return [item for item in ahead if isinstance(item, bytes)]

    def drop(self, count: int) -> None:
        """The first so many items are done."""
        for _ in range(count):
            self._pop()

    def answer_end(self) -> AnswerEnd | None:
        """Take the end of an answer if it is what comes first."""
        if self._items and isinstance(self._items[0][1], AnswerEnd):
            item = self._pop()
            assert isinstance(item, AnswerEnd)
            return item
        return None

    def _pop(self) -> bytes | AnswerEnd:
        source, item = self._items.popleft()
        self._bytes[source] -= _size(item)
        self._counts[source] -= 1
        return item


def _size(item: bytes | AnswerEnd) -> int:
    return len(item) if isinstance(item, bytes) else 0
