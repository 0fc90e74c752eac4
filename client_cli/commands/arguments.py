"""A command line that says what is wrong with it in the person's language, under the usage of the very command."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from .words import word

USAGE = 2
"""Exit code of a command line that cannot be."""

MISTAKES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (code, re.compile(pattern, re.DOTALL))
    for code, pattern in (
        ("usage.choice", r"argument (?P<what>.+?): invalid choice: '?(?P<value>.*?)'? \(choose from (?P<choices>.*)\)"),
        ("usage.number", r"argument (?P<what>.+?): invalid (?:int|float) value: '?(?P<value>.*?)'?"),
        ("usage.value", r"argument (?P<what>.+?): expected .* arguments?"),
        ("usage.no_value", r"argument (?P<what>.+?): ignored explicit argument '?(?P<value>.*?)'?"),
        ("usage.not_both", r"argument (?P<what>.+?): not allowed with argument (?P<other>.*)"),
        ("usage.unknown", r"unrecognized arguments: (?P<value>.*)"),
        ("usage.missing", r"the following arguments are required: (?P<what>.*)"),
        ("usage.one_of", r"one of the arguments (?P<what>.*) is required"),
        ("usage.ambiguous", r"ambiguous option: (?P<value>.*) could match (?P<choices>.*)"),
    )
)
"""What argparse finds wrong, by the sentence that says it here; it has no other names for its messages."""


def complaint(message: str, lang: str) -> str:
    """The sentence for a message of argparse; in general words with that message where it is an unknown one."""
    for code, pattern in MISTAKES:
        if found := pattern.fullmatch(message):
            return word(code, lang, **{name: value.replace("'", "") for name, value in found.groupdict().items()})
    return word("usage.other", lang, detail=message)


def parser_class(lang: str) -> type[argparse.ArgumentParser]:
    """A parser that speaks this language; those of its commands do so too."""

    class Parser(argparse.ArgumentParser):
        def parse_known_args(  # type: ignore[override]  # the overloads of the stub say no more
            self, args: Sequence[str] | None = None, namespace: Any = None
        ) -> tuple[Any, list[str]]:
            """Refuse here what this command does not know, rather than under the usage of the whole program."""
            found, rest = super().parse_known_args(args, namespace)
            if rest:
                self.error(f"unrecognized arguments: {' '.join(rest)}")
            return found, rest

        def format_usage(self) -> str:
            return super().format_usage().replace("usage: ", word("usage", lang), 1)

        def error(self, message: str) -> NoReturn:
            """End with the usage and one sentence. Raises SystemExit with code 2."""
            self.print_usage(sys.stderr)
            self.exit(USAGE, complaint(message, lang) + "\n")

    return Parser
