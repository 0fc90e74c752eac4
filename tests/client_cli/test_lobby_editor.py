"""The rule card editor: every setting can be stepped through, told in words, marked when it deviates, taken back."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from client_cli.lobby import editor
from client_cli.lobby.editor import Card, Problem, built, house, rows, step, values
from client_cli.lobby.words import knows
from client_cli.messages import LANGUAGES
from client_cli.texts.lobby_settings import SETTING
from protocol.rules.rulefields import KINDS
from protocol.rules.rulekinds import Choice, Number, write
from protocol.rules.ruleset import PRESETS, ClashError, RuleSet, deviations, for_players, preset, with_overrides

if TYPE_CHECKING:
    from protocol.rules.rulekinds import Value

SEATS = {"players_min", "players_max"}


ROWS = [key for _, keys in editor.TOPICS for key in keys if key not in editor.BUNDLES]


def at(row: str, **other: object) -> Card:
    """A card with its cursor on this row."""
    values_: dict[str, object] = {"preset": "klassiek", **other}
    return replace(Card(**values_), cursor=row)  # type: ignore[arg-type]


def test_every_setting_of_the_rules_is_in_the_editor_once() -> None:
    """All fields of the rules but the number of players, which follows from the seats."""
    listed = [key for _, keys in editor.TOPICS for key in keys]

    assert len(listed) == len(set(listed))
    assert set(listed) - set(editor.BUNDLES) == {field.name for field in fields(RuleSet)} - SEATS


@pytest.mark.parametrize("name", PRESETS)
def test_a_fresh_card_is_the_preset(name: str) -> None:
    """Nothing is changed, and the rules are the preset's, widened to the seats at most."""
    rules = built(Card(preset=name))

    assert rules == for_players(preset(name), 4)
    assert house(Card(preset=name)) <= SEATS


@pytest.mark.parametrize("key", ROWS)
@pytest.mark.parametrize("name", PRESETS)
def test_the_arrows_lead_through_every_value(key: str, name: str) -> None:
    """From any preset the arrows reach each listed value of a setting; each is one that the rules accept."""
    card = at(key, preset=name)
    among = editor.choices(key, values(card))
    seen: list[Value] = []
    for _ in range(len(among)):
        card = step(card, -1)
    for _ in range(len(among) + 1):
        seen.append(values(card)[key])
        card = step(card, 1)

    for value in seen:
        KINDS[key].check(value)
    if isinstance(built(replace(card, changed=())), RuleSet) and key not in {"jokers_in_deck", "joker_points"}:
        assert set(among) <= set(seen)


@pytest.mark.parametrize("key", ROWS)
def test_words_have_a_word_for_every_value(key: str) -> None:
    """A setting has a line of its own; each of its words and absent values has one; numbers speak for themselves."""
    assert f"setting.{key}" in SETTING
    kind = KINDS[key]
    if isinstance(kind, Choice):
        for value in (*kind.words, *((None,) if kind.optional else ())):
            own, common = f"setting.value.{key}.{write(value)}", f"setting.value.{write(value)}"
            assert own in SETTING or common in SETTING, value


def test_a_value_of_the_preset_is_no_change() -> None:
    """Stepping away and back leaves no trace."""
    away = step(at("opening_minimum"), 1)
    back = step(away, -1)

    assert away.changed == (("opening_minimum", 5),)
    assert back.changed == ()


@pytest.mark.parametrize("name", PRESETS)
def test_the_strict_exit_is_offered_first_then_the_free_pot_and_playing_on(name: str) -> None:
    """The first house rules below the table are those three; the free pot is one switch, there and back."""
    card = at("free_pot", preset=name)
    asked = rows(card)[len(editor.table_rows(card)) :][:3]
    usual = values(card)["free_pot"]
    switched = step(card, 1)

    assert asked == ("discard_required_to_go_out", "free_pot", "resign")
    assert (values(switched)["free_pot"], values(step(switched, 1))["free_pot"]) == (not usual, usual)
    assert isinstance(built(switched), RuleSet)
    assert "free_pot" in house(switched)
    assert any(clause.house for clause in editor.told(switched, "free_pot"))
    assert step(switched, 1).changed == editor.reset(switched).changed == ()


def test_what_follows_from_a_change_is_shown_as_changed_too() -> None:
    """Twos as jokers send the real jokers away: all that differs is marked, one step takes all of it back."""
    card = step(at("two_as_joker"), 1)

    assert house(card) == {"two_as_joker", "jokers_in_deck", "joker_points", "deuce_points"}
    assert card.changed == (("two_as_joker", True),)
    assert house(editor.reset(card)) == set()


def test_another_preset_keeps_the_changes_that_it_does_not_have_anyway() -> None:
    """A house rule survives the choice of another card, unless that card has it."""
    card = step(replace(step(at("opening_minimum"), 6), cursor="target_score"), 1)
    basis = editor.changed_to(replace(card, cursor="preset"), "opening_minimum", 30)
    moved = step(basis, PRESETS.index("basis") - PRESETS.index("klassiek"))

    assert moved.preset == "basis"
    assert moved.changed == (("target_score", 1100),)


