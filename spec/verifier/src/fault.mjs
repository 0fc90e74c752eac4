/**
 * What can be wrong with a game file.
 *
 * `NotAGame` says that bytes are no game file at all (40-game-file F1, exit code 2). `Fault` says that a game file breaks
 * a rule: `code` is `layer/name` of 30-wire 5; `seat` and `step` are filled in by whoever knows them.
 */

/** The bytes cannot be read as a game. */
export class NotAGame extends Error {
  constructor(code, detail = '') {
    super(detail ? `${code}: ${detail}` : code);
    this.code = code;
    this.detail = detail;
  }
}

/** A check that failed. `nobody` marks faults that prove nothing about a seat although one stands next. */
export class Fault extends Error {
  constructor(code, { seat, step, detail = '', nobody = false } = {}) {
    super(detail ? `${code}: ${detail}` : code);
    this.code = code;
    this.seat = seat;
    this.step = step;
    this.detail = detail;
    this.nobody = nobody;
  }
}

/** Throw `Fault(code)` unless the condition holds. */
export function need(condition, code, detail = '') {
  if (!condition) throw new Fault(code, { detail });
}
