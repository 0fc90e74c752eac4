"""The agreed rules of a table as one frozen, validated value, and its text forms.

What may differ between tables is a field of `RuleSet`; what never differs is a constant of `rulefields`, and there is
no switch for it. A RuleSet that exists is one the engine plays to the letter: combinations without a meaning are
refused here, naming the two settings that clash. No rule is carried out here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import cast

from protocol.errors import IllegalMove

from .cards import Pack
from .presets import OWN, SHARED
from .rulefields import CONSTANTS, KINDS, LAST_CARD_POINTS, PLAYERS_LEAST, PLAYERS_MOST, TURNED_UP_CARDS
from .rulekinds import Value, write


class ClashError(ValueError):
    """Two settings that have no meaning together; `settings` are their names, `code` a short stable name."""

    def __init__(self, code: str, first: str, second: str, why: str) -> None:
        super().__init__(f"{first} and {second} clash: {why}")
        self.code = code
        self.settings = (first, second)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """Everything about the rules that may differ between tables; the fields are the settings of spec/10-rules.md.

    Raises ValueError (ClashError where two settings clash) for values without a meaning.
    """

    players_min: int
    players_max: int | None
    decks: int
    jokers_in_deck: int
    two_as_joker: bool
    hand_size: int
    first_starter: str
    next_starter: str
    opening_exchange: str
    exchange_return_other_card: bool
    exchange_may_return_queen: bool
    discard_joker_allowed: bool
    discard_card_just_taken_allowed: bool
    meld_min_cards: int
    ace_low: bool
    ace_high: bool
    ace_both_ends: bool
    run_max_cards: int
    same_suit_twice_in_set: bool
    duplicate_in_run: bool
    joker_majority: bool
    """Natural cards must be more than half of every meld."""
    min_naturals: int
    single_natural_is_set: bool
    wild_two_may_be_two: bool
    opening_minimum: int
    opening_several_melds: bool
    opening_joker: str
    opening_single_set_of_three: bool
    layoff_scope: str
    layoff_requires_being_down: bool
    layoff_same_turn_as_opening: bool
    layoff_cards_per_action: int | None
    layoff_run_ends: bool
    layoff_joker: bool
    joker_swap: bool
    joker_swap_opponent: bool
    joker_swap_match: str | None
    """Which card fits a joker of a set; None and missing_suit leave its suit open, the others fix it."""
    queen_swap_opponent_joker: bool
    queen_swap_own_joker: bool
    joker_swap_requires_being_down: bool
    pot_top_card_must_be_melded: bool
    pot_needs_hand_cards: int
    pot_other_pile_cards_in_first_meld: bool
    pot_layoff_suffices: bool
    pot_requires_being_down: bool
    pot_opening_counts: str
    pot_min_hand: int
    pot_first_turn_free: bool
    pot_rest_same_turn: bool
    queen_discard: str
    queen_drawn_source: str
    queen_discard_two_queens: bool
    laying_may_leave_only_queens: str
    queen_in_hand_penalty: int
    discard_required_to_go_out: bool
    going_out_first_turn: bool
    going_out_opening_turn: bool
    going_out_waives_minimum: bool
    last_card_call: str
    last_card_penalty_points: int | None
    deuce_points: int
    joker_points: int | None
    pip_scoring: bool
    final_score: str
    target_score: int
    tie_at_top: str
    turn_time_limit_hours: int | None
    resign: str
    """What follows when somebody leaves, vanishes or is false: ends_game, or play_on without that seat."""
    aborted_winner_excludes_leaver: bool
    tournament: bool
    teams_allowed: bool
    team_size: int
    """Players in a team, seated alternately; 0 when everybody plays alone."""
    team_layoff: bool
    team_going_out: str

    def __post_init__(self) -> None:
        for key, kind in KINDS.items():
            try:
                checked = kind.check(getattr(self, key))
            except ValueError as error:
                raise ValueError(f"{key} {error}") from None
            object.__setattr__(self, key, checked)
        _refuse_clashes(self)

    @property
    def pack(self) -> Pack:
        """The composition of the deck."""
        return Pack(self.decks, self.jokers_in_deck)

    @property
    def deck_size(self) -> int:
        """Number of cards in the deck."""
        return self.pack.size

    @property
    def set_max_cards(self) -> int:
        """Cards in the largest possible set: every card of the rank."""
        return 4 * self.decks

    @property
    def tracks_suit(self) -> bool:
        """Whether a joker in a set stands for one suit (else for its rank only)."""
        return self.joker_swap_match in {"exact", "exact_bridge"}

    @property
    def exchange_open_card_afterwards(self) -> str:
        """How the open card lies after the opening exchange: face_up, or face_down as the covered bottom of the pot."""
        return "face_down" if self.opening_exchange == "decliner_draws" else "face_up"

    def team_of(self, n: int) -> tuple[int, ...]:
        """Team number of each of n seats, alternating; empty when everybody plays alone."""
        if self.team_size == 0:
            return ()
        return tuple(seat % (n // self.team_size) for seat in range(n))


DERIVED = ("deck_size", "set_max_cards", "exchange_open_card_afterwards")
"""Rules that follow from other fields; an override of one must agree with what follows."""


def _refuse_clashes(r: RuleSet) -> None:
    def clash(wrong: bool, first: str, second: str, why: str, code: str = "rule_clash") -> None:
        if wrong:
            raise ClashError(code, first, second, why)

    most = r.players_max if r.players_max is not None else PLAYERS_MOST
    clash(r.players_min > most, "players_min", "players_max", "the least is above the most")
    clash(r.jokers_in_deck % r.decks != 0, "jokers_in_deck", "decks", "every pack has the same number of jokers")
    clash(r.jokers_in_deck > 4 * r.decks, "jokers_in_deck", "decks", "a pack has at most four jokers")
    clash(r.two_as_joker and r.jokers_in_deck > 0, "two_as_joker", "jokers_in_deck", "real jokers leave then")
    clash((r.joker_points is None) != (r.jokers_in_deck == 0), "joker_points", "jokers_in_deck", "points for no joker")
    clash(r.joker_swap_opponent and not r.joker_swap, "joker_swap_opponent", "joker_swap", "no joker may be swapped")
    clash(r.joker_swap and r.joker_swap_match is None, "joker_swap", "joker_swap_match", "no card would fit")
    clash(
        not r.layoff_run_ends and not r.duplicate_in_run,
        *("layoff_run_ends", "duplicate_in_run", "inside a run only a second copy has room"),
    )
    clash(
        r.going_out_waives_minimum and not r.going_out_opening_turn,
        *("going_out_waives_minimum", "going_out_opening_turn", "nobody may go out while getting down"),
    )
    clash(
        r.last_card_call == "points" and r.last_card_penalty_points is None,
        *("last_card_call", "last_card_penalty_points", "the number of points is missing"),
    )
    free = not r.pot_top_card_must_be_melded
    clash(
        free and r.pot_layoff_suffices,
        "pot_layoff_suffices",
        "pot_top_card_must_be_melded",
        "the pot is free",
    )
    clash(
        free and r.pot_needs_hand_cards > 0,
        *("pot_needs_hand_cards", "pot_top_card_must_be_melded", "the pot needs no meld"),
    )
    clash(r.team_size > 0 and not r.teams_allowed, "team_size", "teams_allowed", "teams are off", "no_teams")
    clash(r.team_size > 0 and r.resign == "play_on", "resign", "team_size", "a team cannot go on without a player")
    clash(r.team_size == 1, "team_size", "teams_allowed", "a team has at least two players", "team_size")


PRESETS: tuple[str, ...] = tuple(OWN)
"""The names of the presets."""

_FIELDS = tuple(field.name for field in fields(RuleSet))


def _build(values: Mapping[str, Value]) -> RuleSet:
    # KINDS has checked nothing yet: RuleSet checks every value itself.
    return RuleSet(**cast("dict[str, bool]", dict(values)))  # type: ignore[arg-type]


_BUILT: dict[str, RuleSet] = {}


def preset(name: str) -> RuleSet:
    """The rules of the preset with this name. Raises ValueError for an unknown name."""
    if name not in OWN:
        raise ValueError(f"no preset {name!r}; there are {', '.join(PRESETS)}")
    if name not in _BUILT:
        _BUILT[name] = _build({**SHARED, **OWN[name]})
    return _BUILT[name]


def with_overrides(rules: RuleSet, overrides: Mapping[str, object]) -> RuleSet:
    """The rules with these fields changed, and with what follows from them unless it is given too.

    More packs bring their jokers; twos as jokers send the real jokers away and inherit their points; a last-card call
    that costs points costs LAST_CARD_POINTS. A key that names a constant or a derived value is accepted only with the
    value it has anyway. Raises ValueError.
    """
    values: dict[str, Value] = {key: getattr(rules, key) for key in _FIELDS}
    expected: dict[str, object] = {}
    for key, value in overrides.items():
        if key in KINDS:
            try:
                values[key] = KINDS[key].check(value)
            except ValueError as error:
                raise ValueError(f"{key} {error}") from None
        elif key in CONSTANTS or key in DERIVED:
            expected[key] = value
        else:
            raise ValueError(f"no rule {key!r}")
    _follow(rules, values, set(overrides))
    result = _build(values)
    for key, value in expected.items():
        fixed = CONSTANTS[key] if key in CONSTANTS else getattr(result, key)
        if value != fixed or isinstance(value, bool) != isinstance(fixed, bool):
            raise ValueError(f"{key} is {write(fixed)} here and cannot be chosen")
    return result


def _follow(rules: RuleSet, values: dict[str, Value], given: set[str]) -> None:
    if values["two_as_joker"] and not rules.two_as_joker:
        if "jokers_in_deck" not in given:
            values["jokers_in_deck"] = 0
        if "deuce_points" not in given and rules.joker_points is not None:
            values["deuce_points"] = rules.joker_points
    if "decks" in given and "jokers_in_deck" not in given and not values["two_as_joker"]:
        values["jokers_in_deck"] = rules.jokers_in_deck // rules.decks * cast("int", values["decks"])
    if "joker_points" not in given:
        if values["jokers_in_deck"] == 0:
            values["joker_points"] = None
        elif values["joker_points"] is None:
            values["joker_points"] = SHARED["joker_points"]
    unsaid = values["last_card_penalty_points"] is None and "last_card_penalty_points" not in given
    if values["last_card_call"] == "points" and unsaid:
        values["last_card_penalty_points"] = LAST_CARD_POINTS


def parse_override(text: str) -> tuple[str, Value]:
    """The key and the value of `key=value`. Raises ValueError for an unknown key or a value of the wrong kind."""
    key, equals, value = text.partition("=")
    key, value = key.strip(), value.strip()
    if not equals or key not in KINDS:
        raise ValueError(f"{text!r} is not rule=value with a known rule")
    try:
        return key, KINDS[key].parse(value)
    except ValueError as error:
        raise ValueError(f"{key} {error}") from None


def deviations(rules: RuleSet, name: str) -> list[tuple[str, Value, Value]]:
    """Every field in which `rules` differs from the preset: (key, value of the preset, value), in field order."""
    base = preset(name)
    return [
        (key, getattr(base, key), getattr(rules, key)) for key in _FIELDS if getattr(base, key) != getattr(rules, key)
    ]


LATER: Mapping[str, Value] = {"resign": "ends_game"}
"""Fields that came after the first release, with the value that every rule set had before: that one is not written."""


def canonical(rules: RuleSet) -> bytes:
    """The one byte form of a rule set: a line `key=value` for every field, keys sorted, ASCII, each ended by a newline.

    A field of LATER is left out where it has the value given there. No key or value contains `=` or a newline and every
    other field is written, so two rule sets have the same bytes only if they are equal.
    """
    values = {key: getattr(rules, key) for key in sorted(_FIELDS)}
    lines = [f"{key}={write(value)}\n" for key, value in values.items() if key not in LATER or value != LATER[key]]
    return "".join(lines).encode("ascii")


def from_canonical(data: bytes) -> RuleSet:
    """The rule set with this byte form. Raises ValueError unless `canonical` of the result is exactly `data`."""
    try:
        text = data.decode("ascii")
    except UnicodeDecodeError:
        raise ValueError("a rule set is ASCII text") from None
    values: dict[str, Value] = dict(LATER)
    for line in text.split("\n")[:-1]:
        key, value = parse_override(line)
        values[key] = value
    if missing := [key for key in _FIELDS if key not in values]:
        raise ValueError(f"rules without {missing[0]}")
    rules = _build(values)
    if canonical(rules) != data:
        raise ValueError("not the canonical form of these rules")
    return rules


def check_players(rules: RuleSet, n: int) -> bool:
    """Whether the rules name n players (False: a deviation that the rule card must show, no refusal).

    Raises IllegalMove player_count outside 2..7, not_enough_cards when the deck cannot serve n hands, the open card
    and one draw for everybody, team_size when n players do not make equal teams.
    """
    if not PLAYERS_LEAST <= n <= PLAYERS_MOST:
        raise IllegalMove("player_count", f"{n} players; a table has {PLAYERS_LEAST} to {PLAYERS_MOST}")
    if rules.hand_size * n + TURNED_UP_CARDS + n > rules.deck_size:
        raise IllegalMove("not_enough_cards", f"{n} hands of {rules.hand_size} from {rules.deck_size} cards")
    if rules.team_size and (n % rules.team_size or n == rules.team_size):
        raise IllegalMove("team_size", f"{n} players in teams of {rules.team_size}")
    return rules.players_min <= n and (rules.players_max is None or n <= rules.players_max)


def for_players(rules: RuleSet, n: int) -> RuleSet:
    """The rules widened so that they name n players; `deviations` then lists the change. Raises as `check_players`."""
    if check_players(rules, n):
        return rules
    return with_overrides(rules, {"players_min": n} if n < rules.players_min else {"players_max": n})
