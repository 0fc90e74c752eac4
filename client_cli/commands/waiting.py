"""The waiting room in the terminal, as plain lines: who sits there, how to join, a line to type.

The same loop serves host and joiner; what a typed line does is given by the caller. It ends when the game begins, when
the person leaves, or when the room closes.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, TypeAlias

from .context import Interrupted
from .options import house_rules

if TYPE_CHECKING:
    from node.room import Room

    from .context import Context

Command: TypeAlias = Callable[[str], Awaitable[bool]]
"""Does what a line says; True ends the waiting."""


def room_lines(room: Room, context: Context) -> list[str]:
    """The waiting room in words."""
    title = context.word("room.title", title=room.title, rules=room.rules_name)
    if room.max_rounds:
        title += context.word("room.round" if room.max_rounds == 1 else "room.rounds", rounds=room.max_rounds)
    lines = [title]
    house = house_rules(room.rules, room.rules_name, context.lang)
    if house:
        lines.append(context.word("room.house", rules=" ".join(house)))
    if room.code and room.elsewhere:
        lines.append(context.word("room.code_at", code=room.code, broker=room.elsewhere))
    elif room.code:
        lines.append(context.word("room.code", code=room.code))
    if not room.sealed:
        lines += [context.word("room.address", address=address) for address in room.addresses]
    for seat in range(room.seats):
        lines.append(f"  {seat + 1}  {_chair(room, seat, context)}")
    if not room.connected:
        lines.append(context.word("room.offline"))
    return lines


def _chair(room: Room, seat: int, context: Context) -> str:
    if seat >= len(room.chairs):
        return context.word("room.free")
    chair = room.chairs[seat]
    return (
        chair.name
        + (context.word("room.bot") if chair.bot else "")
        + (context.word("room.you") if seat == room.me else "")
    )


def room_news(before: Room, after: Room, context: Context) -> list[str]:
    """What has changed in the room, one line each: who came, who went, who is a bot, whether we are connected."""
    old, new = before.chairs, after.chairs
    lines = [context.word("room.gone", name=chair.name) for chair in old if chair not in new]
    for place, chair in enumerate(new):
        if chair not in old:
            lines.append(context.word("room.came", number=place + 1, name=_chair(after, place, context)))
    if before.connected != after.connected:
        lines.append(context.word("room.online" if after.connected else "room.offline"))
    if (after.me, after.code, after.addresses) != (before.me, before.code, before.addresses):
        return room_lines(after, context)
    return lines + ([context.word("room.count", taken=len(new), seats=after.seats)] if old != new else [])


async def typed_lines(context: Context) -> AsyncGenerator[str, None]:
    """What the person types, line by line; ends with Ctrl-D. Ctrl-C raises Interrupted."""
    if context.linear:
        from client_cli.linear.lines import typed

        lines = typed()
        while (line := await lines.next()) is not None:
            yield line.strip()
        return
    from prompt_toolkit import PromptSession
    from prompt_toolkit.patch_stdout import patch_stdout

    from client_cli.mouse import guarded_mouse

    # a plain line needs to know nothing about the cursor, and terminals that do not tell would get a warning
    os.environ.setdefault("PROMPT_TOOLKIT_NO_CPR", "1")
    session: PromptSession[str] = PromptSession("> ", key_bindings=guarded_mouse())
    with patch_stdout():
        while True:
            try:
                line = await session.prompt_async()
            except EOFError:
                return
            except KeyboardInterrupt:
                # out of a task it would tear the event loop down before anybody could say goodbye
                raise Interrupted from None
            yield line.strip()


async def wait_in_room(
    updates: AsyncIterator[Room],
    lines: AsyncIterator[str],
    command: Command,
    context: Context,
    hint: str,
    prompt: str = "",
) -> bool:
    """Show the room and obey typed lines; True when the game begins or the door closes, False when the person goes.

    `hint` says what may be typed; `prompt` asks for a line, also after others came or went.
    """
    asked = [prompt] if prompt else []

    async def show() -> None:
        shown: list[str] = []
        last: Room | None = None
        async for room in updates:
            now = room_lines(room, context)
            if context.linear and last is not None:
                for line in room_news(last, room, context) + (asked if room.chairs != last.chairs else []):
                    context.show(line)
            elif now != shown:
                context.show("\n".join([*([] if context.linear else [""]), *now, hint, *asked]))
            shown, last = now, room

    async def obey() -> None:
        async for line in lines:
            if await command(line):
                return

    showing = asyncio.create_task(show(), name="room")
    obeying = asyncio.create_task(obey(), name="lines")
    try:
        done, _ = await asyncio.wait({showing, obeying}, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
        return showing in done
    finally:
        for task in (showing, obeying):
            task.cancel()
        for task in (showing, obeying):
            with suppress(asyncio.CancelledError):
                await asyncio.wait({task})
