/**
 * Decks, the shuffle that a seed determines, and the shuffle proof (20-crypto 5.3 and 5.4).
 *
 * A deck is a list of cards {A, B, aBytes, bBytes}. A link of a chain is {rctx, seat, H, hBytes, input, output,
 * proofBytes}; `checkChain` verifies all proofs of a chain in one sum and, if that fails, one by one to find who is named.
 */
import { concat, le, pieces, u16, u8 } from './bytes.mjs';
import { Fault, need } from './fault.mjs';
import { G, Sum, decodePoint, decodeScalar, mod, times } from './group.mjs';
import { H, H32, Hs, Transcript, cardPoint, generator } from './hashing.mjs';

/** The deck as one field: A_0|B_0|A_1|B_1|.. */
export const deckBytes = (deck) => concat(...deck.flatMap((card) => [card.aBytes, card.bBytes]));
export const deckHash = (rctx, deck) => H32('dz1/deck', rctx, deckBytes(deck));

/** The start deck of an epoch: ids ascending as (G, M_c + H). */
export function startDeck(ids, H) {
  const aBytes = G.toBytes();
  return ids.map((id) => {
    const B = cardPoint(id).add(H);
    return { A: G, B, aBytes, bBytes: B.toBytes(), id };
  });
}

/** A received deck of N cards. Throws `deck/length`, `deck/point`. */
export function readDeck(bytes, N) {
  need(bytes.length === 64 * N, 'deck/length');
  return pieces(bytes, 64).map((piece) => {
    const aBytes = piece.subarray(0, 32);
    const bBytes = piece.subarray(32);
    const A = decodePoint(aBytes);
    const B = decodePoint(bBytes);
    need(A !== null && B !== null, 'deck/point');
    return { A, B, aBytes, bBytes };
  });
}

/** The permutation and masks that seed, joint nonce, epoch and input deck determine. */
export function derivedShuffle(seed, R, epoch, din, N) {
  const order = Array.from({ length: N }, (_, i) => i);
  for (let j = N - 1; j >= 1; j--) {
    const w = Number(le(H('dz1/perm', seed, R, u8(epoch), din, u16(j))) % BigInt(j + 1));
    [order[j], order[w]] = [order[w], order[j]];
  }
  const masks = order.map((_, k) => Hs('dz1/mask', seed, R, u8(epoch), din, u16(k)));
  return { order, masks };
}

/** Whether `output` is the shuffle of `input` that the seed determines (the audit). */
export function isDerived(seed, R, epoch, rctx, Hjoint, input, output) {
  const { order, masks } = derivedShuffle(seed, R, epoch, deckHash(rctx, input), input.length);
  return order.every((from, k) => {
    const A = input[from].A.add(times(G, masks[k]));
    const B = input[from].B.add(times(Hjoint, masks[k]));
    return A.equals(output[k].A) && B.equals(output[k].B);
  });
}

export const proofLength = (N) => 32 * (3 * N + 9);

/** The proof's points and scalars. Throws `proof/length`, `proof/point`, `proof/scalar`. */
export function readProof(bytes, N) {
  need(bytes.length === proofLength(N), 'proof/length');
  const parts = pieces(bytes, 32);
  const points = parts.slice(0, 7).map(decodePoint);
  need(points.every((point) => point !== null), 'proof/point');
  const scalars = parts.slice(7).map(decodeScalar);
  need(scalars.every((scalar) => scalar !== null), 'proof/scalar');
  const [c, cd, EA, EB, c1, cD, ca] = points;
  let at = 0;
  const take = (count) => scalars.slice(at, (at += count));
  const [f, [Z], F, g, [z, zD]] = [take(N), take(1), take(N), take(N - 1), take(2)];
  return { N, c, cd, EA, EB, c1, cD, ca, f, Z, F, g, z, zD, bytes };
}