CLASHES: dict[str, dict[str, Value]] = {
    "clash.jokers_in_deck.decks": {"jokers_in_deck": 3},
    "clash.two_as_joker.jokers_in_deck": {"two_as_joker": True, "jokers_in_deck": 2},
    "clash.joker_points.jokers_in_deck": {"joker_points": None},
    "clash.joker_swap_opponent.joker_swap": {"joker_swap": False},
    "clash.joker_swap.joker_swap_match": {"joker_swap_match": None},
    "clash.layoff_run_ends.duplicate_in_run": {"layoff_run_ends": False},
    "clash.going_out_waives_minimum.going_out_opening_turn": {
        "going_out_waives_minimum": True,
        "going_out_opening_turn": False,
    },
    "clash.last_card_call.last_card_penalty_points": {"last_card_call": "points", "last_card_penalty_points": None},
    "clash.pot_layoff_suffices.pot_top_card_must_be_melded": {"pot_layoff_suffices": True},
    "clash.pot_needs_hand_cards.pot_top_card_must_be_melded": {"pot_needs_hand_cards": 2},
    "clash.team_size.teams_allowed": {"team_size": 2},
    "clash.resign.team_size": {"teams_allowed": True, "team_size": 2, "resign": "play_on"},
}


@pytest.mark.parametrize("code", CLASHES)
def test_a_clash_is_kept_named_and_explained(code: str) -> None:
    """The card keeps what was chosen, names the two rows, and both languages say why they do not go together."""
    card = Card(preset="klassiek", changed=tuple(CLASHES[code].items()))
    problem = built(card)

    assert isinstance(problem, Problem)
    assert problem.code == code
    assert set(problem.rows) <= {key for _, keys in editor.TOPICS for key in keys}
    assert code in SETTING
    assert {key: values(card)[key] for key in CLASHES[code]} == CLASHES[code]
    assert editor.told(card, problem.rows[0]) == ()


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_every_clash_that_rules_can_have_is_explained(data: st.DataObject) -> None:
    """Whatever two or three settings are chosen, a refusal has its own sentence."""
    keys = data.draw(st.lists(st.sampled_from(sorted(set(KINDS) - SEATS)), min_size=1, max_size=3, unique=True))
    base = preset(data.draw(st.sampled_from(PRESETS)))
    shown = {key: getattr(base, key) for key in KINDS}
    chosen = {key: data.draw(st.sampled_from(editor.choices(key, shown))) for key in keys}
    code = "clash.other"
    try:
        with_overrides(base, chosen)
    except ClashError as error:
        code = f"clash.{error.settings[0]}.{error.settings[1]}"

    assert code in SETTING


@pytest.mark.parametrize(("seats", "hand", "code"), [(7, 15, "not_enough_cards"), (3, 13, None), (7, 13, None)])
def test_seats_that_the_cards_cannot_serve_are_explained(seats: int, hand: int, code: str | None) -> None:
    """Too many hands for the deck are refused by the reason of the rules; other numbers of seats are a house rule."""
    found = built(Card(preset="klassiek", seats=seats, changed=(("hand_size", hand),) if hand != 13 else ()))

    if code is None:
        assert isinstance(found, RuleSet)
    else:
        assert found == Problem(code, ("seats",))
        assert knows(code)


def test_seats_bots_and_rounds_stay_in_range() -> None:
    """Two to seven seats, a bot less than seats at most, no negative rounds."""
    most = card = at("seats", bots=3)
    for _ in range(10):
        most = step(most, 1)
        card = step(card, -1)

    assert (most.seats, most.bots, card.seats, card.bots) == (7, 3, 2, 1)
    assert step(at("bots", bots=3), 1).bots == 3
    assert step(at("bots"), -1).bots == 0
    assert step(at("rounds"), -1).rounds == 0
    assert step(at("rounds", rounds=editor.MOST_ROUNDS), 1).rounds == editor.MOST_ROUNDS
    assert [step(at("sealed"), by).sealed for by in (-1, 1)] == [True, True]
    assert [step(at("tls"), by).tls for by in (-1, 1)] == [True, True]
    assert not {"bots", "sealed", "tls"} & {*rows(Card(practice=True))}


def test_tab_goes_through_the_topics_and_round() -> None:
    """Each topic's first row once, then the beginning; backwards too."""
    card, firsts = Card(), []
    for _ in range(len(editor.TOPICS) + 1):
        firsts.append(card.cursor)
        card = editor.next_topic(card, 1)
    middle = editor.next_topic(replace(Card(), cursor="ace_high"), -1)

    assert firsts == ["preset", *(keys[0] for _, keys in editor.TOPICS)]
    assert card.cursor == "preset"
    assert editor.next_topic(Card(), -1).cursor == "teams_allowed"
    assert middle.cursor == "meld_min_cards"


@pytest.mark.parametrize("name", PRESETS)
def test_every_deviation_is_told_in_a_sentence(name: str) -> None:
    """Each single step away from a preset has at least one sentence, and it is marked as a house rule."""
    for key in ROWS:
        card = step(at(key, preset=name), 1)
        rules = built(card)
        if isinstance(rules, Problem) or not any(key == changed for changed, _, _ in deviations(rules, name)):
            continue
        told = editor.told(card, key)
        assert told, key
        assert any(clause.house for clause in told), key
        assert editor.house_rules(rules, name)


def test_numbers_off_the_steps_are_kept() -> None:
    """A value between two steps (a preset's, a file's) is shown and left towards the next step."""
    card = Card(preset="klassiek", changed=(("opening_minimum", 33),), cursor="opening_minimum")

    assert [values(step(card, by))["opening_minimum"] for by in (-1, 0, 1)] == [30, 33, 35]
    assert isinstance(KINDS["opening_minimum"], Number)


def test_both_languages_of_the_settings_are_complete() -> None:
    """No text is empty or padded, and both use the same facts."""
    from client_cli.messages import facts_of

    for code, pair in SETTING.items():
        assert len(pair) == len(LANGUAGES)
        assert all(text and text == text.strip() for text in pair), code
        assert set(facts_of(pair[0])) == set(facts_of(pair[1])), code
