"""The melds on the table, by owner, each with the number by which it is named everywhere.

Melds of our own draft, not sent yet, carry a sign; melds that the selected cards could go to are lit.
"""

from __future__ import annotations

from client_cli.glyphs import card_class
from client_cli.model import UiState
from client_cli.theme import style
from protocol.rules.actions import Lay
from protocol.rules.state import Meld

from .canvas import Canvas, Piece, clip, rich_width
from .scene import Scene
from .seats import others


def meld_lines(scene: Scene, width: int) -> list[list[Piece]]:
    """All melds as lines of at most this width: the owner's name in front of the first line of its melds."""
    state = scene.state
    table = state.table
    assert table is not None
    label = min(max(len(player.name) for player in state.view.players) + 2, 14, width // 4)
    lines: list[list[Piece]] = []
    seats = (*others(scene), state.me) if state.me is not None else others(scene)
    for seat in seats:
        owned = [number for number, meld in enumerate(table.melds) if meld.owner == seat]
        name = clip(scene.name(seat), label - 1, scene.glyphs.sign("ellipsis"))
        line: list[Piece] = [(style("meld.owner" if owned else "dim"), " " + name.ljust(label))]
        if not owned:
            lines.append([*line, (style("dim"), scene.glyphs.sign("dash"))])
            continue
        for place, number in enumerate(owned):
            chip = _meld(scene, number)
            if place and rich_width(line) + rich_width(chip) > width:
                lines.append(line)
                line = [("", " " * (label + 1))]
            line.extend(chip)
        lines.append(line)
    return lines


def draw_melds(canvas: Canvas, scene: Scene, y: int, width: int, height: int) -> int:
    """The melds in a column of this width; returns how far they can be scrolled."""
    if scene.state.table is None or height < 1:
        return 0
    lines = meld_lines(scene, width)
    airy = 2 * len(lines) <= height and canvas.height >= 34
    limit = max(len(lines) - height, 0)
    room = height - (1 if limit else 0)
    limit = max(len(lines) - room, 0)
    first = min(scene.state.meld_scroll, limit)
    for place, line in enumerate(lines[first : first + room]):
        canvas.write(1, y + place * (2 if airy else 1), line, limit=width)
    if limit:
        text = scene.say("melds.more", count=len(lines) - room)
        canvas.write(1, y + height - 1, [(style("gold"), scene.glyphs.sign("more_down") + " "), (style("dim"), text)])
    return limit


def _meld(scene: Scene, number: int) -> list[Piece]:
    state = scene.state
    assert state.table is not None
    meld = state.table.melds[number]
    tag = style("meld.aim" if number in _aims(state) else "meld.draft" if drafted(state, number) else "meld.number")
    sign = scene.glyphs.sign("new") if drafted(state, number) else ""
    return [(tag, f"#{number + 1}{sign}"), *meld_chip(scene, meld), ("", "  ")]


def meld_chip(scene: Scene, meld: Meld) -> list[Piece]:
    """The cards of a meld on one strip of card paper."""
    pieces: list[Piece] = [(style("card"), " ")]
    for card in meld.cards:
        kind = "joker" if card.wild else card_class(card.face)
        pieces.append((style("card." + kind), scene.glyphs.meld_card(card)))
        pieces.append((style("card"), " "))
    return pieces


def drafted(state: UiState, number: int) -> bool:
    """Whether this meld is new or changed in our draft."""
    if state.table is None or state.view.round is None:
        return False
    before = state.view.round.melds
    return number >= len(before) or before[number] != state.table.melds[number]


def _aims(state: UiState) -> set[int]:
    """Melds that an offer would change."""
    return {offer.step.meld for offer in state.offers if not isinstance(offer.step, Lay)}
