"""What each key and each piece of news makes of the screen: `reduce(state, intent) -> (state, effects)`.

Here is decided what a key means; what is legal is decided by the engine (see `turn`), what it looks like by the
views. Nothing here knows a terminal, a node, a clock or a thread, so every behaviour of the screen can be tested
as plain data.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from protocol.rules.actions import Draw, Exchange, Play, Slot
from protocol.rules.state import Phase
from protocol.session import session
from protocol.session.session import Challenge, Choice, Claim, NextRound, SameCards
from protocol.session.view import Stage, TableView

from . import beside, hint, motion, news, talk, turn
from .arrange import Sort, ordered
from .chronicle import Cards, Fact, Seats, one
from .departures import is_signing, was_voided
from .intents import (
    Aim,
    Choose,
    Edge,
    Intent,
    Key,
    Leaf,
    Link,
    Open,
    Page,
    Pick,
    Refused,
    Row,
    Shift,
    Standing,
    Step,
    Stopped,
    TableChanged,
    TalkRefused,
    Typed,
    Verified,
    Wheel,
)
from .state import LEAF, Ask, Effect, Goodbye, GoOn, Leave, Note, Ring, Submit, UiState, Verify, settle, weigh

__all__ = ["Ask", "Effect", "GoOn", "Goodbye", "Leave", "Note", "Ring", "Submit", "UiState", "reduce", "start"]

Result: TypeAlias = tuple[UiState, tuple[Effect, ...]]


def start(view: TableView, link: Link, *, sort: Sort = Sort.SUIT, standing: Standing | None = None) -> UiState:
    """The screen when it opens on this table, on which people stand like this (nobody away, no pause)."""
    state = settle(UiState(view=view, link=link, sort=sort, standing=standing or Standing(), left=view.leaving))
    told = was_voided(view) and not is_signing(view) and not view.to_compare
    if told or (view.stage in {Stage.BETWEEN, Stage.FINISHED} and view.results):
        return replace(state, page=Page.RESULT)
    return state


def reduce(state: UiState, intent: Intent) -> Result:
    """The next state and what has to be done. Total: every intent is accepted in every state."""
    match intent:
        case TableChanged():
            return news.changed(state, intent)
        case Refused(code, choice):
            return replace(_taken_back(state, choice), note=Note(code, bad=True)), ()
        case Verified():
            return replace(state, note=_verified(intent)), ()
        case TalkRefused():
            return talk.refused(state, intent), ()
        case Stopped():
            return replace(state, link=replace(state.link, state="stopped"), sent_at=None, ask=None), ()
    state = replace(state, said=None)
    if state.typing is not None:
        return talk.typed(state, intent)
    if state.ask is not None:
        return _answer(state, state.ask, intent)
    state = replace(state, note=None)
    match intent:
        case Open(page):
            shown = Page.TABLE if state.page is page else page
            unread = 0 if shown in {Page.LOG, Page.TALK} else state.unread
            return replace(state, page=shown, scroll=0, unread=unread), ()
        case Typed():
            return state, ()  # it came too late: the line has been sent or left
        case Choose(number) if state.page is Page.TALK:
            return talk.mute(state, number)
        case Row() | Leaf() | Edge() if state.page is not Page.TABLE:
            return replace(state, scroll=motion.scrolled(state.scroll, intent)), ()
        case Step() | Shift() if state.page is not Page.TABLE:
            return state, ()  # the hand does not lie behind a page
        case Leaf(by, limit, size):
            return replace(state, meld_scroll=min(max(state.meld_scroll + by * size, 0), limit)), ()
        case Step() | Row() | Edge():
            return motion.moved(state, intent), ()
        case Shift(by):
            return motion.shifted_card(state, by), ()
        case Choose(number):
            return _choose(state, number), ()
        case Pick(slot):
            return _toggle(replace(state, cursor=slot)) if slot in state.order else (state, ())
        case Aim(meld):
            return _aim(state, meld)
        case Wheel(by, limit) if state.page is Page.TABLE:
            return replace(state, meld_scroll=min(max(state.meld_scroll + by, 0), limit)), ()
        case Wheel(by, limit):
            return replace(state, scroll=motion.scrolled(state.scroll, Row(3 * by, limit=limit))), ()
        case Key():
            return _KEYS[intent](state)


def _taken_back(state: UiState, choice: Choice) -> UiState:
    """The state without what this choice, which was not taken, had already changed in it; all else stays."""
    match choice:
        case session.Leave():
            return replace(state, left=tuple(seat for seat in state.left if seat != state.me))
        case NextRound():
            return replace(state, ready=False)
        case Challenge():
            return replace(state, caught=None)
        case Claim(seats) if state.me is not None:
            return beside.unclaimed(state, seats)
        case _:
            return replace(state, sent_at=None)


# ------------------------------------------------------------------ cursor, selection, pages


def _toggle(state: UiState) -> Result:
    slot = state.cursor
    if state.page is Page.POT and turn.may_take(state.view, state.draft):
        return _refuse(state, "pot_whole_pile")
    if slot is None or state.page is not Page.TABLE:
        return state, ()
    chosen = tuple(other for other in state.selected if other != slot)
    if slot not in state.selected:
        chosen = (*chosen, slot)
    return weigh(replace(state, selected=chosen, hint=())), ()


def _cancel(state: UiState) -> Result:
    if state.page is not Page.TABLE:
        return replace(state, page=Page.TABLE, scroll=0), ()
    return weigh(replace(state, selected=(), hint=(), unread=0)), ()


def _sort(state: UiState) -> Result:
    sort = state.sort.following()
    if sort is Sort.MELDS:
        groups = turn.groups(state.view, state.draft, state.order)
        state = replace(state, order=ordered(state.order, state.faces, sort, groups=groups))
    return settle(replace(state, sort=sort, note=Note(f"note.sort.{sort.value}"))), ()


# ------------------------------------------------------------------ acts of our turn


def _refuse(state: UiState, code: str, *concerned: Slot) -> Result:
    """Say why not, and which cards it is about."""
    known = tuple((state.faces[slot], None) for slot in concerned if slot in state.faces)
    return replace(state, note=Note(code, (("concerned", Cards(known)),) if known else (), bad=True)), ()


def _closed(state: UiState) -> str | None:
    """Why nothing at all can be done now, or None."""
    if state.sent_at is not None:
        return "note.sent"
    return None if state.my_turn else "not_your_turn"


def _accept(state: UiState) -> Result:
    if state.page is Page.RESULT:
        return _next_round(state)
    if state.page is not Page.TABLE:
        return replace(state, page=Page.TABLE, scroll=0), ()
    if state.view.to_compare:
        return _compared(state)
    if len(state.offers) == 1:
        return _choose(state, 1), ()
    if state.offers:
        return replace(state, note=Note("note.choose")), ()
    closed = _closed(state)
    if closed is not None:
        return _refuse(state, closed)
    return _refuse(state, state.reason or "note.select_first")


def _compared(state: UiState) -> Result:
    """Begin, once everybody has named the same three cards."""
    if state.sent_at is not None:
        return state, ()
    if not state.all_same:
        return _refuse(state, "note.compare_first")
    return replace(state, sent_at=state.view.step), (Submit(SameCards()),)


def _named(state: UiState, number: int) -> UiState:
    """The player with this number in the list named the same cards; said again, it was a mistake."""
    if state.page is not Page.TABLE or state.sent_at is not None or not 1 <= number <= len(state.people):
        return state
    seat = state.people[number - 1]
    rest = tuple(other for other in state.same if other != seat)
    return replace(state, same=rest if seat in state.same else (*rest, seat))


def _choose(state: UiState, number: int) -> UiState:
    if state.view.to_compare:
        return _named(state, number)
    at = state.offer_leaf * LEAF + number - 1
    if state.page is not Page.TABLE or not 1 <= number <= LEAF or at >= len(state.offers):
        return state
    offer = state.offers[at]
    draft = replace(
        state.draft, take_pot=state.draft.take_pot or offer.with_pot, steps=(*state.draft.steps, offer.step)
    )
    before = state.order
    return _marked(settle(replace(state, draft=draft, selected=(), hint=())), before)


def _aim(state: UiState, meld: int) -> Result:
    """What the selected cards can do with this meld: done if it is one thing, else the numbers are to choose from."""
    fitting = [place for place, offer in enumerate(state.offers) if getattr(offer.step, "meld", None) == meld]
    if len(fitting) == 1:
        leaf, number = divmod(fitting[0], LEAF)
        return _choose(replace(state, offer_leaf=leaf), number + 1), ()
    if fitting:
        return replace(state, offer_leaf=fitting[0] // LEAF, note=Note("note.choose")), ()
    closed = _closed(state)
    if closed is not None:
        return _refuse(state, closed)
    return _refuse(state, "does_not_fit" if state.selected else "table_fixed")


def _more(state: UiState) -> Result:
    """The next nine offers, round and round."""
    leaves = -(-len(state.offers) // LEAF)
    return replace(state, offer_leaf=(state.offer_leaf + 1) % leaves if leaves else 0), ()


def _marked(state: UiState, before: tuple[Slot, ...]) -> UiState:
    """Mark what came to the hand by pot or swap."""
    came = tuple(slot for slot in state.order if slot not in before and slot not in state.fresh)
    return replace(state, fresh=(*state.fresh, *came))


def _undo(state: UiState) -> Result:
    closed = _closed(state)
    if closed is not None:
        return _refuse(state, closed)
    if state.draft.empty:
        return _refuse(state, "note.nothing_to_undo")
    draft = state.draft.undone(pot_alone=turn.pot_refusal(state.view) is None)
    return settle(replace(state, draft=draft, selected=(), hint=())), ()


def _stock(state: UiState) -> Result:
    closed = _closed(state)
    if closed is not None:
        return _refuse(state, closed)
    assert state.view.round is not None
    if state.view.round.phase is not Phase.DRAW or state.draft.take_pot:
        return _refuse(state, "already_drawn")
    return replace(state, ask=Ask(Note("ask.stock"), Submit(Draw()))), ()


ABOUT_THE_TOP = ("pot_top_must_meld", "pot_no_layoff", "pot_needs_two_hand_cards")
"""Why the pot may not be taken, where it is for the card on top of it."""


def _pot(state: UiState) -> Result:
    closed = _closed(state)
    if closed is not None:
        return _refuse(state, closed)
    assert state.view.round is not None
    if state.view.round.phase is Phase.EXCHANGE:
        return _exchange(state)
    if state.draft.take_pot:
        return _refuse(state, "already_drawn")
    refusal = turn.pot_refusal(state.view)
    if refusal is not None:
        return _refuse(state, refusal, *(state.view.round.pot[-1:] if refusal in ABOUT_THE_TOP else ()))
    before = state.order
    return _marked(settle(replace(state, draft=replace(state.draft, take_pot=True))), before), ()


def _exchange(state: UiState) -> Result:
    if len(state.selected) != 1:
        return _refuse(state, "note.select_return")
    returned = state.selected[0]
    facts: tuple[tuple[str, Fact], ...] = (("cards", one(returned, state.faces)),)
    return replace(state, ask=Ask(Note("ask.exchange", facts), Submit(Exchange(returned)))), ()


def _decline(state: UiState) -> Result:
    closed = _closed(state)
    if closed is not None:
        return _refuse(state, closed)
    assert state.view.round is not None
    if state.view.round.phase is not Phase.EXCHANGE:
        return _refuse(state, "no_exchange")
    return replace(state, ask=Ask(Note("ask.decline"), Submit(Exchange(None)))), ()


def _discard(state: UiState) -> Result:
    closed = _closed(state)
    if closed is not None:
        return _refuse(state, closed)
    if len(state.selected) > 1:
        return _refuse(state, "note.one_discard")
    cards = state.to_act_on
    slot = cards[0] if cards else None
    refusal = turn.ending_refusal(state.view, state.draft, slot)
    if refusal is not None:
        return _refuse(state, refusal, *cards)
    play = turn.ending(state.view, state.draft, slot)
    return replace(state, ask=Ask(_summary(state, play), Submit(play))), ()


def _summary(state: UiState, play: Play) -> Note:
    """The question before a turn is sent: everything that becomes final with it."""
    left = len(state.order) - (play.discard is not None)
    facts: tuple[tuple[str, Fact], ...] = (("count", len(play.steps)), ("left", left))
    if play.discard is None:
        return Note("ask.end", facts)
    facts = (*facts, ("cards", one(play.discard, state.faces)))
    if left == 0:
        return Note("ask.discard_out", facts)
    return Note("ask.discard" if state.draft.empty else "ask.discard_all", facts)


def _call_last(state: UiState) -> Result:
    closed = _closed(state)
    if closed is not None:
        return _refuse(state, closed)
    if state.view.rules.last_card_call == "none":
        return _refuse(state, "note.no_call")
    called = not state.draft.call_last
    note = Note("note.last_called" if called else "note.last_taken_back")
    return replace(state, draft=replace(state.draft, call_last=called), note=note), ()


def _hint(state: UiState) -> Result:
    closed = _closed(state)
    if closed is not None:
        return _refuse(state, closed)
    return hint.shown(state), ()


def _next_round(state: UiState) -> Result:
    if not state.may_go_on:
        return replace(state, page=Page.TABLE, scroll=0) if state.page is Page.RESULT else state, ()
    return replace(state, ready=True, note=None), (GoOn(),)


def _verify(state: UiState) -> Result:
    """Let the game so far be verified from its file; the answer comes as news."""
    if state.page is not Page.FAIRNESS or state.link.state == "replay":
        return state, ()
    return replace(state, note=Note("note.verifying")), (Verify(),)


def _verified(news: Verified) -> Note:
    facts: tuple[tuple[str, Fact], ...] = (("file", news.file), ("proofs", news.proofs), ("step", news.steps))
    if not news.code:
        return Note("note.verified", facts)
    if news.seat is None:
        return Note("note.verified_not", (*facts, ("code", news.code)), bad=True)
    return Note("note.verified_fault", (*facts, ("code", news.code), ("names", Seats((news.seat,)))), bad=True)


def _answer(state: UiState, ask: Ask, intent: Intent) -> Result:
    """Enter says yes; every other key takes the question away and does nothing else, so that no slip acts.

    The question about leaving has a second way, by a key of its own, which is asked about once more.
    """
    calm = replace(state, ask=None, note=None)
    if intent is Key.GOODBYE and ask.effect == Leave():
        return beside.goodbye(calm)
    if intent is not Key.ACCEPT:
        return calm, ()
    match ask.effect:
        case Submit(Claim(seats)):
            calm = beside.claimed(calm, seats)
        case Submit():
            calm = replace(calm, sent_at=state.view.step, selected=(), hint=(), offers=(), reason=None)
        case Goodbye():
            assert state.me is not None
            calm = weigh(replace(calm, left=(*calm.left, state.me), selected=(), hint=()))
    return calm, (ask.effect,)


_KEYS: dict[Key, Callable[[UiState], Result]] = {
    Key.TOGGLE: _toggle,
    Key.ACCEPT: _accept,
    Key.CANCEL: _cancel,
    Key.MORE: _more,
    Key.UNDO: _undo,
    Key.STOCK: _stock,
    Key.POT: _pot,
    Key.DISCARD: _discard,
    Key.DECLINE: _decline,
    Key.CALL_LAST: _call_last,
    Key.SORT: _sort,
    Key.HINT: _hint,
    Key.NEXT_ROUND: _next_round,
    Key.LEAVE: beside.leave,
    Key.GOODBYE: beside.goodbye,
    Key.REVEAL: lambda state: (state, ()),
    Key.TALK: talk.begin,
    Key.SEND: lambda state: (state, ()),
    Key.DROP: lambda state: (state, ()),
    Key.ERASE: lambda state: (state, ()),
    Key.AWAY: talk.away,
    Key.PAUSE: talk.pause,
    Key.CLAIM: beside.wait_no_longer,
    Key.CATCH: beside.catch,
    Key.VERIFY: _verify,
}
