"""The full rule card as a page: sections, every rule that matters in a sentence, and what each sentence rests on.

The sentences of the short card (`rulecard`) come first, completed by those that only a whole explanation needs. Which
rules have no use beside others (the exchange's, where there is no exchange) is decided here, for telling alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from protocol.rules.origins import Origin, origin
from protocol.rules.rulefields import KINDS
from protocol.rules.rulekinds import Value, write
from protocol.rules.ruleset import PRESETS, ClashError, RuleSet, deviations, with_overrides

from .messages import CATALOGUE, LANGUAGES, sentence
from .rulecard import Clause, rule_card
from .texts.rulepage import RULE_PAGE


class Label(Enum):
    """What a statement rests on."""

    RULE = "rule"
    """The preset's source says so, or it follows."""
    HOUSE = "house"
    """The table deviates from the preset."""
    CHOICE = "choice"
    """The sources are silent, wholly or in part."""


SECTIONS = ("aim", "preparation", "turn", "melds", "special", "pot", "going_out", "scoring", "end", "other")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of the page. `rules` are the settings and constants that it tells."""

    section: str
    code: str
    facts: tuple[tuple[str, object], ...]
    label: Label
    rules: tuple[str, ...]


_TOPICS = {
    "deck": "preparation",
    "melds": "melds",
    "jokers": "special",
    "opening": "melds",
    "turn": "pot",
    "queen": "special",
    "end": "going_out",
    "score": "end",
    "house": "other",
}
_SECTION_OF = {
    "rule.turn": "turn",
    "rule.stock_out": "turn",
    "rule.team_out.one": "going_out",
    "rule.team_out.all": "going_out",
    "rule.values": "scoring",
    "rule.values_even": "scoring",
    "rule.pips": "scoring",
    "rule.pips_even": "scoring",
    "rule.joker_points": "scoring",
    "rule.round_score": "scoring",
}
_CONSTANTS_OF = {
    "rule.turn": ("turn_steps", "discard_each_turn"),
    "rule.stock_out": ("stock_exhausted", "reshuffle_whole_pile"),
    "rule.round_score": ("round_score",),
}

_ASIDE = {"rule.values": "pip_scoring", "rule.values_even": "pip_scoring", "rule.joker_majority": "min_naturals"}
"""A rule that a sentence touches without resting on it."""
OFFERS: tuple[tuple[str, tuple[tuple[str, Value], ...]], ...] = (
    ("strict_exit", (("discard_required_to_go_out", True),)),
    ("free_pot", (("pot_top_card_must_be_melded", False), ("pot_needs_hand_cards", 0))),
    ("play_on", (("resign", "play_on"),)),
)
"""House rules that people ask for most, first the strict exit, each with the settings that make it."""

_Line: TypeAlias = tuple[str, str, tuple[str, ...]]


def rule_page(rules: RuleSet, name: str) -> tuple[Statement, ...]:
    """The whole card in words, section by section in the order of `SECTIONS`.

    Guarantees that every setting that differs from the preset is told and labelled a house rule.
    """
    changed = {key for key, _, _ in deviations(rules, name)} if name in PRESETS else set()
    clauses = rule_card(rules, name)
    told = {key for c in clauses if c.topic != "rule.topic.house" for key in c.settings}
    made = [_of_clause(c, changed, name) for c in clauses if c.topic != "rule.topic.house"]
    more = [*_constants(rules), *_settings(rules, told)]
    made += [Statement(where, code, _now(rules, keys), _label(keys, changed, name), keys) for where, code, keys in more]
    told.update(key for _, _, keys in more for key in keys)
    late = [c for c in clauses if c.topic == "rule.topic.house" and not told.issuperset(c.settings)]
    made += [_of_clause(c, changed, name) for c in late]
    return tuple(sorted(made, key=lambda s: SECTIONS.index(s.section)))


def changes(rules: RuleSet, name: str, before: RuleSet) -> tuple[Statement, ...]:
    """The statements of the page in which the rules differ from those played before.

    For how many the table is does not count: that follows from who sits down.
    """
    differ = {key for key in KINDS if getattr(rules, key) != getattr(before, key)} - {"players_min", "players_max"}
    return tuple(s for s in rule_page(rules, name) if differ.intersection(s.rules))


def short_form(rules: RuleSet, name: str, before: RuleSet | None) -> tuple[str, tuple[Statement, ...]]:
    """The card's short form: the code of its heading, and the differences from the rules played last, if any."""
    if before is None:
        return "rulepage.short.first", ()
    differ = changes(rules, name, before)
    return ("rulepage.short.changed" if differ else "rulepage.short.same"), differ


def offers(rules: RuleSet) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The house rules that this card could be given as it is: code of the sentence, and what --set takes."""
    found: list[tuple[str, tuple[str, ...]]] = []
    for name, values in OFFERS:
        switches = tuple(f"{key}={write(value)}" for key, value in values if getattr(rules, key) != value)
        if switches and _can_have(rules, dict(values)):
            found.append((f"rulepage.offer.{name}", switches))
    return tuple(found)


def _can_have(rules: RuleSet, values: Mapping[str, Value]) -> bool:
    try:
        with_overrides(rules, values)
    except ClashError:
        return False
    return True


def told(statement: Statement, lang: str) -> str:
    """The statement as a sentence in this language."""
    return page_text(statement.code, lang, **dict(statement.facts))


def page_text(code: str, lang: str, **facts: object) -> str:
    """A text of the page; one of the client's sentences where the page has none of its own."""
    if code in RULE_PAGE:
        return RULE_PAGE[code][LANGUAGES.index(lang)].format(**facts)
    return sentence(code, lang, **facts)


