"""The command line: parsing, languages, lists, verdicts, and errors that are always one sentence."""

from __future__ import annotations

import asyncio
import errno
import json
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Any

import pytest

from client_cli.__main__ import DEFAULT_RULES, PRESETS, build_parser, main
from client_cli.commands import context as contexts
from client_cli.commands.arguments import complaint
from client_cli.commands.context import Context, UsageError, guarded
from client_cli.commands.resume import choose
from client_cli.commands.words import LANGUAGES, WORDS, explain, good_verdict, language, word
from client_cli.lobby import errands
from client_cli.messages import sentence
from node.journal import GameInfo, Journal, JournalError
from node.messages import sign, table_id, table_name
from node.offers import read_offer
from node.profile import Profile
from node.room import LobbyError
from node.selfplay import SelfplayConfig, selfplay
from node.ticket import Ticket
from protocol.crypto.identity import SigningKey
from protocol.errors import DuizendenError
from protocol.rules import ruleset
from protocol.session.gamefile import SUFFIX
from protocol.session.genesis import Genesis
from protocol.session.view import Player
from tests.node.test_joining_tables import HOST, OFFER, TABLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

COMMANDS = ("host", "play", "join", "resume", "selfplay", "verify", "games", "rules", "conform")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home and a log of one's own for every test, and an English system."""
    monkeypatch.setattr(contexts.log, "handlers", [])
    monkeypatch.setattr(contexts.log, "propagate", False)
    folder = tmp_path / "home"
    monkeypatch.setenv("DUIZENDEN_HOME", str(folder))
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    yield folder
    for handler in contexts.log.handlers:
        handler.close()


@pytest.fixture(scope="module")
def game_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished seeded game of two."""
    out = tmp_path_factory.mktemp("game")
    rules = ruleset.preset("klassiek")
    config = SelfplayConfig(players=2, rules=rules, rules_name="klassiek", max_rounds=1, out=out, seed="cli")
    assert asyncio.run(selfplay(config)).ok
    return out / "seat1.duizenden"


# ------------------------------------------------------------------------------------------ start and language


def test_help_loads_nothing_heavy() -> None:
    """Showing help imports neither a node, nor a session, nor the terminal library."""
    program = (
        "import sys, client_cli.__main__ as m; code = m.main(['--help']);"
        "heavy = [n for n in ('node', 'protocol.session', 'prompt_toolkit', 'asyncio', 'msgpack') if n in sys.modules];"
        "print(code, heavy, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stderr.strip() == "0 []"
    assert all(command in done.stdout for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_command_has_help(command: str, lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Every command explains itself in both languages."""
    code = main([command, "--help", "--lang", lang])
    shown = " ".join(capsys.readouterr().out.split())

    assert code == 0
    assert word(f"help.{command}", lang) in shown


def test_the_help_names_the_rule_cards_there_are() -> None:
    """The presets that the help lists are those that the rules know."""
    assert sorted(PRESETS) == sorted(ruleset.PRESETS)
    assert DEFAULT_RULES in PRESETS


@pytest.mark.parametrize("command", ["host", "play"])
def test_the_usual_rule_card(command: str) -> None:
    """A table of people plays spelregelwijzer where nobody names a card; self-play keeps klassiek."""
    parser = build_parser("en")

    assert parser.parse_args([command]).rules == "spelregelwijzer"
    assert parser.parse_args(["selfplay", "--players", "2", "--to-end", "--out", "x"]).rules == "klassiek"


@pytest.mark.parametrize(
    ("argv", "environment", "lang"),
    [
        ([], {"LANG": "nl_NL.UTF-8"}, "nl"),
        ([], {"LANG": "de_DE.UTF-8"}, "en"),
        ([], {}, "en"),
        ([], {"LC_ALL": "nl_BE", "LANG": "en_GB"}, "nl"),
        (["--lang", "nl"], {"LANG": "en_GB"}, "nl"),
        (["rules", "--lang=en"], {"LANG": "nl_NL"}, "en"),
        (["--lang", "xx"], {"LANG": "nl_NL"}, "nl"),
    ],
)
def test_language(argv: list[str], environment: dict[str, str], lang: str) -> None:
    """--lang decides, then the system."""
    assert language(argv, environment) == lang


