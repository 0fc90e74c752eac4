"""A joiner's ticket: what it needs to come back to its seat while that seat is no more than a key (M27).

It is on the disk before the first *join*: the host may begin at any moment after that, and whoever has lost the key by
then leaves a seat that nobody can play. A ticket is a journal without a game: in the place of the genesis it has the
announcement that was shown. It is torn up once the game is in its own journal, or the seat is no longer ours.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from protocol.crypto.identity import SigningKey
from protocol.errors import WireError

from .journal import GameInfo, Journal, JournalError, glimpse
from .messages import node_name, peek, table_name
from .offers import Offer, read_offer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

SUFFIX = ".ticket"
LASTS = 30 * 86400.0
"""Seconds after which a ticket that nobody used is thrown away: its table never began, or does without us."""


def ticket_name(table: bytes, key: bytes) -> str:
    """The name of the file for the seat of this key."""
    return f"{table_name(table)[:8]}-{node_name(key)[:8]}{SUFFIX}"


@dataclass(frozen=True, slots=True)
class Seen:
    """A ticket that no process has in use. `modified` is when it was last written (since 1970)."""

    path: Path
    offer: Offer
    settings: Mapping[str, Any] = field(repr=False)
    modified: float


def tickets(folder: Path) -> list[Seen]:
    """The tickets in a folder, the newest first; those in use and unreadable ones are left out. Changes nothing."""
    found = []
    for path in folder.glob(f"*{SUFFIX}"):
        with suppress(JournalError, WireError, OSError):
            seen = glimpse(path)
            found.append(Seen(path, _offer(seen.info), seen.settings, seen.modified))
    return sorted(found, key=lambda seen: (-seen.modified, seen.path.name))


def _offer(info: GameInfo) -> Offer:
    return read_offer(peek(info.genesis).table, info.genesis)


def tear_up(path: Path) -> None:
    """Remove a ticket, if it is there."""
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        path.with_name(name).unlink(missing_ok=True)


class Ticket:
    """A ticket in use: no other process can take it meanwhile."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.offer = _offer(journal.info)
        """The announcement that we asked for a seat by: the game has to be that one."""

    @classmethod
    def write(cls, folder: Path, offer: Offer, seed: bytes, secret: bytes, settings: Mapping[str, Any]) -> Ticket:
        """A new ticket, durable before the return; old ones go. Raises JournalError `journal/write` or OSError."""
        for path in folder.glob(f"*{SUFFIX}"):
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > LASTS and not _in_use(path):
                    tear_up(path)
        path = folder / ticket_name(offer.table, SigningKey(seed).public)
        info = GameInfo(genesis=offer.payload, seat=0, seed=seed, role="ticket")
        return cls(Journal.create(path, info, secret, settings))

    @classmethod
    def again(cls, kept: Iterable[Seen], table: bytes) -> Ticket | None:
        """The first of these tickets that is for this table and that no other process takes before us."""
        for seen in kept:
            if seen.offer.table == table:
                with suppress(JournalError):
                    return cls(Journal.open(seen.path))
        return None

    @property
    def path(self) -> Path:
        """Where it is."""
        return self._journal.path

    @property
    def seed(self) -> bytes:
        """The seed of our seat's key."""
        return self._journal.info.seed

    @property
    def secret(self) -> bytes:
        """The first secret of the table, for the journal of the game."""
        return self._journal.secret[1]

    def close(self) -> None:
        """Leave the ticket for whoever comes back with it. Closing twice does nothing."""
        self._journal.close()

    def spend(self) -> None:
        """Tear the ticket up."""
        self.close()
        tear_up(self.path)


def _in_use(path: Path) -> bool:
    try:
        glimpse(path)
    except JournalError as error:
        return error.code == "journal/busy"
    return False
