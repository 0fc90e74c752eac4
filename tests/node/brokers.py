"""Real brokers for tests, each a process of its own on a free port of this machine, and a client of raw packets."""

from __future__ import annotations

import asyncio
import itertools
import os
import shutil
import signal
import socket
import struct
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol, Self

import pytest

from node.addresses import BrokerAddress
from node.broker import EmbeddedBroker


class Broker(Protocol):
    """What the tests do to a broker."""

    @property
    def port(self) -> int:
        """Where it listens, also after a restart."""
        ...

    def start(self) -> object:
        """Start it (again)."""
        ...

    def kill(self) -> None:
        """End it without warning."""
        ...

    def pause(self) -> None:
        """Stop the process where it is."""
        ...

    def resume(self) -> None:
        """End `pause`."""
        ...


class Embedded(EmbeddedBroker):
    """Our own, on a free port."""

    def __init__(self, log: Path | None = None) -> None:
        super().__init__(host="127.0.0.1", port=0, log=log)

    def kill(self) -> None:
        """End it without warning."""
        assert self.pid is not None
        os.kill(self.pid, signal.SIGKILL)
        assert self._child is not None
        self._child.wait(5)

    def pause(self) -> None:
        """Stop the process where it is."""
        assert self.pid is not None
        os.kill(self.pid, signal.SIGSTOP)

    def resume(self) -> None:
        """End `pause`."""
        assert self.pid is not None
        os.kill(self.pid, signal.SIGCONT)


class Program:
    """A broker from the distribution, run from a configuration file."""

    def __init__(self, command: list[str], folder: Path, config: str, port: int) -> None:
        self._command = command
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self.port = port
        (folder / "config").write_text(config, encoding="ascii")

    def start(self) -> None:
        """Start it and wait until it listens."""
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [*self._command, str(self._folder / "config")], stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        deadline = time.monotonic() + 10
        while not _listens(self.port):
            if self._process.poll() is not None or time.monotonic() > deadline:
                pytest.fail(f"{self._command[0]}: {(self._folder / 'log').read_text(errors='replace')[-500:]}")
            time.sleep(0.01)

    def kill(self) -> None:
        """End it without warning."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(5)

    def pause(self) -> None:
        """Stop the process where it is."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """End `pause`."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)


def mosquitto(folder: Path, extra: str = "allow_anonymous true") -> Program:
    """A mosquitto with its listener and `extra` lines; skips the test where the program is missing."""
    port = free_port()
    config = f"user root\nper_listener_settings false\nlistener {port} 127.0.0.1\npersistence false\n{extra}\n"
    return Program([_program("mosquitto"), "-c"], folder, config, port)


def nats(folder: Path) -> Program:
    """A nats-server that speaks MQTT; skips the test where the program is missing."""
    port = free_port()
    config = (
        f'server_name: "dz{port}"\nlisten: "127.0.0.1:-1"\n'
        f'jetstream {{ store_dir: "{folder}/store" }}\nmqtt {{ listen: "127.0.0.1:{port}" }}\n'
    )
    return Program([_program("nats-server"), "-c"], folder, config, port)


@contextmanager
def running(kind: str, folder: Path) -> Iterator[Broker]:
    """A broker of this kind (`embedded`, `mosquitto`, `nats`) while the context lasts."""
    if kind == "embedded":
        broker: Embedded | Program = Embedded()
    else:
        broker = mosquitto(folder) if kind == "mosquitto" else nats(folder)
    broker.start()
    try:
        yield broker
    finally:
        if isinstance(broker, Embedded):
            broker.stop()
        else:
            broker.kill()


ALL = [
    "embedded",
    pytest.param("mosquitto", marks=pytest.mark.broker),
    pytest.param("nats", marks=pytest.mark.broker),
]
"""Parameters for tests that must hold with every broker."""

SERIOUS = ALL[:2]
"""The same without NATS, which takes some seconds to start again."""


