"""`duizenden conform`: what it tells, what it refuses, and a run with a foreign process over a real broker."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from client_cli.__main__ import main
from client_cli.commands.conform import _Run
from client_cli.texts.conform import CONFORM
from node.bots import Orders
from node.conform import conduct, scenarios
from node.conform.findings import broken, held, unseen
from node.conform.kit import Kit, KitError, Report
from tests.client_cli.cli_home import context_in, own_home

if TYPE_CHECKING:
    from collections.abc import Iterator

REPORT = Report(scenario="sync", findings=(held("W1"), broken("M13", "no-answer", step=4), unseen("C80")))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home of its own, in English."""
    with own_home(tmp_path, monkeypatch) as folder:
        yield folder


class FakeKit(Kit):
    """Finds what it is told to find; a report of None is a table that was not played."""

    def __init__(self, *reports: Report | None) -> None:
        self._left = list(reports)

    async def run(self, scenario: scenarios.Scenario) -> Report:
        """The next one."""
        report = self._left.pop(0)
        if report is None:
            raise KitError("conform/nobody")
        return report


def played(home: Path, *reports: Report | None, as_json: bool = False, lang: str = "en") -> int:
    """The exit code of a run with these reports."""
    run = _Run(context_in(home, lang), as_json=as_json)
    return asyncio.run(run.play(FakeKit(*reports), list(scenarios.SCENARIOS[: len(reports)])))


def test_what_held_and_what_did_not(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A broken requirement is exit code 1, told with what was seen."""
    code = played(home, REPORT)

    assert code == 1
    assert capsys.readouterr().out.splitlines() == [
        "  held: W1",
        "  BROKEN M13: a request from step 4 was not answered",
        "Not observed at any table: C80",
        "Broken: M13. What each requirement says is in spec/, under its number.",
    ]


def test_all_that_was_seen_held(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a broken requirement the exit code is 0, in Dutch as well."""
    code = played(home, Report(scenario="honest", findings=(held("W1"), held("E3"))), lang="nl")

    assert code == 0
    assert capsys.readouterr().out.endswith("Alles wat te zien was is voldaan: 2 eisen aan 1 tafels.\n")


def test_a_table_that_nobody_comes_to(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A table that could not be played ends the run with exit code 2, as a sentence or as JSON."""
    codes = [played(home, None), played(home, None, as_json=True)]
    said, data = capsys.readouterr().out.splitlines()

    assert codes == [2, 2]
    assert said == "Nobody came: nothing was played at this table."
    assert json.loads(data) == {"ok": False, "stopped": "nobody", "tables": []}


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["--join"], "With --join give --broker URL"),
        (["--host", "--wait", "-5"], "--wait is a number of seconds above zero."),
        (["--host", "--wait", "nan"], "--wait is a number of seconds above zero."),
        (["--host", "--wait", "inf"], "--wait is a number of seconds above zero."),
        (["--host", "--seats", "2"], "It takes three to seven seats."),
        (["--host", "--scenario", "nonsense"], "There is no table nonsense."),
        (["--join", "--connect", "h", "--scenario", "reconnect"], "Table reconnect can only be played with --host."),
        (["--host", "--scenario", "door"], "Table door can only be played with --join."),
    ],
)
def test_what_cannot_be(argv: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A request that cannot be is one sentence and exit code 2."""
    code = main(["conform", *argv])

    assert (code, sentence in capsys.readouterr().err) == (2, True)


def test_every_reason_has_its_sentence() -> None:
    """There is no sentence about something that no check sees."""
    folder = Path(conduct.__file__).parent
    source = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    reasons = {code.removeprefix("conform.why.") for code in CONFORM if code.startswith("conform.why.")}

    assert all(f'"{reason}"' in source for reason in reasons)


def test_a_foreign_process_over_a_real_broker(home: Path) -> None:
    """A bot in a process of its own joins each table over the embedded broker; nothing of it is broken."""
    tables = ["honest", "reconnect", "false-shuffle"]
    options = ["--port", "0", "--rules", "klassiek", "--json", "--wait", "60"]
    chosen = [part for name in tables for part in ("--scenario", name)]
    kit = subprocess.Popen(
        [sys.executable, "-m", "client_cli", "conform", "--host", *options, *chosen], stdout=subprocess.PIPE, text=True
    )
    bots: list[subprocess.Popen[str]] = []
    lines: list[dict[str, Any]] = []
    assert kit.stdout is not None
    with kit, kit.stdout:
        for line in kit.stdout:
            lines.append(json.loads(line))
            if "await" in lines[-1]:
                bots.append(_bot(home, lines[-1]["broker"], lines[-1]["table"], len(bots)))
    for bot in bots:
        bot.communicate()  # its pipe closes, so it ends
    result = lines[-1]
    verdicts = {finding["verdict"] for table in result["tables"] for finding in table["findings"]}

    assert (kit.returncode, result["ok"], result["stopped"]) == (0, True, None)
    assert [table["scenario"] for table in result["tables"]] == tables
    assert verdicts == {"held", "not observed"}


def _bot(home: Path, broker: str, table: str, k: int) -> subprocess.Popen[str]:
    folder = home / f"bot{k}"
    folder.mkdir(parents=True)
    bot = subprocess.Popen(
        [sys.executable, "-m", "node.bots"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    )
    assert bot.stdin is not None
    bot.stdin.write(Orders(role="join", broker=broker, table=table, journals=str(folder)).line() + "\n")
    bot.stdin.flush()
    return bot
