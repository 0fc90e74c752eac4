"""The whole state of the screen as one frozen value, and what has to be done outside of it.

What follows from view, draft and selection (the hand in its order, what the selection can do) is recomputed here by
`settle` and `weigh`; what a key or a piece of news means is decided in `model`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from protocol.errors import IllegalMove
from protocol.rules.actions import Action, Slot
from protocol.rules.state import Round
from protocol.session.outputs import SetupProgress, Voided
from protocol.session.session import Challenge, Claim, SameCards
from protocol.session.view import Stage, TableView

from . import turn
from .arrange import Sort, neighbour, ordered
from .chronicle import Entry, Fact
from .faces import faces_of
from .intents import Link, Page, Standing
from .turn import Draft, Offer

LEAF = 9
"""Offers shown at a time: one for each digit."""

# ------------------------------------------------------------------ effects


@dataclass(frozen=True, slots=True)
class Submit:
    """Ask the node to make this choice: a move, or something said beside the turns."""

    action: Action | Challenge | Claim | SameCards

    @property
    def is_move(self) -> bool:
        """Whether the table moves on by it, so that acts wait until it has."""
        return not isinstance(self.action, Challenge | Claim)


@dataclass(frozen=True, slots=True)
class GoOn:
    """Tell the node that we are ready for the next round."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Close the screen."""


@dataclass(frozen=True, slots=True)
class Verify:
    """Verify the game so far from its file, and keep it."""


@dataclass(frozen=True, slots=True)
class Goodbye:
    """Say goodbye to the table: it goes on without us, or ends, as soon as it needs us."""


@dataclass(frozen=True, slots=True)
class Ring:
    """It has become our turn: tell a person who looks elsewhere."""


@dataclass(frozen=True, slots=True)
class Say:
    """Say this to the table: a text, or a phrase by its number."""

    said: str | int


@dataclass(frozen=True, slots=True)
class Mute:
    """Hear this seat's words no more, or again."""

    seat: int
    on: bool


@dataclass(frozen=True, slots=True)
class SetAway:
    """Tell that we are away for a moment, or back."""

    away: bool


@dataclass(frozen=True, slots=True)
class SetPause:
    """Ask for a pause, or end the one that is on."""

    on: bool


Spoken: TypeAlias = Say | Mute | SetAway | SetPause
Effect: TypeAlias = Submit | GoOn | Leave | Goodbye | Verify | Ring | Spoken

# ------------------------------------------------------------------ state


@dataclass(frozen=True, slots=True)
class Note:
    """One sentence for the person, as a code and facts; `bad` is a refusal."""

    code: str
    facts: tuple[tuple[str, Fact], ...] = ()
    bad: bool = False


