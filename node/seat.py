"""Who plays a seat at a table, and the session of that seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from protocol.crypto.identity import SigningKey
    from protocol.session.genesis import Genesis
    from protocol.session.session import Session

    from .addresses import BrokerAddress


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """Who we are at this table and where its files go. A watcher has no seat, and a key that lasts as long as it."""

    genesis: Genesis
    seat: int | None
    key: SigningKey
    broker: BrokerAddress
    files: tuple[Path, ...] = ()
    """Where the game file is written at each closed round and at the end."""
    auto_continue: bool = False
    """Whether this seat is always ready for the next round."""
    compare: bool = False
    """Whether this seat's first shuffle waits until its player has compared the cards of the handshake."""

    def session(self, number: int, secret: bytes) -> Session:
        """A session of this seat without any entries yet, from the table secret and its round."""
        from protocol.session.session import Session

        return Session(
            self.genesis,
            seat=self.seat,
            key=None if self.seat is None else self.key,
            secret=secret,
            secret_round=number,
            auto_continue=self.auto_continue,
            compare=self.compare,
        )
