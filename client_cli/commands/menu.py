"""The lobby in plain lines: a numbered menu; each choice asks what it needs and runs the command of that name."""

from __future__ import annotations

import importlib
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .context import UsageError, guarded, run_async
from .options import named
from .words import LANGUAGES

if TYPE_CHECKING:
    from .context import Context


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked for one argument of a command: the option it becomes (empty: the argument itself)."""

    code: str
    option: str = ""
    number: bool = False
    needed: bool = False


RULES = Question("menu.ask.rules", "--rules")
SEATS = Question("menu.ask.seats", "--seats", number=True)
PRESET = Question("menu.ask.preset")
FILE = Question("menu.ask.file", needed=True)
COMMANDS: dict[str, tuple[Question, ...]] = {
    "play": (RULES, SEATS, Question("menu.ask.rounds", "--rounds", number=True)),
    "host": (RULES, SEATS, Question("menu.ask.bots", "--bots", number=True)),
    "join": (Question("menu.ask.where"),),
    "resume": (Question("menu.ask.game"),),
    "games": (),
    "watch": (Question("menu.ask.where"),),
    "verify": (FILE,),
    "replay": (FILE,),
    "rules": (PRESET,),
    "doctor": (),
}
"""The commands of the menu and what each asks, in the order of the numbers."""
ROWS = (*COMMANDS, "name", "lang", "leave")


LEAVING = ("q", "quit", "stop")
"""What leaves the menu besides its row."""


class LeftError(Exception):
    """The person leaves the menu, with this exit code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def run_menu(context: Context) -> int:
    """Show the menu and do what is chosen, until the person leaves or there are no more lines. The exit code."""
    try:
        while True:
            _show(context)
            context = _do(_chosen(context), context)
    except LeftError as left:
        return left.code


def _show(context: Context) -> None:
    context.say("menu.title")
    for number, name in enumerate(ROWS, start=1):
        text = context.word(f"menu.{name}", **({"name": context.profile.name()} if name == "name" else {}))
        context.say("menu.row", number=number, text=text)


def _chosen(context: Context) -> str:
    """The row that the person chooses, by its number or its name."""
    while True:
        answer = _asked(None, context).lower()
        if answer in LEAVING:
            return "leave"
        if answer in ROWS:
            return answer
        if answer.isascii() and answer.isdigit() and 1 <= int(answer[:4]) <= len(ROWS):
            return ROWS[int(answer[:4]) - 1]
        if answer:
            context.say("menu.which", most=len(ROWS))
        else:
            _show(context)


def _do(row: str, context: Context) -> Context:
    """Do what this row says; the context afterwards. Raises LeftError."""
    match row:
        case "leave":
            raise LeftError(0)
        case "lang":
            lang = LANGUAGES[1 - LANGUAGES.index(context.lang)]
            context.profile.remember(lang=lang)
            return replace(context, lang=lang)
        case "name":
            answer = _asked("menu.ask.name", context)
            try:
                if answer:
                    context.profile.remember(name=named(answer, context))
            except UsageError as error:
                context.show(str(error))
        case _:
            words = [word for question in COMMANDS[row] for word in _answer(question, context)]
            code = _run([row, *words], context)
            if code >= 128 or sys.stdout.closed:
                raise LeftError(code)
    return context


def _answer(question: Question, context: Context) -> tuple[str, ...]:
    """The arguments that the answer becomes; none for an empty answer."""
    from client_cli.__main__ import DEFAULT_RULES, PRESETS

    cards = {str(number): name for number, name in enumerate(PRESETS, start=1)}
    names = ", ".join(f"{number} {name}" for number, name in cards.items())
    while True:
        answer = _asked(question.code, context, preset=DEFAULT_RULES, cards=names)
        if not answer and not question.needed:
            return ()
        if question.number and not (answer.isascii() and answer.isdigit() and len(answer) < 4):
            context.say("menu.no_number")
        elif answer:
            if question in {RULES, PRESET}:
                answer = cards.get(answer, answer)
            return (f"{question.option}={answer}",) if question.option else (answer,)


def _asked(code: str | None, context: Context, **facts: object) -> str:
    """A line from the person. Raises LeftError when there are no more."""
    from client_cli.linear.lines import typed

    heard: list[str | None] = []

    async def listen() -> int:
        heard.append(await typed().next())
        return 0

    if code is not None:
        context.say(code, **facts)
    ended = run_async(listen, context)
    if ended or heard[0] is None:
        raise LeftError(ended)
    return heard[0].strip()


def _run(words: list[str], context: Context) -> int:
    """Run a command as if it had been typed; its errors are told, and the menu goes on."""
    from client_cli.__main__ import JUDGES, PLAYERS, build_parser

    try:
        args = build_parser(context.lang).parse_args(words)
    except SystemExit:  # argparse has said what cannot be
        return 2
    module = importlib.import_module(f"client_cli.commands.{args.module}")
    failed = 2 if args.module in JUDGES else 1
    played = args.module in PLAYERS
    return guarded(lambda context: int(module.run(args, context)), context, failed=failed, played=played)
