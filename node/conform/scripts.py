"""What our scripted seat does wrong, or oddly: one small class for each, over the entries that its node makes."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from node.messages import Join, Message, Start, SyncAnswer, Watch, peek, sign
from node.sync import Place
from node.topics import lobby_topic, node_topic
from protocol.crypto import group
from protocol.crypto.identity import SigningKey
from protocol.errors import WireError
from protocol.session.genesis import decode_genesis
from protocol.wire.codec import decode, encode
from protocol.wire.entry import Entry, Kind, sign_entry
from protocol.wire.limits import MAX_FRAME

from .voice import Outgoing, Script, Voice

if TYPE_CHECKING:
    from .observer import Observer

Change = Callable[[list[Any]], Any]


class Timed(Script):
    """A script that waits for things; `observer` and `foreign` (a key) are told before the game begins."""

    def __init__(self) -> None:
        self.observer: Observer | None = None
        self.foreign = b""
        self.done = False
        """Whether the script has done what it is for."""
        self._tasks: set[asyncio.Task[None]] = set()

    def later(self, work: Coroutine[Any, Any, None]) -> None:
        """Do this beside the game."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        """Nothing is done any more."""
        for task in self._tasks:
            task.cancel()


class Lie(Timed):
    """One false entry, the first of its kind that `change` makes false; then silence."""

    def __init__(self, kind: Kind, change: Change, *, says: Kind | None = None) -> None:
        super().__init__()
        self._kind = kind
        self._change = change
        self._says = says

    def take(self, voice: Voice, out: Outgoing) -> None:
        """Lie in the entry that it is about."""
        if out.entry is None or out.entry.kind is not self._kind:
            voice.pass_on(out)
            return
        body = self._change(_thawed(out.entry.body))
        if body is None:
            voice.pass_on(out)  # this one cannot be made false
            return
        voice.say(out, kind=self._says or out.entry.kind, body=body)
        self.done = voice.mute = True


class TwoEntries(Timed):
    """Two entries for the first step of a kind, to everybody, the second one `after` seconds later."""

    def __init__(self, kind: Kind, *, after: float = 0.0, other_head: bool = False) -> None:
        super().__init__()
        self._kind = kind
        self._after = after
        self._other_head = other_head
        self.frames: tuple[bytes, ...] = ()
        self.step = -1
        self.mark = 0
        """How much the observer had heard when the second one was sent."""

    def take(self, voice: Voice, out: Outgoing) -> None:
        """Say both."""
        if out.entry is None or out.entry.kind is not self._kind:
            voice.pass_on(out)
            return
        entry = out.entry
        change: dict[str, Any] = {"head": bytes(32)} if self._other_head else {"body": [os.urandom(32)]}
        first = voice.signed(entry, **change)
        self.step, self.frames = entry.step, (first.frame, entry.frame)
        voice.mute = True
        self.later(self._both(voice, out, first))

    async def _both(self, voice: Voice, out: Outgoing, first: Entry) -> None:
        assert self.observer is not None
        voice.slip(out.topic, first.frame)
        await asyncio.sleep(self._after)
        self.mark = len(self.observer.said)
        voice.pass_on(out)
        self.done = True


class HoldBack(Timed):
    """Entries of these kinds wait until the foreign seat has spoken in their step, and a moment longer."""

    def __init__(self, kinds: frozenset[Kind], pause: float, patience: float) -> None:
        super().__init__()
        self._kinds = kinds
        self._pause = pause
        self._patience = patience
        self._held: list[bytes] = []
        self.waited_in_vain: list[Entry] = []
        self._beside: list[HoldBack] = []

    def beside(self, kinds: frozenset[Kind]) -> HoldBack:
        """The same for another seat of ours, with other kinds."""
        other = HoldBack(kinds, self._pause, self._patience)
        other.observer, other.foreign = self.observer, self.foreign
        self._beside.append(other)
        return other

    def close(self) -> None:
        """See `Timed.close`."""
        super().close()
        for script in self._beside:
            script.close()

    def take(self, voice: Voice, out: Outgoing) -> None:
        """Hold back what is said at a barrier, in answers too."""
        if out.entry is not None and out.entry.kind in self._kinds:
            self._held.append(out.payload)
            self.later(self._release(voice, out, out.entry))
            return
        answer = peek(out.payload).message if out.channel == "d" and self._held else None
        if isinstance(answer, SyncAnswer) and set(self._held) & set(answer.entries):
            assert voice.key is not None
            entries = tuple(takewhile(lambda frame: frame not in self._held, answer.entries))
            out = replace(out, payload=sign(voice.key, voice.table, replace(answer, entries=entries)))
        voice.pass_on(out)

    async def _release(self, voice: Voice, out: Outgoing, entry: Entry) -> None:
        assert self.observer is not None
        observer = self.observer

        def spoken() -> bool:
            said = observer.of(self.foreign, "m")
            return any(_place(s.payload) == (entry.step, int(entry.kind)) for s in said)

        if await observer.until(spoken, self._patience):
            await asyncio.sleep(self._pause)
        else:
            self.waited_in_vain.append(entry)
        self._held.remove(out.payload)
        voice.pass_on(out)


class Doubled(Timed):
    """Everything late by a random moment, so out of order; entries twice, and old ones again."""

    def __init__(self, most: float) -> None:
        super().__init__()
        self._most = most
        self._old: list[Outgoing] = []
        self.done = True

    def take(self, voice: Voice, out: Outgoing) -> None:
        """Send it later, and again."""
        if out.entry is None:
            voice.pass_on(out)
            return
        self.later(self._send(voice, out, 0))
        for k, again in enumerate([out, *self._old[-3:], *self._old[:1]]):
            self.later(self._send(voice, again, k + 1))
        self._old.append(out)

    async def _send(self, voice: Voice, out: Outgoing, k: int) -> None:
        await asyncio.sleep(os.urandom(1)[0] / 255 * self._most * (1 + k))
        voice.pass_on(out)


class Silence(Timed):
    """From its first DEAL on the seat is not heard for some seconds; then it is back."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._seconds = seconds
        self._begun = False

    def take(self, voice: Voice, out: Outgoing) -> None:
        """Be silent once."""
        if out.entry is not None and out.entry.kind is Kind.DEAL and not self._begun:
            self._begun = voice.mute = True
            self.later(self._return(voice, out))
        else:
            voice.pass_on(out)

    async def _return(self, voice: Voice, out: Outgoing) -> None:
        await asyncio.sleep(self._seconds)
        voice.mute = False
        self.done = True
        voice.pass_on(out)


