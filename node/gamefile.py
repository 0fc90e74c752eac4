"""Game files on disk: written whole or not at all, so that a reader never sees half a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from protocol.session import evidence as evidence_file
from protocol.session.gamefile import SUFFIX, write_game
from protocol.wire.limits import MAX_GAME_FILE

from .profile import write_private

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from protocol.session.evidence import Evidence
    from protocol.session.genesis import Genesis


def places(name: str, files: Iterable[Path], records: Path | None) -> tuple[Path, ...]:
    """Where the files of the game of this name go: those asked for, and one in the folder of all games, if there is."""
    return (*files, *([] if records is None else [records / (name + SUFFIX)]))


def read(path: Path) -> bytes:
    """The bytes of a file that may be a game or evidence. Raises OSError, also for one that is larger than any game."""
    with path.open("rb") as file:
        data = file.read(MAX_GAME_FILE + 1)
    if len(data) > MAX_GAME_FILE:
        raise OSError(f"> {MAX_GAME_FILE} bytes")
    return data


def write(path: Path, genesis: Genesis, frames: Sequence[bytes]) -> None:
    """Write the log so far as a game file, durable before the return.

    Everything in it was public at the table, but not to everybody on this computer: it is for this user only, until he
    passes it on. Raises OSError (a full disk).
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    write_private(path, write_game(genesis, frames))


def write_evidence(path: Path, genesis: Genesis, found: Sequence[Evidence]) -> tuple[Path, ...]:
    """Write why seats were named beside the game file at `path`, one file for each reason. Raises OSError.

    Returns where they are: the name of the game file, numbered from the second on.
    """
    written = []
    for number, evidence in enumerate(found, start=1):
        mark = "" if number == 1 else f".{number}"
        place = path.with_name(f"{path.stem}{mark}{evidence_file.SUFFIX}")
        write_private(place, evidence_file.write_evidence(genesis, evidence))
        written.append(place)
    return tuple(written)
