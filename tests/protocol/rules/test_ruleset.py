"""RuleSet: presets, overrides, clashes, canonical bytes, numbers of players."""

from __future__ import annotations

import ast
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.errors import IllegalMove
from protocol.rules import rulefields, ruleset
from protocol.rules.rulefields import CONSTANTS, KINDS
from protocol.rules.rulekinds import Choice, Number, Value, write
from protocol.rules.ruleset import (
    DERIVED,
    PRESETS,
    ClashError,
    RuleSet,
    canonical,
    check_players,
    deviations,
    for_players,
    from_canonical,
    parse_override,
    preset,
    with_overrides,
)

ROOT = Path(__file__).parents[3]
TABLE: dict[str, dict[str, Any]] = yaml.safe_load(
    (ROOT / "tests/rules_cases/_presets.yaml").read_text(encoding="utf-8")
)["presets"]
OFFERS = {
    *("players_preferred", "extra_decks_allowed", "discard_pile_view", "hand_counts_public", "team_hands_visible"),
}
"""Rows of the table that are the interface's or the host's, not rules of play."""


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_the_table(name: str) -> None:
    """Every row of the rules matrix that has a value for a preset has the same value here, as a field or a constant."""
    rules = preset(name)
    for key, value in TABLE[name].items():
        if key in OFFERS or value is None:
            continue
        actual = CONSTANTS[key] if key in CONSTANTS else getattr(rules, key)
        expected = None if value == "any" and key == "layoff_cards_per_action" else value
        assert write(actual) == write(expected), key


def test_every_field_is_a_row_of_the_table() -> None:
    """Every field but the size of teams, which a table chooses, is a row of the rules matrix with the same name."""
    assert {field.name for field in fields(RuleSet)} == set(KINDS)
    assert set(KINDS) - set(TABLE["basis"]) == {"team_size"}
    assert not set(KINDS) & (set(CONSTANTS) | set(DERIVED))


@pytest.mark.must("R12")
def test_every_field_is_read_by_the_rules() -> None:
    """No field of RuleSet is ignored: each is read outside the modules that only define rule sets."""
    read = {
        node.attr
        for path in (ROOT / "protocol/rules").glob("*.py")
        if path.stem not in {"presets", "rulefields", "rulekinds"} and not path.stem.startswith("moves")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
    }
    assert set(KINDS) - read == set()


HOUSE_RULES: list[tuple[str, dict[str, object]]] = [
    ("basis", {"discard_required_to_go_out": False}),
    ("basis", {"queen_in_hand_penalty": 100}),
    ("basis", {"pip_scoring": True}),
    ("basis", {"team_size": 2, "team_going_out": "all"}),
    ("basis", {"joker_swap": False, "joker_swap_opponent": False}),
    ("basis", {"joker_swap_match": "exact_bridge"}),
    ("spelregelwijzer", {"joker_swap": True, "joker_swap_opponent": True}),
    ("spelregelwijzer", {"queen_discard": "last_card"}),
    ("spelregelwijzer", {"opening_minimum": 40}),
    ("spelregelwijzer", {"opening_single_set_of_three": True, "opening_minimum": 0}),
    ("spelregelwijzer", {"discard_required_to_go_out": True}),
    ("spelregelwijzer", {"going_out_opening_turn": True, "going_out_waives_minimum": True}),
    ("spelregelwijzer", {"two_as_joker": True, "jokers_in_deck": 0, "deuce_points": 25}),
    ("spelregelwijzer", {"pot_layoff_suffices": True}),
    ("spelregelwijzer", {"ace_low": False}),
    ("basis", {"decks": 3, "jokers_in_deck": 6, "set_max_cards": 12}),
]


@pytest.mark.parametrize(("name", "overrides"), HOUSE_RULES)
def test_house_rules_are_deviations(name: str, overrides: dict[str, object]) -> None:
    """A house rule changes what it names (and what follows), and the deviations list exactly the changes."""
    rules = with_overrides(preset(name), overrides)
    changed = {key: now for key, _, now in deviations(rules, name)}
    chosen = {key: value for key, value in overrides.items() if key in KINDS}
    assert chosen == {key: changed.get(key, getattr(preset(name), key)) for key in chosen}
    assert set(changed) - set(chosen) <= {"joker_points", "jokers_in_deck", "deuce_points"}


def test_dependent_values_follow() -> None:
    """More packs bring their jokers, twos as jokers inherit the points of jokers, real jokers get theirs back."""
    three = with_overrides(preset("klassiek"), {"decks": 3})
    assert (three.jokers_in_deck, three.set_max_cards, three.deck_size, three.pack.size) == (6, 12, 162, 162)
    twos = with_overrides(preset("schoppenvrouwen"), {"two_as_joker": True})
    assert (twos.jokers_in_deck, twos.deuce_points, twos.joker_points) == (0, 20, None)
    real = with_overrides(preset("modern"), {"two_as_joker": False, "jokers_in_deck": 4, "deuce_points": 5})
    assert real.joker_points == 25


