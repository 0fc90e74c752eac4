"""The position of a golden case and the turn that it plays, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from protocol.errors import IllegalMove
from protocol.rules import engine, scoring
from protocol.rules.actions import Exchange, Lay, LayOff, Placed, Play, Slot, Step, Swap
from protocol.rules.cards import QUEEN_OF_SPADES, format_face
from protocol.rules.melds import RUN, recognise
from protocol.rules.notation import SEATS, find_meld, format_identity, format_meld_card, parse_card
from protocol.rules.ruleset import RuleSet
from protocol.rules.state import Drawn, Meld, Phase, Round

ELSEWHERE = 9000
"""Slots from here on are in nobody's hand."""


class NotUnderstood(AssertionError):
    """The case uses a word that the runner has no meaning for."""


def _words(body: object) -> Iterator[str]:
    """Every word in the body of a step, however it is nested."""
    if isinstance(body, str):
        yield body
    elif isinstance(body, Mapping):
        for value in body.values():
            yield from _words(value)
    elif isinstance(body, Sequence):
        for value in body:
            yield from _words(value)


def _meld_named(melds: Sequence[Meld], word: str) -> int | None:
    """The number of the meld that the word names, None for a word that names a card."""
    return find_meld(melds, word) if word[0] in SEATS and word[1:].isdigit() and len(word) == 2 else None


TABLE_KEYS = {
    *("hand", "hands", "other_hands", "table", "pile", "stock", "down", "first_turn", "round_first_turn", "drawn"),
    *("phase", "players", "mover", "idle_turns", "turns_since_lay", "reshuffles", "laid_since_reshuffle", "dealer"),
    *("open", "actor", "note", "round", "totals"),
}