class Garbage(Timed):
    """Beside a correct game: bytes that are nothing, on every channel, with the first dozen entries."""

    TIMES = 12

    def __init__(self) -> None:
        super().__init__()
        self._left = self.TIMES

    def take(self, voice: Voice, out: Outgoing) -> None:
        """Send it, and rubbish around it."""
        if out.entry is not None and self._left:
            self._left -= 1
            self.done = self._left == 0
            for topic, payload in self._rubbish(voice, out.entry):
                voice.throw(topic, payload)
        voice.pass_on(out)

    def _rubbish(self, voice: Voice, entry: Entry) -> list[tuple[str, bytes]]:
        assert voice.key is not None
        keys = (voice.key.public, self.foreign, os.urandom(32))
        noise = [(node_topic(voice.table, c, key), os.urandom(40)) for c in "mqpdcjg" for key in keys]
        stranger = _stranger()
        ahead, head = entry.step + 500, os.urandom(32)
        forged = sign_entry(stranger, voice.table, entry.step, entry.seat, entry.head, entry.kind, entry.body)
        raw = encode([1, voice.table, entry.step, entry.seat, entry.head, 99, []])
        bad = [
            forged.frame,
            voice.signed(entry, step=ahead, head=head).frame,  # far too early
            encode([raw, bytes(64)]),  # no such kind
            entry.frame[:-1],
            entry.frame + b"\x00",
            b"\xdc\x00\x02" + entry.frame[1:],  # a longer form than needed
            os.urandom(MAX_FRAME + 1),
            b"\x91" * 9 + b"\x07",
        ]
        mine = node_topic(voice.table, "m", voice.key.public)
        return [*noise, *((mine, payload) for payload in bad), (lobby_topic(voice.table), os.urandom(60))]


