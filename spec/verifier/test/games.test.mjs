/**
 * Whole game files made here: honest ones, seats that sign what they may not, claims, and files changed afterwards. Every
 * file goes through `verifyNow` as a stranger's would.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { concat, le32, u32 } from '../src/bytes.mjs';
import { KIND, readAct, readOpens } from '../src/entry.mjs';
import { verifyEvidenceNow } from '../src/evidence.mjs';
import { NotAGame } from '../src/fault.mjs';
import { readRecords, verifyNow } from '../src/file.mjs';
import { q } from '../src/group.mjs';
import { decode, encode } from '../src/msgpack.mjs';
import { PHASE } from '../src/rules.mjs';
import { Maker, fileOf, randomness } from './support/maker.mjs';
import { judged, randomAct } from './support/player.mjs';
import { cardText } from './support/presets.mjs';

/** A short game: one pack, big hands, so that the stock is empty soon and a reshuffle and a stalemate follow. */
const SHORT = cardText('klassiek', { decks: 1, jokers_in_deck: 0, joker_points: 'none', hand_size: 15 });
const QUEEN = 11;

function drawAndDiscard(maker, seat) {
  const { state } = maker;
  if (state.phase === PHASE.draw) return 'draw';
  const discard = [...state.hand[seat]].reverse().find((slot) => maker.idOf(seat, slot) !== QUEEN);
  return { takePot: false, steps: [], discard, call: false, shown: [] };
}

const make = (hooks) => new Maker({ cardText: SHORT, n: 3, act: drawAndDiscard, ...hooks }).run();
const flip = (bytes, at = 0) => bytes.map((byte, i) => (i === at ? byte ^ 1 : byte));
const endingIn = (bytes, scalar) => concat(bytes.subarray(0, -32), le32(scalar));

/** A hook that changes the first body of this kind (of this seat). */
function changing(kind, seat, change) {
  let done = false;
  return {
    body(maker, speaker, said, body) {
      if (done || said !== kind || (seat !== null && speaker !== seat)) return undefined;
      done = true;
      return change(body, maker, speaker);
    },
  };
}

/** [code, seat, departed, complete] of a report. */
function summary({ fault, departed, complete }) {
  return [fault?.code ?? null, fault?.seat ?? null, departed, complete];
}

const honest = make();
const honestReport = verifyNow(honest.bytes());

test('an honest game with a reshuffle holds and is complete', () => {
  assert.deepEqual(summary(honestReport), [null, null, [], true]);
  assert.equal(honestReport.checks.shuffle_proofs, 6);
  assert.equal(honestReport.checks.audited_shuffles, 6);
  assert.equal(honestReport.scores.length, 3);
  assert.ok(honestReport.record.rounds[0].moves.some(({ type }) => type === 'reshuffle'));
});

test('points of a round are what the hands hold when nothing was laid', () => {
  const [points] = honestReport.points;
  const inPot = 52 - 45 - 1;
  assert.ok(points.every((value) => value < 0));
  assert.ok(inPot > 0);
});

/**
 * What a seat may not say before the cards are shuffled, and what it is called. Later kinds of entries are in the files of
 * spec/vectors/games and in the program's own tests, which ask this verifier too.
 */
const FAULTS = [
  ['another name than in the genesis', KIND.seat, 1, (b) => [b[0], b[1], 'Other', b[3]], 'seat/roster'],
  ['a commitment of 31 bytes', KIND.commit, 1, (b) => [b[0].subarray(1)], 'body/length'],
  ['another opening than committed', KIND.open, 1, (b) => [b[0], b[1], flip(b[2]), b[3]], 'open/commitment'],
  ['the identity as key', KIND.open, 1, (b) => [new Uint8Array(32), b[1], b[2], b[3]], 'pok/point'],
  ['a false proof of possession', KIND.open, 1, (b) => [b[0], b[1], b[2], flip(b[3])], 'pok/pok'],
  ['a proof with c = 0', KIND.open, 1, (b) => [b[0], b[1], b[2], concat(new Uint8Array(32), b[3].subarray(32))], 'pok/challenge'],
  ['a deck with a card missing', KIND.shuffle, 1, (b) => [b[0].subarray(64), b[1]], 'body/length'],
  ['a deck with the identity', KIND.shuffle, 1, (b) => [concat(new Uint8Array(32), b[0].subarray(32)), b[1]], 'deck/point'],
];

