/**
 * Makes game files whose seats all sign correctly but need not be honest: tests of what a signed entry may hold.
 *
 * A Maker follows the log of the verifier itself, so it knows what is expected; it makes the honest body of every kind and
 * lets hooks replace what a seat does (`act`), what it says (`body`), or the finished entry (`entry`).
 */
import { ed25519 } from '@noble/curves/ed25519.js';
import { ascii, concat, u32, u8 } from '../../src/bytes.mjs';
import { epochOf, indexOf, slotNumber } from '../../src/deal.mjs';
import { KIND } from '../../src/entry.mjs';
import { Log } from '../../src/file.mjs';
import { readGenesis } from '../../src/genesis.mjs';
import { G, times } from '../../src/group.mjs';
import { H, H32, Hs, cardPoint } from '../../src/hashing.mjs';
import { encode } from '../../src/msgpack.mjs';
import { ALL, PURPOSE } from '../../src/proofs.mjs';
import { PHASE, drawOutcome, exchangeOpens } from '../../src/rules.mjs';
import { playOpens } from '../../src/play.mjs';
import { roundPoints, scoreHash } from '../../src/scores.mjs';
import { deckBytes } from '../../src/shuffle.mjs';
import { provePossession, proveShares, proveShuffle, shuffleDeck } from './prover.mjs';

/** A small generator of pseudo-random numbers, so that a made game can be made again. */
export function randomness(seed) {
  let counter = 0;
  const next = () => {
    const bytes = H('test/random', ascii(String(seed)), u32(counter++));
    return (bytes[0] + 256 * bytes[1] + 65536 * bytes[2]) / 16777216;
  };
  return { next, below: (limit) => Math.floor(next() * limit), pick: (list) => list[Math.floor(next() * list.length)] };
}

/** A file of records. */
export const fileOf = (magic, records) => concat(ascii(magic), ...records.flatMap((record) => [u32(record.length), record]));

export class Maker {
  /**
   * `hooks.act(maker, seat)` gives an act, 'draw', or for an exchange {exchange: slot | null}; other hooks change what a
   * seat does: `body`, `entry`, `challenge`, `order` (of a shuffle), `x` (key), `s` (seed said at the audit).
   */
  constructor({ cardText, n, seed = 1, maxRounds = 1, rulesName = 'test', names = [], ...hooks }) {
    this.seed = seed;
    this.secrets = Array.from({ length: n }, (_, i) => H32('test/id', u32(seed), u8(i)));
    const publics = this.secrets.map((secret) => ed25519.getPublicKey(secret));
    this.table = H('test/table', u32(seed)).slice(0, 16);
    const players = publics.map((key, i) => [names[i] ?? `Seat ${i}`, 1, key]);
    this.genesisBytes = encode(['duizenden', 1, this.table, rulesName, ascii(cardText), players, [maxRounds, 1, 0]]);
    this.genesis = readGenesis(this.genesisBytes);
    this.log = new Log(this.genesis);
    this.frames = [];
    this.readable = new WeakMap();
    this.n = n;
    this.hooks = hooks;
    this.advance();
  }

  get game() {
    return this.log.game;
  }

  get deal() {
    return this.game.deal;
  }

  get state() {
    return this.game.state;
  }

  x(seat) {
    const own = Hs('test/gx', u32(this.seed), this.deal.ctx, u8(seat));
    return this.hooks.x?.(this, seat, own) ?? own;
  }

  /** The seed a seat commits to; `s` may make it another one at the audit. */
  s(seat) {
    return H32('test/gs', u32(this.seed), this.deal.ctx, u8(seat));
  }

  advance(entry) {
    const course = entry ? this.log.take(entry) : this.log.resume();
    let next = course.next();
    while (!next.done) next = course.next();
  }

  sign(seat, kind, body, { step = this.log.expected.step, head = this.log.head, version = 1, table = this.table } = {}) {
    const bytes = encode([version, table, step, seat, head, kind, body]);
    return encode([bytes, ed25519.sign(H('dz1/entry', bytes), this.secrets[seat])]);
  }

