"""The page of a void round: who is named for it and why, and who plays on, or who wins by the rule."""

from __future__ import annotations

from client_cli.departures import OVER, is_signing, staying, void_round
from client_cli.theme import style

from .canvas import Piece, wrap
from .scene import Scene

FAULT, LEFT = 2, 4
"""Reasons of a void round (spec/30-wire.md 6)."""


def void_title(scene: Scene) -> str:
    """The heading: that the game was broken off, or which round is void."""
    view = scene.state.view
    if view.broken_off:
        return scene.say("page.void")
    number = void_round(view)
    return scene.say("page.void.on" if number else "page.void.first", number=number)


def void_lines(scene: Scene, width: int) -> list[list[Piece]]:
    """All that is to be said of a void round, line by line."""
    view = scene.state.view
    lines: list[list[Piece]] = []
    named = _named(scene)
    for seat in named:
        lines += wrap([(style("gold"), scene.name(seat)), (style("note"), " " + why(scene, seat))], width)
    fault = view.fault
    if fault is not None and fault.seat in named:
        lines += _text(scene, "fault.where", width, "seat.facts", step=fault.step, fault=fault.code)
        lines += _text(scene, "fault.kept", width)
    number = void_round(view)
    lines += [[], *(_text(scene, "void.round", width, number=number) if number else [])]
    return [*lines, *(_winner(scene, width) if view.broken_off else _going_on(scene, width))]


def _named(scene: Scene) -> tuple[int, ...]:
    """The seats that this void round is about; after a restart, and at the end, all that are gone."""
    state = scene.state
    last = state.voids[-1].seats if state.voids and not state.view.broken_off else ()
    return tuple(seat for seat in state.view.departed if seat in last) or state.view.departed


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


def _going_on(scene: Scene, width: int) -> list[list[Piece]]:
    """Who plays on, and what becomes of the points."""
    view = scene.state.view
    lines = [*_text(scene, "void.on", width, "gold", names=scene.names(staying(view))), []]
    if view.results:
        lines += _text(scene, "void.points", width)
    lines += _text(scene, "void.points.gone", width, names=scene.names(view.departed))
    pending = is_signing(view) and scene.state.link.state != "replay"
    return [*lines, *_text(scene, "void.pending.on", width)] if pending else lines


def _winner(scene: Scene, width: int) -> list[list[Piece]]:
    view = scene.state.view
    if view.stage not in OVER:
        return _text(scene, "void.pending", width)
    if not view.winners:
        return _text(scene, "void.no_winner", width)
    lines = _text(scene, "void.leader", width, number=view.results[-1].round_number if view.results else 0)
    if view.rules.aborted_winner_excludes_leaver:
        lines += _text(scene, "void.not_the_leaver", width)
    code = "result.winner" if len(view.winners) == 1 else "result.winners"
    return [*lines, [], *_text(scene, code, width, "gold", names=scene.names(view.winners))]


def _text(scene: Scene, code: str, width: int, kind: str = "note", **facts: object) -> list[list[Piece]]:
    return wrap([(style(kind), scene.say(code, **facts))], width)
