"""The embedded broker's own process: amqtt behind a gate, until standard input closes.

Only `node.broker` starts this module. amqtt is a good small broker for MQTT 3.1.1, with faults that a table would
feel; the hooks below remove them (tests/node/test_broker_hardening.py names and proves each). They are private to
amqtt, hence the version pin.

What the gate adds: a whole packet is read and measured before amqtt sees any of it; a connection must say CONNECT
first and soon, keep within its keepalive, and take what it is sent; each address has a limited number of
connections. Every session is a clean one: a client that wants more is told that nothing was kept for it.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import logging
import os
import signal
import socket
import ssl
import sys
import threading
from collections import Counter
from typing import Any

from amqtt.adapters import StreamReaderAdapter, StreamWriterAdapter
from amqtt.broker import Broker
from amqtt.errors import AMQTTError, MQTTError, NoDataError
from amqtt.mqtt.connack import IDENTIFIER_REJECTED, ConnackPacket
from amqtt.mqtt.protocol.broker_handler import BrokerProtocolHandler

from .filters import check_topic

MAX_PACKET = 300_000
"""Largest packet body: a 256 KiB payload and the longest topic fit."""

FIRST_PACKET_SECONDS = 5.0
"""How long a connection may take over its CONNECT."""

STALLED_SECONDS = 5.0
"""How long a client may take nothing of what it is sent."""

DEFAULT_KEEPALIVE = 60
MAX_KEEPALIVE = 120
"""Keepalive in seconds taken for 0 (which MQTT lets a client ask for), and the largest that is honoured."""

MAX_CONNECTIONS = 200
MAX_PER_ADDRESS = 64
"""Connections in all, and from one address: a table of bots on one machine needs a dozen."""

MAX_SUBSCRIPTIONS = 64
"""Filters of one client. amqtt walks all filters for every message."""

BURST = 2_000.0
RATE = 1_000.0
"""How much a client may publish at once, and per second in the long run: a message costs 2 and 1 per KiB. A node sends
some 200 KiB a round; a flood of small messages keeps to a quarter of what amqtt can do."""

MAX_LOGGED = 5_000
"""Lines in the log of one run: whoever connects can write one."""

MAX_RETAINED = 1_000
"""Retained messages of the whole broker; one table keeps one."""

_CONNECT = 1
_PUBLISH = 3
_DISCONNECT = 14
_SUBSCRIPTION_REFUSED = 0x80


class _RefusedError(MQTTError):  # type: ignore[misc]
    """The gate does not let this in."""


class _Gate(StreamReaderAdapter):  # type: ignore[misc]
    """Hands amqtt the bytes of one whole, measured packet at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        super().__init__(reader)
        self._stream = reader
        self._transport = writer.transport
        self._packet = b""
        self._seen_first = False
        self._credit = BURST
        self._paced = asyncio.get_running_loop().time()
        self.patience = FIRST_PACKET_SECONDS
        self.goodbye = asyncio.Event()

    async def read(self, n: int = -1) -> bytes:
        """`n` bytes of the packet; nothing when the connection is at its end."""
        if n == 0:
            return b""
        try:
            if not self._packet and n == 1:  # a packet begins with one byte; anything else wants more than there is
                # The timer covers the whole packet, so that a client cannot live on one byte a minute.
                self._packet = await asyncio.wait_for(self._next_packet(), self.patience)
        except (_RefusedError, TimeoutError, OSError, asyncio.IncompleteReadError):
            self._packet = b""
        if not 0 < n <= len(self._packet):  # the connection's end, or a field that runs over the end of its packet
            self._transport.abort()
            return b""
        taken, self._packet = self._packet[:n], self._packet[n:]
        return taken

    async def _next_packet(self) -> bytes:
        head = await self._stream.readexactly(1)
        kind = head[0] >> 4
        if (kind == _CONNECT) is self._seen_first:
            raise _RefusedError("CONNECT must come first and once")
        self._seen_first = True
        length = 0
        for shift in (0, 7, 14, 21):
            byte = await self._stream.readexactly(1)
            head += byte
            length |= (byte[0] & 0x7F) << shift
            if byte[0] < 0x80:
                break
        else:
            raise _RefusedError("the length is not a length")
        if length > MAX_PACKET:
            raise _RefusedError(f"a packet of {length} bytes")
        body = await self._stream.readexactly(length)
        if kind == _PUBLISH and not _publishable(head[0], body):
            raise _RefusedError("a PUBLISH that nobody may send")
        if kind == _DISCONNECT:
            self.goodbye.set()
        if kind == _PUBLISH:
            await self._pace(2 + length / 1024)
        return head + body

    async def _pace(self, cost: float) -> None:
        # Not reading makes TCP hold the sender back; nothing is lost and nobody else waits.
        now = asyncio.get_running_loop().time()
        self._credit = min(BURST, self._credit + (now - self._paced) * RATE) - cost
        self._paced = now
        if self._credit < 0:
            await asyncio.sleep(-self._credit / RATE)


