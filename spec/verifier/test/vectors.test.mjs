/** The vectors of spec/vectors/dz1.json: every value byte for byte, every negative case with its verdict. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ascii, concat, equal, hex, le, le32, pieces, u8, unhex } from '../src/bytes.mjs';
import { Fault } from '../src/fault.mjs';
import { G, O, decodePoint, mod, q, times } from '../src/group.mjs';
import { H, H32, Hp, Transcript, cardPoint, generator, sha512 } from '../src/hashing.mjs';
import { encode } from '../src/msgpack.mjs';
import { ALL, PURPOSE, checkPossession, checkShares } from '../src/proofs.mjs';
import {
  chainHolds, checkChain, checkLink, deckBytes, deckHash, isDerived, readDeck, startDeck,
} from '../src/shuffle.mjs';
import { card, provePossession, proveShares, proveShuffle, reencrypt, shuffleDeck } from './support/prover.mjs';
import {
  N, R, S, chain, chainOf, commits, ctx, hBytes, keyBytes, keys, n, rctx, rctxOf, seeds, vectors, x,
  H as joint,
} from './support/vectors.mjs';

const T = Hp('test/T');
const decks = [chain[0].input, ...chain.map(({ output }) => output)];
const finalHash = deckHash(rctx, decks[n]);

/** `valid`, or `invalid:<name>` of the first check that fails. */
function verdict(check) {
  try {
    check();
    return 'valid';
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return `invalid:${error.code.split('/')[1]}`;
  }
}

test('constants, contexts and keys are those of the vectors', () => {
  for (const i of [1, 2, 128, 256]) assert.equal(hex(generator(i).toBytes()), vectors.constants[`h_${i}`]);
  for (const c of [0, 1, 107, 215]) assert.equal(hex(cardPoint(c).toBytes()), vectors.constants[`M_${c}`]);
  assert.deepEqual([ctx, R, rctx, rctxOf(1), hBytes].map(hex), ['ctx', 'R', 'rctx', 'rctx_epoch1', 'H'].map((k) => vectors[k]));
  assert.deepEqual(keyBytes.map(hex), vectors.H_i);
  assert.deepEqual(S.map(hex), vectors.S_i);
  assert.deepEqual(commits.map(hex), vectors.COMMIT_i);
});

test('the transcript gives the scalars of the vectors', () => {
  const transcript = new Transcript('test').absorb('a', ascii('abc'));
  assert.equal(hex(le32(transcript.challenge('x'))), vectors.transcript['T("test"); absorb("a","abc"); challenge("x")']);
  assert.deepEqual(transcript.vector('y', 2).map((s) => hex(le32(s))), vectors.transcript['then vector("y",2)']);
  assert.equal(hex(transcript.state), vectors.transcript.st);
});

test('proofs of possession are those of the vectors and hold', () => {
  x.forEach((secret, i) => {
    const proof = provePossession(ctx, i, secret);
    assert.equal(hex(proof), vectors.PoK_i[i]);
    assert.ok(checkPossession(ctx, i, keyBytes[i], unhex(vectors.PoK_i[i])).equals(keys[i]));
  });
});

test('four shuffles and their proofs are those of the vectors and hold, singly and merged', () => {
  decks.forEach((deck, i) => assert.equal(hex(deckHash(rctx, deck)), vectors.deckhash[`D_${i}`]));
  const { perm_first8: first, r_0, r_107, out_first_A, out_first_B } = vectors.seat0;
  assert.deepEqual(chain[0].order.slice(0, 8), first);
  assert.deepEqual([0, 107].map((k) => hex(le32(chain[0].masks[k]))), [r_0, r_107]);
  assert.deepEqual([chain[0].output[0].aBytes, chain[0].output[0].bBytes].map(hex), [out_first_A, out_first_B]);
  chain.forEach(({ proofBytes: bytes }, i) => {
    assert.equal(bytes.length, vectors.proof_bytes);
    assert.equal(hex(sha512(bytes)), vectors.proof_sha512[i]);
    assert.equal(hex(bytes.subarray(0, 64)), vectors.proof_first64[i]);
  });
  assert.equal(hex(sha512(deckBytes(decks[n]))), vectors.deck_D4_sha512);
  for (const link of chain) checkLink(link);
  assert.ok(chainHolds(chain));
  assert.deepEqual(checkChain(chain), []);
});

