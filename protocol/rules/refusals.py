"""Which rule stands behind every reason code, and whether the table chose it.

A code names the first rule that a move breaks. The rule is a field of RuleSet, one of its constants, or `turn` for the
order of play itself. Sentences for people are the client's.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from .rulefields import CONSTANTS
from .ruleset import RuleSet, preset

TURN = "turn"
"""Rule id of the order of play: whose turn it is, draw first, what a card in hand is."""

RULES: Mapping[str, str] = {
    "too_short": "meld_min_cards",
    "not_a_meld": "run_same_suit",
    "ace_wrap": "ace_wrap",
    "ace_low_not_allowed": "ace_low",
    "ace_high_not_allowed": "ace_high",
    "ace_both_ends": "ace_both_ends",
    "run_full": "run_max_cards",
    "duplicate_suit": "same_suit_twice_in_set",
    "set_full": "decks",
    "needs_natural": "min_naturals",
    "joker_majority": "joker_majority",
    "joker_identity": "joker_identity_fixed",
    "single_natural_is_set": "single_natural_is_set",
    "bridge_order": "joker_swap_match",
    "card_not_in_hand": TURN,
    "no_such_meld": TURN,
    "does_not_fit": "layoff_run_ends",
    "not_own_meld": "layoff_scope",
    "not_down": "layoff_requires_being_down",
    "layoff_joker": "layoff_joker",
    "layoff_opening_turn": "layoff_same_turn_as_opening",
    "layoff_too_many": "layoff_cards_per_action",
    "table_fixed": "table_fixed",
    "must_keep_discard": "discard_required_to_go_out",
    "only_queen_left": "laying_may_leave_only_queens",
    "swap_not_allowed": "joker_swap",
    "swap_not_allowed_opponent": "joker_swap_opponent",
    "swap_mismatch": "joker_swap_match",
    "queen_swap_opponent": "queen_swap_opponent_joker",
    "queen_swap_own": "queen_swap_own_joker",
    "below_opening_minimum": "opening_minimum",
    "opening_joker": "opening_joker",
    "opening_single_set": "opening_single_set_of_three",
    "pot_empty": TURN,
    "pot_min_hand": "pot_min_hand",
    "pot_top_must_meld": "pot_top_card_must_be_melded",
    "pot_no_layoff": "pot_layoff_suffices",
    "pot_needs_two_hand_cards": "pot_needs_hand_cards",
    "pot_other_cards": "pot_other_pile_cards_in_first_meld",
    "pot_whole_pile": "pot_take",
    "pot_rest_locked": "pot_rest_same_turn",
    "already_drawn": TURN,
    "must_draw_first": TURN,
    "turn_over": TURN,
    "not_your_turn": TURN,
    "discard_required": "discard_each_turn",
    "queen_discard": "queen_discard",
    "discard_joker": "discard_joker_allowed",
    "discard_just_taken": "discard_card_just_taken_allowed",
    "no_going_out_first_turn": "going_out_first_turn",
    "no_going_out_opening_turn": "going_out_opening_turn",
    "no_exchange": "opening_exchange",
    "exchange_same_card": "exchange_return_other_card",
    "exchange_queen": "exchange_may_return_queen",
    "not_enough_cards": "decks",
    "player_count": "players_max",
    "team_size": "team_size",
    "no_teams": "teams_allowed",
    "tournament_full": "tournament_participants",
    "no_tournament": "tournament",
    "no_offence": "last_card_call",
    "challenge_too_early": "last_card_challenge_from",
    "challenge_too_late": "last_card_challenge_from",
}
"""The rule behind every reason code."""

_NOT_DOWN = {"swap": "joker_swap_requires_being_down", "pot": "pot_requires_being_down"}


class Origin(Enum):
    """Where a rule comes from."""

    GAME = "game"
    """It never differs between tables."""
    PRESET = "preset"
    """The preset has it so."""
    HOUSE = "house"
    """This table agreed on something else than the preset."""


def rule_of(code: str, step: str | None = None) -> str:
    """The field of RuleSet, the constant, or TURN behind a reason code.

    `step` (`lay`, `layoff`, `swap`, `pot`) tells apart where a player has to be down first. Raises ValueError for an
    unknown code.
    """
    if code == "not_down" and step in _NOT_DOWN:
        return _NOT_DOWN[step]
    if code not in RULES:
        raise ValueError(f"no reason code {code!r}")
    return RULES[code]


def origin(rule: str, rules: RuleSet, name: str) -> Origin:
    """Whether a rule id is of the game, of the preset `name`, or a house rule that `rules` deviate in.

    Raises ValueError for an unknown rule or preset.
    """
    base = preset(name)
    if rule == TURN or rule in CONSTANTS:
        return Origin.GAME
    if not hasattr(base, rule):
        raise ValueError(f"no rule {rule!r}")
    return Origin.PRESET if getattr(base, rule) == getattr(rules, rule) else Origin.HOUSE