def _publishable(first: int, body: bytes) -> bool:
    # amqtt would drop such a packet half read and take its rest for the next one.
    topic = body[2 : 2 + int.from_bytes(body[:2], "big")]
    try:
        check_topic(topic.decode())
    except ValueError:
        return False
    whole = len(topic) == int.from_bytes(body[:2], "big")
    return whole and first & 0x06 != 0x06 and not topic.startswith(b"$")


class _Outlet(StreamWriterAdapter):  # type: ignore[misc]
    """Writes that end: a client that takes nothing is disconnected instead of holding what is meant for it."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        super().__init__(writer)
        self._transport = writer.transport

    async def drain(self) -> None:
        """Wait until the client has taken most of what was written; never raises for its being gone."""
        try:
            await asyncio.wait_for(super().drain(), STALLED_SECONDS)
        except TimeoutError:
            self._transport.abort()
        except ConnectionError:
            return

    async def close(self) -> None:
        """Close, waiting a little for the last bytes to leave."""
        with contextlib.suppress(TimeoutError, OSError, RuntimeError):
            await asyncio.wait_for(super().close(), 1.0)


class HardenedBroker(Broker):  # type: ignore[misc]
    """amqtt with clean sessions only, one owner per client id, enforced keepalive and bounded resources."""

    def __init__(self) -> None:
        super().__init__(
            {
                "listeners": {
                    "default": {"type": "external", "bind": "external"},
                    "gate": {"type": "external", "bind": "external"},
                },
                "plugins": {"amqtt.plugins.authentication.AnonymousAuthPlugin": {"allow_anonymous": True}},
            }
        )
        self._from: Counter[str] = Counter()

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection to its end."""
        peer = str((writer.get_extra_info("peername") or ("",))[0])
        if self._from.total() >= MAX_CONNECTIONS or self._from[peer] >= MAX_PER_ADDRESS:
            writer.transport.abort()
            return
        self._from[peer] += 1
        try:
            if sock := writer.get_extra_info("socket"):
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            await self.external_connected(_Gate(reader, writer), _Outlet(writer), "gate")
        except Exception:
            self.logger.exception("A connection failed")
        finally:
            self._from[peer] -= 1
            if not self._from[peer]:
                del self._from[peer]
            writer.transport.abort()

    async def _initialize_client_session(
        self, reader: Any, writer: Any, remote_address: str, remote_port: int
    ) -> tuple[Any, Any]:
        # amqtt would delete the session of whoever holds this client id before it knows who is asking (B3), and
        # would attach the newcomer to a persistent session that stays marked as disconnected (B4).
        try:
            handler, session = await BrokerProtocolHandler.init_from_connect(reader, writer, self.plugins_manager)
        except NoDataError as error:
            raise AMQTTError(f"no CONNECT from {remote_address}:{remote_port}") from error
        if session.client_id in self._sessions:
            await ConnackPacket.build(0, IDENTIFIER_REJECTED).to_stream(writer)
            raise MQTTError("this client id is connected")
        session.clean_session = True
        session.parent = 0
        self._sessions[session.client_id] = (session, handler)  # taken from here on
        return handler, session

    async def _handle_client_session(
        self, reader: Any, writer: Any, client_session: Any, handler: Any, server: Any, listener_name: str
    ) -> None:
        # amqtt's own timer only looks away when it fires (B2). MQTT allows one and a half times the keepalive.
        reader.patience = 1.5 * min(client_session.keep_alive or DEFAULT_KEEPALIVE, MAX_KEEPALIVE)
        client_session.keep_alive = 0
        client_session.gate = reader
        try:
            await super()._handle_client_session(reader, writer, client_session, handler, server, listener_name)
        finally:
            # After a forbidden topic amqtt leaves without a word: the will is due and the session must go.
            if client_session.transitions.state == "connected":
                await self._handle_disconnect(client_session, handler, _done(None))
            if self._sessions.get(client_session.client_id, (None,))[0] is client_session:
                await self._cleanup_session(client_session.client_id)

    async def _handle_disconnect(self, client_session: Any, handler: Any, disconnect_waiter: Any) -> None:
        # A DISCONNECT that arrives before amqtt waits for it counts as a lost connection there (B8).
        if client_session.gate.goodbye.is_set():
            client_session.will_flag = False
        await super()._handle_disconnect(client_session, handler, disconnect_waiter)

    async def _publish_retained_messages_for_subscription(self, subscription: tuple[str, int], session: Any) -> None:
        # amqtt also calls this for every filter in the broker when a client connects (B1).
        if any(holder is session for holder, _ in self._subscriptions.get(subscription[0], ())):
            await super()._publish_retained_messages_for_subscription(subscription, session)

    async def _broadcast_message(self, session: Any, topic: str, data: bytes, force_qos: int | None = None) -> None:  # noqa: ARG002
        # amqtt would send a will with its own QoS also to those who subscribed with a lower one.
        await super()._broadcast_message(session, topic, data)

    async def add_subscription(self, subscription: tuple[str, int], session: Any) -> int:
        """Subscribe within the limit of one client; 128 refuses."""
        mine = sum(any(holder is session for holder, _ in held) for held in self._subscriptions.values())
        if mine >= MAX_SUBSCRIPTIONS and subscription[0] not in self._subscriptions:
            return _SUBSCRIPTION_REFUSED
        return int(await super().add_subscription(subscription, session))

    async def retain_message(
        self,
        source_session: Any,  # noqa: ARG002  keeping it would keep the publisher's whole connection
        topic_name: str,
        data: bytes,
        qos: int | None = None,
    ) -> None:
        """Retain or clear within the limit; a message that finds no room is still delivered to subscribers."""
        if data and topic_name not in self._retained_messages and len(self._retained_messages) >= MAX_RETAINED:
            return
        await super().retain_message(None, topic_name, data, qos)


