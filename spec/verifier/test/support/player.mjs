/** Random acts for made games: mostly sensible, often not, so that both sides of every rule are met. */
import { faceOfId, isWild, rankOf, suitOf } from '../../src/cards.mjs';
import { Fault } from '../../src/fault.mjs';
import { play, playOpens } from '../../src/play.mjs';
import { PHASE } from '../../src/rules.mjs';

const ANY = 255;

/** The face of any slot a seat can know. */
const faceOf = (maker, seat, slot) => maker.deal.faces.get(slot) ?? faceOfId(maker.genesis.card, maker.idOf(seat, slot));

/** What the rules say of an act: `null` if it is legal, else the code. */
export function judged(maker, seat, act) {
  const copy = structuredClone(maker.state);
  const opened = new Set(playOpens(copy, act));
  const known = (slot) => copy.face.get(slot) ?? (opened.has(slot) ? faceOf(maker, seat, slot) : undefined);
  try {
    play(copy, act, known);
    return { code: null, state: copy };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { code: error.code, state: copy };
  }
}

class Chooser {
  constructor(maker, seat, random) {
    Object.assign(this, { maker, seat, random, card: maker.genesis.card, state: maker.state });
    const { state } = this;
    this.takePot = state.phase === PHASE.draw ? random.next() < 0.97 : random.next() < 0.01;
    this.pool = [...state.hand[seat], ...(this.takePot ? state.pot : [])].map((slot) => ({
      slot, face: faceOf(maker, seat, slot),
    }));
    this.top = this.takePot ? state.pot.at(-1) : undefined;
  }

  wild(face) {
    return isWild(this.card, face);
  }

  /** Cards of the pool for a meld, as {slot, declared}. */
  meldCards() {
    const { random, pool } = this;
    const must = this.takePot && random.next() < 0.8 ? pool.find(({ slot }) => slot === this.top) : undefined;
    const naturals = pool.filter(({ face }) => !this.wild(face));
    const base = must && !this.wild(must.face) ? must : random.pick(naturals.length ? naturals : pool);
    if (!base) return [];
    const run = random.next() < 0.5;
    let chosen = run ? this.runAround(base) : naturals.filter(({ face }) => rankOf(face) === rankOf(base.face));
    if (!run && random.next() < 0.7) chosen = chosen.slice(0, 3 + random.below(3));
    if (must && !chosen.includes(must)) chosen.push(must);
    const jokers = pool.filter(({ face }) => this.wild(face) && random.next() < 0.5).slice(0, chosen.length < 3 ? 2 : 1);
    for (const joker of jokers) chosen.splice(random.below(chosen.length + 1), 0, joker);
    if (random.next() < 0.08) chosen.push(random.pick(pool));
    if (random.next() < 0.15) chosen.sort(() => random.next() - 0.5);
    if (random.next() < 0.1) chosen.reverse();
    return chosen.map((one) => ({ slot: one.slot, declared: this.declare(one.face, base.face, run) }));
  }

  runAround({ face }) {
    const { random, pool } = this;
    const place = (other) => (rankOf(other) === 0 && random.next() < 0.5 ? 13 : rankOf(other));
    const suit = pool.filter(({ face: f }) => !this.wild(f) && suitOf(f) === suitOf(face)).map((one) => ({ ...one, place: place(one.face) }));
    suit.sort((a, b) => a.place - b.place);
    const start = suit.findIndex((one) => one.face === face);
    const chosen = [];
    for (const one of suit.slice(Math.max(0, start - random.below(3)))) {
      const last = chosen.at(-1);
      if (last && (one.place - last.place > 2 || (one.place === last.place && random.next() < 0.7))) continue;
      chosen.push(one);
      if (chosen.length > 3 && random.next() < 0.3) break;
    }
    return chosen;
  }

  declare(face, near, run) {
    const { random } = this;
    if (!this.wild(face)) return random.next() < 0.01 ? random.below(90) : ANY;
    const dice = random.next();
    if (dice < 0.5) return ANY;
    if (dice < 0.55) return random.below(100);
    if (dice < 0.62) return 64 + (random.next() < 0.7 ? rankOf(near) : random.below(13));
    if (run) return 13 * suitOf(near) + ((rankOf(near) + 11 + random.below(6)) % 13);
    return 13 * random.below(4) + rankOf(near);
  }

  step() {
    const { random, state } = this;
    const dice = random.next();
    const melds = state.melds.length + this.laid;
    if (melds === 0 || dice < 0.5) {
      this.laid += 1;
      return { type: 'lay', cards: this.meldCards() };
    }
    const index = random.next() < 0.03 ? melds + random.below(3) : random.below(melds);
    const meld = state.melds[index];
    if (dice < 0.8) return { type: 'layoff', meld: index, side: random.pick([0, 0, 0, 1, 2]), cards: this.layoffCards(meld) };
    const spots = meld ? meld.cards.flatMap(({ wild }, i) => (wild ? [i] : [])) : [];
    const position = spots.length && random.next() < 0.9 ? random.pick(spots) : random.below(6);
    const fits = this.pool.filter(({ face }) => face === meld?.cards[position]?.as || rankOf(face) === meld?.rank);
    const { slot } = random.pick(fits.length && random.next() < 0.9 ? fits : this.pool) ?? { slot: 0 };
    return { type: 'swap', meld: index, position, slot };
  }

  layoffCards(meld) {
    const { random, pool } = this;
    if (!meld || random.next() < 0.1) return pool.filter(() => random.next() < 0.15).map(({ slot }) => ({ slot, declared: ANY }));
    const near = meld.cards.at(random.next() < 0.5 ? 0 : -1).as;
    const fits = ({ face }) => {
      if (this.wild(face)) return random.next() < 0.5;
      if (meld.kind === 'set') return rankOf(face) === meld.rank;
      if (suitOf(face) !== meld.suit) return false;
      return this.card.duplicate_in_run ? random.next() < 0.6 : true;
    };
    let chosen = pool.filter(fits);
    if (random.next() < 0.7) chosen = chosen.slice(0, 1 + random.below(3));
    if (random.next() < 0.3) chosen.sort(() => random.next() - 0.5);
    const face = near > 51 ? 13 * random.below(4) + near - 64 : near;
    return chosen.map((one) => ({ slot: one.slot, declared: this.declare(one.face, face, meld.kind === 'run') }));
  }

  act() {
    const { random, state } = this;
    this.laid = 0;
    const steps = [];
    const count = this.takePot ? 1 + random.below(3) : random.pick([0, 1, 1, 2, 3, 4]);
    for (let i = 0; i < count; i++) {
      const step = this.step();
      steps.push(step);
      const used = step.type === 'swap' ? [step.slot] : step.cards.map(({ slot }) => slot);
      if (random.next() < 0.97) this.pool = this.pool.filter(({ slot }) => !used.includes(slot));
    }
    const rest = this.pool;
    let discard = rest.length ? random.pick(rest).slot : null;
    if (random.next() < 0.03) discard = null;
    const left = rest.filter(({ slot }) => slot !== discard);
    let shown = [];
    if (random.next() < 0.15 && left.length < 5) shown = left.filter(() => random.next() < 0.9).map(({ slot }) => slot);
    if (random.next() < 0.01) discard = random.pick([state.pot.at(-1) ?? 0, ...state.hand[(this.seat + 1) % state.n]]);
    return { takePot: this.takePot, steps, discard, call: random.next() < 0.3 && this.card.last_card_call !== 'none' ? true : random.next() < 0.005, shown };
  }
}

/** A random act of the seat that moves. */
export const randomAct = (maker, seat, random) => new Chooser(maker, seat, random).act();
