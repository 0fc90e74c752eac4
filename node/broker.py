"""The embedded broker, seen from the program that wants one: a child process that lives as long as its owner.

The broker itself is in `broker_child`. It runs in a process of its own because proofs keep a core busy for a third
of a second, and everybody's messages would wait for it. The child ends when its standard input closes, so it does
not outlive a killed owner.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from protocol.errors import DuizendenError

from .addresses import PORT

START_SECONDS = 15.0
"""How long a start may take: 0.2 s is usual, a loaded small machine needs more."""

STOP_SECONDS = 3.0


class BrokerError(DuizendenError):
    """The embedded broker cannot start: `broker/listen` (the port), `broker/start` (anything else)."""


class EmbeddedBroker:
    """A broker on this machine. Also a context manager; `start` may be called again after `stop` or a crash.

    Threads may call it: a `stop` waits for a `start` that is under way.

    With `fallback` any free port is taken if `port` is not to be had. A later `start` insists on the port of the
    first, because that is where the peers look. With a `certificate` (`node.certificate`) it speaks TLS only. What the
    child logs goes to the file `log`, or nowhere.
    """

    def __init__(
        self,
        *,
        host: str = "0.0.0.0",  # noqa: S104  other people's machines must reach it
        port: int = PORT,
        fallback: bool = True,
        log: Path | None = None,
        certificate: Path | None = None,
    ) -> None:
        self._host = host
        self._wanted = port
        self._fallback = fallback
        self._log = log
        self._certificate = certificate
        self._port: int | None = None
        self._child: subprocess.Popen[bytes] | None = None
        self._one_at_a_time = threading.RLock()

    def start(self, timeout: float = START_SECONDS) -> int:
        """Start listening and return the port. Blocks for some 0.2 s. Raises BrokerError; harmless if it runs."""
        with self._one_at_a_time:
            if not self.alive:
                self.stop()
                self._port = self._start(timeout)
            return self.port

    def stop(self, timeout: float = STOP_SECONDS) -> None:
        """Stop it, by force after `timeout` seconds. Harmless if it does not run."""
        with self._one_at_a_time:
            if self._child is None:
                return
            with suppress(OSError):
                _pipe(self._child.stdin).close()
            with suppress(subprocess.TimeoutExpired):
                self._child.wait(timeout)
            self._kill()

    @property
    def port(self) -> int:
        """The port it listens on, also while it is stopped. Raises BrokerError before the first start."""
        if self._port is None:
            raise BrokerError("broker/start", "not started yet")
        return self._port

    @property
    def alive(self) -> bool:
        """Whether the child process runs."""
        child = self._child
        return child is not None and child.poll() is None

    @property
    def pid(self) -> int | None:
        """The process id of the child, None when it does not run."""
        child = self._child
        return child.pid if child is not None and child.poll() is None else None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _start(self, timeout: float) -> int:
        child = self._child = self._spawn()
        line = _first_line(child, timeout)
        if line is None:
            self._kill()
            raise BrokerError("broker/start", f"silent for {timeout} s")
        try:
            message = json.loads(line)
        except ValueError:
            self._kill()
            raise BrokerError("broker/start", f"exit {child.wait()}: {line[:200]!r}") from None
        if "port" not in message:
            self._kill()
            raise BrokerError("broker/listen", f"{self._host}:{self._port or self._wanted}: {message.get('error')}")
        return int(message["port"])

    def _spawn(self) -> subprocess.Popen[bytes]:
        insist = self._port is not None
        command = [sys.executable, "-m", "node.broker", "--host", self._host]
        command += ["--port", str(self._port if insist else self._wanted)]
        if self._fallback and not insist:
            command.append("--fallback")
        if self._certificate is not None:
            command += ["--certificate", str(self._certificate)]
        # The child must find this package wherever the owner found it.
        root = str(Path(__file__).resolve().parent.parent)
        path = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
        log: IO[bytes] | int = subprocess.DEVNULL if self._log is None else self._log.open("ab")
        try:
            return subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                env={**os.environ, "PYTHONPATH": path},
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
                start_new_session=True,  # a terminal that closes takes its group along; the owner may yet say goodbye
            )
        except OSError as error:
            raise BrokerError("broker/start", str(error)) from error
        finally:
            if not isinstance(log, int):
                log.close()

    def _kill(self) -> None:
        if self._child is None:
            return
        child, self._child = self._child, None
        if child.poll() is None:
            child.kill()
        child.wait()
        for pipe in (child.stdin, child.stdout):
            with suppress(OSError):
                _pipe(pipe).close()


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe


def _first_line(child: subprocess.Popen[bytes], timeout: float) -> bytes | None:
    # A thread, since pipes cannot be polled on Windows. It ends with the child at the latest.
    lines: list[bytes] = []
    reader = threading.Thread(target=lambda: lines.append(_pipe(child.stdout).readline()), daemon=True)
    reader.start()
    reader.join(timeout)
    return lines[0] if lines else None


if __name__ == "__main__":
    from node.broker_child import main

    raise SystemExit(main())
