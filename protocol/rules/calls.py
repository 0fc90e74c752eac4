"""The last-card call: who had to make it, who may challenge a missed one and when, and what it costs.

The rules are those of spec/10-rules.md 22.

Everything follows from public facts: a turn that ends with one card in hand and no call is an offence of that seat.
It can be challenged from the next player's draw (stock or pot) until the offender's next own draw or the end of the
round. A challenge that does not hold changes nothing. This module knows no melds and no discards; `engine` tells it
how a turn ended, and is the door through which these functions are used.

A penalty card is no turn and no draw of the mover: it moves neither mover nor phase and counts for no lap. Turning the
pot over for one counts as a reshuffle, since from then on the same cards go round again.
"""

from __future__ import annotations

from dataclasses import replace

from protocol.errors import IllegalMove, InternalError

from .actions import Slot
from .state import Calls, Phase, Round
from .stock import DrawOutcome, new_stock, outcome, turned_over

# ------------------------------------------------------------------ the call


def after_turn(calls: Calls, seat: int, *, missed: bool) -> Calls:
    """The calls once `seat` ended a turn; `missed` when one card is left and it was not called."""
    if missed == (seat in calls.uncalled):
        return calls
    return replace(calls, uncalled=_with(calls.uncalled, seat) if missed else _without(calls.uncalled, seat))


def call_last(state: Round, seat: int) -> Round:
    """The state after `seat` says "last card" beside its play: in time until the next player has drawn.

    A later call, or one with another number of cards left, changes nothing. Raises IllegalMove no_offence at a table
    without the call. For the written cases of the rules: in the protocol the call is part of the play.
    """
    if state.rules.last_card_call == "none":
        raise IllegalMove("no_offence", "there is no last-card call at this table")
    if _refusal(state, seat) != "challenge_too_early":
        return state
    return replace(state, calls=after_turn(state.calls, seat, missed=False))


# ------------------------------------------------------------------ the challenge


def punishable(state: Round) -> tuple[int, ...]:
    """The seats whose missed call can be challenged now, ascending."""
    return tuple(seat for seat in state.calls.uncalled if _refusal(state, seat) is None)


def challenge_holds(state: Round, challenger: int, offender: int) -> bool:
    """Whether `challenge` would be accepted. Any numbers may be asked about."""
    return _accusation(state, challenger, offender) is None


def challenge(state: Round, challenger: int, offender: int) -> Round:
    """The state after `challenger` points out that `offender` did not call its last card; once for each offence.

    With `extra_card` the offender then owes a penalty card (`penalty_due`), with `points` they are charged. Anybody may
    challenge, also a seat that is out, but no seat itself or its own team. Raises IllegalMove no_offence,
    challenge_too_early or challenge_too_late.
    """
    code = _accusation(state, challenger, offender)
    if code is not None:
        raise IllegalMove(code, f"seat {challenger} challenges seat {offender}")
    calls = replace(state.calls, uncalled=_without(state.calls.uncalled, offender))
    if state.rules.last_card_call == "extra_card":
        return replace(state, calls=replace(calls, owed=_with(calls.owed, offender)))
    charged = list(calls.penalties or (0,) * state.n)
    charged[offender] += state.rules.last_card_penalty_points or 0
    return replace(state, calls=replace(calls, penalties=tuple(charged)))


def _accusation(state: Round, challenger: int, offender: int) -> str | None:
    """Why this seat cannot challenge that one now, or None."""
    if challenger == offender or not 0 <= challenger < state.n or not 0 <= offender < state.n:
        return "no_offence"
    if state.team_of and state.team_of[challenger] == state.team_of[offender]:
        return "no_offence"
    return _refusal(state, offender)


def _refusal(state: Round, offender: int) -> str | None:
    """Why nobody can challenge this seat now, or None."""
    if offender not in state.calls.uncalled:
        return "no_offence"
    if state.phase is Phase.OVER or (state.phase is Phase.PLAY and state.mover == offender):
        return "challenge_too_late"
    # The seat whose turn ended last is remembered until the next one draws.
    return "challenge_too_early" if state.last_mover == offender else None


# ------------------------------------------------------------------ the penalty card


def penalty_due(state: Round) -> int | None:
    """The seat that has to take a penalty card before anybody draws or plays, or None; the lowest of several."""
    return state.calls.owed[0] if state.calls.owed else None


def penalty_outcome(state: Round) -> DrawOutcome:
    """Where the penalty card that is due comes from; ROUND_ENDS: there is no card, the penalty lapses (and no more).

    The stock is empty: the pot is turned over, whatever was laid or not since the last time. Raises InternalError when
    no penalty is due.
    """
    if penalty_due(state) is None:
        raise InternalError("rules/penalty", "nobody owes a penalty card")
    return outcome(state)


def penalty_draw(state: Round, slot: Slot) -> Round:
    """The state after the seat that owes the penalty took this stock slot.

    Raises InternalError where `penalty_outcome` is not STOCK.
    """
    _check(state, DrawOutcome.STOCK)
    return replace(_paid(state, (slot,)), stock=state.stock - 1)


def penalty_reshuffle(state: Round) -> tuple[Round, tuple[Slot, ...]]:
    """The state with the pot turned into a stock for the penalty card, and the slots, as `reshuffle` of a draw.

    Raises InternalError where `penalty_outcome` is not RESHUFFLE.
    """
    _check(state, DrawOutcome.RESHUFFLE)
    return new_stock(state)


def penalty_single(state: Round) -> Round:
    """The state after the only card there is, which everybody knows, went to the seat that owes the penalty.

    Raises InternalError where `penalty_outcome` is not SINGLE.
    """
    _check(state, DrawOutcome.SINGLE)
    return turned_over(_paid(state, state.pot))


def penalty_lapses(state: Round) -> Round:
    """The state when the penalty falls away because every card is in a hand or on the table.

    Raises InternalError where there is a card.
    """
    _check(state, DrawOutcome.ROUND_ENDS)
    return _paid(state, ())


def _check(state: Round, expected: DrawOutcome) -> None:
    if penalty_outcome(state) is not expected:
        raise InternalError("rules/penalty", f"the penalty card is {penalty_outcome(state).value}")


def _paid(state: Round, slots: tuple[Slot, ...]) -> Round:
    seat, *others = state.calls.owed
    hands = state.hands
    return replace(
        state,
        hands=(*hands[:seat], (*hands[seat], *slots), *hands[seat + 1 :]),
        calls=replace(state.calls, owed=tuple(others)),
    )


def _with(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(sorted({*seats, seat}))


def _without(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(other for other in seats if other != seat)
