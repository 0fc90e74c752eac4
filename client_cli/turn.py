"""Our own turn before it is sent: what has been arranged so far, what would fit, and why something would not.

Every judgement is the engine's (`protocol.rules`), the very functions that judge everybody else's moves. Nothing
here reaches the node: a draft becomes one Play, and only the person sends it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from protocol.errors import DuizendenError, IllegalMove
from protocol.rules import engine, moves
from protocol.rules.actions import Lay, Placed, Play, Slot, Step, Swap
from protocol.rules.state import Drawn, Phase, Round
from protocol.session.view import TableView

from .faces import between_rounds, faces_of


@dataclass(frozen=True, slots=True)
class Draft:
    """What we have arranged in this turn; all of it can be undone."""

    take_pot: bool = False
    steps: tuple[Step, ...] = ()
    call_last: bool = False

    @property
    def empty(self) -> bool:
        """Whether nothing has been arranged."""
        return not self.take_pot and not self.steps

    def undone(self, *, pot_alone: bool) -> Draft:
        """Without the last thing arranged; the pot goes back with its meld unless it may be taken alone."""
        if len(self.steps) > 1 or (self.steps and (pot_alone or not self.take_pot)):
            return replace(self, steps=self.steps[:-1])
        return replace(self, take_pot=False, steps=())


@dataclass(frozen=True, slots=True)
class Offer:
    """Something the selected cards can do now.

    `with_pot` says that the pot is taken for it; without `reaches` it is a first lay that needs more points still.
    """

    step: Step
    points: int
    with_pot: bool = False
    reaches: bool = True


@dataclass(frozen=True, slots=True)
class Hint:
    """The steps of the best laydown in their order, and what they are worth; `with_pot`: if the pot is taken.

    Without steps `reached` is what all that can be laid counts for, where that is less than getting down needs.
    """

    steps: tuple[Step, ...] = ()
    value: int = 0
    with_pot: bool = False
    reached: int = 0


HINT_LIMIT = 12_000
"""States the search for a hint may look at: a moment at most, also for a hand of forty cards."""


def table_of(view: TableView, draft: Draft) -> Round | None:
    """The round as it would stand after the draft; None while the next one is being prepared.

    Raises IllegalMove if the draft does not fit this round.
    """
    if between_rounds(view):
        return None
    if view.round is None or view.me is None or draft.empty:
        return view.round
    return engine.preview(view.round, view.me, draft.take_pot, draft.steps, view.faces, arranging=True)


def may_arrange(view: TableView, draft: Draft) -> bool:
    """Whether cards may be laid now: it is our turn, we have drawn or taken the pot, and know all our cards."""
    assert view.round is not None
    return view.my_turn and (view.round.phase is Phase.PLAY or draft.take_pot) and knows_hand(view)


def play_words(view: TableView, draft: Draft) -> str:
    """Code of the sentence that says what can be done before the discard, at this table and at this moment."""
    rules, now = view.rules, table_of(view, draft)
    down = now is not None and view.me is not None and now.down[view.me]
    swaps = rules.joker_swap and (down or not rules.joker_swap_requires_being_down)
    if swaps:
        return "turn.play"
    return "turn.play.no_swap" if down or not rules.layoff_requires_being_down else "turn.play.first"


def knows_hand(view: TableView) -> bool:
    """Whether every card of our hand can be read; a drawn one cannot before the last key share is in."""
    faces = faces_of(view)
    return all(slot in faces for slot in view.hand)


def not_yet(view: TableView) -> str:
    """Why nothing can be laid or discarded yet in our turn, where `may_arrange` says so."""
    assert view.round is not None
    assert view.me is not None
    if not knows_hand(view):
        return "turn.opening"
    if view.round.phase is Phase.EXCHANGE:
        return "note.exchange_first"
    return "note.stock_first" if moves.pot_is_closed(view.round, view.me) else "must_draw_first"


def offers(view: TableView, draft: Draft, selection: Sequence[Slot]) -> tuple[Offer, ...]:
    """All that the selected cards can do, each exactly named; before the draw, what they could do with the pot."""
    state, me = view.round, view.me
    if not view.my_turn or not selection or state is None or me is None:
        return ()
    if may_arrange(view, draft):
        fits = moves.what_fits(state, me, selection, view.faces, take_pot=draft.take_pot, steps=draft.steps)
        return tuple(Offer(fit.step, fit.points, reaches=fit.reaches) for fit in fits)
    if moves.pot_is_closed(state, me):
        return ()
    with_top = (*selection, state.pot[-1])
    fits = moves.what_fits(state, me, with_top, view.faces, take_pot=True)
    return tuple(Offer(fit.step, fit.points, with_pot=True, reaches=fit.reaches) for fit in fits)


def why_nothing(view: TableView, draft: Draft, selection: Sequence[Slot]) -> str | None:
    """Why the selected cards can do nothing: the reason code of laying them as one meld; None without a selection."""
    if not view.my_turn or len(selection) < 1 or view.round is None or view.me is None:
        return None
    if not may_arrange(view, draft):
        return not_yet(view)
    if len(selection) < 3:
        return "does_not_fit"
    attempt = Lay(tuple(Placed(slot) for slot in selection))
    try:
        engine.preview(view.round, view.me, draft.take_pot, (*draft.steps, attempt), view.faces, arranging=True)
    except IllegalMove as refused:
        return refused.code
    return None


def may_take(view: TableView, draft: Draft) -> bool:
    """Whether it is our moment to take something from stock or pot."""
    return view.my_turn and view.round is not None and view.round.phase is Phase.DRAW and not draft.take_pot


def pot_refusal(view: TableView) -> str | None:
    """Why the pot may not be taken now, or None if it may."""
    if not view.my_turn or view.round is None or view.me is None:
        return "not_your_turn"
    if view.round.phase is not Phase.DRAW:
        return "already_drawn"
    if view.round.stock_only:
        return "open_declined"
    try:
        engine.preview(view.round, view.me, True, (), view.faces)
    except IllegalMove as refused:
        return refused.code
    return None


def ending(view: TableView, draft: Draft, discard: Slot | None) -> Play:
    """The whole turn with this discard; a second queen of spades is shown where the rules want to see it.

    Raises IllegalMove for a draft that the rules refuse.
    """
    assert view.round is not None
    assert view.me is not None
    play = Play(take_pot=draft.take_pot, steps=draft.steps, discard=discard, call_last=draft.call_last)
    return engine.with_proof(view.round, view.me, play, view.faces)


def ending_refusal(view: TableView, draft: Draft, discard: Slot | None) -> str | None:
    """Why the turn may not end with this discard, or None if it may."""
    if not view.my_turn or view.round is None or view.me is None:
        return "not_your_turn"
    if not may_arrange(view, draft):
        return not_yet(view)
    try:
        engine.play(view.round, view.me, ending(view, draft, discard), view.faces)
    except DuizendenError as refused:
        return refused.code
    return None


def hint(view: TableView, draft: Draft) -> Hint:
    """The best laydown after the draft, and before the draw the best one with the pot; no steps where there is none."""
    state, me = view.round, view.me
    if state is None or me is None or not view.my_turn or not knows_hand(view):
        return Hint()
    if not may_arrange(view, draft):
        best = moves.laydown(state, me, view.faces, take_pot=True, limit=HINT_LIMIT)
        return Hint(best.steps, best.value, with_pot=True)
    done, begun = draft.steps, _short_lay(state, me, view, draft)
    if begun:
        done = done[: -len(begun)]
    take_pot = draft.take_pot and not done
    if done or (draft.take_pot and not begun):
        state, take_pot = engine.preview(state, me, draft.take_pot, done, view.faces), False
    best = moves.laydown(state, me, view.faces, take_pot=take_pot, limit=HINT_LIMIT, begun=begun)
    if best.steps or state.down[me]:
        return Hint(best.steps, best.value)
    reached = moves.opening_reach(state, me, view.faces, take_pot=take_pot, limit=HINT_LIMIT, begun=begun)
    return Hint(reached=reached if reached < state.rules.opening_minimum else 0)


def _short_lay(state: Round, me: int, view: TableView, draft: Draft) -> tuple[Lay, ...]:
    """The melds at the end of the draft by which we are not down yet: they are worth too little so far."""
    try:
        engine.preview(state, me, draft.take_pot, draft.steps, view.faces)
    except IllegalMove:
        last = takewhile(lambda step: isinstance(step, Lay), reversed(draft.steps))
        return tuple(step for step in reversed(list(last)) if isinstance(step, Lay))
    return ()


def hand_cards(step: Step, hand: Sequence[Slot]) -> tuple[Slot, ...]:
    """The cards of this hand that the step uses."""
    used = (step.slot,) if isinstance(step, Swap) else tuple(card.slot for card in step.cards)
    return tuple(slot for slot in used if slot in hand)


def groups(view: TableView, draft: Draft, hand: tuple[Slot, ...]) -> tuple[tuple[Slot, ...], ...]:
    """Cards that could be laid together if we were to play now, best first: for ordering the hand by melds."""
    now = table_of(view, draft)
    if now is None or view.me is None or not hand or now.phase is Phase.OVER or not knows_hand(view):
        return ()
    as_if = replace(now, mover=view.me, phase=Phase.PLAY, drawn=now.drawn or Drawn("stock", hand[-1:]))
    steps = moves.laydown(as_if, view.me, faces_of(view), take_pot=False, limit=HINT_LIMIT).steps
    return tuple(hand_cards(step, hand) for step in steps)
