"""One full-screen application of prompt-toolkit: terminal, keys, mouse and signals, whatever is shown in it.

However it ends (a key, an exception, SIGTERM, SIGHUP, Ctrl-C), the terminal is given back as it was: main screen,
cursor on, mouse off, line mode. The mouse is asked for in SGR form only and without motion: nothing is sent while it
moves, and a column beyond 223 is told right.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Point
from prompt_toolkit.filters import Condition, Filter
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent, merge_key_bindings
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout, UIContent, UIControl, Window
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType
from prompt_toolkit.output import ColorDepth, Output, create_output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.styles import DynamicStyle, Style

from .glyphs import width as cells_of
from .intents import Intent, Key, Typed, Wheel
from .keys import TYPING, Bind
from .mouse import guarded_mouse
from .theme import palette
from .views.canvas import plain
from .views.screen import HEIGHT, WIDTH, Drawing

SIGNALS = ("SIGTERM", "SIGHUP")
ESCAPE_SECONDS = 0.05
"""How long a lone Escape waits for the rest of a key sequence."""
INTERRUPTED = 130
TERMINAL_GONE = 129
FAILED = 70


FOCUS_IN, FOCUS_OUT = Keys.ControlF23, Keys.ControlF24
"""Keys that no keyboard has: how a terminal says that its window has become the active one, or no longer is."""
ANSI_SEQUENCES.update({"\x1b[I": FOCUS_IN, "\x1b[O": FOCUS_OUT})


class SgrOutput(Vt100_Output):
    """A terminal whose mouse reports clicks and the wheel only, in SGR form only, and that tells about its focus."""

    def enter_alternate_screen(self) -> None:
        """The alternate screen; as long as it is shown the terminal reports focus (1004), if it can."""
        super().enter_alternate_screen()
        self.write_raw("\x1b[?1004h")

    def quit_alternate_screen(self) -> None:
        """Back to the main screen, where nothing may be reported."""
        self.write_raw("\x1b[?1004l")
        super().quit_alternate_screen()

    def enable_mouse_support(self) -> None:
        """Clicks (1000), told in SGR form (1006)."""
        self.write_raw("\x1b[?1000h\x1b[?1006h")

    def disable_mouse_support(self) -> None:
        """No reports of any kind any more."""
        self.write_raw("\x1b[?1006l\x1b[?1000l")


def terminal_output() -> Output:
    """The output of this process: with a plain mouse where it is a terminal that understands escape sequences."""
    if sys.platform != "win32" and sys.stdout.isatty():
        return SgrOutput.from_pty(sys.stdout, term=os.environ.get("TERM"))
    return create_output()


class Screen(UIControl):
    """The one control of the application: it shows a drawing, and tells what a click in it means."""

    def __init__(self, drawn: Callable[[int, int], Drawing], dispatch: Callable[[Intent], None]) -> None:
        self._drawn = drawn
        self._dispatch = dispatch
        self._drawing: Drawing | None = None

    def is_focusable(self) -> bool:
        """It takes all keys."""
        return True

    def create_content(self, width: int, height: int) -> UIContent:
        """The lines for this size."""
        drawing = self._drawing = self._drawn(width, height)

        def line(number: int) -> StyleAndTextTuples:
            return list(drawing.lines[number])

        return UIContent(line, len(drawing.lines), cursor_position=Point(0, 0), show_cursor=False)

    def mouse_handler(self, mouse_event: MouseEvent) -> None:
        """A click is what the drawing says that stands there; the wheel scrolls. Nothing else means anything."""
        match mouse_event.event_type:
            case MouseEventType.SCROLL_UP:
                self._dispatch(Wheel(-1))
            case MouseEventType.SCROLL_DOWN:
                self._dispatch(Wheel(1))
            case MouseEventType.MOUSE_DOWN if mouse_event.button is MouseButton.LEFT and self._drawing is not None:
                at = mouse_event.position
                if at.y < len(self._drawing.lines):
                    # The library counts characters of the line; places of the drawing are cells.
                    meant = self._drawing.meant(cells_of(plain(self._drawing.lines[at.y])[: at.x]), at.y)
                    if meant is not None:
                        self._dispatch(meant)


def notify(output: Output, text: str, environment: Mapping[str, str]) -> None:
    """Ask the desktop to show a notice (OSC 9), unless DUIZENDEN_NOTICE is `off`.

    Terminals that do not know it swallow it like a title; the few that print titles get neither.
    """
    if environment.get("DUIZENDEN_NOTICE") == "off" or not isinstance(output, Vt100_Output):
        return
    if output.term not in _NO_TITLES:
        output.write_raw(f"\x1b]9;{text}\x1b\\")
        output.flush()


_NO_TITLES = ("linux", "eterm-color", "dumb")


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


def bindings(
    table: Iterable[Bind],
    dispatch: Callable[[Intent], None],
    fits: Callable[[], bool],
    stop: Callable[[int], None],
    typing: Callable[[], bool] = lambda: False,
) -> KeyBindings:
    """All keys of a table of keys. While the screen is too small every key but leaving does nothing.

    While a line is typed (`typing`) the keys are those of TYPING, and characters and what is pasted go into the line.
    """
    keys = KeyBindings()
    into_line = Condition(lambda: typing() and fits())

    def bind(entry: Bind, key: str, when: Filter) -> None:
        intent = entry.intent(key)

        @keys.add(" " if key == "space" else key, eager=key == "escape", filter=when)
        def _(_event: KeyPressEvent) -> None:
            if fits():
                dispatch(intent)
            elif intent is Key.LEAVE:
                stop(0)

    for entry in table:
        for key in entry.keys:
            bind(entry, key, ~into_line)
    for entry in TYPING:
        for key in entry.keys:
            bind(entry, key, into_line)

    @keys.add(Keys.Any, filter=into_line)
    def _(event: KeyPressEvent) -> None:
        if event.data.isprintable():  # not the sequence of a key that means nothing here
            dispatch(Typed(event.data))

    @keys.add(Keys.BracketedPaste, filter=into_line)
    def _(event: KeyPressEvent) -> None:
        dispatch(Typed(event.data))

    @keys.add("c-c")
    def _(_event: KeyPressEvent) -> None:
        stop(INTERRUPTED)

    return keys


def colour_depth(environment: Mapping[str, str]) -> ColorDepth | None:
    """True colour where the terminal says that it has it; else None: prompt-toolkit's own choice, NO_COLOR included."""
    if "NO_COLOR" not in environment and environment.get("COLORTERM") in {"truecolor", "24bit"}:
        return ColorDepth.TRUE_COLOR
    return None


