"""The strip of the other players: whose turn it is, how many cards they hold, what they have."""

from __future__ import annotations

from client_cli.beside import heard
from client_cli.chronicle import Cards, Entry
from client_cli.glyphs import width
from client_cli.talk import others as other_seats
from client_cli.theme import style
from protocol.session.view import Stage

from .canvas import Canvas, Piece, clip, rich_width
from .scene import Scene


def others(scene: Scene) -> tuple[int, ...]:
    """The other seats in order of play, beginning at our left; all seats for a watcher."""
    return other_seats(scene.state)


def mover(scene: Scene) -> int | None:
    """The seat whose turn it is, if anybody's."""
    view = scene.state.view
    return view.round.mover if view.round is not None and view.stage is Stage.PLAYING else None


HEIGHT = 3
"""Lines of the strip."""


def draw_seats(canvas: Canvas, scene: Scene, y: int) -> None:
    """Three lines: names with the sign of the turn, cards and points, and what each did in its last turn."""
    seats = others(scene)
    room = (canvas.width - 2) // max(len(seats), 1)
    for place, seat in enumerate(seats):
        x = 1 + place * room
        canvas.write(x, y + 1, _facts(scene, seat, room - 3), limit=x + room)
        marks, beside = _marks(scene, seat), _presence(scene, seat)
        # Where the name would have to give way to it, what is to say of its presence stands in place of the last turn.
        own_line = beside and 2 + min(width(scene.name(seat)), _NAME) + rich_width([*marks, *beside]) > room - 1
        canvas.write(x, y, _name(scene, seat, marks if own_line else [*marks, *beside], room - 1), limit=x + room)
        third = _shortened(scene, beside, room) if own_line else _acts(scene, seat, room - 1)
        canvas.write(x, y + 2, third, limit=x + room)


_NAME = 8
"""Cells of a name before anything else takes its room."""


def _marks(scene: Scene, seat: int) -> list[Piece]:
    return [(style("seat.facts"), " " + scene.say("seat.bot"))] if scene.state.view.players[seat].bot else []


def _presence(scene: Scene, seat: int) -> list[Piece]:
    """That this player is gone, cannot be heard or is away for a moment, whichever is worst; empty if all is well."""
    state = scene.state
    if seat in state.left or seat in state.view.departed:
        code = "seat.left"
    elif not heard(state, seat):
        code = "seat.silent"
    elif seat in state.standing.away:
        code = "seat.away"
    else:
        return []
    return [(style("seat.silent"), f" {scene.glyphs.sign('off')} {scene.say(code)}")]


def _shortened(scene: Scene, beside: list[Piece], room: int) -> list[Piece]:
    if rich_width(beside) < room:
        return beside
    return [(style("seat.silent"), f" {scene.glyphs.sign('off')} {scene.say('seat.silent_short')}")]


def _name(scene: Scene, seat: int, marks: list[Piece], room: int) -> list[Piece]:
    turn = seat == mover(scene)
    shown = clip(scene.name(seat), max(room - 2 - rich_width(marks), 4), scene.glyphs.sign("ellipsis"))
    kind = style("seat.turn" if turn else "strong")
    return [(kind, (scene.glyphs.sign("turn") if turn else " ") + " " + shown), *marks]


def _facts(scene: Scene, seat: int, room: int) -> list[Piece]:
    """Cards and total, in full words, shorter ones, or numbers with signs, whatever fits first."""
    view, table = scene.state.view, scene.state.table
    total = scene.glyphs.number(view.totals[seat] if view.totals else 0)
    held = len(table.hands[seat]) if table is not None and seat not in view.departed else None
    cards = [] if held is None else [scene.count("cards", held)]
    short = [] if held is None else [scene.say("seat.cards_short", count=held)]
    dot = f" {scene.glyphs.sign('dot')} "
    forms = (
        dot.join([*cards, scene.say("seat.total", points=total)]),
        dot.join([*cards, total]),
        dot.join([*short, total]),
        " ".join([*short, total]),
    )
    text = next((form for form in forms if width(form) <= room), clip(forms[-1], room, scene.glyphs.sign("ellipsis")))
    return [(style("seat.facts"), "  " + text)]


_LAID = ("log.lay", "log.lay_off", "log.swap")


def last_turn(log: tuple[Entry, ...], seat: int, round_number: int) -> tuple[Entry, ...]:
    """The entries of this seat's latest turn in this round, oldest first; empty if it has had none."""
    turn: list[Entry] = []
    for entry in reversed(log):
        if entry.is_talk:
            continue
        if entry.round_number != round_number or entry.code == "log.round":
            break
        if entry.seat == seat and (not turn or turn[0].code not in {"log.drew", "log.drew_card", "log.pot"}):
            turn.insert(0, entry)
        elif turn:
            break
    return tuple(turn)


def _acts(scene: Scene, seat: int, room: int) -> list[Piece]:
    """The last turn in few signs: the pot if it was taken, how many cards were laid, the discard; at least the last.

    Nothing for a seat that is gone.
    """
    if seat in scene.state.view.departed:
        return []
    turn = last_turn(scene.state.log, seat, scene.state.view.round_number)
    words: list[str] = []
    if any(entry.code == "log.pot" for entry in turn):
        words.append(scene.say("did.pot"))
    cards = _cards(turn)
    laid = sum(len(shown.faces) for code, shown in cards if code in _LAID)
    if laid:
        words.append(scene.say("did.laid", count=laid))
    done: list[Piece] = [(style("act"), "  " + ", ".join(words))]
    thrown: list[Piece] = []
    for code, shown in cards:
        if code == "log.discard":
            thrown = [(style("seat.facts"), scene.glyphs.sign("right") + " "), *scene.cards(shown.faces)]
    if thrown and words:
        done.append(("", " "))
    if rich_width(done) + rich_width(thrown) > room:
        done = [("", "  ")]
    return [*done, *thrown]


def _cards(turn: tuple[Entry, ...]) -> list[tuple[str, Cards]]:
    return [(entry.code, fact) for entry in turn for _, fact in entry.facts if isinstance(fact, Cards)]