def at(port: int) -> BrokerAddress:
    """An address on this machine."""
    return BrokerAddress("127.0.0.1", port)


def free_port() -> int:
    """A port that was free a moment ago."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


def _program(name: str) -> str:
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def _listens(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 0.2):
        return True
    return False


_numbers = itertools.count()


def unique(prefix: bytes) -> bytes:
    """A client id that no other test uses: a broker may take a moment to notice that its last owner has gone."""
    return prefix + b"%d" % next(_numbers)


def text(value: bytes) -> bytes:
    """A length-prefixed field."""
    return struct.pack(">H", len(value)) + value


def packet(kind: int, body: bytes = b"", flags: int = 0) -> bytes:
    """An MQTT packet of any kind."""
    length, size = len(body), b""
    while True:
        length, digit = length >> 7, length & 0x7F
        size += bytes([digit | (0x80 if length else 0)])
        if not length:
            return bytes([kind << 4 | flags]) + size + body


def connect_packet(
    client: bytes, *, keepalive: int = 60, clean: bool = True, will: tuple[bytes, bytes] | None = None
) -> bytes:
    """A CONNECT of MQTT 3.1.1."""
    flags = (2 if clean else 0) | (0x0C if will else 0)
    tail = b"" if will is None else text(will[0]) + text(will[1])
    return packet(1, text(b"MQTT") + bytes([4, flags]) + struct.pack(">H", keepalive) + text(client) + tail)


class RawClient:
    """A client that sends exactly what it is told and reads packets one by one."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def dial(cls, port: int) -> RawClient:
        """Open the connection and send nothing."""
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    @classmethod
    async def connected(cls, port: int, packet: bytes) -> RawClient:
        """Open, send this CONNECT and take an accepting CONNACK."""
        client = await cls.dial(port)
        try:
            client.send(packet)
            assert await client.read() == (2, b"\x00\x00")
        except BaseException:
            await client.close()
            raise
        return client

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()

    def send(self, data: bytes) -> None:
        """Send bytes."""
        self._writer.write(data)

    async def read(self, patience: float = 5.0) -> tuple[int, bytes] | None:
        """The next packet as (kind, body); None when the broker has closed. Raises TimeoutError."""
        async with asyncio.timeout(patience):
            try:
                head = (await self._reader.readexactly(1))[0]
                length = shift = 0
                while True:
                    digit = (await self._reader.readexactly(1))[0]
                    length |= (digit & 0x7F) << shift
                    shift += 7
                    if digit < 0x80:
                        break
                return head >> 4, await self._reader.readexactly(length)
            except (OSError, asyncio.IncompleteReadError):
                return None

    async def subscribe(self, pattern: bytes) -> int:
        """Subscribe with QoS 0 and return the code of the SUBACK."""
        self.send(packet(8, b"\x00\x01" + text(pattern) + b"\x00", 2))
        answer = await self.read()
        assert answer is not None
        assert answer[0] == 9
        return answer[1][2]

    async def publish(self, topic: bytes, payload: bytes, *, retain: bool = False) -> None:
        """Publish with QoS 1 and take the PUBACK."""
        self.send(packet(3, text(topic) + b"\x00\x07" + payload, 2 | int(retain)))
        assert await self.read() == (4, b"\x00\x07")

    async def hears(self, topic: bytes, payload: bytes) -> bool:
        """Whether the next packet is this message with QoS 0."""
        return await self.read() == (3, text(topic) + payload)

    async def ping(self) -> None:
        """PINGREQ and PINGRESP: whatever the broker had for this client has come before."""
        self.send(packet(12))
        assert await self.read() == (13, b"")

    def reset(self) -> None:
        """Break the connection by RST."""
        sock = self._writer.get_extra_info("socket")
        with suppress(OSError):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()

    async def close(self) -> None:
        """Close without DISCONNECT."""
        self._writer.close()
        with suppress(OSError):
            await self._writer.wait_closed()
