"""What every command has: language, folders, a log file, and one place where errors become sentences."""

from __future__ import annotations

import asyncio
import contextlib
import io
import logging
import logging.handlers
import os
import shutil
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TextIO

from client_cli.glyphs import letters_only
from client_cli.theme import THEMES
from node.profile import Profile, load_profile, private_folder
from protocol.errors import DuizendenError

from .fitting import PLAIN_LETTERS, folded, harmless, plain
from .words import LANGUAGES, explain, word

if TYPE_CHECKING:
    from pathlib import Path

log = logging.getLogger("duizenden")

INTERRUPTED = 130
POOR_TERMINALS = ("dumb", "unknown")
"""Values of TERM for terminals that have no cursor to move."""


class UsageError(Exception):
    """The command line asks for something that cannot be; the text is the sentence for the person. Exit code 2."""


class Interrupted(Exception):
    """The person pressed Ctrl-C where a line was asked for. Exit code 130."""


@dataclass(frozen=True, slots=True)
class Context:
    """Language and folders of one run of the program."""

    lang: str
    ascii: bool
    profile: Profile
    chosen: bool = False
    """Whether the person asked for this language here and now, rather than the system."""
    linear: bool = False
    """Whether everything is told in plain lines: as asked for, or because nothing else can be shown here."""
    theme: str = THEMES[0]
    mouse: bool = True

    def say(self, code: str, /, **facts: object) -> None:
        """Print the sentence of this code."""
        self.show(word(code, self.lang, **facts))

    def show(self, text: str, stream: TextIO | None = None) -> None:
        """Print this text, on standard output unless told otherwise.

        On a terminal it is folded at words to the terminal's width; with `ascii` it comes in plain letters.
        """
        out = sys.stdout if stream is None else stream
        shown = harmless(text)
        shown = plain(shown) if self.ascii else shown
        fold = is_terminal(out)
        print(folded(shown, shutil.get_terminal_size().columns) if fold else shown, file=out, flush=True)

    def word(self, code: str, /, **facts: object) -> str:
        """The sentence of this code."""
        return word(code, self.lang, **facts)

    @property
    def log_file(self) -> Path:
        """Where this program logs: never to the terminal, which belongs to the game."""
        return private_folder(self.profile.logs) / "duizenden.log"

    @property
    def interactive(self) -> bool:
        """Whether a person sits at a terminal here."""
        return is_terminal(sys.stdin) and is_terminal(sys.stdout)

    def for_play(self) -> Context:
        """The context to play in: where no full screen can be shown, that of plain lines, with one line of advice."""
        if self.linear or (self.interactive and os.environ.get("TERM", "").lower() not in POOR_TERMINALS):
            return self
        linear = replace(self, linear=True)
        linear.show(linear.word("linear.advice"), sys.stderr)
        return linear


def is_terminal(stream: TextIO | None) -> bool:
    """Whether this stream is a terminal; one that was closed before the program began (None) is not."""
    return stream is not None and not stream.closed and stream.isatty()


def make_context(
    lang: str,
    *,
    plain: bool,
    linear: bool = False,
    chosen: bool = False,
    theme: str | None = None,
    mouse: bool = True,
) -> Context:
    """The context of this run: as asked for here and now, else as the settings keep it, else as the system says."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # an old terminal gets the nearest letters it has
            stream.reconfigure(errors=PLAIN_LETTERS)
    profile = load_profile()
    kept = profile.recall("lang")
    theme = theme or profile.recall("theme")
    return Context(
        lang=lang if chosen or kept not in LANGUAGES else kept,
        ascii=plain or profile.recall("symbols") == "letters" or letters_only(os.environ),
        profile=profile,
        chosen=chosen,
        linear=linear,
        theme=theme if theme in THEMES else THEMES[0],
        mouse=mouse,
    )


def guarded(command: Callable[[Context], int], context: Context, *, failed: int = 1, played: bool = False) -> int:
    """Run a command; whatever goes wrong becomes one sentence on standard error and an exit code.

    Notes that were added to the error (hints what to do instead) follow on lines of their own. `failed` (1): it failed,
    2: the request cannot be, 130: interrupted by the person. `played`: a game is saved to go on with if the disk fails.
    """
    try:
        code = command(context)
        if not sys.stdout.closed:
            sys.stdout.flush()  # here and now it can be told that what was printed has no room
        return code  # noqa: TRY300
    except UsageError as error:
        _tell(str(error), error, context)
        return 2
    except (KeyboardInterrupt, Interrupted):
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        with contextlib.suppress(OSError):
            sys.stdout.close()  # whoever read us has enough; do not fail again at exit
        return failed
    except (DuizendenError, OSError) as error:
        _log_error(context, error)
        _tell(explain(error, context.lang, _log_name(context), played=played), error, context)
        _let_go_of_full_output()
        return failed
    except Exception as error:  # noqa: BLE001  a bug of ours: the person gets a sentence, the log the traceback
        _log_error(context, error)
        _tell(explain(error, context.lang, _log_name(context)), error, context)
        return failed


def _let_go_of_full_output() -> None:
    """Close standard output if it takes no more; the interpreter would try once more at exit, and complain."""
    try:
        if not sys.stdout.closed:
            sys.stdout.flush()
    except OSError:
        with contextlib.suppress(OSError):
            sys.stdout.close()


@contextlib.contextmanager
def _private_files() -> Iterator[None]:
    """Whatever is created meanwhile, by child processes too, is for this user only."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def run_async(main: Callable[[], Coroutine[Any, Any, int]], context: Context) -> int:
    """Run a command's coroutine; SIGTERM and SIGHUP end it in good order (exit code 128 + signal)."""
    start_logging(context)
    caught: list[int] = []

    async def supervised() -> int:
        task = asyncio.current_task()
        assert task is not None
        loop = asyncio.get_running_loop()

        def end(number: int) -> None:
            caught.append(number)
            task.cancel()

        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                if number is not None:
                    loop.add_signal_handler(number, end, number)
        try:
            return await main()
        except asyncio.CancelledError:
            if caught:
                return 128 + caught[0]
            raise

    from node.app import run

    with _private_files():
        return run(supervised())


def start_logging(context: Context) -> None:
    """Send the log to a file of limited size. A folder that cannot be written only costs the log."""
    root = logging.getLogger("duizenden")
    if any(isinstance(h, (logging.handlers.RotatingFileHandler, logging.NullHandler)) for h in root.handlers):
        return
    root.propagate = False
    root.setLevel(logging.INFO)
    try:
        with _private_files():
            file = logging.handlers.RotatingFileHandler(
                context.log_file, maxBytes=1_000_000, backupCount=1, encoding="utf-8"
            )
    except OSError:
        root.addHandler(logging.NullHandler())
        return
    file.setFormatter(logging.Formatter("%(asctime)s %(name)s %(levelname)s %(message)s"))
    root.addHandler(file)


def _tell(sentence: str, error: BaseException, context: Context) -> None:
    context.show("\n".join([sentence, *getattr(error, "__notes__", ())]), sys.stderr)


def _log_name(context: Context) -> str:
    return str(context.profile.logs / "duizenden.log")


def _log_error(context: Context, error: BaseException) -> None:
    start_logging(context)
    log.error("the command failed", exc_info=error)
