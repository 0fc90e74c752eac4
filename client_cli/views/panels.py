"""What may stand between the seats and the words beside the melds: the shuffle's progress, a fault, the log's end."""

from __future__ import annotations

from client_cli.glyphs import width as cells_of
from client_cli.theme import style
from protocol.session.view import Stage

from .canvas import Canvas, Piece, clip, left, rich_width, wrap
from .scene import Scene

_TITLES = {Stage.SEATING: "setup.seating", Stage.SHUFFLING: "setup.title", Stage.DEALING: "setup.dealing"}
_WHY = ("seat", "commit", "open", "shuffle", "ready", "deal")


def draw_progress(canvas: Canvas, scene: Scene, y: int, height: int) -> None:
    """How far the shared shuffle is, and in words what is being done."""
    state, glyphs = scene.state, scene.glyphs
    progress = state.progress
    width = min(canvas.width - 12, 60)
    lines: list[list[Piece]] = [[(style("title"), scene.say(_TITLES[state.view.stage]))]]
    if progress is not None:
        full = width * progress.done // max(progress.total, 1)
        bar = (
            (style("bar.full"), glyphs.sign("full") * full),
            (style("bar.empty"), glyphs.sign("empty") * (width - full)),
        )
        lines += [[], list(bar)]
        step = scene.say("setup.progress", done=progress.done, total=progress.total)
        lines.append([(style("seat.facts"), step)])
    stage = _stage(scene)
    lines += [[], *wrap([(style("note"), scene.say(f"setup.why.{stage}"))], width)]
    _centred(canvas, lines, y, height)


def _stage(scene: Scene) -> str:
    """The key of the sentence that explains this part of the setup."""
    progress = scene.state.progress
    if progress is None:
        return "other"
    name = progress.stage.lower().split(" ")[0]
    return name if name in _WHY else "other"


def draw_fault(canvas: Canvas, scene: Scene, y: int, height: int) -> None:
    """Who broke the protocol, in words, and that the evidence is kept."""
    fault = scene.state.view.fault
    assert fault is not None
    width = min(canvas.width - 8, 72)
    who = scene.name(fault.seat) if 0 <= fault.seat < len(scene.state.view.players) else "?"
    lines: list[list[Piece]] = [[(style("alarm"), f"{scene.glyphs.sign('cross')} " + scene.say("fault.title"))], []]
    lines += wrap([(style("gold"), who), (style("note"), " " + scene.fault(fault.code))], width)
    lines += wrap([(style("seat.facts"), scene.say("fault.where", step=fault.step, fault=fault.code))], width)
    lines += wrap([(style("note"), scene.say("fault.kept"))], width)
    lines += wrap([(style("note"), scene.say("fault.yours"))], width)
    _centred(canvas, lines, y, height)


def _centred(canvas: Canvas, lines: list[list[Piece]], y: int, height: int) -> None:
    top = y + max((height - len(lines)) // 2, 0)
    for place, line in enumerate(lines[:height]):
        canvas.centre(top + place, line)


def draw_log_tail(canvas: Canvas, scene: Scene, x: int, y: int, width: int, height: int) -> None:
    """The newest lines of the log that fit in a column, oldest on top."""
    shown: list[list[Piece]] = []
    for entry in reversed(scene.state.log):
        lines = wrap(scene.entry(entry, style("event")), width)
        if len(shown) + len(lines) > height:
            break
        shown = [*lines, *shown]
    for place, line in enumerate(shown):
        canvas.write(x, y + place, line, limit=x + width)


def race(scene: Scene, width: int) -> list[list[Piece]]:
    """One bar for each player: how far to the target, negative totals as an empty bar."""
    view, glyphs = scene.state.view, scene.glyphs
    label = min(max(cells_of(player.name) for player in view.players), 16)
    numbers = [glyphs.number(total) for total in view.totals]
    room = max(width - label - 2 - max(len(number) for number in numbers) - 2, 10)
    lines: list[list[Piece]] = []
    for seat, total in enumerate(view.totals):
        full = min(max(total, 0) * room // max(view.rules.target_score, 1), room)
        name = left(clip(scene.name(seat), label, glyphs.sign("ellipsis")), label)
        line: list[Piece] = [
            (style("strong" if seat == view.me else "seat"), name + "  "),
            (style("bar.full"), glyphs.sign("full") * full),
            (style("bar.empty"), glyphs.sign("empty") * (room - full)),
            (style("gold"), "  " + numbers[seat].rjust(max(len(number) for number in numbers))),
        ]
        assert rich_width(line) <= max(width, label + 20)
        lines.append(line)
    return lines
