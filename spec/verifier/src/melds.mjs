/**
 * Melds (10-rules 13, 15 and 16): what a new meld is, what a meld becomes by a lay-off, and what a swap fits.
 *
 * A given card is {slot, face, declared}; a card that lies is {slot, face, wild, as} and, in a run, `place`. A meld is
 * {owner, kind, rank or suit, cards}.
 */
import { faceOf, isWild, rankOf, suitOf } from './cards.mjs';
import { Fault, need } from './fault.mjs';
import { layoffPlaces, rankAt, runPlaces } from './runs.mjs';

const NONE = 255;
const CIRCLE = [2, 1, 0, 3]; // diamonds, hearts, spades, clubs, and round again

const isFace = (declared) => declared <= 51;
const isRankAlone = (declared) => declared >= 64 && declared <= 76;
const declaredRank = (declared) => (isFace(declared) ? rankOf(declared) : declared - 64);

/** The given cards with `wild` set and declarations checked (R80.4). */
function readDeclarations(card, given) {
  for (const { face, declared } of given) {
    if (declared === NONE) continue;
    need(isWild(card, face) && (isFace(declared) || isRankAlone(declared)), 'rules/joker_identity');
    need(!card.two_as_joker || card.wild_two_may_be_two || declaredRank(declared) !== 1, 'rules/joker_identity');
  }
}

const withWild = (card, given) => given.map((one) => ({ ...one, wild: isWild(card, one.face) }));
const majority = (cards) => 2 * cards.filter(({ wild }) => !wild).length > cards.length;

/** A new meld of the mover (R80). */
export function newMeld(card, owner, listed) {
  const given = withWild(card, listed);
  need(given.length >= card.meld_min_cards, 'rules/too_short');
  const naturals = given.filter(({ wild }) => !wild);
  need(naturals.length >= card.min_naturals, 'rules/needs_natural');
  need(!card.joker_majority || majority(given), 'rules/joker_majority');
  readDeclarations(card, given);
  const rank = rankOf(naturals[0].face);
  if (naturals.length === 1) {
    const other = given.some(({ wild, declared }) => wild && declared !== NONE && declaredRank(declared) !== rank);
    if (!other) return newSet(card, owner, rank, given);
    need(!card.single_natural_is_set, 'rules/single_natural_is_set');
    return newRun(card, owner, suitOf(naturals[0].face), given);
  }
  if (naturals.every(({ face }) => rankOf(face) === rank)) return newSet(card, owner, rank, given);
  const suit = suitOf(naturals[0].face);
  need(naturals.every(({ face }) => suitOf(face) === suit), 'rules/not_a_meld');
  return newRun(card, owner, suit, given);
}

function newSet(card, owner, rank, given) {
  return { owner, kind: 'set', rank, cards: setCards(card, rank, [], given) };
}

/** R81: the given cards behind those that lie. Returns all cards. */
function setCards(card, rank, lying, given) {
  const counts = [0, 0, 0, 0];
  for (const { as } of lying) if (as < 52) counts[suitOf(as)] += 1;
  for (const { wild, face } of given) if (!wild) counts[suitOf(face)] += 1;
  const size = lying.length + given.length;
  need(card.same_suit_twice_in_set || (counts.every((c) => c <= 1) && size <= 4), 'rules/duplicate_suit');
  need(size <= 4 * card.decks, 'rules/set_full');
  const identities = setJokers(card, rank, lying, given, counts);
  const added = given.map(({ slot, face, wild }, i) => ({ slot, face, wild, as: wild ? identities[i] : face }));
  return [...lying, ...added];
}

/** R82: what the jokers among the given cards stand for, by position. */
function setJokers(card, rank, lying, given, counts) {
  const jokers = given.flatMap(({ wild }, i) => (wild ? [i] : []));
  const wrong = jokers.some((i) => given[i].declared !== NONE && declaredRank(given[i].declared) !== rank);
  need(!wrong, 'rules/joker_identity');
  const result = [];
  if (card.joker_swap_match === 'missing_suit' || card.joker_swap_match === null) {
    for (const i of jokers) result[i] = 64 + rank;
    return result;
  }
  if (card.joker_swap_match === 'exact_bridge' && jokers.length === 1 && lying.length === 0) {
    const suits = given.map(({ wild, face }) => (wild ? null : suitOf(face)));
    const naturals = suits.filter((suit) => suit !== null);
    if (naturals.length <= 3 && new Set(naturals).size === naturals.length) {
      result[jokers[0]] = faceOf(bridgeSuit(suits, given[jokers[0]].declared), rank);
      return result;
    }
  }
  for (const i of jokers.filter((j) => isFace(given[j].declared))) {
    const suit = suitOf(given[i].declared);
    counts[suit] += 1;
    need(card.same_suit_twice_in_set || counts[suit] <= 1, 'rules/duplicate_suit');
    need(counts[suit] <= card.decks, 'rules/joker_identity');
    result[i] = given[i].declared;
  }
  for (const i of jokers.filter((j) => !isFace(given[j].declared))) {
    let suit = counts.indexOf(0);
    if (suit < 0) suit = counts.findIndex((count) => count < card.decks);
    counts[suit] += 1;
    result[i] = faceOf(suit, rank);
  }
  return result;
}

