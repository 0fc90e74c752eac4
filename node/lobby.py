"""The host's list of who sits where before the game begins. Pure: messages and time in, answers out.

Seats are given in order of arrival; the host has seat 0. A joiner says Join again every few seconds; one that has been
silent for too long loses its seat. Names are made unique by a number, so nobody can sit down as somebody else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .messages import Chair, Join, Refused, Seated
from .profile import NAME_LENGTH, clean_name
from .room import is_full

if TYPE_CHECKING:
    from collections.abc import Iterable

SILENCE = 20.0
"""Seconds without a Join after which a seat is free again."""
JOIN_EVERY = 3.0


class Lobby:
    """The chairs of one table. `revision` rises with every visible change."""

    def __init__(self, host: Chair, seats: int) -> None:
        self.seats = seats
        self.revision = 1
        self.ended: str | None = None
        """Why nobody can join any more: `started` or `closed`."""
        self._chairs: list[Chair] = [host]
        self._heard: dict[bytes, float] = {}
        self._removed: set[bytes] = set()

    @property
    def chairs(self) -> tuple[Chair, ...]:
        """Who sits there, in seat order."""
        return tuple(self._chairs)

    def join(self, key: bytes, message: Join, now: float) -> Seated | Refused:
        """Seat this player, again if it sits already, or say why not."""
        seat = self._seat(key)
        if self.ended is not None and (seat is None or self.ended == "closed"):
            return self._refuse(key, message, self.ended)
        if seat is None:
            if key in self._removed:
                return self._refuse(key, message, "removed")
            if is_full(self._chairs, self.seats):
                return self._refuse(key, message, "full")
            name = unique_name(message.name, (c.name for c in self._chairs))
            self._chairs.append(Chair(name, message.bot, key))
            self.revision += 1
            seat = len(self._chairs) - 1
        self._heard[key] = now
        return Seated(to=key, nonce=message.nonce, seat=seat, name=self._chairs[seat].name)

    def quit(self, key: bytes) -> bool:
        """Free this player's seat; False when it has none to give up."""
        seat = self._seat(key)
        if self.ended is not None or not seat:
            return False
        self._free(seat)
        return True

    def remove(self, seat: int) -> bytes | None:
        """Send the player of this seat away for good; its key, or None for a seat that cannot be freed."""
        if self.ended is not None or not 0 < seat < len(self._chairs):
            return None
        key = self._chairs[seat].key
        self._removed.add(key)
        self._free(seat)
        return key

    def expire(self, now: float) -> bool:
        """Free the seats of those who have been silent for too long; whether there were any."""
        silent = [c.key for c in self._chairs[1:] if now - self._heard[c.key] > SILENCE]
        if self.ended is not None:
            return False
        for key in silent:
            self.quit(key)
        return bool(silent)

    def next_expiry(self) -> float | None:
        """When `expire` may have something to do."""
        return min((self._heard[c.key] + SILENCE for c in self._chairs[1:]), default=None)

    def _seat(self, key: bytes) -> int | None:
        return next((i for i, chair in enumerate(self._chairs) if chair.key == key), None)

    def _free(self, seat: int) -> None:
        self._heard.pop(self._chairs.pop(seat).key, None)
        self.revision += 1

    @staticmethod
    def _refuse(key: bytes, message: Join, code: str) -> Refused:
        return Refused(to=key, nonce=message.nonce, code=code, detail="")


def unique_name(wanted: str, taken: Iterable[str]) -> str:
    """The wanted name, cleaned, with the first free number behind it if somebody has one that reads the same."""
    used = {clean_name(name).casefold() for name in taken}
    name = clean_name(wanted) or "?"
    number = 1
    candidate = name
    while candidate.casefold() in used:
        number += 1
        suffix = f" {number}"
        candidate = name[: NAME_LENGTH - len(suffix)].rstrip() + suffix
    return candidate
