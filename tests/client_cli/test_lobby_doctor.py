"""The doctor: each thing it looks at, healthy and ill, in sentences of both languages, and the command around it."""

from __future__ import annotations

import json
import re
import socket
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from client_cli.__main__ import main
from client_cli.commands.doctor import lines, plain
from client_cli.lobby import doctor
from client_cli.lobby.doctor import EPOCH, Surroundings
from client_cli.lobby.state import Check, Health, worst
from client_cli.lobby.words import OWN, knows
from client_cli.texts.doctor import DOCTOR
from node.addresses import BrokerAddress, LanAddress
from node.broker import BrokerError, EmbeddedBroker
from node.probe import ProbeResult
from node.profile import Profile

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from node.discovery import Advert, Found

GOOD = Surroundings(
    terminal=True, columns=80, lines=24, encoding="utf-8", environment={"TERM": "xterm-256color", "LANG": "nl_NL.UTF-8"}
)


def told(check: Check) -> str:
    """The check in both languages, which must both have every sentence and fact."""
    assert knows(check.found)
    assert not check.advice or check.advice in OWN
    assert bool(check.advice) == (check.health is not Health.GOOD)
    return "\n".join([*lines(check, "nl"), *lines(check, "en")])


@pytest.mark.parametrize(
    ("changes", "health", "part"),
    [
        ({}, Health.GOOD, "80x24, met 256 kleuren en kaarttekens"),
        ({"columns": 79}, Health.BAD, "79x24; that is too small"),
        ({"lines": 23}, Health.BAD, "80x23"),
        ({"encoding": "ascii"}, Health.WARN, "ascii has no card signs"),
        ({"encoding": "cp1252"}, Health.WARN, "cp1252"),
        ({"terminal": False}, Health.WARN, "no terminal window"),
        ({"environment": {"NO_COLOR": "1"}}, Health.GOOD, "geen kleuren"),
        ({"environment": {"COLORTERM": "truecolor", "TERM": "xterm"}}, Health.GOOD, "all colours"),
        ({"environment": {"TERM": "linux"}}, Health.GOOD, "16 kleuren"),
    ],
)
def test_the_window(changes: dict[str, object], health: Health, part: str) -> None:
    """Too small is wrong; few signs or no terminal is worth a word; colours are only told."""
    from dataclasses import replace

    check = doctor.terminal(replace(GOOD, **changes))  # type: ignore[arg-type]

    assert check.health is health
    assert part in told(check)


def test_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder is made and written to; a full disk is worth a word; one that cannot be is wrong, with its reason."""
    good = doctor.folder(tmp_path / "new")
    left = list((tmp_path / "new").iterdir())
    (tmp_path / "file").write_text("in the way")
    bad = doctor.folder(tmp_path / "file")
    monkeypatch.setattr(doctor, "LEAST_FREE", 1 << 62)
    full = doctor.folder(tmp_path)

    assert (good.health, left, bad.health, full.health) == (Health.GOOD, [], Health.BAD, Health.WARN)
    assert str(tmp_path / "file") in told(bad)
    assert re.search(r"\d+ [GM]B", told(full))
    assert told(good)


@pytest.mark.parametrize(("now", "health"), [(EPOCH + 1e8, Health.GOOD), (0.0, Health.WARN), (-5.0, Health.WARN)])
def test_the_clock(now: float, health: Health) -> None:
    """A clock from before the program is wrong, and the sentence says what it shows."""
    check = doctor.clock(now)

    assert check.health is health
    assert re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d", told(check))


def test_the_network() -> None:
    """Every home network is named with its interface; none is worth a word."""
    good = doctor.network((LanAddress("wlan0", "192.168.1.5", 24), LanAddress("eth0", "10.0.0.7", 8)))

    assert "wlan0 (192.168.1.5/24), eth0 (10.0.0.7/8)" in told(good)
    assert doctor.network(()).health is Health.WARN
    assert told(doctor.network(()))


def test_the_port(monkeypatch: pytest.MonkeyPatch) -> None:
    """Free is good, taken is worth a word, no port at all is wrong."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = taken.getsockname()[1]
        busy = doctor.port(number)
    free = doctor.port(number)

    class Refusing(socket.socket):
        def bind(self, _address: object) -> None:
            raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("client_cli.lobby.doctor.socket.socket", Refusing)
    refused = doctor.port(number)

    assert (busy.health, free.health, refused.health) == (Health.WARN, Health.GOOD, Health.BAD)
    assert str(number) in told(busy)
    assert "Permission denied" in told(refused)