/** Challenges of a link's proof. Throws `proof/challenge` when one of lam, x, e is zero. */
function challenges({ rctx, seat, hBytes, input, output }, { N, bytes }) {
  const transcript = new Transcript('dz1/shuf')
    .absorb('rctx', rctx)
    .absorb('seat', u8(seat))
    .absorb('N', u16(N))
    .absorb('H', hBytes)
    .absorb('in', deckBytes(input))
    .absorb('out', deckBytes(output))
    .absorb('1', bytes.subarray(0, 128));
  const t = transcript.vector('t', N);
  transcript.absorb('2', bytes.subarray(224, 224 + 32 * (N + 1)));
  const lam = transcript.challenge('lam');
  const x = transcript.challenge('x');
  transcript.absorb('3', bytes.subarray(128, 224));
  const e = transcript.challenge('e');
  need(lam !== 0n && x !== 0n && e !== 0n, 'proof/challenge');
  return { t, lam, x, e };
}

/** V0: the product of the F is the product that the challenges ask for, as Q_N without a division by e. */
function productHolds({ N, F, g }, { t, lam, x, e }) {
  // e^k Q_{k+1} stays integral: scaled_k = e^(k-1) Q_k.
  let scaled = F[0];
  let power = 1n;
  for (let k = 0; k + 1 < N; k++) {
    scaled = mod(scaled * F[k + 1] + power * g[k]);
    power = mod(power * e);
  }
  let product = mod(power * e);
  for (let i = 0; i < N; i++) product = mod(product * mod(lam * BigInt(i + 1) + t[i] - x));
  return scaled === product;
}

/** Add w * (left - right) of V1 .. V4 to a sum. */
const EQUATIONS = {
  V1(sum, { N, c, cd, c1, f, F, z }, { lam, x, e }, w) {
    sum.add(c, w * e * lam).add(cd, -w * e).add(c1, w).add(G, -w * z);
    for (let i = 0; i < N; i++) sum.add(generator(i + 1), w * mod(e * (f[i] - x) - F[i]));
  },
  V2(sum, { N, ca, cD, g, zD }, { e }, w) {
    sum.add(ca, w * e).add(cD, w).add(G, -w * zD);
    for (let i = 0; i + 1 < N; i++) sum.add(generator(i + 1), -w * g[i]);
  },
  V3(sum, { N, EA, f, Z }, { t }, w, { input, output }) {
    sum.add(EA, -w).add(G, -w * Z);
    for (let k = 0; k < N; k++) sum.add(output[k].A, w * f[k]).add(input[k].A, -w * t[k]);
  },
  V4(sum, { N, EB, f, Z }, { t }, w, { input, output, H }) {
    sum.add(EB, -w).add(H, -w * Z);
    for (let k = 0; k < N; k++) {
      sum.add(output[k].B, w * f[k]);
      const { B, id } = input[k];
      // A card of the start deck is M_c + H: both are summed up anyway.
      if (id === undefined) sum.add(B, -w * t[k]);
      else sum.add(cardPoint(id), -w * t[k]).add(H, -w * t[k]);
    }
  },
};

/** One link alone. Throws the first failing check. */
export function checkLink(link) {
  need(link.input.length === link.output.length, 'proof/length');
  const proof = readProof(link.proofBytes, link.input.length);
  const asked = challenges(link, proof);
  need(productHolds(proof, asked), 'proof/V0');
  for (const [name, equation] of Object.entries(EQUATIONS)) {
    const sum = new Sum();
    equation(sum, proof, asked, 1n, link);
    need(sum.isZero(), `proof/${name}`);
  }
}

/** A weight of 128 random bits, never zero. */
function weight() {
  return le(crypto.getRandomValues(new Uint8Array(16))) || 1n;
}

/** Whether all proofs of a chain hold, by one sum. */
export function chainHolds(links) {
  const sum = new Sum();
  try {
    for (const link of links) {
      const proof = readProof(link.proofBytes, link.input.length);
      const asked = challenges(link, proof);
      need(productHolds(proof, asked), 'proof/V0');
      for (const equation of Object.values(EQUATIONS)) equation(sum, proof, asked, weight(), link);
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return false;
  }
  return sum.isZero();
}

/** Verify a chain; returns the single verdict `{seat, step, fault}` of every link that fails. */
export function checkChain(links) {
  if (chainHolds(links)) return [];
  return links.flatMap((link) => {
    try {
      checkLink(link);
      return [];
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      return [{ seat: link.seat, step: link.step, fault }];
    }
  });
}
