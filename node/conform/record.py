"""One table as it was: the log as our honest seat has it, and every message that the observer heard, in order."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from node.messages import Message, peek
from protocol.errors import WireError
from protocol.session.gamefile import read_records
from protocol.session.verify import Verdict, verify_game
from protocol.wire.entry import SIDE, Entry, genesis_head, next_head, parse_entry

if TYPE_CHECKING:
    from protocol.session.genesis import Genesis

    from .observer import Observer, Said


@dataclass(frozen=True)
class Record:
    """What the checks are given. `sent` are the entries of ours in the order of sending, `log` is a game file."""

    foreign: int
    liar: int
    observer: Observer
    sent: list[tuple[int, int]]
    log: bytes
    lasted: float
    """Seconds from the start."""
    waiting: tuple[int, ...] = ()
    """The seats that still had to speak in the open step."""

    @property
    def genesis(self) -> Genesis:
        """The game."""
        return self.verdict.genesis

    @property
    def key(self) -> bytes:
        """The foreign node's key."""
        return self.genesis.players[self.foreign].key

    @property
    def ours(self) -> list[int]:
        """Our seats."""
        return [seat for seat in range(len(self.genesis.players)) if seat != self.foreign]

    def parse(self, frame: bytes) -> Entry:
        """A frame as an entry of this table. Raises WireError."""
        return parse_entry(frame, self.genesis.table, tuple(p.key for p in self.genesis.players))

    @cached_property
    def verdict(self) -> Verdict:
        """What a verifier says of the log."""
        return verify_game(self.log, os.urandom(32))

    @cached_property
    def entries(self) -> list[Entry]:
        """The log's entries, in its order."""
        return [self.parse(frame) for frame in read_records(self.log)[1]]

    @cached_property
    def heads(self) -> list[bytes]:
        """The head before every step of the log, the open one included."""
        heads = [genesis_head(self.genesis.encode())]
        steps: dict[int, list[bytes]] = {}
        for entry in self.entries:
            steps.setdefault(entry.step, []).append(entry.raw)
        for step in range(self.verdict.steps):
            heads.append(next_head(heads[-1], steps[step]))
        return heads

    @cached_property
    def frames(self) -> list[tuple[Said, Entry | WireError]]:
        """What the foreign node sent as entries: each parsed, or why it is none."""
        found: list[tuple[Said, Entry | WireError]] = []
        for said in self.observer.of(self.key, "m"):
            try:
                found.append((said, self.parse(said.payload)))
            except WireError as error:
                found.append((said, error))
        return found

    @cached_property
    def own(self) -> list[tuple[Said, Entry]]:
        """The foreign seat's own entries of the log as it sent them, repetitions included."""
        return [
            (said, entry)
            for said, entry in self.frames
            if isinstance(entry, Entry) and entry.seat == self.foreign and entry.kind not in SIDE
        ]

    def messages(self, channels: str) -> list[tuple[Said, Message | WireError]]:
        """The foreign node's messages on its own topics of these channels: each opened, or why it is none."""
        return [(said, self._opened(said)) for said in self.observer.of(self.key, channels)]

    def answers(self) -> list[tuple[Said, Message]]:
        """What the foreign node sent to other nodes' inboxes; what is not signed by it may be anybody's."""
        found = []
        for said in self.observer.said:
            message = self._opened(said) if said.channel in {"d", "lobby"} else None
            if message is not None and not isinstance(message, WireError):
                found.append((said, message))
        return found

    def _opened(self, said: Said) -> Message | WireError:
        try:
            signed = peek(said.payload)
            if (signed.table, signed.key) != (self.genesis.table, self.key):
                return WireError("node/signer")
            return signed.open()
        except WireError as error:
            return error
