"""A player of test vectors: simple, legal, and steady.

It shares nothing with the bots, so that better bots leave every vector as it is. What it may do it asks the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from protocol.errors import IllegalMove
from protocol.rules import engine
from protocol.rules.actions import HIGH, LOW, Action, Draw, Exchange, Lay, LayOff, Placed, Play, Slot, Step, Swap
from protocol.rules.cards import JOKER, QUEEN_OF_SPADES, rank, suit
from protocol.rules.state import Phase, Round
from protocol.session.view import TableView


def steady(view: TableView) -> Action:
    """Takes the pot when its top card makes a meld, lays all it can, and discards what it got last."""
    assert view.round is not None
    assert view.me is not None
    mind = _Mind(view.round, view.me, {**view.round.faces, **view.faces})
    if view.round.phase is Phase.EXCHANGE:
        return mind.exchange()
    if view.round.phase is Phase.DRAW:
        return mind.ending(take_pot=True) or Draw()
    return mind.ending(take_pot=False) or mind.discard_only()


def drawer(view: TableView) -> Action:
    """Only draws and discards: the stock runs out, the pot is shuffled again, and the round ends undecided."""
    assert view.round is not None
    assert view.me is not None
    if view.round.phase is Phase.DRAW:
        return Draw()
    mind = _Mind(view.round, view.me, {**view.round.faces, **view.faces})
    return mind.exchange() if view.round.phase is Phase.EXCHANGE else mind.discard_only()


class _Mind:
    def __init__(self, state: Round, me: int, faces: dict[Slot, int]) -> None:
        self.state = state
        self.me = me
        self.faces = faces

    def exchange(self) -> Exchange:
        """Every other seat takes the open card and gives back a card that it may give back."""
        if (self.me - self.state.starter) % 2 == 0:
            for slot in self.state.hands[self.me]:
                try:
                    engine.exchange(self.state, self.me, Exchange(slot), self.faces)
                except IllegalMove:
                    continue
                return Exchange(slot)
        return Exchange(None)

    def ending(self, *, take_pot: bool) -> Play | None:
        """The turn with all steps that can be taken one after the other; None where it cannot end after them."""
        steps: tuple[Step, ...] = ()
        top = self.state.pot[-1] if take_pot and self.state.pot else None
        if take_pot and top is None:
            return None
        while True:
            step = next(
                (s for s in self._steps(steps, top if not steps else None) if self._fits(take_pot, s, steps)), None
            )
            if step is None:
                break
            steps = (*steps, step)
        if not steps:
            return None
        return self._closed(take_pot, steps)

    def discard_only(self) -> Play:
        """The turn without steps."""
        play = self._closed(False, ())
        assert play is not None
        return play

    def _fits(self, take_pot: bool, step: Step, before: tuple[Step, ...]) -> bool:
        try:
            engine.preview(self.state, self.me, take_pot, (*before, step), self.faces)
        except IllegalMove:
            return False
        return self._closed(take_pot, (*before, step)) is not None

    def _closed(self, take_pot: bool, steps: tuple[Step, ...]) -> Play | None:
        """The turn with the first discard that is legal, the newest card first."""
        slots: list[Slot | None] = [*reversed(self.state.hands[self.me]), None]
        if take_pot:
            slots = [*reversed(self.state.pot), *slots]
        slots.sort(key=lambda slot: slot is not None and self.faces[slot] in {QUEEN_OF_SPADES, JOKER})
        for slot in slots:
            play = Play(take_pot, steps, slot)
            try:
                play = engine.with_proof(self.state, self.me, play, self.faces)
                engine.play(self.state, self.me, play, self.faces)
            except IllegalMove:
                continue
            return play
        return None

    def _steps(self, before: tuple[Step, ...], top: Slot | None) -> Iterator[Step]:
        """Steps that may fit: the pot's top card in a new meld first, else swaps, melds of three, single cards."""
        used = {s for step in before for s in _slots(step)}
        hand = [slot for slot in self.state.hands[self.me] if slot not in used]
        if top is not None:
            yield from (Lay(tuple(map(Placed, three))) for three in threes([*hand, top], self.faces) if top in three)
            return
        melds = self.state.melds
        for number, meld in enumerate(melds):
            wild = [place for place, card in enumerate(meld.cards) if card.wild]
            yield from (Swap(number, place, slot) for place in wild for slot in hand if self.faces[slot] != JOKER)
        yield from (Lay(tuple(map(Placed, three))) for three in threes(hand, self.faces))
        for number, meld in enumerate(melds):
            for slot in hand:
                yield from (
                    LayOff(number, (Placed(slot),), side) for side in ((None,) if meld.kind == "set" else (LOW, HIGH))
                )


def threes(slots: Sequence[Slot], faces: Mapping[Slot, int]) -> Iterator[tuple[Slot, ...]]:
    """Three natural cards that may be a set or, ascending, a run."""
    natural = sorted((slot for slot in slots if faces[slot] != JOKER), key=lambda s: (rank(faces[s]), s))
    for three in combinations(natural, 3):
        ranks = [rank(faces[slot]) for slot in three]
        one_suit = len({suit(faces[slot]) for slot in three}) == 1
        if len(set(ranks)) == 1 or (one_suit and ranks == list(range(ranks[0], ranks[0] + 3))):
            yield three


def _slots(step: Step) -> list[Slot]:
    return [step.slot] if isinstance(step, Swap) else [placed.slot for placed in step.cards]
