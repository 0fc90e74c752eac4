"""The lobby's terminal: one screen after another, the lobby's and the table's, until the person goes.

However it ends, the terminal is given back as it was; rooms are closed and peers are told before the program ends.
"""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Any, cast

from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent, merge_key_bindings
from prompt_toolkit.keys import Keys

from client_cli.glyphs import Glyphs, signs_fit
from client_cli.intents import Wheel
from client_cli.messages import LANGUAGES
from client_cli.mouse import guarded_mouse
from client_cli.terminal import INTERRUPTED, FullScreen, Titles
from client_cli.theme import chosen

from .controller import Handover, LobbyController
from .intents import Intent, Press, Typed
from .keys import ALL_KEYS
from .model import NOTICES, SYMBOLS
from .state import Preferences
from .views.screen import draw
from .words import say

if TYPE_CHECKING:
    from prompt_toolkit.input import Input
    from prompt_toolkit.output import Output

    from client_cli.commands.context import Context

    from .views.scene import Drawing

_TYPING = ("left", "right", "home", "end", "backspace", "delete", "enter", "escape", "space")


def kept_preferences(context: Context) -> Preferences:
    """The settings as they were kept; whatever is missing or unknown is as usual."""
    recall = context.profile.recall
    lang, symbols = recall("lang"), recall("symbols")
    return Preferences(
        name=context.profile.name(),
        lang=context.lang if context.chosen or lang not in LANGUAGES else lang,
        symbols=SYMBOLS[1] if context.ascii else symbols if symbols in SYMBOLS else SYMBOLS[0],
        theme=context.theme,
        notice=notice if (notice := recall("notice")) in NOTICES else NOTICES[0],
    )


class Lobby:
    """The lobby in one terminal. `input` and `output` are the terminal's unless given."""

    def __init__(
        self,
        context: Context,
        *,
        input: Input | None = None,  # noqa: A002 (prompt-toolkit's own name)
        output: Output | None = None,
    ) -> None:
        self._context = context
        self._input = input
        self._output = output
        self._handover: Handover | None = None
        self._screen: FullScreen | None = None
        self._shown_theme = ""
        self.controller = LobbyController(
            context,
            kept_preferences(context),
            changed=self._changed,
            hand_over=self._take_over,
            leave=lambda: self._stop(0),
        )

    async def run(self) -> int:
        """Show the lobby until the person leaves; the exit code. Raises what fails, the terminal given back."""
        try:
            self.controller.start()
            while True:
                code = await self._show()
                if self._handover is not None and code == 0:
                    code = await self._table(self._handover)
                    self._handover = None
                elif code == 0 and self._restyled:
                    continue
                else:
                    return code
                if code:
                    return code
        finally:
            await self.controller.close()

    # ------------------------------------------------------------------ the lobby's own screen

    async def _show(self) -> int:
        """One life of the lobby's screen: until a table takes over, another theme is wanted, or the person goes."""
        self._shown_theme = self.controller.state.preferences.theme
        # Its types are the table's; it only asks a drawing for lines and for what a click means.
        screen = self._screen = FullScreen(
            cast("Any", self._drawn),
            cast("Any", self._dispatch),
            (),
            theme=chosen(self._shown_theme),
            mouse=self._context.mouse,
            input=self._input,
            output=self._output,
        )
        screen.app.key_bindings = merge_key_bindings([self._bindings(screen), guarded_mouse()])
        Titles(say("app.name", self._lang), "").show(screen.app.output, turn=False)
        try:
            return await screen.run(self._watch_errands)
        finally:
            self._screen = None

    async def _watch_errands(self) -> None:
        """Ends, by raising it, with a failure that no person can be told; else only when cancelled."""
        await asyncio.wait({self.controller.failed})
        self.controller.failed.result()

    @property
    def _restyled(self) -> bool:
        return self.controller.state.preferences.theme != self._shown_theme

    @property
    def _lang(self) -> str:
        return self.controller.state.preferences.lang

    def _glyphs(self) -> Glyphs:
        encoding = self._output.encoding() if self._output is not None else sys.stdout.encoding
        letters = self.controller.state.preferences.symbols == SYMBOLS[1]
        return Glyphs(self._lang, letters or not signs_fit(encoding))

    def _drawn(self, width: int, height: int) -> Drawing:
        drawing = self.controller.drawing = draw(self.controller.state, self._glyphs(), width, height)
        return drawing

    def _dispatch(self, intent: Intent | Wheel) -> None:
        if isinstance(intent, Wheel):
            intent = Press("up" if intent.by < 0 else "down")
        self.controller.dispatch(intent)

    def _changed(self) -> None:
        if self._screen is None:
            return
        if self._restyled:
            self._screen.stop(0)
        else:
            self._screen.app.invalidate()

    def _stop(self, code: int) -> None:
        if self._screen is not None:
            self._shown_theme = self.controller.state.preferences.theme
            self._screen.stop(code)

    def _bindings(self, screen: FullScreen) -> KeyBindings:
        """Every key as a `Press`, pasted text as `Typed`. While the screen is too small only leaving does something."""
        keys = KeyBindings()

        def press(key: str) -> None:
            if screen.fits():
                self._dispatch(Press(key))
            elif key == "q":
                self._stop(0)

        def bind(key: str) -> None:
            @keys.add(" " if key == "space" else key, eager=key == "escape")
            def _(_event: KeyPressEvent) -> None:
                press(key)

        for key in dict.fromkeys((*ALL_KEYS, *_TYPING)):
            bind(key)

        @keys.add(Keys.Any)
        def _(event: KeyPressEvent) -> None:
            if len(event.data) == 1 and event.data.isprintable():
                press(event.data)

        @keys.add(Keys.BracketedPaste)
        def _(event: KeyPressEvent) -> None:
            self._dispatch(Typed(event.data))

        @keys.add("c-c")
        def _(_event: KeyPressEvent) -> None:
            self._stop(INTERRUPTED)

        return keys

    # ------------------------------------------------------------------ a table

    def _take_over(self, handover: Handover) -> None:
        self._handover = handover
        if self._screen is not None:
            self._screen.stop(0)

    async def _table(self, handover: Handover) -> int:
        """Show a table until the person leaves it; its exit code. The errand that holds the table is told."""
        from client_cli.app import run_table  # slow to load, and not needed to look around

        now = self.controller.state.preferences
        showing = asyncio.create_task(
            run_table(
                handover.driver,
                lang=now.lang,
                ascii=now.symbols == SYMBOLS[1],
                theme=now.theme,
                mouse=self._context.mouse,
                notice=now.notice == NOTICES[0],
                input=self._input,
                output=self._output,
            ),
            name="table screen",
        )
        try:
            await asyncio.wait({showing, handover.left}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not showing.done():  # the errand has failed below the screen, or we are being ended ourselves
                showing.cancel()
            await asyncio.wait({showing})
        if showing.cancelled():
            return 0
        if (error := showing.exception()) is not None:
            if not isinstance(error, Exception) or handover.left.done():
                raise error
            handover.left.set_exception(error)
            return 0
        code = showing.result()
        if not handover.left.done():
            handover.left.set_result(code)
        return code


async def run_lobby(context: Context) -> int:
    """The lobby in this process's terminal."""
    return await Lobby(context).run()
