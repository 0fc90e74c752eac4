"""The page of a game that was broken off: who is named for it and why, and who wins by the rule."""

from __future__ import annotations

from client_cli.beside import OVER
from client_cli.theme import style

from .canvas import Piece, wrap
from .scene import Scene

FAULT, LEFT = 2, 4
"""Reasons of a void round (spec/30-wire.md 6)."""


def void_lines(scene: Scene, width: int) -> list[list[Piece]]:
    """All that is to be said of a void round, line by line."""
    view = scene.state.view
    lines: list[list[Piece]] = []
    for seat in view.departed:
        lines += wrap([(style("gold"), scene.name(seat)), (style("note"), " " + why(scene, seat))], width)
    fault = view.fault
    if fault is not None:
        lines += _text(scene, "fault.where", width, "seat.facts", step=fault.step, fault=fault.code)
        lines += _text(scene, "fault.kept", width)
    return [*lines, [], *_text(scene, "void.round", width, number=view.round_number), *_winner(scene, width)]


def why(scene: Scene, seat: int) -> str:
    """Why this seat is named, as the end of a sentence that begins with its name."""
    state = scene.state
    fault = state.view.fault
    if fault is not None and fault.seat == seat:
        return scene.fault(fault.code)
    reasons = {void.reason for void in state.voids if seat in void.seats}
    if FAULT in reasons:
        return scene.say("void.why.fault")
    return scene.say("void.why.left" if seat in state.left or LEFT in reasons else "void.why.silent")


def _winner(scene: Scene, width: int) -> list[list[Piece]]:
    view = scene.state.view
    if view.stage not in OVER:
        return _text(scene, "void.pending", width)
    if not view.winners:
        return _text(scene, "void.no_winner", width)
    lines = _text(scene, "void.leader", width, number=len(view.results))
    if view.rules.aborted_winner_excludes_leaver:
        lines += _text(scene, "void.not_the_leaver", width)
    code = "result.winner" if len(view.winners) == 1 else "result.winners"
    return [*lines, [], *_text(scene, code, width, "gold", names=scene.names(view.winners))]


def _text(scene: Scene, code: str, width: int, kind: str = "note", **facts: object) -> list[list[Piece]]:
    return wrap([(style(kind), scene.say(code, **facts))], width)
