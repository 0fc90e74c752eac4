/**
 * The rule card (10-rules 1 and 2): reading its canonical text, the values that every setting may have, and the settings
 * that exclude each other.
 */

const number = (least, most) => ({ least, most });
const orNone = (kind) => ({ ...kind, none: true });
const words = (...list) => ({ words: list });
const flag = { words: ['true', 'false'], flag: true };

/** Every setting with its values; R3. */
export const SETTINGS = {
  aborted_winner_excludes_leaver: flag,
  ace_both_ends: flag,
  ace_high: flag,
  ace_low: flag,
  decks: number(1, 4),
  deuce_points: number(0, 200),
  discard_card_just_taken_allowed: flag,
  discard_joker_allowed: flag,
  discard_required_to_go_out: flag,
  duplicate_in_run: flag,
  exchange_may_return_queen: flag,
  exchange_return_other_card: flag,
  final_score: words('own_total', 'own_minus_average'),
  first_starter: words('left_of_dealer', 'random'),
  going_out_first_turn: flag,
  going_out_opening_turn: flag,
  going_out_waives_minimum: flag,
  hand_size: number(3, 20),
  joker_majority: flag,
  joker_points: orNone(number(0, 200)),
  joker_swap: flag,
  joker_swap_match: orNone(words('exact', 'missing_suit', 'exact_bridge')),
  joker_swap_opponent: flag,
  joker_swap_requires_being_down: flag,
  jokers_in_deck: number(0, 16),
  last_card_call: words('none', 'extra_card', 'points'),
  last_card_penalty_points: orNone(number(0, 1000)),
  laying_may_leave_only_queens: words('false', 'one_if_discardable'),
  layoff_cards_per_action: orNone(number(1, 13)),
  layoff_joker: flag,
  layoff_requires_being_down: flag,
  layoff_run_ends: flag,
  layoff_same_turn_as_opening: flag,
  layoff_scope: words('own', 'any'),
  meld_min_cards: number(3, 6),
  min_naturals: number(1, 3),
  next_starter: words('rotate', 'random'),
  opening_exchange: words('none', 'starter_begins', 'decliner_draws'),
  opening_joker: words('allowed', 'not_counted'),
  opening_minimum: number(0, 500),
  opening_several_melds: flag,
  opening_single_set_of_three: flag,
  pip_scoring: flag,
  players_max: orNone(number(2, 7)),
  players_min: number(2, 7),
  pot_first_turn_free: flag,
  pot_layoff_suffices: flag,
  pot_min_hand: number(0, 20),
  pot_needs_hand_cards: number(0, 13),
  pot_opening_counts: words('top_and_hand', 'all'),
  pot_other_pile_cards_in_first_meld: flag,
  pot_requires_being_down: flag,
  pot_rest_same_turn: flag,
  pot_top_card_must_be_melded: flag,
  queen_discard: words('never', 'last_card', 'last_card_drawn_this_turn'),
  queen_discard_two_queens: flag,
  queen_drawn_source: words('any', 'stock'),
  queen_in_hand_penalty: number(0, 1000),
  queen_swap_opponent_joker: flag,
  queen_swap_own_joker: flag,
  resign: words('ends_game', 'play_on'),
  run_max_cards: number(3, 14),
  same_suit_twice_in_set: flag,
  single_natural_is_set: flag,
  target_score: number(1, 100000),
  team_going_out: words('one', 'all'),
  team_layoff: flag,
  team_size: number(0, 3),
  teams_allowed: flag,
  tie_at_top: words('shared', 'extra_round'),
  tournament: flag,
  turn_time_limit_hours: orNone(number(1, 8760)),
  two_as_joker: flag,
  wild_two_may_be_two: flag,
};

/** R1: settings whose line stands in a card only for another value than this. */
const UNWRITTEN = { resign: 'ends_game' };

/** The value of one line's text, or undefined when the setting cannot have it. Words that are "none" stay words. */
function value(kind, text) {
  if (kind.flag) return text === 'true' ? true : text === 'false' ? false : undefined;
  if (kind.words?.includes(text)) return text;
  if (kind.none && text === 'none') return null;
  if (kind.words || !/^(0|[1-9][0-9]{0,8})$/.test(text)) return undefined;
  const result = Number(text);
  return result >= kind.least && result <= kind.most ? result : undefined;
}

/** Settings that exclude each other, R4: why a card is refused, or nothing. */
const CONFLICTS = [
  ['players_min above players_max', (c) => c.players_min > (c.players_max ?? 7)],
  ['jokers do not share out over the packs', (c) => c.jokers_in_deck % c.decks !== 0 || c.jokers_in_deck > 4 * c.decks],
  ['twos and jokers are both wild', (c) => c.two_as_joker && c.jokers_in_deck > 0],
  ['joker points and jokers', (c) => (c.joker_points === null) !== (c.jokers_in_deck === 0)],
  ['swap with opponents without swap', (c) => c.joker_swap_opponent && !c.joker_swap],
  ['swap without a way to match', (c) => c.joker_swap && c.joker_swap_match === null],
  ['runs cannot be laid off on', (c) => !c.layoff_run_ends && !c.duplicate_in_run],
  ['waiving the minimum without going out', (c) => c.going_out_waives_minimum && !c.going_out_opening_turn],
  ['a penalty in points without points', (c) => c.last_card_call === 'points' && c.last_card_penalty_points === null],
  [
    'pot rules without the top card',
    (c) => (c.pot_layoff_suffices || c.pot_needs_hand_cards > 0) && !c.pot_top_card_must_be_melded,
  ],
  ['teams', (c) => (c.team_size > 0 && !c.teams_allowed) || c.team_size === 1],
  ['a team cannot play on without a player', (c) => c.team_size > 0 && c.resign === 'play_on'],
];

/** A reader's refusal of a rule card. */
export class BadRuleCard extends Error {}

/** The settings of a canonical text (Uint8Array). Throws BadRuleCard for anything else. */
export function readRuleCard(bytes) {
  const lines = String.fromCharCode(...bytes).split('\n');
  if (lines.pop() !== '') throw new BadRuleCard('the last line has no end');
  const card = {};
  for (const key of Object.keys(SETTINGS).sort()) {
    const isWritten = lines[0]?.startsWith(`${key}=`);
    if (!isWritten && !(key in UNWRITTEN)) throw new BadRuleCard(`expected ${key}`);
    card[key] = isWritten ? value(SETTINGS[key], lines.shift().slice(key.length + 1)) : UNWRITTEN[key];
    if (card[key] === undefined || (isWritten && card[key] === UNWRITTEN[key])) throw new BadRuleCard(`${key} cannot be that`);
  }
  if (lines.length > 0) throw new BadRuleCard('more than the settings');
  const conflict = CONFLICTS.find(([, holds]) => holds(card));
  if (conflict) throw new BadRuleCard(conflict[0]);
  return Object.freeze(card);
}

/** Why n players cannot sit at this card (R30), or null. */
export function seatingProblem(card, n) {
  const N = deckSize(card);
  if (n < 2 || n > 7) return 'number of players';
  if (card.hand_size * n + 1 + n > N) return 'not enough cards';
  if (card.team_size > 0 && (n % card.team_size !== 0 || n === card.team_size)) return 'teams';
  return null;
}

export const deckSize = (card) => 52 * card.decks + card.jokers_in_deck;
