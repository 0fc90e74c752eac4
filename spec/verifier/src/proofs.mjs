/**
 * The two small proofs of 20-crypto 5.5: possession of a key, and equality of logarithms for decryption shares.
 *
 * Each check throws a Fault with layer `pok` or `dleq` and the name of the first check that fails, in the order
 * length, point, scalar, challenge, K, equation.
 */
import { concat, u16, u8 } from './bytes.mjs';
import { need } from './fault.mjs';
import { G, O, Sum, decodePoint, decodeScalar, times } from './group.mjs';
import { Transcript } from './hashing.mjs';

export const PURPOSE = { deal: 1, draw: 2, open: 3, upCard: 5 };
export const ALL = 255;

/** c and s of a proof c|s; throws `layer/length` or `layer/scalar`, `layer/challenge`. */
function scalars(layer, proof) {
  need(proof.length === 64, `${layer}/length`);
  const c = decodeScalar(proof.subarray(0, 32));
  const s = decodeScalar(proof.subarray(32));
  need(c !== null && s !== null, `${layer}/scalar`);
  need(c !== 0n, `${layer}/challenge`);
  return { c, s };
}

/** The key of an OPEN, proven to be possessed by its seat. Returns the point H_i. */
export function checkPossession(ctx, seat, keyBytes, proof) {
  const key = decodePoint(keyBytes);
  need(key !== null, 'pok/point');
  const { c, s } = scalars('pok', proof);
  const K = times(G, s).subtract(times(key, c));
  need(!K.equals(O), 'pok/K');
  const transcript = new Transcript('dz1/pok').absorb('ctx', ctx).absorb('seat', u8(seat)).absorb('key', keyBytes);
  need(transcript.absorb('K', K.toBytes()).challenge('c') === c, 'pok/pok');
  return key;
}

/** u8 epoch | u16 index of every slot. */
export const slotBytes = (slots) => concat(...slots.map(({ epoch, index }) => concat(u8(epoch), u16(index))));

/**
 * Shares of one seat for slots of one epoch.
 *
 * `statement` holds rctx, deckHash, seat, purpose, to, slots ({epoch, index, A, aBytes}), key, keyBytes. `shares` are the
 * 32-byte pieces as received. Returns the points D.
 */
export function checkShares(statement, shares, proof) {
  const { rctx, deckHash, seat, purpose, to, slots, key, keyBytes } = statement;
  need(shares.length === slots.length, 'dleq/length');
  const points = shares.map(decodePoint);
  need(points.every((point) => point !== null), 'dleq/point');
  const { c, s } = scalars('dleq', proof);
  const transcript = new Transcript('dz1/dleq')
    .absorb('rctx', rctx)
    .absorb('deck', deckHash)
    .absorb('seat', u8(seat))
    .absorb('purpose', u8(purpose))
    .absorb('to', u8(to))
    .absorb('slots', slotBytes(slots))
    .absorb('key', keyBytes)
    .absorb('A', concat(...slots.map((slot) => slot.aBytes)))
    .absorb('D', concat(...shares));
  const weights = slots.length > 1 ? transcript.vector('w', slots.length) : [1n];
  const K1 = times(G, s).subtract(times(key, c));
  const sum = new Sum();
  slots.forEach((slot, k) => sum.add(slot.A, weights[k] * s));
  points.forEach((point, k) => sum.add(point, -weights[k] * c));
  const K2 = sum.value();
  need(!K1.equals(O) && !K2.equals(O), 'dleq/K');
  need(transcript.absorb('K', concat(K1.toBytes(), K2.toBytes())).challenge('c') === c, 'dleq/dleq');
  return points;
}
