"""What a session asks its driver to do, in order. The session itself never does any of it.

The driver carries out every `Record` and `KeepSecret` of one batch durably (one fsync) before it carries out the
first `Publish` of that batch: journal before publish.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from protocol.errors import PeerFault
from protocol.rules.actions import Play, Slot


@dataclass(frozen=True, slots=True)
class Record:
    """Journal this frame: an entry of the log (our own, or a peer's that closed with its step), or one beside the log.

    Beside the log are side entries, both halves of an equivocation, and an entry in our name that our journal lacked,
    which is marked in front. A session that starts from these records is where this one is.
    """

    step: int
    seat: int
    frame: bytes


@dataclass(frozen=True, slots=True)
class KeepSecret:
    """Journal this as the table's only secret, overwriting the one before: it is the one of round `round_number`."""

    round_number: int
    secret: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Publish:
    """Send this signed entry to every peer."""

    frame: bytes


# ------------------------------------------------------------------ what happened, for people to read


@dataclass(frozen=True, slots=True)
class SetupProgress:
    """The shuffle goes on: `done` of `total` steps of the setup are closed; `seat` is the first awaited."""

    stage: str
    done: int
    total: int
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """Hands are dealt and the first turn begins."""

    round_number: int
    starter: int


@dataclass(frozen=True, slots=True)
class Drew:
    """A seat took a stock card. `face` is known for our own draw and for a card drawn openly."""

    seat: int
    slot: Slot
    face: int | None


@dataclass(frozen=True, slots=True)
class Exchanged:
    """Opening exchange: a seat took the open card and returned another, or declined (both None)."""

    seat: int
    taken: Slot | None
    returned: Slot | None


@dataclass(frozen=True, slots=True)
class Reshuffling:
    """The stock ran out: `cards` cards of the pot are shuffled again by everybody."""

    seat: int
    cards: int


@dataclass(frozen=True, slots=True)
class Played:
    """A seat ended its turn. `pot` are the slots taken with the pot (empty without), `out` says the seat went out."""

    seat: int
    play: Play
    pot: tuple[Slot, ...]
    out: bool


@dataclass(frozen=True, slots=True)
class Challenged:
    """A seat caught another one that had not called its last card; the penalty follows."""

    seat: int
    offender: int


@dataclass(frozen=True, slots=True)
class RoundOver:
    """All hands are open, the seeds are audited, the score is signed by everybody."""

    round_number: int
    points: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameOver:
    """Somebody reached the target (or the agreed number of rounds was played)."""

    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Left:
    """A seat said goodbye: the table will end without it at the next step that needs it."""

    seat: int


@dataclass(frozen=True, slots=True)
class Claimed:
    """A seat says that these seats have been silent for too long. When all others say so, the round is void."""

    seat: int
    silent: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Voided:
    """The round is void; `seats` are named for it. Reasons: 1 agreed, 2 a fault, 3 silence, 4 a goodbye."""

    reason: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Faulted:
    """A peer broke the protocol; the log holds the evidence. The others void the round."""

    fault: PeerFault


@dataclass(frozen=True, slots=True)
class Dropped:
    """Bytes that are not an entry were dropped; `code` says why (counted by the driver, shown to nobody)."""

    code: str


Event: TypeAlias = (
    SetupProgress
    | RoundStarted
    | Exchanged
    | Drew
    | Reshuffling
    | Played
    | Challenged
    | RoundOver
    | GameOver
    | Left
    | Claimed
    | Voided
    | Faulted
    | Dropped
)
Output: TypeAlias = Record | KeepSecret | Publish | Event
