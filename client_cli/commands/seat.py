"""Playing at a table that has begun: the full screen or plain lines, and what is said afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from client_cli.departures import is_out
from protocol.session.view import Stage

from .rules import keep_rules

if TYPE_CHECKING:
    from node.driver import TableDriver
    from node.handle import TableHandle
    from protocol.session.view import TableView

    from .context import Context


async def show_table(table: TableHandle, context: Context) -> int:
    """Show the table until the person leaves. Returns the client's exit code."""
    return await (_in_lines if context.linear else _on_screen)(table, context)


async def play_at(driver: TableDriver, context: Context) -> int:
    """Play at the table until the person leaves. Returns the client's exit code."""
    keep_rules(driver.view().rules, context)
    code = await show_table(driver, context)
    if driver.view().stage is Stage.FINISHED:
        await driver.linger()
    elif driver.view().stage is not Stage.FAULTED:
        view = driver.view()
        context.say(_farewell(view), game=driver.journal.stem)
    for path in driver.evidence[:1]:
        context.say("evidence.kept", file=path)
    return code


def _farewell(view: TableView) -> str:
    """What is said to who leaves a game that is not over: how it goes on, or how it can still end."""
    if is_out(view):
        return "gone" if view.broken_off else "gone.on"
    if view.me in view.leaving:
        return "gone.early"
    stuck = view.me is not None and len(view.present) == 2 and set(view.leaving) & set(view.present)
    return "left.stuck" if stuck else "left"


async def _on_screen(table: TableHandle, context: Context) -> int:
    from client_cli.app import run_table

    return await run_table(
        table,
        lang=context.lang,
        ascii=context.ascii,
        theme=context.theme,
        mouse=context.mouse,
        notice=context.profile.recall("notice") != "off",
    )


async def _in_lines(table: TableHandle, context: Context) -> int:
    from client_cli.linear.lines import typed
    from client_cli.linear.table import run_linear

    return await run_linear(table, typed(), context.show, lang=context.lang)
