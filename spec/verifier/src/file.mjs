/**
 * A game file from beginning to end (40-game-file): records, the chain of heads, the order of entries, and the report.
 */
import { ascii, equal, hex } from './bytes.mjs';
import { readEntry } from './entry.mjs';
import { Fault, NotAGame } from './fault.mjs';
import { Game } from './game.mjs';
import { readGenesis } from './genesis.mjs';
import { H32 } from './hashing.mjs';

const MAGIC = ascii('DUIZENDEN GAME 1\n');

/** The records of a file, as bytes. Throws NotAGame (F1). */
export function readRecords(bytes) {
  if (!equal(bytes.subarray(0, MAGIC.length), MAGIC)) throw new NotAGame('file/magic');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const records = [];
  let at = MAGIC.length;
  while (at < bytes.length) {
    if (at + 4 > bytes.length) throw new NotAGame('file/cut', 'ends inside a length');
    const length = view.getUint32(at, true);
    if (at + 4 + length > bytes.length) throw new NotAGame('file/cut', 'ends inside a record');
    records.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  if (records.length === 0) throw new NotAGame('file/genesis', 'no genesis');
  return records;
}

/** The log as far as it goes: the open step, its head, and who has spoken in it. */
class Log {
  constructor(genesis) {
    this.genesis = genesis;
    this.head = genesis.head;
    this.game = new Game(genesis);
    this.course = this.game.run();
    this.entries = [];
    this.signatures = 0;
    this.expected = null;
    this.over = false;
  }

  /** Resume the game; yields progress, sets what is expected next. */
  *resume(entry) {
    let next = this.course.next(entry);
    while (!next.done && next.value.working) {
      yield next.value;
      next = this.course.next();
    }
    if (this.expected && (next.done || next.value.step !== this.expected.step)) this.closeStep();
    this.over = Boolean(next.done);
    this.expected = next.done ? { step: this.game.step, seat: null, kinds: [] } : next.value;
  }

  closeStep() {
    this.head = H32('dz1/step', this.head, ...this.entries);
    this.entries = [];
  }

  /** Take the next record. */
  *take(record) {
    const { expected } = this;
    const where = { step: expected.step, seat: expected.seat };
    let named = false;
    try {
      const entry = readEntry(this.genesis, record);
      this.signatures += 1;
      const stands = !this.over && entry.step === expected.step && entry.seat === expected.seat;
      if (!stands) throw new Fault(this.over ? 'log/over' : 'log/order');
      if (!equal(entry.head, this.head)) throw new Fault('log/head');
      named = true;
      if (!expected.kinds.includes(entry.kind)) throw new Fault('log/kind');
      this.entries.push(entry.bytes);
      yield* this.resume(entry);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      error.step ??= where.step;
      error.seat ??= error.nobody ? null : where.seat;
      error.named = named && !error.nobody;
      throw error;
    }
  }
}

function faultOf(error) {
  return { seat: error.seat ?? null, step: error.step ?? null, code: error.code, detail: error.detail ?? '' };
}

/**
 * Check a game file. A generator that yields progress `{done, of, expected}` after every record and returns the report;
 * throws NotAGame when the bytes are no game file.
 */
export function* verify(bytes) {
  const [first, ...records] = readRecords(bytes);
  const genesis = readGenesis(first);
  const log = new Log(genesis);
  let fault = null;
  try {
    yield* log.resume();
    for (const [i, record] of records.entries()) {
      for (const work of log.take(record)) yield { done: i, of: records.length, ...work };
      yield { done: i + 1, of: records.length, expected: log.expected };
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    fault = faultOf(error);
  }
  return report(log, fault);
}

function report(log, fault) {
  const { game, genesis } = log;
  if (game.deal) game.addCounts();
  const finished = game.record.rounds.filter(({ points }) => points !== null);
  return {
    ok: fault === null,
    complete: fault === null && log.over,
    fault,
    checks: { signatures: log.signatures, ...game.counts },
    table: hex(genesis.table),
    rules: genesis.rulesName,
    players: genesis.seats.map(({ name }) => name),
    seeded: genesis.seeded,
    rounds: finished.length,
    steps: log.expected?.step ?? 0,
    head: hex(log.head),
    points: finished.map(({ points }) => points),
    scores: game.record.totals ?? Array(genesis.n).fill(0),
    winners: game.record.winners ?? [],
    genesis,
    record: game.record,
  };
}

/** Run `verify` to its end at once. */
export function verifyNow(bytes) {
  const course = verify(bytes);
  let next = course.next();
  while (!next.done) next = course.next();
  return next.value;
}
