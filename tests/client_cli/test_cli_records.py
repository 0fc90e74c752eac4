"""Games and their files on the command line: where they are, and verdicts in words."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from client_cli.__main__ import main
from client_cli.commands.context import Context, UsageError
from client_cli.commands.options import game_file, record_of
from client_cli.commands.words import LANGUAGES, word
from node.selfplay import SelfplayConfig, selfplay
from protocol.rules.ruleset import preset
from tests.client_cli.cli_home import GAME, context_in, own_home, saved

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home of one's own for every test."""
    with own_home(tmp_path, monkeypatch) as folder:
        yield folder


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The game file of a finished seeded game of two, one round."""
    out = tmp_path_factory.mktemp("game")
    config = SelfplayConfig(
        players=2, rules=preset("klassiek"), rules_name="klassiek", max_rounds=1, out=out, seed="newcomer"
    )
    assert asyncio.run(selfplay(config)).ok
    return (out / "seat1.duizenden").read_bytes()


# ------------------------------------------------------------------------------------------ games and their files


def test_games_show_their_files(home: Path, finished: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    """The list says where a game's file is, or that there is none yet; JSON tells journal and file apart."""
    journal = saved(home)
    main(["games"])
    main(["games", "--json"])
    *before, as_json = capsys.readouterr().out.splitlines()
    record = record_of(GAME, context_in(home))
    record.write_bytes(finished)
    main(["games"])
    main(["games", "--json"])
    *after, then = capsys.readouterr().out.splitlines()
    games = [json.loads(line)[0] for line in (as_json, then)]

    assert "no game file yet" in before[1]
    assert str(record) in after[1]
    assert [game["journal"] for game in games] == [str(journal)] * 2
    assert [game["file"] for game in games] == [None, str(record)]


def test_verify_takes_the_name_of_a_game(
    home: Path, finished: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A game is verified by the name that `games` shows, or the beginning of it, wherever one is."""
    monkeypatch.chdir(tmp_path)
    record = record_of(GAME, context_in(home))
    record.write_bytes(finished)
    codes = [main(["verify", name]) for name in (GAME, GAME[:6], f"{GAME}.duizenden", str(record))]

    assert codes == [0] * 4
    assert capsys.readouterr().out.count("Rounds: 1.") == 4


@pytest.mark.parametrize(
    ("asked", "said"),
    [(GAME, "has no game file yet"), ("hocus", "see: duizenden games"), ("a/b.duizenden", "no file a/b")],
)
def test_verify_names_what_is_missing(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: str, said: str
) -> None:
    """A game without a file yet and a name that is no game are told apart."""
    monkeypatch.chdir(tmp_path)
    saved(home)
    with pytest.raises(UsageError, match=said):
        game_file(asked, context_in(home))


def test_a_name_of_several_games(home: Path, finished: bytes) -> None:
    """A beginning that several game files share is refused with their names."""
    for seat in (1, 2):
        record_of(f"abcdefgh-{seat}", context_in(home)).write_bytes(finished)
    with pytest.raises(UsageError, match="abcdefgh-1, abcdefgh-2"):
        game_file("abcd", context_in(home))


@pytest.mark.parametrize("command", ["verify", "replay"])
def test_a_journal_cannot_be_verified(
    home: Path, command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """For a journal, the file that can be verified is named."""
    monkeypatch.setattr(Context, "for_play", lambda context: context)
    code = main([command, str(saved(home))])

    assert code == 2
    assert str(record_of(GAME, context_in(home))) in capsys.readouterr().err


# ------------------------------------------------------------------------------------------ verdicts


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [
        ("nl", "Fout in stap {step}: waar {name} (stoel {seat}) aan de beurt was, "),
        ("en", "Fault in step {step}: where {name} (seat {seat}) should speak "),
    ],
)
def test_a_fault_in_words(
    finished: bytes, tmp_path: Path, lang: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A changed record is told by step and place, and accuses nobody; code and detail stand on a marked line."""
    data = bytearray(finished)
    data[-40] ^= 1
    path = tmp_path / "changed.duizenden"
    path.write_bytes(data)
    main(["verify", str(path), "--json"])
    verdict = json.loads(capsys.readouterr().out)
    fault = verdict["fault"]
    main(["verify", str(path), "--lang", lang])
    first, second, *_ = capsys.readouterr().out.splitlines()
    name = verdict["players"][fault["seat"]]

    assert first.startswith(sentence.format(step=fault["step"], seat=fault["seat"] + 1, name=name))
    assert fault["code"] not in first
    assert second.lstrip().startswith("detail")
    assert fault["code"] in second


def test_what_follows_the_end_of_a_game(finished: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that goes on after its game is nobody's fault in particular, and says so."""
    at = finished.index(b"\n") + 1
    records = []
    while at < len(finished):
        end = at + 4 + int.from_bytes(finished[at : at + 4], "little")
        records.append(finished[at:end])
        at = end
    path = tmp_path / "longer.duizenden"
    path.write_bytes(finished + records[-1])
    code = main(["verify", str(path)])

    assert code == 1
    assert "the file goes on after the end of the game" in capsys.readouterr().out


def test_a_cut_file_in_words(finished: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that was cut off says so in words; a program gets the code."""
    path = tmp_path / "cut.duizenden"
    path.write_bytes(finished[:-3])
    code = main(["verify", str(path), "--json"])
    out, err = capsys.readouterr()

    assert (code, json.loads(out)["error"]) == (2, "file/cut")
    assert "ends in the middle" in err


@pytest.mark.parametrize("lang", LANGUAGES)
def test_moves_are_not_told_as_violations(lang: str) -> None:
    """The count of checked moves says that they were in order, on the page and in the list."""
    from client_cli.messages import sentence

    good = {"nl": "in orde", "en": "legal"}[lang]

    assert good in sentence("fair.moves", lang)
    assert good in word("verify.moves", lang)
