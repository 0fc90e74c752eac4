"""The picture at the top of the README: the running program, played by its keys until melds lie on the table.

`make picture` draws it anew; each time it is another game.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from tests.client_cli.program import PATIENCE, Program, running  # noqa: E402 (a script finds them from here)
from tests.pictures.svg import picture  # noqa: E402

PICTURE = ROOT / "tests" / "pictures" / "table.svg"
COLUMNS, LINES = 110, 33
MELDS = 6
"""Melds on the table that make a picture worth looking at."""
ALT = (
    "Het speelscherm: bovenaan de andere spelers, in het midden de combinaties op tafel, de stapel en de pot, "
    "onderaan je eigen kaarten en de toetsen"
)


def rich(screen: str) -> bool:
    """Whether many melds lie as cards, of ours too, and a hint of what we could do stands there."""
    ours = re.search(r"^ +Truus +\d+ pt +#", screen, re.MULTILINE)
    return (
        "Een idee" in screen
        and "╭──╭──" in screen
        and ours is not None
        and len(set(re.findall(r"#(\d+)", screen))) >= MELDS
    )


def drawn(home: Path, enough: Callable[[str], bool] = rich) -> str:
    """The picture of the first screen that is enough."""
    variables = {"COLORTERM": "truecolor", "DUIZENDEN_NOTICE": "off"}
    argv = ("play", "--lang", "nl", "--name", "Truus", "--rules", "klassiek")
    with running(home, *argv, columns=COLUMNS, lines=LINES, variables=variables) as program:
        end = time.monotonic() + 4 * PATIENCE
        while not enough(program.screen):
            assert time.monotonic() < end, f"no such table came:\n{program.screen}"
            program.type(next_key(program.screen))
            settle(program)
        return picture(program.emulator, ALT)


def next_key(screen: str) -> str:
    """What somebody who follows every hint would press now; empty while others play."""
    for words, key in KEYS.items():
        if words in screen:
            return key
    return ""


KEYS = {
    "Enter = ja": "\r",
    "volgende ronde": "\r",
    "kies een nummer": "1",
    "✗": "\x1b[C\x1b[Cd",
    "Een idee": "\r",
    "Er is nu niets": "d",
    "Leg combinaties": "h",
    "aan de beurt. Pak": "s",
}
"""What stands on the screen, and the key for it; the first counts."""


def settle(program: Program) -> None:
    """Read until the program has been silent for a moment."""
    written = -1
    while written < len(program.written):
        written = len(program.written)
        program.read(SILENT)


SILENT = 0.4


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        PICTURE.write_text(drawn(Path(folder)), encoding="utf-8")
