"""Mouse reports as terminals send them: what is no report is ignored, whoever sent it.

prompt-toolkit's own handler takes a report apart without looking, and a malformed one would end the program.
"""

from __future__ import annotations

import re

from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.key_binding.bindings.mouse import load_mouse_bindings
from prompt_toolkit.key_binding.key_processor import KeyPressEvent
from prompt_toolkit.keys import Keys

_REPORT = re.compile(r"\x1b\[<[0-9]{1,4};[0-9]{1,5};[0-9]{1,5}[Mm]")
"""The form that we ask terminals for (SGR, mode 1006); the older ones cannot name far columns and are not ours."""


def guarded_mouse() -> KeyBindings:
    """Bindings that hand on whole reports to prompt-toolkit's handler and drop the rest."""
    (handler,) = (b.handler for b in load_mouse_bindings().bindings if b.keys == (Keys.Vt100MouseEvent,))
    keys = KeyBindings()

    @keys.add(Keys.Vt100MouseEvent, eager=True)
    def _(event: KeyPressEvent) -> object:
        return handler(event) if _REPORT.fullmatch(event.data) else NotImplemented

    return keys
