"""The screen of a game that is looked back on: the table as it was, what happened last, and whose eyes these are."""

from __future__ import annotations

from client_cli.chronicle import Entry
from client_cli.faces import UNKNOWN
from client_cli.glyphs import Glyphs
from client_cli.glyphs import width as cells_of
from client_cli.intents import Page
from client_cli.replay_state import REPLAY_GROUPS, ReplayState, replay_binds
from client_cli.theme import style
from client_cli.verdict import fault_sentence

from .canvas import Canvas, Piece, clip, left, rich_width, wrap
from .pages import draw_page, help_lines
from .scene import Scene
from .screen import HEIGHT, WIDTH, Drawing, draw_table, too_small
from .seats import others
from .status import draw_header, draw_keys, draw_message


def draw_replay(state: ReplayState, glyphs: Glyphs, width: int, height: int) -> Drawing:
    """The screen for this state and size; below 80x24 a few words. Guarantees `height` lines of `width` cells."""
    scene = Scene(state.scene_state(), glyphs, width, height)
    canvas = Canvas(width, height, style("screen"), ascii_only=glyphs.ascii)
    if width < WIDTH or height < HEIGHT:
        too_small(canvas, scene)
        return Drawing(canvas.lines())
    draw_header(canvas, scene, _place(scene, state))
    binds = replay_binds(state)
    if state.page is Page.TABLE:
        return draw_table(canvas, scene, _words(scene, state), binds)
    lines = help_lines(scene, REPLAY_GROUPS, min(width - 6, 100)) if state.page is Page.HELP else None
    limit, leaf = draw_page(canvas, scene, 1, height - 3, lines)
    if lines is None:  # the keys are the same whoever looks
        draw_message(canvas, scene, height - 2, [_eyes(scene, state)])
    draw_keys(canvas, scene, height - 1, binds)
    return Drawing(canvas.lines(), limit, leaf, hits=tuple(canvas.hits))


def _place(scene: Scene, state: ReplayState) -> list[Piece]:
    """The end of the header: how far we are, and what the verifier says of the file."""
    verdict = state.game.verdict
    place = scene.say("replay.place", at=state.at + 1, total=state.game.last + 1)
    if verdict.fault is not None:
        words = scene.say("replay.fault", fault=verdict.fault.code, step=verdict.fault.step)
        return [(style("header"), place + "  "), (style("header.alarm"), f" {scene.glyphs.sign('cross')} {words} ")]
    words = scene.say("replay.verified" if verdict.complete else "replay.prefix")
    return [(style("header"), place + "  "), (style("link.up"), f"{scene.glyphs.sign('check')} {words} ")]


def _words(scene: Scene, state: ReplayState) -> list[list[Piece]]:
    """What happened here and whose eyes these are; with open cards, everybody's hand but the one below.

    Where the file is shown up to a fault, the last position begins with what is wrong.
    """
    width = scene.width - 2
    verdict = state.game.verdict
    told = [piece for entry in _here(state) for piece in [*scene.entry(entry, style("note")), ("", " ")]]
    lines = wrap(told, width) if told else []
    if verdict.fault is not None and state.at == state.game.last:
        lines = [*wrap([(style("alarm"), fault_sentence(verdict, verdict.fault, scene.glyphs.lang))], width), *lines]
    lines.append(_eyes(scene, state))
    if state.reveal and scene.state.table is not None:
        label = min(max(cells_of(player.name) for player in scene.state.view.players), 12) + 1
        lines += [_hand(scene, seat, label, width) for seat in others(scene)]
    return lines


def _here(state: ReplayState) -> tuple[Entry, ...]:
    """The lines of the log that this position added."""
    log = state.game.log(state.at, state.seat, reveal=state.reveal)
    before = state.game.log(state.at - 1, state.seat, reveal=state.reveal) if state.at else ()
    return log[len(before) :]


def _eyes(scene: Scene, state: ReplayState) -> list[Piece]:
    return scene.tell(state.eyes.code, state.eyes.facts, style("gold"))


def _hand(scene: Scene, seat: int, label: int, width: int) -> list[Piece]:
    """One hand on one line, sorted, its end cut off where it does not fit."""
    view = scene.state.view
    assert view.round is not None
    ellipsis = scene.glyphs.sign("ellipsis")
    line: list[Piece] = [(style("seat"), left(clip(scene.name(seat), label - 1, ellipsis), label))]
    for face in sorted(scene.state.faces.get(slot, UNKNOWN) for slot in view.round.hands[seat]):
        card = scene.cards([(face, None)])[:-1]
        if rich_width(line) + rich_width(card) + 2 > width:
            return [*line, (style("dim"), ellipsis)]
        line.extend(card)
    return [*line, (style("card"), " ")] if len(line) > 1 else [*line, (style("dim"), scene.say("result.empty_hand"))]
