/**
 * The proving side of 20-crypto 5.3 to 5.5, for tests only: nothing here runs in constant time or keeps a secret.
 *
 * Statements have the shape that src/proofs.mjs and src/shuffle.mjs check. Options make false provers.
 */
import { concat, le32, u16, u8 } from '../../src/bytes.mjs';
import { G, Sum, mod, times } from '../../src/group.mjs';
import { Hs, Transcript, generator } from '../../src/hashing.mjs';
import { slotBytes } from '../../src/proofs.mjs';
import { deckBytes, deckHash, derivedShuffle } from '../../src/shuffle.mjs';

export const ZERO32 = new Uint8Array(32);

/** PoK c|s of key x; `k` overrides the nonce. */
export function provePossession(ctx, seat, x, { rnd32 = ZERO32, k } = {}) {
  const key = times(G, x).toBytes();
  const transcript = new Transcript('dz1/pok').absorb('ctx', ctx).absorb('seat', u8(seat)).absorb('key', key);
  const nonce = k ?? Hs('dz1/nonce', rnd32, le32(x), transcript.state);
  const c = transcript.absorb('K', times(G, nonce).toBytes()).challenge('c');
  return concat(le32(c), le32(mod(nonce + c * x)));
}

/** Shares D and proof c|s of key x for the slots of a statement; `shares` overrides D as bytes, `k` the nonce. */
export function proveShares(statement, x, { rnd32 = ZERO32, k, shares } = {}) {
  const { rctx, deckHash: hash, seat, purpose, to, slots, keyBytes } = statement;
  const D = shares ?? slots.map(({ A }) => times(A, x).toBytes());
  const transcript = new Transcript('dz1/dleq')
    .absorb('rctx', rctx)
    .absorb('deck', hash)
    .absorb('seat', u8(seat))
    .absorb('purpose', u8(purpose))
    .absorb('to', u8(to))
    .absorb('slots', slotBytes(slots))
    .absorb('key', keyBytes)
    .absorb('A', concat(...slots.map(({ aBytes }) => aBytes)))
    .absorb('D', concat(...D));
  const weights = slots.length > 1 ? transcript.vector('w', slots.length) : [1n];
  const sum = new Sum();
  slots.forEach(({ A }, i) => sum.add(A, weights[i]));
  const nonce = k ?? Hs('dz1/nonce', rnd32, le32(x), transcript.state);
  const K = concat(times(G, nonce).toBytes(), times(sum.value(), nonce).toBytes());
  const c = transcript.absorb('K', K).challenge('c');
  return { shares: D, proof: concat(le32(c), le32(mod(nonce + c * x))) };
}

const card = (A, B) => ({ A, B, aBytes: A.toBytes(), bBytes: B.toBytes() });
export { card };

/** A deck re-encrypted: output k is input order[k] with mask masks[k]. */
export function reencrypt(input, order, masks, H) {
  return order.map((from, k) => card(input[from].A.add(times(G, masks[k])), input[from].B.add(times(H, masks[k]))));
}

/** The shuffle of a seat: output deck, order and masks. `order` overrides the seed's permutation. */
export function shuffleDeck({ rctx, epoch, R, H, input, seed, order }) {
  const derived = derivedShuffle(seed, R, epoch, deckHash(rctx, input), input.length);
  const used = order ?? derived.order;
  return { order: used, masks: derived.masks, output: reencrypt(input, used, derived.masks, H) };
}

function commitment(values, blinder) {
  const sum = new Sum().add(G, blinder);
  values.forEach((value, i) => sum.add(generator(i + 1), value));
  return sum.value();
}

const sumOf = (values) => mod(values.reduce((a, b) => a + b, 0n));

/** The shuffle proof of a link {rctx, seat, H, hBytes, input, output} for this order and these masks. */
export function proveShuffle(link, { order, masks, seed, rnd32 = ZERO32, zeroBlinders = false }) {
  const { rctx, seat, H, hBytes, input, output } = link;
  const N = input.length;
  const transcript = new Transcript('dz1/shuf')
    .absorb('rctx', rctx)
    .absorb('seat', u8(seat))
    .absorb('N', u16(N))
    .absorb('H', hBytes)
    .absorb('in', deckBytes(input))
    .absorb('out', deckBytes(output));
  const st = transcript.state;
  const b = (L, j) => Hs('dz1/blind', rnd32, seed, st, u8(L), u16(j));
  const single = (L) => (zeroBlinders ? 0n : b(L, 0));
  const each = (L, from, to) => Array.from({ length: to - from + 1 }, (_, i) => b(L, from + i));
  const d = each(1, 1, N);
  const [rc, rd, Rd] = [single(2), single(3), b(4, 0)];
  const d1 = each(5, 1, N);
  const [r1, rD, ra] = [single(7), single(8), single(9)];
  const pi = order.map((from) => BigInt(from + 1));

  const c = commitment(pi, rc);
  const cd = commitment(d, rd);
  const weighted = (pick, base) => {
    const sum = new Sum().add(base, -Rd);
    output.forEach((one, k) => sum.add(pick(one), d[k]));
    return sum.value();
  };
  const first = concat(...[c, cd, weighted((o) => o.A, G), weighted((o) => o.B, H)].map((p) => p.toBytes()));
  const t = transcript.absorb('1', first).vector('t', N);

  const tPi = order.map((from) => t[from]);
  const f = tPi.map((value, k) => mod(value + d[k]));
  const Z = mod(Rd + sumOf(tPi.map((value, k) => value * masks[k])));
  const second = concat(...[...f, Z].map(le32));
  transcript.absorb('2', second);
  const lam = transcript.challenge('lam');
  const x = transcript.challenge('x');

  const m = pi.map((p, k) => mod(lam * p + tPi[k] - x));
  const D = [d1[0], ...each(6, 2, N - 1), 0n].slice(0, N);
  if (N > 1) D[N - 1] = 0n;
  let a = m[0];
  const mixed = [];
  const crossed = [];
  for (let k = 0; k + 1 < N; k++) {
    mixed.push(mod(D[k + 1] - m[k + 1] * D[k] - a * d1[k + 1]));
    crossed.push(mod(-D[k] * d1[k + 1]));
    a = mod(a * m[k + 1]);
  }
  const third = concat(...[commitment(d1, r1), commitment(crossed, rD), commitment(mixed, ra)].map((p) => p.toBytes()));
  const e = transcript.absorb('3', third).challenge('e');

  const F = m.map((value, k) => mod(e * value + d1[k]));
  const g = mixed.map((value, k) => mod(e * value + crossed[k]));
  const z = mod(e * (lam * rc - rd) + r1);
  const zD = mod(e * ra + rD);
  return concat(first, third, second, ...[...F, ...g, z, zD].map(le32));
}
