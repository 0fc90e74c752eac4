"""A sheet of cells that the views draw on, and texts made of styled pieces.

Everything on the screen passes through `Canvas.put`, so this is the one place that cuts at the edges, measures
widths and makes characters that cannot be printed harmless (names and texts come from other people).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from client_cli.glyphs import cell_width, width
from client_cli.intents import Intent

Piece: TypeAlias = tuple[str, str]
"""A style and a text, as prompt-toolkit takes them."""
Rich: TypeAlias = Sequence[Piece]
Line: TypeAlias = tuple[Piece, ...]


def rich_width(pieces: Rich) -> int:
    """Cells that the pieces take on one line."""
    return sum(width(text) for _, text in pieces)


def plain(pieces: Rich) -> str:
    """The pieces without their styles."""
    return "".join(text for _, text in pieces)


def clip(text: str, cells: int, ellipsis: str = "…") -> str:
    """The text in at most this many cells, its end replaced by the ellipsis if it is too long."""
    if width(text) <= cells:
        return text
    room = cells - width(ellipsis)
    if room < 0:
        return ""
    kept = ""
    for char in text:
        room -= cell_width(char)
        if room < 0:
            break
        kept += char
    return kept + ellipsis


def left(text: str, cells: int) -> str:
    """The text filled up with blanks on its right to this many cells."""
    return text + " " * (cells - width(text))


def right(text: str, cells: int) -> str:
    """The text filled up with blanks on its left to this many cells."""
    return " " * (cells - width(text)) + text


def wrap(pieces: Rich, cells: int) -> list[list[Piece]]:
    """The pieces broken at blanks into lines of at most `cells` cells; a word longer than a line is left whole."""
    lines: list[list[Piece]] = [[]]
    used = 0
    for word in _words(pieces):
        size = rich_width(word)
        blank = plain(word).isspace()
        if used + size > cells and used and not blank:
            _strip_end(lines[-1])
            lines.append([])
            used = 0
        if blank and not used:
            continue
        lines[-1].extend(word)
        used += size
    _strip_end(lines[-1])
    return lines


def _words(pieces: Rich) -> Iterable[list[Piece]]:
    """Runs of blanks and runs of other characters; a word may have several styles."""
    word: list[Piece] = []
    blank = False
    for style, text in pieces:
        for run in _RUNS.findall(text):
            if word and (run[0] == " ") != blank:
                yield word
                word = []
            blank = run[0] == " "
            if word and word[-1][0] == style:
                word[-1] = (style, word[-1][1] + run)
            else:
                word.append((style, run))
    if word:
        yield word


_RUNS = re.compile(r" +|[^ ]+")


def _strip_end(line: list[Piece]) -> None:
    while line and line[-1][1].isspace():
        line.pop()


@dataclass(frozen=True, slots=True)
class Hit:
    """A rectangle of cells, and what a click in it means."""

    x: int
    y: int
    width: int
    height: int
    intent: Intent

    def holds(self, x: int, y: int) -> bool:
        """Whether this cell is in it."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


class Canvas:
    """A sheet of `width` x `height` cells, first filled with blanks in the style `base`.

    Writing outside the sheet is cut off; half of a wide character at an edge becomes a blank. With `ascii_only`
    letters lose their accents and what has no letter becomes question marks, cell for cell.
    """

    def __init__(self, width: int, height: int, base: str = "", *, ascii_only: bool = False) -> None:
        self.width = width
        self.height = height
        self.hits: list[Hit] = []
        """What clicks mean; of several at one place the last one counts."""
        self._ascii_only = ascii_only
        self._cells: list[list[tuple[str, str]]] = [[(base, " ")] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: str = "", *, limit: int | None = None) -> int:
        """Write the text at a cell; returns the column after it. Nothing is written at column `limit` or beyond."""
        end = self.width if limit is None else min(limit, self.width)
        text = "".join(_letters(char) for char in text) if self._ascii_only else text
        for char in text:
            size = cell_width(char)
            if size == 0:
                self._combine(x - 1, y, char)
                continue
            if x + size <= end:
                self._set(x, y, style, char if char.isprintable() else "?", size)
            x += size
        return x

    def write(self, x: int, y: int, pieces: Rich, *, limit: int | None = None) -> int:
        """Write styled pieces one after another; returns the column after them."""
        for style, text in pieces:
            x = self.put(x, y, text, style, limit=limit)
        return x

    def mark(self, x: int, y: int, width: int, height: int, intent: Intent) -> None:
        """A click in this rectangle means this, whatever was marked below it."""
        self.hits.append(Hit(x, y, width, height, intent))

    def right(self, end: int, y: int, pieces: Rich) -> int:
        """Write the pieces so that they end before column `end`; returns the column where they begin."""
        start = end - rich_width(pieces)
        self.write(start, y, pieces)
        return start

    def centre(self, y: int, pieces: Rich, *, left: int = 0, right: int | None = None) -> None:
        """Write the pieces in the middle between two columns."""
        end = self.width if right is None else right
        self.write(left + max((end - left - rich_width(pieces)) // 2, 0), y, pieces, limit=end)

    def fill(self, x: int, y: int, width: int, height: int, style: str, char: str = " ") -> None:
        """Fill a rectangle with one character."""
        for row in range(y, y + height):
            self.put(x, row, char * width, style)

    def lines(self) -> tuple[Line, ...]:
        """The sheet as lines of pieces, cells of one style joined."""
        return tuple(_join(row) for row in self._cells)

    def _set(self, x: int, y: int, style: str, char: str, size: int) -> None:
        if not (0 <= y < self.height and x >= 0):
            return
        row = self._cells[y]
        if row[x][1] == "" and x:
            row[x - 1] = (row[x - 1][0], " ")
        after = x + size
        if after < self.width and row[after][1] == "":
            row[after] = (row[after][0], " ")
        row[x] = (style or row[x][0], char)
        for extra in range(x + 1, after):
            row[extra] = (style or row[extra][0], "")

    def _combine(self, x: int, y: int, mark: str) -> None:
        if 0 <= y < self.height and 0 <= x < self.width and self._cells[y][x][1]:
            style, char = self._cells[y][x]
            self._cells[y][x] = (style, char + mark)


def _letters(char: str) -> str:
    """An ASCII text as wide as the character."""
    if char.isascii():
        return char
    base = unicodedata.normalize("NFKD", _PLAIN.get(char, char))[:1]
    return (base if base.isascii() else "?") * cell_width(char)


_PLAIN = {"“": '"', "”": '"', "‘": "'", "’": "'", "–": "-"}


def _join(row: Sequence[tuple[str, str]]) -> Line:
    pieces: list[Piece] = []
    for style, char in row:
        if pieces and pieces[-1][0] == style:
            pieces[-1] = (style, pieces[-1][1] + char)
        else:
            pieces.append((style, char))
    return tuple(pieces)
