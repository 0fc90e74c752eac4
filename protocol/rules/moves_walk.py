"""The exact search behind `moves.best_laydown`: which cards to put on the table, and how, for the greatest value.

Only faces and numbers live here; seats, slots and the turn do not. The search walks over the places of a run from
the low ace to the high ace, suit by suit, and keeps one best way per state: the unfinished runs of each suit, the
jokers used, the cards chosen for a set of this rank, and what kind of cards stay in the hand (a legal discard has to).
Lower places influence higher ones only through that state, so the walk is exact. What keeps it small:

- Jokers are placed only where a meld needs one: in a gap, or as the third card. The others are added at the end,
  where there is room (every meld has room, or as many as its majority of natural cards allows).
- A lone natural card with jokers is a set, never a run: it is the same cards.
- Once two cards stay behind, no card stays behind that an open run or a chosen set takes, or whose place a joker has.
- States that cannot reach the value asked for are dropped; `moves_search` asks for much first.

The one approximation: jokers that find no room because every meld of the answer is full (eight in a set, fourteen in
a run) stay in the hand.

A swap is another use of a natural card that yields a joker; jokers may be spent before the swap that pays for them,
because all swaps are played first.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple, TypeAlias

from .cards import QUEEN_OF_SPADES, face_of
from .melds import place_face
from .moves_problem import OpenRun, OpenSet, Problem, SwapOffer
from .moves_prospect import Prospect
from .moves_shapes import balanced, copies, places, set_additions, set_limit, set_row
from .ruleset import RuleSet

NARROW = 60
"""States per step of the walk that replaces the sweep when that takes too long."""

SHORT = 40
"""What that walk takes off for a run that cannot end yet."""

# An unfinished run is one integer: kind, length up to 4, balance, flags. Kind 0 is new, k is run k-1 of the table.
_FROM_LOW_ACE = 1
_HAS_JOKER = 2
_TAIL = 4  # the last card is a joker
_LEAD = 8  # the first card is a joker
_BALANCE = 16
_LENGTH = _BALANCE * 64
KIND = _LENGTH * 16
_MIDDLE = 32

_Op: TypeAlias = tuple[str, int, int]
"""What happened to one run at one place, for writing the answer: what, descriptor before, descriptor after."""


class Option(NamedTuple):
    """One way to treat the runs of a suit at a place.

    `ended`: some run that could go on does not. `room`: what the runs that end here add to the state's room.
    """

    row: tuple[int, ...]
    used: int
    jokers: int
    room: int
    ended: bool
    ops: tuple[_Op, ...]


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
        self.rules = rules = problem.rules
        self.majority = rules.joker_majority
        self.need = max(rules.min_naturals, 2)
        self.least = rules.meld_min_cards
        self.first, self.last = places(rules)
        self.most_jokers = problem.wilds + len(problem.swaps)
        free_length = rules.ace_both_ends and rules.run_max_cards > self.last - self.first
        self.length_cap = self.least + 1 if free_length else min(14, rules.run_max_cards)
        self.simple = free_length and problem.layoff_jokers
        self.strict = problem.may_end(1, 0)
        self.ids: dict[tuple[int, ...], int] = {(): 0}
        self.rows: list[tuple[int, ...]] = [()]
        self.option_cache: dict[tuple[int, int, int, int, int], list[Option]] = {}
        self.plan_cache: dict[tuple[int, int, int], int] = {}
        self.entering: dict[tuple[int, int], list[tuple[int, OpenRun]]] = {}
        for number, run in enumerate(problem.runs):
            self.entering.setdefault((run.low, run.suit), []).append((number + 1, run))
        self.offers: dict[int, list[SwapOffer]] = {}
        for offer in sorted(problem.swaps, key=lambda o: (-o.gain, o.meld, o.position)):
            self.offers.setdefault(offer.face, []).append(offer)
        self.by_rank: dict[int, list[OpenSet]] = {}
        for open_set in problem.sets:
            self.by_rank.setdefault(open_set.rank, []).append(open_set)
        self.extendable = {run.meld for run in problem.runs} | {open_set.meld for open_set in problem.sets}
        self.joker_barred = 2 if rules.two_as_joker and not rules.wild_two_may_be_two else 0
        self.detailed = [bool(self.by_rank.get(r)) or not rules.same_suit_twice_in_set for r in range(13)]
        self.units = [[(1 << (4 * s)) if self.detailed[r] else 1 for r in range(13)] for s in range(4)]
        self.set_possible = [self._set_possible(r) for r in range(13)]
        self.steps = [(place, suit_) for place in range(1, 15) for suit_ in range(5)]
        self.roomy = [self._never_full(s) for s in range(4)]
        self._potentials()
        self.prospect = Prospect(problem)
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

    def _never_full(self, s: int) -> bool:
        """Whether no run of this suit can fill all its places, so that a joker always finds room at an end."""
        known = {place for place in range(self.first, self.last + 1) if self.problem.counts[place_face(s, place)]}
        for run in self.problem.runs:
            if run.suit == s:
                known.update(range(run.low, run.high + 1))
        return len(known) + self.most_jokers < min(13, self.rules.run_max_cards)

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
                if number < len(self.steps) and self._disappoints(number, state, worth, promise):
                    continue
                self._expand(number, state, worth, promise)
                expanded += 1
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
        short = sum(not self._closable(descriptor) for row in state[:4] for descriptor in self.rows[row])
        return self._promise(number, state, worth) - SHORT * short

    def _promise(self, number: int, state: State, worth: int) -> int:
        """The most that can come of a state: all cards ahead and all jokers, less a card that has to stay."""
        promise = worth + self.reach[number] - state[4] * self.problem.joker_value
        return promise if state[5] else promise - self.due[number]

    def _disappoints(self, number: int, state: State, worth: int, promise: int) -> bool:
        """Whether a closer look says that the state promises less; it is then queued again for later."""
        spare = self.problem.wilds + self.swaps_ahead[number] - state[4]
        if spare > 1:
            return False
        place, s = self.steps[number]
        closer = worth + self.prospect.most(place, s, state, spare)
        if closer >= promise:
            return False
        if closer > 0:
            self.queue[self.most - closer].append((number, state, worth))
        return True

    def _reach(self, number: int, key: State, value: int, promise: int, came_from: State, choice: Choice | int) -> None:
        """Note a way to a state of layer `number`, if it is the best one so far."""
        layer = self.layers[number]
        known = layer.get(key)
        if known is None or known[0] < value:
            layer[key] = (value, came_from, choice)
            promise = min(promise, self._promise(number, key, value))
            if promise > 0:  # laying nothing is worth nothing too
                self.queue[self.most - promise].append((number, key, value))

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
        open_runs = [descriptor for row in state[:4] for descriptor in self.rows[row]]
        if jokers < 0 or not all(self._closable(descriptor) for descriptor in open_runs):
            return
        for descriptor in open_runs:
            room = self._add_room(room, self._run_room(descriptor))
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
        problem = self.problem
        face = place_face(s, place)
        value, jv = problem.values[face], problem.joker_value
        queen = face == QUEEN_OF_SPADES
        offers = self.offers.get(face, []) if place > 1 else []
        may_prune = self.strict and self.roomy[s]
        set_possible = place > 1 and self.set_possible[face % 13]
        net, left, low, code, room = state[4], state[5], state[6], state[7], state[8]
        spare = problem.wilds + self.swaps_ahead[number] - net
        count = problem.counts[face] - (low >> (4 * s) & 15 if place == 14 else 0)
        others, queens = divmod(left, 3)
        head, tail = state[:s], state[s + 1 : 4]
        for option in self._options(place, s, state[s], count, min(spare, 8)):
            used, jokers = option.used, option.jokers
            row_id = self._id(option.row)
            base = worth + used * value + jokers * jv
            now_room = self._add_room(room, option.room) if option.room else room
            if place == 1:
                key = (*head, row_id, *tail, net + jokers, left, low + (used << (4 * s)), 0, now_room)
                self._reach(number + 1, key, base, promise, state, (option, 0, 0))
                continue
            free = count - used
            for in_set in range(free + 1 if set_possible else 1):
                for swapped in range(min(free - in_set, len(offers)) + 1):
                    rest = free - in_set - swapped
                    now_left, now_code = left, code + in_set * self.units[s][face % 13]
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
                    self._reach(number + 1, key, gain, promise, state, (option, in_set, swapped))

    def _close(self, number: int, state: State, worth: int, promise: int) -> None:
        """All suits of a place are done: the cards chosen for sets of this rank, with jokers, must be sets."""
        place = self.steps[number][0]
        rank_ = (place - 1) % 13
        net, code, room = state[4], state[7], state[8]
        chosen = code & ~_STAYED
        if code & _STAYED and self.rules.same_suit_twice_in_set and self._takes_more(rank_, chosen):
            return
        if not chosen:
            self._reach(number + 1, (*state[:7], 0, room), worth, promise, state, 0)
            return
        spare = self.problem.wilds + self.swaps_ahead[number] - net
        # One set needs jokers only to be long enough; where suits differ there may be one set per copy of a card.
        parts = 1 if self.rules.same_suit_twice_in_set else self.rules.decks
        for jokers in range(min(spare, parts * (self.least - 1)) + 1):
            fit = self._sets_fit(rank_, chosen, jokers)
            if fit is not None:
                key = (*state[:4], net + jokers, *state[5:7], 0, self._add_room(room, fit))
                gain = worth + jokers * self.problem.joker_value
                self._reach(number + 1, key, gain, promise, state, jokers)
                return

    # ------------------------------------------------------------------------------------------- runs of a suit

    def _id(self, row: tuple[int, ...]) -> int:
        found = self.ids.get(row)
        if found is None:
            found = self.ids[row] = len(self.rows)
            self.rows.append(row)
        return found

    def _add_room(self, room: int, more: int) -> int:
        """Room is only counted as far as there may be jokers to fill it."""
        return min(room + more, self.most_jokers if self.majority else 1)

    def _freed(self, offers: Sequence[SwapOffer]) -> int:
        """Room that swaps make in the melds that we may extend, where natural cards need a majority."""
        if not self.majority or not self.problem.layoff_jokers:
            return 0
        return 2 * sum(offer.meld in self.extendable for offer in offers)

    def _descriptor(self, kind: int, length: int, balance: int, flags: int) -> int:
        length = min(length, self.length_cap)
        return kind * KIND + length * _LENGTH + (balance + _MIDDLE) * _BALANCE + flags

    def _weigh(self, naturals: int, wilds: int) -> int:
        if self.majority:
            return min(naturals - wilds, self.most_jokers + 1)
        return min(naturals, self.need)

    def _grown(self, descriptor: int, *, joker: bool) -> int | None:
        """The run with one more card, or None where that leads nowhere."""
        kind, rest = divmod(descriptor, KIND)
        length, rest = divmod(rest, _LENGTH)
        balance, flags = divmod(rest, _BALANCE)
        balance -= _MIDDLE
        if flags & _LEAD and length >= self.least:
            return None
        if self.length_cap > self.least + 1 and length >= self.length_cap:
            return None
        if joker:
            flags |= _HAS_JOKER | _TAIL
            if self.majority:
                balance -= 1
        else:
            flags &= ~_TAIL
            balance = min(balance + 1, self.most_jokers + 1 if self.majority else self.need)
        return self._descriptor(kind, length + 1, balance, flags)

    def _closable(self, descriptor: int) -> bool:
        """Whether a run may end here: long enough, with natural cards enough, and with no joker it does not need."""
        kind, rest = divmod(descriptor, KIND)
        length, rest = divmod(rest, _LENGTH)
        balance, flags = divmod(rest, _BALANCE)
        balance -= _MIDDLE
        enough = balance >= 1 if self.majority else balance >= self.need or kind > 0
        if kind:
            return enough and not flags & _TAIL
        return enough and (length == self.least or (length > self.least and not flags & _TAIL))

    def _run_room(self, descriptor: int) -> int:
        """Jokers that a finished run takes, as far as natural cards are concerned."""
        if descriptor >= KIND and not self.problem.layoff_jokers:
            return 0
        return descriptor % _LENGTH // _BALANCE - _MIDDLE - 1 if self.majority else 1

    def _options(self, place: int, s: int, row_id: int, count: int, spare: int) -> list[Option]:
        key = (place, s, row_id, count, spare)
        found = self.option_cache.get(key)
        if found is None:
            found = self.option_cache[key] = self._make_options(place, s, self.rows[row_id], count, spare)
        return found

    def _make_options(self, place: int, s: int, row: tuple[int, ...], count: int, spare: int) -> list[Option]:
        """Every way to treat the open runs at this place: end, go on with a card or a joker, join the table, begin."""
        best: dict[tuple[tuple[int, ...], int, int, int], Option] = {}
        if place == self.joker_barred:
            spare = 0
        for joined, ops in self._join(place, s, row):
            active = [d for d in joined if d < KIND or place > self.problem.runs[d // KIND - 1].high]
            frozen = [d for d in joined if d not in active]
            for acts in product("enj", repeat=len(active)):
                used, jokers = acts.count("n"), acts.count("j")
                usable = self.first <= place <= self.last
                if used <= count and jokers <= spare and (usable or not (used or jokers)):
                    self._act((place, s), frozen, list(zip(active, acts, strict=True)), ops, (count, spare), best)
        return list(best.values())

    def _act(
        self,
        at: tuple[int, int],
        frozen: list[int],
        acts: list[tuple[int, str]],
        ops: tuple[_Op, ...],
        have: tuple[int, int],
        best: dict[tuple[tuple[int, ...], int, int, int], Option],
    ) -> None:
        place = at[0]
        row, done = list(frozen), list(ops)
        ended, room = False, 0
        for descriptor, act in acts:
            if act == "e":
                if not self._closable(descriptor):
                    return
                ended = ended or not descriptor & _LEAD
                room += self._run_room(descriptor)
                done.append(("end", descriptor, 0))
                continue
            if act == "j" and descriptor >= KIND and not self.problem.layoff_jokers:
                return
            if place == 14 and descriptor & _FROM_LOW_ACE:
                return
            grown = self._grown(descriptor, joker=act == "j")
            if grown is None:
                return
            row.append(grown)
            done.append(("joker" if act == "j" else "card", descriptor, grown))
        used, jokers = sum(act == "n" for _, act in acts), sum(act == "j" for _, act in acts)
        low_ace = _FROM_LOW_ACE if place == 1 and not self.rules.ace_both_ends else 0
        with_card = self._descriptor(0, 1, self._weigh(1, 0), low_ace)
        with_joker = self._descriptor(0, 1, self._weigh(0, 1), low_ace | _HAS_JOKER | _TAIL | _LEAD)
        for a, b in self._starts(at, have[0] - used, have[1] - jokers, blocked=ended and self.simple):
            result = tuple(sorted([*row, *[with_card] * a, *[with_joker] * b]))
            if not self._alive(at, result, have[1] - jokers - b):
                continue
            key = (result, used + a, jokers + b, room)
            if key not in best:
                begun: tuple[_Op, ...] = (("card", -1, with_card),) * a + (("joker", -1, with_joker),) * b
                best[key] = Option(result, used + a, jokers + b, room, ended, (*done, *begun))

    def _starts(self, at: tuple[int, int], cards: int, spare: int, *, blocked: bool) -> list[tuple[int, int]]:
        """How many runs may begin here, with a card and with a joker.

        Where a run could have gone on, none begins: it would be the same cards in two melds instead of one. A joker
        that leads can trail as well, except before the last places.
        """
        if blocked or not self.first <= at[0] <= self.last:
            return [(0, 0)]
        leads = spare if at[0] == self.last - self.least + 1 else 0
        return [(a, b) for a in range(cards + 1) for b in range(leads + 1)]

    def _alive(self, at: tuple[int, int], row: tuple[int, ...], spare: int) -> bool:
        """Whether every run that cannot end here can still be finished with the cards and jokers to come."""
        place, s = at
        for descriptor in row:
            lies = descriptor >= KIND and place < self.problem.runs[descriptor // KIND - 1].high
            if lies or self._closable(descriptor):
                continue
            needs_card = bool(descriptor & _TAIL) or descriptor % KIND // _LENGTH < self.least - 1
            jokers = spare
            for ahead in range(place + 1, 15):
                if (ahead, s) in self.entering:
                    break
                if ahead > self.last:
                    return False
                if self.problem.counts[place_face(s, ahead)]:
                    break
                jokers -= 1
                if jokers < 0:
                    return False
                if not needs_card:
                    break
            else:
                return False
        return True

    def _join(self, place: int, s: int, row: tuple[int, ...]) -> list[tuple[tuple[int, ...], tuple[_Op, ...]]]:
        """Runs of the table that begin at this place come in, each with or without an open run attached before it."""
        found: list[tuple[tuple[int, ...], tuple[_Op, ...]]] = [(row, ())]
        for kind, run in self.entering.get((place, s), ()):
            more: list[tuple[tuple[int, ...], tuple[_Op, ...]]] = []
            for open_row, ops in found:
                plain = self._table_descriptor(kind, run, 0, place == 1)
                more.append(((*open_row, plain), (*ops, ("enter", -1, plain))))
                for descriptor in sorted(set(open_row)):
                    joined = self._table_descriptor(kind, run, descriptor, place == 1)
                    if self._may_join(descriptor, run) and self._closable(joined):
                        rest = list(open_row)
                        rest.remove(descriptor)
                        more.append(((*rest, joined), (*ops, ("join", descriptor, joined))))
            found = more
        return found

    def _may_join(self, descriptor: int, run: OpenRun) -> bool:
        if descriptor >= KIND or descriptor & _LEAD:
            return False
        if descriptor & _HAS_JOKER and not self.problem.layoff_jokers:
            return False
        length = descriptor // _LENGTH
        if self.length_cap > self.least + 1 and length + run.high - run.low + 1 > self.rules.run_max_cards:
            return False
        return not (descriptor & _FROM_LOW_ACE and run.high == 14)

    def _table_descriptor(self, kind: int, run: OpenRun, attached: int, from_one: bool) -> int:
        balance = self._weigh(run.naturals, run.wilds)
        flags = _FROM_LOW_ACE if from_one and not self.rules.ace_both_ends else 0
        length = run.high - run.low + 1
        if attached:
            extra = attached % _LENGTH // _BALANCE - _MIDDLE
            balance = min(balance + extra, self.most_jokers + 1) if self.majority else self.need
            flags |= attached & (_FROM_LOW_ACE | _HAS_JOKER)
            length += attached % KIND // _LENGTH
        return self._descriptor(kind, length, balance, flags)

    # ------------------------------------------------------------------------------------------- sets of a rank

    def _set_possible(self, rank_: int) -> bool:
        if rank_ in self.by_rank:
            return True
        naturals = sum(self.problem.counts[face_of(s, rank_)] for s in range(4))
        return naturals + self.most_jokers >= self.least

    def _chosen(self, rank_: int, code: int) -> list[int]:
        """Cards per suit; where suits do not matter only their number was kept, and any suits will do."""
        if self.detailed[rank_]:
            return [code >> (4 * s) & 15 for s in range(4)]
        return [code // 4 + (s < code % 4) for s in range(4)]

    def _takes_more(self, rank_: int, code: int) -> bool:
        """Whether one more natural card of this rank surely fits some set of it."""
        lying = sum(len(open_set.lying.cards) for open_set in self.by_rank.get(rank_, ()))
        chosen = sum(self._chosen(rank_, code))
        return bool(chosen or lying) and chosen + lying + self.least <= self.rules.set_max_cards

    def _sets_fit(self, rank_: int, code: int, jokers: int) -> int | None:
        """The room that sets of exactly these cards have, or None where they are no sets."""
        key = (rank_, code, jokers)
        if key not in self.plan_cache:
            plan = self.set_plan(rank_, self._chosen(rank_, code), jokers)
            room = -1
            if plan is not None:
                room = sum(sum(group) - wild - 1 for group, wild in plan[0]) if self.majority else len(plan[0])
                if self.problem.layoff_jokers and self.majority:
                    room += sum(sum(part) - wild for _, part, wild in plan[1])
            self.plan_cache[key] = room
        found = self.plan_cache[key]
        return None if found < 0 else found

    def set_plan(self, rank_: int, chosen: Sequence[int], jokers: int) -> SetPlan | None:
        """New sets and additions to sets on the table that use exactly these cards, or None."""
        return self._share(rank_, chosen, jokers, self.by_rank.get(rank_, []))

    def _share(self, rank_: int, chosen: Sequence[int], jokers: int, open_sets: list[OpenSet]) -> SetPlan | None:
        """New sets if possible; else give the first open set as much as it takes, then share the rest."""
        plan = new_sets(self.rules, rank_, chosen, jokers)
        if plan is not None:
            return plan, []
        if not open_sets:
            return None
        first, rest = open_sets[0], open_sets[1:]
        for part in product(*(range(n, -1, -1) for n in chosen)):
            for wild in range(jokers if self.problem.layoff_jokers else 0, -1, -1):
                if (any(part) or wild) and set_additions(self.rules, first.lying, part, wild) is None:
                    continue
                remaining = [n - k for n, k in zip(chosen, part, strict=True)]
                found = self._share(rank_, remaining, jokers - wild, rest)
                if found is not None:
                    added = [(first, part, wild)] if any(part) or wild else []
                    return found[0], [*added, *found[1]]
        return None


SetPlan: TypeAlias = tuple[list[tuple[tuple[int, ...], int]], list[tuple[OpenSet, tuple[int, ...], int]]]
"""New sets (natural cards per suit, jokers) and additions to sets on the table."""


def new_sets(
    rules: RuleSet, rank_: int, chosen: Sequence[int], jokers: int
) -> list[tuple[tuple[int, ...], int]] | None:
    """Sets (natural cards per suit, jokers) that use exactly these cards, as few sets as possible, or None."""
    total = sum(chosen) + jokers
    if not total:
        return []
    row = [s for s in range(4) for _ in range(chosen[s])]
    for parts in range(1, total // rules.meld_min_cards + 1):
        groups = [[0, 0, 0, 0] for _ in range(parts)]
        for number, s in enumerate(row):
            groups[number % parts][s] += 1
        wild = [0] * parts
        for _ in range(jokers):
            target = min(range(parts), key=lambda g: (sum(groups[g]) + wild[g], g))
            wild[target] += 1
        plan = [(tuple(group), w) for group, w in zip(groups, wild, strict=True)]
        if all(_is_set(rules, rank_, group, w) for group, w in plan):
            return plan
    return None


def _is_set(rules: RuleSet, rank_: int, chosen: Sequence[int], jokers: int) -> bool:
    size = sum(chosen) + jokers
    return (
        rules.meld_min_cards <= size <= set_limit(rules)
        and max(chosen) <= copies(rules)
        and balanced(rules, sum(chosen), jokers)
        and set_row(rules, rank_, chosen, jokers) is not None
    )
