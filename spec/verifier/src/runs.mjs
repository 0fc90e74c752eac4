/**
 * Runs (10-rules 13 and 15): finding the places of a new run (R83) and of cards laid off on one (R92).
 *
 * Places are 1 (low ace), 2..13 (two..king), 14 (high ace). `ranks[i]` is the rank of the i-th listed card, or null for an
 * undeclared joker.
 */
import { need } from './fault.mjs';

export const rankAt = (place) => (((place - 1) % 13) + 13) % 13;

/** R83.1: places of the list as it stands, or null. */
function asListed(ranks) {
  for (let low = 1; low + ranks.length - 1 <= 14; low++) {
    if (ranks.every((rank, i) => rank === null || rank === rankAt(low + i))) return ranks.map((_, i) => low + i);
  }
  return null;
}

const reversed = (list) => [...list].reverse();

/** R83.2: the same for the reversed list, places given back in the order listed. */
function asListedDescending(ranks) {
  const places = asListed(reversed(ranks));
  return places && reversed(places);
}

/** Ways to put the cards of known rank (R83.3): lists of places with null for the jokers, in the order to be tried. */
function ways(card, ranks) {
  const aces = ranks.flatMap((rank, i) => (rank === 0 ? [i] : []));
  const copies = card.duplicate_in_run ? card.decks : 1;
  let lows;
  if (card.duplicate_in_run) lows = Array.from({ length: aces.length + 1 }, (_, i) => aces.length - i);
  else lows = [[0], [1, 0], [1]][aces.length] ?? [];
  const result = [];
  for (const low of lows) {
    const places = ranks.map((rank, i) => {
      if (rank === null) return null;
      if (rank !== 0) return rank + 1;
      return aces.indexOf(i) < low ? 1 : 14;
    });
    const count = new Map();
    for (const place of places) if (place !== null) count.set(place, (count.get(place) ?? 0) + 1);
    if ([...count.values()].every((times) => times <= copies)) result.push(places);
  }
  return result;
}

function span(places) {
  const taken = [...new Set(places.filter((place) => place !== null))].sort((a, b) => a - b);
  const least = taken[0];
  const greatest = taken.at(-1);
  const empty = [];
  for (let place = least; place <= greatest; place++) if (!taken.includes(place)) empty.push(place);
  return { taken, empty, length: greatest - least + 1 };
}

/** R83.3: the first way that works, or null. */
function outOfOrder(card, ranks) {
  const jokers = ranks.filter((rank) => rank === null).length;
  for (const places of ways(card, ranks)) {
    const { taken, empty } = span(places);
    if (empty.length !== jokers || taken.length + empty.length < card.meld_min_cards) continue;
    return places.map((place) => place ?? empty.shift());
  }
  return null;
}

/** Whether the list would be a run if the circle went on K A 2. */
function runsAround(ranks) {
  const starts = ranks.flatMap((rank, i) => (rank === null ? [] : [(rank - i + 26 * 13) % 13]));
  return starts.every((start) => start === starts[0]);
}

/** Whether some stretch of `ranks.length` neighbours of the circle holds all known ranks, each once. */
function fitsCircle(ranks) {
  const known = ranks.filter((rank) => rank !== null);
  if (ranks.length > 13 || new Set(known).size !== known.length) return false;
  return known.some((first) => known.every((rank) => (rank - first + 13) % 13 < ranks.length));
}

/** R83: the places of a new run. `natural[i]` says whether the i-th card is natural. Throws the code of R83.4. */
export function runPlaces(card, ranks, natural) {
  const places = asListed(ranks) ?? asListedDescending(ranks) ?? outOfOrder(card, ranks);
  if (places) return places;
  need(!runsAround(ranks) && !runsAround(reversed(ranks)), 'rules/ace_wrap');
  const jokers = ranks.filter((rank) => rank === null).length;
  need(!ways(card, ranks).some((way) => span(way).empty.length < jokers), 'rules/joker_identity');
  need(!fitsCircle(ranks), 'rules/ace_wrap');
  const undeclared = ranks.map((rank, i) => (natural[i] ? rank : null));
  const declared = ranks.some((rank, i) => rank !== null && !natural[i]);
  const could = declared && ways(card, undeclared).some((way) => span(way).length <= ranks.length);
  need(!could, 'rules/joker_identity');
  return need(false, 'rules/not_a_meld');
}

/** R92.1: the given cards at the new places first..first + k - 1. Returns {places} or {code}. */
function goOn(ranks, natural, first) {
  const all = ranks.map((_, i) => first + i);
  const places = ranks.map(() => null);
  for (let i = 0; i < ranks.length; i++) {
    if (ranks[i] === null) continue;
    const place = all.find((p) => rankAt(p) === ranks[i] && !places.includes(p));
    if (place === undefined) return { code: natural[i] ? 'does_not_fit' : 'joker_identity' };
    places[i] = place;
  }
  if (all[0] < 1 || all.at(-1) > 14) return { code: 'ace_wrap' };
  const left = all.filter((place) => !places.includes(place));
  return { places: places.map((place) => place ?? left.shift()) };
}

/** R92.3: further copies at places of the run, or null. `taken` lists the places of its cards. */
function copiesInRun(card, ranks, taken) {
  const low = Math.min(...taken);
  const high = Math.max(...taken);
  const all = [...taken];
  const places = [];
  for (const rank of ranks) {
    const place = rank === 0 ? (low === 1 ? 1 : 14) : rank + 1;
    const atEnd = place === low || place === high;
    if (!all.includes(place) || (card.layoff_run_ends && !atEnd)) return null;
    all.push(place);
    if (all.filter((other) => other === place).length > card.decks) return null;
    places.push(place);
  }
  return places;
}

/** R92.4: one at a time on top or below, or null. */
function bothEnds(ranks, low, high) {
  const places = ranks.map(() => null);
  const fitting = (place) =>
    place < 1 || place > 14 ? [] : ranks.flatMap((r, i) => (places[i] === null && r === rankAt(place) ? [i] : []));
  for (let left = ranks.length; left > 0; left--) {
    const up = fitting(high + 1);
    const down = fitting(low - 1);
    if (up.join() === down.join()) return null;
    if (up.length) places[up[0]] = high += 1;
    else places[down[0]] = low -= 1;
  }
  return places;
}

/** R92: the places of cards laid off on a run whose cards stand at `taken`; `allowed` says whether R84 lets them lie there. */
export function layoffPlaces(card, ranks, natural, taken, side, allowed) {
  const low = Math.min(...taken);
  const high = Math.max(...taken);
  const tried = [];
  if (side !== 2) tried.push(goOn(ranks, natural, low - ranks.length));
  if (side !== 1) tried.push(goOn(ranks, natural, high + 1));
  const fits = tried.filter((end) => end.places);
  const known = ranks.every((rank) => rank !== null);
  if (fits.length > 0) {
    const legal = fits.length === 1 ? fits : fits.filter(({ places }) => allowed(places));
    need(legal.length < 2, known ? 'rules/does_not_fit' : 'rules/joker_identity');
    return (legal[0] ?? fits.at(-1)).places;
  }
  if (known && card.duplicate_in_run) {
    const places = copiesInRun(card, ranks, taken);
    if (places) return places;
  }
  if (known && side === 0 && ranks.length > 1) {
    const places = bothEnds(ranks, low, high);
    if (places) return places;
  }
  const code = ['ace_wrap', 'joker_identity', 'does_not_fit'].find((name) => tried.some((end) => end.code === name));
  return need(false, `rules/${code}`);
}
