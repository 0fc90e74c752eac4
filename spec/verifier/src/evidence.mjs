/**
 * A file of evidence (40-game-file, "Evidence"): who is named for what, and the entries that prove it.
 */
import { ascii, equal, hex } from './bytes.mjs';
import { BESIDE, readEntry } from './entry.mjs';
import { Fault, NotAGame } from './fault.mjs';
import { Log, atOnce, readRecords } from './file.mjs';
import { MAX_GENESIS, readGenesis } from './genesis.mjs';
import { NotCanonical, decode } from './msgpack.mjs';

const MAGIC = ascii('DUIZENDEN EVIDENCE 1\n');
/** The accusation that two entries prove, without the log. */
export const EQUIVOCATION = 'log/equivocation';
const MAX_ACCUSATION = 1024;

/** The accusation: [{code, seat, step}]. Throws NotAGame. */
function readAccusation(bytes, n) {
  let value;
  try {
    value = decode(bytes);
  } catch (error) {
    if (error instanceof NotCanonical) throw new NotAGame(`wire/${error.name}`, error.message);
    throw error;
  }
  const isFinding = (one) => Array.isArray(one) && one.length === 3 && typeof one[0] === 'string'
    && typeof one[1] === 'number' && one[1] < n && typeof one[2] === 'number';
  if (!Array.isArray(value) || value.length < 1 || value.length > 7 || !value.every(isFinding)) throw new NotAGame('evidence/form');
  return value.map(([code, seat, step]) => ({ code, seat, step }));
}

/** E4: why these records are not two entries that the accused signed for one step, or null when they are. */
function notTwoEntries(genesis, findings, records) {
  if (records.length !== 2 || findings.length !== 1) return 'evidence/count';
  const [one, other] = records.map((record) => readEntry(genesis, record));
  const [accused] = findings;
  const fits = ({ seat, step, kind }) => seat === accused.seat && step === accused.step && !BESIDE.has(kind);
  if (!fits(one) || !fits(other)) return 'evidence/other';
  return equal(one.bytes, other.bytes) ? 'evidence/same' : null;
}

/**
 * Why the log of these records does not end with a step that names these seats for this, or null when it does. A generator
 * of progress as `verify` in file.mjs.
 */
function* notTheLog(genesis, findings, records) {
  const log = new Log(genesis);
  yield* log.resume();
  for (const [i, record] of records.entries()) {
    for (const work of log.take(record)) yield { done: i, of: records.length, ...work };
    yield { done: i + 1, of: records.length, taken: log.taken };
  }
  const last = log.game.breaks.at(-1);
  if (log.entries.length > 0 || last?.steps !== log.game.step) return 'evidence/nothing';
  const same = last.findings.length === findings.length && findings.every(({ code, seat, step }, i) => {
    const found = last.findings[i];
    return found.code === code && found.seat === seat && found.step === step;
  });
  return same ? null : 'evidence/other';
}

/** Whether bytes say of themselves that they are evidence. */
export const isEvidence = (bytes) => equal(bytes.subarray(0, MAGIC.length), MAGIC);

/**
 * Check a file of evidence. A generator that yields progress as `verify` in file.mjs and returns {proven, why, findings,
 * table, players}; throws NotAGame when the bytes cannot be read as one.
 */
export function* verifyEvidence(bytes) {
  const [first, accusation, ...records] = readRecords(bytes, MAGIC, [MAX_GENESIS, MAX_ACCUSATION]);
  const genesis = readGenesis(first);
  const findings = readAccusation(accusation, genesis.n);
  let why;
  try {
    if (findings[0].code === EQUIVOCATION) why = notTwoEntries(genesis, findings, records);
    else why = yield* notTheLog(genesis, findings, records);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    why = error.code;
  }
  const players = genesis.seats.map(({ name }) => name);
  return { proven: why === null, why, findings, table: hex(genesis.table), players };
}

/** Run `verifyEvidence` to its end at once. */
export const verifyEvidenceNow = (bytes) => atOnce(verifyEvidence(bytes));
