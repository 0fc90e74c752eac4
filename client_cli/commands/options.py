"""Options that several commands share, read into values; what cannot be becomes a `UsageError` with its sentence."""

from __future__ import annotations

import argparse
import glob
from dataclasses import replace
from pathlib import Path

from client_cli.lobby.words import knows, say
from client_cli.messages import sentence
from client_cli.rulecard import rule_card
from node.addresses import BrokerAddress, parse_address
from node.journal import SUFFIX as JOURNAL
from node.profile import MAX_MARKS, clean_name, marks_pile_up
from protocol.errors import IllegalMove
from protocol.rules.rulefields import KINDS
from protocol.rules.rulekinds import NONE, Choice, Number, Switch
from protocol.rules.ruleset import (
    PRESETS,
    ClashError,
    RuleSet,
    check_players,
    for_players,
    parse_override,
    preset,
    with_overrides,
)
from protocol.session.gamefile import SUFFIX
from protocol.wire.limits import MAX_UINT

from .context import Context, UsageError

MAX_PORT = 65535


def rules_of(args: argparse.Namespace, context: Context, players: int) -> RuleSet:
    """The rule card of --rules and --set, widened to this many seats. Raises UsageError."""
    rules = named_rules(args.rules, args.set, context)
    try:
        check_players(rules, players)
        return for_players(rules, players)
    except (ClashError, IllegalMove) as error:
        raise UsageError(context.word("e.players", players=players, detail=_why(error, context))) from None


def named_rules(name: str, overrides: list[str], context: Context) -> RuleSet:
    """A preset with changes. Raises UsageError."""
    if name not in PRESETS:
        raise UsageError(context.word("e.preset", name=name, names=", ".join(PRESETS)))
    changes = {}
    for text in overrides:
        try:
            key, changes[key] = parse_override(text)
        except ValueError:
            name, _, value = (part.strip() for part in text.partition("="))
            if name not in KINDS:
                raise UsageError(context.word("e.set", text=text)) from None
            raise UsageError(context.word("e.set_value", key=name, value=value, values=_values(name))) from None
    try:
        return with_overrides(preset(name), changes) if changes else preset(name)
    except ClashError as error:
        raise UsageError(context.word("e.clash", detail=_why(error, context))) from None


def _values(key: str) -> str:
    """What this rule can be, as it is typed."""
    match KINDS[key]:
        case Number(low, high, optional, none):
            return f"{low}-{high}" + (f", {none}" if optional else "")
        case Choice(words, optional):
            return ", ".join([*words, *([NONE] if optional else [])])
        case Switch():
            return "true, false"


def _why(error: ClashError | IllegalMove, context: Context) -> str:
    """Why these rules cannot be, in words; the two settings themselves where there are none."""
    if isinstance(error, IllegalMove):
        return say(error.code, context.lang)
    code = f"clash.{error.settings[0]}.{error.settings[1]}"
    return say(code, context.lang) if knows(code) else ", ".join(error.settings)


def house_rules(rules: RuleSet, name: str, lang: str) -> list[str]:
    """What deviates from the preset, in words."""
    return [sentence(c.code, lang, **dict(c.facts)) for c in rule_card(rules, name) if c.house]


def name_of(args: argparse.Namespace, context: Context) -> str:
    """The name at the table: --name, else the one used last. It is not kept before there is a table (`keep_name`).

    Raises UsageError for a name of nothing but blanks, or with marks piled up.
    """
    return context.profile.name() if args.name is None else named(args.name, context)


def named(text: str, context: Context) -> str:
    """A name as typed, made fit to be shown. Raises UsageError for nothing but blanks, or marks piled up."""
    if marks_pile_up(text):
        raise UsageError(context.word("e.name_marks", most=MAX_MARKS))
    name = clean_name(text)
    if not name:
        raise UsageError(context.word("e.name"))
    return name


def keep_name(name: str, context: Context) -> None:
    """Keep the name with which somebody got to a table, for the next time."""
    if name != context.profile.name():
        context.profile.remember(name=name)


