"""Background tasks that belong to a context: structured, and without groups around single errors."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine


@asynccontextmanager
async def background(work: Coroutine[Any, Any, None], name: str) -> AsyncIterator[None]:
    """Run this beside the body of the context and cancel it at the end.

    If it fails, the body is cancelled and its error is raised in place of the body's; an error of the body is raised as
    it is, not in a group.
    """
    try:
        async with asyncio.TaskGroup() as tasks:
            task = tasks.create_task(work, name=name)
            try:
                yield
            finally:
                task.cancel()
    except BaseExceptionGroup as group:
        raise _first(group) from None


async def to_the_end(work: Coroutine[Any, Any, None]) -> None:
    """Finish this although we are cancelled meanwhile, and be cancelled then."""
    task = asyncio.create_task(work, name="to the end")
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        raise


def _first(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
