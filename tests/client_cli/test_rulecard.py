"""The agreed rules in words: complete for every preset and every deviation from it."""

from __future__ import annotations

import pytest

from client_cli.messages import LANGUAGES, sentence
from client_cli.rulecard import rule_card
from protocol.rules.rulefields import KINDS
from protocol.rules.rulekinds import Choice, Number, Switch, Value
from protocol.rules.ruleset import PRESETS, for_players, preset, with_overrides


def values(key: str) -> list[Value]:
    """Some or all values of a rule."""
    kind = KINDS[key]
    match kind:
        case Switch():
            return [True, False]
        case Choice(words, optional):
            return [*words, *([None] if optional else [])]
        case Number(low, high, optional):
            return [low, min(low + 2, high), high, *([None] if optional else [])]


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_told_without_house_rules(name: str) -> None:
    """Each preset has a card in both languages, topic by topic, and nothing on it is a house rule."""
    card = rule_card(preset(name), name)

    assert len(card) > 20
    assert not any(clause.house for clause in card)
    for clause in card:
        for lang in LANGUAGES:
            assert sentence(clause.topic, lang)
            assert sentence(clause.code, lang, **dict(clause.facts)).endswith((".", "”"))


@pytest.mark.parametrize(
    ("name", "seats", "told"),
    [
        ("klassiek", 2, "Meant for 4 players; this table allows 2 to 4."),
        ("klassiek", 6, "Meant for 4 players; this table allows 4 to 6."),
        ("online", 6, "This table allows 2 to 6 players."),
    ],
)
def test_other_seats_than_usual_are_said_to_be_this_tables(name: str, seats: int, told: str) -> None:
    """Merely choosing another number of seats is told as what this table allows, beside what is usual."""
    (clause,) = (clause for clause in rule_card(for_players(preset(name), seats), name) if clause.house)

    assert sentence(clause.code, "en", **dict(clause.facts)) == told


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("key", sorted(KINDS))
def test_every_deviation_is_told_in_a_sentence_and_marked(name: str, key: str) -> None:
    """Whatever a table changes, the card says so in words of both languages and calls it a house rule."""
    base = preset(name)
    for value in values(key):
        if value == getattr(base, key):
            continue
        try:
            rules = with_overrides(base, {key: value})
        except ValueError:
            continue  # this value alone has no meaning with the rest of the preset
        card = rule_card(rules, name)
        assert any(clause.house for clause in card), (key, value)
        for clause in card:
            assert clause.code != "rule.other", (key, value)
            for lang in LANGUAGES:
                assert sentence(clause.code, lang, **dict(clause.facts))


@pytest.mark.parametrize(
    ("name", "pips", "code", "facts"),
    [
        ("basis", False, "rule.values_even", {}),
        ("modern", False, "rule.values", {"deuce": 20}),
        ("basis", True, "rule.pips_even", {}),
        ("modern", True, "rule.pips", {"deuce": 20}),
    ],
)
def test_the_card_tells_what_a_two_really_counts(name: str, pips: bool, code: str, facts: dict[str, int]) -> None:
    """As the cards after it, unless it is a joker; where cards count their pips a two counts two."""
    rules = with_overrides(preset(name), {"pip_scoring": pips})
    told = [(clause.code, dict(clause.facts)) for clause in rule_card(rules, name) if "deuce_points" in clause.settings]

    assert told == [(code, facts)]
