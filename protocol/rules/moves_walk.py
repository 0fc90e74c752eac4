"""The exact search behind `moves.laydown`: which cards to put on the table, and how, for the greatest value.

Only faces and numbers live here; seats, slots and the turn do not. The search walks over the places of a run from
the low ace to the high ace, suit by suit, and keeps one best way per state: the unfinished runs of each suit, the
jokers used, the cards chosen for a set of this rank, and what kind of cards stay in the hand (a legal discard has to).
Lower places influence higher ones only through that state, so the walk is exact. What keeps it small:

- Jokers are placed only where a meld needs one: in a gap, or as the third card. The others are added at the end,
  where there is room (every meld has room, or as many as its majority of natural cards allows).
- A lone natural card with jokers is a set, never a run: it is the same cards.
- Once two cards stay behind, no card stays behind that an open run or a chosen set takes, or whose place a joker has.
- States are looked at in the order of what they may still bring (see `moves_prospect`), and not at all at steps where
  nothing can happen to them.

The one approximation: jokers that find no room because every meld of the answer is full (eight in a set, fourteen in
a run) stay in the hand; the answer then says that it may not be the best.

A swap is another use of a natural card that yields a joker; jokers may be spent before the swap that pays for them,
because all swaps are played first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from .cards import QUEEN_OF_SPADES
from .melds import place_face
from .moves_problem import Problem, SwapOffer
from .moves_prospect import Prospect, Worth
from .moves_runs import IDLE, Option, Runs
from .moves_sets import Sets

SHARPEN = 100
"""States after which the bounds are made sharper: that takes as long as looking at some two hundred."""

NARROW = 60
"""States per step of the walk that replaces the sweep when that takes too long."""

SHORT = 40
"""What that walk takes off for a run that cannot end yet."""

State: TypeAlias = tuple[int, ...]
"""Ids of the open runs per suit; jokers used less swaps done; what stays; aces used low; cards chosen for a set; room.

