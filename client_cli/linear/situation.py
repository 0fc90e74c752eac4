"""Where a person stands: whose turn it is, what is chosen, and the numbered choices of what can be done now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from client_cli.beside import claimable, offenders
from client_cli.chronicle import one
from client_cli.departures import OVER, is_out, is_signing, is_voided
from client_cli.faces import UNKNOWN, between_rounds
from client_cli.intents import Choose, Intent, Key
from client_cli.state import LEAF, Note
from client_cli.talk import paused
from client_cli.turn import ending_refusal, knows_hand, may_arrange, pot_refusal
from client_cli.views.offers import choice_note, offer_words
from client_cli.views.status import awaited, signing_words, turn_words
from protocol.rules.actions import Slot
from protocol.rules.state import Phase
from protocol.session.view import Stage

from .scene import PlainScene, as_text

CALLED_AT = 2
"""Cards in hand before the discard that leaves the last one."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the numbered choices: its words, and the keys of the full screen that it stands for."""

    text: str
    intents: tuple[Intent, ...]


def choices(scene: PlainScene) -> tuple[Choice, ...]:
    """What can be chosen by number now; nothing while a question is open."""
    state = scene.state
    if state.ask is not None:
        return ()
    found: list[Choice] = []
    if caught := offenders(state)[:1]:
        found.append(Choice(scene.say("linear.do.catch", names=scene.names(caught)), (Key.CATCH,)))
    if claimable(state):
        found.append(Choice(scene.say("linear.do.claim", names=scene.names(claimable(state))), (Key.CLAIM,)))
    if state.view.to_compare:
        found += _compare_choices(scene)
    elif state.my_turn:
        found += _turn_choices(scene)
    elif state.may_go_on:
        found.append(Choice(scene.say("linear.do.next_round"), (Key.NEXT_ROUND,)))
    elif state.view.stage in OVER or state.link.state == "stopped" or state.said_goodbye or is_out(state.view):
        found.append(Choice(scene.say("linear.do.leave"), (Key.LEAVE,)))
    return tuple(found)


def _compare_choices(scene: PlainScene) -> Iterator[Choice]:
    """Who has named the same three cards; and once everybody has, to begin."""
    state = scene.state
    if state.sent_at is not None:
        return
    for place, seat in enumerate(state.people):
        code = "linear.do.same_not" if seat in state.same else "linear.do.same"
        yield Choice(scene.say(code, name=scene.name(seat)), (Choose(place + 1),))
    if state.all_same:
        yield Choice(scene.say("linear.do.begin"), (Key.ACCEPT,))


def _turn_choices(scene: PlainScene) -> Iterator[Choice]:
    state = scene.state
    view, table = state.view, state.view.round
    if table is None or not knows_hand(view):
        return
    if table.phase is Phase.EXCHANGE:
        if len(state.selected) == 1:
            yield Choice(
                scene.say("linear.do.exchange", top=_open_card(scene), card=_card(scene, state.selected[0])), (Key.POT,)
            )
        yield Choice(scene.say("linear.do.decline"), (Key.DECLINE,))
        return
    if not may_arrange(view, state.draft):
        yield Choice(scene.say("linear.do.stock", count=scene.count("cards", table.stock)), (Key.STOCK,))
        if pot_refusal(view) is None:
            yield Choice(
                scene.say("linear.do.pot", count=scene.count("cards", len(table.pot)), top=_top(scene)), (Key.POT,)
            )
    for place, offer in enumerate(state.offers):
        leaf, number = divmod(place, LEAF)
        words = as_text(offer_words(scene, offer))
        yield Choice(f"{words[0].upper()}{words[1:]}.", (*(Key.MORE,) * leaf, Choose(number + 1)))
    if may_arrange(view, state.draft):
        yield from _ending_choices(scene)


def _ending_choices(scene: PlainScene) -> Iterator[Choice]:
    """How the turn can end, what can be taken back, and the call that goes with the discard."""
    state = scene.state
    if len(state.selected) == 1 and ending_refusal(state.view, state.draft, state.selected[0]) is None:
        yield Choice(scene.say("linear.do.discard", card=_card(scene, state.selected[0])), (Key.DISCARD,))
    if not state.order and ending_refusal(state.view, state.draft, None) is None:
        yield Choice(scene.say("linear.do.end"), (Key.DISCARD,))
    if state.view.rules.last_card_call != "none" and (len(state.order) == CALLED_AT or state.draft.call_last):
        code = "linear.do.call_back" if state.draft.call_last else "linear.do.call_last"
        yield Choice(scene.say(code), (Key.CALL_LAST,))
    if not state.draft.empty:
        yield Choice(scene.say("linear.do.undo"), (Key.UNDO,))


# ------------------------------------------------------------------ in words