@dataclass(frozen=True, slots=True)
class Ask:
    """Something that cannot be undone waits for Enter: what is asked, and the effect of saying yes."""

    note: Note
    effect: Effect
    how: str = "ask.how"
    """Catalogue code of which keys answer it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UiState:
    """All that the screen shows. Cards are named by slot, so that a new card never moves cursor or selection."""

    view: TableView
    link: Link = field(default_factory=Link)
    faces: Mapping[Slot, int] = field(default_factory=dict)
    """Every card that we may see."""
    table: Round | None = None
    """The round with our draft applied; equal to `view.round` without one."""
    draft: Draft = field(default_factory=Draft)
    order: tuple[Slot, ...] = ()
    """Our hand (draft applied) as it is shown."""
    sort: Sort = Sort.SUIT
    cursor: Slot | None = None
    selected: tuple[Slot, ...] = ()
    fresh: tuple[Slot, ...] = ()
    """Cards that came to the hand in this turn."""
    offers: tuple[Offer, ...] = ()
    offer_leaf: int = 0
    """Which nine of the offers are shown."""
    reason: str | None = None
    """Why the selection can do nothing."""
    hint: tuple[Slot, ...] = ()
    ask: Ask | None = None
    note: Note | None = None
    page: Page = Page.TABLE
    scroll: int = 0
    meld_scroll: int = 0
    log: tuple[Entry, ...] = ()
    progress: SetupProgress | None = None
    sent_at: int | None = None
    """The step at which we sent something; acts wait until the table moves on."""
    ready: bool = False
    """We have said that we are ready for the next round."""
    claims: tuple[tuple[int, tuple[int, ...]], ...] = ()
    """Who waits no longer for whom in the open step, in the order in which it was said."""
    left: tuple[int, ...] = ()
    """Seats that said goodbye."""
    voids: tuple[Voided, ...] = ()
    """Why the round is void, as it became known."""
    standing: Standing = field(default_factory=Standing)
    typing: str | None = None
    """The line that is typed to be said; None: the keys are the table's."""
    unread: int = 0
    """Words of others that have not been looked at."""
    said: Entry | None = None
    """Our own last words, until the next key: they stand among the newest, so that we see that they went."""
    caught: int | None = None
    """The seat that we have caught at a missed call; it travels with our next message."""
    same: tuple[int, ...] = ()
    """Players who named the same three cards as we see, before the first shuffle."""

    @property
    def me(self) -> int | None:
        """Our seat."""
        return self.view.me

    @property
    def my_turn(self) -> bool:
        """Whether the table waits for a choice of ours that has not been sent yet."""
        return self.view.my_turn and self.sent_at is None and not self.said_goodbye

    @property
    def may_go_on(self) -> bool:
        """Whether the next round waits for our word; after a restart the table knows that it was given."""
        if self.view.stage is not Stage.BETWEEN or self.ready or self.said_goodbye:
            return False
        return self.me is not None and self.me in self.view.waiting_for

    @property
    def people(self) -> tuple[int, ...]:
        """The other seats at the table that are no bots, in seat order."""
        return tuple(seat for seat in self.view.present if seat != self.me and not self.view.players[seat].bot)

    @property
    def all_same(self) -> bool:
        """Whether everybody else has named the cards that we see."""
        return set(self.people) <= set(self.same)

    @property
    def said_goodbye(self) -> bool:
        """Whether we have said goodbye: there is nothing left for us to do at this table."""
        return self.view.me in self.left

    @property
    def to_act_on(self) -> tuple[Slot, ...]:
        """The selected cards, or the card under the cursor if none is selected."""
        if self.selected:
            return self.selected
        return () if self.cursor is None else (self.cursor,)


# ------------------------------------------------------------------ what follows from the rest


def settle(state: UiState) -> UiState:
    """Recompute everything that follows from view, draft and selection."""
    try:
        table = turn.table_of(state.view, state.draft)
    except IllegalMove as refused:
        # The round changed under the draft: the draft is given up, and the person is told why.
        return settle(replace(state, draft=Draft(), note=Note(refused.code, bad=True)))
    state = replace(state, faces=faces_of(state.view))
    hand = () if table is None or state.me is None else table.hands[state.me]
    sort = Sort.OWN if state.sort is Sort.MELDS else state.sort  # what goes together is looked up once, by the key
    new_order = ordered(hand, state.faces, sort, state.order)
    cursor = state.cursor if state.cursor in hand else neighbour(state.order, state.cursor, new_order)
    selected = tuple(slot for slot in state.selected if slot in hand)
    fresh = tuple(slot for slot in state.fresh if slot in hand)
    settled = replace(state, table=table, order=new_order, cursor=cursor, selected=selected, fresh=fresh)
    return weigh(settled)


def weigh(state: UiState) -> UiState:
    """What the selection can do now, and if nothing, why."""
    if not state.my_turn:
        return replace(state, offers=(), offer_leaf=0, reason=None)
    found = turn.offers(state.view, state.draft, state.selected)
    reason = None if found else turn.why_nothing(state.view, state.draft, state.selected)
    return replace(state, offers=found, offer_leaf=0, reason=reason)
