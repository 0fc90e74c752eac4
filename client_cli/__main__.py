"""The command line: `duizenden COMMAND ..`. Only arguments here; what a command does is in `client_cli.commands`.

Start-up matters: this module imports nothing that is not needed to show the help.
"""

from __future__ import annotations

try:
    import argparse
    import importlib
    import logging
    import os
    import sys
    from collections.abc import Sequence
    from typing import Any

    from client_cli.commands.arguments import parser_class
    from client_cli.commands.words import LANGUAGES, given_language, language, word
    from client_cli.theme import THEMES
except KeyboardInterrupt:  # this early nobody else can catch it
    raise SystemExit(130) from None

INTERRUPTED = 130
JUDGES = ("verify", "replay", "conform")
"""Commands whose exit code 1 is a verdict: what fails there for any other reason is a 2."""
PLAYERS = ("lobby", "host", "play", "join", "resume")
"""Commands that play a game of this person, which can be gone on with when they fail."""
PRESETS = ("basis", "online", "schoppenvrouwen", "spelregelwijzer", "klassiek", "modern")
"""Names of the rule cards, for the help; the rules themselves know which there are (a test compares)."""
DEFAULT_RULES = "spelregelwijzer"
"""What is played at a table when nobody names a card."""
SELFPLAY_RULES = "klassiek"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 failed, 2 cannot be, 130 interrupted. Never raises."""
    logging.raiseExceptions = False  # a log on a full disk is lost in silence: the terminal belongs to the game
    try:
        replace_closed_streams()
        return _run(argv)
    except KeyboardInterrupt:  # while the command was being loaded
        return INTERRUPTED


def replace_closed_streams() -> None:
    """Put the null device where a standard stream was closed before the start (`<&-`): it is no terminal.

    Otherwise the first file that is opened, a journal perhaps, would become the standard stream of that number.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115  for good


def _run(argv: Sequence[str] | None) -> int:
    words = list(sys.argv[1:] if argv is None else argv)
    lang = language(words, os.environ)
    try:
        args = build_parser(lang).parse_args(words)
    except SystemExit as exit_:  # argparse has printed help or usage
        return exit_.code if isinstance(exit_.code, int) else 2
    from client_cli.commands.context import guarded, make_context

    module = importlib.import_module(f"client_cli.commands.{args.module}")
    chosen = given_language(words) is not None
    context = make_context(
        lang, plain=args.ascii, linear=args.linear, chosen=chosen, theme=args.theme, mouse=args.mouse
    )
    failed = 2 if args.module in JUDGES else 1
    played = args.module in PLAYERS
    return guarded(lambda context: int(module.run(args, context)), context, failed=failed, played=played)


