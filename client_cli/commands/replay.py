"""`duizenden replay`: look back on a game, position by position. The file is verified before anything is shown."""

from __future__ import annotations

import argparse
import os
import sys
from functools import partial
from typing import TYPE_CHECKING

from node import gamefile
from protocol.errors import DuizendenError

from .context import Context, UsageError, run_async
from .options import game_file
from .verify import why_no_game

if TYPE_CHECKING:
    from collections.abc import Callable

    from client_cli.replay_model import Replay


def run(args: argparse.Namespace, context: Context) -> int:
    """Show a game file: 0 when the person is done, 1 if the file has a fault (named in the header), 2 if it is none."""
    context = context.for_play()
    from client_cli.replay_model import load_replay

    path = game_file(args.file, context)
    try:
        data = gamefile.read(path)
    except OSError as error:
        raise UsageError(context.word("e.file", file=path, detail=error.strerror or error)) from None
    try:
        game = load_replay(data, os.urandom(32), _waiting(context))
    except DuizendenError as error:
        raise UsageError(context.word("e.not_a_game", file=path, detail=why_no_game(error.code, context))) from None
    code = _tell(game, context) if context.linear else _show(game, context)
    return code or (0 if game.verdict.ok else 1)


def _show(game: Replay, context: Context) -> int:
    from client_cli.app import run_replay

    look = partial(run_replay, lang=context.lang, ascii=context.ascii, theme=context.theme, mouse=context.mouse)
    return run_async(lambda: look(game), context)


def _tell(game: Replay, context: Context) -> int:
    """The whole game in words."""
    from client_cli.linear.replay import game_lines

    for line in game_lines(game, context.lang):
        context.show(line)
    return 0


def _waiting(context: Context) -> Callable[[int, int], None]:
    """What tells the person that checking takes a while: one line where nothing can be rewritten."""
    if not context.linear:
        return _progress
    context.show(context.word("linear.checking"), sys.stderr)
    return lambda _done, _total: None


def _progress(done: int, total: int) -> None:
    """Per cents on the terminal, rewritten in place and wiped at the end."""
    if 100 * done // total != 100 * (done - 1) // total:
        text = f"\r{100 * done // total:3d} %" if done < total else "\r     \r"
        print(text, end="", file=sys.stderr, flush=True)
