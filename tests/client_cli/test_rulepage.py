"""The rule page: every section, every rule that matters once, what each sentence rests on, and what changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from client_cli.commands.context import Context
from client_cli.commands.rules import keep_rules, last_rules, page_lines, short_lines
from client_cli.messages import LANGUAGES, facts_of
from client_cli.rulepage import SECTIONS, Label, changes, offers, page_text, rule_page, told
from client_cli.texts.rulepage import RULE_PAGE
from node.profile import Profile
from protocol.rules.origins import CONSTANT_ORIGINS, ORIGINS, Origin, origin
from protocol.rules.rulefields import CONSTANTS, KINDS
from protocol.rules.rulekinds import Choice, Number, Switch, Value
from protocol.rules.ruleset import PRESETS, for_players, parse_override, preset, with_overrides

if TYPE_CHECKING:
    from pathlib import Path

UNTOLD = {
    "single_natural_is_set",
    "opening_single_set_of_three",
    "tournament",
    "joker_swap_match",
    "queen_swap_opponent_joker",
    "queen_swap_own_joker",
    "joker_swap_requires_being_down",
    "pot_opening_counts",
    "pot_needs_hand_cards",
    "pot_other_pile_cards_in_first_meld",
    "pot_layoff_suffices",
    "pot_min_hand",
    "pot_first_turn_free",
    "opening_joker",
    "opening_several_melds",
    "last_card_penalty_points",
    "going_out_first_turn",
    "going_out_waives_minimum",
    "team_size",
    "team_layoff",
    "team_going_out",
    "pip_scoring",
}
"""Rules that are told only where they have a use: beside a swap, a minimum, a team, a pot that asks for something."""


def a_context(tmp_path: Path, lang: str) -> Context:
    """A context with a profile of the test's own."""
    return Context(lang=lang, ascii=False, profile=Profile(data=tmp_path, logs=tmp_path / "log"))


def other_values(key: str, now: Value) -> list[Value]:
    """Some values of a rule other than this one."""
    match KINDS[key]:
        case Switch():
            found: list[Value] = [True, False]
        case Choice(words, optional):
            found = [*words, *([None] if optional else [])]
        case Number(low, high, optional):
            found = [low, min(low + 2, high), high, *([None] if optional else [])]
    return [value for value in found if value != now]


def test_the_origins_cover_every_field_constant_and_preset() -> None:
    """Each field and each constant has one known letter for each preset, and nothing else has."""
    assert set(ORIGINS) == set(KINDS)
    assert set(CONSTANT_ORIGINS) == set(CONSTANTS)
    for rule in [*ORIGINS, *CONSTANT_ORIGINS]:
        assert len(ORIGINS.get(rule) or CONSTANT_ORIGINS[rule]) == len(PRESETS)
        assert all(origin(rule, name) in Origin for name in PRESETS)


def test_some_origins_as_the_sources_have_them() -> None:
    """What a source states, implies, leaves open, or has no use for is told apart."""
    assert origin("opening_minimum", "basis") is Origin.STATED
    assert origin("opening_minimum", "online") is Origin.STATED
    assert origin("discard_required_to_go_out", "spelregelwijzer") is Origin.CHOSEN
    assert origin("queen_in_hand_penalty", "online") is Origin.IMPLIED
    assert origin("wild_two_may_be_two", "klassiek") is Origin.NONE
    assert origin("stalemate_rule", "online") is Origin.CHOSEN
    with pytest.raises(KeyError):
        origin("colour_of_the_cards", "online")
    with pytest.raises(ValueError, match="tuple"):
        origin("decks", "bridge")


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_a_page_with_all_sections(name: str) -> None:
    """The page of a preset has every section in order, no house rule, and both other labels."""
    page = rule_page(preset(name), name)
    sections = list(dict.fromkeys(statement.section for statement in page))

    assert sections == [section for section in SECTIONS if section != "other"]
    assert {statement.label for statement in page} == {Label.RULE, Label.CHOICE}
    for lang in LANGUAGES:
        sentences = [told(statement, lang) for statement in page]
        assert len(set(sentences)) == len(sentences)
        assert all(text[0].isupper() and text.endswith((".", "”")) for text in sentences)


@pytest.mark.parametrize("name", PRESETS)
def test_every_rule_that_matters_is_told(name: str) -> None:
    """No rule with an origin in the preset is passed over, but for those that have no use beside the others."""
    rules = {rule for statement in rule_page(preset(name), name) for rule in statement.rules}
    silent = {key for key in KINDS if key not in rules and origin(key, name) is not Origin.NONE}

    assert silent <= UNTOLD


