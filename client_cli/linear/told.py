"""What a person hears when the table changes: `told(before, after)`. Pure: two states in, lines out."""

from __future__ import annotations

from client_cli.chronicle import Entry, entries
from client_cli.departures import OVER, is_voided
from client_cli.faces import SETUP
from client_cli.state import UiState
from protocol.rules.actions import Play, Step
from protocol.session.outputs import Played
from protocol.session.view import Stage

from .pages import hand_lines, result_lines, table_lines
from .scene import PlainScene, as_text, scene_of
from .situation import handshake_line, note_line, prompt, situation


def opening(state: UiState, lang: str) -> list[str]:
    """What is said first: who sits here, by which rules, where to find help, and where we stand."""
    scene = scene_of(state, lang)
    names = scene.names(range(len(state.view.players)))
    lines = [
        scene.say("linear.welcome", names=names, rules=state.view.rules_name, target=state.view.rules.target_score)
    ]
    lines.append(scene.say("linear.welcome.help"))
    if state.view.stage not in SETUP or state.view.to_compare:  # at first nobody has been heard yet
        lines += [*situation(scene), *prompt(scene)]
    return [scene.say("header.seeded"), *lines] if state.view.seeded else lines


def told(before: UiState, after: UiState, lang: str, *, typed: bool = False) -> list[str]:
    """The lines that lead from one state to the next: what happened, what was answered, and where we stand now.

    Where we stand is said when it has changed; the short line also when something was `typed`.
    """
    old, scene = scene_of(before, lang), scene_of(after, lang)
    scored = after.view.results != before.view.results
    silent = _IN_RESULT if scored else frozenset()
    lines = [as_text(scene.entry(entry, "")) for entry in _new(before.log, after.log) if entry.code not in silent]
    compared = after.view.stage not in SETUP  # who comes later to look on has nothing to compare
    if (
        after.view.handshake
        and not before.view.handshake
        and not after.view.to_compare
        and after.people
        and not compared
    ):
        lines.append(f"{handshake_line(scene)} {scene.say('compare.wait', host=scene.name(0))}")
    lines += _drafted(before, after, scene)
    if after.view.stage is Stage.PLAYING and before.view.stage in SETUP:
        lines += table_lines(scene) if after.me is None else hand_lines(scene)
    broken_off = after.view.broken_off and after.view.stage in OVER and before.view.stage not in OVER
    if scored or broken_off or (is_voided(after.view) and not is_voided(before.view)):
        lines += result_lines(scene)
    if after.link.state == "up" and before.link.state in {"down", "connecting"}:
        lines.append(scene.say("linear.link.up"))
    now = situation(scene)
    if after.note is not None and after.note is not before.note:
        note = note_line(scene, after.note)
        lines += [] if now != situation(old) and any(note in line for line in now) else [note]
    if now and now != situation(old):
        return [*lines, *now, *prompt(scene)]
    return [*lines, *prompt(scene)] if typed else lines


_IN_RESULT = frozenset({"log.round_over", "log.round_out", "log.game_over"})
"""Entries that say what the result of the round says too."""


def _new(before: tuple[Entry, ...], after: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """The entries of `after` that `before` does not have; old ones may have been dropped at the front."""
    if not before:
        return after
    for place in range(len(after), 0, -1):
        if after[place - 1] is before[-1]:
            return after[place:]
    return after


def _drafted(before: UiState, after: UiState, scene: PlainScene) -> list[str]:
    """What was arranged or taken back since, as long as it can be taken back."""
    if not (before.my_turn and after.my_turn) or before.draft == after.draft:
        return []
    was, now = before.draft, after.draft
    if len(now.steps) < len(was.steps) or (was.take_pot and not now.take_pot):
        return [scene.say("linear.undone")]
    lines: list[str] = []
    if now.take_pot and not was.take_pot:
        assert after.view.round is not None
        cards = scene.row(after.faces[slot] for slot in reversed(after.view.round.pot))
        lines.append(scene.say("linear.took_pot", cards=cards))
    lines += [_step_line(after, step, scene) for step in now.steps[len(was.steps) :]]
    return lines


def _step_line(state: UiState, step: Step, scene: PlainScene) -> str:
    assert state.me is not None
    told_as = entries(state.view, Played(state.me, Play(take_pot=False, steps=(step,), discard=None), (), out=False))
    return " ".join(scene.say("linear.drafted", what=as_text(scene.entry(entry, ""))) for entry in told_as)