/** R82.3: the suit of the joker (null in `suits`) in a row of neighbours of the circle. */
function bridgeSuit(suits, declared) {
  const candidates = isFace(declared) ? [suitOf(declared)] : [0, 1, 2, 3];
  const found = candidates.find((candidate) => {
    const row = suits.map((suit) => suit ?? candidate);
    const neighbours = (a, b) => Math.abs(CIRCLE.indexOf(a) - CIRCLE.indexOf(b)) % 2 === 1;
    return new Set(row).size === row.length && row.every((suit, i) => i === 0 || neighbours(row[i - 1], suit));
  });
  need(found !== undefined, 'rules/bridge_order');
  return found;
}

/** Ranks of the given cards in a run of this suit, null for undeclared jokers; throws for cards that cannot belong. */
function runRanks(suit, given, misfit) {
  return given.map(({ wild, face, declared }) => {
    if (!wild) {
      need(suitOf(face) === suit, misfit);
      return rankOf(face);
    }
    if (declared === NONE) return null;
    need(isFace(declared) && suitOf(declared) === suit, 'rules/joker_identity');
    return rankOf(declared);
  });
}

const natural = (given) => given.map(({ wild }) => !wild);

function newRun(card, owner, suit, given) {
  const ranks = runRanks(suit, given, 'rules/not_a_meld');
  const places = runPlaces(card, ranks, natural(given));
  return { owner, kind: 'run', suit, cards: runCards(card, suit, [], given, places) };
}

/** R84: the run ascending, equal places in the order given, and its ends. */
function runCards(card, suit, lying, given, places) {
  const added = given.map(({ slot, face, wild }, i) => {
    const as = faceOf(suit, rankAt(places[i]));
    return { slot, face, wild, as, place: places[i] };
  });
  const cards = [...lying, ...added].sort((a, b) => a.place - b.place);
  const low = cards[0].place === 1;
  const high = cards.at(-1).place === 14;
  need(!low || card.ace_low, 'rules/ace_low_not_allowed');
  need(!high || card.ace_high, 'rules/ace_high_not_allowed');
  need(!(low && high) || card.ace_both_ends, 'rules/ace_both_ends');
  need(cards.length <= card.run_max_cards, 'rules/run_full');
  const wildTwo = card.two_as_joker && cards.some(({ wild, place }) => wild && place === 2);
  need(!wildTwo || card.wild_two_may_be_two, 'rules/joker_identity');
  return cards;
}

/** The cards of a meld with the given ones laid off on it (R90 from R80.4 on). */
export function laidOff(card, meld, side, listed) {
  const given = withWild(card, listed);
  readDeclarations(card, given);
  let cards;
  if (meld.kind === 'set') {
    need(side === 0, 'rules/does_not_fit');
    need(given.every(({ wild, face }) => wild || rankOf(face) === meld.rank), 'rules/does_not_fit');
    cards = setCards(card, meld.rank, meld.cards, given);
  } else {
    const ranks = runRanks(meld.suit, given, 'rules/does_not_fit');
    const taken = meld.cards.map(({ place }) => place);
    const joined = (places) => runCards(card, meld.suit, meld.cards, given, places);
    const allowed = (places) => {
      try {
        return joined(places) !== null;
      } catch (fault) {
        if (fault instanceof Fault) return false;
        throw fault;
      }
    };
    cards = joined(layoffPlaces(card, ranks, natural(given), taken, side, allowed));
  }
  need(!card.joker_majority || majority(cards), 'rules/joker_majority');
  return cards;
}

/** R96: whether a natural face may replace the joker `joker` of a meld. */
export function swapFits(card, meld, joker, face) {
  if (meld.kind === 'run' || card.joker_swap_match !== 'missing_suit') return face === joker.as;
  if (rankOf(face) !== meld.rank) return false;
  const suits = new Set(meld.cards.filter(({ wild }) => !wild).map((one) => suitOf(one.face)));
  return suits.size === 4 || !suits.has(suitOf(face));
}
