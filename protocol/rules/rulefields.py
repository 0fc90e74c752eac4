"""Which rules there are: the constants of the game, and the fields of a rule set with the values each may have.

Ids are those of spec/10-rules.md 2 and 3. Nothing is decided here; `ruleset` builds and checks values from it.
"""

from __future__ import annotations

from collections.abc import Mapping

from .rulekinds import Choice, Kind, Number, Switch, Value

TURNED_UP_CARDS = 1
QUEEN_TABLE_POINTS = 100
POINTS_2_TO_9 = 5
POINTS_TEN_TO_KING = 10
ACE_POINTS = 20
IDLE_LAPS = 3
"""Laps without a lay, lay-off, swap or stock draw after which the round ends."""
LAST_CARD_POINTS = 20
"""Cost of a missed last-card call at a table that wants points for it and names no number (the sources have none)."""
PLAYERS_LEAST = 2
PLAYERS_MOST = 7

CONSTANTS: Mapping[str, Value] = {
    "turned_up_card": TURNED_UP_CARDS,
    "direction": "clockwise",
    "exchange_laps": "unlimited",
    "exchange_counts_as_turn": False,
    "turn_steps": "draw_lay_discard",
    "draw_stock_always_allowed": True,
    "must_lay_when_possible": False,
    "discard_each_turn": True,
    "run_same_suit": True,
    "ace_wrap": False,
    "joker_identity_fixed": True,
    "joker_identity_chosen_by": "layer",
    "table_fixed": True,
    "take_back": False,
    "opening_values": "end_count",
    "opening_resets_each_round": True,
    "swapped_joker_to": "hand",
    "swapped_joker_must_be_played": False,
    "swapped_card_counts_for": "meld_owner",
    "pot_take": "whole",
    "pot_meld_chosen_by": "player",
    "queen_table_points": QUEEN_TABLE_POINTS,
    "round_ends": "immediately",
    "last_card_challenge_from": "after_next_draw",
    "stock_exhausted": "reshuffle",
    "reshuffle_whole_pile": True,
    "reshuffle_when": "on_draw",
    "both_empty": "round_ends",
    "stalemate_rule": "round_ends",
    "points_3_to_9": POINTS_2_TO_9,
    "points_ten_to_king": POINTS_TEN_TO_KING,
    "ace_points": ACE_POINTS,
    "joker_scores_as": "itself",
    "round_score": "table_minus_hand",
    "negative_allowed": True,
    "going_out_bonus": 0,
    "final_score_rounding": "one_decimal",
    "target_checked": "round_end",
    "several_over_target": "highest",
    "aborted_winner": "previous_round_leader",
    "aborted_counts_for_percentage": False,
    "shared_win_in_percentage": "won",
    "team_size_equal": True,
    "team_scores": "sum",
    "team_seating": "alternate",
    "tournament_participants": 10,
    "tournament_identical_deals": True,
    "tournament_game_length": "to_target",
    "tournament_score": "own_minus_average",
}
"""Rules every table plays the same, by their id in spec/10-rules.md 3."""

KINDS: Mapping[str, Kind] = {
    "players_min": Number(PLAYERS_LEAST, PLAYERS_MOST),
    "players_max": Number(PLAYERS_LEAST, PLAYERS_MOST, optional=True),
    "decks": Number(1, 4),
    "jokers_in_deck": Number(0, 16),
    "two_as_joker": Switch(),
    "hand_size": Number(3, 20),
    "first_starter": Choice(("left_of_dealer", "random")),
    "next_starter": Choice(("rotate", "random")),
    "opening_exchange": Choice(("none", "starter_begins", "decliner_draws")),
    "exchange_return_other_card": Switch(),
    "exchange_may_return_queen": Switch(),
    "discard_joker_allowed": Switch(),
    "discard_card_just_taken_allowed": Switch(),
    "meld_min_cards": Number(3, 6),
    "ace_low": Switch(),
    "ace_high": Switch(),
    "ace_both_ends": Switch(),
    "run_max_cards": Number(3, 14),
    "same_suit_twice_in_set": Switch(),
    "duplicate_in_run": Switch(),
    "joker_majority": Switch(),
    "min_naturals": Number(1, 3),
    "single_natural_is_set": Switch(),
    "wild_two_may_be_two": Switch(),
    "opening_minimum": Number(0, 500),
    "opening_several_melds": Switch(),
    "opening_joker": Choice(("allowed", "not_counted")),
    "opening_single_set_of_three": Switch(),
    "layoff_scope": Choice(("own", "any")),
    "layoff_requires_being_down": Switch(),
    "layoff_same_turn_as_opening": Switch(),
    "layoff_cards_per_action": Number(1, 13, optional=True, word="any"),
    "layoff_run_ends": Switch(),
    "layoff_joker": Switch(),
    "joker_swap": Switch(),
    "joker_swap_opponent": Switch(),
    "joker_swap_match": Choice(("exact", "missing_suit", "exact_bridge"), optional=True),
    "queen_swap_opponent_joker": Switch(),
    "queen_swap_own_joker": Switch(),
    "joker_swap_requires_being_down": Switch(),
    "pot_top_card_must_be_melded": Switch(),
    "pot_needs_hand_cards": Number(0, 13),
    "pot_other_pile_cards_in_first_meld": Switch(),
    "pot_layoff_suffices": Switch(),
    "pot_requires_being_down": Switch(),
    "pot_opening_counts": Choice(("top_and_hand", "all")),
    "pot_min_hand": Number(0, 20),
    "pot_first_turn_free": Switch(),
    "pot_rest_same_turn": Switch(),
    "queen_discard": Choice(("never", "last_card", "last_card_drawn_this_turn")),
    "queen_drawn_source": Choice(("any", "stock")),
    "queen_discard_two_queens": Switch(),
    "laying_may_leave_only_queens": Choice(("false", "one_if_discardable")),
    "queen_in_hand_penalty": Number(0, 1000),
    "discard_required_to_go_out": Switch(),
    "going_out_first_turn": Switch(),
    "going_out_opening_turn": Switch(),
    "going_out_waives_minimum": Switch(),
    "last_card_call": Choice(("none", "extra_card", "points")),
    "last_card_penalty_points": Number(0, 1000, optional=True),
    "deuce_points": Number(0, 200),
    "joker_points": Number(0, 200, optional=True),
    "pip_scoring": Switch(),
    "final_score": Choice(("own_total", "own_minus_average")),
    "target_score": Number(1, 100_000),
    "tie_at_top": Choice(("shared", "extra_round")),
    "turn_time_limit_hours": Number(1, 8760, optional=True),
    "resign": Choice(("ends_game", "play_on")),
    "aborted_winner_excludes_leaver": Switch(),
    "tournament": Switch(),
    "teams_allowed": Switch(),
    "team_size": Number(0, 3),
    "team_layoff": Switch(),
    "team_going_out": Choice(("one", "all")),
}
"""Every field of RuleSet and the values it may have."""
