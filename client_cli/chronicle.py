"""What happened at the table, as entries that any language can tell: a code and facts, no sentences.

Cards are kept as faces, because a slot's face may be forgotten when the next round begins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from protocol.rules.actions import Lay, LayOff, Placed, Slot, Swap
from protocol.session.outputs import (
    Challenged,
    Claimed,
    Drew,
    Event,
    Exchanged,
    Faulted,
    GameOver,
    Left,
    Played,
    Reshuffling,
    RoundOver,
    RoundStarted,
    Voided,
)
from protocol.session.view import TableView

from .departures import staying, void_round
from .faces import UNKNOWN, faces_of

LONGEST = 10_000
"""Entries kept; the game file holds everything, the screen only what a person may want to scroll through."""


@dataclass(frozen=True, slots=True)
class Cards:
    """Faces to be drawn as cards in a sentence, each with what it stands for (None: itself)."""

    faces: tuple[tuple[int, int | None], ...]


@dataclass(frozen=True, slots=True)
class Seats:
    """Seats to be named in a sentence."""

    seats: tuple[int, ...]


Fact: TypeAlias = str | int | Cards | Seats


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the log: what `seat` (None: the table) did in this round."""

    round_number: int
    code: str
    seat: int | None = None
    facts: tuple[tuple[str, Fact], ...] = ()

    @property
    def is_talk(self) -> bool:
        """Whether it is a word beside the game and no part of it."""
        return self.code.startswith("talk.")


def chronicle(before: TableView, now: TableView, events: tuple[Event, ...]) -> tuple[Entry, ...]:
    """The lines that these events add to the log, oldest first.

    Slots get other cards with each round: what happened before a new round began is told from the older view.
    """
    started = max((place for place, event in enumerate(events) if isinstance(event, RoundStarted)), default=-1)
    return tuple(
        entry for place, event in enumerate(events) for entry in entries(before if place < started else now, event)
    )


def entries(view: TableView, event: Event) -> tuple[Entry, ...]:
    """The lines that this event adds to the log, oldest first; none for what only the screen's progress shows."""
    number = void_round(view)
    match event:
        case RoundStarted(round_number, starter):
            return (Entry(round_number, "log.round", starter, (("number", round_number),)),)
        case Drew(seat, _, face):
            if face is None:
                return (Entry(number, "log.drew", seat),)
            return (Entry(number, "log.drew_card", seat, (("cards", Cards(((face, None),))),)),)
        case Reshuffling(_, cards):
            return (Entry(number, "log.reshuffle", None, (("count", cards),)),)
        case Exchanged(seat, _, returned):
            if returned is None:
                return (Entry(number, "log.declined", seat),)
            return (Entry(number, "log.exchanged", seat, (("cards", one(returned, faces_of(view))),)),)
        case Challenged(seat, offender):
            return (Entry(number, "log.caught", seat, (("offender", Seats((offender,))),)),)
        case Played():
            return _played(view, event)
        case RoundOver(round_number, _, _):
            out = view.results[-1].out if view.results else None
            return (Entry(round_number, "log.round_over" if out is None else "log.round_out", out),)
        case GameOver(winners):
            if not winners:
                return (Entry(number, "log.no_winner"),)
            return (Entry(number, "log.game_over", None, (("seats", Seats(winners)),)),)
        case Left(seat):
            return (Entry(number, "log.left", seat),)
        case Claimed(seat, silent):
            return (Entry(number, "log.claimed", seat, (("seats", Seats(silent)),)),)
        case Voided(reason, seats):
            code = {2: "log.void.fault", 3: "log.void.silence", 4: "log.void.left"}.get(reason, "log.void.agreed")
            void = Entry(number, code, None, (("seats", Seats(seats)),))
            rest = staying(view, seats)
            return (void, Entry(number, "log.plays_on", None, (("seats", Seats(rest)),))) if rest else (void,)
        case Faulted(fault):
            return (Entry(number, "log.fault", fault.seat, (("fault", fault.code),)),)
        case _:
            return ()


def _played(view: TableView, event: Played) -> tuple[Entry, ...]:
    faces = faces_of(view)
    number = view.round_number
    told: list[Entry] = []
    if event.pot or event.play.take_pot:
        told.append(Entry(number, "log.pot", event.seat, (("count", len(event.pot)),)))
    for step in event.play.steps:
        match step:
            case Lay(cards):
                told.append(Entry(number, "log.lay", event.seat, (("cards", _cards(cards, faces)),)))
            case LayOff(meld, cards, _):
                facts: tuple[tuple[str, Fact], ...] = (("cards", _cards(cards, faces)), ("meld", meld + 1))
                told.append(Entry(number, "log.lay_off", event.seat, facts))
            case Swap(meld, _, slot):
                facts = (("cards", one(slot, faces)), ("meld", meld + 1))
                told.append(Entry(number, "log.swap", event.seat, facts))
    if event.play.call_last:
        told.append(Entry(number, "log.call_last", event.seat))
    if event.play.discard is not None:
        told.append(Entry(number, "log.discard", event.seat, (("cards", one(event.play.discard, faces)),)))
    if event.out:
        told.append(Entry(number, "log.out", event.seat))
    return tuple(told)


def one(slot: Slot, faces: Mapping[Slot, int]) -> Cards:
    """One slot's face."""
    return Cards(((faces.get(slot, UNKNOWN), None),))


def _cards(placed: tuple[Placed, ...], faces: Mapping[Slot, int]) -> Cards:
    return Cards(tuple((faces.get(card.slot, UNKNOWN), card.stands_for) for card in placed))
