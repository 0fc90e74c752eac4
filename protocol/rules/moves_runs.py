"""What the runs of one suit can do at one place: the moves of the search for the best laydown, suit by suit.

A run that is not finished is one integer (a descriptor), a suit's unfinished runs are a sorted tuple of them, known by
a small number. Only as much of a run is kept as matters for its future.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple, TypeAlias

from .melds import place_face
from .moves_problem import OpenRun, Problem
from .moves_shapes import places

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


IDLE = Option((), 0, 0, 0, ended=False, ops=())
"""The only option where no run is open and none begins."""


class Runs:
    """The runs of one problem: their descriptors and options."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.rules = rules = problem.rules
        self.majority = rules.joker_majority
        self.need = max(rules.min_naturals, 2)
        self.least = rules.meld_min_cards
        self.first, self.last = places(rules)
        self.most_jokers = problem.wilds + len(problem.swaps)
        free_length = rules.ace_both_ends and rules.run_max_cards > self.last - self.first
        self.length_cap = self.least + 1 if free_length else min(14, rules.run_max_cards)
        self.simple = free_length and problem.layoff_jokers
        self.joker_barred = 2 if rules.two_as_joker and not rules.wild_two_may_be_two else 0
        self.ids: dict[tuple[int, ...], int] = {(): 0}
        self.rows: list[tuple[int, ...]] = [()]
        self.by_length: list[tuple[int, ...]] = []
        self.option_cache: dict[tuple[int, int, int, int, int], list[Option]] = {}
        self.entering: dict[tuple[int, int], list[tuple[int, OpenRun]]] = {}
        for number, run in enumerate(problem.runs):
            self.entering.setdefault((run.low, run.suit), []).append((number + 1, run))

    def bare(self, place: int, s: int) -> bool:
        """Whether no run can begin at this place, nor comes in from the table."""
        lead = self.most_jokers and place == self.last - self.least + 1
        return not (lead or self.problem.counts[place_face(s, place)] or (place, s) in self.entering)

    def never_full(self, s: int) -> bool:
        """Whether no run of this suit can fill all its places, so that a joker always finds room at an end."""
        known = {place for place in range(self.first, self.last + 1) if self.problem.counts[place_face(s, place)]}
        for run in self.problem.runs:
            if run.suit == s:
                known.update(range(run.low, run.high + 1))
        return len(known) + self.most_jokers < min(13, self.rules.run_max_cards)

    def id(self, row: tuple[int, ...]) -> int:
        """The number of a suit's unfinished runs."""
        found = self.ids.get(row)
        if found is None:
            found = self.ids[row] = len(self.rows)
            self.rows.append(row)
        return found

    def lengths(self, row_id: int) -> tuple[int, ...]:
        """How many of these runs have one card, two, .., the least length of a meld or more (those of the table)."""
        while row_id >= len(self.by_length):
            counts = [0] * self.least
            for descriptor in self.rows[len(self.by_length)]:
                length = self.least if descriptor >= KIND else descriptor // _LENGTH
                counts[min(length, self.least) - 1] += 1
            self.by_length.append(tuple(counts))
        return self.by_length[row_id]

    def _descriptor(self, kind: int, length: int, balance: int, flags: int) -> int:
        length = min(length, self.length_cap)
        if self.simple:
            # A long run and one just long enough go on alike, and so does one with a joker in it: they are one.
            flags &= ~_HAS_JOKER
            if length == self.least and not flags & (_TAIL | _LEAD):
                length += 1
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

    def closable(self, descriptor: int) -> bool:
        """Whether a run may end here: long enough, with natural cards enough, and with no joker it does not need."""
        kind, rest = divmod(descriptor, KIND)
        length, rest = divmod(rest, _LENGTH)
        balance, flags = divmod(rest, _BALANCE)
        balance -= _MIDDLE
        enough = balance >= 1 if self.majority else balance >= self.need or kind > 0
        if kind:
            return enough and not flags & _TAIL
        return enough and (length == self.least or (length > self.least and not flags & _TAIL))

    def room(self, descriptor: int) -> int:
        """Jokers that a finished run takes: as many as natural cards allow, or 1 for any number, or none when full."""
        if descriptor >= KIND and not self.problem.layoff_jokers:
            return 0
        if self.length_cap > self.least + 1 and descriptor % KIND // _LENGTH >= self.length_cap:
            return 0
        return descriptor % _LENGTH // _BALANCE - _MIDDLE - 1 if self.majority else 1

    def options(self, place: int, s: int, row_id: int, count: int, spare: int) -> list[Option]:
        """The options of a suit with these runs at a place, with `count` cards of the face and `spare` jokers."""
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
                if not self.closable(descriptor):
                    return
                ended = ended or (place <= self.last and not descriptor & _LEAD)
                room += self.room(descriptor)
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
            if lies or self.closable(descriptor) or self._finished_by_jokers(descriptor, place, spare):
                continue
            jokers = spare
            for ahead in range(place + 1, self.last + 1):
                if (ahead, s) in self.entering or self.problem.counts[place_face(s, ahead)]:
                    break
                jokers -= 1
                if jokers < 0:
                    return False
            else:
                return False
        return True

    def _finished_by_jokers(self, descriptor: int, place: int, spare: int) -> bool:
        """Whether jokers alone make a new run just long enough."""
        missing = self.least - descriptor % KIND // _LENGTH
        if descriptor >= KIND or not 0 < missing <= min(spare, self.last - place):
            return False
        balance = descriptor % _LENGTH // _BALANCE - _MIDDLE
        return balance - missing >= 1 if self.majority else balance >= self.need

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
                    if self._may_join(descriptor, run) and self.closable(joined):
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
