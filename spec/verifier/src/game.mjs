/**
 * The course of a game: which entry stands next, and what its body must be (20-crypto 5.7, 30-wire 4).
 *
 * A game is a coroutine. It yields what it expects, `{step, seat, kinds}`, and is resumed with `{kind, body}` of an entry
 * whose signature, place and head hold; it throws a Fault without seat and step when the content is bad (the driver fills
 * in who spoke), and returns when the game is over. `{working}` is yielded within long work. What happened is noted in
 * `game.record` for people: rounds with the position after every move.
 */
import { equal, le } from './bytes.mjs';
import { Deal, slotNumber } from './deal.mjs';
import { KIND, bin, list, readAct, readMaybeSlot, readOpens, text, uint } from './entry.mjs';
import { need } from './fault.mjs';
import { H } from './hashing.mjs';
import { play, playOpens } from './play.mjs';
import { ALL, PURPOSE } from './proofs.mjs';
import {
  PHASE, drawOutcome, drawSingle, drawStock, exchange, exchangeOpens, newRound, reshuffle,
} from './rules.mjs';
import { isOver, roundPoints, scoreHash, winners } from './scores.mjs';

export class Game {
  constructor(genesis) {
    this.genesis = genesis;
    this.n = genesis.n;
    this.step = 0;
    this.totals = Array(this.n).fill(0);
    this.counts = { commitments: 0, shuffle_proofs: 0, shares: 0, opened_cards: 0, moves: 0, audited_shuffles: 0 };
    this.record = { rounds: [], totals: null, winners: null };
    this.everybody = Array.from({ length: this.n }, (_, seat) => seat);
  }

  /** A step in which these seats speak, ascending; `read(seat, body, kind)` checks each entry as it comes. */
  *speak(seats, kinds, read) {
    for (const seat of seats) {
      const { kind, body } = yield { step: this.step, seat, kinds };
      read(seat, body, kind);
    }
    this.step += 1;
  }

  *run() {
    yield* this.speak(this.everybody, [KIND.seat], (seat, body) => this.readSeat(seat, body));
    for (let round = 1; ; round++) {
      const points = yield* this.round(round);
      this.totals = this.totals.map((total, seat) => total + points[seat]);
      yield* this.verdict(round, points);
      this.record.rounds.at(-1).points = points;
      this.record.totals = this.totals;
      if (!isOver(this.genesis.card, this.genesis.maxRounds, round, this.totals)) continue;
      this.record.winners = winners(this.genesis.card, this.totals);
      return;
    }
  }

  readSeat(seat, body) {
    const [version, key, name, rules] = list(body, 4);
    const player = this.genesis.seats[seat];
    const same =
      uint(version) === 1 && equal(bin(key, 32), player.keyBytes) && text(name) === player.name &&
      equal(bin(rules, 32), this.genesis.rulesHash);
    need(same, 'seat/roster');
  }

  /** One round up to AUDIT; returns the points of every seat. */
  *round(round) {
    this.deal = new Deal(this.genesis, round);
    this.noted = { round, moves: [], faces: this.deal.faces, ids: this.deal.ids, points: null };
    yield* this.keys();
    const { N } = this.genesis;
    yield* this.chain(Array.from({ length: N }, (_, id) => id));
    yield* this.dealCards();
    this.record.rounds.push(this.noted);
    this.note({ type: 'deal' });
    while (this.state.phase !== PHASE.over) {
      if (this.state.phase === PHASE.exchange) yield* this.exchangeStep();
      else yield* this.turnStep();
    }
    yield* this.finish();
    this.addCounts();
    return roundPoints(this.state, (slot) => this.deal.faces.get(slot));
  }

  *keys() {
    const { deal } = this;
    yield* this.speak(this.everybody, [KIND.commit], (_, body) => deal.commit(bin(list(body, 1)[0], 32)));
    yield* this.speak(this.everybody, [KIND.open], (seat, body) => {
      const [key, seedHash, rho, proof] = list(body, 4);
      deal.open(seat, bin(key, 32), bin(seedHash, 32), bin(rho, 32), bin(proof, 64));
      this.counts.commitments += 1;
      if (seat === this.n - 1) deal.join();
    });
  }

  /** SHUFFLE of every seat, then READY: a new epoch. */
  *chain(ids) {
    const { deal } = this;
    deal.startEpoch(ids);
    for (const seat of this.everybody) {
      yield* this.speak([seat], [KIND.shuffle], (_, body) => {
        const [deck, proof] = list(body, 2);
        deal.shuffle(seat, this.step, bin(deck), bin(proof));
        if (seat < this.n - 1) return;
        deal.finishChain();
        this.counts.shuffle_proofs += this.n;
      });
    }
    yield* this.speak(this.everybody, [KIND.ready], (_, body) => {
      const [rctx, hash] = list(body, 2);
      bin(rctx, 32);
      bin(hash, 32);
      need(equal(rctx, deal.epoch.rctx), 'ready/context');
      need(equal(hash, deal.epoch.deckHash), 'ready/deck');
    });
  }

  starter() {
    const { card } = this.genesis;
    const random = Number(le(H('dz1/starter', this.deal.R)) % BigInt(this.n));
    if (this.lastStarter === undefined || card.next_starter === 'random') return random;
    return (this.lastStarter + 1) % this.n;
  }

