"""The embedded broker as a child process: starting, stopping, staying silent, dying with its owner."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from node.broker import BrokerError, EmbeddedBroker
from tests.node.brokers import Embedded, RawClient, connect_packet, free_port

ROOT = Path(__file__).resolve().parents[2]


async def test_it_serves_between_start_and_stop() -> None:
    """A context gives a broker that accepts MQTT clients; afterwards nobody listens."""
    with EmbeddedBroker(host="127.0.0.1", port=0) as broker:
        assert broker.alive
        async with await RawClient.connected(broker.port, connect_packet(b"a")) as client:
            await client.ping()
        port = broker.port

    assert not broker.alive
    assert broker.pid is None
    assert broker.port == port
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", port), 1)


async def test_it_starts_quickly_and_only_once() -> None:
    """Start to listening takes a fraction of a second (0.15 s usual); a second start changes nothing."""
    broker = EmbeddedBroker(host="127.0.0.1", port=0)
    started = time.monotonic()
    try:
        port = broker.start()
        assert time.monotonic() - started < 5
        pid = broker.pid
        assert broker.start() == port
        assert broker.pid == pid
    finally:
        broker.stop()
    broker.stop()


def test_the_port_is_asked_for_after_a_start_only() -> None:
    """Before the first start there is no port to tell."""
    with pytest.raises(BrokerError) as caught:
        _ = EmbeddedBroker().port

    assert caught.value.code == "broker/start"


async def test_a_taken_port_is_avoided_or_reported() -> None:
    """With fallback another port is taken; without it the error names the port and the reason."""
    with socket.create_server(("127.0.0.1", 0)) as holder:
        taken = holder.getsockname()[1]
        with EmbeddedBroker(host="127.0.0.1", port=taken) as broker:
            assert broker.port != taken
            async with await RawClient.connected(broker.port, connect_packet(b"a")) as client:
                await client.ping()
        stubborn = EmbeddedBroker(host="127.0.0.1", port=taken, fallback=False)
        with pytest.raises(BrokerError) as caught:
            stubborn.start()

    assert caught.value.code == "broker/listen"
    assert str(taken) in caught.value.detail
    assert "in use" in caught.value.detail
    assert not stubborn.alive


async def test_it_comes_back_on_its_port_after_a_crash() -> None:
    """Killed, then started again: the same port, and clients are served."""
    with Embedded() as broker:
        port, pid = broker.port, broker.pid
        async with await RawClient.connected(port, connect_packet(b"a")) as client:
            broker.kill()
            assert not broker.alive
            assert await client.read() is None
        assert broker.start() == port
        assert broker.pid != pid
        async with await RawClient.connected(port, connect_packet(b"a")) as client:
            await client.ping()


def test_a_restart_insists_on_the_port_that_the_peers_know() -> None:
    """If somebody took the port meanwhile, starting again fails instead of hiding somewhere else."""
    broker = EmbeddedBroker(host="127.0.0.1", port=0)
    port = broker.start()
    broker.stop()
    with socket.create_server(("127.0.0.1", port)), pytest.raises(BrokerError) as caught:
        broker.start()

    assert caught.value.code == "broker/listen"


async def test_stopping_waits_for_a_start_under_way() -> None:
    """A program that ends while its broker is being started leaves no broker behind."""
    broker = EmbeddedBroker(host="127.0.0.1", port=0)
    starting = asyncio.create_task(asyncio.to_thread(broker.start))
    async with asyncio.timeout(5):
        while broker._child is None:
            await asyncio.wait({starting}, timeout=0.001)
    await asyncio.to_thread(broker.stop)
    port = await starting

    assert not broker.alive
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", port), 1)


def test_it_dies_with_its_owner_however_that_dies() -> None:
    """The owner is killed without a chance to clean up: the child's port is free soon after."""
    program = (
        "import time; from node.broker import EmbeddedBroker\n"
        "b = EmbeddedBroker(host='127.0.0.1', port=0); b.start(); print(b.port, b.pid, flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None
        port, pid = map(int, owner.stdout.readline().split())
        with socket.create_connection(("127.0.0.1", port), 1):
            owner.kill()
            owner.wait(5)
            deadline = time.monotonic() + 5
            while _runs(pid):
                assert time.monotonic() < deadline
                time.sleep(0.01)


def test_ctrl_c_in_the_terminal_is_the_owners_business() -> None:
    """SIGINT does not end the child: the owner decides when the table closes."""
    with EmbeddedBroker(host="127.0.0.1", port=0) as broker:
        assert broker.pid is not None
        os.kill(broker.pid, signal.SIGINT)
        with socket.create_connection(("127.0.0.1", broker.port), 1):
            assert broker.alive


def test_nothing_reaches_the_owners_terminal(tmp_path: Path) -> None:
    """Rude clients make the broker complain, but into its log file alone."""
    program = (
        "import socket; from pathlib import Path; from node.broker import EmbeddedBroker\n"
        f"with EmbeddedBroker(host='127.0.0.1', port={free_port()}, log=Path({str(tmp_path / 'log')!r})) as b:\n"
        "    for junk in (b'GET / HTTP/1.1', bytes(100), b'\\x10\\x04\\x00\\x04MQ'):\n"
        "        with socket.create_connection(('127.0.0.1', b.port), 2) as s:\n"
        "            s.sendall(junk); s.shutdown(1); s.recv(9)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, timeout=30, check=False, text=True
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert "amqtt" in (tmp_path / "log").read_text(encoding="utf-8")


def test_a_child_that_cannot_even_start_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program in its place, a silent one, a missing one: each is a BrokerError with a reason."""
    broker = EmbeddedBroker(host="127.0.0.1", port=0)
    for executable, timeout, word in (("/bin/echo", 5.0, "exit"), ("/bin/missing", 5.0, "No such file")):
        monkeypatch.setattr(sys, "executable", executable)
        with pytest.raises(BrokerError) as caught:
            broker.start(timeout)
        assert caught.value.code == "broker/start"
        assert word in caught.value.detail
    monkeypatch.undo()
    with pytest.raises(BrokerError, match="silent"):
        broker.start(0.0)
    assert not broker.alive


def _runs(pid: int) -> bool:
    with suppress(OSError):
        os.kill(pid, 0)
        return "Z" not in Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2][:3]
    return False
