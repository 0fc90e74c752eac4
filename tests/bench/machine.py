"""What the rows about whole processes share: the load of the machine, memory and processor time of a process.

Wall times and other processes' memory live here; work inside this process is measured by the `Meter`.
"""

from __future__ import annotations

import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from tests.bench.harness import Row

ROOT = Path(__file__).resolve().parents[2]
PROC = Path("/proc/self/status").exists()
"""Whether this system shows its processes as files; without it memory and idle rows cannot be measured."""


def note(what: str, measured: str) -> Row:
    """A row for information: it has no bound and cannot be broken."""
    return Row(what, measured, "", "", ok=True)


def unmeasured(what: str) -> Row:
    """A row that says that this system cannot measure it."""
    return note(what, "not measured: no /proc")


def load() -> str:
    """How busy the machine is besides us: the one-minute load average, and its cores."""
    average = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return f"load {average} on {os.cpu_count()} cores"


def follow_priority(pid: int) -> None:
    """Give a process that leads a session of its own the priority of our session, where Linux groups by session."""
    with suppress(OSError):
        nice = Path("/proc/self/autogroup").read_text().rpartition("nice")[2].strip()
        Path(f"/proc/{pid}/autogroup").write_text(nice)


def disk(writes: int = 100) -> str:
    """How long one durable write takes where temporary files are: every move waits for two or three of them."""
    with tempfile.TemporaryFile(buffering=0) as file:
        times = []
        for _ in range(writes):
            begin = time.monotonic()
            file.write(bytes(4096))
            os.fsync(file.fileno())
            times.append(1000 * (time.monotonic() - begin))
    times.sort()
    return f"{times[writes // 2]:.2g} ms, {times[writes * 9 // 10]:.2g} ms, {times[-1]:.2g} ms"


def environment(**more: str) -> dict[str, str]:
    """The environment of a program of ours that is started from its source folder."""
    return {**os.environ, "PYTHONPATH": str(ROOT), **more}


def resident(pid: int | str = "self", field: str = "VmRSS") -> float:
    """Resident memory of a process in MB (`VmHWM`: the most it ever had)."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        name, _, value = line.partition(":")
        if name == field:
            return int(value.split()[0]) / 1024
    raise AssertionError(f"no {field} of process {pid}")


def busy(pid: int) -> float:
    """Processor seconds that all threads of a process have used, user and system."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
