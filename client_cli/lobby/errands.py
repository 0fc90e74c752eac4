"""What the lobby fetches from the disk for its lists, and how an error becomes a sentence."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from node import gamefile
from node.addresses import BrokerAddress, parse_address
from protocol.errors import DuizendenError
from protocol.session.gamefile import SUFFIX

from .state import FileRow, GameRow, Note, Verifying
from .words import knows

if TYPE_CHECKING:
    from node.profile import Profile
    from node.resume import SavedGame

BROKERS = 4
"""Last used brokers that are remembered."""


def games(profile: Profile) -> tuple[GameRow, ...]:
    """The saved games, newest first; then those that are over, and at the end what cannot be read any more."""
    from node.resume import saved_games, unreadable_games  # loads the whole node: not for a first screen

    rows = sorted(map(_game, saved_games(profile.games)), key=lambda row: row.over)
    return (*rows, *map(_game, unreadable_games(profile.games)))


def _game(game: SavedGame) -> GameRow:
    progress: dict[str, Any] = dict(game.progress or {})
    genesis = game.genesis
    since = genesis.created if genesis is not None and genesis.created else game.modified
    return GameRow(
        path=game.path,
        name=game.name,
        busy=game.busy,
        over=game.over,
        broken_off=game.broken_off,
        problem=game.problem.partition("/")[2],
        date=_date(since) if since else "",
        players=tuple(p.name for p in game.players),
        rules_name=genesis.rules_name if genesis is not None else "",
        round=int(progress.get("round", 0)),
        scores=tuple(int(total) for total in progress.get("totals", ())),
    )


def files(profile: Profile) -> tuple[FileRow, ...]:
    """The game files of this machine, newest first."""
    found = [(path.stat(), path) for path in profile.records.glob(f"*{SUFFIX}")]
    found.sort(key=lambda pair: (-pair[0].st_mtime, pair[1].name))
    return tuple(FileRow(path, _date(status.st_mtime), status.st_size) for status, path in found)


def _date(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).astimezone().strftime("%Y-%m-%d %H:%M")


class GivenUp(Exception):
    """The person does not want to know any more."""


def verified(path: Path, moved: Callable[[int, int], None]) -> Verifying:
    """Check a game file; `moved` is told how far it is and may raise GivenUp. Blocks for seconds."""
    from protocol.session.verify import verify_game

    try:
        verdict = verify_game(gamefile.read(path), os.urandom(32), moved)
    except OSError as error:
        return Verifying(path=path, problem=error.strerror or str(error))
    except DuizendenError as error:
        return Verifying(path=path, problem=error.code)
    return Verifying(path=path, verdict=verdict)


def last_brokers(profile: Profile) -> tuple[BrokerAddress, ...]:
    """The brokers used last, the newest first; what is written there in another form is left out."""
    texts = [profile.recall("broker") or "", *(profile.recall("brokers") or "").split()]
    found = []
    for text in texts:
        try:
            found.append(parse_address(text))
        except ValueError:
            continue
    return tuple(dict.fromkeys(found))[:BROKERS]


def remember_broker(profile: Profile, broker: BrokerAddress) -> None:
    """Look there too the next time."""
    kept = tuple(dict.fromkeys((broker, *last_brokers(profile))))[:BROKERS]
    profile.remember(broker=broker.url(), brokers=" ".join(other.url() for other in kept))


def note_of(error: BaseException, log_file: str, *, played: bool = False) -> Note:
    """An error that ended something (`played`: a table), as a sentence for the person."""
    if isinstance(error, DuizendenError):
        facts = (("detail", error.detail), ("log", log_file), ("code", error.code))
        return Note(error.code if knows(error.code) else "e.other", facts, bad=True)
    if isinstance(error, OSError):
        if error.errno == errno.ENOSPC:
            return Note("e.disk_game" if played else "e.disk", bad=True)
        return Note("e.os", (("detail", error.strerror or type(error).__name__),), bad=True)
    return Note("e.other", (("code", type(error).__name__), ("log", log_file)), bad=True)
