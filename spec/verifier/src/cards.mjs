/** Faces, their names and points (10-rules 6). The rules see faces; ids exist only in decks. */

export const JOKER = 52;
export const QUEEN_OF_SPADES = 11;
const SUITS = 'SHDC';
const RANKS = 'A23456789TJQK';

export const suitOf = (face) => Math.floor(face / 13);
export const rankOf = (face) => face % 13;
export const faceOf = (suit, rank) => 13 * suit + rank;

/** The face of card id `id` in a deck made of packs of `52 + jokers per pack`. */
export function faceOfId(card, id) {
  const width = 52 + card.jokers_in_deck / card.decks;
  return Math.min(id % width, JOKER);
}

/** `QS`, `TD`, `X`; a rank alone (64 + rank) as `Q`. */
export function faceName(face) {
  if (face === JOKER) return 'X';
  return face >= 64 ? RANKS[face - 64] : RANKS[rankOf(face)] + SUITS[suitOf(face)];
}

/** The face of a name made by faceName. */
export function faceFromName(name) {
  if (name === 'X') return JOKER;
  if (name.length === 1) return 64 + RANKS.indexOf(name);
  return faceOf(SUITS.indexOf(name[1]), RANKS.indexOf(name[0]));
}

export const isWild = (card, face) => face === JOKER || (card.two_as_joker && rankOf(face) === 1);

/** R21: what a face counts on the table. */
export function points(card, face) {
  if (face === JOKER) return card.joker_points;
  if (face === QUEEN_OF_SPADES) return 100;
  const rank = rankOf(face);
  if (rank === 0) return 20;
  if (rank === 1) return card.pip_scoring && !card.two_as_joker ? 2 : card.deuce_points;
  if (rank <= 8) return card.pip_scoring ? rank + 1 : 5;
  return 10;
}

/** R22: what a face costs in the hand. */
export const handCost = (card, face) => (face === QUEEN_OF_SPADES ? card.queen_in_hand_penalty : points(card, face));