class Table:
    """The position of a case and the turn in the making."""

    def __init__(self, rules: RuleSet, pos: Mapping[str, Any], first_step: Mapping[str, Any]) -> None:
        if unknown := set(pos) - TABLE_KEYS:
            raise NotUnderstood(f"position key {sorted(unknown)}")
        self.rules = rules
        self.faces: dict[Slot, int] = {}
        """All faces known to whoever writes the case."""
        self.next_slot = 0
        self.facts: dict[str, Any] = {}
        self.steps: list[Step] = []
        self.take_pot = self.called = False
        self.me = SEATS.index(pos.get("actor", pos.get("mover", "A")))
        self.state = self._state(pos, first_step)
        self.turn_start = self.state

    # -------------------------------------------------------------- building

    def slot(self, text: str | None = None) -> Slot:
        """A new slot, holding this card where one is named."""
        self.next_slot += 1
        if text is not None:
            self.faces[self.next_slot] = parse_card(text)[0]
        return self.next_slot

    def _state(self, pos: Mapping[str, Any], first_step: Mapping[str, Any]) -> Round:
        rules = self.rules
        named = {"A", "B", *pos.get("table", {}), *pos.get("hands", {}), *pos.get("other_hands", {})}
        named |= {*pos.get("down", []), *pos.get("totals", {}), pos.get("mover", "A")}
        n = len(pos["players"]) if "players" in pos else SEATS.index(max(named)) + 1
        hands = []
        for seat in range(n):
            letter = SEATS[seat]
            known = list(pos.get("other_hands", {}).get(letter, []))
            if letter == "A" and "hand" in pos:
                hands.append(tuple(self.slot(card) for card in pos["hand"]))
                continue
            count = pos.get("hands", {}).get(letter, max(5, len(known)))
            hands.append(tuple(self.slot(known[i] if i < len(known) else None) for i in range(count)))
        melds = [self._meld(SEATS.index(p), cards) for p, row in pos.get("table", {}).items() for cards in row]
        pile = tuple(self.slot(card) for card in pos.get("pile", []))
        public = {card.slot: card.face for meld in melds for card in meld.cards}
        public |= {slot: self.faces[slot] for slot in pile}
        phase = self._phase(pos, first_step)
        mover = SEATS.index(pos.get("mover", "A"))
        taken = [1] * n
        if pos.get("round_first_turn") or phase is Phase.EXCHANGE:
            taken = [0] * n
        elif pos.get("first_turn"):
            taken[mover] = 0
        open_card = None
        if phase is Phase.EXCHANGE and "open" in pos:
            open_card = self.slot(pos["open"])
            public[open_card] = self.faces[open_card]
            mover = (SEATS.index(pos["dealer"]) + 1) % n
        elif "open" in pos:
            pile = (self.slot(pos["open"]),)
            public[pile[0]] = self.faces[pile[0]]
        return Round(
            rules=rules,
            n=n,
            mover=mover,
            phase=phase,
            hands=tuple(hands),
            faces=public,
            melds=tuple(melds),
            pot=pile,
            stock=pos.get("stock", 30),
            down=tuple(SEATS[p] in pos.get("down", []) for p in range(n)),
            drawn=self._drawn(pos, hands[mover]) if phase is Phase.PLAY else None,
            turns_taken=tuple(taken),
            idle_turns=pos.get("idle_turns", 0),
            turns_since_lay=pos.get("turns_since_lay", 0),
            reshuffles=pos.get("reshuffles", 0),
            laid_since_reshuffle=pos.get("laid_since_reshuffle", False),
            starter=mover,
            open_card=open_card,
            team_of=rules.team_of(n),
        )

    def _phase(self, pos: Mapping[str, Any], first_step: Mapping[str, Any]) -> Phase:
        if "phase" in pos:
            return Phase(pos["phase"])
        if "exchange" in first_step:
            return Phase.EXCHANGE if self.rules.opening_exchange != "none" else Phase.DRAW
        return Phase.DRAW if "draw" in first_step else Phase.PLAY

    def _drawn(self, pos: Mapping[str, Any], hand: Sequence[Slot]) -> Drawn:
        if "drawn" not in pos:
            return Drawn("stock", (ELSEWHERE,))
        face = parse_card(pos["drawn"]["card"])[0]
        held = [slot for slot in hand if self.faces.get(slot) == face]
        return Drawn(pos["drawn"]["from"], (held[-1] if held else ELSEWHERE,))

    def _meld(self, owner: int, cards: Sequence[str]) -> Meld:
        given = [(self.slot(card), *parse_card(card)) for card in cards]
        return recognise(self.rules, owner, given)

    # -------------------------------------------------------------- choosing among equal cards

    def _pick(self, face: int, used: set[Slot], *, last: bool = False) -> Slot:
        """A copy in hand: an old one to lay, the newest to discard; a slot elsewhere when there is none."""
        drawn = self.state.drawn.slots if self.state.drawn else ()
        if self.take_pot and not drawn:
            drawn = self.turn_start.pot
        hand = [slot for slot in (*self.state.hands[self.me], *drawn) if slot not in used]
        copies = [slot for slot in dict.fromkeys(hand) if self.faces.get(slot) == face]
        copies.sort(key=lambda slot: slot in drawn)
        if copies:
            return copies[-1 if last else 0]
        missing = ELSEWHERE + 1 + len(used)
        self.faces[missing] = face
        return missing

    def _placed(self, cards: Sequence[str], used: set[Slot], top: Slot | None = None) -> tuple[Placed, ...]:
        placed = []
        for card in cards:
            face, claim = parse_card(card)
            if top is not None and self.faces[top] == face:
                slot, top = top, None
            else:
                slot = self._pick(face, used)
            used.add(slot)
            placed.append(Placed(slot, claim))
        return tuple(placed)

    # -------------------------------------------------------------- steps

    def _preview(self, more: Sequence[Step]) -> None:
        steps = [*self.steps, *more]
        self.state = engine.preview(self.turn_start, self.me, self.take_pot, steps, self.faces)
        self.steps = steps
        laid = [step for step in more if isinstance(step, Lay)]
        if laid:
            melds = self.state.melds[len(self.turn_start.melds) :][-len(laid) :]
            first = next(m for m in self.state.melds if laid[0].cards[0].slot in {c.slot for c in m.cards})
            self.facts["type"] = first.kind
            self.facts["meld"] = [format_meld_card(card) for card in first.cards]
            self.facts["points"] = sum(
                scoring.card_points(self.rules, self.faces[card.slot]) for step in laid for card in step.cards
            )
            assert all(meld.owner == self.me for meld in melds)

    def draw(self, step: Mapping[str, Any]) -> None:
        """{draw: stock, card: c}, {draw: pot, lay: .., layoff: ..}, or {draw: pot, only: [c, ..]}."""
        state = self.state
        if state.phase is Phase.DRAW and state.mover == self.me and engine.must_end(state):
            self.state = engine.end_round(state)
            return
        if step["draw"] == "pot":
            self.take_pot = True
            used: set[Slot] = set()
            more: list[Step] = []
            if "only" in step:
                self.take_pot = False
                pile = {self.faces[slot]: slot for slot in state.pot}
                faces = [parse_card(card)[0] for card in step["only"]]
                self._preview([Lay(tuple(Placed(pile.get(face, self._pick(face, set()))) for face in faces))])
            top = state.pot[-1] if state.pot else None
            for cards in step.get("lay", []):
                more.append(Lay(self._placed(cards, used, top)))
                top = None
            if "layoff" in step:
                more.append(self._layoff(step["layoff"], top))
            self.turn_start = state
            self.facts["reshuffled"] = False
            self._preview(more)
            return
        self._draw_stock(step.get("card"))

    def _draw_stock(self, card: str | None) -> None:
        state = self.state
        outcome = engine.DrawOutcome.STOCK
        if state.phase is Phase.DRAW and state.mover == self.me:
            outcome = engine.draw_outcome(state)
        self.facts["reshuffled"] = outcome in {engine.DrawOutcome.RESHUFFLE, engine.DrawOutcome.SINGLE}
        if outcome is engine.DrawOutcome.ROUND_ENDS:
            self.state = engine.end_round(state)
            return
        if outcome is engine.DrawOutcome.SINGLE:
            self.state = self.turn_start = engine.draw_single(state, self.me)
            return
        if outcome is engine.DrawOutcome.RESHUFFLE:
            state, old = engine.reshuffle(state)
            assert old == self.state.pot
        self.state = self.turn_start = engine.draw(state, self.me, self.slot(card))

    def _layoff(self, body: Mapping[str, Any], top: Slot | None = None) -> LayOff:
        number = find_meld(self.state.melds, body["target"])
        cards = self._placed(body["cards"], set(), top)
        return LayOff(len(self.state.melds) if number is None else number, cards, body.get("side"))

    def _swap(self, body: Mapping[str, Any]) -> None:
        number = find_meld(self.state.melds, body["target"])
        slot = self._pick(parse_card(body["card"])[0], set())
        if number is None:
            number = len(self.state.melds)
            wild = [0]
        else:
            wild = [i for i, card in enumerate(self.state.melds[number].cards) if card.wild] or [0]
        refusals = []
        for position in wild:
            try:
                self._preview([Swap(number, position, slot)])
            except IllegalMove as error:
                refusals.append(error)
            else:
                return
        raise refusals[0]

    def _take_up(self, body: object) -> None:
        """{take_back: A0}, {join: [A0, A1]}, {move: {card: 7H, target: A1}}: cards that lie, laid anew or elsewhere.

        Of the words of the body the melds are where from and where to, the cards are which; all of it if none.
        """
        words = list(_words(body))
        melds = [number for word in words if (number := _meld_named(self.state.melds, word)) is not None]
        wanted = {parse_card(word)[0] for word in words if _meld_named(self.state.melds, word) is None}
        lying = [card for meld in self.state.melds for card in meld.cards]
        if melds and (not wanted or len(melds) > 1):
            lying = list(self.state.melds[melds[0]].cards)
        placed = tuple(Placed(card.slot) for card in lying if not wanted or card.face in wanted)
        onto = melds[-1] if len(melds) > 1 or (wanted and melds) else None
        self._preview([Lay(placed) if onto is None else LayOff(onto, placed)])

    def _end(self, discard: Slot | None) -> None:
        play = Play(take_pot=self.take_pot, steps=tuple(self.steps), discard=discard, call_last=self.called)
        play = engine.with_proof(self.turn_start, self.me, play, self.faces)
        opened = {slot: self.faces[slot] for slot in engine.slots_to_open(self.turn_start, self.me, play)}
        # A peer judges by what is opened; the holder by the whole hand. Both must say the same.
        after = engine.play(self.turn_start, self.me, play, opened)
        assert after == engine.play(self.turn_start, self.me, play, self.faces)
        self.state = self.turn_start = after
        self.steps, self.take_pot, self.called = [], False, False

    def _exchange(self, player: str, card: str) -> None:
        seat = SEATS.index(player)
        action = Exchange(None)
        if card != "decline":
            face = parse_card(card)[0]
            hand = [*self.state.hands[seat], *([self.state.open_card] if self.state.open_card else [])]
            action = Exchange(next((s for s in hand if self.faces.get(s) == face), ELSEWHERE))
        self.state = self.turn_start = engine.exchange(self.state, seat, action, self.faces)
        if self.state.stock_only:
            self.state = self.turn_start = engine.draw(self.state, seat, self.slot())

    # -------------------------------------------------------------- the last card

    def _call_last(self, seat: int) -> None:
        if self.state.phase is Phase.PLAY and seat == self.state.mover:
            self.called = True
        else:
            self.state = self.turn_start = engine.call_last(self.state, seat)

    def _next_draws(self, seat: int) -> None:
        assert engine.draw_outcome(self.state) is engine.DrawOutcome.STOCK
        self.state = self.turn_start = engine.draw(self.state, seat, self.slot())

    def _next_discards(self, seat: int) -> None:
        """The player who has drawn discards any card; a hidden one turns out to be a three."""
        slot = next(slot for slot in self.state.hands[seat][::-1] if self.faces.get(slot) != QUEEN_OF_SPADES)
        self.faces.setdefault(slot, parse_card("3D")[0])
        self.state = self.turn_start = engine.play(self.state, seat, Play(discard=slot), self.faces)

    def _challenge(self, seat: int) -> None:
        """The player challenges the one whose turn the case is about; a penalty card is taken at once."""
        state = engine.challenge(self.state, seat, self.me)
        self.facts["penalty"] = "extra_card"
        if engine.penalty_due(state) is None:
            self.facts["penalty"] = -state.calls.penalties[self.me]
            self.state = self.turn_start = state
            return
        outcome = engine.penalty_outcome(state)
        self.facts["reshuffled"] = outcome in {engine.DrawOutcome.RESHUFFLE, engine.DrawOutcome.SINGLE}
        if outcome is engine.DrawOutcome.RESHUFFLE:
            state, old = engine.penalty_reshuffle(state)
            assert old == self.state.pot
            outcome = engine.DrawOutcome.STOCK
        if outcome is engine.DrawOutcome.STOCK:
            state = engine.penalty_draw(state, self.slot())
        elif outcome is engine.DrawOutcome.SINGLE:
            state = engine.penalty_single(state)
        else:
            state = engine.penalty_lapses(state)
        self.state = self.turn_start = state

    def do(self, step: Mapping[str, Any]) -> None:
        """One step of the case; raises IllegalMove when it is refused."""
        if set(step) <= {"draw", "card", "lay", "layoff", "only"} and "draw" in step:
            self.draw(step)
            return
        if len(step) != 1:
            raise NotUnderstood(f"step {step}")
        ((verb, body),) = step.items()
        if verb == "lay":
            used: set[Slot] = set()
            self._preview([Lay(self._placed(cards, used)) for cards in body])
        elif verb == "layoff":
            self._preview([self._layoff(body)])
        elif verb == "swap":
            self._swap(body)
        elif verb == "discard":
            face = parse_card(body)[0]
            self._end(self._pick(face, set(), last=face == QUEEN_OF_SPADES))
        elif verb == "end_turn":
            self._end(None)
        elif verb == "exchange":
            self._exchange(*body)
        elif verb == "call_last":
            self._call_last(SEATS.index(body))
        elif verb == "next_draws":
            self._next_draws(SEATS.index(body))
        elif verb == "next_discards":
            self._next_discards(SEATS.index(body))
        elif verb == "challenge":
            self._challenge(SEATS.index(body))
        elif verb in {"take_back", "join", "move"}:
            self._take_up(body)
        else:
            raise NotUnderstood(f"step {step}")

    # -------------------------------------------------------------- facts

    def finish(self) -> None:
        """Ends a turn whose last card was laid, where the rules let it end so."""
        if self.state.phase is Phase.PLAY and not self.state.hands[self.me]:
            self._end(None)

    def fact(self, key: str) -> object:
        """The fact as the case writes it."""
        state = self.state
        if key in self.facts:
            return self.facts[key]
        simple: dict[str, object] = {
            "stock": state.stock,
            "phase": state.phase.value,
            "next": None if state.phase is Phase.OVER else SEATS[state.mover],
            "down": state.down[self.me],
            "out": not state.hands[self.me],
            "round_over": state.phase is Phase.OVER,
            "open_face_up": not state.covered,
            "first_turn": state.turns_taken[state.mover] == 0,
            "hand_count": {SEATS[seat]: len(hand) for seat, hand in enumerate(state.hands)},
            "pile": [format_face(self.faces[slot]) for slot in state.pot],
        }
        if key == "hand":
            return sorted(format_face(self.faces[slot]) for slot in state.hands[self.me])
        if key == "open" and state.open_card is not None:
            return format_face(self.faces[state.open_card])
        if key not in simple:
            raise NotUnderstood(f"fact {key}")
        return simple[key]

    def check_table(self, expected: Mapping[str, Sequence[Sequence[str]]]) -> None:
        """Compares the melds of every player; an undeclared joker in the case matches any identity."""
        for seat in range(self.state.n):
            melds = [meld for meld in self.state.melds if meld.owner == seat]
            rows = expected.get(SEATS[seat], [])
            assert len(rows) == len(melds), f"{SEATS[seat]} has {len(melds)} melds"
            for row, meld in zip(rows, melds, strict=True):
                cards = []
                for card in meld.cards:
                    bare = format_face(card.face)
                    full = f"{bare}={format_identity(card.stands_for)}" if card.wild else bare
                    cards.append(bare if bare in row and full not in row else full)
                if meld.kind == RUN:
                    assert list(row) == cards
                else:
                    assert sorted(row) == sorted(cards)