@pytest.mark.parametrize("name", PRESETS)
def test_the_first_turn_is_told_only_where_one_can_go_out_in_it(name: str) -> None:
    """Who is out in the first turn comes down in it: where that bars going out, nothing is said of the first turn."""
    rules = {rule for statement in rule_page(preset(name), name) for rule in statement.rules}

    assert ("going_out_first_turn" in rules) is preset(name).going_out_opening_turn


@pytest.mark.parametrize("name", PRESETS)
def test_a_sentence_says_what_it_rests_on(name: str) -> None:
    """A sentence about one rule is our choice exactly where the source is silent about that rule."""
    single = [statement for statement in rule_page(preset(name), name) if len(statement.rules) == 1]

    assert len(single) > 20
    for statement in single:
        chosen = origin(statement.rules[0], name) is Origin.CHOSEN
        assert statement.label is (Label.CHOICE if chosen else Label.RULE), statement


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("key", sorted(KINDS))
def test_every_change_is_told_as_a_house_rule_and_as_a_difference(name: str, key: str) -> None:
    """Whatever a table changes is labelled on the page; who played the preset last is told the difference."""
    base = preset(name)
    for value in other_values(key, getattr(base, key)):
        try:
            rules = with_overrides(base, {key: value})
        except ValueError:
            continue  # this value alone has no meaning with the rest of the preset
        page = rule_page(rules, name)
        assert any(key in statement.rules and statement.label is Label.HOUSE for statement in page), (key, value)
        assert "rule.other" not in {statement.code for statement in page}
        differ = changes(rules, name, base)
        assert bool(differ) or key in {"players_min", "players_max"}, (key, value)


@pytest.mark.parametrize("name", PRESETS)
def test_the_number_of_seats_is_no_difference(name: str) -> None:
    """The same card at a smaller table counts as the same rules."""
    assert changes(for_players(preset(name), 2), name, preset(name)) == ()


def test_both_languages_of_the_page_use_the_same_facts() -> None:
    """No text of the page is empty or knows a fact that its translation does not."""
    for code, (dutch, english) in RULE_PAGE.items():
        assert dutch, code
        assert english, code
        assert set(facts_of(dutch)) == set(facts_of(english)), code


def test_the_strict_exit_is_the_first_house_rule_on_offer() -> None:
    """The usual card offers the strict exit, the free pot and playing on; each works, and is then offered no more."""
    rules = preset("spelregelwijzer")
    codes = [code for code, _ in offers(rules)]

    assert codes == ["rulepage.offer.strict_exit", "rulepage.offer.free_pot", "rulepage.offer.play_on"]
    for code, switches in offers(rules):
        assert all(page_text(code, lang).endswith(".") for lang in LANGUAGES)
        changed = with_overrides(rules, dict(parse_override(switch) for switch in switches))
        assert [left for left, _ in offers(changed)] == [other for other in codes if other != code]
    teams = with_overrides(rules, {"teams_allowed": True, "team_size": 2})
    assert [code for code, _ in offers(teams)] == codes[:2]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_as_lines(tmp_path: Path, lang: str) -> None:
    """The printed page begins with the card's name, labels each sentence and explains the labels that it uses."""
    rules = with_overrides(preset("klassiek"), {"opening_minimum": 40})
    context = a_context(tmp_path, lang)
    lines = page_lines(rules, "klassiek", context)
    house = page_text("rulepage.label.house", lang)

    assert lines[0] == context.word("rules.title", preset="klassiek")
    assert [line for line in lines if "40" in line and line.endswith(f"[{house}]")]
    assert f"  [{house}] {page_text('rulepage.legend.house', lang, preset='klassiek')}" in lines


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_short_form_tells_what_differs_from_the_last_game(tmp_path: Path, lang: str) -> None:
    """First nothing to compare with, then the same rules, then exactly what changed; the card's name comes last."""
    context = a_context(tmp_path, lang)
    rules = preset("spelregelwijzer")
    first = short_lines(rules, "spelregelwijzer", context)
    keep_rules(for_players(rules, 3), context)
    same = short_lines(rules, "spelregelwijzer", context)
    strict = with_overrides(rules, {"discard_required_to_go_out": True})
    changed = short_lines(strict, "spelregelwijzer", context)
    name = page_text("rulepage.short.name", lang, preset="spelregelwijzer")

    assert first == [page_text("rulepage.short.first", lang), name]
    assert same == [page_text("rulepage.short.same", lang), name]
    assert changed == [
        page_text("rulepage.short.changed", lang),
        *(f"  {told(s, lang)}" for s in rule_page(strict, "spelregelwijzer") if s.label is Label.HOUSE),
        name,
    ]


def test_rules_that_are_known_no_more_are_no_last_rules(tmp_path: Path) -> None:
    """A damaged setting, or rules of another version, count as never played."""
    context = a_context(tmp_path, "en")
    context.profile.remember(rules="decks=2\n")

    assert last_rules(context) is None
