"""The referee's verdict on a move: the next position, or the reason code (matrix 2.2 - 2.11, 3.1 - 3.8).

Every function leaves the position it is given alone and works on a copy. `faces` are the cards opened with the move
(or, for the mover itself, its whole hand); a card that nobody opened is nobody's queen and nobody's joker.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from protocol.rules.actions import Lay, LayOff, Placed, Play, Slot, Step, Swap
from protocol.rules.cards import QUEEN_OF_SPADES, rank, suit
from protocol.rules.rulefields import IDLE_LAPS
from tests.referee.forms import Card, claim_rank, larger_meld, new_meld
from tests.referee.position import DRAW, EXCHANGE, OVER, PLAY, OnTable, Position, RefusedError, TableMeld, refuse_if
from tests.referee.score import points


def copy_of(position: Position) -> Position:
    """A copy that may be changed: every list and dictionary in it is its own."""
    p = position
    melds = [TableMeld(m.owner, m.kind, [replace(card) for card in m.cards], m.low) for m in p.melds]
    return replace(
        p,
        hands=[list(hand) for hand in p.hands],
        public=dict(p.public),
        melds=melds,
        pot=list(p.pot),
        down=list(p.down),
        teams=list(p.teams),
        drawn=list(p.drawn),
        turns_taken=list(p.turns_taken),
    )


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


def take(after: Position, seat: int, slots: list[Slot], source: str) -> Position:
    """The cards come to the hand and the play phase begins."""
    after.hands[seat] += slots
    after.drawn_from, after.drawn = source, list(slots)
    after.phase = PLAY
    after.last_mover = None
    after.stock_only = False
    return after


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


@dataclass
class Turn:
    """A turn in the making."""

    at: Position
    """The position so far, a copy of our own."""
    seat: int
    faces: Mapping[Slot, int]
    old_hand: list[Slot]
    """The hand before the pot was taken."""
    out_at_end: bool = False
    """Whether the hand is empty when everything named in the play is done."""
    top: Slot | None = None
    """The top card of the pot where the pot was taken."""
    rest: list[Slot] = field(default_factory=list)
    """The other cards of the pot taken."""
    opening: list[TableMeld] = field(default_factory=list)
    """Melds of the first lay that were laid together so far and are not judged yet."""

    def face(self, slot: Slot) -> int | None:
        """The face of a card, None where it is not known."""
        return self.at.public.get(slot, self.faces.get(slot))

    @property
    def hand(self) -> list[Slot]:
        """The mover's hand."""
        return self.at.hands[self.seat]


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
        refuse_if(position.phase != PLAY, "must_draw_first")
    return Turn(copy_of(position), seat, faces, list(position.hands[seat]))


def do_steps(turn: Turn, action: Play) -> None:
    """Takes the pot if it is taken, does the steps in order, and looks at what is left."""
    if action.take_pot:
        take_pot(turn, action)
    for step in action.steps:
        if not isinstance(step, Lay):
            close_opening(turn)
        do_step(turn, step)
    close_opening(turn)
    if action.steps or action.take_pot:
        check_can_end(turn)


def named(action: Play) -> list[Slot]:
    """Every slot that the play puts down, discards or shows."""
    slots: list[Slot] = []
    for step in action.steps:
        slots += [step.slot] if isinstance(step, Swap) else [card.slot for card in step.cards]
    return [*slots, *action.shown, *([] if action.discard is None else [action.discard])]


def cards_left(position: Position, seat: int, action: Play) -> int:
    """How many cards the play, if everything in it is legal, leaves in hand."""
    count = len(position.hands[seat]) + (len(position.pot) if action.take_pot else 0)
    for step in action.steps:
        if isinstance(step, Lay | LayOff):
            count -= len(step.cards)
    return count - (0 if action.discard is None else 1)


# ------------------------------------------------------------------ taking the pot (3.6)


def take_pot(turn: Turn, action: Play) -> None:
    """Takes the pot, once its conditions hold."""
    at, rules = turn.at, turn.at.rules
    refuse_if(not at.pot, "pot_empty")
    refuse_if(at.stock_only, "already_drawn")
    refuse_if(rules.pot_requires_being_down and not at.down[turn.seat], "not_down")
    refuse_if(len(turn.old_hand) < rules.pot_min_hand, "pot_min_hand")
    *turn.rest, turn.top = at.pot
    very_first = not any(at.turns_taken)
    if rules.pot_top_card_must_be_melded and not (rules.pot_first_turn_free and very_first):
        check_pot_use(turn, action.steps[0] if action.steps else None)
    pot, at.pot, at.pot_covered = at.pot, [], False
    take(at, turn.seat, pot, "pot")


