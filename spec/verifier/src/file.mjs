/**
 * A game file from beginning to end (40-game-file): records, the chain of heads, the order of entries, and the report.
 */
import { ascii, equal, hex } from './bytes.mjs';
import { BESIDE, KIND, MAX_ENTRY, readEntry } from './entry.mjs';
import { Fault, NotAGame, layerOf } from './fault.mjs';
import { Game } from './game.mjs';
import { MAX_GENESIS, readGenesis } from './genesis.mjs';
import { H32 } from './hashing.mjs';
import { encode } from './msgpack.mjs';

const MAGIC = ascii('DUIZENDEN GAME 1\n');

/** 30-wire 8. */
const MAX_FILE = 256 * 1024 * 1024;

/** The records of a file, as bytes; the first ones have limits of their own, the others are entries. Throws NotAGame (F1). */
export function readRecords(bytes, magic = MAGIC, limits = [MAX_GENESIS]) {
  if (bytes.length > MAX_FILE) throw new NotAGame('file/size');
  if (!equal(bytes.subarray(0, magic.length), magic)) throw new NotAGame('file/magic');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const records = [];
  let at = magic.length;
  while (at < bytes.length) {
    if (at + 4 > bytes.length) throw new NotAGame('file/cut', 'ends inside a length');
    const length = view.getUint32(at, true);
    if (length > (limits[records.length] ?? MAX_ENTRY)) throw new NotAGame('file/record', 'oversize record');
    if (at + 4 + length > bytes.length) throw new NotAGame('file/cut', 'ends inside a record');
    records.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  if (records.length < limits.length) throw new NotAGame('file/cut', 'ends before its log begins');
  return records;
}

/** Whether this EXPIRED can be the first of a step that is closed by claims (30-wire 6). */
function claimsStep(expected, entry) {
  const [mask] = entry.body;
  if (entry.body.length !== 1 || typeof mask !== 'number' || mask > 127) return false;
  const { present, speakers } = expected;
  const inMask = [0, 1, 2, 3, 4, 5, 6].filter((seat) => (mask >>> seat) & 1);
  const outside = present.filter((seat) => !inMask.includes(seat));
  const possible = inMask.every((seat) => present.includes(seat)) && inMask.some((seat) => speakers.includes(seat));
  return possible && outside.length > inMask.length && outside[0] === entry.seat;
}

/** The log as far as it goes: the open step, its head, and who has spoken in it. */
export class Log {
  constructor(genesis) {
    this.genesis = genesis;
    this.head = genesis.head;
    this.game = new Game(genesis);
    this.course = this.game.run();
    this.entries = [];
    this.signatures = 0;
    this.expected = null;
    this.taken = null;
    this.over = false;
  }

  /** Resume the game; yields progress, sets what is expected next. */
  *resume(entry) {
    let next = this.course.next(entry);
    while (!next.done && next.value.working) {
      yield next.value;
      next = this.course.next();
    }
    if (this.expected && this.game.step !== this.expected.step) this.closeStep();
    this.over = Boolean(next.done);
    this.expected = next.done ? { step: this.game.step, seat: null, kinds: [] } : next.value;
  }

  closeStep() {
    this.head = H32('dz1/step', this.head, ...this.entries);
    this.entries = [];
  }

  /** Take the next record. Throws Fault when it is no entry that may stand here: nobody is named by that. */
  *take(record) {
    const entry = readEntry(this.genesis, record);
    if (this.over || !this.standsNext(entry)) throw new Fault('log/order');
    if (!equal(entry.head, this.head)) throw new Fault('log/head');
    this.signatures += 1;
    this.entries.push(entry.bytes);
    const { step, seat, kind } = entry;
    const round = this.game.roundNumber ?? 0;
    yield* this.resume(entry);
    this.taken = { step, seat, kind, round, faults: this.game.faults.length };
  }

  /** F2: an entry of a seat of the open step that is higher than the one before, or one more of those who claim. */
  standsNext(entry) {
    const { expected } = this;
    if (entry.step !== expected.step) return false;
    if (entry.kind === KIND.expired && expected.claims) return claimsStep(expected, entry);
    const said = entry.kind === KIND.expired ? expected.mask : undefined;
    if (said === undefined && (BESIDE.has(entry.kind) || expected.mask !== undefined)) return false;
    if (said !== undefined && !equal(encode(entry.body), encode([said]))) return false;
    return expected.later.includes(entry.seat);
  }
}

/** The fault to report: the lowest seat's of the first step with faults, else that of a record that may not stand here. */
function reported(log, misplaced) {
  const [first] = [...log.game.faults, ...log.game.pending];
  if (first) {
    const { seat, step, fault } = first;
    return { seat, step, code: fault.code, detail: fault.detail };
  }
  if (misplaced === null) return null;
  return { seat: log.expected.seat, step: log.expected.step, code: misplaced.code, detail: misplaced.detail };
}

/**
 * Check a game file. A generator that yields progress `{done, of, taken}` after every record (`taken`: step, seat, kind,
 * round, and the number of faults so far) and returns the report; throws NotAGame when the bytes are
 * no game file.
 */
export function* verify(bytes) {
  const [first, ...records] = readRecords(bytes);
  const genesis = readGenesis(first);
  const log = new Log(genesis);
  let misplaced = null;
  try {
    yield* log.resume();
    for (const [i, record] of records.entries()) {
      for (const work of log.take(record)) yield { done: i, of: records.length, ...work };
      yield { done: i + 1, of: records.length, taken: log.taken };
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    misplaced = error;
  }
  return report(log, misplaced);
}

function report(log, misplaced) {
  const { game, genesis } = log;
  game.addCounts();
  const fault = reported(log, misplaced);
  const finished = game.record.rounds.filter(({ points }) => points !== null);
  return {
    ok: fault === null,
    layer: fault === null ? 'ok' : layerOf(fault.code),
    complete: misplaced === null && log.over,
    fault,
    departed: game.named,
    checks: { signatures: log.signatures, ...game.counts },
    table: hex(genesis.table),
    rules: genesis.rulesName,
    players: genesis.seats.map(({ name }) => name),
    seeded: genesis.seeded,
    rounds: finished.length,
    steps: log.expected.step,
    head: hex(log.head),
    points: finished.map(({ points }) => points),
    scores: game.totals,
    winners: game.record.winners,
    genesis,
    record: game.record,
  };
}

/** Run a course to its end; its result. */
export function atOnce(course) {
  let next = course.next();
  while (!next.done) next = course.next();
  return next.value;
}

/** Run `verify` to its end at once. */
export const verifyNow = (bytes) => atOnce(verify(bytes));
