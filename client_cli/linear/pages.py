"""What can be asked for at a table: hand, table, pot, scores, result, rules, log, fairness; each as lines."""

from __future__ import annotations

from itertools import groupby

from client_cli.departures import is_out, was_voided
from client_cli.faces import UNKNOWN
from client_cli.talk import PHRASES, others
from client_cli.views.ending import void_lines
from client_cli.views.melds import table_points
from client_cli.views.pages import fairness_lines, net_words, rule_lines, verdict_lines
from protocol.rules.cards import JOKER, suit
from protocol.rules.scoring import hand_card_points
from protocol.rules.state import Phase
from protocol.session.view import RoundResult, Stage

from .scene import WIDE, PlainScene, as_text
from .situation import in_play

LAST = 20
"""Lines of the log that are told when nobody says how many."""


def hand_lines(scene: PlainScene) -> list[str]:
    """Our hand: how many and what they cost, then the cards with their numbers, a line for each suit."""
    state = scene.state
    if state.me is None or is_out(state.view) or not in_play(scene):
        return [scene.say("linear.no_hand")]
    if not state.order:
        return [scene.say("hand.empty")]
    faces = [state.faces.get(slot, UNKNOWN) for slot in state.order]
    cost = sum(hand_card_points(state.view.rules, face) for face in faces if face != UNKNOWN)
    order = scene.say(f"sort.{state.sort.value}")
    lines = [scene.say("linear.hand", count=scene.count("cards", len(faces)), points=cost, order=order)]
    words = [
        (face, _numbered(scene, number + 1, face, fresh=slot in state.fresh, chosen=slot in state.selected))
        for number, (slot, face) in enumerate(zip(state.order, faces, strict=True))
    ]
    return lines + [
        ", ".join(word for _, word in group) for _, group in groupby(words, key=lambda pair: _suit(pair[0]))
    ]


def _suit(face: int) -> int:
    return face if face in {JOKER, UNKNOWN} else suit(face)


def _numbered(scene: PlainScene, number: int, face: int, *, fresh: bool, chosen: bool) -> str:
    marks = [scene.say(code) for code, on in (("linear.new", fresh), ("linear.picked", chosen)) if on]
    return " ".join([f"{number} {scene.glyphs.card(face)}", *marks])


def table_lines(scene: PlainScene) -> list[str]:
    """The melds by owner with their numbers, then who holds how many, and the piles."""
    state = scene.state
    table = state.table
    if table is None or not in_play(scene):
        return [scene.say("linear.no_table")]
    lines = [] if table.melds else [scene.say("melds.nobody")]
    sent = 0 if state.view.round is None else len(state.view.round.melds)
    for seat, player in enumerate(state.view.players):
        mine = [(number, meld) for number, meld in enumerate(table.melds) if meld.owner == seat]
        if mine:
            lines.append(scene.say("linear.owner", name=player.name, points=table_points(state, seat)))
        for number, meld in mine:
            cards = as_text(scene.cards((card.face, card.stands_for) for card in meld.cards))
            code = "linear.meld" if number < sent else "linear.meld.draft"
            lines.append(scene.say(code, number=number + 1, name=player.name, cards=cards))
    totals = state.view.totals or (0,) * len(state.view.players)
    for seat, player in enumerate(state.view.players):
        total = scene.glyphs.number(totals[seat])
        if seat in state.view.departed:
            lines.append(scene.say("linear.result.gone", name=scene.gone(seat), total=total))
            continue
        count = scene.count("cards", len(table.hands[seat]))
        lines.append(scene.say("linear.seat", name=player.name, count=count, total=total))
    return [*lines, *pile_lines(scene)]


def pile_lines(scene: PlainScene) -> list[str]:
    """Stock and pot, or the open card while it is on offer."""
    table = scene.state.table
    if table is None or not in_play(scene):
        return [scene.say("linear.no_table")]
    lines = [scene.say("linear.stock", count=scene.count("cards", table.stock))]
    if table.phase is Phase.EXCHANGE and table.open_card is not None:
        return [*lines, scene.say("linear.open_card", card=scene.row([scene.state.faces[table.open_card]]))]
    return [*lines, *pot_lines(scene)]


def pot_lines(scene: PlainScene) -> list[str]:
    """The pot, top first."""
    table = scene.state.table
    if table is None or not in_play(scene) or not table.pot:
        return [scene.say("pot.empty")]
    cards = scene.row(scene.state.faces.get(slot, UNKNOWN) for slot in reversed(table.pot))
    return [scene.say("linear.pot", count=scene.count("cards", len(table.pot)), cards=cards)]


