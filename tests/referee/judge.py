"""The referee's verdict on a move: the next position, or the reason code (matrix 2.2 - 2.11, 3.1 - 3.8).

Every function leaves the position it is given alone and works on a copy. `faces` are the cards opened with the move
(or, for the mover itself, its whole hand); a card that nobody opened is nobody's queen and nobody's joker.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from protocol.rules.actions import Lay, LayOff, Play, Slot
from protocol.rules.cards import QUEEN_OF_SPADES
from protocol.rules.rulefields import IDLE_LAPS
from tests.referee.ends import check_can_end, discard
from tests.referee.position import DRAW, EXCHANGE, OVER, PLAY, Position, RefusedError, refuse_if
from tests.referee.steps import close_opening, do_step, take_pot
from tests.referee.turn import Turn, copy_of, named, take

# ------------------------------------------------------------------ the opening exchange (3.1, 3.2)


def exchange(position: Position, seat: int, returned: Slot | None, faces: Mapping[Slot, int]) -> Position:
    """The position after the seat took the open card and returned another, or declined it."""
    after = copy_of(position)
    rules = after.rules
    refuse_if(after.phase != EXCHANGE or after.open_card is None, "no_exchange")
    refuse_if(seat != after.mover, "not_your_turn")
    open_card = after.open_card
    assert open_card is not None
    if returned is None:
        after.open_card = None
        after.pot = [open_card]
        after.phase = DRAW
        if rules.opening_exchange == "decliner_draws":
            after.pot_covered = True
            after.stock_only = True
            after.starter = seat
        else:
            after.mover = after.starter
        return after
    hand = after.hands[seat]
    refuse_if(rules.exchange_return_other_card and returned == open_card, "exchange_same_card")
    face = after.public.get(returned, faces.get(returned))
    refuse_if(returned not in [*hand, open_card] or face is None, "card_not_in_hand")
    assert face is not None
    refuse_if(face == QUEEN_OF_SPADES and not rules.exchange_may_return_queen, "exchange_queen")
    hand.append(open_card)
    hand.remove(returned)
    after.open_card = returned
    after.public[returned] = face
    after.mover = (seat + 1) % after.n
    return after


# ------------------------------------------------------------------ drawing (3.8)


def players_left(position: Position) -> int:
    """How many seats still have turns: all, unless a team plays on after some of it went out."""
    return sum(bool(hand) for hand in position.hands)


def is_stalemate(position: Position) -> bool:
    """Whether three full laps passed without a lay, lay-off, swap or stock draw: the next draw ends the round."""
    return position.idle_turns >= IDLE_LAPS * players_left(position)


def stock_draw_leads_to(position: Position) -> str:
    """What a wish for a stock card leads to: "stock", "single" card turned over, "reshuffle", or "round_ends"."""
    if is_stalemate(position):
        return "round_ends"
    if position.stock > 0:
        return "stock"
    if not position.pot:
        return "round_ends"
    everybody = position.turns_since_lay >= players_left(position)
    if position.reshuffles > 0 and not position.laid_since_reshuffle and everybody:
        return "round_ends"
    return "single" if len(position.pot) == 1 else "reshuffle"


def check_turn(position: Position, seat: int) -> None:
    """Raises not_your_turn, or turn_over for the player whose turn just ended."""
    if position.phase == OVER:
        raise RefusedError("turn_over")
    if seat != position.mover:
        raise RefusedError("turn_over" if seat == position.last_mover else "not_your_turn")


def draw(position: Position, seat: int, slot: Slot) -> Position:
    """The position after the seat took this stock card."""
    check_turn(position, seat)
    refuse_if(position.phase != DRAW, "already_drawn")
    assert stock_draw_leads_to(position) == "stock"
    after = copy_of(position)
    after.stock -= 1
    return take(after, seat, [slot], "stock")


def draw_single(position: Position, seat: int) -> Position:
    """The position after the only card of the pot was turned over and drawn."""
    check_turn(position, seat)
    refuse_if(position.phase != DRAW, "already_drawn")
    after = copy_of(position)
    slots = after.pot
    after.pot, after.pot_covered = [], False
    after.reshuffles += 1
    after.laid_since_reshuffle = False
    return take(after, seat, slots, "stock")


def reshuffle(position: Position) -> tuple[Position, list[Slot]]:
    """The position with the whole pot as the new stock, and the slots that leave."""
    after = copy_of(position)
    old = after.pot
    after.stock = len(old)
    after.pot, after.pot_covered = [], False
    for slot in old:
        after.public.pop(slot, None)
    after.reshuffles += 1
    after.laid_since_reshuffle = False
    return after, old


def end_round(position: Position) -> Position:
    """The position when the round ends without anybody going out."""
    after = copy_of(position)
    after.phase = OVER
    return after


# ------------------------------------------------------------------ the rest of a turn, as one whole


def play(position: Position, seat: int, action: Play, faces: Mapping[Slot, int]) -> Position:
    """The position after the rest of a turn: the pot if taken, the steps, the discard."""
    turn = begin(position, seat, action, faces)
    turn.out_at_end = cards_left(position, seat, action) <= 0
    do_steps(turn, action)
    discard(turn, action)
    return finish(turn)


def preview(position: Position, seat: int, action: Play, faces: Mapping[Slot, int]) -> Position:
    """The position in the middle of a turn, after the pot and the steps; the turn can still end, perhaps going out."""
    turn = begin(position, seat, action, faces)
    turn.out_at_end = cards_left(position, seat, action) <= 1
    do_steps(turn, action)
    return turn.at


def begin(position: Position, seat: int, action: Play, faces: Mapping[Slot, int]) -> Turn:
    """The turn before anything is done in it. Raises RefusedError for a move out of turn or phase."""
    check_turn(position, seat)
    if action.take_pot:
        refuse_if(position.phase == EXCHANGE, "not_your_turn")
        refuse_if(position.phase != DRAW, "already_drawn")
    else:
        laid = set(named(replace(action, discard=None, shown=())))
        refuse_if(position.phase == DRAW and bool(laid & set(position.pot)), "pot_whole_pile")
        refuse_if(position.phase != PLAY, "must_draw_first")
    return Turn(copy_of(position), seat, faces, list(position.hands[seat]))


def do_steps(turn: Turn, action: Play) -> None:
    """Takes the pot if it is taken, does the steps in order, and looks at what laying left."""
    if action.take_pot:
        take_pot(turn, action)
    for step in action.steps:
        if not isinstance(step, Lay):
            close_opening(turn)
        do_step(turn, step)
    close_opening(turn)
    # A pot taken without laying leaves nobody stuck: of queens of spades alone one may go (3.7).
    if any(isinstance(step, Lay | LayOff) for step in action.steps):
        check_can_end(turn)


def cards_left(position: Position, seat: int, action: Play) -> int:
    """How many cards the play, if everything in it is legal, leaves in hand."""
    count = len(position.hands[seat]) + (len(position.pot) if action.take_pot else 0)
    for step in action.steps:
        if isinstance(step, Lay | LayOff):
            count -= len(step.cards)
    return count - (0 if action.discard is None else 1)


def finish(turn: Turn) -> Position:
    """The counters, and who is next."""
    at, seat = turn.at, turn.seat
    idle = at.drawn_from == "pot" and not at.laid_this_turn
    at.idle_turns = at.idle_turns + 1 if idle else 0
    at.turns_since_lay = 0 if at.laid_this_turn else at.turns_since_lay + 1
    at.turns_taken[seat] += 1
    at.last_mover = seat
    at.drawn_from, at.drawn = None, []
    at.opened_this_turn = at.laid_this_turn = False
    if not at.hands[seat]:
        at.out = seat
        together = at.rules.team_going_out == "all" and bool(at.teams)
        if not together or all(not at.hands[mate] for mate in at.partners(seat)):
            at.phase = OVER
            return at
        at.out = None
    at.phase = DRAW
    at.mover = (seat + 1) % at.n
    while not at.hands[at.mover]:
        at.mover = (at.mover + 1) % at.n
    return at
