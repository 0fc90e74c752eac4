"""What news from the table makes of the screen: the log, what has become void, which page it is time for.

Nothing here moves the cursor or the selection within a turn: news never makes a key mean another card.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from protocol.session.outputs import (
    Challenged,
    Claimed,
    Drew,
    GameOver,
    Left,
    RoundOver,
    RoundStarted,
    SetupProgress,
    Voided,
)
from protocol.session.view import Stage, TableView

from . import beside, talk
from .chronicle import LONGEST, chronicle
from .departures import is_voided
from .intents import Page, TableChanged
from .state import Ask, Effect, Note, Ring, Submit, UiState, settle
from .turn import Draft

Result: TypeAlias = tuple[UiState, tuple[Effect, ...]]

SENT = Note("note.sent", bad=True)
"""Said while a move is on its way; it goes when the table has moved on."""


def changed(state: UiState, news: TableChanged) -> Result:
    """The screen after this news: what has become void goes, what happened is told, our turn rings."""
    view = news.view
    before = state.view
    moved_on = view.step != before.step or view.round is not before.round
    log = (*state.log, *chronicle(before, view, news.events))[-LONGEST:]
    new = replace(state, view=view, link=news.link, log=log)
    if moved_on:
        new = replace(new, sent_at=None if view.step != state.sent_at else state.sent_at)
        new = replace(new, note=None if new.note == SENT else new.note)
    if view.step != before.step:
        new = replace(new, claims=())
    if _turn_of(view) != _turn_of(before):
        new = replace(new, draft=Draft(), selected=(), ask=_standing(new.ask), fresh=(), hint=(), meld_scroll=0)
    if view.stage is not before.stage and view.stage is Stage.BETWEEN:
        new = replace(new, ready=False)
    for event in news.events:
        match event:
            case SetupProgress():
                new = replace(new, progress=event)
            case RoundStarted():
                new = replace(new, progress=None, ready=False, page=_leave_result(new.page))
            case Drew(seat, slot, _) if seat == view.me:
                new = replace(new, fresh=(*new.fresh, slot))
            case RoundOver():
                new = replace(new, page=Page.RESULT, scroll=0, ask=_standing(new.ask), caught=None)
            case GameOver() if view.departed:
                new = replace(new, page=Page.RESULT, scroll=0, ask=None)
            case Challenged(_, offender) if offender == new.caught:
                new = replace(new, caught=None)
            case Claimed() | Left() | Voided():
                new = beside.hear(new, event)
    if is_voided(view) and not is_voided(before):
        new = replace(new, page=Page.RESULT, scroll=0)
    if view.to_compare and not before.to_compare:
        new = replace(new, page=_leave_result(new.page))
    new = replace(new, left=(*new.left, *(seat for seat in view.leaving if seat not in new.left)))
    new = talk.hear(new, news.words, news.standing)
    if talk.paused(new) and new.ask is not None and new.ask.note.code == "ask.claim":
        new = replace(new, ask=None)
    rings = view.my_turn and not before.my_turn and _turn_of(view) != _turn_of(before)
    return settle(new), (Ring(),) if rings else ()


def _turn_of(view: TableView) -> tuple[int, int, int] | None:
    """What stays the same during one turn: round, mover and the number of turns completed."""
    state = view.round
    if state is None or view.stage is not Stage.PLAYING:
        return None
    return (view.round_number, state.mover, sum(state.turns_taken))


def _standing(ask: Ask | None) -> Ask | None:
    """The question that outlives the turn in which it was asked: one about leaving or waiting, not one about a move."""
    return None if ask is None or (isinstance(ask.effect, Submit) and ask.effect.is_move) else ask


def _leave_result(page: Page) -> Page:
    return Page.TABLE if page is Page.RESULT else page