class Asker(Timed):
    """From its first DRAW on: sync requests from places all over the log, one after the other."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._seconds = seconds
        self._begun = False
        self.asked: list[tuple[Place, int, int]] = []
        """Each place, and the messages that the observer had heard before and after."""

    def take(self, voice: Voice, out: Outgoing) -> None:
        """Ask, and go on when the answers are there."""
        if out.entry is not None and out.entry.kind in {Kind.DRAW, Kind.PLAY, Kind.EXCHANGE} and not self._begun:
            self._begun = True
            self.later(self._ask(voice, out, out.entry))
        else:
            voice.pass_on(out)

    async def _ask(self, voice: Voice, out: Outgoing, entry: Entry) -> None:
        assert self.observer is not None
        observer = self.observer
        voice.asking = True
        for place in (Place(0), Place(1, 1 << entry.seat), Place(entry.step // 2), Place(entry.step - 1)):
            before = len(observer.said)
            voice.ask(place)
            await observer.until(partial(self._answered, before), self._seconds)
            self.asked.append((place, before, len(observer.said)))
        voice.asking = False
        self.done = True
        voice.pass_on(out)

    def _answered(self, before: int) -> bool:
        assert self.observer is not None
        return any(s.channel == "d" and signer(s.payload) == self.foreign for s in self.observer.said[before:])


class Knock(Timed):
    """At the door of a correct game: our seat asks for the start again, a stranger for a seat, another for a look."""

    def __init__(self) -> None:
        super().__init__()
        self.keys: tuple[bytes, ...] = ()
        """Who knocked: our seat, the stranger who wants to sit down, the one who wants to look on."""

    def take(self, voice: Voice, out: Outgoing) -> None:
        """Knock once."""
        voice.pass_on(out)
        if out.entry is None or out.entry.kind is not Kind.OPEN:
            return
        assert voice.key is not None
        sitting = Join(name="Conform", bot=True, app="", nonce=os.urandom(16))
        knocks: list[tuple[SigningKey, Message]] = [
            (voice.key, sitting),
            (_stranger(), sitting),
            (_stranger(), Watch(nonce=os.urandom(16))),
        ]
        for key, message in knocks:
            voice.slip(node_topic(voice.table, "j", key.public), sign(key, voice.table, message))
        self.keys = tuple(key.public for key, _ in knocks)
        self.done = True


class OtherRules(Timed):
    """A start whose game is not the one that was announced."""

    def take(self, voice: Voice, out: Outgoing) -> None:
        """Change the agreed number of rounds."""
        message = peek(out.payload).message if out.channel in {"g", "d"} else None
        if not isinstance(message, Start):
            if out.channel != "m":
                voice.pass_on(out)
            return
        assert voice.key is not None
        genesis = decode_genesis(message.genesis)
        other = replace(genesis, max_rounds=genesis.max_rounds + 1)
        voice.pass_on(replace(out, payload=sign(voice.key, voice.table, Start(genesis=other.encode()))))
        self.done = True


# ------------------------------------------------------------------------------------------ what is false


def put(*path: int, value: Any) -> Change:
    """Replace the part at this path of a body, or what a function makes of it."""

    def change(body: list[Any]) -> list[Any]:
        at = body
        for k in path[:-1]:
            at = at[k]
        at[path[-1]] = value(at[path[-1]]) if callable(value) else value
        return body

    return change


def flipped(data: bytes) -> bytes:
    """The last byte's lowest bit changed."""
    return data[:-1] + bytes([data[-1] ^ 1])


def other_point(data: bytes) -> bytes:
    """The first point of these bytes plus the base point."""
    return group.add(data[:32], group.G) + data[32:]


def pot_as_well(body: list[Any]) -> list[Any] | None:
    """The pot besides the card that was drawn; None where the pot was taken anyway."""
    return None if body[0][0] else put(0, 0, value=1)(body)


def instead(body: list[Any]) -> list[Any]:
    """Anything, where another kind is said than belongs here."""
    return body


# ------------------------------------------------------------------------------------------ inside


def signer(payload: bytes) -> bytes:
    """The key that claims a node message; nothing for other bytes."""
    try:
        return peek(payload).key
    except WireError:
        return b""


def _place(payload: bytes) -> tuple[int, int]:
    """Step and kind of what claims to be an entry."""
    try:
        raw, _ = decode(payload, MAX_FRAME)
        value = decode(raw, MAX_FRAME)
        return value[2], value[5]
    except (WireError, ValueError, TypeError, IndexError):
        return -1, -1


def _stranger() -> SigningKey:
    return SigningKey(os.urandom(32))


def _thawed(value: Any) -> Any:
    return [_thawed(v) for v in value] if isinstance(value, list | tuple) else value
