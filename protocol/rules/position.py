"""One line of text for a whole position of a round, and back: for documentation, tests, logs and bug reports.

`mover A; phase draw; hand A: 7H KC; hand B: ? ?; table B: [JD X=QD KD]; pot: 4C; stock 30; down B`. What is at its
beginning is left out. Slots are numbered in the order of the text, so a position that went through text has new slots.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .actions import Slot
from .melds import RUN, SET, claimed_rank, is_wild
from .notation import SEATS, UNKNOWN, format_card, format_meld, parse_card
from .ruleset import RuleSet
from .state import Calls, Drawn, Meld, MeldCard, Phase, Round

_COUNTERS = ("stock", "idle_turns", "turns_since_lay", "reshuffles")
_SWITCHES = ("laid_since_reshuffle", "opened_this_turn", "laid_this_turn", "stock_only", "covered")
_SEAT_FIELDS = ("starter", "last_mover", "out")
_SEAT_LISTS = ("down", "uncalled", "owed")


def format_position(state: Round, faces: Mapping[Slot, int]) -> str:
    """The position in one line; `faces` extends `state.faces`, other cards are `?`."""

    def cards(slots: Sequence[Slot]) -> str:
        return " ".join(format_card(state.faces.get(slot, faces.get(slot))) for slot in slots)

    parts = [f"mover {SEATS[state.mover]}", f"phase {state.phase.value}"]
    parts += [f"hand {SEATS[seat]}: {cards(hand)}".rstrip() for seat, hand in enumerate(state.hands)]
    parts += [f"table {SEATS[meld.owner]}: {format_meld(meld)}" for meld in state.melds]
    if state.pot:
        parts.append(f"pot: {cards(state.pot)}")
    if state.open_card is not None:
        parts.append(f"open: {cards((state.open_card,))}")
    lists = {
        "down": [seat for seat, down in enumerate(state.down) if down],
        "uncalled": state.calls.uncalled,
        "owed": state.calls.owed,
    }
    parts += [f"{name} {' '.join(SEATS[seat] for seat in seats)}" for name, seats in lists.items() if seats]
    if state.drawn is not None:
        held = list(state.hands[state.mover])
        at = [str(held.index(slot)) if slot in held else "-" for slot in state.drawn.slots]
        parts.append(f"drawn {state.drawn.source} {' '.join(at)}")
    if any(state.turns_taken):
        parts.append(f"turns {' '.join(map(str, state.turns_taken))}")
    if state.calls.penalties:
        parts.append(f"penalties {' '.join(map(str, state.calls.penalties))}")
    parts += [f"{name} {value}" for name in _COUNTERS if (value := getattr(state, name))]
    for name in _SEAT_FIELDS:
        seat = getattr(state, name)
        if seat is not None and (name != "starter" or seat):
            parts.append(f"{name} {SEATS[seat]}")
    parts += [name for name in _SWITCHES if getattr(state, name)]
    return "; ".join(parts)


def parse_position(rules: RuleSet, text: str) -> tuple[Round, dict[Slot, int]]:
    """The position written as `format_position` does, and every face the text names.

    The state itself knows the faces on the table, in the pot and on offer. Raises ValueError for any other text.
    """
    reader = _Reader(rules)
    for part in text.split("; "):
        reader.read(part)
    return reader.position(), reader.faces


class _Reader:
    """Collects the parts of one position."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.faces: dict[Slot, int] = {}
        self.public: dict[Slot, int] = {}
        self.values: dict[str, Any] = {}
        self.hands: dict[int, tuple[Slot, ...]] = {}
        self.melds: list[Meld] = []
        self.slots = 0

    def _slot(self, text: str) -> Slot:
        slot = self.slots
        self.slots += 1
        if text != UNKNOWN:
            self.faces[slot] = parse_card(text)[0]
        return slot

    def _open_slot(self, text: str) -> Slot:
        slot = self._slot(text)
        if slot not in self.faces:
            raise ValueError("an open card has a face")
        self.public[slot] = self.faces[slot]
        return slot

    def read(self, part: str) -> None:
        """Takes in one part of the text."""
        word, _, rest = part.partition(" ")
        values = self.values
        if word == "hand":
            self.hands[_seat(rest[:1])] = tuple(self._slot(card) for card in rest[2:].split())
        elif word == "table":
            self.melds.append(self._meld(_seat(rest[:1]), rest[2:].strip()))
        elif word in {"pot:", "open:"}:
            values[word[:-1]] = tuple(self._open_slot(card) for card in rest.split())
        elif word in _SEAT_LISTS:
            values[word] = [_seat(letter) for letter in rest.split()]
        elif word in {"drawn", "turns", "penalties"}:
            values[word] = rest.split()
        elif word == "phase":
            values["phase"] = Phase(rest)
        elif word in {"mover", *_SEAT_FIELDS}:
            values[word] = _seat(rest)
        elif word in _COUNTERS:
            values[word] = int(rest)
        elif part in _SWITCHES:
            values[part] = True
        else:
            raise ValueError(f"no part of a position: {part!r}")

    def _meld(self, owner: int, text: str) -> Meld:
        if not (text.startswith("[") and text.endswith("]")):
            raise ValueError(f"not a meld: {text!r}")
        cards = []
        for card in text[1:-1].split():
            face, claim = parse_card(card)
            wild = is_wild(self.rules, face)
            if wild == (claim is None):
                raise ValueError(f"what does {card!r} stand for")
            cards.append(MeldCard(self._open_slot(card), face, face if claim is None else claim, wild=wild))
        ranks = {claimed_rank(card.stands_for) for card in cards}
        if len(ranks) == 1:
            return Meld(owner, SET, tuple(cards))
        return Meld(owner, RUN, tuple(cards), cards[0].stands_for % 13 + 1)

    def position(self) -> Round:
        """The state once every part is read."""
        values = self.values
        n = len(self.hands)
        if n == 0 or sorted(self.hands) != list(range(n)) or not {"mover", "phase"} <= set(values):
            raise ValueError("a position has a mover, a phase and a hand for every seat")
        turns = tuple(int(number) for number in values.get("turns", ["0"] * n))
        open_card = values.get("open", (None,))
        penalties = tuple(int(number) for number in values.get("penalties", ()))
        if len(turns) != n or len(open_card) != 1 or len(penalties) not in {0, n}:
            raise ValueError("a count for every seat, and one open card")
        return Round(
            rules=self.rules,
            n=n,
            mover=values["mover"],
            phase=values["phase"],
            hands=tuple(self.hands[seat] for seat in range(n)),
            faces=self.public,
            melds=tuple(self.melds),
            pot=values.get("pot", ()),
            down=tuple(seat in values.get("down", ()) for seat in range(n)),
            drawn=self._drawn(),
            turns_taken=turns,
            open_card=open_card[0],
            team_of=self.rules.team_of(n),
            calls=Calls(tuple(values.get("uncalled", ())), tuple(values.get("owed", ())), penalties),
            **{key: values[key] for key in (*_COUNTERS, *_SWITCHES, *_SEAT_FIELDS) if key in values},
        )

    def _drawn(self) -> Drawn | None:
        if "drawn" not in self.values:
            return None
        source, *at = self.values["drawn"]
        hand = self.hands[self.values["mover"]]
        # A card drawn this turn that lies on the table already is written `-`: a slot that is nowhere serves.
        return Drawn(source, tuple(hand[int(i)] if i != "-" else self.slots + k for k, i in enumerate(at)))


def _seat(letter: str) -> int:
    if len(letter) != 1 or letter not in SEATS:
        raise ValueError(f"not a seat: {letter!r}")
    return SEATS.index(letter)