def score_lines(scene: PlainScene) -> list[str]:
    """Everybody's total and rounds, the leader first."""
    view = scene.state.view
    if not view.results:
        return [scene.say("scores.none")]
    lines = []
    net = net_words(scene) if view.rules.final_score == "own_minus_average" and len(view.totals) > 1 else []
    for seat in sorted(range(len(view.players)), key=lambda seat: (-view.totals[seat], seat)):
        played = [result.points[seat] for result in view.results if not result.sat_out(seat)]
        rounds = ", ".join(map(scene.glyphs.signed, played)) or scene.sat_out()
        name = scene.gone(seat) if seat in view.departed else scene.name(seat)
        line = scene.say("linear.score", name=name, total=scene.glyphs.number(view.totals[seat]), rounds=rounds)
        lines.append(line + (f" {scene.say('linear.score.net', net=net[seat])}" if net else ""))
    return lines


def result_lines(scene: PlainScene) -> list[str]:
    """The last round: who went out, what each got and why, what each still held, whether it was fair, who won."""
    view = scene.state.view
    if was_voided(view):
        return [text for line in void_lines(scene, WIDE) if (text := as_text(line))]
    if not view.results:
        return [scene.say("scores.none")]
    result = view.results[-1]
    out = scene.say("result.nobody") if result.out is None else scene.say("result.out", name=scene.name(result.out))
    lines = [f"{scene.say('page.result', number=result.round_number)}. {out}"]
    played = [seat for seat in range(len(view.players)) if not result.sat_out(seat)]
    lines += [_seat_result(scene, result, seat) for seat in sorted(played, key=lambda s: (-result.totals[s], s))]
    charged = [f"{scene.name(seat)} {scene.glyphs.number(-lost)}" for seat, lost in enumerate(result.penalties) if lost]
    lines += [scene.say("result.penalty", who=", ".join(charged))] if charged else []
    lines += [as_text(line) for line in verdict_lines(scene, result, WIDE)]
    if view.stage is Stage.FINISHED:
        totals = ((scene.gone(seat), scene.glyphs.number(view.totals[seat])) for seat in view.departed)
        lines += [scene.say("linear.result.gone", name=name, total=total) for name, total in totals]
    if view.stage is Stage.FINISHED and view.winners:
        code = "result.winner" if len(view.winners) == 1 else "result.winners"
        lines.append(scene.say(code, names=scene.names(view.winners)))
    return lines


def _seat_result(scene: PlainScene, result: RoundResult, seat: int) -> str:
    held = scene.row(sorted(result.hands[seat])) or scene.say("result.empty_hand")
    return scene.say(
        "linear.result",
        name=scene.name(seat),
        table=result.table_points[seat],
        hand=result.hand_points[seat],
        held=held,
        points=scene.glyphs.signed(result.points[seat]),
        total=scene.glyphs.number(result.totals[seat]),
    )


def rules_lines(scene: PlainScene) -> list[str]:
    """The agreed rules, one sentence a line."""
    return [scene.say("page.rules", name=scene.state.view.rules_name), *_texts(rule_lines(scene, WIDE))]


def fair_lines(scene: PlainScene) -> list[str]:
    """The fairness page, one sentence a line, and how to verify the game."""
    return [*_texts(fairness_lines(scene, WIDE)), scene.say("linear.fair.verify")]


def log_lines(scene: PlainScene, most: int = LAST) -> list[str]:
    """What happened last, oldest first; `most` lines at most."""
    log = scene.state.log[-most:]
    return [as_text(scene.entry(entry, "")) for entry in log] or [scene.say("linear.log.empty")]


def phrase_lines(scene: PlainScene) -> list[str]:
    """The phrases that can be said by their number."""
    numbers = range(1, PHRASES + 1)
    lines = [scene.say("linear.phrase", number=number, phrase=scene.say(f"phrase.{number}")) for number in numbers]
    return [scene.say("linear.help.say") + ".", *lines]


def mute_lines(scene: PlainScene) -> list[str]:
    """The other players with the number and name by which they are muted."""
    muted = scene.state.standing.muted
    return [scene.say("linear.help.mute") + "."] + [
        scene.say("linear.muted" if seat in muted else "linear.heard", number=number, name=scene.name(seat))
        for number, seat in enumerate(others(scene.state), start=1)
    ]


def _texts(lines: list[list[tuple[str, str]]]) -> list[str]:
    return [text for line in lines if (text := as_text(line))]
