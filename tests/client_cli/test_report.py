"""The report for a family: what it tells, that it needs nothing from elsewhere, and that names stay text."""

from __future__ import annotations

import functools
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from client_cli.__main__ import main
from client_cli.commands.words import word
from client_cli.messages import sentence
from client_cli.replay_model import load_replay
from client_cli.report import GameFacts, Unread, facts_of, overview, report
from client_cli.report.many import distinct
from client_cli.report.pictures import bars, race
from node.policy import choose
from protocol.rules.ruleset import for_players, preset, with_overrides
from protocol.session.gamefile import read_records, write_game
from protocol.wire.entry import Kind
from tests.client_cli.cli_home import own_home
from tests.coupled import Coupled, patient
from tests.protocol.session.test_hostile import attacked, put

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = ('<script>alert("x")</script>', 'O\'Brien & "zn"')
EMPTY = {"meta", "line", "circle", "rect", "path", "polyline", "br"}


class Page(HTMLParser):
    """Reads a page strictly: every element is closed in order; keeps elements, attributes and text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element begins."""
        self.tags.append((tag, dict(attrs)))
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element without content."""
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        """An element ends: the one that began last."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Text between elements."""
        if self.open[-1:] != ["style"]:
            self.text += data


@functools.cache
def played(seed: int = 5, *, hostile_names: bool = False) -> bytes:
    """The file of two rounds between two seats."""
    table = Coupled(2, seed=seed, max_rounds=2, choose=choose)
    if hostile_names:
        players = tuple(replace(p, name=name) for p, name in zip(table.genesis.players, NAMES, strict=True))
        table.genesis = replace(table.genesis, players=players)
        table.sessions = [table.make(seat) for seat in range(2)]
    table.start()
    table.run()
    return write_game(table.genesis, table.sessions[0].log_frames())


def facts(data: bytes) -> GameFacts:
    """What a report tells of this file."""
    return facts_of(load_replay(data, bytes(32)))


@functools.cache
def faulted() -> GameFacts:
    """A game in which seat 1 shows another seed than it committed to."""
    honest = attacked(2, 1, Kind.AUDIT, put(0, value=bytes(32)))[1][0]
    return facts(write_game(honest.genesis, honest.log_frames()))


@pytest.mark.parametrize("lang", ["nl", "en"])
def test_a_report_tells_the_whole_game(lang: str) -> None:
    """Verdict first, then the race, every round with its deal and sums, the checks with their counts, and the odds."""
    game = facts(played())
    page = Page(report(game, lang))
    checked = game.verdict.checks

    assert page.text.index(sentence("rep.race", lang, target=1000)) > page.text.index("✓")
    for one in game.rounds:
        assert sentence("rep.round", lang, number=one.result.round_number) in page.text
        assert sentence("rep.began", lang, name=game.names[one.starter]) in page.text
    assert all(str(count) in page.text for count in (checked.signatures, checked.shares, checked.audited_shuffles))
    assert sentence("rep.odds.queen.1", lang) in page.text
    assert {"en": "22.7 %", "nl": "22,7 %"}[lang] in page.text
    assert game.verdict.head.hex() in page.text


def test_points_follow_from_what_is_shown() -> None:
    """On the table less in hand is what every seat scored, and a deal has thirteen cards for everybody."""
    game = facts(played())

    assert len(game.rounds) == 2
    for one in game.rounds:
        assert [len(hand) for hand in one.deal.hands] == [13, 13]
        for seat, points in enumerate(one.result.points):
            assert one.result.table_points[seat] - one.result.hand_points[seat] == points


def test_the_page_loads_nothing_and_runs_nothing() -> None:
    """No scripts, links, addresses or pictures from elsewhere; the policy of the page forbids them as well."""
    for text in (report(facts(played()), "nl"), overview([("a", facts(played())), ("b", Unread())], "nl")):
        page = Page(text)
        assert not {tag for tag, _ in page.tags} & {"script", "link", "img", "iframe", "a", "object", "form"}
        assert not [
            1 for _, attrs in page.tags if {"src", "href"} & set(attrs) or any(k.startswith("on") for k in attrs)
        ]
        assert "url(" not in text
        assert "://" not in text
        assert any(
            attrs.get("content", "") == "default-src 'none'; style-src 'unsafe-inline'" for _, attrs in page.tags
        )


def test_names_are_text_whatever_they_hold() -> None:
    """Names that look like markup are shown as they are, in the page, its title and its pictures."""
    game = facts(played(hostile_names=True))
    pages = [Page(report(game, "en")), Page(overview([(NAMES[0], game), ("b", game)], "en"))]

    for page in pages:
        assert all(name in page.text for name in NAMES)
        assert not [1 for tag, _ in page.tags if tag == "script"]


def test_a_fault_is_told_with_the_name_of_the_seat() -> None:
    """Who signed what is false is named in the first sentence, with step and code below it."""
    game = faulted()
    page = Page(report(game, "en"))

    assert game.verdict.fault is not None
    assert "Something is wrong: Seat 1 " in page.text
    assert f"step {game.verdict.fault.step} (code audit/seed)" in page.text


def test_a_damaged_file_names_nobody() -> None:
    """Bytes that nobody signed say nothing about a player."""
    data = bytearray(played())
    data[-40] ^= 1
    page = Page(report(facts(bytes(data)), "en"))

    assert sentence("rep.changed", "en") in page.text
    assert "Something is wrong: Seat" not in page.text


