"""What people and file systems call things never moves a cursor, and a file without end is no game."""

from __future__ import annotations

from pathlib import Path

import pytest

from client_cli.__main__ import main
from client_cli.commands.fitting import harmless
from client_cli.report.markup import tag
from node import gamefile

ENDLESS = Path("/dev/zero")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Zoë\n\tJan", "Zoë\n\tJan"),
        ("a\x1b]0;x\x07", "a<1B>]0;x<07>"),
        ("\u202eX\x9b", "<202E>X<9B>"),
        ("\udcff", "<DCFF>"),
    ],
)
def test_controls_are_written_as_code_points(text: str, shown: str) -> None:
    """Letters, line ends and tabs stay; whatever could steer a terminal is written out, in reports too."""
    assert harmless(text) == shown
    assert tag("p", text) == f"<p>{shown.replace('<', '&lt;').replace('>', '&gt;')}</p>"


def test_a_file_name_cannot_steer_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`verify` on a folder that somebody sent prints names of files without their escapes."""
    (tmp_path / "a\x1b[31mX.duizenden").write_bytes(b"no game")
    code = main(["verify", str(tmp_path), "--lang", "en"])
    out, err = capsys.readouterr()

    assert code == 2
    assert "<1B>[31mX" in out + err
    assert "\x1b" not in out + err


def test_a_file_without_end_is_no_game() -> None:
    """Reading stops behind the largest game, whatever the file system says of the size."""
    with pytest.raises(OSError, match="bytes"):
        gamefile.read(ENDLESS)
