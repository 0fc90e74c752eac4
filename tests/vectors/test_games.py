"""Whole games as test vectors, and the games that every version wrote: both verifiers say what stands there."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from protocol.session.gamefile import SUFFIX
from protocol.session.verify import verify_game
from protocol.wire.entry import VERSION
from tests.second_verifier import AVAILABLE, MISSING, program_opinion, second_opinion
from tests.vectors.corpus import CORPUS
from tests.vectors.generate import FOLDER, SAID, VERDICTS, vector, without_detail
from tests.vectors.scenarios import Scenario, scenarios

VECTORS: dict[str, Any] = json.loads(VERDICTS.read_text(encoding="utf-8"))
SCENARIOS = {scenario.name: scenario for scenario in scenarios()}
OLD_GAMES = sorted(CORPUS.glob(f"*/*{SUFFIX}"))


@cache
def file_of(name: str) -> bytes:
    """The bytes of a vector."""
    return (FOLDER / f"{name}{SUFFIX}").read_bytes()


def expected(name: str) -> dict[str, Any]:
    """What a verifier must say of it."""
    return {key: value for key, value in VECTORS[name].items() if key not in {"about", "sha256"}}


def test_there_is_a_file_for_every_scenario() -> None:
    """Scenarios, files and verdicts go together, none is left over."""
    assert set(VECTORS) == set(SCENARIOS) == {path.stem for path in FOLDER.glob(f"*{SUFFIX}")}


def test_every_layer_fails_somewhere() -> None:
    """Each layer has files that fail in it and nowhere lower, and a name says which layer it is."""
    layers = {"ok", "wire", "signature", "chain", "proof", "rules", "audit"}

    assert {vector["layer"] for vector in VECTORS.values()} == layers
    assert all(name.split("-")[0] == vector["layer"] for name, vector in VECTORS.items())


@pytest.mark.parametrize("name", VECTORS)
def test_our_verifier_gives_the_verdict(name: str) -> None:
    """Layer, seat, step, code, counts, head and scores are those of the vector, and those that were written by hand."""
    data = file_of(name)

    assert vector(SCENARIOS[name], data) == VECTORS[name]


@pytest.mark.skipif(not AVAILABLE, reason=MISSING)
@pytest.mark.parametrize("name", VECTORS)
def test_the_second_verifier_gives_the_same_verdict(name: str, tmp_path: Path) -> None:
    """The verifier in JavaScript says the same of every file, with the exit code that goes with it."""
    code, said = second_opinion(file_of(name), tmp_path)
    want = expected(name)
    if "error" in want:
        assert (code, said["error"]) == (2, want["error"])
    else:
        got = {"layer": said["layer"], "fault": without_detail(said["fault"]), **{key: said[key] for key in SAID}}
        assert got == want
        assert code == (0 if want["ok"] else 1)


@pytest.mark.skipif(not AVAILABLE, reason=MISSING)
@pytest.mark.parametrize("name", ["ok-two-rounds", "proof-draw-share", "wire-no-magic"])
def test_the_second_verifier_says_it_as_a_program_too(name: str, tmp_path: Path) -> None:
    """One file in a process of its own gives the same JSON and exit code as among many in one process."""
    data = file_of(name)

    assert program_opinion(data, tmp_path) == second_opinion(data, tmp_path)


def cheap(scenario: Scenario) -> bool:
    """Whether a file is made in a moment: the fault comes before the first deck is shuffled."""
    return len(file_of(scenario.name)) < 5000


@pytest.mark.parametrize("name", [name for name, scenario in SCENARIOS.items() if cheap(scenario)])
def test_small_files_are_made_again_byte_by_byte(name: str) -> None:
    """Making a scenario anew gives the same bytes (`generate.py --check` does so for all of them)."""
    assert SCENARIOS[name].make() == file_of(name)


# ------------------------------------------------------------------------------------------ games of every version


def test_every_version_left_games() -> None:
    """The corpus has files, and what is written about them names every one."""
    for about in CORPUS.glob("*/games.json"):
        written = json.loads(about.read_text(encoding="utf-8"))
        assert written["version"] == about.parent.name
        assert written["protocol"] <= VERSION
        assert set(written["games"]) == {path.stem for path in about.parent.glob(f"*{SUFFIX}")}
    assert OLD_GAMES


@pytest.mark.parametrize("path", OLD_GAMES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_old_games_verify_for_ever(path: Path, tmp_path: Path) -> None:
    """What any version wrote is unchanged, and holds to its last head and score, here and in the second verifier."""
    written = json.loads((path.parent / "games.json").read_text(encoding="utf-8"))["games"][path.stem]
    data = path.read_bytes()
    said = verify_game(data, bytes(32)).as_json()

    assert hashlib.sha256(data).hexdigest() == written["sha256"]
    assert (said["ok"], said["complete"], said["seeded"]) == (True, True, False)
    assert (said["head"], said["scores"]) == (written["head"], written["scores"])
    if AVAILABLE:
        other = second_opinion(data, tmp_path)[1]

        assert (said["layer"], said["fault"]) == ("ok", None)
        assert {key: said[key] for key in SAID} == {key: other[key] for key in SAID}
