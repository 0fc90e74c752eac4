"""Who has gone from the table, and what follows by its rule card: the game ends, or the others play on.

Pure questions about a view (spec/10-rules.md R131 and R132); in which words it is said is for the pages and lines.
"""

from __future__ import annotations

from collections.abc import Iterable

from protocol.session.view import Stage, TableView, plays_on

from .faces import SETUP

OVER = frozenset({Stage.FINISHED, Stage.FAULTED})
"""Stages after which the table waits for nobody."""


def staying(view: TableView, gone: Iterable[int] = ()) -> tuple[int, ...]:
    """Who plays on when these seats go too; nobody where the game ends."""
    rest = tuple(seat for seat in view.present if seat not in set(gone))
    return rest if plays_on(view.rules, len(rest)) else ()


def is_out(view: TableView) -> bool:
    """Whether we ourselves are no longer at the table, and look on."""
    return view.me is not None and view.me in view.departed


def is_signing(view: TableView) -> bool:
    """Whether those who are left are signing that the round is void."""
    if view.stage is not Stage.SCORING or not view.departed:
        return False
    if view.broken_off or view.round is None:
        return True
    # who was gone before this deal has neither cards nor gone out
    return any(view.round.hands[seat] or view.round.out == seat for seat in view.departed)


def is_voided(view: TableView) -> bool:
    """Whether the last round was void and the others play on: until the next one is dealt."""
    between = view.stage in SETUP or view.stage is Stage.BETWEEN
    return between and view.round is None and bool(view.departed)


def was_voided(view: TableView) -> bool:
    """Whether what is to tell of the last round is that it was void, rather than a result."""
    return is_signing(view) or is_voided(view) or (view.broken_off and view.stage in OVER)


def void_round(view: TableView) -> int:
    """The number of that round; 0 where no round had begun."""
    return view.round_number - 1 if is_voided(view) else view.round_number
