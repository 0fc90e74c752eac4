/**
 * The course of a game: which entry stands next, and what its body must be (20-crypto 5.7, 30-wire 4 and 6).
 *
 * A game is a coroutine. It yields what it expects, `{step, seat, later, kinds, speakers, present, claims, mask}`, and is
 * resumed with an entry whose signature, place and head hold, or yields `{working}` within long work. Bad content of an entry is kept in
 * `game.faults` (`game.pending` before its step has closed); when the step has closed, VOID follows, and then the next round of
 * those who are left or the end, as 30-wire 6 says. It returns when the log is over. What happened is noted in `game.record` for people: rounds with the position after every move.
 */
import { equal, le, pieces } from './bytes.mjs';
import { Deal, slotNumber } from './deal.mjs';
import { KIND, LIMIT, bin, list, readAct, readMaybeSlot, readOpens, uint } from './entry.mjs';
import { Fault, need } from './fault.mjs';
import { H } from './hashing.mjs';
import { encode } from './msgpack.mjs';
import { play, playOpens } from './play.mjs';
import { ALL, PURPOSE } from './proofs.mjs';
import {
  PHASE, challenge, drawOutcome, drawSingle, drawStock, endStalemate, exchange, exchangeOpens, newRound,
  penaltyOutcome, reshuffle, takePenalty,
} from './rules.mjs';
import { proofLength } from './shuffle.mjs';
import { isOver, roundPoints, scoreHash, winners } from './scores.mjs';
import { Steps } from './steps.mjs';

/** C88: the verdict byte of a seat that does not play. */
const NOT_PLAYING = 255;

export class Game extends Steps {
  constructor(genesis) {
    super(genesis);
    this.counts = { commitments: 0, shuffle_proofs: 0, shares: 0, opened_cards: 0, moves: 0, audited_shuffles: 0 };
  }

  *run() {
    yield* this.upToVoid(this.speak(this.everybody, [KIND.seat], (seat, body) => this.readSeat(seat, body)));
    for (let round = 1; !this.over; round++) yield* this.upToVoid(this.round(round));
    this.addCounts();
  }

  readSeat(seat, body) {
    const { keyBytes, name } = this.genesis.seats[seat];
    need(equal(encode(body), encode([1, keyBytes, name, this.genesis.rulesHash])), 'seat/roster');
  }

  /** One round of the seats that no VOID named. */
  *round(round) {
    this.addCounts();
    this.deal = new Deal(this.genesis, round, this.present);
    this.roundNumber = round;
    this.state = null;
    this.noted = { round, seats: this.present, moves: [], faces: this.deal.faces, ids: this.deal.ids, points: null };
    this.record.rounds.push(this.noted);
    yield* this.keys();
    const { N } = this.genesis;
    yield* this.chain(Array.from({ length: N }, (_, id) => id));
    yield* this.dealCards();
    this.note({ type: 'deal' });
    while (this.state.phase !== PHASE.over) {
      if (this.state.phase === PHASE.exchange) yield* this.exchangeStep();
      else yield* this.turnStep();
    }
    yield* this.finish();
    yield* this.score(round);
  }

  /** VERDICT, the totals, and the end of the game where it has come. */
  *score(round) {
    const { card, maxRounds } = this.genesis;
    const points = roundPoints(this.state, (slot) => this.deal.faces.get(slot));
    const totals = this.totals.map((total, seat) => total + points[seat]);
    yield* this.verdict(round, points, totals);
    this.totals = totals;
    this.noted.points = points;
    this.noted.totals = totals;
    const finished = this.record.rounds.filter((one) => one.points !== null).length;
    this.over = isOver(card, maxRounds, finished, totals, this.record.playing);
    if (this.over) this.record.winners = winners(card, totals, this.record.playing);
  }

  *keys() {
    const { deal } = this;
    yield* this.speak(this.present, [KIND.commit], (seat, body) => deal.commit(seat, bin(list(body, 1)[0], 32)));
    yield* this.speak(
      this.present,
      [KIND.open],
      (seat, body) => {
        const [key, seedHash, rho, proof] = list(body, 4);
        deal.open(seat, bin(key, 32), bin(seedHash, 32), bin(rho, 32), bin(proof, 64));
        this.counts.commitments += 1;
      },
      () => {
        const equals = deal.equalKeys();
        if (equals.length) return equals.map((seat) => ({ seat, fault: new Fault('open/equal-keys') }));
        return deal.join() ? [] : this.present.map((seat) => ({ seat, fault: new Fault('open/joint-key') }));
      },
    );
  }

  /** SHUFFLE of every seat, then READY: a new epoch. */
  *chain(ids) {
    const { deal } = this;
    deal.startEpoch(ids);
    for (const seat of this.present) {
      const read = (_, body) => {
        const [deck, proof] = list(body, 2);
        deal.shuffle(seat, this.step, bin(deck, 64 * ids.length), bin(proof, proofLength(ids.length)));
      };
      yield* this.speak([seat], [KIND.shuffle], read, () => (seat === this.present.at(-1) ? deal.finishChain() : []));
    }
    this.counts.shuffle_proofs += this.present.length;
    yield* this.speak(this.present, [KIND.ready], (_, body) => {
      need(equal(encode(body), encode([deal.epoch.rctx, deal.epoch.deckHash])), 'ready/deck');
    });
  }