  /** Say the next entry. Returns false when the log is over or the entry was refused; `refused` says why. */
  say() {
    const { expected, over } = this.log;
    if (over) return false;
    const [kind, honest] = this.honest(expected.seat, expected.kinds);
    const said = this.hooks.body?.(this, expected.seat, kind, honest) ?? honest;
    let frame = this.sign(expected.seat, kind, said);
    frame = this.hooks.entry?.(this, expected.seat, kind, said, frame) ?? frame;
    for (const one of Array.isArray(frame) ? frame : [frame]) {
      this.frames.push(one);
      try {
        this.advance(one);
      } catch (error) {
        this.refused = error.code ?? error;
        if (!error.code) throw error;
        return false;
      }
    }
    return true;
  }

  run(limit = 100000) {
    while (limit-- > 0 && this.say());
    return this;
  }

  bytes() {
    return fileOf('DUIZENDEN GAME 1\n', [this.genesisBytes, ...this.frames]);
  }

  /** The file of this accusation and these entries. */
  evidence(findings, frames) {
    return fileOf('DUIZENDEN EVIDENCE 1\n', [this.genesisBytes, encode(findings), ...frames]);
  }

  /** Kind and honest body of what is expected of a seat. */
  honest(seat, kinds) {
    const [kind] = kinds;
    const { deal, genesis, game } = this;
    const player = genesis.seats[seat];
    switch (kind) {
      case KIND.seat: return [kind, [1, player.keyBytes, player.name, genesis.rulesHash]];
      case KIND.commit: return [kind, [this.opening(seat).commitment]];
      case KIND.open: {
        const { key, seedHash, rho } = this.opening(seat);
        return [kind, [key, seedHash, rho, provePossession(deal.ctx, seat, this.x(seat))]];
      }
      case KIND.shuffle: return [kind, this.shuffleBody(seat)];
      case KIND.ready: return [kind, [deal.epoch.rctx, deal.epoch.deckHash]];
      case KIND.deal: return [kind, this.dealBody(seat)];
      case KIND.exchange: {
        const { exchange } = this.hooks.act(this, seat);
        const opens = this.opens(seat, exchange === null ? [] : exchangeOpens(this.state, exchange));
        return [kind, [exchange === null ? [] : [exchange], opens]];
      }
      case KIND.draw:
      case KIND.play: return this.turnBody(seat, kinds);
      case KIND.shares: return [kind, this.sharesBody(seat)];
      case KIND.end: return [kind, [deal.epoch.rctx]];
      case KIND.show: {
        const hidden = [...this.state.hand[seat]].filter((slot) => !this.state.face.has(slot));
        return [kind, [this.opens(seat, hidden)]];
      }
      case KIND.audit: return [kind, [this.hooks.s?.(this, seat, this.s(seat)) ?? this.s(seat)]];
      case KIND.verdict: return [kind, this.verdictBody()];
      case KIND.void: {
        const mask = game.named.reduce((sum, one) => sum | (1 << one), 0);
        return [kind, [game.voidContext, game.reason, mask]];
      }
      case KIND.expired: return [kind, [this.log.expected.mask]];
      default: throw new Error(`no body of kind ${kind}`);
    }
  }

  opening(seat) {
    const { ctx } = this.deal;
    const key = times(G, this.x(seat)).toBytes();
    const seedHash = H32('dz1/seed', ctx, u8(seat), this.s(seat));
    const rho = H32('test/grho', u32(this.seed), ctx, u8(seat));
    return { key, seedHash, rho, commitment: H32('dz1/commit', ctx, u8(seat), key, seedHash, rho) };
  }

  shuffleBody(seat) {
    const { deal } = this;
    const { rctx, epoch, decks } = deal.epoch;
    const link = { rctx, seat, H: deal.H, hBytes: deal.hBytes, input: decks.at(-1) };
    const made = shuffleDeck({ ...link, epoch, R: deal.R, seed: this.s(seat), order: this.hooks.order?.(this, seat) });
    const proof = proveShuffle({ ...link, output: made.output }, { ...made, seed: this.s(seat) });
    return [deckBytes(made.output), proof];
  }

  statement(seat, purpose, to, numbers) {
    const { deal } = this;
    const slots = numbers.map((number) => deal.slot(number));
    const { rctx, deckHash } = deal.epochs[slots[0].epoch];
    return { rctx, deckHash, seat, purpose, to, slots, keyBytes: deal.openings[seat].keyBytes };
  }

