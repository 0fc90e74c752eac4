"""The MQTT link: the one module that knows the MQTT client library.

`MqttLink` is a `Transport` over MQTT 3.1.1 with clean sessions. It repairs its connection by itself and promises no
more than `node.transport` says: a broker acknowledges what it has received, not what anybody has read.

Rules of this file: reading never waits for the application; a frame leaves the outbox only when the broker has
acknowledged it; each connection has a new client id that nobody else learns; time, entropy and jitter come in from
outside.
"""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
import socket
import ssl
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self, TypeAlias

import aiomqtt
from paho.mqtt.client import MQTT_ERR_SUCCESS, Client, MQTTMessage

from protocol.errors import WireError

from .addresses import BrokerAddress
from .chunks import CHUNK, MAX_LINK_FRAME, Reassembler, split
from .dial import TlsRefusedError, dial
from .filters import check_filter, check_topic, matches
from .outbox import Frame, Outbox
from .signals import MAX_MESSAGES, SignalQueue
from .transport import Down, Incoming, Lost, Signal, Up

Will: TypeAlias = tuple[str, bytes]

_SILENT = logging.getLogger("node.link.silent")
_SILENT.disabled = True  # what the libraries log, this module handles


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkOptions:
    """Times in seconds; the defaults are those of spec/50-transport.md, tests use shorter ones.

    `stall` is how long frames may stay unacknowledged while none at all is acknowledged; `window` how many may be;
    `unreliable` how many QoS 0 frames may wait for a slow socket; `queue` how many messages for a slow reader.
    """

    keepalive: int = 15
    timeout: float = 5.0
    stall: float = 10.0
    backoff_first: float = 0.2
    backoff_most: float = 2.0
    window: int = 16
    unreliable: int = 64
    queue: int = MAX_MESSAGES


class LinkError(Exception):
    """This connection is over; the text says why, for the log. `code` names why the broker is not trusted."""

    def __init__(self, reason: str, code: str = "") -> None:
        super().__init__(reason)
        self.code = code


