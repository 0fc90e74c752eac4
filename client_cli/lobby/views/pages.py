"""Pages to read: a rule card in words, help, and what the doctor found. Each scrolls when it does not fit."""

from __future__ import annotations

from collections.abc import Iterable

from client_cli.glyphs import width as cells_of
from client_cli.lobby.keys import TABLE
from client_cli.lobby.state import Check, Health, Place, worst
from client_cli.rulepage import page_text, short_form, told
from client_cli.theme import style
from client_cli.views.canvas import Piece, left, wrap
from client_cli.views.rules import card_lines
from protocol.rules.ruleset import RuleSet

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


def short_form_lines(scene: Scene, rules: RuleSet, name: str) -> list[list[Piece]]:
    """What differs from the rules that the person played last: a heading, and a line for each difference."""
    heading, differ = short_form(rules, name, scene.state.before)
    lang = scene.glyphs.lang
    return [[(style("strong"), page_text(heading, lang))], *(bullet(scene, told(each, lang)) for each in differ)]


def bullet(scene: Scene, sentence: str) -> list[Piece]:
    """A sentence in a list of what is not as usual."""
    return [(style("gold"), f"{scene.sign('new')} {sentence}")]


def draw_lines(scene: Scene, x: int, y: int, texts: Iterable[list[Piece]], cells: int, room: int) -> int:
    """Wrapped texts below each other in at most `room` lines; returns the line after them. A sign ends what is cut."""
    lines = [line for pieces in texts for line in wrap(pieces, cells)]
    for place, line in enumerate(lines[:room]):
        after = scene.canvas.write(x, y + place, line, limit=x + cells)
        if place == room - 1 and len(lines) > room:
            scene.canvas.put(min(after + 1, x + cells - 1), y + place, scene.sign("ellipsis"), style("dim"))
    return y + min(len(lines), room)


def draw_rules(scene: Scene, y: int, height: int) -> None:
    """The whole card of the table or of the card being made."""
    shown = scene.state.shown_rules()
    if shown is None:
        scene.text(MARGIN, y + 1, scene.say("lobby.no_rules"), "dim", scene.width - 2 * MARGIN)
        return
    cells = _cells(scene)
    _show(scene, y, height, card_lines(*shown, scene.glyphs, cells), cells)


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
                (style("note"), scene.say(f"lobby.does.{bind.name}")),
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
    head = f"{left(scene.sign(sign), len(scene.sign('check')))} {name}"
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