  shares(seat, purpose, to, numbers) {
    const { shares, proof } = proveShares(this.statement(seat, purpose, to, numbers), this.x(seat));
    return [concat(...shares), proof];
  }

  dealBody(seat) {
    const h = this.genesis.card.hand_size;
    const { seats } = this.deal;
    const n = seats.length;
    const others = seats.filter((p) => p !== seat);
    const hand = (p) => Array.from({ length: h }, (_, k) => slotNumber(0, k * n + seats.indexOf(p)));
    const parts = others.map((p) => this.shares(seat, PURPOSE.deal, p, hand(p)));
    return [...parts, this.shares(seat, PURPOSE.upCard, ALL, [slotNumber(0, n * h)])];
  }

  sharesBody(seat) {
    const { game } = this;
    const { speakers } = this.log.expected;
    const recipient = this.deal.seats.find((p) => !speakers.includes(p));
    const slot = game.nextSlot - 1;
    return [...this.shares(seat, PURPOSE.draw, recipient, [slot]), this.hooks.challenge?.(this, seat) ?? 0];
  }

  /** The id in a slot that a seat can read. */
  idOf(seat, number) {
    const { deal } = this;
    const known = deal.ids.get(number) ?? this.readable.get(deal)?.get(number);
    if (known !== undefined) return known;
    const slot = deal.slot(number);
    const message = slot.residual.subtract(times(slot.A, this.x(seat)));
    const id = [...deal.epochs[slot.epoch].ids].find((one) => cardPoint(one).equals(message));
    if (!this.readable.has(deal)) this.readable.set(deal, new Map());
    this.readable.get(deal).set(number, id);
    return id;
  }

  opens(seat, numbers) {
    const sorted = [...numbers].sort((a, b) => a - b);
    return [...new Set(sorted.map(epochOf))].map((epoch) => {
      const slots = sorted.filter((number) => epochOf(number) === epoch);
      const { shares, proof } = proveShares(this.statement(seat, PURPOSE.open, ALL, slots), this.x(seat));
      return [epoch, slots.map((number, i) => [indexOf(number), this.idOf(seat, number), shares[i]]), proof];
    });
  }

  turnBody(seat, kinds) {
    const challenge = this.hooks.challenge?.(this, seat) ?? 0;
    const act = this.hooks.act(this, seat);
    if (act === 'draw') {
      const { state, game } = this;
      const outcome = drawOutcome(state);
      const slot = { stock: game.nextSlot, single: state.pot[0] }[outcome] ?? slotNumber(this.deal.epoch.epoch + 1, 0);
      return [KIND.draw, [epochOf(slot), indexOf(slot), challenge]];
    }
    const hidden = playOpens(this.state, act).filter((slot) => epochOf(slot) <= 255);
    return [KIND.play, [actValue(act), this.opens(seat, hidden), challenge]];
  }

  verdictBody() {
    const { game, n } = this;
    const points = roundPoints(this.state, (slot) => this.deal.faces.get(slot));
    const totals = game.totals.map((total, seat) => total + points[seat]);
    const { seats } = this.deal;
    return [Uint8Array.from({ length: n }, (_, seat) => (seats.includes(seat) ? 0 : 255)), scoreHash(game.roundNumber, points, totals)];
  }
}

const cardsValue = (cards) => cards.map(({ slot, declared }) => [slot, declared]);

function stepValue(step) {
  if (step.type === 'lay') return [1, cardsValue(step.cards)];
  if (step.type === 'layoff') return [2, step.meld, step.side, cardsValue(step.cards)];
  return [3, step.meld, step.position, step.slot];
}

/** The wire form of an act. */
export function actValue({ takePot, steps, discard, call, shown }) {
  return [takePot ? 1 : 0, steps.map(stepValue), discard === null ? [] : [discard], call ? 1 : 0, shown];
}

/** Draw, then discard some card. */
export function drawAndDiscard(maker, seat) {
  const { state } = maker;
  if (state.phase === PHASE.exchange) return { exchange: null };
  if (state.phase === PHASE.draw) return 'draw';
  const [discard] = state.hand[seat];
  return { takePot: false, steps: [], discard, call: false, shown: [] };
}