def check_pot_use(turn: Turn, step: Step | None) -> None:
    """Raises RefusedError unless the step uses the top card of the pot as the rules want it used."""
    rules = turn.at.rules
    used = [] if step is None or isinstance(step, Swap) else [card.slot for card in step.cards]
    if isinstance(step, LayOff):
        refuse_if(turn.top in used and not rules.pot_layoff_suffices, "pot_no_layoff")
    refuse_if(turn.top not in used, "pot_top_must_meld")
    allowed = [*turn.old_hand, turn.top, *turn.rest]
    refuse_if(any(slot not in allowed for slot in used), "card_not_in_hand")
    refuse_if(any(turn.at.public.get(slot, turn.faces.get(slot)) is None for slot in used), "card_not_in_hand")
    if isinstance(step, Lay):
        own = sum(slot in turn.old_hand for slot in used)
        refuse_if(own < rules.pot_needs_hand_cards, "pot_needs_two_hand_cards")
    others = any(slot in turn.rest for slot in used)
    refuse_if(others and not rules.pot_other_pile_cards_in_first_meld, "pot_other_cards")


# ------------------------------------------------------------------ steps


def do_step(turn: Turn, step: Step) -> None:
    """Does one step, or raises RefusedError."""
    if isinstance(step, Lay):
        lay(turn, step)
    elif isinstance(step, LayOff):
        lay_off(turn, step)
    else:
        swap(turn, step)
    at = turn.at
    at.laid_this_turn = True
    at.laid_since_reshuffle = True


def cards_of(turn: Turn, placed: Sequence[Placed]) -> list[Card]:
    """The named cards of the hand. Raises card_not_in_hand, pot_rest_locked."""
    cards: list[Card] = []
    for card in placed:
        face = turn.face(card.slot)
        named = [other.slot for other in cards]
        refuse_if(card.slot not in turn.hand or face is None or card.slot in named, "card_not_in_hand")
        assert face is not None
        cards.append(Card(card.slot, face, turn.at.wild(face), card.stands_for))
    if not turn.at.rules.pot_rest_same_turn:
        refuse_if(any(card.slot in turn.rest for card in cards), "pot_rest_locked")
    return cards


def lay(turn: Turn, step: Lay) -> None:
    """Lays a new meld."""
    cards = cards_of(turn, step.cards)
    at = turn.at
    meld = new_meld(at.rules, turn.seat, cards)
    single = at.rules.opening_single_set_of_three
    refuse_if(single and at.opened_this_turn, "opening_single_set")
    if not at.down[turn.seat]:
        turn.opening.append(meld)
    put_down(turn, meld, cards)
    at.melds.append(meld)


def put_down(turn: Turn, meld: TableMeld, cards: Sequence[Card]) -> None:
    """Moves the cards from the hand to the table and into everybody's sight."""
    for card in cards:
        turn.hand.remove(card.slot)
    for on_table in meld.cards:
        turn.at.public[on_table.slot] = on_table.face


def lay_off(turn: Turn, step: LayOff) -> None:
    """Adds cards to a meld."""
    at, rules = turn.at, turn.at.rules
    refuse_if(not 0 <= step.meld < len(at.melds), "no_such_meld")
    cards = cards_of(turn, step.cards)
    meld = at.melds[step.meld]
    mine = at.partners(turn.seat) if rules.team_layoff else [turn.seat]
    refuse_if(rules.layoff_scope == "own" and meld.owner not in mine, "not_own_meld")
    refuse_if(rules.layoff_requires_being_down and not at.down[turn.seat], "not_down")
    refuse_if(at.opened_this_turn and rules.opening_single_set_of_three, "opening_single_set")
    refuse_if(at.opened_this_turn and not rules.layoff_same_turn_as_opening, "layoff_opening_turn")
    most = rules.layoff_cards_per_action
    refuse_if(most is not None and len(cards) > most, "layoff_too_many")
    refuse_if(not rules.layoff_joker and any(card.wild for card in cards), "layoff_joker")
    at.melds[step.meld] = larger_meld(rules, meld, cards, step.side)
    put_down(turn, at.melds[step.meld], cards)