  starter() {
    const { card } = this.genesis;
    const seats = this.present;
    const byChance = this.lastStarter === undefined || card.next_starter === 'random';
    if (byChance) return seats[Number(le(H('dz1/starter', this.deal.R)) % BigInt(seats.length))];
    return seats.find((seat) => seat > this.lastStarter) ?? seats[0];
  }

  /** DEAL: shares of every seat for every other hand and for the up-card. */
  *dealCards() {
    const { deal } = this;
    const { card, N } = this.genesis;
    const { seats } = deal;
    const n = seats.length;
    const h = card.hand_size;
    const handOf = (place) => Array.from({ length: place < 0 ? 0 : h }, (_, k) => slotNumber(0, k * n + place));
    const hands = this.everybody.map((seat) => handOf(seats.indexOf(seat)));
    const upCard = slotNumber(0, n * h);
    const read = (seat, body) => {
      const parts = list(body, n);
      const others = seats.filter((p) => p !== seat);
      const cut = (bytes, count) => pieces(bin(bytes, 32 * count), 32);
      const given = parts.map((part, i) => {
        const [shares, proof] = list(part, 2);
        return [cut(shares, i < n - 1 ? h : 1), bin(proof, 64)];
      });
      others.forEach((p, i) => deal.share(seat, PURPOSE.deal, p, hands[p], ...given[i]));
      deal.share(seat, PURPOSE.upCard, ALL, [upCard], ...given[n - 1]);
    };
    yield* this.speak(seats, [KIND.deal], read);
    deal.turnUp(upCard);
    this.lastStarter = this.starter();
    this.nextSlot = upCard + 1;
    this.state = newRound(card, {
      n: this.n, starter: this.lastStarter, hands, open: upCard, face: deal.faces.get(upCard), stock: N - n * h - 1,
    });
  }

  countMove(opens) {
    this.counts.moves += 1;
    this.counts.opened_cards += Deal.numbers(opens).length;
  }

  /** Check the opens of the mover and give what is known afterwards. */
  openFor(opens, expected) {
    const { deal, state } = this;
    const hand = state.hand[state.mover];
    deal.openSlots(state.mover, opens, expected, (slot) => hand.has(slot));
    const opened = new Set(Deal.numbers(opens));
    return (slot) => state.face.get(slot) ?? (opened.has(slot) ? deal.faces.get(slot) : undefined);
  }

  *exchangeStep() {
    const { state } = this;
    const { mover } = state;
    yield* this.speak([mover], [KIND.exchange], (_, body) => {
      const [slot, opensValue] = list(body, 2);
      const returned = readMaybeSlot(slot);
      const opens = readOpens(opensValue);
      const offered = state.openCard;
      exchange(state, returned, this.openFor(opens, exchangeOpens(state, returned)));
      this.countMove(opens);
      this.note({ type: 'exchange', seat: mover, offered, returned });
    });
  }

  /** DRAW or PLAY of the mover, and what follows from it up to the next thing the mover says. */
  *turnStep() {
    const { state } = this;
    const { mover } = state;
    let drawn = null;
    const challenged = [];
    yield* this.speak([mover], [KIND.draw, KIND.play], (_, body, kind) => {
      const read = kind === KIND.play ? this.readPlay(mover, body) : this.readDraw(body);
      challenged.push({ by: mover, value: read.challenge });
      drawn = read.outcome;
    });
    if (drawn !== null) yield* this.drawn(mover, drawn, challenged);
    else this.judge(challenged);
    while (state.owed.size > 0) yield* this.penaltyCard(Math.min(...state.owed));
    endStalemate(state);
  }

  /** R51: the card is the mover's when the DRAW has closed; challenges are judged on that, then the shares come. */
  *drawn(mover, outcome, challenged) {
    const { state } = this;
    if (outcome === 'ends') {
      state.phase = PHASE.over;
      this.note({ type: 'ends', seat: mover });
      return;
    }
    if (outcome === 'single') {
      this.note({ type: 'draw', seat: mover, slot: drawSingle(state), open: true });
      this.judge(challenged);
      return;
    }
    const ids = outcome === 'reshuffle' ? this.potBecomesStock(mover) : null;
    const slot = this.nextSlot;
    this.nextSlot += 1;
    drawStock(state, slot);
    this.judge(challenged);
    if (ids !== null) yield* this.chain(ids);
    yield* this.shares(mover, slot);
    this.note({ type: 'draw', seat: mover, slot, open: false });
  }

  /** The state of a reshuffle; returns the ids for the chain. */
  potBecomesStock(seat) {
    const ids = this.state.pot.map((slot) => this.deal.ids.get(slot)).sort((a, b) => a - b);
    reshuffle(this.state);
    this.nextSlot = slotNumber(this.deal.epoch.epoch + 1, 0);
    this.note({ type: 'reshuffle', seat });
    return ids;
  }