def rounds_of(args: argparse.Namespace, context: Context) -> int:
    """How many rounds --rounds allows; 0: as many as it takes. Raises UsageError."""
    if args.rounds is not None and args.rounds < 1:
        raise UsageError(context.word("e.rounds"))
    if args.rounds is not None and args.rounds > MAX_UINT:
        raise UsageError(context.word("e.rounds_most", most=MAX_UINT))
    return args.rounds or 0


def port_of(port: int | None, context: Context) -> int | None:
    """The port of --port, None where it was not given. Raises UsageError."""
    if port is not None and not 0 <= port <= MAX_PORT:
        raise UsageError(context.word("e.port", port=port))
    return port


def record_of(game: str, context: Context) -> Path:
    """Where the game file of the saved game with this name is, or will be."""
    return context.profile.records / f"{game}{SUFFIX}"


def game_file(text: str, context: Context) -> Path:
    """The game file that is meant: a file, or the name of a game as `duizenden games` shows it or its beginning.

    Raises UsageError for no name at all (which would be this folder), for a journal, which holds secrets and cannot be
    verified, and where there is no such file.
    """
    if not text:
        raise UsageError(context.word("e.empty_name"))
    path = Path(text)
    if path.suffix == JOURNAL:
        raise UsageError(context.word("e.journal", file=text, record=record_of(path.stem, context)))
    if path.exists():
        return path
    if path.name != text:
        raise UsageError(context.word("e.no_file", file=text))
    name = text.removesuffix(SUFFIX)
    exact = record_of(name, context)
    if exact.is_file():
        return exact
    found = sorted(context.profile.records.glob(f"{glob.escape(name)}*{SUFFIX}")) if name else []
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(context.word("e.several_files", files=", ".join(p.stem for p in found)))
    known = (context.profile.games / f"{name}{JOURNAL}").is_file()
    raise UsageError(context.word("e.no_record" if known else "e.which_file", game=text))


def game_files(texts: list[str], context: Context) -> list[Path]:
    """The game files that are meant, as for `game_file`; a folder stands for all that are in it. Raises UsageError."""
    found: list[Path] = []
    for path in (game_file(text, context) for text in texts):
        inside = sorted(path.rglob(f"*{SUFFIX}")) if path.is_dir() else [path]
        if not inside:
            raise UsageError(context.word("e.empty_folder", file=path))
        found += inside
    return found


def report_file(text: str, context: Context) -> Path:
    """Where a report goes. Raises UsageError for a name that is not of a page: a slip must not overwrite a game."""
    path = Path(text)
    if path.suffix.lower() not in {".html", ".htm"} or path.is_dir():
        raise UsageError(context.word("e.html", file=text))
    return path


def address_of(text: str, context: Context) -> BrokerAddress:
    """A broker's address as typed. Raises UsageError."""
    try:
        return parse_address(text)
    except ValueError as error:
        raise UsageError(context.word("e.address", detail=error)) from None


def broker_of(args: argparse.Namespace, context: Context) -> BrokerAddress | None:
    """The broker of --broker with --ca and --fingerprint; None where it was not given. Raises UsageError."""
    if not args.broker:
        if args.ca or args.fingerprint:
            raise UsageError(context.word("e.trust"))
        return None
    address = address_of(args.broker, context)
    try:
        if args.fingerprint:
            address = replace(address, fingerprint=args.fingerprint.replace(":", "").lower())
        if args.ca:
            address = replace(address, ca=str(Path(args.ca).resolve(strict=True)))
    except OSError as error:
        raise UsageError(context.word("e.file", file=args.ca, detail=error.strerror)) from None
    except ValueError as error:
        raise UsageError(context.word("e.address", detail=error)) from None
    return address


def bot_journals(context: Context) -> Path:
    """The folder for the journals of bots that play for somebody on this machine."""
    folder = context.profile.games / "bots"
    folder.mkdir(exist_ok=True, mode=0o700)
    return folder