/** The slot of the final deck with what the DLEQ needs. */
const slot = (index, epoch = 0, deck = decks[n]) => ({ epoch, index, A: deck[index].A, aBytes: deck[index].aBytes });
const statement = (seat, purpose, to, indices) => ({
  rctx, deckHash: finalHash, seat, purpose, to, slots: indices.map((i) => slot(i)), key: keys[seat], keyBytes: keyBytes[seat],
});
const idOf = (index) => {
  const message = decks[n][index].B.subtract(times(decks[n][index].A, mod(x.reduce((a, b) => a + b, 0n))));
  return Array.from({ length: N }, (_, c) => c).find((c) => cardPoint(c).equals(message));
};

test('shares, the up-card and opened cards are those of the vectors', () => {
  const { DEAL, UPCARD, DRAW, OPEN, SHOW_batch: SHOW } = vectors;
  const deal = statement(DEAL.seat, PURPOSE.deal, DEAL.to, DEAL.slots);
  const made = proveShares(deal, x[DEAL.seat]);
  assert.deepEqual([made.shares.map(hex), hex(made.proof)], [DEAL.D, DEAL.proof]);
  checkShares(deal, DEAL.D.map(unhex), unhex(DEAL.proof));
  UPCARD.D.forEach((share, seat) =>
    checkShares(statement(seat, PURPOSE.upCard, ALL, [UPCARD.slot]), [unhex(share)], unhex(UPCARD.proof[seat])),
  );
  assert.equal(idOf(UPCARD.slot), UPCARD.card);
  const draw = statement(DRAW.share_of_seat, PURPOSE.draw, DRAW.drawer, [DRAW.slot]);
  checkShares(draw, [unhex(DRAW.D)], unhex(DRAW.proof));
  assert.equal(idOf(DRAW.slot), DRAW.card_drawn);
  checkShares(statement(OPEN.seat, PURPOSE.open, ALL, [OPEN.slot]), [unhex(OPEN.D)], unhex(OPEN.proof));
  assert.equal(hex(cardPoint(OPEN.card).add(decodePoint(unhex(OPEN.D))).toBytes()), OPEN.residual);
  const shown = proveShares(statement(SHOW.seat, PURPOSE.open, ALL, SHOW.slots), x[SHOW.seat]);
  assert.equal(hex(sha512(concat(...shown.shares))), SHOW.D_sha512);
  assert.equal(hex(shown.proof), SHOW.proof);
  assert.deepEqual(SHOW.slots.map(idOf), SHOW.cards);
  assert.deepEqual([0, 1, 2, 3, 4, 5, 6, 7].map(idOf), vectors.ids_first8);
});

test('the reshuffle is that of the vectors', () => {
  const { ids, epoch, deckhash, proof_sha512: hashes } = vectors.RESHUFFLE;
  const links = chainOf(epoch, ids);
  const all = [links[0].input, ...links.map(({ output }) => output)];
  all.forEach((deck, i) => assert.equal(hex(deckHash(rctxOf(epoch), deck)), deckhash[`D_${i}`]));
  links.forEach(({ proofBytes: bytes }, i) => assert.equal(hex(sha512(bytes)), hashes[i]));
  assert.ok(chainHolds(links));
});

test('an entry and its heads are those of the vectors', () => {
  const table = ascii('T'.repeat(16));
  const head0 = H32('dz1/genesis', ascii('genesis'));
  const entry = encode([1, table, 1, 0, head0, 2, [commits[0]]]);
  assert.equal(hex(head0), vectors.entry.head_0);
  assert.equal(hex(entry), vectors.entry.bytes);
  assert.equal(hex(H('dz1/entry', entry)), vectors.entry.digest);
  assert.equal(hex(H32('dz1/step', head0, entry)), vectors.entry.next_head_of_this_entry_alone);
});

