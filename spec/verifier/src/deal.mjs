/**
 * The cards of one round: keys, epochs with their decks, shares, residuals and opened cards (20-crypto 5.2 to 5.6).
 *
 * Knows no rules: slots are numbers epoch * 65536 + index, who may do what when is decided by game.mjs. Checks throw
 * Fault; who spoke is known to the caller.
 */
import { concat, equal, u32, u8 } from './bytes.mjs';
import { faceOfId } from './cards.mjs';
import { need } from './fault.mjs';
import { O, decodePoint, prepare } from './group.mjs';
import { H32, cardPoint } from './hashing.mjs';
import { ALL, PURPOSE, checkPossession, checkShares } from './proofs.mjs';
import { checkChain, deckHash, isDerived, readDeck, startDeck } from './shuffle.mjs';

export const slotNumber = (epoch, index) => epoch * 65536 + index;
export const epochOf = (slot) => Math.floor(slot / 65536);
export const indexOf = (slot) => slot % 65536;

export class Deal {
  /** `seats` are those that play the round, ascending. */
  constructor(genesis, round, seats) {
    this.genesis = genesis;
    this.seats = seats;
    const keys = concat(...seats.map((seat) => genesis.seats[seat].keyBytes));
    this.ctx = H32('dz1/ctx', genesis.table, u32(round), u8(seats.length), keys, genesis.rulesHash, u8(0));
    this.commitments = [];
    this.openings = [];
    this.epochs = [];
    this.faces = new Map();
    this.ids = new Map();
    this.counts = { shares: 0, audited_shuffles: 0 };
  }

  commit(seat, commitment) {
    this.commitments[seat] = commitment;
  }

  /** OPEN of a seat. */
  open(seat, keyBytes, seedHash, rho, proof) {
    need(decodePoint(keyBytes) !== null, 'pok/point');
    const recomputed = H32('dz1/commit', this.ctx, u8(seat), keyBytes, seedHash, rho);
    need(equal(recomputed, this.commitments[seat]), 'open/commitment');
    const key = checkPossession(this.ctx, seat, keyBytes, proof);
    this.openings[seat] = { key, keyBytes, seedHash, rho };
  }

  /** The openings of all seats that play, ascending. */
  get allOpenings() {
    return this.seats.map((seat) => this.openings[seat]);
  }

  /** Seats whose keys, proven to be possessed, are equal: both are named. */
  equalKeys() {
    const same = (a, b) => a !== b && equal(this.openings[a].keyBytes, this.openings[b].keyBytes);
    const seats = Object.keys(this.openings).map(Number);
    return seats.filter((seat) => seats.some((other) => same(seat, other)));
  }

  /** After the last OPEN: the joint key and nonce. Returns false when the joint key is the identity. */
  join() {
    const H = this.allOpenings.reduce((sum, { key }) => sum.add(key), O);
    if (H.equals(O)) return false;
    this.H = prepare(H);
    this.hBytes = H.toBytes();
    this.R = H32('dz1/R', this.ctx, ...this.allOpenings.map(({ rho }) => rho));
    for (const { key } of this.allOpenings) prepare(key);
    return true;
  }

  /** Begin the chain of a new deck with these ids, ascending. */
  startEpoch(ids) {
    const epoch = this.epochs.length;
    const keys = this.allOpenings.map(({ keyBytes }) => keyBytes);
    const seeds = this.allOpenings.map(({ seedHash }) => seedHash);
    const rctx = H32('dz1/rctx', this.ctx, this.R, ...keys, ...seeds, u8(epoch));
    const deck = startDeck(ids, this.H);
    this.epochs.push({ epoch, rctx, ids: new Set(ids), opened: new Set(), decks: [deck], links: [], slots: [] });
  }

  get epoch() {
    return this.epochs.at(-1);
  }

  /** SHUFFLE of the next seat: the deck is decoded now, the proof when the chain is complete. */
  shuffle(seat, step, deckField, proofBytes) {
    const { rctx, decks, links, ids } = this.epoch;
    const output = readDeck(deckField, ids.size);
    links.push({ rctx, seat, step, H: this.H, hBytes: this.hBytes, input: decks.at(-1), output, proofBytes });
    decks.push(output);
  }