def _done(result: Any) -> asyncio.Future[Any]:
    future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    future.set_result(result)
    return future


def _bind(host: str, port: int, *, fallback: bool) -> socket.socket:
    """Listen on the port; with `fallback` on any free one if it is taken or not allowed."""
    for candidate in dict.fromkeys((port, 0) if fallback else (port,)):
        sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            if sys.platform != "win32":  # there the option would let two programs share a port
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            sock.bind((host, candidate))
            sock.listen(128)
        except OSError as error:
            sock.close()
            failure = error
        else:
            return sock
    raise failure


async def _serve(sock: socket.socket, tls: ssl.SSLContext | None) -> None:
    stop = asyncio.Event()
    _watch_parent(asyncio.get_running_loop(), stop)
    broker = HardenedBroker()
    await broker.start()
    patience = None if tls is None else FIRST_PACKET_SECONDS
    server = await asyncio.start_server(broker.accept, sock=sock, limit=65_536, ssl=tls, ssl_handshake_timeout=patience)
    _say({"port": sock.getsockname()[1]})
    await stop.wait()
    server.close()
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(broker.shutdown(), 1.0)


def _watch_parent(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> None:
    def wait() -> None:
        # Not sys.stdin: its lock would be held when the interpreter shuts down.
        with contextlib.suppress(OSError):
            while os.read(0, 64):
                pass
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(stop.set)

    threading.Thread(target=wait, name="parent", daemon=True).start()


class _FirstLines(logging.Filter):
    """Lets a bounded number of lines through."""

    def __init__(self) -> None:
        super().__init__()
        self._left = MAX_LOGGED

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether there is room for one more line."""
        del record
        self._left -= 1
        return self._left >= 0


def _say(message: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main(arguments: list[str] | None = None) -> int:
    """Run the broker until standard input closes; 1 if it cannot listen (the JSON line says why)."""
    parser = argparse.ArgumentParser(prog="node.broker")
    parser.add_argument("--host", default="0.0.0.0")  # noqa: S104  other people's machines must reach it
    parser.add_argument("--port", type=int, default=1883)
    parser.add_argument("--fallback", action="store_true")
    parser.add_argument("--certificate", help="certificate and private key in one file (PEM): speak TLS only")
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides
    handler = logging.StreamHandler()
    handler.addFilter(_FirstLines())
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s %(message)s", handlers=[handler])
    try:
        tls = None
        if options.certificate is not None:
            tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            tls.load_cert_chain(options.certificate)
        sock = _bind(options.host, options.port, fallback=options.fallback)
    except OSError as error:
        _say({"error": error.strerror or str(error), "errno": error.errno})
        return 1
    asyncio.run(_serve(sock, tls))
    return 0
