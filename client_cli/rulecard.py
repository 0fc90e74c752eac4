"""The agreed rules in words: a RuleSet as topics and sentences, each knowing which rules it tells.

Only the choice of sentences lives here; the sentences are in the catalogue. A sentence whose rule differs from
the preset is a house rule and says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from protocol.rules.cards import parse_face
from protocol.rules.rulefields import POINTS_2_TO_9
from protocol.rules.rulekinds import Value, write
from protocol.rules.ruleset import PRESETS, RuleSet, deviations, preset
from protocol.rules.scoring import card_points

from .messages import CATALOGUE

DEUCE = parse_face("2C")
MOST_IN_RUN = 14
"""Ace, two to king, and the ace again; one less where an ace may not lie at both ends."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One sentence of the rule card: its topic and code in the catalogue, its facts, and whether it is a house rule.

    `settings` are the rules that it tells.
    """

    topic: str
    code: str
    facts: tuple[tuple[str, object], ...] = ()
    house: bool = False
    settings: tuple[str, ...] = ()


def rule_card(rules: RuleSet, name: str) -> tuple[Clause, ...]:
    """The rules in words, topic by topic.

    Guarantees that every deviation from the preset is told: one without a sentence of its own as `rule.other`.
    """
    changed = {key: (was, now) for key, was, now in deviations(rules, name)} if name in PRESETS else {}
    clauses: list[Clause] = []
    told: set[str] = set()
    for topic, code, facts, fields in _clauses(rules):
        told.update(fields)
        house = any(field in changed for field in fields)
        if house and "players_max" in fields:
            said, with_facts = _widened(rules, preset(name)) or (code, facts)
        else:
            said, with_facts = code, facts
        clauses.append(Clause(f"rule.topic.{topic}", f"rule.{said}", with_facts, house, fields))
    for key, (was, now) in changed.items():
        if key not in told:
            clauses.append(_deviation(key, was, now))
    return tuple(clauses)


def _widened(rules: RuleSet, usual: RuleSet) -> tuple[str, _Facts] | None:
    """How many may play where a table differs in it, said beside the usual number; None: the plain sentence will do."""
    least, most = rules.players_min, rules.players_max
    if most is None or most == least:
        return None
    if usual.players_min == usual.players_max:
        return "players_meant", (("least", least), ("most", most), ("usual", usual.players_min))
    return "players_here", (("least", least), ("most", most))


def _deviation(key: str, was: Value, now: Value) -> Clause:
    """A rule that is only worth a sentence where a table deviates in it: by its value, else by its number."""
    for code in (f"rule.now.{key}.{write(now)}", f"rule.now.{key}"):
        if code in CATALOGUE:
            return Clause("rule.topic.house", code, (("now", write(now)),), house=True, settings=(key,))
    facts = (("key", key), ("was", write(was)), ("now", write(now)))
    return Clause("rule.topic.house", "rule.other", facts, house=True, settings=(key,))


_Facts: TypeAlias = tuple[tuple[str, object], ...]
_Line: TypeAlias = tuple[str, str, _Facts, tuple[str, ...]]


def _clauses(r: RuleSet) -> Iterator[_Line]:
    yield from _deck(r)
    yield from _melds(r)
    yield from _jokers(r)
    yield from _opening(r)
    yield from _turn(r)
    yield from _queen(r)
    yield from _end(r)
    yield from _score(r)


def _deck(r: RuleSet) -> Iterator[_Line]:
    if r.two_as_joker:
        yield (
            "deck",
            "deck_twos",
            (("packs", r.decks), ("size", r.deck_size)),
            ("decks", "two_as_joker", "jokers_in_deck", "joker_points"),
        )
    else:
        facts: _Facts = (("packs", r.decks), ("jokers", r.jokers_in_deck), ("size", r.deck_size))
        yield "deck", "deck", facts, ("decks", "jokers_in_deck", "two_as_joker")
    yield "deck", "hand_size", (("count", r.hand_size),), ("hand_size",)
    if r.players_max is None:
        yield "deck", "players_from", (("least", r.players_min),), ("players_min", "players_max")
    elif r.players_max == r.players_min:
        yield "deck", "players", (("least", r.players_min),), ("players_min", "players_max")
    else:
        facts = (("least", r.players_min), ("most", r.players_max))
        yield "deck", "players_between", facts, ("players_min", "players_max")
    yield "deck", f"starter.{r.first_starter}", (), ("first_starter",)
    yield "deck", f"next_starter.{r.next_starter}", (), ("next_starter",)
    yield "deck", f"exchange.{r.opening_exchange}", (), ("opening_exchange",)
    if r.team_size:
        facts = (("count", r.team_size),)
        yield "deck", "teams", facts, ("team_size", "teams_allowed")
        yield "deck", f"team_out.{r.team_going_out}", (), ("team_going_out",)


def _melds(r: RuleSet) -> Iterator[_Line]:
    yield "melds", "meld", (("count", r.meld_min_cards),), ("meld_min_cards",)
    low, high, both = r.ace_low, r.ace_high, r.ace_both_ends
    ace = "ace_both" if low and high and both else "ace_either" if low and high else "ace_low" if low else "ace_high"
    yield "melds", ace, (), ("ace_low", "ace_high", "ace_both_ends", "run_max_cards")
    if r.run_max_cards < (MOST_IN_RUN if both else MOST_IN_RUN - 1):
        yield "melds", "run_max", (("most", r.run_max_cards),), ("run_max_cards",)
    same = "set_same_suit" if r.same_suit_twice_in_set else "set_other_suits"
    yield "melds", same, (("most", r.set_max_cards),), ("same_suit_twice_in_set",)


def _jokers(r: RuleSet) -> Iterator[_Line]:
    yield "jokers", "joker_majority" if r.joker_majority else "joker_free", (), ("joker_majority", "min_naturals")
    if r.min_naturals > 1:
        yield "jokers", "naturals", (("count", r.min_naturals),), ("min_naturals",)
    if r.single_natural_is_set:
        yield "jokers", "single_natural", (), ("single_natural_is_set",)
    if not r.joker_swap:
        yield "jokers", "swap_never", (), ("joker_swap", "joker_swap_opponent")
        return
    whose = "swap_all" if r.joker_swap_opponent else "swap_own"
    yield "jokers", whose, (), ("joker_swap", "joker_swap_opponent")
    yield "jokers", f"swap_match.{r.joker_swap_match or 'exact'}", (), ("joker_swap_match",)
    if r.joker_swap_requires_being_down:
        yield "jokers", "swap_down", (), ("joker_swap_requires_being_down",)
    if r.joker_swap_opponent and not r.queen_swap_opponent_joker:
        yield "jokers", "swap_queen", (), ("queen_swap_opponent_joker",)


def _opening(r: RuleSet) -> Iterator[_Line]:
    if r.opening_single_set_of_three:
        yield "opening", "opening_set", (), ("opening_single_set_of_three", "opening_minimum")
    elif r.opening_minimum:
        yield "opening", "opening", (("points", r.opening_minimum),), ("opening_minimum",)
        joker = "opening_joker" if r.opening_joker == "allowed" else "opening_no_joker"
        yield "opening", joker, (), ("opening_joker",)
    else:
        yield "opening", "opening_none", (), ("opening_minimum",)
    if r.layoff_scope == "own" and r.team_size and r.team_layoff:
        yield "opening", "layoff.team", (), ("layoff_scope", "team_layoff")
    else:
        yield "opening", f"layoff.{r.layoff_scope}", (), ("layoff_scope",)
    if not r.layoff_same_turn_as_opening:
        yield "opening", "layoff_later", (), ("layoff_same_turn_as_opening",)


def _turn(r: RuleSet) -> Iterator[_Line]:
    yield "turn", "turn", (), ()
    if not r.pot_top_card_must_be_melded:
        yield "turn", "pot_free", (), ("pot_top_card_must_be_melded", "pot_needs_hand_cards")
    elif r.pot_needs_hand_cards:
        facts = (("count", r.pot_needs_hand_cards),)
        yield "turn", "pot_meld_hand", facts, ("pot_top_card_must_be_melded", "pot_needs_hand_cards")
    else:
        yield "turn", "pot_meld", (), ("pot_top_card_must_be_melded", "pot_needs_hand_cards")
    if r.pot_layoff_suffices:
        yield "turn", "pot_layoff", (), ("pot_layoff_suffices",)
    if r.pot_requires_being_down:
        yield "turn", "pot_down", (), ("pot_requires_being_down",)
    if r.pot_min_hand:
        yield "turn", "pot_min", (("count", r.pot_min_hand),), ("pot_min_hand",)
    if r.pot_first_turn_free:
        yield "turn", "pot_first", (), ("pot_first_turn_free",)
    yield "turn", "stock_out", (), ()


def _queen(r: RuleSet) -> Iterator[_Line]:
    yield "queen", f"queen.{r.queen_discard}", (), ("queen_discard",)
    yield "queen", "queen_points", (("penalty", r.queen_in_hand_penalty),), ("queen_in_hand_penalty",)


def _end(r: RuleSet) -> Iterator[_Line]:
    out = "out_discard" if r.discard_required_to_go_out else "out_soft"
    yield "end", out, (), ("discard_required_to_go_out",)
    if not r.going_out_first_turn:
        yield "end", "out_not_first", (), ("going_out_first_turn",)
    if not r.going_out_opening_turn:
        yield "end", "out_not_opening", (), ("going_out_opening_turn",)
    if r.last_card_call != "none":
        facts = (("points", r.last_card_penalty_points or 0),)
        yield "end", f"last_card.{r.last_card_call}", facts, ("last_card_call", "last_card_penalty_points")


def _score(r: RuleSet) -> Iterator[_Line]:
    values, deuce = "pips" if r.pip_scoring else "values", card_points(r, DEUCE)
    even = deuce == (2 if r.pip_scoring else POINTS_2_TO_9)
    facts: _Facts = () if even else (("deuce", deuce),)
    yield "score", f"{values}_even" if even else values, facts, ("pip_scoring", "deuce_points")
    if r.joker_points is not None:
        yield "score", "joker_points", (("points", r.joker_points),), ("joker_points",)
    yield "score", "round_score", (), ()
    yield "score", "target", (("target", r.target_score),), ("target_score",)
    yield "score", f"tie.{r.tie_at_top}", (), ("tie_at_top",)
    if r.final_score == "own_minus_average":
        yield "score", "net", (), ("final_score",)
