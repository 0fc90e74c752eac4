"""Engine and referee side by side: one position in both forms, one move judged by both, every difference reported."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from protocol.errors import IllegalMove
from protocol.rules import engine
from protocol.rules.actions import Draw, Exchange, Play, Slot
from protocol.rules.engine import DrawOutcome
from protocol.rules.notation import SEATS, format_play
from protocol.rules.position import format_position
from protocol.rules.presets import OWN
from protocol.rules.rulekinds import write
from protocol.rules.ruleset import RuleSet, deviations
from protocol.rules.state import Drawn, Meld, MeldCard, Phase, Round
from tests.referee import judge
from tests.referee.position import OVER, OnTable, Position, RefusedError, TableMeld

Move: TypeAlias = Draw | Exchange | Play


@dataclass
class Pair:
    """One position, as the engine and as the referee see it."""

    state: Round
    position: Position


@dataclass(frozen=True)
class Divergence:
    """A move on which the two disagree."""

    where: str
    move: str
    engine: str
    referee: str

    def __str__(self) -> str:
        return f"{self.where} | {self.move} | engine {self.engine} | referee {self.referee}"


def to_round(position: Position) -> Round:
    """The engine's form of a referee's position."""
    p = position
    return Round(
        rules=p.rules,
        n=p.n,
        mover=p.mover,
        phase=Phase(p.phase),
        hands=tuple(tuple(hand) for hand in p.hands),
        faces=dict(p.public),
        melds=tuple(
            Meld(m.owner, m.kind, tuple(MeldCard(c.slot, c.face, c.stands_for, wild=c.wild) for c in m.cards), m.low)
            for m in p.melds
        ),
        pot=tuple(p.pot),
        stock=p.stock,
        down=tuple(p.down),
        drawn=None if p.drawn_from is None else Drawn(p.drawn_from, tuple(p.drawn)),
        turns_taken=tuple(p.turns_taken),
        idle_turns=p.idle_turns,
        turns_since_lay=p.turns_since_lay,
        reshuffles=p.reshuffles,
        laid_since_reshuffle=p.laid_since_reshuffle,
        opened_this_turn=p.opened_this_turn,
        laid_this_turn=p.laid_this_turn,
        out=p.out,
        open_card=p.open_card,
        team_of=tuple(p.teams),
        starter=p.starter,
        last_mover=p.last_mover,
        stock_only=p.stock_only,
        covered=p.pot_covered,
    )


def from_round(state: Round) -> Position:
    """The referee's form of an engine's position."""
    return Position(
        rules=state.rules,
        n=state.n,
        hands=[list(hand) for hand in state.hands],
        public=dict(state.faces),
        mover=state.mover,
        phase=state.phase.value,
        stock=state.stock,
        melds=[
            TableMeld(m.owner, m.kind, [OnTable(c.slot, c.face, c.stands_for, c.wild) for c in m.cards], m.low)
            for m in state.melds
        ],
        pot=list(state.pot),
        pot_covered=state.covered,
        open_card=state.open_card,
        starter=state.starter,
        down=list(state.down),
        teams=list(state.team_of),
        drawn_from=None if state.drawn is None else state.drawn.source,
        drawn=[] if state.drawn is None else list(state.drawn.slots),
        turns_taken=list(state.turns_taken),
        idle_turns=state.idle_turns,
        turns_since_lay=state.turns_since_lay,
        reshuffles=state.reshuffles,
        laid_since_reshuffle=state.laid_since_reshuffle,
        opened_this_turn=state.opened_this_turn,
        laid_this_turn=state.laid_this_turn,
        stock_only=state.stock_only,
        last_mover=state.last_mover,
        out=state.out,
    )


COMPARED = (
    *("mover", "phase", "hands", "melds", "pot", "stock", "down", "drawn", "turns_taken", "idle_turns"),
    *("turns_since_lay", "reshuffles", "laid_since_reshuffle", "opened_this_turn", "laid_this_turn", "out"),
    *("open_card", "team_of", "starter", "last_mover", "stock_only", "covered", "n"),
)
"""The public state: every field of it is compared after every move, and the faces everybody knows."""

TURN_ONLY = ("drawn", "opened_this_turn", "laid_this_turn", "last_mover", "mover")
"""Fields about the turn that is going on: without meaning when the round is over."""


def differences(state: Round, position: Position) -> str:
    """The fields in which the two disagree; empty when they agree."""
    mine = to_round(position)
    fields = [name for name in COMPARED if position.phase != OVER or name not in TURN_ONLY]
    texts = [
        f"{name}: {getattr(state, name)!r} / {getattr(mine, name)!r}"
        for name in fields
        if getattr(state, name) != getattr(mine, name)
    ]
    if dict(state.faces) != dict(mine.faces):
        only = sorted(set(state.faces.items()) ^ set(mine.faces.items()))
        texts.append(f"faces: {only}")
    return "; ".join(texts)


def describe(pair: Pair, faces: Mapping[Slot, int]) -> str:
    """Rules and position in one line."""
    return f"{describe_rules(pair.state.rules)} | {format_position(pair.state, faces)}"


def describe_rules(rules: RuleSet) -> str:
    """The nearest preset and what differs from it."""
    name = min(OWN, key=lambda preset: len(deviations(rules, preset)))
    return " ".join([name, *(f"{key}={write(value)}" for key, _, value in deviations(rules, name))])


def describe_move(pair: Pair, seat: int, move: Move, faces: Mapping[Slot, int]) -> str:
    """The move in one line."""

    def face_of(slot: Slot) -> int | None:
        return pair.state.faces.get(slot, faces.get(slot))

    if isinstance(move, Play):
        slots = {slot: i for hand in pair.state.hands for i, slot in enumerate(hand)}
        at = [slots.get(card.slot) for step in move.steps for card in getattr(step, "cards", ())]
        return f"{SEATS[seat]}: {format_play(pair.state, move, face_of)} (places in hand {at})"
    return f"{SEATS[seat]}: {move}"


def judged(act: Callable[[], object]) -> tuple[str, object]:
    """The verdict, and the next position where the move is legal."""
    try:
        return "legal", act()
    except (IllegalMove, RefusedError) as error:
        return error.code, None


def compare(
    pair: Pair, seat: int, move: Move, opened: Mapping[Slot, int], faces: Mapping[Slot, int]
) -> tuple[str, Pair | None] | Divergence:
    """The common verdict of both on a move, and the next position where it is legal; or where they disagree.

    `opened` are the faces both are told; `faces` serve to print.
    """
    state, position = pair.state, pair.position
    before = differences(state, position)
    assert not before, before
    match move:
        case Draw():
            slot = max(faces) + 1
            theirs = judged(lambda: engine.draw(state, seat, slot))
            mine = judged(lambda: judge.draw(position, seat, slot))
        case Exchange():
            theirs = judged(lambda: engine.exchange(state, seat, move, opened))
            mine = judged(lambda: judge.exchange(position, seat, move.returned, opened))
        case Play():
            theirs = judged(lambda: engine.play(state, seat, move, opened))
            mine = judged(lambda: judge.play(position, seat, move, opened))
    changed = differences(state, position)
    wrong = theirs[0] != mine[0]
    detail = ("", "")
    if not wrong and isinstance(theirs[1], Round) and isinstance(mine[1], Position):
        difference = differences(theirs[1], mine[1])
        if not difference and not changed:
            return "legal", Pair(theirs[1], mine[1])
        detail = (f" ({difference}{changed})", "")
    elif not wrong:
        return theirs[0], None
    return Divergence(
        describe(pair, faces), describe_move(pair, seat, move, faces), theirs[0] + detail[0], mine[0] + detail[1]
    )


OUTCOMES = {
    DrawOutcome.STOCK: "stock",
    DrawOutcome.SINGLE: "single",
    DrawOutcome.RESHUFFLE: "reshuffle",
    DrawOutcome.ROUND_ENDS: "round_ends",
}
"""What a wish for a stock card leads to, in both languages."""


def replace_rules(state: Round, rules: RuleSet) -> Round:
    """The same position under other rules."""
    return replace(state, rules=rules)
