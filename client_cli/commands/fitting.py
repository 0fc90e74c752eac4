"""Text made to fit a plain terminal: folded at words, and in plain letters where nothing else can be shown.

Values only. Which terminal it is, is known to `context`.
"""

from __future__ import annotations

import codecs
import re
import textwrap
import unicodedata

PLAIN_LETTERS = "duizenden-plain-letters"
"""An error handler for encoders: what the encoding lacks becomes the plain letters that come nearest."""

_GAP = " " * 3
_GLUE = "\0"
_SPELLED = {
    **dict(zip("“”„‘’–—−·øØłŁđ", '"""\'\'----oOlLd', strict=True)),
    **dict(zip("ßæÆœŒ→←", ("ss", "ae", "AE", "oe", "OE", "->", "<-"), strict=True)),
}


def plain(text: str) -> str:
    """The text in ASCII: accents are left off, signs are spelled, what has no plain letter is a question mark."""
    return text.encode("ascii", PLAIN_LETTERS).decode("ascii")


def harmless(text: str) -> str:
    """The text with every character that could move a cursor or turn the line around written as its code point."""
    return "".join(_written(char) if _moves(char) else char for char in text)


def _moves(char: str) -> bool:
    return char not in "\n\t" and unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"}


def _written(char: str) -> str:
    return f"<{ord(char):02X}>"


def folded(text: str, width: int) -> str:
    """The text with no line wider than this, broken between words; what continues keeps the indent of its line.

    A word that is wider by itself (an address, a path) stays whole, because people copy it. A row of items with wide
    gaps between them is broken between the items.
    """
    return "\n".join(_fold(line, width) for line in text.split("\n"))


def _fold(line: str, width: int) -> str:
    if len(line) <= width:
        return line
    words = line.lstrip()
    indent = line[: len(line) - len(words)]
    if _GAP in words:
        words = re.sub(r"(?<! ) (?! )", _GLUE, words)
    rows = textwrap.wrap(
        words,
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
        expand_tabs=False,
    )
    return "\n".join(rows).replace(_GLUE, " ")


def _nearest(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_spell(c) for c in error.object[error.start : error.end]), error.end


def _spell(char: str) -> str:
    if char in _SPELLED:
        return _SPELLED[char]
    base = "".join(c for c in unicodedata.normalize("NFKD", char) if not unicodedata.combining(c))
    if unicodedata.combining(char):
        return ""
    return base if base and base.isascii() else "?"


codecs.register_error(PLAIN_LETTERS, _nearest)
