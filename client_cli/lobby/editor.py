"""A rule card being made: a preset, the settings that differ, and how many sit down. Pure.

A combination without a meaning is kept and explained, so that a person sees what clashes and takes one of the two
back; it just cannot be played. Which values a setting has is known to the rules; the steps between numbers are chosen
here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from client_cli.__main__ import DEFAULT_RULES
from client_cli.messages import CATALOGUE
from client_cli.rulecard import Clause, rule_card
from client_cli.rulepage import OFFERS
from protocol.errors import IllegalMove
from protocol.rules.rulefields import KINDS, PLAYERS_LEAST, PLAYERS_MOST
from protocol.rules.rulekinds import Choice, Number, Switch, Value, write
from protocol.rules.ruleset import PRESETS, ClashError, RuleSet, check_players, for_players, preset, with_overrides

MOST_ROUNDS = 20

BUNDLES: Mapping[str, Mapping[str, Value]] = {name: dict(made) for name, made in OFFERS if len(made) > 1}
"""Rows that are one house rule and several settings: on is all of these values."""

TOPICS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("offers", tuple(name if name in BUNDLES else made[0][0] for name, made in OFFERS)),
    (
        "deck",
        (
            *("decks", "jokers_in_deck", "two_as_joker", "hand_size", "first_starter", "next_starter"),
            *("opening_exchange", "exchange_return_other_card", "exchange_may_return_queen"),
        ),
    ),
    (
        "melds",
        (
            *("meld_min_cards", "ace_low", "ace_high", "ace_both_ends", "run_max_cards"),
            *("same_suit_twice_in_set", "duplicate_in_run"),
        ),
    ),
    (
        "jokers",
        (
            *("joker_majority", "min_naturals", "single_natural_is_set", "wild_two_may_be_two", "joker_swap"),
            *("joker_swap_opponent", "joker_swap_match", "joker_swap_requires_being_down"),
            *("queen_swap_opponent_joker", "queen_swap_own_joker"),
        ),
    ),
    (
        "opening",
        (
            *("opening_minimum", "opening_several_melds", "opening_joker", "opening_single_set_of_three"),
            *("layoff_scope", "layoff_requires_being_down", "layoff_same_turn_as_opening"),
            *("layoff_cards_per_action", "layoff_run_ends", "layoff_joker"),
        ),
    ),
    (
        "turn",
        (
            *("pot_top_card_must_be_melded", "pot_needs_hand_cards", "pot_other_pile_cards_in_first_meld"),
            *("pot_layoff_suffices", "pot_requires_being_down", "pot_opening_counts", "pot_min_hand"),
            *("pot_first_turn_free", "pot_rest_same_turn", "discard_joker_allowed"),
            *("discard_card_just_taken_allowed", "turn_time_limit_hours"),
        ),
    ),
    (
        "queen",
        (
            *("queen_discard", "queen_drawn_source", "queen_discard_two_queens"),
            *("laying_may_leave_only_queens", "queen_in_hand_penalty"),
        ),
    ),
    (
        "end",
        (
            *("going_out_first_turn", "going_out_opening_turn", "going_out_waives_minimum"),
            *("last_card_call", "last_card_penalty_points"),
        ),
    ),
    (
        "score",
        (
            *("deuce_points", "joker_points", "pip_scoring", "final_score", "target_score", "tie_at_top"),
            "aborted_winner_excludes_leaver",
        ),
    ),
    ("teams", ("teams_allowed", "team_size", "team_layoff", "team_going_out", "tournament")),
)
"""Every setting a person can change, by topic, and first the house rules that people ask for most.

How many may play is not one of them: it follows from the seats.
"""

_STEPS: Mapping[str, int] = {
    "opening_minimum": 5,
    "queen_in_hand_penalty": 50,
    "last_card_penalty_points": 10,
    "deuce_points": 5,
    "joker_points": 5,
    "target_score": 100,
}
_HOURS = (1, 2, 4, 8, 12, 24, 48, 72, 168)


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What a host decides. `changed` are settings that differ from the preset; `practice` is a table of bots only."""

    preset: str = DEFAULT_RULES
    changed: tuple[tuple[str, Value], ...] = ()
    seats: int = 4
    bots: int = 0
    rounds: int = 0
    """Rounds to play; 0: to the target."""
    sealed: bool = False
    """Whether only the table code opens the table."""
    tls: bool = False
    """Whether the table's own broker speaks TLS."""
    practice: bool = False
    cursor: str = "preset"