CLASHES: list[tuple[str, dict[str, object], tuple[str, str]]] = [
    ("klassiek", {"players_min": 5}, ("players_min", "players_max")),
    ("klassiek", {"jokers_in_deck": 3}, ("jokers_in_deck", "decks")),
    ("klassiek", {"jokers_in_deck": 10}, ("jokers_in_deck", "decks")),
    ("klassiek", {"two_as_joker": True, "jokers_in_deck": 4}, ("two_as_joker", "jokers_in_deck")),
    ("klassiek", {"joker_points": None}, ("joker_points", "jokers_in_deck")),
    ("klassiek", {"joker_swap": False}, ("joker_swap_opponent", "joker_swap")),
    ("online", {"joker_swap": True}, ("joker_swap", "joker_swap_match")),
    ("klassiek", {"layoff_run_ends": False}, ("layoff_run_ends", "duplicate_in_run")),
    ("spelregelwijzer", {"going_out_waives_minimum": True}, ("going_out_waives_minimum", "going_out_opening_turn")),
    ("klassiek", {"pot_layoff_suffices": True}, ("pot_layoff_suffices", "pot_top_card_must_be_melded")),
    ("klassiek", {"pot_needs_hand_cards": 2}, ("pot_needs_hand_cards", "pot_top_card_must_be_melded")),
    ("klassiek", {"team_size": 2}, ("team_size", "teams_allowed")),
    ("basis", {"team_size": 1}, ("team_size", "teams_allowed")),
    (
        "basis",
        {"last_card_call": "points", "last_card_penalty_points": None},
        ("last_card_call", "last_card_penalty_points"),
    ),
]


@pytest.mark.must("R4")
@pytest.mark.parametrize(("name", "overrides", "settings_"), CLASHES)
def test_clashing_settings_are_named(name: str, overrides: dict[str, object], settings_: tuple[str, str]) -> None:
    """Settings without a meaning together are refused by name."""
    with pytest.raises(ClashError) as refused:
        with_overrides(preset(name), overrides)
    assert refused.value.settings == settings_
    assert all(key in str(refused.value) for key in settings_)


@pytest.mark.parametrize(
    ("overrides", "points"),
    [
        ({"last_card_call": "extra_card"}, None),
        ({"last_card_call": "points"}, 20),
        ({"last_card_call": "points", "last_card_penalty_points": 50}, 50),
        ({"last_card_call": "points", "last_card_penalty_points": 0}, 0),
    ],
)
def test_a_missed_call_has_a_price(overrides: dict[str, object], points: int | None) -> None:
    """A table that wants points for a missed call and names no number gets 20; its own number stays."""
    rules = with_overrides(preset("basis"), overrides)

    assert rules.last_card_penalty_points == points
    assert with_overrides(rules, {"ace_low": False}).last_card_penalty_points == points
    assert from_canonical(canonical(rules)) == rules


@pytest.mark.must("R3")
@pytest.mark.parametrize(
    "overrides",
    [
        {"no_such_rule": 1},
        {"ace_wrap": True},
        {"set_max_cards": 4},
        {"ace_points": True},
        {"decks": 0},
        {"decks": True},
        {"decks": "2"},
        {"ace_low": 1},
        {"queen_discard": "always"},
        {"queen_discard": True},
        {"opening_minimum": -1},
        {"target_score": None},
        {"discard_pile_view": "all"},
    ],
)
def test_senseless_overrides_are_refused(overrides: dict[str, object]) -> None:
    """Unknown keys, constants, derived values and values of the wrong kind raise ValueError."""
    with pytest.raises(ValueError, match=next(iter(overrides))):
        with_overrides(preset("klassiek"), overrides)


def test_constants_may_be_named_with_their_value() -> None:
    """An override that says what is so anyway changes nothing."""
    same = with_overrides(preset("klassiek"), {"ace_wrap": False, "set_max_cards": 8, "deck_size": 108})
    assert same == preset("klassiek")


def test_unknown_presets_are_refused() -> None:
    """The name of a preset is one of six."""
    with pytest.raises(ValueError, match="no preset"):
        preset("Klassiek")
    assert len(PRESETS) == 6


def _values(key: str) -> list[Value]:
    kind = KINDS[key]
    if isinstance(kind, Number):
        some: list[Value] = [kind.low, kind.high, min(kind.low + 1, kind.high)]
        return [*some, None] if kind.optional else some
    if isinstance(kind, Choice):
        return [*kind.words, None] if kind.optional else list(kind.words)
    return [True, False]


@st.composite
def _rule_sets(draw: st.DrawFn) -> RuleSet:
    rules = preset(draw(st.sampled_from(PRESETS)))
    for key in draw(st.lists(st.sampled_from(sorted(KINDS)), max_size=8)):
        try:
            rules = with_overrides(rules, {key: draw(st.sampled_from(_values(key)))})
        except ClashError:
            continue
    return rules