  /** The chain is complete: all proofs, then the deck everybody deals from. Returns the links whose proofs fail. */
  finishChain() {
    const { rctx, decks, links } = this.epoch;
    const failed = checkChain(links);
    if (failed.length > 0) return failed;
    this.epoch.deckHash = deckHash(rctx, decks.at(-1));
    this.epoch.slots = decks.at(-1).map(({ A, B, aBytes }, index) => ({
      epoch: this.epoch.epoch, index, A, aBytes, residual: B,
    }));
    return [];
  }

  slot(slot) {
    return this.epochs[epochOf(slot)]?.slots[indexOf(slot)];
  }

  #statement(seat, purpose, to, slots) {
    const { rctx, deckHash: hash } = this.epochs[slots[0].epoch];
    const { key, keyBytes } = this.openings[seat];
    return { rctx, deckHash: hash, seat, purpose, to, slots, key, keyBytes };
  }

  /** Shares of a seat for slots (numbers) that others will hold, or for the up-card. */
  share(seat, purpose, to, numbers, shares, proof) {
    const slots = numbers.map((number) => this.slot(number));
    const points = checkShares(this.#statement(seat, purpose, to, slots), shares, proof);
    slots.forEach((slot, k) => {
      slot.residual = slot.residual.subtract(points[k]);
    });
    this.counts.shares += slots.length;
  }

  /** The id of the up-card, all shares being there. */
  turnUp(number) {
    const slot = this.slot(number);
    const id = [...this.epochs[slot.epoch].ids].find((one) => cardPoint(one).equals(slot.residual));
    need(id !== undefined, 'card/card');
    this.#publish(number, id);
    return this.faces.get(number);
  }

  #publish(number, id) {
    const { opened } = this.epochs[epochOf(number)];
    need(!opened.has(id), 'card/twice');
    opened.add(id);
    this.ids.set(number, id);
    this.faces.set(number, faceOfId(this.genesis.card, id));
  }

  /** The slots (numbers) of opens as read from a body. */
  static numbers(opens) {
    return opens.flatMap(({ epoch, items }) => items.map(({ index }) => slotNumber(epoch, index)));
  }

  /**
   * Open hidden slots: `opens` must hold exactly `expected`, of which the seat is the owner. Afterwards their faces are
   * public.
   */
  openSlots(seat, opens, expected, isOwned) {
    const numbers = Deal.numbers(opens);
    need(numbers.every(isOwned), 'open/owner');
    const same = numbers.length === expected.length && expected.every((number) => numbers.includes(number));
    need(same, 'open/slots');
    for (const { epoch, items, proof } of opens) {
      const slots = items.map(({ index }) => this.epochs[epoch].slots[index]);
      const statement = this.#statement(seat, PURPOSE.open, ALL, slots);
      const points = checkShares(statement, items.map(({ share }) => share), proof);
      items.forEach(({ index, id }, k) => {
        const fits = this.epochs[epoch].ids.has(id) && slots[k].residual.subtract(points[k]).equals(cardPoint(id));
        need(fits, 'card/card');
        this.#publish(slotNumber(epoch, index), id);
      });
    }
  }

  /** AUDIT of one seat: its seed as committed, and every shuffle it made as the seed says. Yields before each shuffle. */
  *audit(seat, seed) {
    const hash = H32('dz1/seed', this.ctx, u8(seat), seed);
    need(equal(hash, this.openings[seat].seedHash), 'audit/seed');
    const place = this.seats.indexOf(seat);
    for (const { epoch, rctx, decks } of this.epochs) {
      if (decks.length < place + 2) continue;
      yield { working: 'audit', seat, epoch };
      need(isDerived(seed, this.R, epoch, rctx, this.H, decks[place], decks[place + 1]), 'audit/shuffle');
      this.counts.audited_shuffles += 1;
    }
  }
}