def swap(turn: Turn, step: Swap) -> None:
    """Puts a card in the place of a joker, which comes to the hand (3.5)."""
    at, rules = turn.at, turn.at.rules
    refuse_if(not 0 <= step.meld < len(at.melds), "no_such_meld")
    meld = at.melds[step.meld]
    opponent = meld.owner not in at.partners(turn.seat)
    refuse_if(not rules.joker_swap, "swap_not_allowed")
    refuse_if(opponent and not rules.joker_swap_opponent, "swap_not_allowed_opponent")
    refuse_if(rules.joker_swap_requires_being_down and not at.down[turn.seat], "not_down")
    (card,) = cards_of(turn, [Placed(step.slot)])
    there = meld.cards[step.position] if 0 <= step.position < len(meld.cards) else None
    refuse_if(there is None or not there.wild or card.wild, "swap_mismatch")
    assert there is not None
    refuse_if(not replaces(at, meld, there, card.face), "swap_mismatch")
    queen = card.face == QUEEN_OF_SPADES
    refuse_if(queen and opponent and not rules.queen_swap_opponent_joker, "queen_swap_opponent")
    refuse_if(queen and not opponent and not rules.queen_swap_own_joker, "queen_swap_own")
    meld.cards[step.position] = OnTable(card.slot, card.face, card.face, wild=False)
    at.public[card.slot] = card.face
    turn.hand.remove(card.slot)
    turn.hand.append(there.slot)


def replaces(at: Position, meld: TableMeld, joker: OnTable, face: int) -> bool:
    """Whether this card may take the place of this joker."""
    if meld.kind == "run" or at.rules.tracks_suit:
        return face == joker.stands_for
    if rank(face) != claim_rank(joker.stands_for):
        return False
    natural = {suit(card.face) for card in meld.cards if not card.wild}
    return suit(face) not in natural or len(natural) == 4


# ------------------------------------------------------------------ getting down (2.5)


def close_opening(turn: Turn) -> None:
    """Judges the melds laid together as the first lay, if there are any; the player is then down."""
    at, rules, melds = turn.at, turn.at.rules, turn.opening
    if not melds:
        return
    turn.opening = []
    if rules.opening_single_set_of_three:
        refuse_if(len(melds) > 1 or len(melds[0].cards) != 3, "opening_single_set")
    check_minimum(turn, melds)
    at.down[turn.seat] = True
    at.opened_this_turn = True


def check_minimum(turn: Turn, melds: Sequence[TableMeld]) -> None:
    """Raises below_opening_minimum or opening_joker where the first lay is worth too little."""
    rules = turn.at.rules
    if turn.out_at_end and rules.going_out_waives_minimum:
        return
    counting = [meld for meld in melds if opening_counts(turn, meld)]
    plain = [meld for meld in counting if not any(card.wild for card in meld.cards)]
    if enough(turn, plain if rules.opening_joker == "not_counted" else counting):
        return
    raise RefusedError("opening_joker" if enough(turn, counting) else "below_opening_minimum")


def opening_counts(turn: Turn, meld: TableMeld) -> bool:
    """Whether a meld counts for the minimum: not when made with cards of the pot taken in this turn, except its top."""
    if turn.at.rules.pot_opening_counts == "all":
        return True
    return not any(card.slot in turn.rest for card in meld.cards)


def enough(turn: Turn, melds: Sequence[TableMeld]) -> bool:
    """Whether these melds, together or (where the rules say so) one alone, reach the minimum."""
    rules = turn.at.rules
    worth = [sum(points(rules, card.face) for card in meld.cards) for meld in melds]
    total = sum(worth) if rules.opening_several_melds else max(worth, default=0)
    return total >= rules.opening_minimum


# ------------------------------------------------------------------ the end of the turn (3.3, 3.7)


def check_may_go_out(turn: Turn) -> None:
    """Raises no_going_out_first_turn or no_going_out_opening_turn."""
    at, rules = turn.at, turn.at.rules
    refuse_if(not rules.going_out_first_turn and at.turns_taken[turn.seat] == 0, "no_going_out_first_turn")
    refuse_if(not rules.going_out_opening_turn and at.opened_this_turn, "no_going_out_opening_turn")