@pytest.mark.parametrize(
    ("interfaces", "back", "health", "part"),
    [
        (("192.168.1.5",), True, Health.GOOD, "192.168.1.5"),
        (("192.168.1.5",), False, Health.WARN, "UDP port 5353"),
        ((), False, Health.WARN, "Join by address"),
    ],
)
async def test_finding_each_other(
    interfaces: tuple[str, ...], back: bool, health: Health, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A trial table that comes back is good; one that does not names the port to open; else the way round is told."""

    @asynccontextmanager
    async def announce(_: Advert) -> AsyncIterator[SimpleNamespace]:
        yield SimpleNamespace(interfaces=interfaces)

    async def find(wanted: Callable[[Found], bool], _seconds: float) -> Found | None:
        assert not wanted(SimpleNamespace(table="of somebody else"))  # type: ignore[arg-type]
        return SimpleNamespace() if back else None  # type: ignore[return-value]

    monkeypatch.setattr("node.discovery.announce", announce)
    monkeypatch.setattr("node.discovery.find", find)
    check = await doctor.multicast()

    assert check.health is health
    assert part in told(check)


@pytest.mark.parametrize(
    ("missing", "health"),
    [
        ((), Health.GOOD),
        (("retained",), Health.WARN),
        *((code, Health.BAD) for code in (("connect",), ("subscribe",), ("small", "large"), ("large",), ("long",))),
    ],
)
async def test_what_a_broker_cannot_do(
    missing: tuple[str, ...], health: Health, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first thing that is missing is told, with what to do; only retained messages can be done without."""
    address = BrokerAddress("192.168.1.5")

    async def probe(*_: object) -> ProbeResult:
        return ProbeResult(address=address, missing=missing, detail="not authorised", round_trip=0.002)

    monkeypatch.setattr("node.probe.probe", probe)
    check = await doctor.probed(address)

    assert check.health is health
    assert check.found == f"doctor.broker.{missing[0] if missing else 'good'}"
    assert "192.168.1.5" in told(check)


async def test_a_broker_that_is_not_there() -> None:
    """A refused connection is told apart from silence: nobody listens, or only for its own computer."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        number = server.getsockname()[1]
    check = await doctor.outside_broker(BrokerAddress("127.0.0.1", number))

    assert (check.health, check.found) == (Health.BAD, "doctor.broker.refused")
    assert f"listener {number} 0.0.0.0" in told(check)


async def test_a_broker_that_cannot_be_reached() -> None:
    """A name that does not exist is told with the system's reason."""
    check = await doctor.outside_broker(BrokerAddress("nobody.invalid"))

    assert (check.health, check.found) == (Health.BAD, "doctor.broker.connect")
    assert "1883" in told(check)


async def test_a_real_broker_is_all_right() -> None:
    """The program's own broker delivers what tables need."""
    with EmbeddedBroker(host="127.0.0.1", port=0) as broker:
        check = await doctor.outside_broker(BrokerAddress("127.0.0.1", broker.port))

    assert (check.health, check.found) == (Health.GOOD, "doctor.broker.good")
    assert "16 KiB" in told(check)


async def test_addresses_that_lead_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """An address of this machine that does not lead to its own broker is a firewall's doing, and says which port."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        number = server.getsockname()[1]
        monkeypatch.setattr(doctor, "reachable", lambda *_: (f"127.0.0.1:{number}",))
        good = await doctor.reach(number)
    bad = await doctor.reach(number)

    assert (good.health, bad.health) == (Health.GOOD, Health.BAD)
    assert f"ufw allow {number}/tcp" in told(bad)


async def test_a_broker_that_does_not_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the reason and the log are named."""

    def broken(**_: object) -> object:
        raise BrokerError("broker/start", "exit 1")

    monkeypatch.setattr(doctor, "own_broker", broken)
    (check,) = [c async for c in doctor.embedded_broker(Profile(data=tmp_path, logs=tmp_path), ())]

    assert check.health is Health.BAD
    assert "exit 1" in told(check)
    assert "broker.log" in told(check)


def test_every_sentence_of_the_doctor_ends_as_one() -> None:
    """Findings and advice are whole sentences in both languages."""
    for code, pair in DOCTOR.items():
        if code.split(".")[1] in {"name", "health", "colours", "signs", "busy"}:
            continue
        assert all(text.rstrip(")").endswith((".", "!")) or text.endswith(").") for text in pair), code


def test_the_worst_decides() -> None:
    """One thing that is wrong is enough."""
    checks = [Check("port", health, "doctor.port.good") for health in Health]

    assert worst(checks) is Health.BAD
    assert worst(checks[:2]) is Health.WARN
    assert worst(()) is Health.GOOD


def test_a_check_as_plain_values() -> None:
    """Programs get codes and facts, and the sentences for people."""
    value = plain(doctor.terminal(GOOD), "en")

    assert (value["name"], value["health"], value["code"]) == ("terminal", "good", "doctor.terminal.good")
    assert value["facts"]["columns"] == 80
    assert value["advice"] is None
    assert json.loads(json.dumps(value)) == value


@pytest.mark.parametrize("as_json", [False, True])
def test_the_command(
    as_json: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`doctor` looks at everything with a broker that is not there: exit code 1, one sentence each or JSON."""
    monkeypatch.setenv("DUIZENDEN_HOME", str(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as server:
        number = server.getsockname()[1]
    code = main(["doctor", "--lang", "en", "--broker", f"127.0.0.1:{number}", *(["--json"] if as_json else [])])
    out = capsys.readouterr().out

    assert code == 1
    names = ["terminal", "folder", "clock", "network", "port", "multicast", "broker"]
    if as_json:
        value = json.loads(out)
        assert value["ok"] is False
        assert [check["name"] for check in value["checks"]] == names
    else:
        assert [DOCTOR[f"doctor.name.{name}"][1] in out for name in names] == [True] * len(names)
        assert "Something is wrong" in out