Room counts the jokers that finished melds still take (1 for any number, where naturals need no majority).
"""
Choice: TypeAlias = tuple[Option, int, int]
Layer: TypeAlias = dict[State, tuple[int, State, Choice | int | None]]
"""Of every state: its value, where it came from and by which choice (of the runs and cards of a suit, or of jokers)."""

_STAYED = 1 << 20
"""In the cards chosen for a set: a natural card of this rank stays in the hand."""
_PLENTY = 6


def _left(others: int, queens: int) -> int:
    """The number of what stays behind: queens of spades and others, each up to two, or `_PLENTY`: two others."""
    return _PLENTY if others >= 2 else others * 3 + min(queens, 2)


class Walk:
    """The tables of one problem and the walk over its places."""

    def __init__(self, problem: Problem, limit: int | None = None) -> None:
        self.problem = problem
        self.limit = limit
        self.exact = True
        self.rules = problem.rules
        self.runs = Runs(problem)
        self.sets = Sets(problem)
        self.majority = problem.rules.joker_majority
        self.least = problem.rules.meld_min_cards
        self.most_jokers = problem.wilds + len(problem.swaps)
        self.strict = problem.may_end(1, 0)
        self.offers: dict[int, list[SwapOffer]] = {}
        for offer in sorted(problem.swaps, key=lambda o: (-o.gain, o.meld, o.position)):
            self.offers.setdefault(offer.face, []).append(offer)
        self.extendable = {run.meld for run in problem.runs} | {open_set.meld for open_set in problem.sets}
        self.steps = [(place, suit_) for place in range(1, 15) for suit_ in range(5)]
        self.bare = [suit_ < 4 and self.runs.bare(place, suit_) for place, suit_ in self.steps]
        self.roomy = [self.runs.never_full(s) for s in range(4)]
        self._potentials()
        self.prospect = Prospect(problem, self.runs.first, self.runs.last, self.runs.lengths)
        jv = problem.joker_value
        self.reach = [
            ahead + (problem.wilds + swaps) * jv
            for ahead, swaps in zip(self.natural_ahead, self.swaps_ahead, strict=True)
        ]
        self.due = self._due()
        self.most = self.reach[0]
        self.layers: list[Layer] = [{} for _ in range(len(self.steps) + 2)]
        self.queue: list[list[tuple[int, State, int]]] = [[] for _ in range(self.most + 1)]

    def _due(self) -> list[int]:
        """The least value that has to stay in the hand when nothing has stayed before each step."""
        problem = self.problem
        due = [0] * (len(self.steps) + 1)
        if problem.may_end(0, 0):
            return due
        least = problem.joker_value if self.most_jokers else self.reach[0]
        for number in reversed(range(len(self.steps))):
            place, suit_ = self.steps[number]
            due[number + 1] = min(least, self.reach[number + 1])
            if suit_ < 4 and place > 1 and problem.counts[place_face(suit_, place)]:
                least = min(least, problem.values[place_face(suit_, place)])
        due[0] = min(least, self.reach[0])
        return due

    def _potentials(self) -> None:
        """Upper bounds of what the steps from each on can still add, and of the swaps still to come."""
        problem = self.problem
        self.natural_ahead = [0] * (len(self.steps) + 1)
        self.swaps_ahead = [0] * (len(self.steps) + 1)
        for number in reversed(range(len(self.steps))):
            place, suit_ = self.steps[number]
            worth, swaps = 0, 0
            if suit_ < 4 and place > 1:
                face = place_face(suit_, place)
                count = problem.counts[face]
                offers = self.offers.get(face, [])
                swaps = min(count, len(offers))
                best_swap = offers[0].gain if offers else 0
                worth = count * problem.values[face] + swaps * max(0, best_swap - problem.values[face])
            self.natural_ahead[number] = self.natural_ahead[number + 1] + worth
            self.swaps_ahead[number] = self.swaps_ahead[number + 1] + swaps

    # ------------------------------------------------------------------------------------------------ the walk

    def run(self) -> int:
        """Expand states, the most promising first, until none is more promising than a finished one; its value.

        The value is -1 when no way leaves a legal end; else the last layer holds the finished state alone. What a
        state promises never grows on the way, so that one sweep over the promises serves. After `limit` states the
        sweep gives way to a narrow walk from what is known, and `exact` is no longer true.
        """
        start = (0, 0, 0, 0, 0, 0, 0, 0, self._first_room())
        self.layers[0][start] = (0, start, None)
        self.queue[0].append((0, start, 0))
        expanded = 0
        for lost, entries in enumerate(self.queue):
            promise = self.most - lost
            while entries:
                number, state, worth = entries.pop()
                if self.layers[number][state][0] != worth:
                    continue
                if number > len(self.steps):
                    self.layers[number] = {state: self.layers[number][state]}
                    return worth
                self._expand(number, state, worth, promise)
                expanded += 1
                if expanded == SHARPEN:
                    self.prospect.sharpen()
                if self.limit is not None and expanded >= self.limit:
                    return self._narrow()
        return -1

    def _expand(self, number: int, state: State, worth: int, promise: int) -> None:
        if number == len(self.steps):
            self._finish(state, worth)
        elif self.steps[number][1] == 4:
            self._close(number, state, worth, promise)
        else:
            self._suit(number, state, worth, promise)

    def _narrow(self) -> int:
        """Go on from all known states, the `NARROW` most promising per step; the best value found."""
        self.exact = False
        jv = self.problem.joker_value
        for number in range(len(self.steps) + 1):
            layer = self.layers[number]
            states = list(layer)
            if len(states) > 4 * NARROW:
                states.sort(key=lambda state: state[4] * jv - layer[state][0])
                del states[4 * NARROW :]
            ranked = sorted((-self._hope(number, state, layer[state][0]), state) for state in states)
            for _, state in ranked[:NARROW]:
                worth = layer[state][0]
                self._expand(number, state, worth, self._promise(number, state, worth))
        finished = self.layers[-1]
        if not finished:
            return -1
        best = max(finished, key=lambda state: finished[state][0])
        self.layers[-1] = {best: finished[best]}
        return finished[best][0]

    def _hope(self, number: int, state: State, worth: int) -> int:
        """A guess of what will come of a state: cards in runs that are too short yet may stay behind."""
        short = sum(not self.runs.closable(descriptor) for row in state[:4] for descriptor in self.runs.rows[row])
        return self._promise(number, state, worth) - SHORT * short

    def _promise(self, number: int, state: State, worth: int) -> int:
        """The most that can come of a state: all cards ahead and all jokers, less a card that has to stay."""
        promise = worth + self.reach[number] - state[4] * self.problem.joker_value
        return promise if state[5] else promise - self.due[number]

    def _reach(
        self,
        number: int,
        key: State,
        value: int,
        promise: int,
        elsewhere: Worth,
        s: int,
        came: tuple[State, Choice | int],
    ) -> None:
        """Note a way to a state of layer `number`, and on through steps where nothing happens, if it is the best.

        `elsewhere` is what the suits other than `s` can still bring: of those, nothing has changed.
        """
        origin, choice = came
        while True:
            layer = self.layers[number]
            known = layer.get(key)
            if known is not None and known[0] >= value:
                return
            layer[key] = (value, origin, choice)
            if number == len(self.steps) or not self._idle(number, key):
                break
            origin, choice = key, (0 if self.steps[number][1] == 4 else (IDLE, 0, 0))
            number += 1
        promise = min(promise, self._promise(number, key, value))
        if number < len(self.steps):
            place, suit_ = self.steps[number]
            code = key[7] & ~_STAYED
            chosen = self.sets.size((place - 1) % 13, code) if code else 0
            jokers = self.problem.wilds - key[4]
            more = self.prospect.most(elsewhere, s, key[s], place, suit_, jokers, key[6], chosen)
            promise = min(promise, value + more)
        if promise > 0:  # laying nothing is worth nothing too
            self.queue[self.most - promise].append((number, key, value))

    def _idle(self, number: int, state: State) -> bool:
        """Whether nothing can happen to a state at a step."""
        suit_ = self.steps[number][1]
        if suit_ == 4:
            return not state[7]
        return self.bare[number] and not state[suit_]

    def _first_room(self) -> int:
        """Room in the sets on the table; that of their runs counts when the walk has passed them."""
        if not self.problem.layoff_jokers:
            return 0
        if not self.majority:
            return self._add_room(0, len(self.problem.runs) + len(self.problem.sets))
        return self._add_room(0, sum(len(o.lying.cards) - 2 * o.wilds - 1 for o in self.problem.sets))

    def _finish(self, state: State, worth: int) -> None:
        """Add the jokers that are left to a walked state, as far as there is room and a legal end."""
        jokers = self.problem.wilds - state[4]
        room = state[8]
        open_runs = [descriptor for row in state[:4] for descriptor in self.runs.rows[row]]
        if jokers < 0 or not all(self.runs.closable(descriptor) for descriptor in open_runs):
            return
        for descriptor in open_runs:
            room = self._add_room(room, self.runs.room(descriptor))
        if room and not self.majority:
            room = jokers
        others, queens = divmod(state[5], 3)
        for kept in range(max(0, jokers - room), jokers + 1):
            if self.problem.may_end(min(2, others + kept), queens):
                value = worth + (jokers - kept) * self.problem.joker_value
                if value <= 0:
                    return
                self.layers[-1][state] = (value, state, None)
                self.queue[self.most - value].append((len(self.steps) + 1, state, value))
                return

    def _suit(self, number: int, state: State, worth: int, promise: int) -> None:
        """One suit at one place: what its unfinished runs and its cards of this face do."""
        place, s = self.steps[number]
        elsewhere = self.prospect.of_others(place, s, s, state, state[6])
        problem = self.problem
        face = place_face(s, place)
        value, jv = problem.values[face], problem.joker_value
        queen = face == QUEEN_OF_SPADES
        offers = self.offers.get(face, []) if place > 1 else []
        may_prune = self.strict and self.roomy[s]
        set_possible = place > 1 and self.sets.possible[face % 13]
        net, left, low, code, room = state[4], state[5], state[6], state[7], state[8]
        spare = problem.wilds + self.swaps_ahead[number] - net
        count = problem.counts[face] - (low >> (4 * s) & 15 if place == 14 else 0)
        others, queens = divmod(left, 3)
        head, tail = state[:s], state[s + 1 : 4]
        for option in self.runs.options(place, s, state[s], count, min(spare, 8)):
            used, jokers = option.used, option.jokers
            row_id = self.runs.id(option.row)
            base = worth + used * value + jokers * jv
            now_room = self._add_room(room, option.room) if option.room else room
            if place == 1:
                key = (*head, row_id, *tail, net + jokers, left, low + (used << (4 * s)), 0, now_room)
                self._reach(number + 1, key, base, promise, elsewhere, s, (state, (option, 0, 0)))
                continue
            free = count - used
            for in_set in range(free + 1 if set_possible else 1):
                for swapped in range(min(free - in_set, len(offers)) + 1):
                    rest = free - in_set - swapped
                    now_left, now_code = left, code + in_set * self.sets.units[s][face % 13]
                    if rest:
                        now_left = _left(others, queens + rest) if queen else _left(others + rest, queens)
                        if may_prune and (now_left == _PLENTY or (queen and others)):
                            if jokers or option.ended:
                                continue
                            now_code |= _STAYED
                    gain = base + in_set * value
                    room_left = now_room
                    if swapped:
                        gain += sum(offer.gain for offer in offers[:swapped])
                        room_left = self._add_room(now_room, self._freed(offers[:swapped]))
                    key = (*head, row_id, *tail, net + jokers - swapped, now_left, low, now_code, room_left)
                    self._reach(number + 1, key, gain, promise, elsewhere, s, (state, (option, in_set, swapped)))

    def _close(self, number: int, state: State, worth: int, promise: int) -> None:
        """All suits of a place are done: the cards chosen for sets of this rank, with jokers, must be sets."""
        place = self.steps[number][0]
        rank_ = (place - 1) % 13
        elsewhere = self.prospect.of_others(place, 4, 3, state, state[6])
        net, code, room = state[4], state[7], state[8]
        chosen = code & ~_STAYED
        if code & _STAYED and self.rules.same_suit_twice_in_set and self.sets.takes_more(rank_, chosen):
            return
        if not chosen:
            self._reach(number + 1, (*state[:7], 0, room), worth, promise, elsewhere, 3, (state, 0))
            return
        spare = self.problem.wilds + self.swaps_ahead[number] - net
        # One set needs jokers only to be long enough; where suits differ there may be one set per copy of a card.
        parts = 1 if self.rules.same_suit_twice_in_set else self.rules.decks
        for jokers in range(min(spare, parts * (self.least - 1)) + 1):
            fit = self.sets.room(rank_, chosen, jokers)
            if fit is not None:
                key = (*state[:4], net + jokers, *state[5:7], 0, self._add_room(room, fit))
                gain = worth + jokers * self.problem.joker_value
                self._reach(number + 1, key, gain, promise, elsewhere, 3, (state, jokers))
                return

    # ------------------------------------------------------------------------------------------- room for jokers

    def _add_room(self, room: int, more: int) -> int:
        """Room is only counted as far as there may be jokers to fill it."""
        return min(room + more, self.most_jokers if self.majority else 1)

    def _freed(self, offers: Sequence[SwapOffer]) -> int:
        """Room that swaps make in the melds that we may extend, where natural cards need a majority."""
        if not self.majority or not self.problem.layoff_jokers:
            return 0
        return 2 * sum(offer.meld in self.extendable for offer in offers)
