"""Golden cases without a turn on the table: points, matches, tournaments, seats and deals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from protocol.errors import IllegalMove
from protocol.rules import engine, scoring, tournament
from protocol.rules.notation import SEATS, parse_card
from protocol.rules.ruleset import RuleSet, check_players
from tests.protocol.rules.golden_table import NotUnderstood, Table


def _points(rules: RuleSet, zone: str, cards: Sequence[str]) -> int:
    faces = [parse_card(card)[0] for card in cards]
    if zone == "table":
        return sum(scoring.card_points(rules, face) for face in faces)
    return -sum(scoring.hand_card_points(rules, face) for face in faces)


def _count(rules: RuleSet, pos: Mapping[str, Any]) -> dict[str, Any]:
    return {"points": _points(rules, pos["zone"], pos["cards"])}


def _score(rules: RuleSet, pos: Mapping[str, Any]) -> dict[str, Any]:
    known = {"hands_full", "table", "players", "note"}
    if set(pos) - known:
        raise NotUnderstood(f"position keys {sorted(set(pos) - known)}")
    table = Table(rules, {"table": pos["table"], "other_hands": pos["hands_full"]}, {})
    n = table.state.n
    hands = tuple(slots[: len(pos["hands_full"].get(SEATS[seat], []))] for seat, slots in enumerate(table.state.hands))
    points = scoring.round_points(replace(table.state, hands=hands), table.faces)
    match = scoring.Match.start(rules, n).add(points)
    result: dict[str, Any] = {"scores": {SEATS[seat]: points[seat].total for seat in range(n)}}
    return {**result, "team_scores": list(match.team_totals)}


def _match(rules: RuleSet, pos: Mapping[str, Any], step: object) -> dict[str, Any]:
    known = {"players", "totals", "previous_round_totals", "rounds_finished", "table_points_now"}
    if set(pos) - known:
        raise NotUnderstood(f"position keys {sorted(set(pos) - known)}")
    totals = tuple(pos["totals"].values())
    rounds = pos.get("rounds_finished", 1)
    match = scoring.Match(rules=rules, n=len(totals), totals=totals, rounds=rounds)
    if isinstance(step, dict):
        ((verb, body),) = step.items()
        if pos["previous_round_totals"] != pos["totals"]:
            raise NotUnderstood("totals move at the end of a round only")
        if verb == "resign" or match.time_is_up(body["hours"]):
            match = match.abort(SEATS.index(body if verb == "resign" else body["player"]))
    elif step not in {"round_end", "mid_round"}:
        raise NotUnderstood(f"step {step}")
    seats = range(match.n)
    return {
        "over": match.is_over,
        "winners": [SEATS[seat] for seat in match.winners],
        "net": {SEATS[seat]: str(match.net(seat)) for seat in seats},
        "net_shown": {SEATS[seat]: scoring.one_decimal(match.net(seat)) for seat in seats},
        "final": {SEATS[seat]: str(match.final_score(seat)) for seat in seats},
        "counts_for_percentage": match.counts_for_percentage,
        "counted_as": {SEATS[seat]: match.counted_as(seat) for seat in seats},
    }


def _tournament(rules: RuleSet, pos: Mapping[str, Any], step: object) -> dict[str, Any]:
    if step == "join":
        return {"legal": True, "joined": tournament.join(rules, pos["joined"])}
    if step == "note_score":
        return {"score": str(scoring.net_score(pos["result"]["own"], pos["result"]["opponents"]))}
    if step == "rank":
        return {"ranks": tournament.ranks({name: Fraction(score) for name, score in pos["scores"].items()})}
    if step == "status":
        return {"complete": tournament.is_complete(pos["joined"], pos["finished"])}
    raise NotUnderstood(f"step {step}")


def _name(seat: int | None) -> str:
    return "random" if seat is None else SEATS[seat]


def _seats(rules: RuleSet, pos: Mapping[str, Any], step: object) -> dict[str, Any]:
    n = len(pos["players"])
    if step == "deal":
        if not check_players(rules, n):
            # Seated all the same it would be a deviation of the rule card; the rules as they stand do not name it.
            raise IllegalMove("player_count")
        dealt = [range(seat * rules.hand_size, (seat + 1) * rules.hand_size) for seat in range(n)]
        up = n * rules.hand_size
        stock = rules.deck_size - up - 1
        state = engine.start_round(rules, n, starter=0, hands=dealt, open_slot=up, open_face=0, stock=stock)
        pile = len(state.pot) + (state.open_card is not None)
        return {"hand_size": len(state.hands[0]), "pile_size": pile, "stock": state.stock}
    dealer = SEATS.index(pos.get("dealer", "A"))
    if step == "start_round":
        return {"starter": _name(scoring.first_starter(rules, n, dealer))}
    if step == "next_round":
        starter = scoring.next_starter(rules, range(n), (dealer + 1) % n)
        return {"starter": _name(starter), "dealer": _name(None if starter is None else (starter - 1) % n)}
    if step == "after_discard":
        hands = {"other_hands": {pos["mover"]: ["4C", "9D"]}}
        table = Table(rules, {**pos, **hands}, {"discard": "4C"})
        table.do({"discard": "4C"})
        return {"next": table.fact("next")}
    raise NotUnderstood(f"step {step}")


def special(rules: RuleSet, pos: Mapping[str, Any], step: object) -> dict[str, Any] | None:
    """The facts of a case that is not about a position on the table, else None."""
    if step == "count":
        return _count(rules, pos)
    if step == "score":
        return _score(rules, pos)
    if step in ("join", "note_score", "rank", "status"):
        return _tournament(rules, pos, step)
    if step in ("deal", "start_round", "next_round", "after_discard"):
        return _seats(rules, pos, step)
    if isinstance(step, str) or (isinstance(step, dict) and step.keys() & {"timeout", "resign"}):
        return _match(rules, pos, step)
    return None
