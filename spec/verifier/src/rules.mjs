/**
 * One round under a rule card (10-rules 7 to 12 and 19): its state, the exchange, drawing, taking the pot, and how a turn
 * ends. A play as a whole is in play.mjs, melds are in melds.mjs. Slots are numbers (epoch * 65536 + index); the rules never
 * see card ids. Checks throw Fault `rules/<code>`.
 */
import { QUEEN_OF_SPADES } from './cards.mjs';
import { need } from './fault.mjs';

export const PHASE = { exchange: 'exchange', draw: 'draw', play: 'play', over: 'over' };

/** Team of every seat (R31), or the seats themselves when everybody plays alone. */
export function teamsOf(card, n) {
  const teams = card.team_size > 0 ? n / card.team_size : n;
  return Array.from({ length: n }, (_, seat) => seat % teams);
}

/** The state of a round after the deal. `hands[p]` are slots (none for a seat that does not play), `open` the slot turned up and `face` its face. */
export function newRound(card, { n, starter, hands, open, face, stock }) {
  const exchange = card.opening_exchange !== 'none';
  return {
    card,
    n,
    team: teamsOf(card, n),
    starter,
    mover: starter,
    phase: exchange ? PHASE.exchange : PHASE.draw,
    hand: hands.map((slots) => new Set(slots)),
    face: new Map([[open, face]]),
    melds: [],
    pot: exchange ? [] : [open],
    openCard: exchange ? open : null,
    stock,
    down: Array(n).fill(false),
    turns: Array(n).fill(0),
    drawn: null,
    stockOnly: false,
    idleTurns: 0,
    turnsSinceLay: 0,
    reshuffles: 0,
    laidSinceReshuffle: false,
    last: null,
    uncalled: new Set(),
    owed: new Set(),
    penalty: Array(n).fill(0),
    out: null,
  };
}

const withCards = (state) => state.hand.filter((hand) => hand.size > 0).length;

/** The next seat clockwise that has cards. */
function nextSeat(state, seat) {
  let next = seat;
  do next = (next + 1) % state.n;
  while (state.hand[next].size === 0);
  return next;
}

/** R50: a round in which the pot only goes round is over before the next turn, all penalty cards being taken. */
export function endStalemate(state) {
  if (state.phase === PHASE.draw && state.idleTurns >= 3 * withCards(state)) state.phase = PHASE.over;
}

/** The hidden slots an exchange must open (R41): the returned slot of the hand unless it is public. */
export function exchangeOpens(state, returned) {
  const hidden = returned !== null && state.hand[state.mover].has(returned) && !state.face.has(returned);
  return hidden ? [returned] : [];
}

/** R40 to R43. `returned` is a slot, or null to decline; `known` gives the face of slots that are public or opened. */
export function exchange(state, returned, known) {
  const { card, mover } = state;
  if (returned === null) {
    state.pot = [state.openCard];
    state.openCard = null;
    state.phase = PHASE.draw;
    if (card.opening_exchange === 'decliner_draws') {
      state.starter = mover;
      state.stockOnly = true;
    } else {
      state.mover = state.starter;
    }
    return;
  }
  const offered = state.openCard;
  need(returned !== offered || !card.exchange_return_other_card, 'rules/exchange_same_card');
  const held = returned === offered || state.hand[mover].has(returned);
  need(held && known(returned) !== undefined, 'rules/card_not_in_hand');
  const queen = known(returned) === QUEEN_OF_SPADES;
  need(!queen || card.exchange_may_return_queen, 'rules/exchange_queen');
  state.hand[mover].add(offered);
  state.hand[mover].delete(returned);
  state.face.set(returned, known(returned));
  state.openCard = returned;
  state.mover = nextSeat(state, mover);
}

/** R51: what a DRAW leads to now. */
export function drawOutcome(state) {
  if (state.stock > 0) return 'stock';
  const stuck = state.reshuffles > 0 && !state.laidSinceReshuffle && state.turnsSinceLay >= withCards(state);
  if (state.pot.length === 0 || stuck) return 'ends';
  return state.pot.length === 1 ? 'single' : 'reshuffle';
}

/** The pot becomes the stock of the next epoch (R51.4); its slots leave the state. */
export function reshuffle(state) {
  for (const slot of state.pot) state.face.delete(slot);
  state.stock = state.pot.length;
  state.pot = [];
  state.reshuffles += 1;
  state.laidSinceReshuffle = false;
}

/** The mover gets a slot of the stock (R51.1). */
export function drawStock(state, slot) {
  state.stock -= 1;
  take(state, slot);
}

/** The mover gets the one card of the pot instead (R51.3). */
export function drawSingle(state) {
  const [slot] = state.pot;
  state.pot = [];
  state.reshuffles += 1;
  state.laidSinceReshuffle = false;
  take(state, slot);
  return slot;
}

function take(state, slot) {
  state.hand[state.mover].add(slot);
  state.drawn = { source: 'stock', slots: [slot] };
  state.stockOnly = false;
  state.last = null;
  state.phase = PHASE.play;
}

/** R115 to R117 and R141: the turn ends with this discard (or null). Penalty cards and R50 are the caller's. */
export function endTurn(state, { discard, laid, called }) {
  const { card, mover } = state;
  const left = state.hand[mover].size;
  if (discard !== null) state.pot.push(discard);
  state.turns[mover] += 1;
  state.turnsSinceLay = laid ? 0 : state.turnsSinceLay + 1;
  if (laid) state.laidSinceReshuffle = true;
  state.idleTurns = !laid && state.drawn.source === 'pot' ? state.idleTurns + 1 : 0;
  state.drawn = null;
  if (card.last_card_call !== 'none' && left === 1 && !called) state.uncalled.add(mover);
  else state.uncalled.delete(mover);
  state.last = mover;
  if (left === 0 && isRoundWon(state)) {
    state.phase = PHASE.over;
    state.out = mover;
    return;
  }
  state.phase = PHASE.draw;
  state.mover = nextSeat(state, mover);
}

/** R116, the mover having no cards left. */
function isRoundWon(state) {
  const { card, mover } = state;
  if (card.team_size === 0 || card.team_going_out !== 'all') return true;
  return state.hand.every((hand, seat) => state.team[seat] !== state.team[mover] || hand.size === 0);
}

/** R142 to R144: a challenge of one seat by another; one that does not hold changes nothing. Returns whether it held. */
export function challenge(state, challenger, challenged) {
  const { card } = state;
  const opponent = challenged < state.n && state.team[challenged] !== state.team[challenger];
  const late = state.phase === PHASE.over || (state.phase === PHASE.play && state.mover === challenged);
  if (!opponent || !state.uncalled.has(challenged) || late || state.last === challenged) return false;
  state.uncalled.delete(challenged);
  if (card.last_card_call === 'extra_card') state.owed.add(challenged);
  else state.penalty[challenged] += card.last_card_penalty_points;
  return true;
}

/** R146: what the penalty card of a seat comes from now. */
export function penaltyOutcome(state) {
  if (state.stock > 0) return 'stock';
  if (state.pot.length === 0) return 'lapses';
  return state.pot.length === 1 ? 'single' : 'reshuffle';
}

/** R146.1 and R146.3: the penalty card; the pot's one card when no slot is given. Returns the slot. */
export function takePenalty(state, seat, slot = null) {
  state.owed.delete(seat);
  if (slot === null) {
    [slot] = state.pot;
    state.pot = [];
    state.reshuffles += 1;
    state.laidSinceReshuffle = false;
  } else {
    state.stock -= 1;
  }
  state.hand[seat].add(slot);
  return slot;
}
