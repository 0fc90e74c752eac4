"""Pages to read: a rule card in words, help, and what the doctor found. Each scrolls when it does not fit."""

from __future__ import annotations

from itertools import groupby

from client_cli.glyphs import width as cells_of
from client_cli.lobby.keys import TABLE
from client_cli.lobby.state import Check, Health, Place, worst
from client_cli.rulecard import rule_card
from client_cli.theme import style
from client_cli.views.canvas import Piece, wrap

from .scene import MARGIN, Scene

VERDICTS = {Health.GOOD: "doctor.all_good", Health.WARN: "doctor.some", Health.BAD: "doctor.wrong"}
"""What the doctor says in the end, by the worst that was found."""
_KEYS = 12
_SIGNS = {Health.GOOD: ("check", "good"), Health.WARN: ("must", "gold"), Health.BAD: ("cross", "bad")}


def _show(scene: Scene, y: int, height: int, lines: list[list[Piece]], cells: int) -> None:
    """Lines of a page, scrolled."""
    margin = (scene.width - cells) // 2
    room = height - 2
    scene.limit, scene.leaf = max(len(lines) - room, 0), max(room - 1, 1)
    first = min(scene.state.scroll, scene.limit)
    for place, pieces in enumerate(lines[first : first + room]):
        scene.canvas.write(margin, y + 1 + place, pieces, limit=margin + cells)
    if scene.limit:
        facts = {"first": first + 1, "last": min(first + room, len(lines)), "total": len(lines)}
        scene.canvas.right(scene.width - 1, y + height - 1, [(style("dim"), scene.say("lobby.page", **facts))])


def _cells(scene: Scene) -> int:
    return min(scene.width - 2 * MARGIN, 96)


def draw_rules(scene: Scene, y: int, height: int) -> None:
    """Every rule of the table in a sentence; house rules are marked."""
    shown = scene.state.shown_rules()
    if shown is None:
        scene.text(MARGIN, y + 1, scene.say("lobby.no_rules"), "dim", scene.width - 2 * MARGIN)
        return
    cells = _cells(scene)
    lines: list[list[Piece]] = []
    for topic, clauses in groupby(rule_card(*shown), key=lambda clause: clause.topic):
        lines += [[], [(style("title"), scene.say(topic))]] if lines else [[(style("title"), scene.say(topic))]]
        for clause in clauses:
            pieces: list[Piece] = [(style("note"), scene.say(clause.code, **dict(clause.facts)))]
            if clause.house:
                pieces += [("", " "), (style("gold"), scene.say("origin.house"))]
            for place, line in enumerate(wrap(pieces, cells - 2)):
                lines.append(
                    [(style("dim"), scene.sign("new" if clause.house else "dot") + " " * (place == 0)), *line]
                    if place == 0
                    else [("", "  "), *line]
                )
    _show(scene, y, height, lines, cells)


def draw_help(scene: Scene, y: int, height: int) -> None:
    """How the lobby works, then the keys of the screen below this one."""
    cells = _cells(scene)
    lines: list[list[Piece]] = []
    for number in (1, 2, 3):
        lines += [*wrap([(style("note"), scene.say(f"lobby.help.{number}"))], cells), []]
    under = scene.state.under[-1] if scene.state.under else Place.HOME
    place = scene.say(f"lobby.title.{under.value}", name="").strip()
    lines.append([(style("title"), scene.say("lobby.help.keys", place=place))])
    for bind in TABLE[under]:
        names = bind.shown or " ".join(bind.keys[:2])
        word = names if not names.isalpha() or len(names) == 1 else _name(scene, names)
        lines.append(
            [
                (style("gold"), _arrows(scene, word).rjust(_KEYS) + "  "),
                (style("note"), scene.say(f"lobby.key.{bind.name}")),
            ]
        )
    _show(scene, y, height, lines, cells)


def _name(scene: Scene, key: str) -> str:
    return scene.say(f"keyname.{key}") if key in {"enter", "escape", "backspace", "space"} else key


def _arrows(scene: Scene, text: str) -> str:
    return text.replace("↑↓", "up/down").replace("←→", "<-/->") if scene.glyphs.ascii else text


def draw_doctor(scene: Scene, y: int, height: int) -> None:
    """One line a check, advice below it; the verdict when all is done."""
    state, cells = scene.state, _cells(scene)
    lines: list[list[Piece]] = []
    for check in state.checks:
        lines += check_lines(scene, check, cells)
    if not state.examined:
        lines.append([(style("dim"), scene.say("doctor.busy"))])
    else:
        lines += [[], *wrap([(style("strong"), scene.say(VERDICTS[worst(state.checks)]))], cells)]
    _show(scene, y, height, lines, cells)


def check_lines(scene: Scene, check: Check, cells: int) -> list[list[Piece]]:
    """A check in words, its advice below it."""
    sign, kind = _SIGNS[check.health]
    name = scene.say(f"doctor.name.{check.name}")
    head = f"{scene.sign(sign)} {name}"
    indent = 14
    pieces: list[Piece] = [(style("note"), scene.say(check.found, **_facts(scene, check)))]
    lines: list[list[Piece]] = []
    for place, line in enumerate(wrap(pieces, cells - indent)):
        lead = head + " " * (indent - cells_of(head)) if place == 0 else " " * indent
        lines.append([(style(kind), lead), *line])
    if check.advice:
        advice = f"{scene.sign('right')} {scene.say(check.advice, **_facts(scene, check))}"
        lines += [[("", " " * indent), *line] for line in wrap([(style("gold"), advice)], cells - indent)]
    return lines


def _facts(scene: Scene, check: Check) -> dict[str, object]:
    """The facts of a check; those that are codes themselves are said."""
    return {
        key: scene.say(value) if isinstance(value, str) and value.startswith("doctor.") else value
        for key, value in check.facts
    }