for (const [what, kind, seat, change, code] of FAULTS) {
  test(`${what} is ${code}, names the seat, and VOID ends the log`, () => {
    let speaker = seat;
    const maker = make(changing(kind, seat, (body, _, who) => ((speaker = who), change(body))));
    assert.deepEqual(summary(verifyNow(maker.bytes())), [code, speaker, [speaker], true]);
  });
}

test('of several faults in one step the lowest seat is reported and all are named', () => {
  const body = (_, seat, kind, said) => (kind === KIND.ready && seat !== 1 ? [flip(said[0]), said[1]] : undefined);
  assert.deepEqual(summary(verifyNow(make({ body }).bytes())), ['ready/deck', 0, [0, 2], true]);
});

test('a fault in VOID names further seats', () => {
  const body = (maker, seat, kind, said) => {
    if (kind === KIND.ready && seat === 1) return [flip(said[0]), said[1]];
    return kind === KIND.void && seat === 2 && maker.game.named.length === 1 ? [said[0], 3, said[2]] : undefined;
  };
  assert.deepEqual(summary(verifyNow(make({ body }).bytes())), ['ready/deck', 1, [1, 2], true]);
});

test('all seats whose shuffle proofs are false are named', () => {
  const proofs = (_, seat, kind, said) => (kind === KIND.shuffle && seat !== 1 ? [said[0], endingIn(said[1], 1n)] : undefined);
  assert.deepEqual(summary(verifyNow(make({ body: proofs }).bytes())), ['proof/V2', 0, [0, 2], true]);
});

test('what is said beside a step never stands for its entry, and names nobody', () => {
  for (const kind of [KIND.held, KIND.goodbye, KIND.expired]) {
    const entry = (maker, seat, said) => (said === KIND.commit && seat === 1 ? maker.sign(seat, kind, [1]) : undefined);
    assert.deepEqual(summary(verifyNow(make({ entry }).bytes())), ['log/order', 1, [], false]);
  }
});

test('evidence proves exactly what its entries prove', () => {
  const body = (_, seat, kind, said) => (kind === KIND.commit && seat === 1 ? [said[0].subarray(1)] : undefined);
  const maker = make({ body });
  const log = maker.frames.slice(0, 6);
  const rule = (findings, frames) => verifyEvidenceNow(maker.evidence(findings, frames)).why;
  assert.equal(rule([['body/length', 1, 1]], log), null);
  assert.equal(rule([['body/length', 0, 1]], log), 'evidence/other');
  assert.equal(rule([['body/length', 1, 1]], log.slice(0, 5)), 'evidence/nothing');
  assert.equal(rule([['body/length', 1, 1]], maker.frames), 'evidence/nothing');
  const second = maker.sign(1, KIND.leave, [], { step: 1 });
  assert.equal(rule([['log/equivocation', 1, 1]], [log[4], second]), null);
  assert.equal(rule([['log/equivocation', 1, 1]], [log[4], log[4]]), 'evidence/same');
  assert.equal(rule([['log/equivocation', 1, 1]], [log[4], log[3]]), 'evidence/other');
  assert.equal(rule([['log/equivocation', 1, 1]], [log[4]]), 'evidence/count');
  assert.throws(() => verifyEvidenceNow(maker.evidence([], log)), NotAGame);
  assert.throws(() => verifyEvidenceNow(maker.bytes()), NotAGame);
});

/** Instead of the first entry of this kind these seats say EXPIRED with these masks. */
function claiming(kind, masks) {
  let done = false;
  return {
    entry(maker, _, said) {
      if (done || said !== kind) return undefined;
      done = true;
      return Object.entries(masks).map(([seat, mask]) => maker.sign(Number(seat), KIND.expired, [mask]));
    },
  };
}

test('a step closed by claims breaks the game off without a fault', () => {
  for (const kind of [KIND.commit, KIND.ready]) {
    assert.deepEqual(summary(verifyNow(make(claiming(kind, { 1: 1, 2: 1 })).bytes())), [null, null, [0], true]);
  }
});

test('a goodbye in the place of an entry breaks the game off without a fault; a fault beside it goes before', () => {
  const entry = (maker, seat, kind) => (kind === KIND.ready && seat === 2 ? maker.sign(seat, KIND.leave, []) : undefined);
  assert.deepEqual(summary(verifyNow(make({ entry }).bytes())), [null, null, [2], true]);
  const body = (_, seat, kind, said) => (kind === KIND.ready && seat === 0 ? [flip(said[0]), said[1]] : undefined);
  const { code } = verifyNow(make({ entry, body }).bytes()).fault;
  assert.equal(code, 'ready/deck');
});

