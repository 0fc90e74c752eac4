"""A screen of the emulator as an SVG picture: every sign stands in its cell, whatever font the reader has.

Words are stretched to their cells; lines of boxes are drawn, so that they meet; suits stay text beside emoji fonts.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

import pyte
from pyte.screens import Char

CELL, LINE, SIZE = 9, 19, 15
"""Width and height of a cell and the size of the font, in pixels."""
SIGN = 17
"""Suits and stars are drawn a little larger than words, as terminals do."""
MARGIN = 12
GROUND, INK = "#10271f", "#dfe8e0"
FONT = "ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace"

_LIGHT = {"─": "lr", "│": "ud", "╭": "rd", "╮": "ld", "╰": "ru", "╯": "lu"}
_HEAVY = {"━": "lr", "┃": "ud", "┏": "rd", "┓": "ld", "┗": "ru", "┛": "lu"}
_STROKES = {"light": "1.2", "heavy": "2.5"}
_SHADES = {"░": 0.25, "▒": 0.5, "▓": 0.75, "█": 1.0}


def picture(screen: pyte.Screen, alt: str) -> str:
    """The whole screen, without a cursor; `alt` is its title for people who do not see it."""
    width, height = screen.columns * CELL + 2 * MARGIN, screen.lines * LINE + 2 * MARGIN
    size = f'width="{width}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label={quoteattr(alt)}>',
        f"<title>{escape(alt)}</title>",
        f'<rect {size} rx="10" fill="{GROUND}"/>',
        f'<g shape-rendering="geometricPrecision" font-family="{FONT}" font-size="{SIZE}" xml:space="preserve">',
    ]
    for y in range(screen.lines):
        cells = [screen.buffer[y][x] for x in range(screen.columns)]
        parts += _grounds(cells, MARGIN + y * LINE)
        parts += _signs(cells, MARGIN + y * LINE)
    return "\n".join([*parts, "</g>", "</svg>", ""])


def _colour(name: str, otherwise: str) -> str:
    return otherwise if name == "default" else f"#{name}"


def _colours(cell: Char) -> tuple[str, str]:
    """Ink and ground of a cell."""
    ink, ground = _colour(cell.fg, INK), _colour(cell.bg, GROUND)
    return (ground, ink) if cell.reverse else (ink, ground)


def _grounds(cells: list[Char], y: int) -> Iterator[str]:
    x = MARGIN
    for ground, run in groupby(cells, key=lambda cell: _colours(cell)[1]):
        width = len(list(run)) * CELL
        if ground != GROUND:
            yield f'<rect x="{x}" y="{y}" width="{width}" height="{LINE}" fill="{ground}"/>'
        x += width


def _signs(cells: list[Char], y: int) -> Iterator[str]:
    x = MARGIN
    for (ink, bold, italics, alone), run in groupby(cells, key=_look):
        text = "".join(cell.data for cell in run)
        kind = f'fill="{ink}"' + ' font-weight="bold"' * bold + ' font-style="italic"' * italics
        if alone is None:
            yield from _words(text, x, y, kind)
        elif alone in _SHADES:
            size = f'width="{len(text) * CELL}" height="{LINE}"'
            yield f'<rect x="{x}" y="{y}" {size} fill="{ink}" opacity="{_SHADES[alone]}"/>'
        elif alone in _STROKES:
            strokes = " ".join(_stroke(sign, x + place * CELL, y) for place, sign in enumerate(text))
            yield f'<path d="{strokes}" fill="none" stroke="{ink}" stroke-width="{_STROKES[alone]}"/>'
        else:
            for place, sign in enumerate(text):
                centre = x + place * CELL + CELL / 2
                where = f'x="{centre}" y="{y + 15}" text-anchor="middle" font-size="{SIGN}"'
                yield f"<text {where} {kind}>{sign}&#xFE0E;</text>"
        x += len(text) * CELL


def _look(cell: Char) -> tuple[str, bool, bool, str | None]:
    """What neighbours have to share to be written together; signs outside Latin stand for themselves."""
    sign = cell.data
    alone = None if ord(sign) < 0x2000 or sign in "−–—·…" else sign
    alone = "light" if sign in _LIGHT else "heavy" if sign in _HEAVY else alone
    return _colours(cell)[0], cell.bold, cell.italics, alone


def _words(text: str, x: int, y: int, kind: str) -> Iterator[str]:
    bare = text.strip()
    if bare:
        x += (len(text) - len(text.lstrip())) * CELL
        fit = f'textLength="{len(bare) * CELL}" lengthAdjust="spacingAndGlyphs"'
        yield f'<text x="{x}" y="{y + 14}" {fit} {kind}>{escape(bare)}</text>'


def _stroke(sign: str, x: int, y: int) -> str:
    """The lines of one box sign, each from the middle of its cell to an edge; light corners are round."""
    middle = (x + CELL / 2, y + LINE / 2)
    ends = {"l": (x, middle[1]), "r": (x + CELL, middle[1]), "u": (middle[0], y), "d": (middle[0], y + LINE)}
    first, last = tuple({**_LIGHT, **_HEAVY}[sign])
    (ax, ay), (bx, by) = ends[first], ends[last]
    return f"M{ax:g} {ay:g}Q{middle[0]:g} {middle[1]:g} {bx:g} {by:g}"
