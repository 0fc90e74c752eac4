"""Where each rule of a preset comes from: stated by its source, following from it, or chosen where it is silent.

Facts only, one letter for each preset in the order of `PRESETS`; the rules themselves are in spec/10-rules.md. Who
tells rules to people reads it; nothing that decides about a move may.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from .ruleset import PRESETS


class Origin(Enum):
    """What a preset's value of a rule rests on."""

    STATED = "S"
    """The source of the preset says so."""
    IMPLIED = "I"
    """It follows from what that source says."""
    CHOSEN = "R"
    """The source is silent or contradicts itself: our choice."""
    NONE = "N"
    """The rule has no use in that preset."""


ORIGINS: Mapping[str, str] = {
    "players_min": "SRSSSS",
    "players_max": "SRSRSS",
    "decks": "SSSSSS",
    "jokers_in_deck": "RSRRSS",
    "two_as_joker": "IIIISS",
    "hand_size": "SSSSSS",
    "first_starter": "SSRRRR",
    "next_starter": "SSRSRR",
    "opening_exchange": "RIISII",
    "exchange_return_other_card": "SNNINN",
    "exchange_may_return_queen": "RNNINN",
    "discard_joker_allowed": "RIRRRR",
    "discard_card_just_taken_allowed": "RRRRRR",
    "meld_min_cards": "SSSSSS",
    "ace_low": "SSSSSS",
    "ace_high": "SSSSSS",
    "ace_both_ends": "RIIRII",
    "run_max_cards": "RIIRII",
    "same_suit_twice_in_set": "SSSSSS",
    "duplicate_in_run": "IRRIRR",
    "joker_majority": "ISRSRR",
    "min_naturals": "RRRRRR",
    "single_natural_is_set": "NSRNRR",
    "wild_two_may_be_two": "NNNNNR",
    "opening_minimum": "SSISII",
    "opening_several_melds": "SNNSNN",
    "opening_joker": "IRRRRR",
    "opening_single_set_of_three": "SRRSRR",
    "layoff_scope": "SSSRSS",
    "layoff_requires_being_down": "SIIRII",
    "layoff_same_turn_as_opening": "RRRIRR",
    "layoff_cards_per_action": "SRIRII",
    "layoff_run_ends": "SSIIII",
    "layoff_joker": "RIIIII",
    "joker_swap": "SSSRSI",
    "joker_swap_opponent": "SSSRSS",
    "joker_swap_match": "SNSISS",
    "queen_swap_opponent_joker": "RNSRSN",
    "queen_swap_own_joker": "IRIRII",
    "joker_swap_requires_being_down": "INRRRR",
    "pot_top_card_must_be_melded": "SSISII",
    "pot_needs_hand_cards": "ISISII",
    "pot_other_pile_cards_in_first_meld": "SRNINN",
    "pot_layoff_suffices": "SSNINN",
    "pot_requires_being_down": "RIISII",
    "pot_opening_counts": "RNNNNN",
    "pot_min_hand": "RSIRII",
    "pot_first_turn_free": "RSNINN",
    "pot_rest_same_turn": "SIISII",
    "queen_discard": "SSSRSS",
    "queen_drawn_source": "RNNNNN",
    "queen_discard_two_queens": "RSRRRR",
    "laying_may_leave_only_queens": "ISIRII",
    "queen_in_hand_penalty": "SISSSS",
    "discard_required_to_go_out": "SSIRII",
    "going_out_first_turn": "RRRRRR",
    "going_out_opening_turn": "RRRRRR",
    "going_out_waives_minimum": "INNSNN",
    "last_card_call": "SRRSRR",
    "last_card_penalty_points": "SNNSNN",
    "deuce_points": "SISSSS",
    "joker_points": "SSSSSN",
    "pip_scoring": "SRRRRR",
    "final_score": "IISISS",
    "target_score": "SSSSSS",
    "tie_at_top": "RRRRRR",
    "turn_time_limit_hours": "RSRRRR",
    "resign": "RSRRRR",
    "aborted_winner_excludes_leaver": "RSRRRR",
    "tournament": "IIIISS",
    "teams_allowed": "SRSSSS",
    "team_size": "SNNNNN",
    "team_layoff": "SNNNNN",
    "team_going_out": "RNNNNN",
}
"""Field of RuleSet -> a letter for each preset."""

CONSTANT_ORIGINS: Mapping[str, str] = {
    "turned_up_card": "SSSSSS",
    "direction": "SRRSRR",
    "exchange_laps": "SNNSNN",
    "exchange_counts_as_turn": "INNINN",
    "turn_steps": "SSSSSS",
    "draw_stock_always_allowed": "SSSSSS",
    "must_lay_when_possible": "SSIIII",
    "discard_each_turn": "SSSSSS",
    "run_same_suit": "SSSSSS",
    "ace_wrap": "SIISII",
    "joker_identity_fixed": "RSIIII",
    "joker_identity_chosen_by": "RRRRRR",
    "table_fixed": "SSRSRS",
    "take_back": "SSRSRR",
    "opening_values": "INNSNN",
    "opening_resets_each_round": "RNNRNN",
    "swapped_joker_to": "INIIII",
    "swapped_joker_must_be_played": "RNRRRR",
    "swapped_card_counts_for": "RRRRRR",
    "pot_take": "SSSSSS",
    "pot_meld_chosen_by": "RRNRNN",
    "queen_table_points": "SSSSSS",
    "round_ends": "SSSSSS",
    "last_card_challenge_from": "RNNSNN",
    "stock_exhausted": "RSRRRR",
    "reshuffle_whole_pile": "RSRRRR",
    "reshuffle_when": "RRRRRR",
    "both_empty": "RSRRRR",
    "stalemate_rule": "RRRRRR",
    "points_3_to_9": "SSSSSS",
    "points_ten_to_king": "SSSSSS",
    "ace_points": "SSSSSS",
    "joker_scores_as": "IIIIII",
    "round_score": "SSSSSS",
    "negative_allowed": "SISSSS",
    "going_out_bonus": "IIIIII",
    "final_score_rounding": "NNRNRR",
    "target_checked": "SSISII",
    "several_over_target": "SSRRRR",
    "aborted_winner": "RSRRRR",
    "aborted_counts_for_percentage": "RSRRRR",
    "shared_win_in_percentage": "RRRRRR",
    "team_size_equal": "SNNNNN",
    "team_scores": "SNNNNN",
    "team_seating": "RNNNNN",
    "tournament_participants": "NNNNSS",
    "tournament_identical_deals": "NNNNSS",
    "tournament_game_length": "NNNNSS",
    "tournament_score": "NNNNRR",
}
"""Constant of the game -> a letter for each preset."""


def origin(rule: str, name: str) -> Origin:
    """What this preset's value of this field or constant rests on. Raises KeyError or ValueError for unknown names."""
    letters = ORIGINS[rule] if rule in ORIGINS else CONSTANT_ORIGINS[rule]
    return Origin(letters[PRESETS.index(name)])
