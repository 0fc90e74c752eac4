"""Legality: the one door to the rules of a round, from the deal to the last discard.

All functions are pure: state in, new state out; a refusal raises IllegalMove with a reason code (see `refusals`) and
leaves nothing behind. The same functions judge our own moves and everybody else's. What a turn may contain is judged
in `turn` and the modules it uses; this module knows phases, seats and counters. The last-card call, its challenge and
its penalty are judged in `calls` and offered here too.

`faces` arguments map slots to faces and extend `state.faces`: for a peer's play they are the opened cards; for our
own arranging they may be our whole hand. Only faces of slots that a move makes public get into the new state, so that
every node holds the same state. Rules about hidden cards ("only queens of spades left") are judged on what is known,
and a whole Play is always decidable because its cards, its discard and its proofs are open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from protocol.errors import IllegalMove, InternalError

from .actions import Exchange, Lay, LayOff, Play, Slot, Step
from .calls import (
    after_turn,
    call_last,
    challenge,
    challenge_holds,
    penalty_draw,
    penalty_due,
    penalty_lapses,
    penalty_outcome,
    penalty_reshuffle,
    penalty_single,
    punishable,
)
from .cards import QUEEN_OF_SPADES
from .rulefields import IDLE_LAPS
from .ruleset import RuleSet, check_players
from .state import Drawn, Phase, Round
from .stock import DrawOutcome, new_stock, outcome, turned_over
from .turn import Turn

__all__ = [
    "DrawOutcome",
    "active_seats",
    "call_last",
    "challenge",
    "challenge_holds",
    "draw",
    "draw_outcome",
    "draw_single",
    "end_round",
    "exchange",
    "must_end",
    "penalty_draw",
    "penalty_due",
    "penalty_lapses",
    "penalty_outcome",
    "penalty_reshuffle",
    "penalty_single",
    "play",
    "preview",
    "punishable",
    "reshuffle",
    "slots_to_open",
    "start_round",
    "with_proof",
]

T = TypeVar("T")


def start_round(
    rules: RuleSet,
    n: int,
    *,
    starter: int,
    hands: Sequence[Sequence[Slot]],
    open_slot: Slot,
    open_face: int,
    stock: int,
    dealer: int | None = None,
    team_of: Sequence[int] = (),
) -> Round:
    """The state after the deal: the exchange where the rules have one, else the starter's first turn.

    With an exchange the first offer goes to the starter, who sits left of the dealer. `team_of` follows from the
    rules when left out. A seat without a hand sits out. Raises ValueError for a deal that does not fit the rules,
    IllegalMove as `check_players`.
    """
    check_players(rules, sum(1 for hand in hands if hand))
    dealt = [slot for hand in hands for slot in hand]
    if len(hands) != n or any(len(hand) not in {0, rules.hand_size} for hand in hands):
        raise ValueError(f"{n} hands of {rules.hand_size} cards are dealt")
    if len({*dealt, open_slot}) != len(dealt) + 1 or len(dealt) + 1 + stock != rules.deck_size:
        raise ValueError(f"hands, open card and stock are the {rules.deck_size} cards, each once")
    if not (0 <= starter < n and hands[starter]) or (
        dealer is not None and rules.opening_exchange != "none" and seat_after(hands, dealer) != starter
    ):
        raise ValueError(f"seat {starter} does not start")
    teams = tuple(team_of) or rules.team_of(n)
    if teams and teams != rules.team_of(n):
        raise ValueError("teams sit alternately, as the rules have them")
    exchange = rules.opening_exchange != "none"
    return Round(
        rules=rules,
        n=n,
        mover=starter,
        phase=Phase.EXCHANGE if exchange else Phase.DRAW,
        hands=tuple(tuple(hand) for hand in hands),
        faces={open_slot: open_face},
        pot=() if exchange else (open_slot,),
        stock=stock,
        down=(False,) * n,
        turns_taken=(0,) * n,
        starter=starter,
        open_card=open_slot if exchange else None,
        team_of=teams,
    )


def seat_after(hands: Sequence[Sequence[Slot]], seat: int) -> int:
    """The next seat clockwise that has cards."""
    n = len(hands)
    return next(following % n for following in range(seat + 1, seat + 1 + n) if hands[following % n])


def active_seats(state: Round) -> int:
    """How many seats still play: those with cards."""
    return sum(1 for hand in state.hands if hand) or state.n


def must_end(state: Round) -> bool:
    """Whether the turn that is due does not happen: nobody laid or drew from the stock for three laps."""
    idle = state.idle_turns
    return idle >= IDLE_LAPS and state.phase is Phase.DRAW and idle >= IDLE_LAPS * active_seats(state)


def draw_outcome(state: Round) -> DrawOutcome:
    """What a wish of the mover for a stock card leads to. Raises InternalError outside the draw phase."""
    if state.phase is not Phase.DRAW:
        raise InternalError("rules/phase", "nobody is about to draw")
    if must_end(state):
        return DrawOutcome.ROUND_ENDS
    if state.stock:
        return DrawOutcome.STOCK
    idle = state.reshuffles > 0 and not state.laid_since_reshuffle and state.turns_since_lay >= active_seats(state)
    return DrawOutcome.ROUND_ENDS if idle else outcome(state)


def draw(state: Round, seat: int, slot: Slot) -> Round:
    """The state after `seat` took this stock slot; its face stays unknown unless it is in `state.faces`.

    Raises IllegalMove not_your_turn, turn_over or already_drawn; InternalError where `draw_outcome` is not STOCK.
    """
    _check_settled(state)
    _check_draw(state, seat)
    if not state.stock:
        raise InternalError("rules/stock", "the stock is empty")
    hands = state.hands
    return _drawn(
        state,
        hands=(*hands[:seat], (*hands[seat], slot), *hands[seat + 1 :]),
        stock=state.stock - 1,
        drawn=Drawn("stock", (slot,)),
    )


def draw_single(state: Round, seat: int) -> Round:
    """The state after `seat` took the only card there is, which everybody knows: the pot turned over as the stock.

    Raises IllegalMove as `draw`; InternalError where `draw_outcome` is not SINGLE.
    """
    _check_settled(state)
    _check_draw(state, seat)
    if draw_outcome(state) is not DrawOutcome.SINGLE:
        raise InternalError("rules/stock", "no single card to draw")
    hands = state.hands
    return _drawn(
        turned_over(state),
        hands=(*hands[:seat], (*hands[seat], *state.pot), *hands[seat + 1 :]),
        stock=0,
        drawn=Drawn("stock", state.pot),
    )


def reshuffle(state: Round) -> tuple[Round, tuple[Slot, ...]]:
    """The state with the whole pot turned into a stock, and the slots, bottom first, whose cards are shuffled anew.

    The new stock has new slots; the old ones leave the state with their faces. Raises InternalError where
    `draw_outcome` is not RESHUFFLE.
    """
    if draw_outcome(state) is not DrawOutcome.RESHUFFLE:
        raise InternalError("rules/stock", "no reshuffle is due")
    return new_stock(state)


def end_round(state: Round) -> Round:
    """The state when the round ends without anybody going out. Raises InternalError unless it has to end now."""
    if state.calls.owed or draw_outcome(state) is not DrawOutcome.ROUND_ENDS:
        raise InternalError("rules/phase", "the round does not end here")
    return replace(state, phase=Phase.OVER)


def exchange(state: Round, seat: int, action: Exchange, faces: Mapping[Slot, int]) -> Round:
    """The state after `seat` took the open card and returned another, or declined it (spec/10-rules.md R40 to R43).

    Where the refusal is the decliner's draw, the decliner has to take a stock card next. Raises IllegalMove
    no_exchange, not_your_turn, exchange_same_card, card_not_in_hand or exchange_queen.
    """
    rules, open_card = state.rules, state.open_card
    if state.phase is not Phase.EXCHANGE or open_card is None:
        raise IllegalMove("no_exchange", "no card is on offer")
    if seat != state.mover:
        raise IllegalMove("not_your_turn", f"the offer is with seat {state.mover}")
    returned = action.returned
    if returned is None:
        draws = rules.opening_exchange == "decliner_draws"
        first = seat if draws else state.starter
        return replace(
            state,
            phase=Phase.DRAW,
            mover=first,
            starter=first,
            pot=(open_card,),
            open_card=None,
            stock_only=draws,
            covered=draws,
        )
    if returned == open_card and rules.exchange_return_other_card:
        raise IllegalMove("exchange_same_card", "another card comes back")
    hand = (*state.hands[seat], open_card)
    face = state.faces.get(returned, faces.get(returned))
    if returned not in hand or face is None:
        raise IllegalMove("card_not_in_hand", f"slot {returned}")
    if face == QUEEN_OF_SPADES and not rules.exchange_may_return_queen:
        raise IllegalMove("exchange_queen", "the queen of spades stays")
    hand = tuple(slot for slot in hand if slot != returned)
    return replace(
        state,
        mover=seat_after(state.hands, seat),
        hands=(*state.hands[:seat], hand, *state.hands[seat + 1 :]),
        faces={**state.faces, returned: face},
        open_card=returned,
    )


# ------------------------------------------------------------------ the rest of a turn


def play(state: Round, seat: int, action: Play, faces: Mapping[Slot, int]) -> Round:
    """The state after the rest of a turn: the pot if taken, the steps, the discard; the next seat is then due.

    Legal as a whole or not at all: raises IllegalMove for the first refused part, in the order of spec/10-rules.md R61.
    A slot without a known face is card_not_in_hand. Calling "last card" with another number of cards left changes
    nothing.
    """
    _check_settled(state)
    turn = _open_turn(state, seat, action.take_pot, action.steps, faces)
    if action.call_last and state.rules.last_card_call == "none":
        raise IllegalMove("no_offence", "there is no last-card call at this table")
    left = len(turn.hand) - _laid_cards(action.steps) - (action.discard is not None)
    turn.apply(action.steps, goes_out=left <= 0)
    turn.check_hand_left()
    turn.discard(action.discard, action.shown)
    return _finished(state, turn, action)


def preview(
    state: Round,
    seat: int,
    take_pot: bool,
    steps: Sequence[Step],
    faces: Mapping[Slot, int],
    *,
    arranging: bool = False,
) -> Round:
    """The state in the middle of a turn, after the pot (if taken) and these steps; the turn can legally end from it.

    `play` with the same steps and a discard that is legal then agrees. With `arranging`, melds of a first lay at the
    very end may still be worth too little: more may follow. Raises IllegalMove as `play`.
    """
    turn = _open_turn(state, seat, take_pot, steps, faces)
    turn.apply(steps, goes_out=len(turn.hand) - _laid_cards(steps) <= 1, arranging=arranging)
    turn.check_hand_left()
    return _unfinished(state, turn)


def slots_to_open(state: Round, seat: int, action: Play) -> tuple[Slot, ...]:
    """The hidden slots that the play opens, in its order: laid, laid off, swapped in, discarded, shown."""
    slots = _used_slots(action.steps)
    if action.discard is not None:
        slots.append(action.discard)
    slots.extend(action.shown)
    hand = state.hands[seat]
    return tuple(slot for slot in dict.fromkeys(slots) if slot not in state.faces and slot in hand)


def with_proof(state: Round, seat: int, action: Play, faces: Mapping[Slot, int]) -> Play:
    """The same play with exactly those hidden slots shown that prove its discard legal (the other queen of spades).

    `faces` is our whole hand. Raises IllegalMove where `play` would refuse a part before the discard.
    """
    if action.discard is None:
        return replace(action, shown=())
    turn = _open_turn(state, seat, action.take_pot, action.steps, faces)
    left = len(turn.hand) - _laid_cards(action.steps) - 1
    turn.apply(action.steps, goes_out=left <= 0)
    return replace(action, shown=turn.proof(action.discard))


# ------------------------------------------------------------------ inside


def _check_mover(state: Round, seat: int) -> None:
    if state.phase is Phase.OVER:
        raise IllegalMove("turn_over", "the round is over")
    if seat != state.mover:
        code = "turn_over" if seat == state.last_mover else "not_your_turn"
        raise IllegalMove(code, f"seat {state.mover} is to act")


def _check_settled(state: Round) -> None:
    if state.calls.owed:
        raise IllegalMove("not_your_turn", f"seat {state.calls.owed[0]} takes a penalty card first")


def _check_draw(state: Round, seat: int) -> None:
    _check_mover(state, seat)
    if state.phase is Phase.PLAY:
        raise IllegalMove("already_drawn", "one draw a turn")
    if state.phase is Phase.EXCHANGE:
        raise IllegalMove("not_your_turn", "the open card is on offer")
    if must_end(state):
        raise IllegalMove("turn_over", "the round ends")


def _open_turn(state: Round, seat: int, take_pot: bool, steps: Sequence[Step], faces: Mapping[Slot, int]) -> Turn:
    _check_mover(state, seat)
    if take_pot:
        _check_draw(state, seat)
        if state.stock_only:
            raise IllegalMove("already_drawn", "declining the open card was the draw: a stock card comes")
    elif state.phase is not Phase.PLAY:
        if state.phase is Phase.DRAW and not set(_used_slots(steps)).isdisjoint(state.pot):
            raise IllegalMove("pot_whole_pile", "a card of the pot comes with the whole pot")
        raise IllegalMove("must_draw_first", "a turn starts with a draw")
    turn = Turn(state, faces)
    if take_pot:
        turn.take_pot(steps)
    return turn


def _used_slots(steps: Sequence[Step]) -> list[Slot]:
    """The slots that these steps lay, lay off or swap in."""
    slots: list[Slot] = []
    for step in steps:
        slots.extend([card.slot for card in step.cards] if isinstance(step, Lay | LayOff) else [step.slot])
    return slots


def _laid_cards(steps: Sequence[Step]) -> int:
    return sum(len(step.cards) for step in steps if isinstance(step, Lay | LayOff))


def _drawn(state: Round, *, hands: tuple[tuple[Slot, ...], ...], stock: int, drawn: Drawn) -> Round:
    # Every field by hand: dataclasses.replace costs three times as much, and every turn passes here.
    return Round(
        rules=state.rules,
        n=state.n,
        mover=state.mover,
        phase=Phase.PLAY,
        hands=hands,
        faces=state.faces,
        melds=state.melds,
        pot=state.pot,
        stock=stock,
        down=state.down,
        drawn=drawn,
        turns_taken=state.turns_taken,
        idle_turns=state.idle_turns,
        turns_since_lay=state.turns_since_lay,
        reshuffles=state.reshuffles,
        laid_since_reshuffle=state.laid_since_reshuffle,
        team_of=state.team_of,
        starter=state.starter,
        covered=state.covered,
        calls=state.calls,
    )


def _unfinished(state: Round, turn: Turn) -> Round:
    seat = turn.seat
    took_pot = turn.took_pot
    return replace(
        state,
        phase=Phase.PLAY,
        hands=_with(state.hands, seat, tuple(turn.hand)),
        faces={**state.faces, **turn.opened},
        melds=tuple(turn.melds),
        pot=() if took_pot else state.pot,
        down=_with(state.down, seat, turn.down),
        drawn=turn.drawn,
        turns_since_lay=0 if turn.laid else state.turns_since_lay,
        laid_since_reshuffle=state.laid_since_reshuffle or turn.laid,
        laid_this_turn=turn.laid,
        opened_this_turn=turn.opened_this_turn,
        last_mover=None,
        covered=state.covered and not took_pot,
    )


def _finished(state: Round, turn: Turn, action: Play) -> Round:
    seat, discard = turn.seat, action.discard
    assert turn.drawn is not None
    hands = _with(state.hands, seat, tuple(turn.hand))
    pot = () if turn.took_pot else state.pot
    over = not turn.hand and not _team_plays_on(state, hands, seat)
    idle = not turn.laid and turn.drawn.source == "pot"
    calls = state.calls
    if state.rules.last_card_call != "none":
        calls = after_turn(calls, seat, missed=len(turn.hand) == 1 and not action.call_last)
    return Round(
        rules=state.rules,
        n=state.n,
        mover=seat if over else seat_after(hands, seat),
        phase=Phase.OVER if over else Phase.DRAW,
        hands=hands,
        faces={**state.faces, **turn.opened},
        melds=tuple(turn.melds),
        pot=pot if discard is None else (*pot, discard),
        stock=state.stock,
        down=state.down if state.down[seat] == turn.down else _with(state.down, seat, turn.down),
        turns_taken=_with(state.turns_taken, seat, state.turns_taken[seat] + 1),
        idle_turns=state.idle_turns + 1 if idle else 0,
        turns_since_lay=0 if turn.laid else state.turns_since_lay + 1,
        reshuffles=state.reshuffles,
        laid_since_reshuffle=state.laid_since_reshuffle or turn.laid,
        out=seat if over else None,
        team_of=state.team_of,
        starter=state.starter,
        last_mover=seat,
        covered=state.covered and not turn.took_pot,
        calls=calls,
    )


def _team_plays_on(state: Round, hands: Sequence[tuple[Slot, ...]], seat: int) -> bool:
    if not state.team_of or state.rules.team_going_out == "one":
        return False
    return any(hand for p, hand in enumerate(hands) if state.team_of[p] == state.team_of[seat])


def _with(row: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    return (*row[:seat], value, *row[seat + 1 :])
