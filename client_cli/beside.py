"""What is said beside the turns: who is awaited in vain, catching a missed call, going for good.

Pure questions about a state and the meaning of the three keys; what they lead to at the table is the session's to say
(spec/30-wire.md 4 and 6). Nothing here decides by a clock: "not heard" is the node's word, waiting no longer is the
person's.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from protocol.rules import engine
from protocol.session.outputs import Claimed, Left, Voided
from protocol.session.session import Challenge, Claim
from protocol.session.view import Stage

from .chronicle import Entry, Fact, Seats
from .departures import OVER, is_out, staying
from .state import Ask, Effect, Goodbye, Leave, Note, Submit, UiState

Result: TypeAlias = tuple[UiState, tuple[Effect, ...]]


def heard(state: UiState, seat: int) -> bool:
    """Whether this peer was heard lately; unknown peers and we ourselves count as heard."""
    peers = state.link.peers
    return seat >= len(peers) or peers[seat] or seat == state.me


def absent(state: UiState) -> tuple[int, ...]:
    """The seats that hold up the table and were not heard for a while; none while we ourselves are not connected.

    Without those that said goodbye: for them every node says by itself that it does not wait.
    """
    if state.link.state != "up" or state.view.stage in OVER:
        return ()
    return tuple(seat for seat in state.view.waiting_for if not heard(state, seat) and seat not in state.left)


def leavers(state: UiState) -> tuple[int, ...]:
    """The other seats that said goodbye and have not been named for it yet: the table will do without them."""
    if state.view.stage in OVER:
        return ()
    return tuple(seat for seat in state.left if seat not in {state.me, *state.view.departed})


def lost(state: UiState) -> tuple[int, ...]:
    """Those of `leavers` that closed before they were named, where the others are too few to do without them.

    Only their own nodes can help then (spec/30-wire.md V4).
    """
    closed = tuple(seat for seat in leavers(state) if not heard(state, seat))
    return closed if 2 * len(closed) >= len(state.view.present) else ()


def claims(state: UiState) -> dict[int, tuple[int, ...]]:
    """Whom each seat says that it waits no longer for, in the open step."""
    return dict(state.claims)


def claimed_by_others(state: UiState) -> tuple[int, ...]:
    """The seats that hold up the table and that others say they wait no longer for."""
    named = {seat for who, silent in state.claims if who != state.me for seat in silent}
    return tuple(seat for seat in state.view.waiting_for if seat in named and seat not in {state.me, *state.left})


def claimable(state: UiState) -> tuple[int, ...]:
    """The seats that we could say now to wait no longer for, and have not yet: silent ones, or named by others.

    None where those who are left would not outnumber them (spec/30-wire.md V4): at a table of two one can only wait.
    None in a pause.
    """
    if state.standing.paused_by is not None:
        return ()
    if state.me not in state.view.present or state.link.state != "up" or state.view.stage in OVER:
        return ()
    if state.said_goodbye:
        return ()
    assert state.me is not None
    said = claims(state).get(state.me, ())
    wanted = {*absent(state), *claimed_by_others(state)}
    if 2 * len(wanted | set(said)) >= len(state.view.present):
        return ()
    return tuple(sorted(seat for seat in wanted if seat not in said))


def still_waiting(state: UiState, silent: tuple[int, ...]) -> tuple[int, ...]:
    """The seats that have not said yet that they wait no longer for these: the table waits until they do."""
    said = {who for who, named in state.claims if set(silent) <= set(named)}
    return tuple(seat for seat in state.view.present if seat not in {*silent, *said})


def offenders(state: UiState) -> tuple[int, ...]:
    """The seats that we could catch now at a missed call of the last card."""
    table, me = state.view.round, state.me
    if table is None or me is None or state.view.stage is not Stage.PLAYING:
        return ()
    found = engine.punishable(table)
    return tuple(seat for seat in found if seat != state.caught and engine.challenge_holds(table, me, seat))


# ------------------------------------------------------------------ the keys


def wait_no_longer(state: UiState) -> Result:
    """Ask whether to wait no longer: when all others say the same the round is void (the rule card says the rest)."""
    seats = claimable(state)
    if not seats:
        return replace(state, note=_no_claim(state)), ()
    rest = staying(state.view, seats)
    facts: tuple[tuple[str, Fact], ...] = (("seats", Seats(seats)), ("rest", Seats(rest)))
    return replace(state, ask=Ask(Note("ask.claim.on" if rest else "ask.claim", facts), Submit(Claim(seats)))), ()


def _no_claim(state: UiState) -> Note:
    """Why we cannot say now that we wait no longer for somebody."""
    if is_out(state.view):
        return Note("note.looking_on", bad=True)
    if state.said_goodbye:
        return Note("note.said_goodbye", bad=True)
    if state.standing.paused_by is not None:
        return Note("node/paused", bad=True)
    silent = {*absent(state), *lost(state)}
    if not silent:
        return Note("note.nobody_awaited", bad=True)
    if state.me is not None and silent <= set(claims(state).get(state.me, ())):
        return Note("note.claimed_already", bad=True)
    return Note("note.claim_few", (("seats", Seats(tuple(sorted(silent)))),), bad=True)


def catch(state: UiState) -> Result:
    """Catch a seat that did not call its last card: at once, since the moment passes and a false one does no harm."""
    if state.view.rules.last_card_call == "none":
        return replace(state, note=Note("note.no_call", bad=True)), ()
    found = offenders(state)
    if not found:
        return replace(state, note=Note("note.nobody_to_catch", bad=True)), ()
    note = Note("note.caught", (("offender", Seats(found[:1])),))
    return replace(state, caught=found[0], note=note), (Submit(Challenge(found[0])),)


def leave(state: UiState) -> Result:
    """Ask whether to stop for now or to go for good; where nothing is lost by going, go.

    After a goodbye the others may still need us to end the game: that is asked too; so is whether a host who looks on
    takes the table away.
    """
    if state.view.stage in OVER or state.link.state == "stopped":
        return state, (Leave(),)
    if is_out(state.view):
        if state.me == 0 and not state.view.broken_off:
            return replace(state, ask=Ask(Note("ask.close.host"), Leave())), ()
        return state, (Leave(),)
    if state.said_goodbye:
        code = "ask.close.two" if len(state.view.present) == 2 else "ask.close"
        return replace(state, ask=Ask(Note(code), Leave())), ()
    how = "ask.how" if state.me is None else "ask.leave.how"
    return replace(state, ask=Ask(Note("ask.leave"), Leave(), how)), ()


def goodbye(state: UiState) -> Result:
    """Ask whether to go for good: it ends the game for everybody, or the others play on without us.

    The screen stays until the person closes it: our node has to be there when the table needs our last word.
    """
    looks_on = state.me is None or is_out(state.view)
    if looks_on or state.view.stage in OVER or state.link.state == "stopped" or state.said_goodbye:
        return leave(state)
    assert state.me is not None
    rest = staying(state.view, (state.me, *leavers(state)))
    code = "ask.goodbye.on" if rest else "ask.goodbye" if state.view.results else "ask.goodbye.early"
    return replace(state, ask=Ask(Note(code, (("rest", Seats(rest)),)), Goodbye())), ()


# ------------------------------------------------------------------ news


def hear(state: UiState, event: Claimed | Left | Voided) -> UiState:
    """Remember what a seat said beside the log, or what became of the round."""
    match event:
        case Claimed(seat, silent):
            return _claimed(state, seat, silent)
        case Left(seat):
            # an old note would hide what follows from it
            return state if seat in state.left else replace(state, left=(*state.left, seat), note=None)
        case Voided():
            # a question asked before would not say any more what follows; leaving is leaving
            ask = state.ask if state.ask is not None and state.ask.effect == Leave() else None
            return replace(state, voids=(*state.voids, event), progress=None, caught=None, ask=ask)


def claimed(state: UiState, seats: tuple[int, ...]) -> UiState:
    """The state once we have said that we wait no longer for these seats."""
    assert state.me is not None
    mine = {*claims(state).get(state.me, ()), *seats}
    return replace(_claimed(state, state.me, tuple(sorted(mine))), log=(*state.log, _said_of(state, seats)))


def unclaimed(state: UiState, seats: tuple[int, ...]) -> UiState:
    """The state when the node has not taken our word that we wait no longer for these seats."""
    assert state.me is not None
    mine = tuple(seat for seat in claims(state).get(state.me, ()) if seat not in seats)
    others = tuple(claim for claim in state.claims if claim[0] != state.me)
    said = _said_of(state, seats)
    log = tuple(entry for entry in state.log if entry != said)
    return replace(state, claims=(*others, (state.me, mine)) if mine else others, log=log)


def _said_of(state: UiState, seats: tuple[int, ...]) -> Entry:
    facts: tuple[tuple[str, Fact], ...] = (("seats", Seats(seats)),)
    return Entry(state.view.round_number, "log.claimed", state.me, facts)


def _claimed(state: UiState, seat: int, silent: tuple[int, ...]) -> UiState:
    others = tuple(claim for claim in state.claims if claim[0] != seat)
    return replace(state, claims=(*others, (seat, silent)))
