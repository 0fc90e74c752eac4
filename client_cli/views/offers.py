"""What the selected cards can do, in words: numbered offers, or why there are none."""

from __future__ import annotations

from client_cli.chronicle import Cards, one
from client_cli.state import LEAF
from client_cli.theme import style
from client_cli.turn import Offer, ending_refusal, may_arrange
from protocol.rules.actions import ANY_SUIT, Lay, LayOff, Swap
from protocol.rules.cards import rank

from .canvas import Piece, rich_width, wrap
from .scene import Scene

MOST_NAMED = 4
"""Cards that a refusal names; more are seen well enough where they stand raised."""


def offer_lines(scene: Scene, width: int) -> list[list[Piece]]:
    """The offers of this leaf, numbered, or why there are none; and whether a single card may be discarded."""
    state = scene.state
    if not state.my_turn or not state.selected:
        return []
    if not state.offers:
        return wrap([*_why_not(scene), *_discard(scene)], width)
    first = state.offer_leaf * LEAF
    chunks: list[list[Piece]] = []
    for place, offer in enumerate(state.offers[first : first + LEAF]):
        number = scene.say("keyname.enter") if len(state.offers) == 1 else str(place + 1)
        chunks.append([(style("offer.number"), f" {number} "), ("", " "), *offer_words(scene, offer), ("", "  ")])
    if len(state.offers) > LEAF:
        more = scene.say("offer.more", count=len(state.offers) - len(chunks))
        chunks.append([(style("offer.number"), " 0 "), (style("offer"), f" {more}")])
    if len(state.selected) == 1:
        chunks.append(_discard(scene))
    lines: list[list[Piece]] = [[]]
    for chunk in chunks:
        if lines[-1] and rich_width(lines[-1]) + rich_width(chunk) > width:
            lines.append([])
        lines[-1].extend(chunk)
    return [*lines, *wrap([(style("dim"), scene.say(code))], width)] if (code := choice_note(scene)) else lines


def choice_note(scene: Scene) -> str | None:
    """Code of what the choice decides where the offers lay the same cards and differ in what a joker stands for."""
    steps = [offer.step for offer in scene.state.offers]
    laid = {frozenset(card.slot for card in step.cards) for step in steps if isinstance(step, Lay)}
    if len(steps) < 2 or len(laid) != 1 or not all(isinstance(step, Lay) for step in steps):
        return None
    return "offer.joker.swap" if scene.state.view.rules.joker_swap else "offer.joker"


def offer_words(scene: Scene, offer: Offer) -> list[Piece]:
    """One possibility in words: what is laid where, what jokers stand for, what it is worth."""
    state, base = scene.state, style("offer")
    faces = state.faces
    match offer.step:
        case Lay(cards):
            shown = [(faces[card.slot], card.stands_for) for card in cards]
            ranks = {rank_meant(face if meant is None else meant) for face, meant in shown}
            pieces = _with_cards(scene, "offer.set" if len(ranks) == 1 else "offer.run", shown)
        case LayOff(meld, cards, side):
            shown = [(faces[card.slot], card.stands_for) for card in cards]
            kind = {"low": "offer.low", "high": "offer.high"}.get(side or "", "offer.layoff")
            pieces = _with_cards(scene, kind, shown, meld)
        case Swap(meld, _, slot):
            pieces = _with_cards(scene, "offer.swap", [(faces[slot], None)], meld)
    if offer.with_pot:
        before, _, after = scene.say("offer.pot", offer="\0").partition("\0")
        pieces = [(base, before), *pieces, (base, after)]
    points = scene.glyphs.signed(offer.points)
    more = [] if offer.reaches else [(style("note"), " " + scene.say("offer.too_little"))]
    return [*pieces, (style("offer.points"), f" {points}"), *more]


def rank_meant(meaning: int) -> int:
    """The rank of a face, or of a meaning whose suit is not tracked."""
    return meaning - ANY_SUIT if meaning >= ANY_SUIT else rank(meaning)


def _with_cards(scene: Scene, code: str, shown: list[tuple[int, int | None]], meld: int | None = None) -> list[Piece]:
    tag = () if meld is None else (("meld", scene.meld_tag(meld + 1)),)
    return scene.tell(code, (("cards", Cards(tuple(shown))), *tag), style("offer"))


def _why_not(scene: Scene) -> list[Piece]:
    state = scene.state
    reason = state.reason
    if reason is None or not may_arrange(state.view, state.draft):
        return []  # selecting before the draw is no mistake: the line above says what comes first
    code = {1: "offer.one", 2: "offer.two"}.get(len(state.selected), reason) if reason == "does_not_fit" else reason
    few = state.selected if len(state.selected) <= MOST_NAMED else ()
    concerned = tuple((state.faces[slot], None) for slot in few)
    return [(style("bad"), scene.glyphs.sign("cross") + " "), *scene.refusal(code, style("note"), concerned), ("", " ")]


def _discard(scene: Scene) -> list[Piece]:
    """For one selected card in the play phase: that it may be discarded, or why not."""
    state = scene.state
    if len(state.selected) != 1 or not may_arrange(state.view, state.draft):
        return []
    slot = state.selected[0]
    refusal = ending_refusal(state.view, state.draft, slot)
    if refusal is None:
        return scene.tell("offer.discard", (("cards", one(slot, state.faces)),), style("offer"))
    lead = (style("note"), "d: ")
    return [(style("bad"), scene.glyphs.sign("cross") + " "), lead, *scene.refusal(refusal, style("note"))]