def _of_clause(clause: Clause, changed: set[str], name: str) -> Statement:
    topic = clause.topic.rpartition(".")[2]
    keys = clause.settings or _CONSTANTS_OF.get(clause.code, ())
    full = "rulepage." + clause.code.removeprefix("rule.")
    code = full if full in RULE_PAGE else clause.code
    rests = tuple(key for key in keys if key != _ASIDE.get(clause.code))
    label = Label.HOUSE if clause.house else _label(rests, changed, name)
    return Statement(_SECTION_OF.get(clause.code, _TOPICS[topic]), code, clause.facts, label, keys)


def _now(rules: RuleSet, keys: tuple[str, ...]) -> tuple[tuple[str, object], ...]:
    return tuple(("now", write(getattr(rules, key))) for key in keys if key in KINDS)


def _label(keys: tuple[str, ...], changed: set[str], name: str) -> Label:
    if changed.intersection(keys):
        return Label.HOUSE
    if name in PRESETS and any(origin(key, name) is Origin.CHOSEN for key in keys):
        return Label.CHOICE
    return Label.RULE


def _constants(r: RuleSet) -> Iterator[_Line]:
    yield "aim", "rulepage.aim", ("round_score",)
    yield "preparation", "rulepage.direction", ("direction",)
    yield "turn", "rulepage.stock_always", ("draw_stock_always_allowed",)
    yield "turn", "rulepage.no_duty", ("must_lay_when_possible",)
    yield "melds", "rulepage.fixed", ("table_fixed", "take_back")
    if r.jokers_in_deck or r.two_as_joker:
        yield "special", "rulepage.joker_declared", ("joker_identity_chosen_by",)
        yield "scoring", "rulepage.joker_itself", ("joker_scores_as",)
    if r.joker_swap and r.joker_swap_opponent:
        yield "special", "rulepage.swapped_counts", ("swapped_card_counts_for",)
    if r.pot_top_card_must_be_melded:
        yield "pot", "rulepage.whole_pot", ("pot_take",)
    if not r.team_size:
        yield "going_out", "rulepage.round_ends", ("round_ends",)
    yield "going_out", "rulepage.stalemate", ("stalemate_rule",)
    yield "scoring", "rulepage.negative", ("negative_allowed",)
    yield "scoring", "rulepage.no_bonus", ("going_out_bonus",)
    yield "end", "rulepage.aborted", ("aborted_winner",)


def _settings(r: RuleSet, told: set[str]) -> Iterator[_Line]:
    """The settings that the short card passes over, each where it has a use at this table."""
    for section, key, matters in _passed_over(r):
        code = _code_of(key, write(getattr(r, key)))
        if matters and key not in told and code is not None:
            yield section, code, (key,)


def _code_of(key: str, value: str) -> str | None:
    codes = (f"rulepage.is.{key}.{value}", f"rule.now.{key}.{value}", f"rule.now.{key}")
    return next((code for code in codes if code in RULE_PAGE or code in CATALOGUE), None)


def _passed_over(r: RuleSet) -> Iterator[tuple[str, str, bool]]:
    exchange = r.opening_exchange != "none"
    jokers = bool(r.jokers_in_deck) or r.two_as_joker
    minimum = bool(r.opening_minimum) and not r.opening_single_set_of_three
    melded = r.pot_top_card_must_be_melded
    yield "preparation", "exchange_return_other_card", exchange
    yield "preparation", "exchange_may_return_queen", exchange
    yield "preparation", "teams_allowed", True
    yield "turn", "discard_joker_allowed", jokers
    yield "turn", "discard_card_just_taken_allowed", True
    yield "turn", "turn_time_limit_hours", True
    yield "melds", "duplicate_in_run", True
    yield "melds", "opening_several_melds", minimum
    yield "melds", "layoff_requires_being_down", True
    yield "melds", "layoff_same_turn_as_opening", True
    yield "melds", "layoff_cards_per_action", True
    yield "melds", "layoff_run_ends", True
    yield "melds", "team_layoff", bool(r.team_size)
    yield "special", "layoff_joker", jokers
    yield "special", "single_natural_is_set", jokers and not r.joker_majority
    yield "special", "wild_two_may_be_two", r.two_as_joker
    yield "special", "joker_swap_requires_being_down", r.joker_swap
    yield "special", "queen_swap_opponent_joker", r.joker_swap and r.joker_swap_opponent
    yield "special", "queen_swap_own_joker", r.joker_swap
    yield "special", "queen_drawn_source", r.queen_discard == "last_card_drawn_this_turn"
    yield "special", "queen_discard_two_queens", True
    yield "special", "laying_may_leave_only_queens", True
    yield "pot", "pot_other_pile_cards_in_first_meld", melded
    yield "pot", "pot_layoff_suffices", melded
    yield "pot", "pot_requires_being_down", True
    yield "pot", "pot_opening_counts", minimum and not r.pot_requires_being_down
    yield "pot", "pot_rest_same_turn", True
    yield "going_out", "going_out_first_turn", r.going_out_opening_turn
    yield "going_out", "going_out_opening_turn", True
    yield "going_out", "going_out_waives_minimum", minimum and r.going_out_opening_turn
    yield "going_out", "last_card_call", True
    yield "end", "final_score", True
    yield "end", "resign", True
    yield "end", "aborted_winner_excludes_leaver", True
    yield "end", "tournament", r.tournament
