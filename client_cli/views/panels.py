"""What may stand between the seats and the words beside the melds: the shuffle's progress, a fault, the log's end."""

from __future__ import annotations

from client_cli.chronicle import Cards
from client_cli.glyphs import width as cells_of
from client_cli.intents import Choose
from client_cli.theme import style
from protocol.session.view import Stage

from .canvas import Canvas, Piece, clip, left, rich_width, wrap
from .scene import Scene
from .talk import newest

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


def draw_handshake(canvas: Canvas, scene: Scene, y: int, height: int) -> None:
    """The three cards of this table, and whoever compares them: who has named the same. A click on a name ticks it."""
    state, view = scene.state, scene.state.view
    width = min(canvas.width - 4, 100)
    faces = Cards(tuple((face, None) for face in view.handshake))
    lines: list[list[Piece]] = [scene.tell("compare.cards", (("cards", faces),), style("title")), []]
    how = scene.say("compare.how") if view.to_compare else scene.say("compare.wait", host=scene.name(0))
    lines += wrap([(style("note"), how)], width)
    people = state.people if view.to_compare else ()
    columns = 1 if len(lines) + 1 + len(people) <= height else 2
    rows = -(-len(people) // columns)
    top = y + max((height - len(lines) - rows - 1) // 2, 0)
    for place, line in enumerate(lines[:height]):
        canvas.centre(top + place, line)
    ticks = [_tick(scene, seat, place + 1) for place, seat in enumerate(people)]
    wide = max(map(rich_width, ticks), default=0) + 2
    x = max((canvas.width - columns * wide) // 2, 0)
    for place, tick in enumerate(ticks):
        column, row = divmod(place, rows)
        at = (x + column * wide, top + len(lines) + 1 + row)
        canvas.write(*at, tick, limit=canvas.width)
        canvas.mark(*at, wide - 2, 1, Choose(place + 1))


def _tick(scene: Scene, seat: int, number: int) -> list[Piece]:
    """One player of the list: its number, its name, and whether it has named the same cards."""
    state, glyphs = scene.state, scene.glyphs
    same = seat in state.same
    longest = min(max(cells_of(scene.name(other)) for other in state.people), 12)
    words = [scene.say("compare." + word) for word in ("same", "not_yet")]
    said = left(words[not same], max(map(cells_of, words)))
    mark = glyphs.sign("check" if same else "dot")
    return [
        (style("offer.number"), f" {number} "),
        (style("strong"), f" {left(clip(scene.name(seat), longest, glyphs.sign('ellipsis')), longest)}  "),
        (style("good" if same else "dim"), f"{left(mark, len(glyphs.sign('check')))} {said}"),
    ]


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
    """The newest lines of the log that fit in a column, oldest on top; without words that stand below the table."""
    shown: list[list[Piece]] = []
    said = newest(scene)
    for entry in reversed(scene.state.log):
        if entry in said:  # also an older one that says the same
            continue
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