def situation(scene: PlainScene) -> tuple[str, ...]:
    """Where the person stands, as lines; nothing while others play and all is well."""
    state = scene.state
    if state.ask is not None:
        how = "linear.ask.how.leave" if state.ask.how == "ask.leave.how" else "linear.ask.how"
        return (f"{as_text(scene.note(state.ask.note, ''))} {scene.say(how)}",)
    arranging = state.my_turn and bool(state.selected) and may_arrange(state.view, state.draft)
    lines = [] if arranging else [status(scene)]  # who has chosen cards knows what to do
    if state.my_turn and state.view.round is not None:
        lines += _selection(scene)
    found = choices(scene)
    if state.offers and (code := choice_note(scene)):
        lines.append(scene.say(code))
    lines += [scene.say("linear.choice", number=place + 1, text=choice.text) for place, choice in enumerate(found)]
    return tuple(line for line in lines if line)


def prompt(scene: PlainScene) -> tuple[str, ...]:
    """The short line that asks for one; nothing while nothing is awaited from the person."""
    state = scene.state
    wanted = state.ask is not None or choices(scene) or (state.my_turn and knows_hand(state.view))
    return (scene.say("linear.prompt"),) if wanted else ()


def status(scene: PlainScene) -> str:
    """One sentence: our turn, or what the table waits for; empty while others play and all is well."""
    state = scene.state
    view = state.view
    if state.link.state == "up" and is_out(view) and view.stage not in OVER:
        return scene.say("turn.out")  # what the others do is told to who asks
    broken_off = view.broken_off and view.stage in OVER
    if state.link.state != "up" or state.said_goodbye or broken_off:
        return as_text(turn_words(scene))
    if paused(state) or awaited(scene):
        return as_text(turn_words(scene))
    if is_signing(view):
        return signing_words(scene)
    if view.to_compare and state.sent_at is not None:
        return ""
    if view.to_compare:
        cards = handshake_line(scene)
        return f"{cards} {scene.say('linear.compare.all' if state.all_same else 'compare.how')}"
    if view.stage is Stage.PLAYING:
        return _turn_status(scene) if state.my_turn else ""
    if view.stage is Stage.BETWEEN:
        code = "turn.between.void" if is_voided(view) else "turn.between"
        return scene.say(code if state.may_go_on else "linear.between.ready")
    return scene.say("turn.over" if view.stage is Stage.SCORING else f"turn.{view.stage.value}")


def standing(scene: PlainScene) -> tuple[str, ...]:
    """The situation for somebody who asks for it: also whose turn it is while others play."""
    if is_out(scene.state.view) and scene.state.ask is None:
        return (as_text(turn_words(scene)), *situation(scene)[1:])
    return situation(scene) or (as_text(turn_words(scene)),)


def _turn_status(scene: PlainScene) -> str:
    state = scene.state
    table = state.view.round
    assert table is not None
    if not knows_hand(state.view):
        return scene.say("turn.opening")
    if table.phase is Phase.EXCHANGE:
        return scene.say("linear.turn.exchange.card", top=_open_card(scene))
    if may_arrange(state.view, state.draft):
        return scene.say("turn.play" if state.order else "linear.turn.empty")
    refusal = pot_refusal(state.view)
    if refusal is None:
        return scene.say("turn.draw")
    if refusal == "pot_top_must_meld" and table.pot:
        return scene.say("linear.turn.draw.meld", top=_top(scene), count=scene.count("cards", len(table.pot)))
    why = as_text(scene.refusal(refusal, ""))
    return scene.say("linear.turn.draw.no_pot", why=why) if table.pot else scene.say("linear.turn.draw.empty")


def _selection(scene: PlainScene) -> list[str]:
    """What is chosen, and why it can do nothing where that is so."""
    state = scene.state
    if not state.selected:
        return []
    lines = [scene.say("linear.chosen", cards=scene.row(state.faces.get(slot, UNKNOWN) for slot in state.selected))]
    if not may_arrange(state.view, state.draft):
        return lines
    if not state.offers and state.reason is not None:
        few = {1: "offer.one", 2: "offer.two"}.get(len(state.selected)) if state.reason == "does_not_fit" else None
        lines.append(as_text(scene.refusal(few or state.reason, "")))
    if len(state.selected) == 1:
        refusal = ending_refusal(state.view, state.draft, state.selected[0])
        if refusal is not None:
            why = as_text(scene.refusal(refusal, ""))
            lines.append(scene.say("linear.no_discard", card=_card(scene, state.selected[0]), why=why))
    return lines


def note_line(scene: PlainScene, note: Note) -> str:
    """A note to the person."""
    return as_text(scene.note(note, ""))


def handshake_line(scene: PlainScene) -> str:
    """The three cards of this table."""
    return scene.say("compare.cards", cards=scene.row(scene.state.view.handshake)) + "."


def in_play(scene: PlainScene) -> bool:
    """Whether there are cards to speak of: the table's round is dealt and not yet swept up."""
    return scene.state.view.round is not None and not between_rounds(scene.state.view)


def _card(scene: PlainScene, slot: Slot) -> str:
    return as_text(scene.cards(one(slot, scene.state.faces).faces))


def _top(scene: PlainScene) -> str:
    table = scene.state.view.round
    assert table is not None
    return _card(scene, table.pot[-1])


def _open_card(scene: PlainScene) -> str:
    table = scene.state.view.round
    assert table is not None
    assert table.open_card is not None
    return _card(scene, table.open_card)