def test_both_languages_say_the_same() -> None:
    """Every sentence exists in both languages with the same facts in it."""
    facts = {
        code: [{f for _, f, _, _ in Formatter().parse(text) if f} for text in pair] for code, pair in WORDS.items()
    }

    assert [code for code, (nl, en) in facts.items() if nl != en] == []
    assert [code for code, pair in WORDS.items() if len(pair) != len(LANGUAGES) or not all(pair)] == []


@pytest.mark.parametrize(
    "argv", [["nonsense"], ["--lang", "xx"], ["selfplay"], ["selfplay", "--players", "x"], ["verify"]]
)
def test_usage_errors(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong command line is exit code 2 and a usage line, whatever is wrong with it."""
    code = main(argv)

    assert code == 2
    assert "usage:" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "usage", "sentence"),
    [
        (["play", "--bots", "2"], "play", "Dit hoort hier niet bij: --bots 2"),
        (["nonsense"], "", "COMMAND: nonsense kan niet; kies uit host, play, "),
        (["play", "--theme", "x"], "play", "--theme: x kan niet; kies uit "),
        (["play", "--seats", "x"], "play", "--seats: x is geen getal."),
        (["join", "--name"], "join", "Bij --name ontbreekt iets: wat erachter hoort."),
        (["games", "--json=1"], "games", "Achter --json hoort niets: 1"),
        (["resume", "--host", "--broker", "x"], "resume", "--broker en --host gaan niet samen."),
        (["verify"], "verify", "Er ontbreekt nog: FILE"),
        (["conform"], "conform", "Een van deze is nodig: --host --join"),
        (["host", "--se", "4"], "host", "--se kan van alles zijn: "),
    ],
)
def test_usage_errors_in_the_language(
    argv: list[str], usage: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is wrong with a command line is told in the person's language, under the usage of the command meant."""
    code = main(["--lang", "nl", *argv])
    lines = capsys.readouterr().err.splitlines()

    assert code == 2
    assert lines[0].startswith(f"gebruik: duizenden {usage}")
    assert lines[-1].startswith(sentence)


def test_a_usage_error_without_words_of_ours_is_told_as_it_is() -> None:
    """A message of argparse that no sentence is for is passed on in a general one."""
    assert complaint("a new message", "nl") == "Zo kan het niet: a new message"


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["pietje"], "Er is geen regelkaart pietje; er zijn: basis, online, "),
        (["--set", "nothing=1"], "Dit is geen huisregel: nothing=1."),
        (["--set", "hand_size"], "Bij hand_size kan  niet; wel: "),
        (["--set", "hand_size=x"], "Bij hand_size kan x niet; wel: 3-20."),
        (["--set", "joker_swap=ja"], "Bij joker_swap kan ja niet; wel: true, false."),
        (["--set", "last_card_call=ja"], "Bij last_card_call kan ja niet; wel: none, "),
        (
            ["basis", "--set", "joker_swap=false", "--set", "joker_swap_opponent=true"],
            "Deze huisregels gaan niet samen: Jokers van anderen omruilen kan alleen als omruilen mag.",
        ),
    ],
)
def test_rule_cards_that_cannot_be(argv: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A rule card that cannot be is refused in the person's language, with what can be instead."""
    code = main(["rules", "--lang", "nl", *argv])

    assert code == 2
    assert capsys.readouterr().err.startswith(sentence)


def test_options_before_and_after_the_command() -> None:
    """--lang and --ascii count wherever they stand, and what stands last wins."""
    parser = build_parser("en")
    before = parser.parse_args(["--lang", "nl", "--ascii", "games"])
    after = parser.parse_args(["games", "--lang", "nl", "--ascii"])
    both = parser.parse_args(["--lang", "en", "games", "--lang", "nl"])

    assert [(a.lang, a.ascii) for a in (before, after, both)] == [("nl", True), ("nl", True), ("nl", False)]


# ------------------------------------------------------------------------------------------ errors


def a_context(tmp_path: Path) -> Context:
    """An English context."""
    return Context(lang="en", ascii=False, profile=Profile(data=tmp_path, logs=tmp_path / "log"))


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (UsageError("do it otherwise"), 2, "do it otherwise"),
        (LobbyError("lobby/full"), 1, "That table is full."),
        (LobbyError("lobby/several", "A, B"), 1, "There are several tables; name one: A, B"),
        (DuizendenError("new/kind"), 1, "Something went wrong (new/kind)"),
        (OSError(errno.ENOSPC, "no space"), 1, "The disk is full"),
        (PermissionError(errno.EACCES, "Permission denied"), 1, "The system refuses: Permission denied"),
        (ZeroDivisionError("a bug"), 1, "Something went wrong (ZeroDivisionError)"),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_errors_become_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], error: BaseException, code: int, sentence: str
) -> None:
    """Whatever ends a command, the person reads one sentence and no traceback."""

    def command(_: Context) -> int:
        raise error

    got = guarded(command, a_context(tmp_path))
    shown = capsys.readouterr().err

    assert got == code
    assert sentence in shown
    assert "Traceback" not in shown
    assert len(shown.strip().splitlines()) <= 1