class _ShowVersion(argparse.Action):
    """Print the versions of program and protocol and end; argparse's own would look them up on every start."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from node.profile import app_version
        from protocol.wire.entry import VERSION

        print(f"duizenden {app_version()} (protocol {VERSION})")
        parser.exit()


def build_parser(lang: str) -> argparse.ArgumentParser:
    """All commands and options, with help in this language."""
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--lang", choices=LANGUAGES, default=lang, help=word("opt.lang", lang))
    common.add_argument("--ascii", action="store_true", help=word("opt.ascii", lang))
    common.add_argument("--linear", "--lineair", action="store_true", help=word("opt.linear", lang))
    common.add_argument("--theme", choices=THEMES, help=word("opt.theme", lang))
    common.add_argument("--no-mouse", dest="mouse", action="store_false", help=word("opt.mouse", lang))
    parser = parser_class(lang)(prog="duizenden", description=word("app", lang), parents=[common])
    parser.add_argument("--version", action=_ShowVersion, nargs=0, help=word("opt.version", lang))
    parser.set_defaults(module="lobby")
    commands = parser.add_subparsers(metavar="COMMAND", title="commands")

    def command(name: str, module: str) -> argparse.ArgumentParser:
        text = word(f"help.{name}", lang)
        # the options of `common` may stand before and after the command: only what is given there counts
        again = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
        again.add_argument("--lang", choices=LANGUAGES, help=word("opt.lang", lang))
        again.add_argument("--ascii", action="store_true", help=word("opt.ascii", lang))
        again.add_argument("--linear", "--lineair", action="store_true", help=word("opt.linear", lang))
        again.add_argument("--theme", choices=THEMES, help=word("opt.theme", lang))
        again.add_argument("--no-mouse", dest="mouse", action="store_false", help=word("opt.mouse", lang))
        made = commands.add_parser(name, help=text, description=text, parents=[again])
        made.set_defaults(module=module)
        return made

    _table_options(command("host", "host"), lang, own_machine_only=False)
    _table_options(command("play", "play"), lang, own_machine_only=True)
    _join_options(command("join", "join"), lang)
    _watch_options(command("watch", "watch"), lang)
    _resume_options(command("resume", "resume"), lang)
    _selfplay_options(command("selfplay", "selfplay"), lang)
    verify = command("verify", "verify")
    verify.add_argument("files", metavar="FILE", nargs="+", help=word("arg.files", lang))
    verify.add_argument("--evidence", action="store_true", help=word("opt.evidence", lang))
    verify.add_argument("--html", metavar="OUT", help=word("opt.html", lang))
    verify.add_argument("--json", action="store_true", help=word("opt.json", lang))
    command("replay", "replay").add_argument("file", metavar="FILE", help=word("arg.file", lang))
    doctor = command("doctor", "doctor")
    doctor.add_argument("--broker", metavar="URL", help=word("opt.probe", lang))
    doctor.add_argument("--json", action="store_true", help=word("opt.json", lang))
    _conform_options(command("conform", "conform"), lang)
    games = command("games", "games")
    games.add_argument("--json", action="store_true", help=word("opt.json", lang))
    rules = command("rules", "rules")
    rules.add_argument("preset", metavar="PRESET", nargs="?", help=word("arg.preset", lang))
    rules.add_argument("--set", metavar="K=V", action="append", default=[], help=word("opt.set", lang))
    rules.add_argument("--json", action="store_true", help=word("opt.json", lang))
    return parser


def _broker_options(parser: argparse.ArgumentParser, lang: str) -> None:
    parser.add_argument("--broker", metavar="URL", help=word("opt.broker", lang))
    _trust_options(parser, lang)


def _trust_options(parser: argparse.ArgumentParser, lang: str) -> None:
    parser.add_argument("--ca", metavar="FILE", help=word("opt.ca", lang))
    parser.add_argument("--fingerprint", metavar="HEX", help=word("opt.fingerprint", lang))


def _rule_options(parser: argparse.ArgumentParser, lang: str, default: str) -> None:
    help_text = word("opt.rules", lang, presets=", ".join(PRESETS))
    parser.add_argument("--rules", metavar="PRESET", default=default, help=help_text)
    parser.add_argument("--set", metavar="K=V", action="append", default=[], help=word("opt.set", lang))


def _table_options(parser: argparse.ArgumentParser, lang: str, *, own_machine_only: bool) -> None:
    _rule_options(parser, lang, DEFAULT_RULES)
    parser.add_argument("--seats", metavar="N", type=int, default=4, help=word("opt.seats", lang))
    parser.add_argument("--rounds", metavar="R", type=int, help=word("opt.rounds", lang))
    parser.add_argument("--name", metavar="NAME", help=word("opt.name", lang))
    if not own_machine_only:
        parser.add_argument("--bots", metavar="N", type=int, default=0, help=word("opt.bots", lang))
        _broker_options(parser, lang)
        parser.add_argument("--tls", action="store_true", help=word("opt.tls", lang))
        parser.add_argument("--port", metavar="N", type=int, help=word("opt.port", lang))
        parser.add_argument("--sealed", action="store_true", help=word("opt.sealed", lang))


def _join_options(parser: argparse.ArgumentParser, lang: str) -> None:
    _watch_options(parser, lang)
    parser.add_argument("--name", metavar="NAME", help=word("opt.name", lang))


def _watch_options(parser: argparse.ArgumentParser, lang: str) -> None:
    parser.add_argument("--code", metavar="CODE", help=word("opt.code", lang))
    parser.add_argument("where", metavar="CODE|TABLE|HOST[:PORT]", nargs="*", help=word("arg.where", lang))
    _broker_options(parser, lang)


def _resume_options(parser: argparse.ArgumentParser, lang: str) -> None:
    parser.add_argument("game", metavar="GAME", nargs="?", help=word("arg.game", lang))
    _trust_options(parser, lang)
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--broker", metavar="URL", help=word("opt.broker", lang))
    where.add_argument("--host", action="store_true", help=word("opt.serve", lang))


def _selfplay_options(parser: argparse.ArgumentParser, lang: str) -> None:
    _rule_options(parser, lang, SELFPLAY_RULES)
    parser.add_argument("--players", metavar="N", type=int, required=True, help=word("opt.players", lang))
    length = parser.add_mutually_exclusive_group(required=True)
    length.add_argument("--rounds", metavar="R", type=int, help=word("opt.rounds", lang))
    length.add_argument("--to-end", action="store_true", help=word("opt.to_end", lang))
    parser.add_argument("--broker", metavar="embedded|URL", default="embedded", help=word("opt.broker", lang))
    parser.add_argument("--sealed", action="store_true", help=word("opt.sealed", lang))
    parser.add_argument("--seed", metavar="S", help=word("opt.seed", lang))
    parser.add_argument("--out", metavar="DIR", required=True, help=word("opt.out", lang))


def _conform_options(parser: argparse.ArgumentParser, lang: str) -> None:
    way = parser.add_mutually_exclusive_group(required=True)
    way.add_argument("--host", action="store_true", help=word("opt.conform_host", lang))
    way.add_argument("--join", metavar="TABLE", nargs="?", const="", help=word("opt.conform_join", lang))
    parser.add_argument("--broker", "--connect", metavar="URL", help=word("opt.broker", lang))
    _trust_options(parser, lang)
    parser.add_argument("--port", metavar="N", type=int, help=word("opt.port", lang))
    parser.add_argument("--seats", metavar="N", type=int, default=3, help=word("opt.seats", lang))
    _rule_options(parser, lang, DEFAULT_RULES)
    parser.add_argument("--scenario", metavar="NAME", action="append", default=[], help=word("opt.scenario", lang))
    parser.add_argument("--wait", metavar="S", type=float, help=word("opt.wait", lang))
    parser.add_argument("--json", action="store_true", help=word("opt.json", lang))


if __name__ == "__main__":
    raise SystemExit(main())
