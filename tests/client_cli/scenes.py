"""Positions written as text, made into views and screen states: for tests of the reducer and of the screen.

Cards are rank and suit (`QS`, `TD`), `X` a joker; in a meld `X=QD` is a joker standing for the queen of diamonds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from client_cli.chronicle import Cards, Entry
from client_cli.glyphs import Glyphs
from client_cli.intents import Intent, Link
from client_cli.model import Effect, UiState, reduce, start
from client_cli.views.canvas import plain
from client_cli.views.screen import draw
from protocol.errors import PeerFault
from protocol.rules.cards import JOKER, parse_face, rank
from protocol.rules.ruleset import RuleSet, for_players, preset
from protocol.rules.state import Drawn, Meld, MeldCard, Phase, Round
from protocol.session.view import Checks, Player, RoundResult, Stage, TableView

CHECKS = Checks(signatures=412, commitments=24, shuffle_proofs=8, shares=371, opened_cards=64, moves=31)
NAMES = ("Anna", "Bram", "Cor", "Dina", "Evert", "Fien", "Gijs")


def meld(owner: int, text: str, slots: count[int]) -> Meld:
    """A meld from its text, in the listed order."""
    cards: list[MeldCard] = []
    for word in text.split():
        own, _, means = word.partition("=")
        face = parse_face(own)
        cards.append(
            MeldCard(next(slots), face, parse_face(means) if means else face, wild=bool(means) or face == JOKER)
        )
    ranks = {rank(card.stands_for) for card in cards}
    low = 0 if len(ranks) == 1 else rank(cards[0].stands_for) + 1
    return Meld(owner, "set" if len(ranks) == 1 else "run", tuple(cards), low)


def view(
    *,
    hand: str = "2S 3S 5S 7S KS AS 2H TH 5C KC 7D KD X",
    melds: Sequence[tuple[int, str]] = (),
    pot: str = "9C",
    stock: int = 53,
    others: Sequence[int] = (13, 13, 13),
    mover: int = 0,
    me: int | None = 0,
    phase: Phase = Phase.PLAY,
    rules: RuleSet | None = None,
    rules_name: str = "klassiek",
    stage: Stage = Stage.PLAYING,
    totals: Sequence[int] = (),
    results: tuple[RoundResult, ...] = (),
    waiting: Sequence[int] | None = None,
    fault: PeerFault | None = None,
    winners: Sequence[int] = (),
    turns_taken: int = 1,
    step: int = 40,
    names: Sequence[str] = NAMES,
    open_card: str = "",
    drawn: int = -1,
    departed: Sequence[int] = (),
) -> TableView:
    """The view of seat `me` (our seat is 0) of a table where the others hold so many cards each.

    In the play phase the mover has drawn the card at place `drawn` of its hand.
    """
    n = len(others) + 1
    rules = rules or for_players(preset(rules_name), n)
    slots = count()
    faces: dict[int, int] = {}
    mine: list[int] = []
    for word in hand.split():
        slot = next(slots)
        mine.append(slot)
        faces[slot] = parse_face(word)
    hands = (tuple(mine), *(tuple(next(slots) for _ in range(held)) for held in others))
    laid = tuple(meld(owner, text, slots) for owner, text in melds)
    faces.update({card.slot: card.face for each in laid for card in each.cards})
    public = {card.slot: card.face for each in laid for card in each.cards}
    pile: list[int] = []
    for word in pot.split():
        slot = next(slots)
        pile.append(slot)
        faces[slot] = public[slot] = parse_face(word)
    offered = None
    if open_card:
        offered = next(slots)
        faces[offered] = public[offered] = parse_face(open_card)
    owners = {each.owner for each in laid}
    state = Round(
        rules=rules,
        n=n,
        mover=mover,
        phase=phase,
        hands=hands,
        faces=public,
        melds=laid,
        pot=tuple(pile),
        stock=stock,
        down=tuple(seat in owners for seat in range(n)),
        turns_taken=(turns_taken,) * n,
        drawn=Drawn("stock", (hands[mover][drawn],)) if phase is Phase.PLAY and hands[mover] else None,
        open_card=offered,
    )
    if waiting is None:
        waiting = (mover,) if stage is Stage.PLAYING else tuple(range(n)) if stage is Stage.BETWEEN else ()
    return TableView(
        table=bytes(16),
        players=tuple(Player(name=names[seat], bot=seat > 1, key=bytes([seat]) * 32) for seat in range(n)),
        me=me,
        rules=rules,
        rules_name=rules_name,
        stage=stage,
        round_number=len(results) + (stage not in {Stage.BETWEEN, Stage.FINISHED}),
        round=None if stage in {Stage.SEATING, Stage.SHUFFLING, Stage.DEALING} else state,
        faces=faces if me == 0 else public,
        waiting_for=tuple(waiting),
        totals=tuple(totals) or (0,) * n,
        results=results,
        checks=replace(CHECKS, audited_shuffles=n * len(results)),
        winners=tuple(winners),
        fault=fault,
        departed=tuple(departed),
        step=step,
        head=bytes(range(32)),
        max_rounds=0,
        seeded=False,
    )


def result(
    number: int, points: Sequence[int], totals: Sequence[int], hands: Sequence[str], out: int | None
) -> RoundResult:
    """A scored round; points in hand are what is missing from 100 on the table."""
    faces = tuple(tuple(parse_face(word) for word in hand.split()) for hand in hands)
    return RoundResult(
        round_number=number,
        points=tuple(points),
        totals=tuple(totals),
        table_points=tuple(max(point, 0) + 35 for point in points),
        hand_points=tuple(max(point, 0) + 35 - point for point in points),
        hands=faces,
        out=out,
        verdicts=(0,) * len(points),
    )


def screen(shown: TableView, *intents: Intent, link: Link | None = None) -> UiState:
    """The state after these intents; their effects are dropped."""
    return run(
        start(shown, link or Link(broker="mqtt://127.0.0.1:1883", peers=(True,) * len(shown.players))), *intents
    )[0]


def run(state: UiState, *intents: Intent) -> tuple[UiState, tuple[Effect, ...]]:
    """The state after these intents, and all effects in order."""
    effects: tuple[Effect, ...] = ()
    for intent in intents:
        state, more = reduce(state, intent)
        effects += more
    return state, effects


def logged(state: UiState, *entries: tuple[str, int | None, str]) -> UiState:
    """The state with these entries (code, seat, cards) in its log."""
    added = tuple(
        Entry(
            state.view.round_number,
            code,
            seat,
            (("cards", Cards(tuple((parse_face(word), None) for word in cards.split()))), ("meld", 1), ("count", 3)),
        )
        for code, seat, cards in entries
    )
    return replace(state, log=(*state.log, *added))


def text(state: UiState, width: int = 80, height: int = 24, *, lang: str = "nl", ascii_: bool = False) -> str:
    """The screen as plain lines without blanks at their ends."""
    lines = draw(state, Glyphs(lang, ascii_), width, height).lines
    return "\n".join(plain(line).rstrip() for line in lines) + "\n"
