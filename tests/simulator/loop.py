"""An asyncio event loop whose time is a number: nothing waits, nothing depends on the machine, one seed is one history.

Work for a thread is done in the loop itself, at a moment between its start and its end that the seed chooses, so that
everything else of the simulation can happen before and after it. Each node has its own clock, set by `CLOCK`.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from contextvars import ContextVar, copy_context
from typing import Any

CLOCK: ContextVar[float] = ContextVar("CLOCK", default=0.0)
"""How far the clock of whoever runs now is from the loop's (seconds)."""

INSTANT = 1e-6


MOST_TURNS = 300_000
"""Turns of the loop after which a run counts as one without end."""


class Stalled(Exception):
    """Nothing will ever happen again, since every task waits for another one; or something happens without end."""


class VirtualLoop(asyncio.BaseEventLoop):
    """A loop that jumps to the next moment at which something happens.

    A piece of work for a thread begins at most `slowest` seconds after it was given, and is told of as late again.
    """

    def __init__(self, chance: random.Random, slowest: float = 0.05) -> None:
        super().__init__()
        self._real = 0.0
        self._chance = chance
        self._slowest = slowest
        self._turns = 0
        self._busy: dict[Any, float] = {}
        self._selector = self  # what BaseEventLoop asks for events and for the passing of time

    # ------------------------------------------------------------------ time

    @property
    def now(self) -> float:
        """Seconds since the beginning, by nobody's clock."""
        return self._real

    def time(self) -> float:
        """What the clock of the running node shows."""
        return self._real + CLOCK.get()

    def call_at(  # type: ignore[override]  # without the standard's ties between callback and arguments
        self, when: float, callback: Any, *args: Any, context: Any = None
    ) -> asyncio.TimerHandle:
        """As the standard says; `when` is by the clock of the caller."""
        return super().call_at(when - CLOCK.get(), callback, *args, context=context)

    # ------------------------------------------------------------------ threads

    def run_in_executor(  # type: ignore[override]  # as above
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """Do the work at some moment soon, after what this executor was given before, and tell of it later."""
        future: asyncio.Future[Any] = self.create_future()
        context = copy_context()

        def work() -> None:
            if future.cancelled():
                return
            try:
                result = context.run(func, *args)
            except Exception as error:  # noqa: BLE001  whatever it is, the caller gets it
                self.call_later(self._some_time(), self._fail, future, error)
            else:
                self.call_later(self._some_time(), self._finish, future, result)

        start = max(self._real + self._some_time(), self._busy.get(executor, 0.0) + INSTANT)
        self._busy[executor] = start
        self.call_at(start + CLOCK.get(), work)
        return future

    @staticmethod
    def _finish(future: asyncio.Future[Any], result: Any) -> None:
        if not future.done():
            future.set_result(result)

    @staticmethod
    def _fail(future: asyncio.Future[Any], error: Exception) -> None:
        if not future.done():
            future.set_exception(error)

    def _some_time(self) -> float:
        return float(self._slowest * self._chance.random() ** 4)

    # ------------------------------------------------------------------ what BaseEventLoop needs

    def select(self, timeout: float | None) -> list[Any]:
        """Let this much time pass. Raises Stalled when nothing will ever happen, or too much has."""
        self._turns += 1
        if timeout is None or self._turns > MOST_TURNS:
            raise Stalled
        self._real += max(0.0, timeout)
        return []

    def _process_events(self, event_list: list[Any]) -> None:
        """There are none."""

    def _write_to_self(self) -> None:
        """Nobody calls from another thread."""