/** A changed proof of seat 0: `change(fields)` works on the 32-byte pieces. */
function changed(change, bytes = chain[0].proofBytes) {
  const fields = pieces(bytes, 32).map((field) => field.slice());
  change(fields);
  return concat(...fields);
}
const plus = (index, amount) => changed((fields) => (fields[index] = le32(mod(le(fields[index]) + amount))));
const Z_AT = 7 + N;
const F_AT = Z_AT + 1;
const G_AT = F_AT + N;
const LAST = 3 * N + 8;

/** The verdict on seat 0's link with some parts replaced; single and merged must agree. */
function shuffleVerdict({ bytes = chain[0].proofBytes, ...parts } = {}) {
  const link = { ...chain[0], ...parts };
  return verdict(() => {
    if (parts.outBytes) link.output = readDeck(parts.outBytes, N);
    link.proofBytes = bytes;
    const merged = chainHolds([link]);
    const single = verdict(() => checkLink(link));
    assert.equal(merged, single === 'valid');
    checkLink(link);
  });
}

/** The link of a false prover: this output, proven with this order and the masks of seat 0. */
function proven(output, order, options = {}) {
  const link = { ...chain[0], output };
  const bytes = proveShuffle(link, { order, masks: chain[0].masks, seed: seeds[0], ...options });
  return shuffleVerdict({ output, bytes });
}

function tagged(change) {
  const output = [...chain[0].output];
  change(output);
  return proven(output, chain[0].order);
}
const duplicateOrder = [chain[0].order[1], ...chain[0].order.slice(1)];
const duplicated = () => reencrypt(chain[0].input, duplicateOrder, chain[0].masks, joint);
const swapped = (deck) => [deck[1], deck[0], ...deck.slice(2)];

/** The verdict on the whole chain with some proofs replaced: null or [seat, name]. */
function chainVerdict(...proofs) {
  const [first] = checkChain(chain.map((link, i) => ({ ...link, proofBytes: proofs[i] ?? link.proofBytes })));
  return first ? [first.seat, first.fault.code.split('/')[1]] : null;
}

const pokVerdict = ({ seat = 0, key = keyBytes[0], proof = unhex(vectors.PoK_i[0]) }) =>
  verdict(() => checkPossession(ctx, seat, key, proof));

const DEAL = vectors.DEAL;
const dealShares = DEAL.D.map(unhex);
function dleqVerdict({ shares = dealShares, proof = unhex(DEAL.proof), ...parts } = {}) {
  return verdict(() => checkShares({ ...statement(DEAL.seat, PURPOSE.deal, DEAL.to, DEAL.slots), ...parts }, shares, proof));
}
const share = (index, change) => dealShares.map((one, i) => (i === index ? change(decodePoint(one)).toBytes() : one));

/** Opening slot 0 of seat 0 as a card: the share's proof, then R - D = M_c. */
function openVerdict({ id = vectors.OPEN.card, D = unhex(vectors.OPEN.D), proof = unhex(vectors.OPEN.proof) } = {}) {
  const residual = decodePoint(unhex(vectors.OPEN.residual));
  return verdict(() => {
    const [point] = checkShares(statement(0, PURPOSE.open, ALL, [0]), [D], proof);
    if (id >= N || !residual.subtract(point).equals(cardPoint(id))) throw new Fault('card/card');
  });
}

function auditVerdict(seed, link = chain[0]) {
  if (seed === undefined) return 'not audited';
  if (!equal(H32('dz1/seed', ctx, u8(0), seed), S[0])) return 'seed not as committed';
  const same = isDerived(seed, R, 0, rctx, joint, link.input, link.output);
  return same ? 'ok' : 'shuffle not as committed';
}

/** A valid shuffle of seat 0 that is not the seed's: the order rotated by one. */
const rotated = [...chain[0].order.slice(1), chain[0].order[0]];
const otherShuffle = () => shuffleDeck({ rctx, epoch: 0, R, H: joint, input: chain[0].input, seed: seeds[0], order: rotated });

