"""A game file in words, from the first round to the last: everything that was opened by its end is told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from client_cli.replay_model import Replay
from client_cli.replay_state import ReplayState
from client_cli.state import UiState
from client_cli.verdict import fault_sentence

from .scene import scene_of
from .told import told


def game_lines(game: Replay, lang: str) -> Iterator[str]:
    """The whole game, one event a line, with the result of every round and what is wrong with the file, if anything."""
    before = _at(game, 0)
    scene = scene_of(before, lang)
    view = before.view
    names = scene.names(range(len(view.players)))
    yield scene.say("linear.welcome", names=names, rules=view.rules_name, target=view.rules.target_score)
    if view.seeded:
        yield scene.say("header.seeded")
    yield from told(_unseen(before), before, lang)
    for at in range(1, game.last + 1):
        now = _at(game, at)
        yield from told(before, now, lang)
        before = now
    fault = game.verdict.fault
    if fault is not None:
        yield fault_sentence(game.verdict, fault, lang)
        yield scene.say("fault.where", step=fault.step, fault=fault.code)
    elif game.verdict.complete:
        yield scene.say("linear.replay.whole")
    else:
        yield scene.say("linear.replay.prefix")


def _at(game: Replay, at: int) -> UiState:
    """This position with all cards open, seen by nobody in particular."""
    return ReplayState(game, at=at, seat=None, reveal=True).scene_state()


def _unseen(state: UiState) -> UiState:
    """The same before anything had been told."""
    return replace(state, log=(), view=replace(state.view, results=()))
