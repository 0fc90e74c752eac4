"""Home networks of network namespaces: a bridge and some machines, gone again afterwards. Needs root on Linux."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(__file__).with_name("lan_machine.py")


def ip(*arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Run the `ip` tool."""
    return subprocess.run(["ip", *arguments], check=check, capture_output=True, text=True)


class Lan:
    """A bridge in a namespace of its own, and machines numbered from 1 with the addresses 10.77.0.N/24.

    There is no router and no default route, as behind a switch without one.
    """

    def __init__(self, tag: str, machines: int) -> None:
        self._tag = tag
        self.machines = machines

    def name(self, machine: int | str) -> str:
        """The namespace of a machine, or of the `bridge`."""
        return f"dz-{self._tag}-{machine}"

    def _port(self, machine: int) -> str:
        return f"dz{self._tag}v{machine}"[-15:]

    def build(self) -> None:
        """Make it all."""
        bridge = self.name("bridge")
        ip("netns", "add", bridge)
        ip("-n", bridge, "link", "set", "lo", "up")
        ip("-n", bridge, "link", "add", "br0", "type", "bridge", "mcast_snooping", "0")
        ip("-n", bridge, "link", "set", "br0", "up")
        for machine in range(1, self.machines + 1):
            name, port = self.name(machine), self._port(machine)
            ip("netns", "add", name)
            ip("link", "add", port, "netns", bridge, "type", "veth", "peer", "name", "eth0", "netns", name)
            ip("-n", bridge, "link", "set", port, "master", "br0", "up")
            ip("-n", name, "link", "set", "lo", "up")
            ip("-n", name, "addr", "add", f"10.77.0.{machine}/24", "dev", "eth0", "brd", "+")
            ip("-n", name, "link", "set", "eth0", "up")

    def tear_down(self) -> None:
        """Remove what exists of it, and whoever still runs in it."""
        for place in [*range(1, self.machines + 1), "bridge"]:
            name = self.name(place)
            for pid in ip("netns", "pids", name, check=False).stdout.split():
                subprocess.run(["kill", "-9", pid], check=False)
            ip("netns", "del", name, check=False)

    def extra(self, machine: int, interface: str, address: str, *, up: bool) -> None:
        """Give a machine one more interface that leads nowhere."""
        name = self.name(machine)
        ip("-n", name, "link", "add", interface, "type", "veth", "peer", "name", f"{interface}far")
        ip("-n", name, "addr", "add", address, "dev", interface)
        if up:
            ip("-n", name, "link", "set", interface, "up")

    def remove(self, machine: int, interface: str) -> None:
        """Take an interface away."""
        ip("-n", self.name(machine), "link", "del", interface)

    def isolate(self, machine: int, *, on: bool) -> None:
        """What access points call client isolation."""
        for each in (machine, 1 if machine != 1 else 2):
            self._bridge("link", "set", "dev", self._port(each), "isolated", "on" if on else "off")

    def _bridge(self, *arguments: str) -> None:
        program = shutil.which("bridge", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin") or "bridge"
        subprocess.run(["ip", "netns", "exec", self.name("bridge"), program, *arguments], check=True)

    def cable(self, one: int, other: int, network: str) -> None:
        """A second network, of two machines and a cable: in it they have the addresses NETWORK.N."""
        ends = (f"cab{one}", f"cab{other}")
        ip("-n", self.name(one), "link", "add", ends[0], "type", "veth", "peer", ends[1], "netns", self.name(other))
        for machine, interface in zip((one, other), ends, strict=True):
            name = self.name(machine)
            ip("-n", name, "addr", "add", f"{network}.{machine}/24", "dev", interface, "brd", "+")
            ip("-n", name, "link", "set", interface, "up")

    def deafen(self, machine: int, *, on: bool) -> None:
        """Let a machine hear no multicast, though it is heard: what some access points and switches do."""
        state = "off" if on else "on"
        self._bridge("link", "set", "dev", self._port(machine), "mcast_flood", state)

    def plug(self, machine: int, *, on: bool) -> None:
        """Take a machine's network away, so that it has its loopback only; or give it back."""
        ip("-n", self.name(machine), "link", "set", "eth0", "up" if on else "down")

    @contextmanager
    def running(self, machine: int, *arguments: str) -> Iterator[subprocess.Popen[str]]:
        """Our program on a machine; its standard output are JSON lines, closing its standard input ends it."""
        command = ["ip", "netns", "exec", self.name(machine), sys.executable, str(PROGRAM), *arguments]
        with subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=_environment()
        ) as process:
            try:
                yield process
            finally:
                assert process.stdin is not None
                process.stdin.close()
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()

    def ask(self, machine: int, *arguments: str) -> Any:
        """Run our program on a machine to its end; its first line."""
        with self.running(machine, *arguments) as process:
            return line(process)


def line(process: subprocess.Popen[str]) -> Any:
    """The next JSON line of a program; fails the test if there is none."""
    assert process.stdout is not None
    text = process.stdout.readline()
    assert text, f"the program ended with {process.wait(10)}"
    return json.loads(text)


def lan(machines: int) -> Iterator[Lan]:
    """A network for a fixture; skips where namespaces cannot be made."""
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("ip") is None:
        pytest.skip("needs root and the ip tool")
    made = Lan(str(os.getpid()), machines)
    try:
        try:
            made.build()
        except subprocess.CalledProcessError as error:
            pytest.skip(f"network namespaces cannot be made here: {error.stderr}")
        yield made
    finally:
        made.tear_down()


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}
