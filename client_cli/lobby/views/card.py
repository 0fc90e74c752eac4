"""The rule card editor: settings with their values on the left, what they mean in words below or beside."""

from __future__ import annotations

from itertools import groupby

from client_cli.lobby import editor
from client_cli.lobby.editor import TOPICS, Problem
from client_cli.lobby.words import knows
from client_cli.rulecard import rule_card
from client_cli.theme import style
from client_cli.views.canvas import Piece, wrap
from protocol.rules.rulekinds import Value, write
from protocol.rules.ruleset import RuleSet

from .pages import draw_lines, short_form_lines
from .scene import MARGIN, Scene, window

WIDE = 110
WORDS = 5
"""Lines below the list for the row of the cursor, where there is no room beside it."""


def draw_card(scene: Scene, y: int, height: int) -> None:
    """The list, and the row of the cursor in words; on a wide screen the whole card beside it."""
    card = scene.state.card
    rules = editor.built(card)
    wide = scene.width >= WIDE
    cells = 72 if wide else scene.width - 2 * MARGIN
    below = _room_below(scene, cells, height, rules)
    room = height - below - 2
    _rows(scene, y + 1, cells, room, rules)
    line = y + 1 + room
    scene.canvas.fill(0, line, cells + MARGIN if wide else scene.width, 1, style("rule"), scene.sign("h"))
    _words(scene, MARGIN, line + 1, cells, below, rules)
    if wide:
        _whole(scene, MARGIN + cells + 4, y + 1, scene.width - cells - 2 * MARGIN - 4, height - 2, rules)


