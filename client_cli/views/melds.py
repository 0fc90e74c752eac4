"""The melds on the table, by owner, each with the number by which it is named everywhere.

Melds of our own draft, not sent yet, carry a sign; melds that the selected cards could go to are lit. On a large
screen the melds lie there as boxed cards as long as they fit, else as strips of card paper.
"""

from __future__ import annotations

from dataclasses import dataclass

from client_cli.glyphs import card_class, width
from client_cli.intents import Aim
from client_cli.model import UiState
from client_cli.theme import style
from protocol.rules.actions import Lay
from protocol.rules.scoring import card_points
from protocol.rules.state import Meld, MeldCard

from .canvas import Canvas, Piece, clip, left, rich_width, right
from .cards import CUT, SMALL, Size, draw_box
from .scene import Scene
from .seats import others

BOXED_FROM = 32
"""Lines of a screen from which on melds are drawn as boxed cards."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of melds of one owner; `head` says that the owner's name stands before it."""

    seat: int
    melds: tuple[int, ...]
    head: bool


def draw_melds(canvas: Canvas, scene: Scene, y: int, columns: int, height: int) -> int:
    """The melds in a column of this width; returns how far they can be scrolled."""
    if scene.state.table is None or height < 1:
        return 0
    if not scene.state.table.melds:
        words = [(style("dim"), scene.say("melds.nobody"))]
        canvas.centre(y + min(height // 2, 4), words, left=0, right=columns)
        return 0
    if canvas.height >= BOXED_FROM:
        rows = _rows(scene, columns, boxed=True)
        for size, gap in ((SMALL, 1), (SMALL, 0), (CUT, 0)):
            if sum((size.height if row.melds else 1) + gap for row in rows) - gap <= height:
                _draw_boxed(canvas, scene, rows, y, size, gap)
                return 0
    rows = _rows(scene, columns, boxed=False)
    room = height if len(rows) <= height else height - 1
    limit = max(len(rows) - room, 0)
    first = min(scene.state.meld_scroll, limit)
    for place, row in enumerate(rows[first : first + room]):
        _draw_strip(canvas, scene, row, y + place, columns)
    if limit:
        sign = scene.glyphs.sign("more_down" if first < limit else "more_up")
        text = scene.say("melds.more", count=limit)
        canvas.write(1, y + height - 1, [(style("gold"), sign + " "), (style("dim"), text)], limit=columns)
    return limit


def _label(scene: Scene) -> int:
    """Cells of the column with names and points."""
    return min(max(width(player.name) for player in scene.state.view.players), 12) + 8


def _rows(scene: Scene, columns: int, *, boxed: bool) -> list[Row]:
    """The melds broken into lines of this width, owner by owner, ours last: nearest to our hand."""
    state = scene.state
    assert state.table is not None
    room = columns - _label(scene) - 1
    rows: list[Row] = []
    for seat in (*others(scene), *((state.me,) if state.me is not None else ())):
        line: list[int] = []
        used = 0
        head = True
        for number in (number for number, meld in enumerate(state.table.melds) if meld.owner == seat):
            size = _boxed_width(scene, number) if boxed else rich_width(_chip(scene, number))
            if line and used + size > room:
                rows.append(Row(seat, tuple(line), head))
                line, used, head = [], 0, False
            line.append(number)
            used += size
        if line or seat in state.view.present:  # who is gone takes no line
            rows.append(Row(seat, tuple(line), head))
    return rows


def _head(scene: Scene, row: Row) -> list[Piece]:
    """The owner's name and what lies there, in the label column."""
    label = _label(scene)
    if not row.head:
        return [("", " " * label)]
    name = clip(scene.name(row.seat), label - 8, scene.glyphs.sign("ellipsis"))
    if not row.melds:
        return [(style("dim"), left(name, label - 8))]
    points = right(scene.say("melds.points", points=table_points(scene.state, row.seat)), 7) + " "
    return [(style("meld.owner"), left(name, label - 8)), (style("seat.facts"), points)]


def table_points(state: UiState, seat: int) -> int:
    """Points of this seat's melds."""
    assert state.table is not None
    rules = state.view.rules
    return sum(card_points(rules, card.face) for meld in state.table.melds if meld.owner == seat for card in meld.cards)


# ------------------------------------------------------------------ strips


def _draw_strip(canvas: Canvas, scene: Scene, row: Row, y: int, columns: int) -> None:
    x = canvas.write(2, y, _head(scene, row), limit=columns)
    if not row.melds:
        canvas.put(x, y, " " + scene.glyphs.sign("dash"), style("dim"), limit=columns)
    for number in row.melds:
        after = canvas.write(x, y, _chip(scene, number), limit=columns)
        canvas.mark(x, y, after - x - 1, 1, Aim(number))
        x = after


def _chip(scene: Scene, number: int) -> list[Piece]:
    state = scene.state
    assert state.table is not None
    return [_tag(scene, number), *meld_chip(scene, state.table.melds[number]), ("", " ")]


def _tag(scene: Scene, number: int) -> Piece:
    state = scene.state
    drafts = drafted(state, number)
    kind = "meld.aim" if number in _aims(state) else "meld.draft" if drafts else "meld.number"
    return (style(kind), f"#{number + 1}" + (scene.glyphs.sign("new") if drafts else ""))


def meld_chip(scene: Scene, meld: Meld) -> list[Piece]:
    """The cards of a meld on one strip of card paper."""
    pieces: list[Piece] = [(style("card"), " ")]
    for card in meld.cards:
        pieces.append((style("card." + _ink(card)), scene.glyphs.meld_card(card)))
        pieces.append((style("card"), " "))
    return pieces


def _ink(card: MeldCard) -> str:
    return "joker" if card.wild else card_class(card.face)


def drafted(state: UiState, number: int) -> bool:
    """Whether this meld is new or changed in our draft."""
    if state.table is None or state.view.round is None:
        return False
    before = state.view.round.melds
    return number >= len(before) or before[number] != state.table.melds[number]


def _aims(state: UiState) -> set[int]:
    """Melds that an offer would change."""
    return {offer.step.meld for offer in state.offers if not isinstance(offer.step, Lay)}


# ------------------------------------------------------------------ boxed cards


def _pitch(scene: Scene, meld: Meld) -> int:
    """Cells from card to card: an edge and the longest print, a rank or what a joker stands for (`10♦`)."""
    printed = (scene.glyphs.meaning(card.stands_for) for card in meld.cards[:-1] if card.wild)
    return 1 + max((len(text) for text in printed), default=2)


def _boxed_width(scene: Scene, number: int) -> int:
    assert scene.state.table is not None
    meld = scene.state.table.melds[number]
    return len(_tag(scene, number)[1]) + (len(meld.cards) - 1) * _pitch(scene, meld) + SMALL.width + 2


def _draw_boxed(canvas: Canvas, scene: Scene, rows: list[Row], y: int, size: Size, gap: int) -> None:
    assert scene.state.table is not None
    for row in rows:
        middle = y + (1 if row.melds else 0)
        x = canvas.write(2, middle, _head(scene, row))
        if not row.melds:
            canvas.put(x, middle, " " + scene.glyphs.sign("dash"), style("dim"))
        for number in row.melds:
            meld = scene.state.table.melds[number]
            length = len(_tag(scene, number)[1]) + (len(meld.cards) - 1) * _pitch(scene, meld) + SMALL.width
            canvas.mark(x, y, length, size.height, Aim(number))
            x = canvas.write(x, middle, [_tag(scene, number)])
            for place, card in enumerate(meld.cards):
                _boxed_card(canvas, scene, x + place * _pitch(scene, meld), y, card, size)
            x += (len(meld.cards) - 1) * _pitch(scene, meld) + SMALL.width + 2
        y += (size.height if row.melds else 1) + gap


def _boxed_card(canvas: Canvas, scene: Scene, x: int, y: int, card: MeldCard, size: Size) -> None:
    glyphs = scene.glyphs
    draw_box(canvas, x, y, glyphs, size)
    ink = style("card." + _ink(card))
    if card.wild:
        canvas.put(x + 1, y + 1, glyphs.card(card.face), ink)
        canvas.put(x + 1, y + 2, glyphs.meaning(card.stands_for), ink)
    else:
        canvas.put(x + 1, y + 1, glyphs.rank(card.face), ink)
        canvas.put(x + 1, y + 2, glyphs.suit(card.face), ink)