@pytest.mark.must("R1")
@settings(max_examples=200)
@given(a=_rule_sets(), b=_rule_sets())
def test_canonical_bytes_are_unambiguous(a: RuleSet, b: RuleSet) -> None:
    """Rule sets have the same bytes exactly if they are equal, and the bytes give the rule set back."""
    assert from_canonical(canonical(a)) == a
    assert (canonical(a) == canonical(b)) == (a == b)


@pytest.mark.must("R2")
@settings(max_examples=200)
@given(rules=_rule_sets(), data=st.data())
def test_only_canonical_bytes_are_read(rules: RuleSet, data: st.DataObject) -> None:
    """Bytes that were changed in any way are refused, or are the canonical form of other rules."""
    text = canonical(rules)
    at = data.draw(st.integers(0, len(text)))
    change = data.draw(st.binary(min_size=1, max_size=3))
    kept = data.draw(st.integers(0, 3))
    changed = text[:at] + change + text[at + kept :]
    try:
        read = from_canonical(changed)
    except ValueError:
        return
    assert canonical(read) == changed


@pytest.mark.must("R2")
def test_other_orders_and_gaps_are_refused() -> None:
    """Lines in another order, twice, missing, without the last newline or with blanks are not canonical."""
    text = canonical(preset("klassiek"))
    lines = text.splitlines(keepends=True)
    for wrong in (
        b"".join(reversed(lines)),
        b"".join([*lines, lines[0]]),
        b"".join(lines[1:]),
        text[:-1],
        text + b"\n",
        text.replace(b"=", b" = "),
        text.replace(b"\n", b"\r\n"),
        text.replace(b"decks=2", b"decks=02"),
        text.replace(b"layoff_cards_per_action=none", b"layoff_cards_per_action=any"),
        text.replace(b"decks", "décks".encode()),
        b"",
    ):
        assert wrong != text
        with pytest.raises(ValueError):  # noqa: PT011 - each has a message of its own
            from_canonical(wrong)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("opening_minimum=40", ("opening_minimum", 40)),
        (" ace_low = false ", ("ace_low", False)),
        ("players_max=none", ("players_max", None)),
        ("layoff_cards_per_action=any", ("layoff_cards_per_action", None)),
        ("laying_may_leave_only_queens=false", ("laying_may_leave_only_queens", "false")),
        ("joker_swap_match=exact_bridge", ("joker_swap_match", "exact_bridge")),
    ],
)
def test_overrides_are_read(text: str, expected: tuple[str, Value]) -> None:
    """`key=value` gives the key and a value of its kind."""
    assert parse_override(text) == expected


@pytest.mark.parametrize("text", ["ace_low", "ace_low=", "ace_low=yes", "decks=two", "decks=+2", "decks=²", "=1"])
def test_unreadable_overrides_are_refused(text: str) -> None:
    """Anything else than a known key and a value of its kind raises ValueError."""
    with pytest.raises(ValueError):  # noqa: PT011 - each has a message of its own
        parse_override(text)


@pytest.mark.must("R30")
def test_numbers_of_players() -> None:
    """Two to seven players with enough cards may sit down; a number that the preset does not name is a deviation."""
    klassiek = preset("klassiek")
    assert [check_players(klassiek, n) for n in range(2, 8)] == [False, False, True, False, False, False]
    assert all(check_players(preset("basis"), n) for n in range(2, 8))
    for n in (0, 1, 8, 100):
        with pytest.raises(IllegalMove, match="player_count"):
            check_players(klassiek, n)
    with pytest.raises(IllegalMove, match="not_enough_cards"):
        check_players(with_overrides(klassiek, {"hand_size": 20}), 6)
    teams = with_overrides(preset("basis"), {"team_size": 2})
    assert check_players(teams, 4)
    assert (teams.team_of(4), teams.team_of(6)) == ((0, 1, 0, 1), (0, 1, 2, 0, 1, 2))
    for n in (2, 3, 5):
        with pytest.raises(IllegalMove, match="team_size"):
            check_players(teams, n)


def test_other_numbers_of_players_become_deviations() -> None:
    """Rules widened for a number of players name it, and the rule card shows the change."""
    klassiek = preset("klassiek")
    assert for_players(klassiek, 4) is klassiek
    assert deviations(for_players(klassiek, 2), "klassiek") == [("players_min", 4, 2)]
    assert deviations(for_players(klassiek, 6), "klassiek") == [("players_max", 4, 6)]


def test_nothing_of_a_rule_set_can_be_changed() -> None:
    """A RuleSet is frozen and says which value is wrong when made with one."""
    with pytest.raises(AttributeError):
        preset("klassiek").decks = 3  # type: ignore[misc]
    with pytest.raises(ValueError, match="decks must be"):
        ruleset._build({**{key: getattr(preset("klassiek"), key) for key in KINDS}, "decks": 9})
    assert rulefields.IDLE_LAPS == 3