class Connection(aiomqtt.Client):
    """One connection to a broker, from CONNECT to its end; never used again.

    Replaces the library's handling of sockets, which connects in a thread, may register a file number that has
    since been closed or given to another socket, and waits in vain for a broker that hangs up on CONNECT.
    """

    def __init__(
        self,
        address: BrokerAddress,
        *,
        identifier: str,
        options: LinkOptions,
        tls: ssl.SSLContext | None = None,
        will: Will | None = None,
        received: Callable[[str, bytes], None],
        acknowledged: Callable[[int], None],
    ) -> None:
        super().__init__(
            address.host,
            address.port,
            username=address.username,
            password=address.password,
            identifier=identifier,
            clean_session=True,
            keepalive=options.keepalive,
            timeout=options.timeout,
            logger=_SILENT,
            will=None if will is None else aiomqtt.Will(will[0], will[1], qos=1),
        )
        self.pending_calls_threshold = 1_000
        self._address = address
        self._tls = tls
        self._received = received
        self._acknowledged = acknowledged
        for future in (self._connected, self._disconnected):
            future.add_done_callback(_look_at)

    async def open(self) -> None:
        """Connect and wait for CONNACK. Raises LinkError; then, as when cancelled, nothing stays open."""
        try:
            sock = await dial(self._address, self.timeout, self._tls)
        except OSError as error:
            code = error.code if isinstance(error, TlsRefusedError) else ""
            raise LinkError(f"cannot connect: {_words(error)}", code) from error
        self._client._create_socket_connection = lambda: sock  # type: ignore[method-assign]  # noqa: SLF001
        try:
            self._client_connect()
            await asyncio.wait_for(self._connected, self.timeout)
        except BaseException as error:
            sock.close()
            await self._drop()
            if isinstance(error, Exception):
                raise LinkError(f"refused: {_words(error)}") from error
            raise

    async def close(self, *, polite: bool = True) -> None:
        """End the connection; `polite` says DISCONNECT first, which keeps the will from being sent."""
        try:
            if polite and not self._disconnected.done() and self._client.disconnect() == MQTT_ERR_SUCCESS:
                await asyncio.wait({self._disconnected}, timeout=min(1.0, self.timeout))
        finally:
            await self._drop()

    @property
    def gone(self) -> asyncio.Future[None]:
        """Done when the connection is over."""
        return self._disconnected

    def check(self) -> None:
        """Raise LinkError if the connection is over."""
        if self._disconnected.done():
            error = None if self._disconnected.cancelled() else self._disconnected.exception()
            raise LinkError(f"lost: {error or 'closed'}")

    async def filters(self, add: Iterable[str], remove: Iterable[str]) -> list[str]:
        """Subscribe and unsubscribe; returns the refused patterns. Raises LinkError when the connection ends."""
        add, remove = list(add), list(remove)
        refused: list[str] = []
        if remove:
            await self._until_gone(self.unsubscribe(remove))
        if add:
            codes = await self._until_gone(self.subscribe([(pattern, 1) for pattern in add]))
            refused = [p for p, code in zip(add, codes, strict=False) if _value(code) >= 0x80]
        return refused

    def publish_frame(self, topic: str, frame: bytes, qos: int, *, retain: bool) -> int:
        """Hand a frame to the library; its number, which `acknowledged` will name. Raises LinkError."""
        info = self._client.publish(topic, frame, qos, retain)
        if info.rc != MQTT_ERR_SUCCESS:
            raise LinkError(f"lost: publish code {info.rc}")
        return info.mid

    async def _until_gone(self, call: Any) -> Any:
        task = asyncio.ensure_future(call)
        try:
            await asyncio.wait({task, self._disconnected}, return_when=asyncio.FIRST_COMPLETED)
            self.check()
            return task.result()
        except aiomqtt.MqttError as error:
            raise LinkError(f"no answer: {error}") from error
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _drop(self) -> None:
        self._client._sock_close()  # noqa: SLF001  the library has no other way to close without DISCONNECT
        if not self._disconnected.done():
            self._disconnected.set_result(None)
        if self._misc_task is not None:
            self._misc_task.cancel()
            await asyncio.gather(self._misc_task, return_exceptions=True)

    # What the library calls, always in the loop's thread, since connecting happens in it too.

    def _on_message(self, client: Client, userdata: Any, message: MQTTMessage) -> None:  # noqa: ARG002
        try:
            topic = message.topic
        except UnicodeDecodeError:
            return
        self._received(topic, bytes(message.payload))

    def _on_publish(self, client: Client, userdata: Any, mid: int, *rest: Any) -> None:  # noqa: ARG002
        self._acknowledged(mid)

    def _on_disconnect(
        self, client: Client, userdata: Any, flags: Any, reason_code: Any, properties: Any = None
    ) -> None:
        if not self._connected.done():
            self._connected.set_exception(aiomqtt.MqttError("closed before CONNACK"))
        if self._connected.cancelled():  # given up in this very moment
            return
        super()._on_disconnect(client, userdata, flags, reason_code, properties)

    def _on_socket_open(self, client: Client, userdata: Any, sock: Any) -> None:  # noqa: ARG002
        self._loop.add_reader(sock.fileno(), self._read, client, sock)
        self._misc_task = self._loop.create_task(self._misc_loop(), name="mqtt keepalive")

    def _on_socket_close(self, client: Client, userdata: Any, sock: Any) -> None:  # noqa: ARG002
        if sock.fileno() >= 0:
            self._loop.remove_reader(sock.fileno())
            self._loop.remove_writer(sock.fileno())

    def _on_socket_register_write(self, client: Client, userdata: Any, sock: Any) -> None:  # noqa: ARG002
        if sock.fileno() >= 0:
            self._loop.add_writer(sock.fileno(), self._guard, client.loop_write)

    def _on_socket_unregister_write(self, client: Client, userdata: Any, sock: Any) -> None:  # noqa: ARG002
        if sock.fileno() >= 0:
            self._loop.remove_writer(sock.fileno())

    def _read(self, client: Client, sock: socket.socket) -> None:
        self._guard(client.loop_read)
        # TLS may hold bytes that the loop cannot see in the socket.
        while isinstance(sock, ssl.SSLSocket) and sock.fileno() >= 0 and sock.pending():
            if self._disconnected.done():
                return
            self._guard(client.loop_read)

    def _guard(self, step: Callable[[], object]) -> None:
        try:
            step()
        except Exception as error:  # noqa: BLE001  whatever the library trips over, this connection is over
            for future in (self._connected, self._disconnected):
                if not future.done():
                    future.set_exception(error)