  /** DEAL: shares of every seat for every other hand and for the up-card. */
  *dealCards() {
    const { deal, n } = this;
    const { card, N } = this.genesis;
    const h = card.hand_size;
    const hands = this.everybody.map((p) => Array.from({ length: h }, (_, k) => slotNumber(0, k * n + p)));
    const upCard = slotNumber(0, n * h);
    yield* this.speak(this.everybody, [KIND.deal], (seat, body) => {
      const parts = list(body, n).map((part) => list(part, 2));
      const others = this.everybody.filter((p) => p !== seat);
      others.forEach((p, i) => {
        bin(parts[i][0], 32 * h);
        bin(parts[i][1], 64);
      });
      bin(parts[n - 1][0], 32);
      bin(parts[n - 1][1], 64);
      const cut = (bytes) => Array.from({ length: bytes.length / 32 }, (_, k) => bytes.subarray(32 * k, 32 * k + 32));
      others.forEach((p, i) => deal.share(seat, PURPOSE.deal, p, hands[p], cut(parts[i][0]), parts[i][1]));
      deal.share(seat, PURPOSE.upCard, ALL, [upCard], [parts[n - 1][0]], parts[n - 1][1]);
      if (seat === n - 1) deal.turnUp(upCard);
    });
    this.lastStarter = this.starter();
    this.nextSlot = upCard + 1;
    this.state = newRound(card, {
      n, starter: this.lastStarter, hands, open: upCard, face: deal.faces.get(upCard), stock: N - n * h - 1,
    });
  }

  /** Check the opens of the mover and give what is known afterwards. */
  openFor(opens, expected) {
    const { deal, state } = this;
    const hand = state.hand[state.mover];
    deal.openSlots(state.mover, opens, expected, (slot) => hand.has(slot) && !state.face.has(slot));
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
      this.counts.moves += 1;
      this.note({ type: 'exchange', seat: mover, offered, returned });
    });
  }

  /** DRAW or PLAY of the mover, and what a DRAW brings about. */
  *turnStep() {
    const { state } = this;
    const { mover } = state;
    const kinds = state.phase === PHASE.draw ? [KIND.draw, KIND.play] : [KIND.play];
    let drawn = null;
    yield* this.speak([mover], kinds, (_, body, kind) => {
      if (kind === KIND.play) this.readPlay(mover, body);
      else drawn = this.readDraw(body);
    });
    if (drawn === null) return;
    if (drawn === 'reshuffle') {
      const ids = state.pot.map((slot) => this.deal.ids.get(slot)).sort((a, b) => a - b);
      reshuffle(state);
      yield* this.chain(ids);
      this.nextSlot = slotNumber(this.deal.epoch.epoch, 0);
      this.note({ type: 'reshuffle', seat: mover });
    }
    if (drawn === 'ends') {
      state.phase = PHASE.over;
      this.note({ type: 'ends', seat: mover });
    } else if (drawn === 'single') {
      this.note({ type: 'draw', seat: mover, slot: drawSingle(state), open: true });
    } else {
      yield* this.shares(mover);
    }
  }

  readChallenge(value) {
    uint(value, this.n);
  }

  readDraw(body) {
    const { state } = this;
    const [epoch, index, challenge] = list(body, 3);
    uint(epoch, 255);
    uint(index, 0xffff);
    this.readChallenge(challenge);
    const outcome = drawOutcome(state);
    const named = { stock: this.nextSlot, single: state.pot[0] }[outcome];
    const expected = named ?? slotNumber(this.deal.epoch.epoch + 1, 0);
    need(slotNumber(epoch, index) === expected, 'draw/slot');
    return outcome;
  }

  *shares(mover) {
    const slot = this.nextSlot;
    const others = this.everybody.filter((seat) => seat !== mover);
    yield* this.speak(others, [KIND.shares], (seat, body) => {
      const [share, proof, challenge] = list(body, 3);
      bin(share, 32);
      bin(proof, 64);
      this.readChallenge(challenge);
      this.deal.share(seat, PURPOSE.draw, mover, [slot], [share], proof);
    });
    this.nextSlot += 1;
    drawStock(this.state, slot);
    this.note({ type: 'draw', seat: mover, slot, open: false });
  }

  readPlay(mover, body) {
    const { state } = this;
    const [actValue, opensValue, challenge] = list(body, 3);
    const act = readAct(actValue);
    const opens = readOpens(opensValue);
    this.readChallenge(challenge);
    const known = this.openFor(opens, playOpens(state, act));
    play(state, act, known);
    this.counts.moves += 1;
    this.note({ type: 'play', seat: mover, act });
  }

  /** END, SHOW, AUDIT. */
  *finish() {
    const { deal, state } = this;
    yield* this.speak(this.everybody, [KIND.end], (_, body) => {
      need(equal(bin(list(body, 1)[0], 32), deal.epoch.rctx), 'end/context');
    });
    yield* this.speak(this.everybody, [KIND.show], (seat, body) => {
      const opens = readOpens(list(body, 1)[0]);
      const hidden = [...state.hand[seat]].filter((slot) => !state.face.has(slot));
      deal.openSlots(seat, opens, hidden, (slot) => hidden.includes(slot));
    });
    this.note({ type: 'show' });
    const seeds = [];
    const step = this.step;
    yield* this.speak(this.everybody, [KIND.audit], (_, body) => seeds.push(bin(list(body, 1)[0], 32)));
    for (const work of deal.audit(seeds, step)) {
      yield { working: work };
      this.counts.audited_shuffles += 1;
    }
  }

  *verdict(round, points) {
    const hash = scoreHash(round, points, this.totals);
    yield* this.speak(this.everybody, [KIND.verdict], (_, body) => {
      const [verdicts, score] = list(body, 2);
      bin(verdicts, this.n);
      bin(score, 32);
      need(verdicts.every((one) => one === 0) && equal(score, hash), 'verdict/differs');
    });
  }

  addCounts() {
    this.counts.shares += this.deal.counts.shares;
    this.counts.opened_cards += this.deal.counts.opened_cards;
    this.deal.counts = { shares: 0, opened_cards: 0 };
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

