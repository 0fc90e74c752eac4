"""A turn in the making, and the copy it works on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from protocol.rules.actions import Play, Slot, Swap
from protocol.rules.cards import QUEEN_OF_SPADES
from tests.referee.position import PLAY, Position, TableMeld


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


def take(after: Position, seat: int, slots: list[Slot], source: str) -> Position:
    """The cards come to the hand and the play phase begins."""
    after.hands[seat] += slots
    after.drawn_from, after.drawn = source, list(slots)
    after.phase = PLAY
    after.last_mover = None
    after.stock_only = False
    return after


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

    def lies(self, slot: Slot) -> bool:
        """Whether the card is part of a meld: what lies is not taken up again (matrix 2.4)."""
        return any(card.slot == slot for meld in self.at.melds for card in meld.cards)

    @property
    def hand(self) -> list[Slot]:
        """The mover's hand."""
        return self.at.hands[self.seat]


def named(action: Play) -> list[Slot]:
    """Every slot that the play puts down, discards or shows."""
    slots: list[Slot] = []
    for step in action.steps:
        slots += [step.slot] if isinstance(step, Swap) else [card.slot for card in step.cards]
    return [*slots, *action.shown, *([] if action.discard is None else [action.discard])]


def is_queen(turn: Turn, slot: Slot) -> bool:
    """Whether the card is known to be the queen of spades."""
    return turn.face(slot) == QUEEN_OF_SPADES
