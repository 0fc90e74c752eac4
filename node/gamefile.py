"""Game files on disk: written whole or not at all, so that a reader never sees half a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from protocol.session.gamefile import SUFFIX, write_game

from .profile import write_atomic

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from protocol.session.genesis import Genesis


def places(name: str, files: Iterable[Path], records: Path | None) -> tuple[Path, ...]:
    """Where the files of the game of this name go: those asked for, and one in the folder of all games, if there is."""
    return (*files, *([] if records is None else [records / (name + SUFFIX)]))


def write(path: Path, genesis: Genesis, frames: Sequence[bytes]) -> None:
    """Write the log so far as a game file, durable before the return.

    Everything in it was public at the table, so the file needs no protection. Raises OSError (a full disk).
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, write_game(genesis, frames))