const PLAY_ON = cardText('klassiek', { decks: 1, jokers_in_deck: 0, joker_points: 'none', hand_size: 10, resign: 'play_on' });
const leaving = (kinds) => (maker, seat, kind) => {
  if (kinds[seat] !== kind || maker.game.named.includes(seat)) return undefined;
  return maker.sign(seat, KIND.leave, []);
};

test('where the card says so the others play on, and who left keeps its seat and its points', () => {
  const maker = make({ cardText: PLAY_ON, n: 4, entry: leaving({ 1: KIND.ready }) });
  const report = verifyNow(maker.bytes());
  assert.deepEqual(summary(report), [null, null, [1], true]);
  assert.deepEqual([report.rounds, report.points[0][1], report.checks.shuffle_proofs], [1, 0, 10]);
  assert.deepEqual(report.record.rounds.map(({ round, seats }) => [round, seats]), [[1, [0, 1, 2, 3]], [2, [0, 2, 3]]]);
  assert.ok(report.winners.length > 0 && !report.winners.includes(1));
  const { hands, stock } = report.record.rounds[1].moves[0];
  assert.deepEqual([hands.map(({ length }) => length), stock], [[10, 0, 10, 10], 52 - 31]);
});

test('after a fault, a departure and another one the last seat ends the game, and evidence proves each of them', () => {
  const entry = leaving({ 0: KIND.end });
  const body = (_, seat, kind, said) => (kind === KIND.commit && seat === 2 ? [said[0].subarray(1)] : undefined);
  const maker = make({ cardText: PLAY_ON, entry, body });
  const report = verifyNow(maker.bytes());
  assert.deepEqual(summary(report), ['body/length', 2, [0, 2], true]);
  assert.deepEqual([report.rounds, report.winners], [0, []]);
  const step = report.steps - 2;
  const rule = (findings, frames) => verifyEvidenceNow(maker.evidence(findings, frames)).why;
  assert.equal(rule([['body/length', 2, 1]], maker.frames.slice(0, 6)), null);
  assert.equal(rule([['log/left', 0, step]], maker.frames.slice(0, -1)), null);
  assert.equal(rule([['body/length', 2, 1]], maker.frames.slice(0, -1)), 'evidence/other');
  assert.equal(rule([['log/left', 0, step]], maker.frames.slice(0, -2)), 'evidence/nothing');
});

test('who has been named says nothing any more, and nobody says that it plays', () => {
  const back = (maker, seat, kind) =>
    maker.game.named.length && kind === KIND.commit && seat === 0 ? maker.sign(1, kind, [new Uint8Array(32)]) : undefined;
  const entry = (...said) => leaving({ 1: KIND.open })(...said) ?? back(...said);
  assert.deepEqual(summary(verifyNow(make({ cardText: PLAY_ON, entry }).bytes())), ['log/order', 0, [1], false]);
  const body = (_, seat, kind, said) => (kind === KIND.verdict && seat === 2 ? [new Uint8Array(3), said[1]] : undefined);
  const lied = make({ cardText: PLAY_ON, entry: leaving({ 1: KIND.open }), body });
  assert.deepEqual(summary(verifyNow(lied.bytes())), ['verdict/differs', 2, [1, 2], true]);
});

test('claims that do not agree, of too many, or of a seat that need not speak may not stand in a file', () => {
  const wrong = [
    claiming(KIND.commit, { 1: 1, 2: 3 }),
    claiming(KIND.commit, { 0: 0 }),
    claiming(KIND.commit, { 2: 3 }),
    claiming(KIND.shuffle, { 0: 4, 1: 4 }),
  ];
  for (const hooks of wrong) assert.equal(verifyNow(make(hooks).bytes()).fault.code, 'log/order');
});

const records = readRecords(honest.bytes());
const gameOf = (list) => fileOf('DUIZENDEN GAME 1\n', list);

test('every prefix of whole records holds and is not complete', () => {
  for (const count of [1, 2, 11, 40, records.length - 1]) {
    assert.deepEqual(summary(verifyNow(gameOf(records.slice(0, count)))), [null, null, [], false]);
  }
});

test('records exchanged, doubled, dropped or added are noticed', () => {
  const [genesis, a, b, ...rest] = records;
  const changed = [[genesis, b, a, ...rest], [genesis, a, a, b, ...rest], [genesis, b, ...rest], [...records, a]];
  assert.deepEqual(summary(verifyNow(gameOf([genesis, b]))), [null, null, [], false]);
  for (const list of changed) assert.equal(verifyNow(gameOf(list)).fault.code, 'log/order');
});

