/**
 * The steps of a log (30-wire 2 and 6): who speaks in turn, faults that count when their step closes, goodbyes, claims, and
 * the VOID after which the others play on or the game is broken off. What the entries say is in game.mjs, which extends this.
 */
import { equal } from './bytes.mjs';
import { KIND, list } from './entry.mjs';
import { Fault, need } from './fault.mjs';
import { encode } from './msgpack.mjs';
import { abortedWinners } from './scores.mjs';

const REASON = { fault: 2, claims: 3, leave: 4 };
const NO_CONTEXT = new Uint8Array(32);

/** A step closed in a way that makes the round void. */
export class Broken extends Error {
  constructor(reason, findings) {
    super('void');
    this.reason = reason;
    this.findings = findings;
    this.seats = findings.map(({ seat }) => seat);
  }
}

const seatsIn = (mask, n) => Array.from({ length: n }, (_, seat) => seat).filter((seat) => (mask >>> seat) & 1);
const maskOf = (seats) => seats.reduce((mask, seat) => mask | (1 << seat), 0);

export class Steps {
  constructor(genesis) {
    this.genesis = genesis;
    this.n = genesis.n;
    this.step = 0;
    this.everybody = Array.from({ length: this.n }, (_, seat) => seat);
    this.faults = [];
    this.pending = [];
    this.named = [];
    /** What rounds became void for, and the steps closed by then. */
    this.breaks = [];
    this.deal = null;
    this.totals = Array(this.n).fill(0);
    /** `playing`: the seats of which the scores speak, all but those without which the others play on (R132). */
    this.record = { rounds: [], winners: [], playing: this.everybody, brokenOff: false };
    this.over = false;
  }

  get present() {
    return this.everybody.filter((seat) => !this.named.includes(seat));
  }

  /**
   * A step in which these seats speak, ascending; `read(seat, body, kind)` checks each entry as it comes, `close()` what
   * can be checked when all are there: it returns further faults `{seat, step?, fault}`. A seat may be passed over only in
   * the last step of a file: that step never closes.
   */
  *speak(seats, kinds, read, close = () => []) {
    const failed = (this.pending = []);
    const left = [];
    const missing = [];
    let later = seats;
    while (later.length > 0) {
      const lacking = missing[0] ?? later[0];
      const entry = yield this.expect(later, { seat: lacking, kinds, speakers: seats, claims: later === seats });
      if (entry.kind === KIND.expired && later === seats) yield* this.claims(entry);
      const { seat, kind, body } = entry;
      missing.push(...later.filter((one) => one < seat));
      later = later.filter((one) => one > seat);
      try {
        if (kind === KIND.leave) {
          list(body, 0);
          left.push(seat);
          continue;
        }
        need(kinds.includes(kind), 'log/kind');
        read(seat, body, kind);
      } catch (fault) {
        if (!(fault instanceof Fault)) throw fault;
        failed.push({ seat, step: this.step, fault });
      }
    }
    if (missing.length > 0) yield* this.stuck(missing);
    if (failed.length === 0 && left.length === 0) failed.push(...close());
    this.closeStep(failed, left);
  }

  /** What is expected of the first of these seats (or of a lower one that was passed over); the others may come instead. */
  expect(later, more) {
    return { step: this.step, seat: later[0], later, present: this.present, ...more };
  }

  /** Nothing can follow in a file whose step lacks these seats. */
  *stuck(missing) {
    for (;;) yield { ...this.expect(missing, { kinds: [], speakers: [] }), later: [] };
  }

  closeStep(failed, left = []) {
    const step = this.step;
    this.step += 1;
    this.pending = [];
    if (failed.length === 0 && left.length === 0) return;
    if (failed.length === 0) throw new Broken(REASON.leave, left.map((seat) => ({ code: 'log/left', seat, step })));
    const faults = failed.map(({ seat, step: said = step, fault }) => ({ seat, step: said, fault }));
    this.faults.push(...faults);
    throw new Broken(REASON.fault, faults.map(({ seat, step: said, fault: { code } }) => ({ code, seat, step: said })));
  }

  /** The step is closed by claims; the first EXPIRED is here, the others say the same. */
  *claims(first) {
    const mask = first.body[0];
    const claimers = this.present.filter((seat) => !((mask >>> seat) & 1));
    for (const seat of claimers.slice(1)) yield this.expect([seat], { kinds: [KIND.expired], speakers: claimers, mask });
    const { step } = this;
    this.step += 1;
    throw new Broken(REASON.claims, seatsIn(mask, this.n).map((seat) => ({ code: 'log/expired', seat, step })));
  }

  /** Carry out a part of the game; where it becomes void, what follows is 30-wire 6. */
  *upToVoid(part) {
    try {
      yield* part;
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      yield* this.becomeVoid(error);
    }
  }

  /** VOID of those who are left, as often as somebody else is named; then V11 says whether they play on. */
  *becomeVoid({ reason, seats, findings }) {
    this.breaks.push({ findings, steps: this.step });
    this.named = [...new Set([...this.named, ...seats])].sort((a, b) => a - b);
    this.reason = reason;
    this.record.brokenOff = this.genesis.card.resign !== 'play_on' || this.present.length < 2;
    if (this.present.length > 0) {
      const { breaks } = this;
      const before = breaks.length;
      yield* this.upToVoid(this.speak(this.present, [KIND.void], (_, body) => this.readVoid(body)));
      if (breaks.length > before) return;
    }
    if (this.record.brokenOff) this.breakOff();
    else this.record.playing = this.present;
  }

  /** The rctx that a VOID names: of the last deck of the round, or zeros before there is one. */
  get voidContext() {
    return this.deal?.epochs.length ? this.deal.epoch.rctx : NO_CONTEXT;
  }

  readVoid(body) {
    const expected = [this.voidContext, this.reason, maskOf(this.named)];
    need(equal(encode(body), encode(expected)), 'void/differs');
  }

  breakOff() {
    this.over = true;
    if (this.record.rounds.every(({ points }) => points === null)) return;
    this.record.winners = abortedWinners(this.genesis.card, this.totals, this.named);
  }
}
