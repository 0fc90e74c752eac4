"""`duizenden` alone: the lobby."""

from __future__ import annotations

import argparse

from .context import Context, run_async


def run(_args: argparse.Namespace, context: Context) -> int:
    """Open the lobby and stay in it, games included, until the person leaves; in plain lines it is a menu."""
    context = context.for_play()
    if context.linear:
        from .menu import run_menu

        return run_menu(context)
    from client_cli.lobby.app import run_lobby

    return run_async(lambda: run_lobby(context), context)
