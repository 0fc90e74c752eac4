"""Cards with a border, drawn at a place of the canvas: faces, backs and empty places."""

from __future__ import annotations

from dataclasses import dataclass

from client_cli.glyphs import Glyphs, card_class
from client_cli.theme import style

from .canvas import Canvas


@dataclass(frozen=True, slots=True)
class Look:
    """How one card of the hand is shown."""

    picked: bool = False
    cursor: bool = False
    mark: str = ""
    """Name of the sign beside the suit: `new` or `must`."""


@dataclass(frozen=True, slots=True)
class Size:
    """Cells of a whole card; without `foot` it is cut off at its lower edge."""

    width: int
    height: int
    foot: bool = True


SMALL = Size(5, 4)
CUT = Size(5, 3, foot=False)
LARGE = Size(7, 6)


def draw_face(canvas: Canvas, x: int, y: int, face: int, glyphs: Glyphs, size: Size, look: Look | None = None) -> None:
    """A card face up. The rank stands in the left corner with the suit below, so that a covered card is read too."""
    look = look or Look()
    sheet = "picked" if look.picked else "card"
    edge = style(("cursor.picked" if look.picked else "cursor.edge") if look.cursor else sheet + ".edge")
    _box(canvas, x, y, glyphs, size, edge, heavy=look.cursor)
    body = size.height - 1 - size.foot
    canvas.fill(x + 1, y + 1, size.width - 2, body, style(sheet))
    ink = style(f"{sheet}.{card_class(face)}")
    canvas.put(x + 1, y + 1, glyphs.rank(face), ink)
    canvas.put(x + 1, y + 2, glyphs.suit(face), ink)
    if look.mark:
        kind = "must" if look.mark == "must" else "mark"
        sign = glyphs.sign(look.mark)
        canvas.put(x + (2 if len(glyphs.suit(face)) == 1 else 3), y + 2, sign, style(f"{sheet}.{kind}"))
    if size.height >= LARGE.height:
        middle, last = x + size.width // 2, y + size.height - 2
        if size.width >= LARGE.width:
            canvas.put(
                middle, y + size.height // 2 - 0, glyphs.suit(face)[:1] if face != 52 else glyphs.sign("joker"), ink
            )
        text = glyphs.rank(face)
        canvas.put(x + size.width - 1 - len(text), last, text, ink)


def draw_back(canvas: Canvas, x: int, y: int, glyphs: Glyphs, size: Size) -> None:
    """A card face down."""
    _box(canvas, x, y, glyphs, size, style("back.edge"), heavy=False)
    canvas.fill(x + 1, y + 1, size.width - 2, size.height - 2, style("back"), glyphs.sign("back"))


def draw_gap(canvas: Canvas, x: int, y: int, glyphs: Glyphs, size: Size, text: str) -> None:
    """A place where no card lies, with a word in it."""
    _box(canvas, x, y, glyphs, size, style("slot.edge"), heavy=False)
    canvas.centre(y + (size.height - 1) // 2, [(style("dim"), text)], left=x + 1, right=x + size.width - 1)


def _box(canvas: Canvas, x: int, y: int, glyphs: Glyphs, size: Size, edge: str, *, heavy: bool) -> None:
    names = ("TL", "TR", "BL", "BR", "H", "V") if heavy else ("tl", "tr", "bl", "br", "h", "v")
    top_left, top_right, low_left, low_right, flat, upright = (glyphs.sign(name) for name in names)
    inner = size.width - 2
    canvas.put(x, y, top_left + flat * inner + top_right, edge)
    for row in range(y + 1, y + size.height - size.foot):
        canvas.put(x, row, upright, edge)
        canvas.put(x + size.width - 1, row, upright, edge)
    if size.foot:
        canvas.put(x, y + size.height - 1, low_left + flat * inner + low_right, edge)
