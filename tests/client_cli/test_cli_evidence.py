"""`duizenden verify --evidence`: who is named for what, from one file; exit codes 0, 1 and 2."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from client_cli.__main__ import main
from node import gamefile
from node.policy import choose
from protocol.session.evidence import Evidence, write_evidence
from protocol.session.gamefile import write_game
from protocol.session.session import Leave
from protocol.session.view import Finding
from tests.coupled import Coupled


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A profile of its own, in English."""
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)


@pytest.fixture(scope="module")
def table() -> Coupled:
    """A table whose seat 1 left before the first shuffle."""
    table = Coupled(3, seed=3, choose=choose, max_rounds=0)
    table.start()
    table.run(until=lambda: all(s.position().step >= 1 for s in table.sessions))
    table.carry_out(1, table.sessions[1].act(Leave()))
    table.run(until=lambda: all(s.finished for i, s in enumerate(table.sessions) if i != 1))
    return table


def test_evidence_that_proves_what_it_says(table: Coupled, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file beside the game file is exit code 0 and says who did what at which step."""
    (path,) = gamefile.write_evidence(tmp_path / "g.duizenden", table.genesis, table.sessions[0].evidence())
    codes = [main(["verify", "--evidence", str(path)]), main(["verify", "--evidence", str(path), "--json"])]
    words, said = capsys.readouterr().out.split("\n{", 1)

    assert path == tmp_path / "g.evidence"
    assert codes == [0, 0]
    assert "Proven." in words
    assert "Seat 1 (seat 2), step 2: signed to leave. (log/left)" in words
    assert json.loads("{" + said)["findings"] == [{"code": "log/left", "seat": 1, "step": 2}]


def test_evidence_that_does_not_prove_it(table: Coupled, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An accusation that the entries do not bear out is exit code 1, with the reason."""
    (evidence,) = table.sessions[0].evidence()
    path = tmp_path / "false.evidence"
    path.write_bytes(write_evidence(table.genesis, Evidence((Finding("proof/V0", 0, 2),), evidence.frames)))
    codes = [main(["verify", "--evidence", str(path)]), main(["verify", "--evidence", str(path), "--json"])]
    words, said = capsys.readouterr().out.split("\n{", 1)
    ruling = json.loads("{" + said)

    assert codes == [1, 1]
    assert "Not proven" in words
    assert (ruling["proven"], ruling["why"]) == (False, "evidence/other")


def test_what_is_no_evidence(table: Coupled, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A game file, garbage and a missing file are exit code 2, with a sentence."""
    game, garbage = tmp_path / "g.duizenden", tmp_path / "x.evidence"
    game.write_bytes(write_game(table.genesis, table.sessions[0].log_frames()))
    garbage.write_bytes(b"DUIZENDEN EVIDENCE 1\n\xff")
    for path in (game, garbage, tmp_path / "none.evidence"):
        code = main(["verify", "--evidence", str(path), "--json"])
        out, err = capsys.readouterr()

        assert code == 2
        assert json.loads(out)["ok"] is False
        assert str(path) in err


def test_a_report_is_about_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--html with --evidence is refused with a sentence."""
    code = main(["verify", "--evidence", "x.evidence", "--html", str(tmp_path / "r.html")])

    assert code == 2
    assert "--html" in capsys.readouterr().err


def test_every_reason_has_a_file_of_its_own(table: Coupled, tmp_path: Path) -> None:
    """A second reason is numbered, beside the first."""
    (evidence,) = table.sessions[0].evidence()
    paths = gamefile.write_evidence(tmp_path / "g.duizenden", table.genesis, (evidence, evidence))

    assert [path.name for path in paths] == ["g.evidence", "g.2.evidence"]