@dataclass(frozen=True, slots=True)
class Problem:
    """Why the card cannot be played: a code (`clash.FIRST.SECOND`, or a reason of the rules) and the rows concerned."""

    code: str
    rows: tuple[str, ...]


def table_rows(card: Card) -> tuple[str, ...]:
    """The rows about the table rather than its rules."""
    return ("preset", "seats", "rounds") if card.practice else ("preset", "seats", "bots", "rounds", "sealed", "tls")


def rows(card: Card) -> tuple[str, ...]:
    """All rows that the cursor can stand on, in order."""
    return (*table_rows(card), *(key for _, keys in TOPICS for key in keys))


def built(card: Card) -> RuleSet | Problem:
    """The agreed rules, widened to the seats; or why there are none."""
    try:
        rules = with_overrides(preset(card.preset), dict(card.changed))
    except ClashError as error:
        return Problem(f"clash.{error.settings[0]}.{error.settings[1]}", error.settings)
    except ValueError:  # a value out of its range: steps never lead there, a preset of another release might
        return Problem("clash.other", tuple(key for key, _ in card.changed))
    try:
        check_players(rules, card.seats)
        return for_players(rules, card.seats)
    except IllegalMove as error:
        return Problem(error.code, ("seats",))


def settings_of(row: str) -> tuple[str, ...]:
    """The settings that a row about the rules is about."""
    return tuple(BUNDLES.get(row, (row,)))


def values(card: Card) -> Mapping[str, Value]:
    """The value of every row about the rules as the card shows it, also while settings clash."""
    found = built(card)
    if isinstance(found, RuleSet):
        return _with_bundles({key: getattr(found, key) for key in KINDS})
    return _with_bundles({**usual(card), **dict(card.changed)})


def usual(card: Card) -> Mapping[str, Value]:
    """The value of every row as the preset has it."""
    base = preset(card.preset)
    return _with_bundles({key: getattr(base, key) for key in KINDS})


def _with_bundles(shown: Mapping[str, Value]) -> Mapping[str, Value]:
    return {**shown, **{row: all(shown[key] == on for key, on in made.items()) for row, made in BUNDLES.items()}}


def house(card: Card) -> frozenset[str]:
    """The rows that differ from the preset, those that follow from others included."""
    base, shown = usual(card), values(card)
    return frozenset(row for row in shown if shown[row] != base[row])


def changes(card: Card) -> int:
    """How many settings differ from the preset."""
    return len(house(card) - set(BUNDLES))


def choices(key: str, shown: Mapping[str, Value]) -> tuple[Value, ...]:
    """The values that the arrows lead through, in order; the present one is always among them."""
    kind = KINDS[key]
    match kind:
        case Switch():
            return (False, True)
        case Choice(words, optional):
            return (*((None,) if optional else ()), *words)
        case Number():
            return _numbers(key, kind, shown)