def _look_at(future: asyncio.Future[None]) -> None:
    # Otherwise a connection that ends while nobody waits leaves "exception was never retrieved" behind.
    if not future.cancelled():
        future.exception()


def _words(error: BaseException) -> str:
    return str(error) or ("no answer in time" if isinstance(error, TimeoutError) else type(error).__name__)


def _value(code: Any) -> int:
    return int(getattr(code, "value", code))


class MqttLink:
    """A `Transport` over one broker. `will` may be a function of the epoch that the connection will have.

    `address` is public and may be set anew: the next connection goes there.
    """

    def __init__(
        self,
        address: BrokerAddress,
        *,
        will: Will | Callable[[int], Will] | None = None,
        subscriptions: Iterable[str] = (),
        options: LinkOptions | None = None,
        tls: ssl.SSLContext | None = None,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self.address = address
        self._will = will
        self._options = options or LinkOptions()
        self._tls = tls
        self._entropy = entropy
        self._jitter = jitter
        self._wanted: dict[str, None] = {}
        for pattern in subscriptions:
            check_filter(pattern)
            self._wanted[pattern] = None
        self._active: set[str] = set()
        self._outbox = Outbox()
        self._loose: set[int] = set()
        self._progress = 0.0
        self._epoch = 0
        self._connection: Connection | None = None
        self._last_down = ""
        self._early: list[tuple[str, bytes]] = []
        self._reassembler = Reassembler()
        self._signals = SignalQueue(max_messages=self._options.queue)
        self._wake = asyncio.Event()
        self._settled = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        if self._task is not None:
            raise RuntimeError("a link is used once")
        self._task = asyncio.create_task(self._run(), name=f"link {self.address.short()}")
        self._task.add_done_callback(self._ended)
        self._look_settled()
        return self

    async def __aexit__(self, *exc: object) -> None:
        assert self._task is not None
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self._signals.close()

    def subscribe(self, pattern: str) -> None:
        """Also receive topics matching this filter, now and after every reconnect. Raises ValueError."""
        check_filter(pattern)
        self._wanted[pattern] = None
        self._look_settled()
        self._wake.set()

    def unsubscribe(self, pattern: str) -> None:
        """Stop receiving these."""
        self._wanted.pop(pattern, None)
        self._look_settled()
        self._wake.set()

    def send(self, topic: str, payload: bytes, *, retain: bool = False, reliable: bool = True) -> None:
        """Queue a message, see `Transport.send`. Raises ValueError for a bad topic or size.

        A retained message must fit one frame (16 KiB); while it waits it takes the place of an older one.
        """
        check_topic(topic)
        frames = [Frame(topic, body, retain) for body in split(payload)]
        if retain and len(frames) > 1:
            raise ValueError(f"a retained message has at most {CHUNK} bytes")
        if not reliable:
            self._send_loose(frames)
            return
        self._outbox.put(frames)
        self._look_settled()
        self._pump()

    async def flush(self, timeout: float) -> bool:  # noqa: ASYNC109  the interface has it
        """Wait until the broker has acknowledged everything, subscriptions too; False if not in time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout):
                await self._settled.wait()
        return self._settled.is_set()

    def signals(self) -> AsyncIterator[Signal]:
        """Everything in order, see `Transport.signals`. `Up` precedes whatever its connection brings."""
        return aiter(self._signals)

    @property
    def connected(self) -> bool:
        """Whether the link is up: connected and subscribed."""
        return self._connection is not None

    @property
    def pending(self) -> int:
        """Reliable frames that the broker has not acknowledged."""
        return len(self._outbox)

    # The life of the link.

    async def _run(self) -> None:
        failures = 0
        while True:
            before = self._epoch
            try:
                await self._live_once()
            except LinkError as error:
                self._note_down(str(error), error.code)
            failures = 0 if self._epoch > before else failures + 1
            await asyncio.sleep(self._pause(failures))

    def _pause(self, failures: int) -> float:
        longest = min(self._options.backoff_first * 2.0 ** min(failures, 16), self._options.backoff_most)
        return longest * (0.5 + self._jitter())

    async def _live_once(self) -> None:
        """One connection from dialling to its end, which is a LinkError."""
        epoch = self._epoch + 1
        connection = Connection(
            self.address,
            identifier="dz" + self._entropy(10).hex(),
            options=self._options,
            tls=self._tls,
            will=self._framed_will(epoch),
            received=self._receive,
            acknowledged=self._acknowledge,
        )
        await connection.open()
        polite = True
        try:
            await self._adjust_filters(connection)
            self._note_up(connection, epoch)
            await self._watch(connection)
        except LinkError:
            polite = False
            raise
        finally:
            self._take_back()
            await connection.close(polite=polite)

    async def _watch(self, connection: Connection) -> None:
        while True:
            self._wake.clear()
            await self._adjust_filters(connection)
            wake = asyncio.create_task(self._wake.wait(), name="link wake")
            try:
                await asyncio.wait(
                    (wake, connection.gone), timeout=self._options.stall / 4, return_when=asyncio.FIRST_COMPLETED
                )
            finally:
                wake.cancel()
            connection.check()
            if self._outbox.flying and self._now() - self._progress > self._options.stall:
                raise LinkError("lost: the broker acknowledges nothing")

    async def _adjust_filters(self, connection: Connection) -> None:
        while True:
            add = [pattern for pattern in self._wanted if pattern not in self._active]
            remove = [pattern for pattern in self._active if pattern not in self._wanted]
            if not add and not remove:
                return
            refused = await connection.filters(add, remove)
            self._active.difference_update(remove)
            self._active.update(add)
            if refused:
                self._signals.put(Lost("subscribe/refused"))
            self._look_settled()

    def _note_up(self, connection: Connection, epoch: int) -> None:
        self._epoch = epoch
        self._connection = connection
        self._last_down = ""
        self._signals.put(Up(epoch))
        early, self._early = self._early, []
        for topic, body in early:
            self._receive(topic, body)
        self._pump()
        self._look_settled()

    def _note_down(self, reason: str, code: str) -> None:
        if reason != self._last_down:
            self._last_down = reason
            self._signals.put(Down(reason, code))

    def _take_back(self) -> None:
        self._connection = None
        self._active.clear()
        self._early.clear()
        self._loose.clear()
        self._outbox.take_back()
        self._look_settled()

    def _ended(self, task: asyncio.Task[None]) -> None:
        error = None if task.cancelled() else task.exception()
        self._signals.close(error)

    # Out.

    def _pump(self) -> None:
        connection = self._connection
        while connection is not None and self._outbox.flying < self._options.window:
            frame = self._outbox.first()
            if frame is None:
                return
            try:
                number = connection.publish_frame(frame.topic, frame.body, 1, retain=frame.retain)
            except LinkError:
                return  # _watch sees the end too, and takes everything back
            if not self._outbox.flying:
                self._progress = self._now()
            self._outbox.sent(number)

    def _send_loose(self, frames: list[Frame]) -> None:
        if self._connection is None or len(self._loose) + len(frames) > self._options.unreliable:
            return
        with suppress(LinkError):
            for frame in frames:
                self._loose.add(self._connection.publish_frame(frame.topic, frame.body, 0, retain=frame.retain))

    def _acknowledge(self, number: int) -> None:
        self._loose.discard(number)
        if self._outbox.acknowledged(number):
            self._progress = self._now()
            self._pump()
            self._look_settled()

    def _look_settled(self) -> None:
        if self._outbox or self._active != set(self._wanted):
            self._settled.clear()
        else:
            self._settled.set()

    def _framed_will(self, epoch: int) -> Will | None:
        will = self._will(epoch) if callable(self._will) else self._will
        if will is None:
            return None
        (body,) = split(will[1])  # a will of more than one frame cannot be sent
        return will[0], body

    # In.

    def _receive(self, topic: str, body: bytes) -> None:
        if len(body) > MAX_LINK_FRAME:
            self._signals.put(Lost("chunk/size"))
            return
        if not any(matches(pattern, topic) for pattern in self._wanted):
            return  # some brokers send retained messages that nobody asked for
        if self._connection is None:  # between SUBACK and Up
            if len(self._early) < self._options.queue:
                self._early.append((topic, body))
            else:
                self._signals.put(Lost("overflow"))
            return
        before = self._reassembler.given_up
        try:
            message = self._reassembler.feed(topic, body, self._now())
        except WireError as error:
            self._signals.put(Lost(error.code))
            return
        if self._reassembler.given_up > before:
            self._signals.put(Lost("chunk/unfinished"))
        if message is not None:
            self._signals.put(Incoming(topic, message))

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()  # monotonic
