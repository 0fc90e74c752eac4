"""Bodies of entries as plain wire values, and back. Form only: whether a body is true is decided in the phases.

Every parser raises WireError `body/..`; the table turns that into a fault of the seat that signed it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from protocol.errors import WireError
from protocol.rules.actions import HIGH, LOW, Exchange, Lay, LayOff, Placed, Play, Slot, Step, Swap
from protocol.wire.entry import Entry
from protocol.wire.limits import MAX_SEATS

NATURAL = 255
"""`stands_for` of a card that is laid as itself."""
SIDES = (None, LOW, HIGH)
MAX_SLOT = (255 << 16) | 255


def slot_number(epoch: int, index: int) -> Slot:
    """The slot number used by the rules: epoch * 65536 + index."""
    return (epoch << 16) | index


def slot_epoch(slot: Slot) -> int:
    """The epoch whose deck this slot belongs to."""
    return slot >> 16


def slot_index(slot: Slot) -> int:
    """The place of this slot in its deck."""
    return slot & 0xFFFF


def fields(body: Any, count: int, what: str) -> list[Any]:
    """`body` as an array of exactly `count` elements."""
    if type(body) is not list or len(body) != count:
        raise WireError("body/form", f"{what}: not {count} fields")
    return body


def blob(value: Any, length: int, what: str) -> bytes:
    """`value` as exactly `length` bytes."""
    if type(value) is not bytes or len(value) != length:
        raise WireError("body/length", f"{what}: not {length} bytes")
    return value


def uint(value: Any, limit: int, what: str) -> int:
    """`value` as an integer 0..limit."""
    if type(value) is not int or not 0 <= value <= limit:
        raise WireError("body/range", f"{what}: not 0..{limit}")
    return value


def parse_mask(entry: Entry) -> int:
    """The mask of an EXPIRED or HELD [mask]: bit s for seat s."""
    (mask,) = fields(entry.body, 1, entry.kind.name)
    return uint(mask, (1 << MAX_SEATS) - 1, "mask")


def mask_seats(mask: int) -> tuple[int, ...]:
    """The seats of a mask, ascending."""
    return tuple(seat for seat in range(MAX_SEATS) if mask >> seat & 1)


def seats_mask(seats: Iterable[int]) -> int:
    """The mask of these seats."""
    return sum(1 << seat for seat in set(seats))


def array(value: Any, what: str) -> list[Any]:
    """`value` as an array."""
    if type(value) is not list:
        raise WireError("body/form", f"{what}: not an array")
    return value


# ------------------------------------------------------------------------------------------ opened cards


@dataclass(frozen=True, slots=True)
class OpenBatch:
    """Slots of one epoch opened by their owner, ascending, with one proof: (index, card id, owner's share)."""

    epoch: int
    cards: tuple[tuple[int, int, bytes], ...]
    proof: bytes

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The opened slots."""
        return tuple(slot_number(self.epoch, index) for index, _, _ in self.cards)


def opens_body(batches: tuple[OpenBatch, ...]) -> list[Any]:
    """Wire form: [ [epoch, [ [index, card, D], .. ], proof], .. ]."""
    return [[b.epoch, [[i, c, d] for i, c, d in b.cards], b.proof] for b in batches]


def parse_opens(value: Any) -> tuple[OpenBatch, ...]:
    """Back from the wire; epochs and indices strictly ascending, no batch empty."""
    batches: list[OpenBatch] = []
    for item in array(value, "opens"):
        number, cards, proof = fields(item, 3, "open batch")
        epoch, parsed = uint(number, 255, "epoch"), []
        for card in array(cards, "opened cards"):
            index, identity, share = fields(card, 3, "opened card")
            parsed.append((uint(index, 255, "index"), uint(identity, 255, "card"), blob(share, 32, "share")))
        indices = [index for index, _, _ in parsed]
        if not indices or any(a >= b for a, b in pairwise(indices)):
            raise WireError("body/order", "opened slots not ascending")
        batches.append(OpenBatch(epoch, tuple(parsed), blob(proof, 64, "open proof")))
    if any(a.epoch >= b.epoch for a, b in pairwise(batches)):
        raise WireError("body/order", "epochs not ascending")
    return tuple(batches)


# ------------------------------------------------------------------------------------------ the act of a PLAY


def play_body(play: Play) -> list[Any]:
    """Wire form of a Play: [take_pot, steps, discard, flags, shown] (spec/30-wire.md 5)."""
    discard = [] if play.discard is None else [play.discard]
    return [int(play.take_pot), [_step_body(s) for s in play.steps], discard, int(play.call_last), list(play.shown)]


def parse_play(value: Any) -> Play:
    """Back from the wire."""
    take_pot, steps, discard, flags, shown = fields(value, 5, "play")
    return Play(  # read in this order: of several defects the first decides (spec/30-wire.md V9)
        take_pot=bool(uint(take_pot, 1, "take_pot")),
        steps=tuple(_parse_step(s) for s in array(steps, "steps")),
        discard=_slot_or_none(discard, "discard"),
        call_last=bool(uint(flags, 1, "flags")),
        shown=tuple(_slot(s) for s in array(shown, "shown")),
    )


def exchange_body(action: Exchange) -> list[Any]:
    """Wire form of an Exchange: [slot returned], or [] to decline."""
    return [] if action.returned is None else [action.returned]


def parse_exchange(value: Any) -> Exchange:
    """Back from the wire."""
    return Exchange(_slot_or_none(value, "returned"))


def _slot_or_none(value: Any, what: str) -> Slot | None:
    slots = array(value, what)
    if len(slots) > 1:
        raise WireError("body/form", f"{what}: more than one")
    return _slot(slots[0]) if slots else None


def _step_body(step: Step) -> list[Any]:
    match step:
        case Lay(cards):
            return [1, _cards_body(cards)]
        case LayOff(meld, cards, side):
            return [2, meld, SIDES.index(side), _cards_body(cards)]
        case Swap(meld, position, slot):
            return [3, meld, position, slot]


def _parse_step(value: Any) -> Step:
    items = array(value, "step")
    match items:
        case [1, cards]:
            return Lay(_parse_cards(cards))
        case [2, meld, side, cards]:
            onto, end = uint(meld, 255, "meld"), SIDES[uint(side, 2, "side")]
            return LayOff(onto, _parse_cards(cards), end)
        case [3, meld, position, slot]:
            return Swap(uint(meld, 255, "meld"), uint(position, 255, "position"), _slot(slot))
        case _:
            raise WireError("body/form", "no such step")


def _cards_body(cards: tuple[Placed, ...]) -> list[Any]:
    return [[c.slot, NATURAL if c.stands_for is None else c.stands_for] for c in cards]


def _parse_cards(value: Any) -> tuple[Placed, ...]:
    cards = []
    for item in array(value, "cards"):
        slot, stands_for = fields(item, 2, "card")
        stands = uint(stands_for, NATURAL, "stands_for")
        cards.append(Placed(_slot(slot), None if stands == NATURAL else stands))
    return tuple(cards)


def _slot(value: Any) -> Slot:
    return uint(value, MAX_SLOT, "slot")