def is_queen(turn: Turn, slot: Slot) -> bool:
    """Whether the card is known to be the queen of spades."""
    return turn.face(slot) == QUEEN_OF_SPADES


def check_can_end(turn: Turn) -> None:
    """Raises RefusedError where what was laid or taken leaves no legal way to end the turn."""
    hand, rules = turn.hand, turn.at.rules
    if len(hand) < 2:
        check_may_go_out(turn)
    refuse_if(not hand and rules.discard_required_to_go_out, "must_keep_discard")
    if hand and all(is_queen(turn, slot) for slot in hand):
        one = len(hand) == 1 and queen_is_last(turn, hand[0])
        refuse_if(rules.laying_may_leave_only_queens == "false" or not one, "only_queen_left")


def queen_is_last(turn: Turn, slot: Slot) -> bool:
    """Whether the queen of spades, being the only card, may be discarded."""
    at = turn.at
    if at.rules.queen_discard == "last_card":
        return True
    if at.rules.queen_discard == "never":
        return False
    source = at.rules.queen_drawn_source == "any" or at.drawn_from == "stock"
    return source and slot in at.drawn


def discard(turn: Turn, action: Play) -> None:
    """Discards the named card, or ends the turn without one."""
    at, hand = turn.at, turn.hand
    if action.discard is None:
        refuse_if(bool(hand), "discard_required")
        refuse_if(bool(action.shown), "card_not_in_hand")
        return
    slot = action.discard
    face = turn.face(slot)
    refuse_if(slot not in hand or face is None, "card_not_in_hand")
    assert face is not None
    check_shown(turn, slot, action)
    # A discard is judged by what everybody sees: the cards that the play opens, not the rest of the own hand.
    turn.faces = {other: turn.faces[other] for other in named(action) if other in turn.faces}
    check_discard(turn, slot)
    if len(hand) == 1:
        check_may_go_out(turn)
    # Nothing is shown without need (spec R110).
    refuse_if(bool(action.shown) and free_choice(turn, slot), "card_not_in_hand")
    hand.remove(slot)
    at.pot.append(slot)
    at.public[slot] = face
    for other in action.shown:
        shown = turn.face(other)
        assert shown is not None
        at.public[other] = shown


def check_shown(turn: Turn, slot: Slot, action: Play) -> None:
    """Raises card_not_in_hand unless the shown cards are other cards of the hand, opened now for the first time."""
    opened = [slot]
    for step in action.steps:
        opened += [step.slot] if isinstance(step, Swap) else [card.slot for card in step.cards]
    for other in action.shown:
        wrong = other not in turn.hand or turn.face(other) is None or other in opened
        refuse_if(wrong, "card_not_in_hand")
        opened.append(other)


def free_choice(turn: Turn, slot: Slot) -> bool:
    """Whether the card may be discarded whatever else is in hand."""
    if is_queen(turn, slot):
        return len(turn.hand) == 1 and queen_is_last(turn, slot)
    return barred(turn, slot) is None


def check_discard(turn: Turn, slot: Slot) -> None:
    """Raises queen_discard, discard_joker or discard_just_taken."""
    hand, rules = turn.hand, turn.at.rules
    others = [other for other in hand if other != slot]
    if is_queen(turn, slot):
        if not others:
            refuse_if(not queen_is_last(turn, slot), "queen_discard")
            return
        forced = all(is_queen(turn, other) for other in others) and rules.queen_discard_two_queens
        refuse_if(not forced, "queen_discard")
        return
    why = barred(turn, slot)
    if why is not None:
        refuse_if(not all(is_queen(turn, other) or barred(turn, other) for other in others), why)


def barred(turn: Turn, slot: Slot) -> str | None:
    """Why a card other than the queen of spades may be discarded only where nothing else can be."""
    rules = turn.at.rules
    face = turn.face(slot)
    if not rules.discard_joker_allowed and face is not None and turn.at.wild(face):
        return "discard_joker"
    if not rules.discard_card_just_taken_allowed and slot in turn.at.drawn:
        return "discard_just_taken"
    return None


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
