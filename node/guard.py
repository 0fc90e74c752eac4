"""What stands between the network and the work it could cause: rate limits and the count of what was dropped.

Checks here are cheap and come before any signature is verified. Dropping is always safe: peer sync repairs it.
"""

from __future__ import annotations

from collections import Counter


class Bucket:
    """A token bucket: `rate` messages a second on average, `burst` at once."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._level = burst
        self._at = float("-inf")

    def take(self, now: float, count: int = 1) -> bool:
        """Whether so many more are within the limit at this time (a monotonic clock); if not, none is taken."""
        if now > self._at:
            filled = self._rate * (now - self._at) if self._at > float("-inf") else self._burst
            self._level = min(self._burst, self._level + filled)
            self._at = now
        if self._level < count:
            return False
        self._level -= count
        return True


class Drops:
    """How many messages were dropped, by code. The number of different codes is bounded: they are ours."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def count(self, code: str) -> None:
        """One more was dropped for this reason."""
        self._counts[code] += 1

    def items(self) -> tuple[tuple[str, int], ...]:
        """All reasons and counts, by name."""
        return tuple(sorted(self._counts.items()))

    def __getitem__(self, code: str) -> int:
        return self._counts[code]