def _room_below(scene: Scene, cells: int, height: int, rules: RuleSet | Problem) -> int:
    """Lines for the words below the list: more where the short form of the card has more to tell."""
    if isinstance(rules, Problem):
        return WORDS
    told = sum(len(wrap(pieces, cells)) for pieces in _sentences(scene))
    return max(WORDS, min(told + 1, height * 3 // 5))


# ------------------------------------------------------------------ the list


def _listed(scene: Scene) -> list[tuple[str, bool]]:
    """Headings and rows in order: a code or a row's name, and whether it is a row."""
    card = scene.state.card
    lines = [("setting.topic.table", False), *((row, True) for row in editor.table_rows(card))]
    for topic, keys in TOPICS:
        lines += [(f"setting.topic.{topic}", False), *((key, True) for key in keys)]
    return lines


def _rows(scene: Scene, y: int, cells: int, room: int, rules: RuleSet | Problem) -> None:
    card = scene.state.card
    lines = _listed(scene)
    at = lines.index((card.cursor, True))
    first = window(at, len(lines), room)
    scene.leaf = max(room - 2, 1)
    shown, house = editor.values(card), editor.house(card)
    clashing = rules.rows if isinstance(rules, Problem) else ()
    for place, (name, is_row) in enumerate(lines[first : first + room]):
        if not is_row:
            scene.heading(MARGIN, y + place, scene.say(name), cells)
            continue
        text = _value(scene, name, shown.get(name))
        mark = "cross" if set(editor.settings_of(name)).intersection(clashing) else "new" if name in house else ""
        _row(scene, y + place, cells, name, text, mark)
    if first:
        scene.canvas.put(MARGIN + cells, y, scene.sign("more_up"), style("dim"))
    if first + room < len(lines):
        scene.canvas.put(MARGIN + cells, y + room - 1, scene.sign("more_down"), style("dim"))


def _row(scene: Scene, y: int, cells: int, name: str, value: str, mark: str) -> None:
    chosen = name == scene.state.card.cursor
    kind = scene.row(MARGIN, y, cells, name, chosen=chosen)
    loud = kind if chosen else {"cross": "bad", "new": "gold"}.get(mark, kind)
    if mark:
        scene.canvas.put(MARGIN + 2, y, scene.sign(mark), style(loud))
    value_at = MARGIN + min(cells * 3 // 5, 46)
    scene.text(MARGIN + 4, y, scene.say(f"setting.{name}"), loud, value_at - MARGIN - 5)
    if chosen:
        left, right = ("<", ">") if scene.glyphs.ascii else ("‹", "›")
        value = f"{left} {value} {right}"
    scene.text(value_at, y, value, loud, MARGIN + cells - value_at)


def _value(scene: Scene, row: str, value: Value) -> str:
    """The value of a row in words."""
    card = scene.state.card
    match row:
        case "preset":
            return card.preset
        case "seats":
            return str(card.seats)
        case "bots":
            return str(card.bots)
        case "rounds":
            target = editor.values(card)["target_score"]
            code = {0: "0", 1: "1"}.get(card.rounds, "many")
            return scene.say(f"setting.value.rounds.{code}", count=card.rounds, target=target)
        case "sealed":
            return value_words(scene, row, card.sealed)
        case "tls":
            return value_words(scene, row, card.tls)
        case _:
            return value_words(scene, row, value)


def value_words(scene: Scene, key: str, value: Value) -> str:
    """The value of a setting in words: its own, else those that all settings share, else the number."""
    word = write(value)
    if value is None and key == "layoff_cards_per_action":
        return scene.say("setting.value.any")
    for code in (f"setting.value.{key}.{word}", f"setting.value.{word}"):
        if knows(code):
            return scene.say(code)
    return word


# ------------------------------------------------------------------ in words


def _words(scene: Scene, x: int, y: int, cells: int, room: int, rules: RuleSet | Problem) -> None:
    """What the row of the cursor means now; what clashes comes first."""
    if isinstance(rules, Problem):
        code = rules.code if knows(rules.code) else "clash.other"
        pieces: list[Piece] = [(style("bad"), f"{scene.say('lobby.card.clash')} {scene.say(code)}")]
        y = scene.paragraph(x, y, pieces, cells, room - 1)
        undo = scene.say("lobby.card.undo", sign=scene.sign("cross"))
        scene.paragraph(x, y, [(style("note"), undo)], cells, 2)
        return
    end = y + room
    draw_lines(scene, x, y, _sentences(scene), cells, room - 1)
    card = scene.state.card
    count = editor.changes(card)
    words = [scene.say("lobby.card.plays" if card.practice else "lobby.card.opens")]
    if count:
        words.append(scene.say(f"lobby.card.changes.{'one' if count == 1 else 'many'}", count=count))
    scene.text(x, end - 1, " ".join(words[:1]), "dim", cells)
    scene.canvas.right(x + cells, end - 1, [(style("gold"), " ".join(words[1:]))])


def _sentences(scene: Scene) -> list[list[Piece]]:
    card = scene.state.card
    row = card.cursor
    if row in editor.table_rows(card):
        if row == "preset":
            kind: list[Piece] = [(style("note"), scene.say(f"rules.about.{card.preset}"))]
            return [kind, *short_form_lines(scene, *shown)] if (shown := scene.state.shown_rules()) else [kind]
        about = f"setting.{row}.about"
        if row == "seats" and card.practice:
            about += ".practice"
        return [[(style("note"), scene.say(about))]]
    sentences = [[(style("note"), scene.say(c.code, **dict(c.facts)))] for c in editor.told(card, row)]
    if not sentences:
        value = value_words(scene, row, editor.values(card)[row])
        sentences = [[(style("note"), f"{scene.say(f'setting.{row}')}: {value}.")]]
    if row in editor.house(card):
        was = value_words(scene, row, editor.usual(card)[row])
        sentences.append([(style("gold"), f"{scene.say('lobby.card.house', preset=card.preset)}: {was}")])
    else:
        sentences.append([(style("dim"), scene.say("lobby.card.usual", preset=card.preset))])
    return sentences


def _whole(scene: Scene, x: int, y: int, cells: int, room: int, rules: RuleSet | Problem) -> None:
    """The whole card in sentences, scrolled to what tells the row of the cursor."""
    scene.heading(x, y, scene.say("lobby.card.whole"), cells)
    if isinstance(rules, Problem):
        return
    lines: list[list[Piece]] = []
    at = 0
    card = scene.state.card
    for topic, clauses in groupby(rule_card(rules, card.preset), key=lambda clause: clause.topic):
        lines.append([(style("seat.facts"), scene.say(topic))])
        for clause in clauses:
            here = bool(set(editor.settings_of(card.cursor)).intersection(clause.settings))
            at = len(lines) if here and not at else at
            kind = "mine" if here else "gold" if clause.house else "note"
            sign = "turn" if here else "new" if clause.house else "dot"
            text = scene.say(clause.code, **dict(clause.facts))
            for place, line in enumerate(wrap([(style(kind), text)], cells - 2)):
                lines.append([(style(kind), scene.sign(sign) + " " if place == 0 else "  "), *line])
    first = window(at, len(lines), room - 1)
    for place, pieces in enumerate(lines[first : first + room - 1]):
        scene.canvas.write(x, y + 1 + place, pieces, limit=x + cells)
