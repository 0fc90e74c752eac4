"""What every view is given, and how sentences with cards and names in them become styled pieces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from string import Formatter

from client_cli.chronicle import Cards, Entry, Fact, Seats
from client_cli.faces import UNKNOWN
from client_cli.glyphs import Glyphs, card_class
from client_cli.messages import CATALOGUE, counted, facts_of, fault_code, known, sentence, template
from client_cli.model import Note, UiState
from client_cli.theme import style
from protocol.rules.refusals import RULES, Origin, origin, rule_of
from protocol.rules.ruleset import PRESETS
from protocol.rules.state import MeldCard

from .canvas import Piece, plain


@dataclass(frozen=True, slots=True)
class Scene:
    """One drawing: the state, the signs to draw it with, and the size of the screen."""

    state: UiState
    glyphs: Glyphs
    width: int
    height: int

    @property
    def lang(self) -> str:
        """Language of every word on the screen."""
        return self.glyphs.lang

    def code(self, code: str) -> str:
        """The catalogue code of the sentence that is said for this code."""
        return known(code)

    def say(self, code: str, **facts: object) -> str:
        """A sentence as plain text."""
        return sentence(self.code(code), self.lang, **facts)

    def count(self, code: str, number: int) -> str:
        """A number with its noun."""
        return counted(code, self.lang, number)

    def name(self, seat: int) -> str:
        """The player's name."""
        return self.state.view.players[seat].name

    def gone(self, seat: int) -> str:
        """The name of a player that is no longer at the table, marked as such."""
        return f"{self.name(seat)} ({self.say('seat.left')})"

    def sat_out(self) -> str:
        """The points of a seat in a round that it was gone in."""
        return self.glyphs.sign("minus")

    def names(self, seats: Sequence[int]) -> str:
        """Names in a row: "Anna, Bram en Cor"."""
        words = [self.name(seat) for seat in seats]
        if len(words) < 2:
            return "".join(words)
        return ", ".join(words[:-1]) + self.say("list.and") + words[-1]

    def meld_tag(self, number: int) -> str:
        """How a meld is named in a sentence, by its number from 1."""
        return f"#{number}"

    def cards(self, faces: Iterable[tuple[int, int | None]]) -> list[Piece]:
        """Cards on one line, as chips of card paper."""
        pieces: list[Piece] = []
        for face, stands_for in faces:
            if face == UNKNOWN:
                pieces += [(style("card"), " "), (style("card"), "?")]
                continue
            wild = stands_for is not None and stands_for != face
            card = MeldCard(0, face, face if stands_for is None else stands_for, wild=wild)
            pieces.append((style("card"), " "))
            pieces.append((style("card." + card_class(face)), self.glyphs.meld_card(card)))
        if pieces:
            pieces.append((style("card"), " "))
        return pieces

    def tell(
        self, code: str, facts: Iterable[tuple[str, Fact]], base: str, *, bare: bool = False, **more: str
    ) -> list[Piece]:
        """A sentence with its facts drawn: cards as chips, seats as names, counts with their noun.

        `bare` chips have no margin, so that the sentence reads with one blank between its words.
        """
        given: dict[str, Fact] = {"mark": self.glyphs.sign("new"), **dict(facts), **more}
        pieces: list[Piece] = []
        for text, name, _, _ in Formatter().parse(template(self.code(code), self.lang)):
            if text:
                pieces.append((base, text))
            if name:
                fact = self._fact(name, given[name], base)
                pieces.extend(fact[1:-1] if bare and isinstance(given[name], Cards) else fact)
        return pieces

    def note(self, note: Note, base: str) -> list[Piece]:
        """A note to the person; a refusal names the cards concerned, what would be legal, and its rule's origin."""
        if note.bad and all(name == "concerned" for name, _ in note.facts):
            concerned = next((fact.faces for _, fact in note.facts if isinstance(fact, Cards)), ())
            return self.refusal(note.code, base, concerned)
        return self.tell(note.code, note.facts, base)

    def refusal(self, code: str, base: str, concerned: tuple[tuple[int, int | None], ...] = ()) -> list[Piece]:
        """Why something may not be done with the cards concerned, what would be legal, and whose rule it is."""
        cards = [*self.cards(concerned), (base, " ")] if concerned else []
        view, reason = self.state.view, known(code)
        pieces: list[Piece] = [*cards, (base, self.say(code)), *self._advice(reason, base)]
        if reason in RULES and view.rules_name in PRESETS:
            found = origin(rule_of(reason), view.rules, view.rules_name)
            if found is not Origin.GAME:
                pieces.append((style("dim"), " " + self.say(f"origin.{found.value}", name=view.rules_name)))
        return pieces

    def _advice(self, reason: str, base: str) -> list[Piece]:
        """What would be legal, with the numbers of this rule card; nothing where the reason says it by itself."""
        rules, code = self.state.view.rules, f"advice.{reason}"
        if code not in CATALOGUE:
            return []
        facts = {
            "least": rules.meld_min_cards,
            "naturals": rules.min_naturals,
            "minimum": rules.opening_minimum,
            "pot_hand": rules.pot_min_hand,
            "pot_cards": rules.pot_needs_hand_cards,
            "layoff": rules.layoff_cards_per_action,
        }
        wanted = {name: facts[name] for name in facts_of(template(code, self.lang))}
        return [(base, " " + self.say(code, **wanted))] if all(wanted.values()) else []

    def entry(self, entry: Entry, base: str) -> list[Piece]:
        """A line of the log."""
        name = {} if entry.seat is None else {"name": self.name(entry.seat)}
        return self.tell(entry.code, entry.facts, base, bare=True, **name)

    def fault(self, code: str) -> str:
        """What a peer did wrong, in words; completes a sentence that begins with the name."""
        return self.say(fault_code(code))

    def _fact(self, name: str, fact: Fact, base: str) -> list[Piece]:
        match fact:
            case Cards(faces):
                return self.cards(faces)
            case Seats(seats):
                return [(base, self.names(seats))]
            case int() if name in {"count", "left"}:
                return [(base, self.count("cards", fact))]
            case int() if name == "points":
                return [(base, self.count("points", fact))]
            case int() if name == "phrase":
                return [(base, self.say(f"phrase.{fact}"))]
            case int() if name == "meld":
                return [(base, self.meld_tag(fact))]
            case _:
                return [(base, str(fact))]


def as_text(pieces: Sequence[Piece]) -> str:
    """The pieces as text, for places that cannot show cards as chips."""
    return " ".join(plain(pieces).split())
