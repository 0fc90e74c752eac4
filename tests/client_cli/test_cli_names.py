"""Names on the command line that nobody could read at the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from client_cli.__main__ import build_parser
from client_cli.commands.context import UsageError
from client_cli.commands.options import name_of
from tests.client_cli.cli_home import context_in

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("command", ["host", "play", "join"])
@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (" ", "A name has at least one"),
        ("", "A name has at least one"),
        ("\u3164", "A name has at least one"),
        ("\x1b[2J", "A name has at least one"),
        ("Z\u0301\u0302\u0303\u0304", "at most 2 marks"),
    ],
)
def test_names_that_cannot_be(command: str, name: str, sentence: str, tmp_path: Path) -> None:
    """A name that shows nothing, or grows over the lines around it, is refused in a sentence."""
    args = build_parser("en").parse_args([command, "--name", name])

    with pytest.raises(UsageError, match=sentence):
        name_of(args, context_in(tmp_path))


@pytest.mark.parametrize(("name", "shown"), [(" Oma  Truus ", "Oma Truus"), ("Jose\u0301", "Jos\u00e9")])
def test_names_are_tidied(name: str, shown: str, tmp_path: Path) -> None:
    """Blanks around a name go, and its letters are composed."""
    args = build_parser("en").parse_args(["join", "--name", name])

    assert name_of(args, context_in(tmp_path)) == shown
