"""The home screen: the tables on the network, what is known of the chosen one, and what else can be done."""

from __future__ import annotations

from client_cli.glyphs import width as cells_of
from client_cli.lobby.editor import house_rules
from client_cli.lobby.keys import LETTERS
from client_cli.lobby.state import MENU, Fit, Seen
from client_cli.theme import style
from client_cli.views.canvas import Piece
from client_cli.views.cards import LARGE, draw_face
from protocol.rules.cards import JOKER, parse_face

from .scene import MARGIN, Scene, window

WIDE = 118
"""Columns from which on the details stand beside the list."""
TALL = 32
"""Lines from which on there is room for a fan of cards."""
FAN = (parse_face("5C"), parse_face("KD"), parse_face("QS"), JOKER, parse_face("AH"))
_LETTER = {bind.acts[0].value: bind.keys[0] for bind in LETTERS} | {"help": "?", "quit": "q"}


def draw_home(scene: Scene, y: int, height: int) -> None:
    """Tables above, words of the menu below, what the cursor stands on in words beside or between."""
    end = y + height
    if scene.height >= TALL:
        y = _fan(scene, y)
    wide = scene.width >= WIDE
    columns = 1 if wide or height >= 30 else 2
    menu = end - -(-len(MENU) // columns)
    list_width = max(scene.width * 3 // 5, 76) if wide else scene.width - 2 * MARGIN
    scene.heading(MARGIN, y + 1, scene.say("lobby.tables"), list_width)
    if not scene.state.waited and not scene.state.tables:
        scene.canvas.right(MARGIN + list_width, y + 1, [(style("dim"), scene.say("lobby.looking"))])
    about = 0 if wide else 2 if scene.state.at_table is None else min(6, max(menu - y - 8, 4))
    room = menu - y - 4 - (about + 1 if about else 0)
    used = _tables(scene, y + 2, list_width, max(room, 1))
    if wide:
        _about(scene, MARGIN + list_width + 4, y + 2, scene.width - list_width - 2 * MARGIN - 4, menu - y - 4)
    else:
        _about(scene, MARGIN, y + 3 + used, list_width, menu - 1 - (y + 3 + used))
    _menu(scene, menu, columns)


def _fan(scene: Scene, y: int) -> int:
    """Five cards beside the name of the game."""
    for place, face in enumerate(FAN):
        draw_face(
            scene.canvas,
            scene.width - MARGIN - LARGE.width - (len(FAN) - 1 - place) * 5,
            y + 1,
            face,
            scene.glyphs,
            LARGE,
        )
    scene.canvas.put(MARGIN, y + 3, scene.say("app.name").upper(), style("gold"))
    cells = scene.width - 2 * MARGIN - LARGE.width - len(FAN) * 5
    scene.paragraph(MARGIN, y + 4, [(style("dim"), scene.say("lobby.tagline"))], min(cells, 60), 2)
    return y + LARGE.height + 1


# ------------------------------------------------------------------ the tables


def _tables(scene: Scene, y: int, cells: int, room: int) -> int:
    """The list, or why it is empty; returns how many lines it took."""
    state = scene.state
    if not state.tables:
        return _nothing(scene, y, cells, room) if state.waited else _none_yet(scene, y, cells)
    places = [seen.table for seen in state.tables]
    cursor = places.index(state.cursor) if state.cursor in places else 0
    first = window(cursor, len(places), room)
    for place, seen in enumerate(state.tables[first : first + room]):
        _table(scene, y + place, cells, seen)
    return min(len(places), room)


def _none_yet(scene: Scene, y: int, cells: int) -> int:
    scene.text(MARGIN, y, scene.say("lobby.none"), "dim", cells)
    return 1


def _nothing(scene: Scene, y: int, cells: int, room: int) -> int:
    """What can be the reason, and what always works."""
    start = y
    y = scene.paragraph(MARGIN, y, [(style("note"), scene.say("lobby.nothing"))], cells, 2)
    for code in ("guest", "firewall", "other"):
        if y - start < room - 1:
            scene.canvas.put(MARGIN, y, scene.sign("dot"), style("dim"))
            y = scene.paragraph(MARGIN + 2, y, [(style("note"), scene.say(f"lobby.why.{code}"))], cells - 2, 2)
    return scene.paragraph(MARGIN, y, [(style("gold"), scene.say("lobby.why.act"))], cells, 2) - start


def _table(scene: Scene, y: int, cells: int, seen: Seen) -> None:
    """One table on one line: whose, which rules, how many sit there, and whether one can join."""
    chosen = seen.table == scene.state.cursor
    kind = scene.row(MARGIN, y, cells, seen.table, chosen=chosen)
    if seen.fit is not Fit.OPEN and not chosen:
        kind = "dim"
    taken = "" if not seen.seats else scene.say("lobby.taken", taken=seen.taken, seats=seen.seats)
    state = f"{scene.sign('on' if seen.fit is Fit.OPEN else 'off')} {scene.say(f'lobby.fit.{seen.fit.value}')}"
    right = MARGIN + cells
    rules, seats, fit = right - 50, right - 24, right - 15
    title = scene.say("lobby.table_of", title=seen.title) if seen.title else scene.say("lobby.table_sealed")
    scene.text(MARGIN + 2, y, title, kind, rules - MARGIN - 3)
    scene.text(rules, y, _card_words(scene, seen), kind, seats - rules - 1)
    scene.text(seats, y, taken, kind, fit - seats - 1)
    scene.text(fit, y, state, kind if chosen or seen.fit is not Fit.OPEN else "good", right - fit)


def _card_words(scene: Scene, seen: Seen) -> str:
    if seen.rules is None:
        return seen.rules_name
    if seen.changes == 0:
        return seen.rules_name
    code = "lobby.changes.one" if seen.changes == 1 else "lobby.changes.many"
    return scene.say(code, name=seen.rules_name, count=seen.changes)


# ------------------------------------------------------------------ what the cursor stands on


def _about(scene: Scene, x: int, y: int, cells: int, room: int) -> None:
    seen = scene.state.at_table
    if room < 1:
        return
    if seen is None:
        scene.paragraph(x, y, [(style("event"), scene.say(f"lobby.about.{scene.state.cursor}"))], cells, min(room, 3))
        return
    end = y + room
    for kind, text in _facts(scene, seen):
        if y >= end:
            return
        y = scene.paragraph(x, y, [(style(kind), text)], cells, end - y)


def _facts(scene: Scene, seen: Seen) -> list[Piece]:
    """What is known of a table, the most important first: style class and sentence."""
    if seen.rules is None:
        facts = (("title", seen.title), ("theirs", seen.theirs or scene.say("lobby.unknown_version")))
        return [("event", scene.say(f"lobby.cannot.{seen.fit.value}", **dict(facts), ours=seen.ours))]
    lines: list[Piece] = []
    if seen.fit is Fit.PLAYING:
        lines.append(("event", scene.say("lobby.cannot.playing", title=seen.title)))
    if seen.people:
        names = [scene.say("lobby.bot", name=p.name) if p.bot else p.name for p in seen.people]
        free = seen.seats - len(seen.people)
        words = scene.say("lobby.detail.people", names=", ".join(names))
        if free:
            code = "lobby.detail.free.one" if free == 1 else "lobby.detail.free.many"
            words += " " + scene.say(code, free=free)
        lines.append(("strong", words))
    length = scene.length(seen.max_rounds, seen.rules.target_score)
    house = house_rules(seen.rules, seen.rules_name)
    code = "lobby.detail.house" if house else "lobby.detail.plain"
    lines.append(("note", f"{length} {scene.say(code, name=seen.rules_name)}"))
    lines += [("gold", f"{scene.sign('new')} {scene.say(c.code, **dict(c.facts))}") for c in house]
    if seen.broker is not None:
        lines.append(("dim", scene.say("lobby.detail.seen", address=seen.broker.short())))
    return lines


# ------------------------------------------------------------------ the menu


def _menu(scene: Scene, y: int, columns: int) -> None:
    scene.rule(y - 1)
    per_column = -(-len(MENU) // columns)
    cells = (scene.width - 2 * MARGIN) // columns if columns > 1 else min(scene.width - 2 * MARGIN, 34)
    about = max(cells_of(scene.say(f"lobby.menu.{word}")) for word in MENU) + 10
    for number, word in enumerate(MENU):
        x, line = MARGIN + (number // per_column) * cells, y + number % per_column
        chosen = word == scene.state.cursor
        kind = scene.row(x, line, cells - 2, word, chosen=chosen)
        scene.text(x + 2, line, _LETTER[word], "mine" if chosen else "gold", 2)
        scene.text(x + 5, line, scene.say(f"lobby.menu.{word}"), kind, min(cells - 7, about))
        if columns == 1 and scene.width >= WIDE:
            room = scene.width - MARGIN - cells - 2
            scene.text(MARGIN + cells, line, scene.say(f"lobby.about.{word}"), "dim", room)