  /** R144. */
  judge(challenged) {
    for (const { by, value } of challenged) {
      if (value === 0 || !challenge(this.state, by, value - 1)) continue;
      this.note({ type: 'challenge', seat: by, challenged: value - 1 });
    }
  }

  /** R146. */
  *penaltyCard(seat) {
    const { state } = this;
    const outcome = penaltyOutcome(state);
    if (outcome === 'lapses') {
      state.owed.delete(seat);
      return;
    }
    if (outcome === 'single') {
      this.note({ type: 'penalty', seat, slot: takePenalty(state, seat), open: true });
      return;
    }
    const ids = outcome === 'reshuffle' ? this.potBecomesStock(seat) : null;
    const slot = this.nextSlot;
    this.nextSlot += 1;
    takePenalty(state, seat, slot);
    if (ids !== null) yield* this.chain(ids);
    yield* this.shares(seat, slot);
    this.note({ type: 'penalty', seat, slot, open: false });
  }

  readDraw(body) {
    const [epoch, index, challenged] = list(body, 3);
    const slot = slotNumber(uint(epoch, LIMIT.epoch), uint(index, LIMIT.index));
    uint(challenged, LIMIT.challenge);
    need(this.state.phase === PHASE.draw, 'rules/already_drawn');
    const outcome = drawOutcome(this.state);
    const named = { stock: this.nextSlot, single: this.state.pot[0] }[outcome];
    const expected = named ?? slotNumber(this.deal.epoch.epoch + 1, 0);
    need(slot === expected, 'draw/slot');
    return { outcome, challenge: challenged };
  }

  /** SHARES of all others for a slot of this recipient. */
  *shares(recipient, slot) {
    const others = this.present.filter((seat) => seat !== recipient);
    const challenged = [];
    yield* this.speak(others, [KIND.shares], (seat, body) => {
      const [share, proof, value] = list(body, 3);
      const given = [[bin(share, 32)], bin(proof, 64)];
      uint(value, LIMIT.challenge);
      this.deal.share(seat, PURPOSE.draw, recipient, [slot], ...given);
      challenged.push({ by: seat, value });
    });
    this.judge(challenged);
  }

  readPlay(mover, body) {
    const { state } = this;
    const [actValue, opensValue, challenged] = list(body, 3);
    const act = readAct(actValue);
    const opens = readOpens(opensValue);
    uint(challenged, LIMIT.challenge);
    const known = this.openFor(opens, playOpens(state, act));
    play(state, act, known);
    this.countMove(opens);
    this.note({ type: 'play', seat: mover, act });
    return { outcome: null, challenge: challenged };
  }

  /** END, SHOW, AUDIT. */
  *finish() {
    const { deal, state } = this;
    yield* this.speak(this.present, [KIND.end], (_, body) => {
      need(equal(encode(body), encode([deal.epoch.rctx])), 'end/context');
    });
    yield* this.speak(this.present, [KIND.show], (seat, body) => {
      const opens = readOpens(list(body, 1)[0]);
      const hidden = [...state.hand[seat]].filter((slot) => !state.face.has(slot));
      deal.openSlots(seat, opens, hidden, (slot) => state.hand[seat].has(slot));
      this.counts.opened_cards += hidden.length;
    });
    this.note({ type: 'show' });
    yield* this.audit();
  }

  /** AUDIT: seeds are judged when all are there. */
  *audit() {
    const step = this.step;
    const seeds = new Map();
    yield* this.speak(this.present, [KIND.audit], (seat, body) => seeds.set(seat, bin(list(body, 1)[0], 32)));
    this.step = step;
    const failed = [];
    for (const [seat, seed] of seeds) {
      try {
        yield* this.deal.audit(seat, seed);
      } catch (fault) {
        if (!(fault instanceof Fault)) throw fault;
        failed.push({ seat, fault });
      }
    }
    this.closeStep(failed);
  }

  *verdict(round, points, totals) {
    const verdicts = Uint8Array.from(this.everybody, (seat) => (this.named.includes(seat) ? NOT_PLAYING : 0));
    const expected = [verdicts, scoreHash(round, points, totals)];
    yield* this.speak(this.present, [KIND.verdict], (_, body) => {
      need(equal(encode(body), encode(expected)), 'verdict/differs');
    });
  }

  addCounts() {
    if (!this.deal) return;
    this.counts.shares += this.deal.counts.shares;
    this.counts.audited_shuffles += this.deal.counts.audited_shuffles;
    this.deal.counts = { shares: 0, audited_shuffles: 0 };
  }

  /** Note a move and the position after it. */
  note(move) {
    const { state } = this;
    this.noted.moves.push({
      ...move,
      step: this.step,
      mover: state.mover,
      hands: state.hand.map((hand) => [...hand]),
      melds: state.melds.map(({ owner, kind, cards }) => ({ owner, kind, cards: [...cards] })),
      pot: [...state.pot],
      openCard: state.openCard,
      stock: state.stock,
      out: state.out,
    });
  }
}
