"""The waiting room: who sits where, how others join, and the rules that were agreed."""

from __future__ import annotations

from client_cli.lobby.editor import house_rules
from client_cli.rulepage import short_form
from client_cli.theme import style
from client_cli.views.canvas import Piece
from node.room import Room

from .pages import bullet, draw_lines, short_form_lines
from .scene import MARGIN, Scene

WIDE = 110


def draw_room(scene: Scene, y: int, height: int) -> None:
    """Seats on the left, how to join on the right, rules below."""
    room = scene.state.room
    if room is None:
        return
    end = y + height
    scene.heading(MARGIN, y + 1, scene.say("lobby.room.title", title=room.title), scene.width - 2 * MARGIN)
    half = (scene.width - 2 * MARGIN) // 2
    seats = _seats(scene, room, y + 3, half - 2)
    ways = _ways(scene, room, MARGIN + half + 2, y + 3, half - 2) if scene.state.hosting else y + 3
    below = max(seats, ways) + 1
    scene.rule(below - 1)
    _rules(scene, room, below, end - below - 2)
    _state(scene, room, end - 1)


def _seats(scene: Scene, room: Room, y: int, cells: int) -> int:
    """One line a seat; a free one says so."""
    for seat in range(room.seats):
        chosen = scene.state.hosting and seat == scene.state.line
        kind = scene.row(MARGIN, y + seat, cells, seat, chosen=chosen)
        scene.text(MARGIN + 2, y + seat, str(seat + 1), "mine" if chosen else "gold", 2)
        if seat >= len(room.chairs):
            scene.text(MARGIN + 5, y + seat, scene.say("lobby.room.free"), kind if chosen else "dim", cells - 5)
            continue
        chair = room.chairs[seat]
        words = []
        if seat == 0:
            words.append(scene.say("lobby.room.host"))
        if seat == room.me:
            words.append(scene.say("lobby.room.you"))
        if chair.bot:
            words.append(f"{scene.sign('bot')} {scene.say('lobby.room.bot')}")
        tail = f" ({', '.join(words)})" if words else ""
        scene.text(MARGIN + 5, y + seat, chair.name + tail, kind if chosen else "strong", cells - 5)
    return y + room.seats


def _ways(scene: Scene, room: Room, x: int, y: int, cells: int) -> int:
    """How others find this table."""
    scene.heading(x, y, scene.say("lobby.room.join"), cells)
    if not room.addresses:
        return scene.paragraph(x, y + 1, [(style("note"), scene.say("lobby.room.here"))], cells, 3)
    y = scene.paragraph(x, y + 1, [(style("note"), scene.say("lobby.room.list"))], cells, 3)
    if room.code:
        y = scene.paragraph(x, y, [(style("note"), scene.say("lobby.room.code")), (style("gold"), room.code)], cells, 2)
    if room.sealed:
        return scene.paragraph(x, y, [(style("note"), scene.say("lobby.room.sealed"))], cells, 2)
    scene.text(x, y, scene.say("lobby.room.address"), "note", cells)
    for address in room.addresses[:3]:
        y += 1
        scene.text(x + 2, y, address, "gold", cells - 2)
    return y + 1


def _rules(scene: Scene, room: Room, y: int, most: int) -> None:
    """First what differs from the last game, then the house rules; the whole card is a key away."""
    length = scene.length(room.max_rounds, room.rules.target_score)
    head = scene.say("lobby.room.card", name=room.rules_name)
    lines: list[list[Piece]] = [[(style("note"), f"{length} {head}")]]
    lines += short_form_lines(scene, room.rules, room.rules_name)
    _, differ = short_form(room.rules, room.rules_name, scene.state.before)
    told = {key for statement in differ for key in statement.rules}
    house = [c for c in house_rules(room.rules, room.rules_name) if not told.issuperset(c.settings)]
    if house:
        lines.append([(style("strong"), scene.say("lobby.room.house"))])
    lines += [bullet(scene, scene.say(clause.code, **dict(clause.facts))) for clause in house]
    draw_lines(scene, MARGIN, y, lines, min(scene.width - 2 * MARGIN, 100), most)


def _state(scene: Scene, room: Room, y: int) -> None:
    """One sentence: what this table waits for."""
    pieces: list[Piece]
    if not room.connected:
        pieces = [(style("alarm"), scene.say("lobby.room.offline"))]
    elif not scene.state.hosting:
        pieces = [(style("turn"), scene.say("lobby.room.wait", title=room.title))]
    elif len(room.chairs) < 2:
        pieces = [(style("turn"), scene.say("lobby.room.alone"))]
    else:
        pieces = [(style("turn.mine"), scene.say("lobby.room.ready"))]
    scene.canvas.write(1, y, pieces, limit=scene.width - 1)
