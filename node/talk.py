"""Talk at a table that has begun: chat, who is away for a moment, and the pause (spec/50-transport.md 4.3).

Nothing here decides anything of the game, and nothing of it is in the log. Words may be lost. Who is away and the pause
are told again with every heartbeat: of the pause the newest signed statement, whoever made it, so that a node that
comes back knows it although the one who asked is gone. A statement is compared by its number and by nothing of time,
so all nodes end with the same one.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from protocol.errors import NotNow, WireError
from protocol.wire.limits import MAX_UINT

from .guard import Bucket
from .handle import AwayChanged, PauseChanged, Said, Standing
from .messages import MAX_TEXT, PHRASES, Away, Chat, Pause, node_name, peek, sign
from .profile import clean_text
from .topics import channel_filter

if TYPE_CHECKING:
    from collections.abc import Callable

    from protocol.crypto.identity import SigningKey
    from protocol.session.genesis import Genesis

    from .handle import Spoken
    from .messages import Signed
    from .router import Router
    from .topics import Topic

CHANNEL = "c"
MAX_TALK = 512
"""Bytes of the largest talk message, with room to spare."""
TALK_RATE, TALK_BURST = 1.0, 10.0
"""Messages a second from one seat; its repetitions of what we know are not counted."""
OWN_RATE, OWN_BURST = 0.5, 5.0
"""Messages a second of our own: less than what others take, so that nothing is lost by it."""


@dataclass(frozen=True, slots=True)
class _Statement:
    """A signed statement about the pause; `order` says which of two counts."""

    number: int
    on: bool
    seat: int
    payload: bytes

    @property
    def order(self) -> tuple[int, bool, int]:
        return self.number, not self.on, -self.seat


_NO_PAUSE = _Statement(0, on=False, seat=0, payload=b"")


class TableTalk:
    """The talk of one table at one node; `handle.Talk` is what clients may use of it.

    `stamp` gives the next epoch and count of our messages, `publish` sends on our own topic of the channel, `changed`
    is called when `take` has something new or the standing is another. A watcher (`seat` None) hears and says nothing.
    """

    def __init__(
        self,
        genesis: Genesis,
        seat: int | None,
        key: SigningKey,
        router: Router,
        *,
        stamp: Callable[[], dict[str, int]],
        publish: Callable[[bytes, bool], None],
        changed: Callable[[], None],
    ) -> None:
        self._genesis = genesis
        self._me = seat
        self._key = key
        self._router = router
        self._stamp = stamp
        self._publish = publish
        self._changed = changed
        self._nodes = {node_name(p.key): i for i, p in enumerate(genesis.players)}
        self._keys = {p.key: i for i, p in enumerate(genesis.players)}
        n = len(genesis.players)
        self._limits = [Bucket(TALK_RATE, TALK_BURST) for _ in range(n)]
        self._own_limit = Bucket(OWN_RATE, OWN_BURST)
        self._chats = [(-1, -1)] * n
        """The last stamp of each seat's chat."""
        self._aways = [Away(epoch=-1, count=-1, away=False)] * n
        self._away_payloads = [b""] * n
        self._muted: set[int] = set()
        self._pause = _NO_PAUSE
        self._spoken: list[Spoken] = []

    # ------------------------------------------------------------------ the handle

    def standing(self) -> Standing:
        """See `handle.Talk`."""
        away = tuple(seat for seat, said in enumerate(self._aways) if said.away)
        paused_by = self._pause.seat if self.paused else None
        return Standing(away=away, muted=tuple(sorted(self._muted)), paused_by=paused_by)

    def say(self, said: str | int) -> None:
        """See `handle.Talk`."""
        words = clean_text(said, MAX_TEXT, MAX_TEXT) if isinstance(said, str) else said
        if not words or (isinstance(words, int) and not 1 <= words <= PHRASES):
            raise NotNow("node/nothing-said")
        if self._router.state != "up":
            raise NotNow("node/nobody-hears")
        seat = self._speaking()
        self._publish(sign(self._key, self._genesis.table, Chat(said=words, **self._stamp())), True)
        self._tell(Said(seat, words))

    def mute(self, seat: int, *, on: bool = True) -> None:
        """See `handle.Talk`."""
        (self._muted.add if on else self._muted.discard)(seat)
        self._changed()

    def set_away(self, *, away: bool) -> None:
        """See `handle.Talk`."""
        if self._me is None or away != self._aways[self._me].away:
            self._state_away(self._speaking(), away=away)

    def set_pause(self, *, on: bool) -> None:
        """See `handle.Talk`."""
        if on != self.paused:
            if on and self._pause.number == MAX_UINT:
                raise NotNow("node/no-pause")
            self._state_pause(self._speaking(), on=on)

    # ------------------------------------------------------------------ the node

    @property
    def paused(self) -> bool:
        """Whether a pause is on."""
        return self._pause.on

    @property
    def kept(self) -> bytes:
        """What of the talk outlives this node: the statement of the pause that is on, else nothing."""
        return self._pause.payload if self._pause.on else b""

    def open(self, kept: bytes) -> None:
        """Begin to listen, with what an earlier life of this node has kept."""
        try:
            if kept:
                self._hear_pause(peek(kept), kept)
        except WireError:
            self._router.drops.count("journal/talk")
        self._router.handle(self._genesis.table, CHANNEL, self._on_talk)
        self._router.transport.subscribe(channel_filter(self._genesis.table, CHANNEL))

    def close(self) -> None:
        """Listen no more."""
        self._router.ignore(self._genesis.table, CHANNEL)

    def take(self) -> tuple[Spoken, ...]:
        """What was said since the last time, oldest first."""
        spoken, self._spoken = tuple(self._spoken), []
        return spoken

    def repeat(self) -> None:
        """Say again who is away and what became of the pause: others may have missed it."""
        if self._me is None:
            return
        for payload in (self._away_payloads[self._me], self._pause.payload):
            if payload:
                self._publish(payload, False)

    def acted(self) -> None:
        """We have made a move: who does is not away, and a person who does goes on."""
        assert self._me is not None, "a watcher makes no move"
        if self._aways[self._me].away:
            self._state_away(self._me, away=False)
        if self.paused and not self._genesis.players[self._me].bot:
            self._state_pause(self._me, on=False)

    def alive(self, seat: int, epoch: int) -> None:
        """This seat's node is in this life of it: what it said in an earlier one about being away is over."""
        if self._aways[seat].away and self._aways[seat].epoch < epoch:
            self._take_away(seat, Away(epoch=epoch, count=-1, away=False), b"")

    # ------------------------------------------------------------------ arriving

    def _on_talk(self, topic: Topic, payload: bytes) -> None:
        seat = self._nodes.get(topic.node)
        if seat is None:
            raise WireError("topic/stranger")
        if seat == self._me or payload in (self._pause.payload, self._away_payloads[seat]):
            return
        if len(payload) > MAX_TALK:
            raise WireError("wire/size", "talk")
        if not self._limits[seat].take(asyncio.get_running_loop().time()):
            raise WireError("limit/rate")
        signed = peek(payload)
        if isinstance(signed.message, Pause):
            self._hear_pause(signed, payload)
            return
        if self._signer(signed) != seat:
            raise WireError("node/signer")
        match signed.message:
            case Chat(epoch=epoch, count=count, said=said):
                if (epoch, count) <= self._chats[seat]:
                    raise WireError("node/stale", "chat")
                signed.open()
                self._chats[seat] = (epoch, count)
                words = clean_text(said, MAX_TEXT, MAX_TEXT) if isinstance(said, str) else said
                if words and seat not in self._muted:
                    self._tell(Said(seat, words))
            case Away() as word:
                if (word.epoch, word.count) <= (self._aways[seat].epoch, self._aways[seat].count):
                    raise WireError("node/stale", "away")
                signed.open()
                self._take_away(seat, word, payload)
            case _:
                raise WireError("node/channel")

    def _hear_pause(self, signed: Signed, payload: bytes) -> None:
        """A statement about the pause: whoever brings it, its signature says whose it is."""
        if not isinstance(signed.message, Pause):
            raise WireError("node/channel")
        new = _Statement(signed.message.number, signed.message.on, self._signer(signed), payload)
        if new.order > self._pause.order:
            signed.open()
            self._take_pause(new)

    def _signer(self, signed: Signed) -> int:
        """The seat that claims to have signed this for this table. Raises WireError."""
        if signed.table != self._genesis.table:
            raise WireError("node/table")
        seat = self._keys.get(signed.key)
        if seat is None:
            raise WireError("node/signer")
        return seat

    # ------------------------------------------------------------------ inside

    def _state_away(self, seat: int, *, away: bool) -> None:
        word = Away(away=away, **self._stamp())
        payload = sign(self._key, self._genesis.table, word)
        self._publish(payload, True)
        self._take_away(seat, word, payload)

    def _state_pause(self, seat: int, *, on: bool) -> None:
        word = Pause(number=self._pause.number + on, on=on)
        payload = sign(self._key, self._genesis.table, word)
        self._publish(payload, True)
        self._take_pause(_Statement(word.number, on, seat, payload))

    def _take_away(self, seat: int, word: Away, payload: bytes) -> None:
        before, self._aways[seat], self._away_payloads[seat] = self._aways[seat], word, payload
        if before.away != word.away and seat not in self._muted:
            self._tell(AwayChanged(seat, word.away))
        else:
            self._changed()

    def _take_pause(self, new: _Statement) -> None:
        before, self._pause = self._pause, new
        if (new.on or before.on) and new.seat not in self._muted:
            self._tell(PauseChanged(new.seat, new.on))
        else:
            self._changed()

    def _tell(self, spoken: Spoken) -> None:
        self._spoken.append(spoken)
        self._changed()

    def _speaking(self) -> int:
        """Our seat, when it may say something now. Raises NotNow."""
        if self._me is None:
            raise NotNow("session/not-playing", "a watcher")
        if not self._own_limit.take(asyncio.get_running_loop().time()):
            raise NotNow("node/not-so-fast")
        return self._me
