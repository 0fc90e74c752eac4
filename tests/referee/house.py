"""The rule cards to fuzz under: every preset with every pair of house rules that goes together."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import combinations

from protocol.rules.presets import OWN
from protocol.rules.ruleset import RuleSet, preset, with_overrides
from tests.referee.deals import fitting_seats

HOUSE_RULES: tuple[Mapping[str, object], ...] = (
    {"discard_required_to_go_out": False},
    {"discard_required_to_go_out": True},
    {"queen_in_hand_penalty": 100},
    {"pip_scoring": True},
    {"teams_allowed": True, "team_size": 2},
    {"teams_allowed": True, "team_size": 2, "team_going_out": "all"},
    {"teams_allowed": True, "team_size": 3, "team_going_out": "all", "team_layoff": False},
    {"joker_swap": False, "joker_swap_opponent": False},
    {"joker_swap": True, "joker_swap_opponent": True, "joker_swap_match": "exact"},
    {"joker_swap": True, "joker_swap_opponent": False, "joker_swap_match": "missing_suit"},
    {"joker_swap": True, "joker_swap_opponent": True, "joker_swap_match": "exact_bridge"},
    {"queen_swap_opponent_joker": False, "queen_swap_own_joker": False},
    {"joker_swap_requires_being_down": False},
    {"queen_discard": "last_card"},
    {"queen_discard": "never"},
    {"queen_discard": "last_card_drawn_this_turn"},
    {"queen_discard": "last_card_drawn_this_turn", "queen_drawn_source": "stock"},
    {"queen_discard_two_queens": False},
    {"laying_may_leave_only_queens": "false"},
    {"opening_minimum": 20},
    {"opening_minimum": 40},
    {"opening_minimum": 40, "opening_several_melds": False},
    {"opening_minimum": 30, "opening_joker": "not_counted"},
    {"opening_single_set_of_three": True, "opening_minimum": 0},
    {"going_out_opening_turn": True},
    {"going_out_opening_turn": True, "going_out_waives_minimum": True},
    {"going_out_first_turn": False},
    {"two_as_joker": True},
    {"two_as_joker": True, "wild_two_may_be_two": False},
    {"pot_layoff_suffices": True, "pot_top_card_must_be_melded": True},
    {"pot_top_card_must_be_melded": False, "pot_needs_hand_cards": 0},
    {"pot_top_card_must_be_melded": True, "pot_needs_hand_cards": 2},
    {"pot_other_pile_cards_in_first_meld": True},
    {"pot_requires_being_down": True},
    {"pot_opening_counts": "all"},
    {"pot_min_hand": 3},
    {"pot_first_turn_free": True},
    {"pot_rest_same_turn": False},
    {"ace_low": False},
    {"ace_high": False},
    {"ace_both_ends": False},
    {"run_max_cards": 5},
    {"same_suit_twice_in_set": False},
    {"joker_majority": True},
    {"joker_majority": False, "min_naturals": 2},
    {"single_natural_is_set": True},
    {"meld_min_cards": 4},
    {"layoff_scope": "any"},
    {"layoff_scope": "any", "layoff_requires_being_down": False},
    {"layoff_same_turn_as_opening": False},
    {"layoff_cards_per_action": 1},
    {"layoff_joker": False},
    {"discard_joker_allowed": False},
    {"discard_card_just_taken_allowed": False},
    {"decks": 1},
    {"decks": 3},
    {"decks": 4},
    {"hand_size": 7},
    {"opening_exchange": "starter_begins"},
    {"opening_exchange": "decliner_draws"},
    {"opening_exchange": "decliner_draws", "exchange_return_other_card": False, "exchange_may_return_queen": True},
)
"""The house rules of the rules matrix and the options beside them, one at a time."""


def rule_cards(rng: random.Random) -> Iterator[RuleSet]:
    """Every preset, with every pair of house rules that goes together, in a random order, for ever."""
    everything: list[tuple[str, tuple[Mapping[str, object], ...]]] = [(name, ()) for name in OWN]
    for name in OWN:
        everything += [(name, pair) for pair in combinations(HOUSE_RULES, 2)]
    while True:
        rng.shuffle(everything)
        for name, chosen in everything:
            yield from (preset(name) for _ in range(int(rng.random() < 0.1)))
            overrides = {key: value for house in chosen for key, value in house.items()}
            try:
                rules = with_overrides(preset(name), overrides)
            except ValueError:
                continue
            if fitting_seats(rules):
                yield rules
