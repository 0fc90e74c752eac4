/** The inputs of 20-crypto section 9, rebuilt: keys, seeds, contexts, four shuffles of 108 cards and their proofs. */
import { readFileSync } from 'node:fs';
import { concat, u32, u8 } from '../../src/bytes.mjs';
import { G, O, times } from '../../src/group.mjs';
import { H32, Hs } from '../../src/hashing.mjs';
import { startDeck } from '../../src/shuffle.mjs';
import { proveShuffle, shuffleDeck } from './prover.mjs';

export const vectors = JSON.parse(readFileSync(new URL('../../../vectors/dz1.json', import.meta.url), 'utf8'));

export const n = 4;
export const N = 108;
const seats = [0, 1, 2, 3];
const table = new Uint8Array(16).fill(0x54);
const zero = new Uint8Array(32);
export const x = seats.map((i) => Hs('test/x', u8(i)));
export const seeds = seats.map((i) => H32('test/s', u8(i)));
export const rho = seats.map((i) => H32('test/rho', u8(i)));
export const keys = x.map((secret) => times(G, secret));
export const keyBytes = keys.map((key) => key.toBytes());
const ids = concat(...seats.map((i) => new Uint8Array(32).fill(i)));
export const ctx = H32('dz1/ctx', table, u32(1), u8(n), ids, zero, u8(0));
export const S = seats.map((i) => H32('dz1/seed', ctx, u8(i), seeds[i]));
export const commits = seats.map((i) => H32('dz1/commit', ctx, u8(i), keyBytes[i], S[i], rho[i]));
export const R = H32('dz1/R', ctx, ...rho);
export const H = keys.reduce((sum, key) => sum.add(key), O);
export const hBytes = H.toBytes();
export const rctxOf = (epoch, hashes = S) => H32('dz1/rctx', ctx, R, ...keyBytes, ...hashes, u8(epoch));
export const rctx = rctxOf(0);

/** The chain of all four seats over these ids: links with their deck, order, masks and proof. */
export function chainOf(epoch, cardIds) {
  const context = rctxOf(epoch);
  let input = startDeck(cardIds, H);
  return seats.map((seat) => {
    const made = shuffleDeck({ rctx: context, epoch, R, H, input, seed: seeds[seat] });
    const link = { rctx: context, seat, H, hBytes, input, ...made };
    link.proofBytes = proveShuffle(link, { ...made, seed: seeds[seat] });
    input = made.output;
    return link;
  });
}

export const chain = chainOf(0, Array.from({ length: N }, (_, id) => id));
