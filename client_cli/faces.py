"""Which cards a person may see now: the one place that puts a view's faces together.

A slot's card is public in the round's state, ours in the view's `faces`, or opened in the result of a scored round.
"""

from __future__ import annotations

from collections.abc import Mapping

from protocol.rules.actions import Slot
from protocol.rules.state import Phase
from protocol.session.view import Stage, TableView

UNKNOWN = -1
"""The face of a card that this view does not know: our own for a moment after the draw, or one of a past round."""

SETUP = frozenset({Stage.SEATING, Stage.SHUFFLING, Stage.DEALING})
"""Stages in which a deck is being made."""


def faces_of(view: TableView) -> Mapping[Slot, int]:
    """The face of every slot of `view.round` that is known to this seat.

    When the next round is being prepared, `view.faces` already speaks of its slots; the scored round's hands are then
    those of its result.
    """
    state = view.round
    if state is None:
        return view.faces
    if state.phase is not Phase.OVER or view.stage not in SETUP | {Stage.BETWEEN, Stage.FINISHED}:
        return {**state.faces, **view.faces}
    faces = dict(state.faces)
    if view.results:
        for slots, opened in zip(state.hands, view.results[-1].hands, strict=True):
            faces.update(zip(slots, opened, strict=True))
    return faces


def between_rounds(view: TableView) -> bool:
    """Whether the round shown is over and the next deck is being made."""
    return view.stage in SETUP and (view.round is None or view.round.phase is Phase.OVER)