def test_a_signed_entry_of_another_kind_names_its_seat() -> None:
    """Who signed an entry that cannot stand there is named, as the text on the command line does."""
    data = (Path(__file__).parents[2] / "spec/vectors/games/chain-draw-for-shares.duizenden").read_bytes()
    game = facts(data)
    page = Page(report(game, "en"))

    assert game.verdict.fault is not None
    assert game.verdict.fault.code == "log/kind"
    assert game.verdict.fault.seat is not None
    assert f"Something is wrong: {game.names[game.verdict.fault.seat]} " in page.text
    assert sentence("rep.changed", "en") not in page.text


def test_a_game_that_is_not_over_is_no_fault() -> None:
    """An honest prefix has no rounds to tell, and says that the game is not over yet."""
    genesis, frames = read_records(played())
    data = write_game(facts(played()).verdict.genesis, frames[:12])
    page = Page(report(facts(data), "en"))

    assert genesis == read_records(data)[0]
    assert sentence("rep.prefix", "en", rounds="0 rounds") in page.text
    assert sentence("rep.no_rounds", "en") in page.text


def test_reshuffles_are_told() -> None:
    """A round in which the stock ran out says how often everybody shuffled the pot again."""
    table = Coupled(2, seed=3, choose=patient)
    table.start()
    table.run()
    game = facts(write_game(table.genesis, table.sessions[0].log_frames()))
    (one,) = game.rounds
    code = "rep.reshuffled.once" if one.reshuffles == 1 else "rep.reshuffled"

    assert one.reshuffles >= 1
    assert sentence(code, "en", count=one.reshuffles) in Page(report(game, "en")).text


def test_partners_have_one_line_in_the_race() -> None:
    """Where seats play in teams the race shows their common total."""
    rules = with_overrides(for_players(preset("basis"), 4), {"team_size": 2})
    table = Coupled(4, seed=3, choose=choose, rules=rules)
    table.start()
    table.run()
    page = Page(report(facts(write_game(table.genesis, table.sessions[0].log_frames())), "en"))

    assert sum(tag == "polyline" for tag, _ in page.tags) == 2


def test_a_game_in_several_files_counts_once() -> None:
    """Copies and prefixes of a game add no deals; the longest that holds counts."""
    whole = facts(played())
    part = facts(write_game(whole.verdict.genesis, read_records(played())[1][:30]))
    other = facts(played(6))

    assert distinct([part, whole, whole, other]) == [whole, other]
    text = Page(overview([("a", part), ("b", whole), ("c", whole), ("d", other)], "en")).text
    assert "There were 4 deals." in text
    assert sentence("rep.all_ok", "en", count=4) in text


def test_the_overview_says_how_many_files_are_wrong() -> None:
    """Files with a fault and files that are no game are counted and marked."""
    page = Page(overview([("good", facts(played())), ("bad", faulted()), ("none", Unread())], "en"))

    assert sentence("rep.some_wrong", "en", wrong=2, count=3) in page.text
    assert page.text.count("✗ ") == 2


def test_pictures_hold_extremes() -> None:
    """One round, no round, seven seats with equal totals, deep minus and no cards at all can be drawn."""
    names = [f"A very long name {seat}" for seat in range(7)]
    for rows in ([], [[0] * 7], [[-400 * k] * 7 for k in range(1, 40)]):
        Page(race(names, rows, 1000, "about"))
    Page(bars(["1"], [0], [0.0], "about"))


# ------------------------------------------------------------------------------------------ the command


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home of one's own."""
    with own_home(tmp_path, monkeypatch) as folder:
        yield folder


def test_verify_writes_a_report(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`verify FILE --html OUT` tells the verdict as ever and writes the page, in the language asked for."""
    file, out = tmp_path / "a.duizenden", tmp_path / "a.html"
    file.write_bytes(played())
    code = main(["verify", str(file), "--html", str(out), "--lang", "nl"])

    assert code == 0
    assert word("verify.html", "nl", file=out) in capsys.readouterr().out
    assert sentence("rep.title", "nl") in out.read_text(encoding="utf-8")


def test_verify_reads_a_folder(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder stands for its game files, deep ones too; the worst verdict decides; every file has a line of JSON."""
    folder, out = tmp_path / "games", tmp_path / "all.html"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.duizenden").write_bytes(played())
    (folder / "deep" / "b.duizenden").write_bytes(b"no game")
    code = main(["verify", str(folder), "--html", str(out), "--json"])
    lines = capsys.readouterr().out.splitlines()
    page = Page(out.read_text(encoding="utf-8"))

    assert code == 2
    assert [
        f'"file": "{folder / name}"' in line
        for name, line in zip(("a.duizenden", "deep/b.duizenden"), lines, strict=True)
    ] == [True, True]
    assert str(Path("deep") / "b.duizenden") in page.text


@pytest.mark.parametrize("out", ["game.duizenden", "notes.txt", "."])
def test_a_report_never_overwrites_a_game(
    out: str, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever does not end in .html is refused before anything is read."""
    game = tmp_path / "game.duizenden"
    game.write_bytes(played())
    code = main(["verify", str(game), "--html", str(tmp_path / out)])

    assert code == 2
    assert word("e.html", "en", file=tmp_path / out) in capsys.readouterr().err
    assert game.read_bytes() == played()


def test_an_empty_folder_is_no_game(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder without game files is exit code 2 with a sentence."""
    assert main(["verify", str(tmp_path)]) == 2
    assert word("e.empty_folder", "en", file=tmp_path) in capsys.readouterr().err


def test_no_game_no_report(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where nothing could be read there is nothing to write."""
    file, out = tmp_path / "a.duizenden", tmp_path / "a.html"
    file.write_bytes(b"")

    assert main(["verify", str(file), "--html", str(out)]) == 2
    assert not out.exists()