def _numbers(key: str, kind: Number, shown: Mapping[str, Value]) -> tuple[Value, ...]:
    if key == "turn_time_limit_hours":
        grid = set(_HOURS)
    elif key == "jokers_in_deck":
        decks = shown["decks"]
        assert isinstance(decks, int)
        grid = set(range(0, 4 * decks + 1, decks))
    else:
        step = _STEPS.get(key, 1)
        grid = set(range(-(-kind.low // step) * step, min(kind.high, 200 * step) + 1, step))
    now = shown[key]
    if isinstance(now, int):
        grid.add(now)
    return (*((None,) if kind.optional else ()), *sorted(grid))


def step(card: Card, by: int) -> Card:
    """The card with the row of its cursor one value further. Words go round, numbers stop at their ends."""
    match card.cursor:
        case "preset":
            return _preset(card, PRESETS[(PRESETS.index(card.preset) + by) % len(PRESETS)])
        case "seats":
            seats = min(max(card.seats + by, PLAYERS_LEAST), PLAYERS_MOST)
            return replace(card, seats=seats, bots=min(card.bots, seats - 1))
        case "bots":
            return replace(card, bots=min(max(card.bots + by, 0), card.seats - 1))
        case "rounds":
            return replace(card, rounds=min(max(card.rounds + by, 0), MOST_ROUNDS))
        case "sealed":
            return replace(card, sealed=not card.sealed)
        case "tls":
            return replace(card, tls=not card.tls)
        case key:
            return _setting(card, key, by)


def _preset(card: Card, name: str) -> Card:
    """Changes are kept, but for those that the new preset has anyway."""
    base = preset(name)
    changed = tuple((key, value) for key, value in card.changed if getattr(base, key) != value)
    return replace(card, preset=name, changed=changed)


def _setting(card: Card, key: str, by: int) -> Card:
    shown = values(card)
    if key in BUNDLES:
        return _switched(card, key, on=not shown[key])
    among = choices(key, shown)
    at = among.index(shown[key]) + by
    at = max(0, min(at, len(among) - 1)) if isinstance(KINDS[key], Number) else at % len(among)
    return changed_to(card, key, among[at])


def _switched(card: Card, row: str, *, on: bool) -> Card:
    """The card with this bundle on; or off, as the preset has it, and where that has it on by its first setting."""
    made = BUNDLES[row]
    if not on:
        card = _as_usual(card, made)
        made = {key: not value for key, value in list(made.items())[:1]} if values(card)[row] else {}
    for key, value in made.items():
        card = changed_to(card, key, value)
    return card


def changed_to(card: Card, key: str, value: Value) -> Card:
    """The card with this value of a setting; what the preset has anyway is no change."""
    rest = {name: own for name, own in card.changed if name != key}
    kept = replace(card, changed=tuple(rest.items()))
    if values(kept)[key] == value:
        return kept
    return replace(card, changed=(*rest.items(), (key, value)))


def reset(card: Card) -> Card:
    """The row of the cursor as the preset has it."""
    return _as_usual(card, settings_of(card.cursor))


def _as_usual(card: Card, keys: Collection[str]) -> Card:
    return replace(card, changed=tuple((key, value) for key, value in card.changed if key not in keys))


def next_topic(card: Card, by: int) -> Card:
    """The cursor on the first row of the next (or of this, then of the previous) topic."""
    starts = [0, *(rows(card).index(keys[0]) for _, keys in TOPICS)]
    at = rows(card).index(card.cursor)
    later, earlier = [s for s in starts if s > at], [s for s in starts if s < at]
    to = (later[0] if later else starts[0]) if by > 0 else (earlier[-1] if earlier else starts[-1])
    return replace(card, cursor=rows(card)[to])


def move(card: Card, by: int) -> Card:
    """The cursor so many rows further, stopping at the ends."""
    among = rows(card)
    return replace(card, cursor=among[max(0, min(among.index(card.cursor) + by, len(among) - 1))])


def told(card: Card, row: str) -> tuple[Clause, ...]:
    """The sentences of the rule card that tell this row as it is now; none while settings clash."""
    rules = built(card)
    if isinstance(rules, Problem):
        return ()
    keys = settings_of(row)
    found = tuple(clause for clause in rule_card(rules, card.preset) if set(keys).intersection(clause.settings))
    return found or tuple(_plain(keys[0], getattr(rules, keys[0])))


def _plain(key: str, value: Value) -> Iterator[Clause]:
    """A setting that the rule card does not mention, because it is as usual: by its own sentence if there is one."""
    code = f"rule.now.{key}.{write(value)}"
    if code in CATALOGUE:
        yield Clause("rule.topic.house", code, (("now", write(value)),), settings=(key,))


def house_rules(rules: RuleSet, name: str) -> tuple[Clause, ...]:
    """The sentences in which a table differs from its preset."""
    return tuple(clause for clause in rule_card(rules, name) if clause.house)
