/** Scores, the end of a game and its winners (10-rules 20; the score hash of 30-wire 6). */
import { concat, u32 } from './bytes.mjs';
import { handCost, points } from './cards.mjs';
import { H32 } from './hashing.mjs';
import { teamsOf } from './rules.mjs';

/** R120: points of every seat. `faceIn(slot)` gives the faces of the hands, all of them known now. */
export function roundPoints(state, faceIn) {
  const { card } = state;
  return state.hand.map((hand, seat) => {
    const own = state.melds.filter(({ owner }) => owner === seat);
    const table = own.flatMap(({ cards }) => cards).reduce((sum, { face }) => sum + points(card, face), 0);
    return [...hand].reduce((sum, slot) => sum - handCost(card, faceIn(slot)), table - state.penalty[seat]);
  });
}

/** What VERDICT must hold: round, and for every seat its points and its new total. */
export function scoreHash(round, pointsOfRound, totals) {
  const seats = pointsOfRound.flatMap((value, seat) => [u32(value >>> 0), u32(totals[seat] >>> 0)]);
  return H32('dz1/score', concat(u32(round), ...seats));
}

/** The total of every seat's side (R121). */
function sideTotals(card, totals) {
  const team = teamsOf(card, totals.length);
  return totals.map((_, seat) => totals.reduce((sum, value, other) => sum + (team[other] === team[seat] ? value : 0), 0));
}

/** Those of these seats whose side total is the highest of them. */
function leaders(card, totals, seats) {
  const sides = sideTotals(card, totals);
  const best = Math.max(...seats.map((seat) => sides[seat]));
  return seats.filter((seat) => sides[seat] === best);
}

const everySeat = (totals) => totals.map((_, seat) => seat);

/** R122 and R123, after so many finished rounds; `seats` still play (R132). */
export function isOver(card, maxRounds, finished, totals, seats = everySeat(totals)) {
  if (maxRounds !== 0 && finished >= maxRounds) return true;
  const best = leaders(card, totals, seats);
  if (sideTotals(card, totals)[best[0]] < card.target_score) return false;
  const team = teamsOf(card, totals.length);
  return card.tie_at_top !== 'extra_round' || new Set(best.map((seat) => team[seat])).size === 1;
}

/** R124. */
export const winners = (card, totals, seats = everySeat(totals)) => leaders(card, totals, seats);

/** R131: who wins a game that was broken off: who led after the last finished round, perhaps without the named sides. */
export function abortedWinners(card, totals, named) {
  const team = teamsOf(card, totals.length);
  const excluded = card.aborted_winner_excludes_leaver ? named.map((seat) => team[seat]) : [];
  return leaders(card, totals, everySeat(totals).filter((seat) => !excluded.includes(team[seat])));
}

/** R125: final scores as shown, with one decimal where the mean of the others that still play is taken off. */
export function finalScores(card, totals, seats = everySeat(totals)) {
  if (card.final_score !== 'own_minus_average') return totals.map(String);
  return totals.map((own, seat) => {
    const measure = seats.filter((other) => other !== seat);
    const others = measure.length;
    const tenths = (own * others - measure.reduce((sum, other) => sum + totals[other], 0)) * 10;
    const rounded = Math.sign(tenths) * Math.floor((2 * Math.abs(tenths) + others) / (2 * others));
    return `${rounded < 0 ? '-' : ''}${Math.floor(Math.abs(rounded) / 10)}.${Math.abs(rounded) % 10}`;
  });
}
