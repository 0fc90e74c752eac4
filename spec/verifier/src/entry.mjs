/**
 * The signed entry and the shapes of bodies (30-wire 2 and 4).
 *
 * `readEntry` does what can be checked of a frame without the state of the log; its faults name nobody. The functions on
 * bodies throw `body/form`, `body/length`, `body/range` or `body/order`, which name the speaker.
 */
import { equal } from './bytes.mjs';
import { Fault, need } from './fault.mjs';
import { H } from './hashing.mjs';
import { NotCanonical, decode } from './msgpack.mjs';

export const MAX_ENTRY = 65536;

export const KIND = {
  seat: 1, commit: 2, open: 3, shuffle: 4, ready: 5, deal: 6, exchange: 7, draw: 8, shares: 9, play: 10, end: 11,
  show: 12, audit: 13, verdict: 14, void: 15, expired: 32, held: 33, leave: 34,
  goodbye: 35,
};
/** Kinds that a seat says beside its entry of a step; of these only EXPIRED can close one. */
export const BESIDE = new Set([KIND.expired, KIND.held, KIND.goodbye]);
const KINDS = new Set(Object.values(KIND));

function canonical(bytes) {
  need(bytes.length <= MAX_ENTRY, 'wire/size');
  try {
    return decode(bytes);
  } catch (error) {
    if (error instanceof NotCanonical) throw new Fault(`wire/${error.name}`, { detail: error.message });
    throw error;
  }
}

const isBytes = (value, length) => value instanceof Uint8Array && (length === undefined || value.length === length);
const isNumber = (value) => typeof value === 'number';

/** A validly signed entry of a seat of this table, from the bytes of a frame, checked in the order of E1. */
export function readEntry(genesis, bytes) {
  const frame = canonical(bytes);
  need(Array.isArray(frame) && frame.length === 2 && frame.every((part) => isBytes(part)), 'entry/form');
  const [entryBytes, signature] = frame;
  const entry = canonical(entryBytes);
  need(Array.isArray(entry) && entry.length === 7, 'entry/form');
  const [version, table, step, seat, head, kind, body] = entry;
  need(version === 1, 'entry/version');
  need(isBytes(table) && equal(table, genesis.table), 'entry/table');
  need(isNumber(step) && step < 0xffffffff && isBytes(head, 32) && Array.isArray(body), 'entry/form');
  need(isNumber(seat) && seat < genesis.n, 'entry/seat');
  need(KINDS.has(kind), 'entry/kind');
  need(genesis.seats[seat].key.verifies(H('dz1/entry', entryBytes), signature), 'entry/signature');
  return { bytes: entryBytes, step, seat, head, kind, body };
}

/** An array of `count` elements (or any number). */
export function list(value, count) {
  need(Array.isArray(value) && (count === undefined || value.length === count), 'body/form');
  return value;
}

/** A byte string of `length` bytes. */
export function bin(value, length) {
  need(value instanceof Uint8Array && value.length === length, 'body/length');
  return value;
}

/** A number up to `most`. */
export function uint(value, most) {
  need(typeof value === 'number' && value <= most, 'body/range');
  return value;
}

/** The greatest epoch, index and card id; the greatest slot number; the greatest challenge. */
export const LIMIT = { epoch: 255, index: 255, card: 255, slot: 255 * 65536 + 255, challenge: 7 };

function ascending(values) {
  need(values.every((value, i) => i === 0 || values[i - 1] < value), 'body/order');
}

/** opens: [{epoch, items: [{index, id, share}], proof}]. */
export function readOpens(value) {
  const groups = list(value).map((group) => {
    const [number, items, proof] = list(group, 3);
    const epoch = uint(number, LIMIT.epoch);
    const cards = list(items).map((item) => {
      const [index, id, share] = list(item, 3);
      return { index: uint(index, LIMIT.index), id: uint(id, LIMIT.card), share: bin(share, 32) };
    });
    need(cards.length > 0, 'body/order');
    ascending(cards.map(({ index }) => index));
    return { epoch, items: cards, proof: bin(proof, 64) };
  });
  ascending(groups.map(({ epoch }) => epoch));
  return groups;
}

const readCards = (value) => list(value).map((one) => {
  const [slot, declared] = list(one, 2);
  return { slot: uint(slot, LIMIT.slot), declared: uint(declared, 255) };
});

function readStep(value) {
  switch (list(value)[0]) {
    case 1:
      return { type: 'lay', cards: readCards(list(value, 2)[1]) };
    case 2: {
      const [, meld, side, cards] = list(value, 4);
      return { type: 'layoff', meld: uint(meld, 255), side: uint(side, 2), cards: readCards(cards) };
    }
    case 3: {
      const [, meld, position, slot] = list(value, 4);
      return { type: 'swap', meld: uint(meld, 255), position: uint(position, 255), slot: uint(slot, LIMIT.slot) };
    }
    default:
      throw new Fault('body/form');
  }
}

/** One slot, or null for none: [slot] | []. */
export function readMaybeSlot(value) {
  need(list(value).length <= 1, 'body/form');
  return value.length === 1 ? uint(value[0], LIMIT.slot) : null;
}

/** The act of a PLAY. */
export function readAct(value) {
  const [pot, steps, discard, call, shown] = list(value, 5);
  return {
    takePot: uint(pot, 1) === 1,
    steps: list(steps).map(readStep),
    discard: readMaybeSlot(discard),
    call: uint(call, 1) === 1,
    shown: list(shown).map((slot) => uint(slot, LIMIT.slot)),
  };
}