def test_every_error_of_getting_in_has_its_sentence() -> None:
    """Each code that `LobbyError` documents is explained in words of its own in both languages."""
    import re

    codes = set(re.findall(r"lobby/[a-z-]+", LobbyError.__doc__ or ""))
    explained = {code for code in codes for lang in LANGUAGES if code not in explain(LobbyError(code), lang, "log")}

    assert len(codes) > 8
    assert explained == codes


@pytest.mark.parametrize(
    ("argv", "part"),
    [
        (["--rules", "bridge"], "no rule card bridge"),
        (["--set", "nonsense=1"], "no house rule: nonsense=1"),
        (["--set", "hand_size=many"], "hand_size cannot be many"),
        (["--players", "9"], "cannot be played by 9"),
        (["--players", "1"], "cannot be played by 1"),
        (["--rounds", "0"], "at least one round"),
        (["--rounds", "4294967296"], "at most 4294967295"),
        (["--broker", "http://x"], "address is not right"),
    ],
)
def test_requests_that_cannot_be(
    argv: list[str], part: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Impossible rules, players, rounds and brokers are refused before anything starts, with code 2 and the reason."""
    base = {"--players": "4", "--rounds": "1", "--out": str(tmp_path / "out")}
    given = dict(zip(argv[::2], argv[1::2], strict=True))
    code = main(["selfplay", *[part for pair in (base | given).items() for part in pair]])

    assert code == 2
    assert part in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


# ------------------------------------------------------------------------------------------ verify


def test_a_good_game_verifies(game_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A complete game is exit code 0, with a table of what was checked."""
    code = main(["verify", str(game_file)])
    shown = capsys.readouterr().out

    assert code == 0
    assert "the game is over" in shown
    assert "test game from a known seed" in shown
    assert all(word(f"verify.{name}", "en") in shown for name in ("signatures", "shuffle_proofs", "moves", "shares"))


def test_the_verdict_as_json(game_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--json has the verdict, completeness, no fault and counts above zero of everything that a round has."""
    code = main(["verify", str(game_file), "--json"])
    verdict = json.loads(capsys.readouterr().out)

    assert (code, verdict["ok"], verdict["complete"], verdict["fault"]) == (0, True, True, None)
    assert all(count > 0 for count in verdict["checks"].values())


def test_an_honest_prefix_is_not_a_fault(game_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A game file that ends early, between two entries, is in order but not complete."""
    data = game_file.read_bytes()
    at = data.index(b"\n") + 1
    cuts = []
    while at < len(data):
        at += 4 + int.from_bytes(data[at : at + 4], "little")
        cuts.append(at)
    prefix = tmp_path / "prefix.duizenden"
    prefix.write_bytes(data[: cuts[len(cuts) // 2]])
    code = main(["verify", str(prefix), "--json"])
    verdict = json.loads(capsys.readouterr().out)

    assert (code, verdict["ok"], verdict["complete"]) == (0, True, False)


def test_a_changed_byte_is_a_fault(game_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A byte changed inside an entry is exit code 1 and names seat, step and code, in words and as JSON."""
    data = bytearray(game_file.read_bytes())
    data[-40] ^= 1
    changed = tmp_path / "changed.duizenden"
    changed.write_bytes(data)
    codes = [main(["verify", str(changed)]), main(["verify", str(changed), "--json"])]
    words, verdict = capsys.readouterr().out.split("\n{", 1)
    fault = json.loads("{" + verdict)["fault"]

    assert codes == [1, 1]
    assert {"seat", "step", "code"} <= set(fault)
    assert fault["code"] in words


@pytest.mark.parametrize("content", [None, b"", b"not a game", b"DUIZENDEN GAME 1\n\xff\xff"])
def test_no_game_at_all(content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A missing file and bytes that are no game are exit code 2, with one sentence and parseable JSON."""
    path = tmp_path / "x.duizenden"
    if content is not None:
        path.write_bytes(content)
    code = main(["verify", str(path), "--json"])
    out, err = capsys.readouterr()

    assert code == 2
    assert json.loads(out)["ok"] is False
    assert len(err.strip().splitlines()) == 1


# ------------------------------------------------------------------------------------------ rules and games


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_rule_cards_in_words(preset: str, lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Every preset is told in words in both languages, without house rules."""
    code = main(["rules", preset, "--lang", lang])
    shown = capsys.readouterr().out

    assert code == 0
    assert len(shown.splitlines()) > 20
    assert f"[{sentence('rulepage.label.house', lang)}]" not in shown


def test_house_rules_are_marked(capsys: pytest.CaptureFixture[str]) -> None:
    """A changed rule is marked in words and listed as JSON, and only that one."""
    codes = [main(["rules", "klassiek", "--set", "opening_minimum=40", *more]) for more in ([], ["--json"])]
    words, values = capsys.readouterr().out.rsplit("\n{", 1)
    card = json.loads("{" + values)

    assert codes == [0, 0]
    assert words.count("[house rule]") >= 1
    assert (card["house_rules"], card["values"]["opening_minimum"]) == (["opening_minimum"], "40")


def test_unknown_rule_card(capsys: pytest.CaptureFixture[str]) -> None:
    """A preset that does not exist is exit code 2 and names those that do."""
    code = main(["rules", "bridge"])

    assert code == 2
    assert "klassiek" in capsys.readouterr().err


def saved(home: Path, number: int, progress: dict[str, Any] | None, *, seats: int = 2, **house: str) -> Journal:
    """A journal of a game in the home folder."""
    keys = [SigningKey(bytes([number, seat]) * 16) for seat in range(seats)]
    players = tuple(Player(name=f"P{seat}", bot=bool(seat), key=key.public) for seat, key in enumerate(keys))
    table = table_id(keys[0].public, bytes(16))
    rules = ruleset.with_overrides(ruleset.preset("klassiek"), house)
    genesis = Genesis(table=table, rules=rules, rules_name="klassiek", players=players, created=1_700_000_000)
    folder = Profile(data=home, logs=home / "log").games
    info = GameInfo(genesis=genesis.encode(), seat=0, seed=bytes([number, 0]) * 16, role="host")
    journal = Journal.create(folder / f"{table_name(table)[:8]}-1.journal", info, bytes(32), {"broker": "mqtt://h:1"})
    if progress is not None:
        journal.update_settings(progress=progress)
    return journal


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["verify", ""], "Name a game file or a game.\n"),
        (["verify", "--evidence", ""], "Name a game file or a game.\n"),
        (["replay", ""], "Name a game file or a game.\n"),
        (
            ["selfplay", "--players", "2", "--rounds", "1", "--out", "o", "--seed", "\udcff"],
            "What --seed holds is no text.\n",
        ),
    ],
)
def test_names_and_seeds_that_are_none(argv: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    """No name at all does not mean this folder, and a seed is text: both are refused with a sentence."""
    assert main(argv) == 2
    assert capsys.readouterr().err.endswith(sentence)


def test_what_the_system_refuses_is_named(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A home that is a file ends a command with a sentence that names the path."""
    home.write_bytes(b"")

    assert main(["games"]) == 1
    assert f"{home}" in capsys.readouterr().err


def test_no_saved_games(capsys: pytest.CaptureFixture[str]) -> None:
    """Without saved games the list says so, and as JSON it is empty."""
    codes = [main(["games"]), main(["games", "--json"])]
    shown = capsys.readouterr().out.splitlines()

    assert codes == [0, 0]
    assert shown == ["There are no saved games.", "[]"]


def test_saved_games(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Saved games are listed with their players and how far they are; one that is open elsewhere is marked."""
    saved(home, 1, None).close()
    saved(home, 2, {"stage": "finished", "round": 7, "totals": [1010, -35]}).close()
    saved(home, 3, {"stage": "playing", "round": 3, "totals": [10, 20]}).close()
    saved(home, 5, {"stage": "finished", "round": 1, "totals": [0, 0], "departed": [1]}).close()
    busy = saved(home, 4, None)
    codes = [main(["games"]), main(["games", "--json"])]
    busy.close()
    *rows, listed = capsys.readouterr().out.splitlines()
    over = [game["over"] for game in json.loads(listed)]

    assert codes == [0, 0]
    assert len(rows) == 10
    assert sum("no game file yet" in row for row in rows) == 5
    rows = rows[::2]
    parts = ("P0, P1", "ended: P0 1010, P1 -35", "broken off: P0 0, P1 0", "round 3", "just begun")
    assert [sum(part in row for row in rows) for part in parts] == [4, 1, 1, 1, 1]
    assert [row for row in rows if "being played" in row] == [row for row in rows if "P0" not in row]
    assert sorted(over) == [False, False, False, True, True]


def test_a_game_that_was_played_on_is_not_broken_off(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where the others played on without a seat their game has ended, or goes on, like any other."""
    left = {"totals": [1005, 20, 700], "round": 7}
    ends = ({"stage": "finished", "departed": [1]}, {"stage": "between", "departed": [1]})
    for number, end in enumerate((*ends, {"stage": "finished", "departed": [1, 2]}), start=1):
        saved(home, number, {**left, **end}, seats=3, resign="play_on").close()
    code = main(["games", "--json"])
    games = json.loads(capsys.readouterr().out)

    assert code == 0
    assert sorted((game["over"], game["broken_off"]) for game in games) == [(False, False), (True, False), (True, True)]


def test_a_seat_to_come_back_to_is_listed(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A seat whose game has not begun on this machine is among the games, and is what `resume` alone goes back to."""
    monkeypatch.setattr("node.joining.REACH", 0.05)
    offer = read_offer(TABLE, sign(HOST, TABLE, OFFER))
    settings = {"name": "Joep", "bot": False, "files": [], "records": None, "auto_continue": False}
    nowhere = settings | {"broker": "mqtt://127.0.0.1:9"}
    Ticket.write(Profile(data=home, logs=home / "log").games, offer, b"s" * 32, b"t" * 32, nowhere).close()
    codes = [main(["games"]), main(["games", "--json"]), main(["resume"])]
    told = capsys.readouterr()
    row, listed, back = told.out.splitlines()[:3]

    assert codes == [0, 0, 1]
    assert row.endswith("your seat at the table of Vals, not begun here yet")
    assert [(game["role"], game["players"]) for game in json.loads(listed)] == [("ticket", ["Vals"])]
    assert back.startswith("Back to your seat (")


@pytest.mark.parametrize(
    "harm", [lambda _: b"", lambda whole: whole[:100], lambda whole: bytes(b ^ 255 for b in whole)]
)
def test_a_damaged_game_is_called_damaged(
    harm: Callable[[bytes], bytes], home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A journal that is empty, cut off or spoiled is listed, and resuming it says what is wrong and what is left."""
    journal = saved(home, 1, None)
    journal.close()
    journal.path.write_bytes(harm(journal.path.read_bytes()))
    name = journal.path.stem
    record = Profile(data=home, logs=home / "log").records / f"{name}{SUFFIX}"
    codes = [main(["resume", name]), main(["games"])]
    record.write_bytes(b"")
    codes += [main(["resume", name[:4]]), main(["games"]), main(["games", "--json"])]
    told = capsys.readouterr()
    bare, row, file, listed = told.out.splitlines()

    assert codes == [1, 0, 1, 0, 0]
    assert bare == row
    sentence = "The journal of that game is damaged."
    assert told.err.splitlines() == [sentence, sentence, f"{name}  game file: {record}"]
    assert (row, file) == (f"{name}  damaged: it cannot be played on", f"  game file: {record}")
    assert [game["problem"] for game in json.loads(listed)] == ["journal/damaged"]


def test_a_damaged_game_does_not_hide_another(home: Path) -> None:
    """The beginning of a name means the game that can be played, its whole name the damaged one."""
    context = Context(lang="en", ascii=False, profile=Profile(data=home, logs=home / "log"))
    good, bad = saved(home, 1, None), context.profile.games / "x.journal"
    good.close()
    bad.write_bytes(b"")
    longer = good.path.rename(bad.with_name("xy.journal"))

    assert choose("xy", context) == longer
    assert choose(None, context) == longer
    with pytest.raises(JournalError, match="damaged"):
        choose("x", context)


def test_the_lobby_shows_games_to_go_on_with_first(home: Path) -> None:
    """In the lobby's list games that are over come late, one broken off is marked, and damaged ones come last."""
    for number, stage in ((1, "playing"), (2, "finished"), (3, "playing"), (4, "finished")):
        departed = [1] if number == 4 else []
        saved(home, number, {"stage": stage, "round": 1, "totals": [0, 0], "departed": departed}).close()
    profile = Profile(data=home, logs=home / "log")
    (profile.games / "x.journal").write_bytes(b"")
    *rows, lost = errands.games(profile)

    assert (lost.name, lost.problem, lost.date) == ("x", "damaged", "")
    assert not any(row.problem for row in rows)
    assert [row.over for row in rows] == [False, False, True, True]
    assert sorted(row.broken_off for row in rows if row.over) == [False, True]
    assert not any(row.broken_off for row in rows if not row.over)


@pytest.mark.parametrize(
    ("complete", "broken_off", "code"),
    [(True, False, "verify.ok"), (True, True, "verify.broken_off"), (False, False, "verify.prefix")],
)
def test_a_game_broken_off_is_not_called_over(complete: bool, broken_off: bool, code: str) -> None:
    """A game without a fault was played to its end, broken off, or is not over yet."""
    assert good_verdict(complete=complete, broken_off=broken_off) == code


def test_which_game_resumes(home: Path, tmp_path: Path) -> None:
    """Without a name the newest open game is meant; a name may be shortened; a game that is not there is refused."""
    from client_cli.commands.resume import choose

    saved(home, 1, {"stage": "finished", "round": 7, "totals": [1010, -35]}).close()
    open_game = saved(home, 2, {"stage": "playing", "round": 1, "totals": [0, 0]})
    open_game.close()
    context = Context(lang="en", ascii=False, profile=Profile(data=home, logs=home / "log"))

    assert choose(None, context) == open_game.path
    assert choose(open_game.path.stem[:5], context) == open_game.path
    assert choose(str(open_game.path), context) == open_game.path
    with pytest.raises(UsageError):
        choose("nothing", context)
    with pytest.raises(UsageError):
        choose(None, Context(lang="en", ascii=False, profile=Profile(data=tmp_path / "no", logs=tmp_path)))


def test_a_game_in_another_window_is_no_missing_game(home: Path) -> None:
    """Without a name, and with the only game open elsewhere, the person is told that it is being played there."""
    from client_cli.commands.resume import choose

    context = Context(lang="en", ascii=False, profile=Profile(data=home, logs=home / "log"))
    with (
        closing(saved(home, 1, {"stage": "playing", "round": 1, "totals": [0, 0]})),
        pytest.raises(UsageError, match="being played in another window"),
    ):
        choose(None, context)


def test_the_log_goes_to_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An unexpected error leaves its traceback in the log file and only its sentence on the screen."""

    def command(_: Context) -> int:
        raise ZeroDivisionError("a bug")

    guarded(command, a_context(tmp_path))

    assert "ZeroDivisionError: a bug" in (tmp_path / "log" / "duizenden.log").read_text(encoding="utf-8")
    assert "Traceback" not in capsys.readouterr().err


def test_game_files_have_one_suffix(game_file: Path) -> None:
    """The suffix of game files is the one that the help names."""
    assert game_file.suffix == SUFFIX
    assert SUFFIX in word("arg.file", "en")
