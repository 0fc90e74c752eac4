"""Cards with a border, drawn at a place of the canvas: faces, backs and empty places."""

from __future__ import annotations

from dataclasses import dataclass

from client_cli.faces import UNKNOWN
from client_cli.glyphs import Glyphs, card_class
from client_cli.theme import style
from protocol.rules.cards import JOKER

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
    """A card face up, or its back while its face is unknown.

    The rank stands in the left corner with the suit below, so that a covered card is read too.
    """
    if face == UNKNOWN:
        draw_back(canvas, x, y, glyphs, size)
        return
    look = look or Look()
    sheet = "picked" if look.picked else "card"
    edge = style(("cursor.picked" if look.picked else "cursor.edge") if look.cursor else sheet + ".edge")
    _edges(canvas, x, y, glyphs, size, edge, heavy=look.cursor)
    _paper(canvas, x, y, size, sheet)
    ink = style(f"{sheet}.{card_class(face)}")
    rank, suit = glyphs.rank(face), glyphs.suit(face)
    canvas.put(x + 1, y + 1, rank, ink)
    canvas.put(x + 1, y + 2, suit, ink)
    if look.mark:
        kind = style(f"{sheet}.{'must' if look.mark == 'must' else 'mark'}")
        # Beside the one-cell line, so that it shows even when only three cells of the card do.
        canvas.put(x + 2, y + 2 if len(suit) == 1 else y + 1, glyphs.sign(look.mark), kind)
    if size.height >= LARGE.height:
        middle = glyphs.sign("joker") if face == JOKER else suit
        canvas.put(x + size.width // 2, y + size.height // 2, middle, ink)
        canvas.put(x + size.width - 1 - len(rank), y + size.height - 2, rank, ink)


def draw_box(canvas: Canvas, x: int, y: int, glyphs: Glyphs, size: Size) -> None:
    """A card without print."""
    _edges(canvas, x, y, glyphs, size, style("card.edge"), heavy=False)
    _paper(canvas, x, y, size, "card")


def draw_back(canvas: Canvas, x: int, y: int, glyphs: Glyphs, size: Size) -> None:
    """A card face down."""
    _edges(canvas, x, y, glyphs, size, style("back.edge"), heavy=False)
    canvas.fill(x + 1, y + 1, size.width - 2, size.height - 1 - size.foot, style("back"), glyphs.sign("back"))


def draw_gap(canvas: Canvas, x: int, y: int, glyphs: Glyphs, size: Size, text: str) -> None:
    """A place where no card lies, with a word in it."""
    _edges(canvas, x, y, glyphs, size, style("slot.edge"), heavy=False)
    canvas.fill(x + 1, y + 1, size.width - 2, size.height - 2, style("screen"))
    canvas.centre(y + (size.height - 1) // 2, [(style("dim"), text)], left=x + 1, right=x + size.width - 1)


def _paper(canvas: Canvas, x: int, y: int, size: Size, sheet: str) -> None:
    canvas.fill(x + 1, y + 1, size.width - 2, size.height - 1 - size.foot, style(sheet))


def _edges(canvas: Canvas, x: int, y: int, glyphs: Glyphs, size: Size, edge: str, *, heavy: bool) -> None:
    names = ("TL", "TR", "BL", "BR", "H", "V") if heavy else ("tl", "tr", "bl", "br", "h", "v")
    top_left, top_right, low_left, low_right, flat, upright = (glyphs.sign(name) for name in names)
    inner = size.width - 2
    canvas.put(x, y, top_left + flat * inner + top_right, edge)
    for row in range(y + 1, y + size.height - size.foot):
        canvas.put(x, row, upright, edge)
        canvas.put(x + size.width - 1, row, upright, edge)
    if size.foot:
        canvas.put(x, y + size.height - 1, low_left + flat * inner + low_right, edge)
