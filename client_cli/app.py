"""The two full screens of the client: a table to play at, and a game to look back on."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import suppress

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from node.handle import TableHandle

from .controller import Controller
from .glyphs import Glyphs, signs_fit
from .intents import Intent
from .keys import TABLE
from .messages import sentence
from .replay_model import Replay
from .replay_state import REPLAY_KEYS, ReplayState, reduce_replay
from .terminal import FullScreen, Titles, notify
from .theme import chosen
from .views.replay import draw_replay
from .views.screen import Drawing, draw, measured


def _glyphs(lang: str, output: Output | None, *, ascii_: bool) -> Glyphs:
    encoding = output.encoding() if output is not None else sys.stdout.encoding
    return Glyphs(lang, ascii_ or not signs_fit(encoding))


async def run_table(
    handle: TableHandle,
    *,
    lang: str,
    ascii: bool = False,  # noqa: A002 (the option's name on the command line)
    theme: str = "dark",
    mouse: bool = True,
    notice: bool = True,
    input: Input | None = None,  # noqa: A002 (prompt-toolkit's own name)
    output: Output | None = None,
) -> int:
    """Show this table until the person leaves; returns the exit code (0, or 128 + the signal that ended it).

    `theme` is one of `theme.THEMES`; NO_COLOR in the environment makes it monochrome. `notice` asks the desktop for a
    notice when our turn comes while the window is not the active one. `input` and `output` are the
    terminal's unless given. Raises what the handle raises, after the terminal has been given back.
    """
    theme = chosen(theme)
    glyphs = _glyphs(lang, output, ascii_=ascii)
    titles = Titles(sentence("app.name", lang), glyphs.sign("turn"))

    def changed() -> None:
        titles.show(screen.app.output, turn=controller.state.my_turn)
        screen.app.invalidate()

    def drawn(width: int, height: int) -> Drawing:
        controller.drawing = draw(controller.state, glyphs, width, height)
        return controller.drawing

    def ring() -> None:
        with suppress(OSError):  # a terminal that is gone ends the screen, not the news
            screen.app.output.bell()
            if notice and not screen.focused:
                notify(screen.app.output, sentence("notice.turn", lang), os.environ)

    controller = Controller(handle, changed=changed, ring=ring, leave=lambda: screen.stop(0))
    screen = FullScreen(
        drawn,
        controller.dispatch,
        TABLE,
        theme=theme,
        mouse=mouse,
        typing=lambda: controller.state.typing is not None,
        input=input,
        output=output,
    )
    titles.show(screen.app.output, turn=controller.state.my_turn)
    return await screen.run(controller.run)


async def run_replay(
    game: Replay,
    *,
    lang: str,
    ascii: bool = False,  # noqa: A002 (the option's name on the command line)
    theme: str = "dark",
    mouse: bool = True,
    input: Input | None = None,  # noqa: A002 (prompt-toolkit's own name)
    output: Output | None = None,
) -> int:
    """Show this game, position by position, until the person leaves; arguments and result are those of `run_table`."""
    theme = chosen(theme)
    glyphs = _glyphs(lang, output, ascii_=ascii)
    state = ReplayState(game)
    drawing: Drawing | None = None

    def drawn(width: int, height: int) -> Drawing:
        nonlocal drawing
        drawing = draw_replay(state, glyphs, width, height)
        return drawing

    def dispatch(intent: Intent) -> None:
        nonlocal state
        state = reduce_replay(state, measured(intent, drawing))
        if state.over:
            screen.stop(0)
        screen.app.invalidate()

    screen = FullScreen(drawn, dispatch, REPLAY_KEYS, theme=theme, mouse=mouse, input=input, output=output)
    Titles(sentence("app.name", lang), "").show(screen.app.output, turn=False)
    return await screen.run(asyncio.Event().wait)
