/**
 * What can be wrong with a game file.
 *
 * `NotAGame` says that bytes are no game file at all (40-game-file F1, exit code 2). `Fault` says that a game file breaks
 * a rule: `code` is `layer/name` of 30-wire 5. Who spoke, and in which step, is known to whoever catches it.
 */

/** The bytes cannot be read as a game. */
export class NotAGame extends Error {
  constructor(code, detail = '') {
    super(detail ? `${code}: ${detail}` : code);
    this.code = code;
    this.detail = detail;
  }
}

/** A check that failed. */
export class Fault extends Error {
  constructor(code, { detail = '' } = {}) {
    super(detail ? `${code}: ${detail}` : code);
    this.code = code;
    this.detail = detail;
  }
}

const LAYERS = {
  wire: 'wire', entry: 'wire', body: 'wire', log: 'chain', seat: 'chain', ready: 'chain', end: 'chain', void: 'chain',
  open: 'proof', deck: 'proof', proof: 'proof', pok: 'proof', dleq: 'proof', card: 'proof', draw: 'rules', rules: 'rules',
  audit: 'audit', verdict: 'audit', 'entry/signature': 'signature', 'open/owner': 'rules', 'open/slots': 'rules',
};

/** How far the checks came before one failed (40-game-file, "Layers"). */
export const layerOf = (code) => LAYERS[code] ?? LAYERS[code.split('/')[0]];

/** Throw `Fault(code)` unless the condition holds. */
export function need(condition, code, detail = '') {
  if (!condition) throw new Fault(code, { detail });
}
