"""What `duizenden verify --html` collects from file to file, and the page that it writes of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from client_cli.replay_model import load_replay
from client_cli.report import GameFacts, Unread, facts_of, overview, report
from protocol.session.verify import Verdict


class Reporter:
    """Reads games for one report."""

    def __init__(self, lang: str) -> None:
        self._lang = lang
        self._read: list[tuple[Path, GameFacts | Unread]] = []

    def verify(self, path: Path, data: bytes, entropy: bytes, progress: Callable[[int, int], None] | None) -> Verdict:
        """As `verify_game`, and the game is in the report. Raises WireError where `verify_game` does."""
        facts = facts_of(load_replay(data, entropy, progress))
        self._read.append((path, facts))
        return facts.verdict

    def unreadable(self, path: Path) -> None:
        """This file could not be read as a game: the report says so."""
        self._read.append((path, Unread()))

    def write(self, page: Path) -> bool:
        """Write the report; False when there was no game at all to report. Raises OSError when it cannot be written."""
        games = [game for _, game in self._read if isinstance(game, GameFacts)]
        if not games:
            return False
        alone = len(self._read) == 1
        text = report(games[0], self._lang) if alone else overview(self._named(), self._lang)
        file = page.open("w", encoding="utf-8")
        try:
            with file:
                file.write(text)
        except OSError:  # half a report is none
            page.unlink()
            raise
        return True

    def _named(self) -> list[tuple[str, GameFacts | Unread]]:
        """What was read, by the path from the folder that all files are in."""
        paths = [path.resolve() for path, _ in self._read]
        folder = Path(os.path.commonpath([path.parent for path in paths]))
        return [(str(path.relative_to(folder)), game) for path, (_, game) in zip(paths, self._read, strict=True)]
