"""The full-screen application at one table: terminal, keys and signals; everything else is elsewhere.

However it ends (a key, an exception, SIGTERM, SIGHUP, Ctrl-C), the terminal is given back as it was: main screen,
cursor on, line mode.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Point
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import Layout, UIContent, UIControl, Window
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import DynamicStyle, Style

from node.handle import TableHandle

from .controller import Controller
from .glyphs import Glyphs, signs_fit
from .intents import Intent, Key
from .keys import TABLE, Bind
from .messages import sentence
from .theme import STYLE, sixteen
from .views.screen import HEIGHT, WIDTH, draw

SIGNALS = ("SIGTERM", "SIGHUP")
ESCAPE_SECONDS = 0.05
"""How long a lone Escape waits for the rest of a key sequence."""
INTERRUPTED = 130
TERMINAL_GONE = 129
FAILED = 70


class Screen(UIControl):
    """The one control of the application: it shows what `draw` makes of the controller's state."""

    def __init__(self, controller: Controller, glyphs: Glyphs) -> None:
        self._controller = controller
        self._glyphs = glyphs

    def is_focusable(self) -> bool:
        """It takes all keys."""
        return True

    def create_content(self, width: int, height: int) -> UIContent:
        """The lines for this size."""
        drawing = draw(self._controller.state, self._glyphs, width, height)
        self._controller.drawing = drawing

        def line(number: int) -> StyleAndTextTuples:
            return list(drawing.lines[number])

        return UIContent(line, len(drawing.lines), cursor_position=Point(0, 0), show_cursor=False)


class Titles:
    """The window's title: a sign stands before the name while it is our turn, for people who look elsewhere."""

    def __init__(self, name: str, sign: str) -> None:
        self._name = name
        self._sign = sign
        self._shown: str | None = None

    def show(self, output: Output, *, turn: bool) -> None:
        """Set the title if it has to change."""
        wanted = f"{self._sign} {self._name}" if turn else self._name
        if wanted != self._shown:
            self._shown = wanted
            output.set_title(wanted)


def bindings(dispatch: Callable[[Intent], None], fits: Callable[[], bool], stop: Callable[[int], None]) -> KeyBindings:
    """All keys of the table of keys. While the screen is too small every key but leaving does nothing."""
    keys = KeyBindings()

    def bind(entry: Bind, key: str) -> None:
        intent = entry.intent(key)

        @keys.add(" " if key == "space" else key, eager=key == "escape")
        def _(_event: KeyPressEvent) -> None:
            if fits():
                dispatch(intent)
            elif intent is Key.LEAVE:
                stop(0)

    for entry in TABLE:
        for key in entry.keys:
            bind(entry, key)

    @keys.add("c-c")
    def _(_event: KeyPressEvent) -> None:
        stop(INTERRUPTED)

    return keys


def colour_depth(environment: Mapping[str, str]) -> ColorDepth | None:
    """True colour where the terminal says that it has it; else None: prompt-toolkit's own choice, NO_COLOR included."""
    if "NO_COLOR" not in environment and environment.get("COLORTERM") in {"truecolor", "24bit"}:
        return ColorDepth.TRUE_COLOR
    return None


async def run_table(
    handle: TableHandle,
    *,
    lang: str,
    ascii: bool = False,  # noqa: A002 (the option's name on the command line)
    input: Input | None = None,  # noqa: A002 (prompt-toolkit's own name)
    output: Output | None = None,
) -> int:
    """Show this table until the person leaves; returns the exit code (0, or 128 + the signal that ended it).

    `input` and `output` are the terminal's unless given. Raises what the handle raises, after the terminal has been
    given back.
    """
    encoding = output.encoding() if output is not None else sys.stdout.encoding
    glyphs = Glyphs(lang, ascii or not signs_fit(encoding))
    app: Application[int]

    def stop(code: int) -> None:
        if app.is_running and not app.is_done:
            app.exit(result=code)

    def ring() -> None:
        with suppress(OSError):  # a terminal that is gone ends the screen, not the news
            app.output.bell()

    titles = Titles(sentence("app.name", lang), glyphs.sign("turn"))

    def changed() -> None:
        titles.show(app.output, turn=controller.state.my_turn)
        app.invalidate()

    controller = Controller(handle, changed=changed, ring=ring, leave=lambda: stop(0))
    screen = Screen(controller, glyphs)

    def fits() -> bool:
        size = app.output.get_size()
        return size.columns >= WIDTH and size.rows >= HEIGHT

    rich, poor = Style.from_dict(STYLE), Style.from_dict(sixteen())
    app = Application(
        layout=Layout(Window(screen, always_hide_cursor=True, style="class:screen")),
        key_bindings=bindings(controller.dispatch, fits, stop),
        style=DynamicStyle(lambda: poor if app.color_depth is ColorDepth.DEPTH_4_BIT else rich),
        full_screen=True,
        color_depth=colour_depth(os.environ),
        mouse_support=False,
        input=input,
        output=output,
    )
    app.ttimeoutlen = ESCAPE_SECONDS
    titles.show(app.output, turn=controller.state.my_turn)
    try:
        with _signals(stop), _failures(app):
            return await _until_done(app, controller)
    finally:
        with suppress(OSError):  # the terminal may be gone
            app.output.clear_title()
            app.output.flush()


async def _until_done(app: Application[int], controller: Controller) -> int:
    """Run screen and controller together; whichever fails first ends both."""
    following = asyncio.create_task(controller.run(), name="controller")
    showing = asyncio.create_task(app.run_async(handle_sigint=False, set_exception_handler=False), name="screen")
    try:
        await asyncio.wait({following, showing}, return_when=asyncio.FIRST_COMPLETED)
        if not showing.done() and not app.is_done:
            app.exit(result=FAILED)
        try:
            code = await showing
        except (EOFError, OSError):
            code = TERMINAL_GONE
        if following.done():
            following.result()
        return code
    finally:
        for task in (following, showing):
            task.cancel()
        await asyncio.wait({following, showing})


@contextmanager
def _signals(stop: Callable[[int], None]) -> Iterator[None]:
    """SIGTERM and SIGHUP end the application in good order where the event loop can catch them (not on Windows)."""
    loop = asyncio.get_running_loop()
    caught: list[int] = []
    for name in SIGNALS:
        number = getattr(signal, name, None)
        if number is None:
            continue
        try:
            loop.add_signal_handler(number, stop, 128 + number)
        except (NotImplementedError, RuntimeError, ValueError):
            continue
        caught.append(number)
    try:
        yield
    finally:
        for number in caught:
            loop.remove_signal_handler(number)


@contextmanager
def _failures(app: Application[int]) -> Iterator[None]:
    """What fails in a callback (a key, a drawing) ends the application with that exception.

    Other complaints of the event loop would be printed into the screen; they are kept until it is closed.
    """
    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()
    kept: list[dict[str, Any]] = []

    def handler(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        failure = context.get("exception")
        if "handle" in context and isinstance(failure, Exception) and app.is_running and not app.is_done:
            app.exit(exception=failure)
        else:
            kept.append(context)

    loop.set_exception_handler(handler)
    try:
        yield
    finally:
        loop.set_exception_handler(before)
        for context in kept:
            loop.call_exception_handler(context)