const CASES = {
  proof_ok: () => shuffleVerdict(),
  proof_f1_plus_1: () => shuffleVerdict({ bytes: plus(7, 1n) }),
  proof_f1_plus_q: () => shuffleVerdict({ bytes: changed((f) => (f[7] = le32(le(f[7]) + q))) }),
  proof_Z_plus_1: () => shuffleVerdict({ bytes: plus(Z_AT, 1n) }),
  proof_F1_plus_1: () => shuffleVerdict({ bytes: plus(F_AT, 1n) }),
  proof_g1_plus_1: () => shuffleVerdict({ bytes: plus(G_AT, 1n) }),
  proof_z_plus_1: () => shuffleVerdict({ bytes: plus(LAST - 1, 1n) }),
  proof_zD_plus_1: () => shuffleVerdict({ bytes: plus(LAST, 1n) }),
  proof_c_identity: () => shuffleVerdict({ bytes: changed((f) => f[0].fill(0)) }),
  proof_c_noncanonical: () => shuffleVerdict({ bytes: changed((f) => (f[0] = le32(2n ** 255n - 15n))) }),
  proof_EA_plus_T: () => shuffleVerdict({ bytes: changed((f) => (f[2] = decodePoint(f[2]).add(T).toBytes())) }),
  proof_short: () => shuffleVerdict({ bytes: chain[0].proofBytes.subarray(0, -32) }),
  proof_long: () => shuffleVerdict({ bytes: concat(chain[0].proofBytes, new Uint8Array(32)) }),
  proof_other_seat: () => shuffleVerdict({ seat: 1 }),
  proof_other_epoch: () => shuffleVerdict({ rctx: rctxOf(1) }),
  proof_other_seed_commitment: () => shuffleVerdict({ rctx: rctxOf(0, [S[0], S[1], S[2], S[2]]) }),
  proof_other_key: () => shuffleVerdict({ H: joint.add(G), hBytes: joint.add(G).toBytes() }),
  deck_out_swapped: () => shuffleVerdict({ output: swapped(chain[0].output) }),
  deck_in_swapped: () => shuffleVerdict({ input: swapped(chain[0].input) }),
  deck_out_short: () => shuffleVerdict({ outBytes: deckBytes(chain[0].output.slice(0, -1)) }),
  deck_out_identity: () => shuffleVerdict({ outBytes: concat(new Uint8Array(32), deckBytes(chain[0].output).subarray(32)) }),
  cheat_duplicate: () => proven(duplicated(), duplicateOrder),
  cheat_copy_true_perm: () => proven(duplicated(), chain[0].order),
  cheat_tag_BT: () => tagged((out) => (out[0] = card(out[0].A, out[0].B.add(T)))),
  cheat_tag_5x: () => tagged((out) => (out[0] = card(times(out[0].A, 5n), times(out[0].B, 5n)))),
  cheat_tag_cancelling: () =>
    tagged((out) => {
      out[0] = card(out[0].A, out[0].B.add(T));
      out[1] = card(out[1].A, out[1].B.subtract(T));
    }),
  ok_zero_scalars: () => proven(chain[0].output, chain[0].order, { zeroBlinders: true }),
  chain_ok: () => chainVerdict(),
  chain_cross_cancel: () =>
    chainVerdict(plus(LAST - 1, 1n), changed((f) => (f[LAST - 1] = le32(mod(le(f[LAST - 1]) - 1n))), chain[1].proofBytes)),
  chain_z_zD_cancel: () =>
    chainVerdict(changed((f) => {
      f[LAST - 1] = le32(mod(le(f[LAST - 1]) + 1n));
      f[LAST] = le32(mod(le(f[LAST]) - 1n));
    })),
  chain_proofs_swapped: () => chainVerdict(chain[1].proofBytes, chain[0].proofBytes),
  pok_ok: () => pokVerdict({}),
  pok_other_seat: () => pokVerdict({ seat: 1 }),
  pok_s_plus_q: () => pokVerdict({ proof: changed((f) => (f[1] = le32(le(f[1]) + q)), unhex(vectors.PoK_i[0])) }),
  pok_c_zero: () => pokVerdict({ proof: changed((f) => f[0].fill(0), unhex(vectors.PoK_i[0])) }),
  pok_k_zero: () => pokVerdict({ proof: provePossession(ctx, 0, x[0], { k: 0n }) }),
  pok_key_identity: () => pokVerdict({ key: new Uint8Array(32) }),
  pok_rogue_key: () => {
    const rogue = times(G, 7n).subtract(keys[1].add(keys[2]).add(keys[3]));
    return pokVerdict({ key: rogue.toBytes(), proof: provePossession(ctx, 0, 7n) });
  },
  dleq_ok: () => dleqVerdict(),
  dleq_wrong_share: () => dleqVerdict({ shares: share(0, (D) => D.add(T)) }),
  dleq_swapped: () => dleqVerdict({ shares: swapped(dealShares) }),
  dleq_cancelling: () => {
    const [first, second] = [share(0, (D) => D.add(T))[0], share(1, (D) => D.subtract(T))[1]];
    return dleqVerdict({ shares: [first, second, ...dealShares.slice(2)] });
  },
  dleq_identity: () => dleqVerdict({ shares: [new Uint8Array(32), ...dealShares.slice(1)] }),
  dleq_short: () => dleqVerdict({ shares: dealShares.slice(0, -1) }),
  dleq_other_rctx: () => dleqVerdict({ rctx: rctxOf(1) }),
  dleq_other_deck: () => dleqVerdict({ deckHash: deckHash(rctx, decks[1]) }),
  dleq_other_seat: () => dleqVerdict({ seat: 0 }),
  dleq_other_purpose: () => dleqVerdict({ purpose: PURPOSE.draw }),
  dleq_other_recipient: () => dleqVerdict({ to: 1 }),
  dleq_other_slots: () => dleqVerdict({ slots: DEAL.slots.map((i) => ({ ...slot(i), index: i + 1 })) }),
  dleq_s_plus_q: () => dleqVerdict({ proof: changed((f) => (f[1] = le32(le(f[1]) + q)), unhex(DEAL.proof)) }),
  dleq_k_zero: () =>
    dleqVerdict({ proof: proveShares(statement(1, PURPOSE.deal, 0, DEAL.slots), x[1], { k: 0n }).proof }),
  open_ok: () => openVerdict(),
  open_other_card: () => openVerdict({ id: vectors.OPEN.card + 1 }),
  open_other_copy: () => openVerdict({ id: vectors.OPEN.card + 54 }),
  open_foreign_id: () => openVerdict({ id: N }),
  open_bluff: () => {
    const D = decodePoint(unhex(vectors.OPEN.residual)).subtract(cardPoint(vectors.OPEN.card + 1)).toBytes();
    const { proof } = proveShares(statement(0, PURPOSE.open, ALL, [0]), x[0], { shares: [D] });
    return openVerdict({ id: vectors.OPEN.card + 1, D, proof });
  },
  audit_ok: () => auditVerdict(seeds[0]),
  audit_other_seed: () => auditVerdict(H32('test/s', u8(9))),
  ok_other_permutation: () => {
    const made = otherShuffle();
    return proven(made.output, made.order);
  },
  audit_other_permutation: () => auditVerdict(seeds[0], { ...chain[0], ...otherShuffle() }),
  audit_missing_seed: () => auditVerdict(undefined),
  mask_reuse: () => {
    // Two decks of one seed have no mask in common: no output of one minus the other is a difference of inputs.
    const other = startDeck(Array.from({ length: N }, (_, id) => N - 1 - id), joint);
    const second = shuffleDeck({ rctx, epoch: 0, R, H: joint, input: other, seed: seeds[0] });
    const known = new Set(second.masks.map(String));
    return chain[0].masks.filter((mask) => known.has(String(mask))).length;
  },
};

for (const { name, wrong, expect } of vectors.negative) {
  test(`${name}: ${wrong}`, () => {
    assert.ok(CASES[name], 'a case of the vectors without a test');
    assert.deepEqual(CASES[name](), expect);
  });
}

test('nothing decodes to the identity', () => {
  assert.equal(decodePoint(O.toBytes()), null);
});