class FullScreen:
    """The application around one drawing.

    `drawn` makes the drawing for a size, `dispatch` takes what keys and clicks mean, `typing` says whether keys go into
    a line of text. `input` and `output` are the terminal's unless given.
    """

    def __init__(
        self,
        drawn: Callable[[int, int], Drawing],
        dispatch: Callable[[Intent], None],
        table: Iterable[Bind],
        *,
        theme: str,
        mouse: bool,
        typing: Callable[[], bool] = lambda: False,
        input: Input | None = None,  # noqa: A002 (prompt-toolkit's own name)
        output: Output | None = None,
    ) -> None:
        rich, poor = (Style.from_dict(palette(theme, sixteen=few)) for few in (False, True))
        screen = Screen(drawn, dispatch)
        self.focused = False
        """Whether the terminal has said that its window is the active one, and has not taken it back."""
        keys = bindings(table, dispatch, self.fits, self.stop, typing)
        keys.add(FOCUS_IN)(lambda _event: setattr(self, "focused", True))
        keys.add(FOCUS_OUT)(lambda _event: setattr(self, "focused", False))
        self.app: Application[int] = Application(
            layout=Layout(Window(screen, always_hide_cursor=True, style="class:screen")),
            key_bindings=merge_key_bindings([keys, guarded_mouse()]),
            style=DynamicStyle(lambda: poor if self.app.color_depth is ColorDepth.DEPTH_4_BIT else rich),
            full_screen=True,
            color_depth=ColorDepth.DEPTH_1_BIT if theme == "mono" else colour_depth(os.environ),
            mouse_support=mouse,
            input=input,
            output=output or terminal_output(),
        )
        self.app.ttimeoutlen = ESCAPE_SECONDS

    def fits(self) -> bool:
        """Whether the terminal is large enough for a table."""
        size = self.app.output.get_size()
        return size.columns >= WIDTH and size.rows >= HEIGHT

    def stop(self, code: int) -> None:
        """End with this exit code, if it has not ended."""
        if self.app.is_running and not self.app.is_done:
            self.app.exit(result=code)

    def _continue(self) -> None:
        """After a stop (SIGSTOP, then `fg`): the shell has had the terminal, so take it anew and draw everything."""
        if self.app.is_running and not self.app.is_done and _in_foreground(self.app.input):
            ExitStack().enter_context(self.app.input.raw_mode())  # never left: the application's own gives it back
            self.app.renderer.reset(leave_alternate_screen=True)
            self.app.invalidate()

    async def run(self, beside: Callable[[], Any]) -> int:
        """Show until it is stopped, while the coroutine of `beside` runs; whichever fails first ends both.

        Returns the exit code: 0, or 128 + the signal that ended it. Raises what fails, the terminal given back.
        """
        try:
            with _signals(self.stop, self._continue), _failures(self.app):
                return await _until_done(self.app, beside)
        finally:
            with suppress(OSError):  # the terminal may be gone
                self.app.output.clear_title()
                self.app.output.flush()
            _let_go_of_lost_streams()


def _in_foreground(input: Input) -> bool:  # noqa: A002 (prompt-toolkit's own name)
    """Whether the terminal is ours; to change it from the background would stop us again."""
    try:
        return os.tcgetpgrp(input.fileno()) == os.getpgrp()
    except OSError:  # not the terminal that controls us: nobody else has it
        return True


def _let_go_of_lost_streams() -> None:
    """Give what a lost terminal did not take to the null device.

    Otherwise the interpreter tries once more at its very end, fails, and ends with 120 instead of our exit code.
    """
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, stream.fileno())
            os.close(null)


async def _until_done(app: Application[int], beside: Callable[[], Any]) -> int:
    """Run the screen and what goes on beside it; whichever fails first ends both."""
    following = asyncio.create_task(beside(), name="beside the screen")
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
def _signals(stop: Callable[[int], None], go_on: Callable[[], None]) -> Iterator[None]:
    """SIGTERM and SIGHUP end the application in good order, and after SIGCONT it goes on.

    So it is where the event loop can catch them (not on Windows).
    """
    loop = asyncio.get_running_loop()
    caught: list[int] = []
    for name in (*SIGNALS, "SIGCONT"):
        number = getattr(signal, name, None)
        if number is None:
            continue
        try:
            if name == "SIGCONT":
                loop.add_signal_handler(number, go_on)
            else:
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