test('a file that is cut inside a record, or without magic or genesis, is no game file', () => {
  const bytes = gameOf(records);
  for (const wrong of [bytes.subarray(0, -1), bytes.subarray(1), bytes.subarray(0, 17), concat(bytes, u32(1)), new Uint8Array(0)]) {
    assert.throws(() => verifyNow(wrong), NotAGame);
  }
});

test('any changed bit is noticed', () => {
  const random = randomness('bits');
  const bytes = gameOf(records.slice(0, 10)); // before the shuffles, which take long
  for (let i = 0; i < 40; i++) {
    const at = 17 + random.below(bytes.length - 17);
    const changed = bytes.map((byte, j) => (j === at ? byte ^ (1 << random.below(8)) : byte));
    let noticed;
    try {
      noticed = verifyNow(changed).fault !== null;
    } catch (error) {
      if (!(error instanceof NotAGame)) throw error;
      noticed = true;
    }
    assert.ok(noticed, `byte ${at}`);
  }
});

test('entries of another table, version, seat or kind, and with a false signature, name nobody', () => {
  const [bytes, signature] = decode(records[5]);
  const [version, table, step, seat, head, kind, body] = decode(bytes);
  const signed = (options) => honest.sign(options.seat ?? seat, options.kind ?? kind, body, { step, head, version, table, ...options });
  const cases = [
    [signed({ version: 2 }), 'entry/version'],
    [signed({ table: new Uint8Array(16) }), 'entry/table'],
    [signed({ kind: 99 }), 'entry/kind'],
    [signed({ head: new Uint8Array(32) }), 'log/head'],
    [signed({ step: step + 1 }), 'log/order'],
    [signed({ seat: (seat + 1) % 3 }), 'log/order'],
    [encode([bytes, flip(signature)]), 'entry/signature'],
    [encode([bytes]), 'entry/form'],
    [concat(records[5], new Uint8Array(1)), 'wire/undecodable'],
    [concat(Uint8Array.of(0xdc, 0, 2), records[5].subarray(1)), 'wire/non-canonical'],
  ];
  for (const [record, code] of cases) {
    const report = verifyNow(gameOf([...records.slice(0, 5), record, ...records.slice(6)]));
    assert.deepEqual(summary(report), [code, seat, [], false]);
  }
});

test('of several defects of a body the first field decides, with all that it holds', () => {
  const share = new Uint8Array(32);
  const cases = [
    [readAct, [[], [], 0, 0, []], 'body/range'],
    [readAct, [0, [[2, 0, 3, 0]], [], 0, []], 'body/range'],
    [readAct, [0, [], 0, 2, []], 'body/form'],
    [readOpens, [[256, 0, 0]], 'body/range'],
    [readOpens, [[0, [], 0]], 'body/order'],
    [readOpens, [[0, [[1, 2, share], [1, 3, share]], 0]], 'body/order'],
  ];
  for (const [read, value, code] of cases) assert.throws(() => read(value), { code });
});

/** Legal random acts; laying is preferred so that melds, lay-offs and swaps happen. */
function legalAct(random) {
  return (maker, seat) => {
    const { state } = maker;
    if (state.phase === PHASE.exchange) return { exchange: random.next() < 0.5 ? null : [...state.hand[seat]][0] };
    let best = null;
    for (let i = 0; i < 25; i++) {
      const act = randomAct(maker, seat, random);
      const { code } = judged(maker, seat, act);
      if (code === null && (best === null || act.steps.length > best.steps.length)) best = act;
    }
    if (best !== null) return best;
    if (state.phase === PHASE.draw) return 'draw';
    const acts = [...state.hand[seat]].map((discard) => ({ takePot: false, steps: [], discard, call: false, shown: [] }));
    return acts.find((act) => judged(maker, seat, act).code === null) ?? acts[0];
  };
}

for (const preset of ['klassiek', 'modern']) {
  test(`random legal turns under ${preset} hold, and what was opened stays within the deck`, () => {
    const random = randomness(preset);
    const maker = new Maker({ cardText: cardText(preset), n: 3, act: legalAct(random) }).run(60);
    const report = verifyNow(maker.bytes());
    assert.equal(report.fault, null);
    const { moves } = report.record.rounds[0];
    assert.ok(moves.some(({ type }) => type === 'play'));
    for (const { hands, melds, pot, openCard, stock } of moves) {
      const cards = hands.flat().length + melds.flatMap((meld) => meld.cards).length + pot.length + stock;
      assert.equal(cards + (openCard === null ? 0 : 1), preset === 'modern' ? 104 : 108);
    }
  });
}
