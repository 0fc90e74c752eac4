"""What values a rule may have, and the one text form of each value.

Only kinds of values live here; which rule has which kind stands in `ruleset`. The text forms are used by the
canonical rule card, by overrides on the command line and by logs, so there is exactly one text per value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Value: TypeAlias = bool | int | str | None

NONE = "none"
"""Text of a value that is absent (no limit, not applicable)."""


@dataclass(frozen=True, slots=True)
class Switch:
    """True or false."""

    def check(self, value: object) -> Value:
        """The value itself. Raises ValueError unless it is a bool."""
        if value is True or value is False:
            return value
        raise ValueError("must be true or false")

    def parse(self, text: str) -> Value:
        """The value written as `write` does. Raises ValueError for any other text."""
        if text not in {"true", "false"}:
            raise ValueError("must be true or false")
        return text == "true"


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number from `low` to `high`; None too when `optional` (written `none`, or `word` where one is given)."""

    low: int
    high: int
    optional: bool = False
    word: str = NONE

    def check(self, value: object) -> Value:
        """The value itself. Raises ValueError unless it is a whole number in range (or an allowed None)."""
        if self.optional and (value is None or value == self.word):
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not self.low <= value <= self.high:
            raise ValueError(f"must be a whole number from {self.low} to {self.high}{self._alternative()}")
        return value

    def parse(self, text: str) -> Value:
        """The value written as `write` does. Raises ValueError for any other text."""
        if self.optional and text in {NONE, self.word}:
            return None
        if not (text.isascii() and text.isdigit()) or str(int(text)) != text:
            raise ValueError(f"must be a whole number from {self.low} to {self.high}{self._alternative()}")
        return self.check(int(text))

    def _alternative(self) -> str:
        return f" or {self.word}" if self.optional else ""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the listed words; None too when `optional`."""

    words: tuple[str, ...]
    optional: bool = False

    def check(self, value: object) -> Value:
        """The word. Raises ValueError for anything else; a bool stands for its own text where that is a listed word."""
        if self.optional and value is None:
            return None
        word = write(value) if isinstance(value, bool) else value
        if not isinstance(word, str) or word not in self.words:
            raise ValueError(f"must be one of {', '.join(self.words)}{' or none' if self.optional else ''}")
        return word

    def parse(self, text: str) -> Value:
        """The value written as `write` does. Raises ValueError for any other text."""
        return self.check(None if self.optional and text == NONE else text)


Kind: TypeAlias = Switch | Number | Choice


def write(value: Value) -> str:
    """The one text of a value: `true`, `false`, decimal digits, a word, or `none`."""
    if value is None:
        return NONE
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
