/**
 * A PLAY as a whole (10-rules 11, 12, 14 to 18): the slots it must open, and its checks in the order of R61.
 *
 * An act is {takePot, steps, discard, call, shown}; steps are {type: 'lay', cards}, {type: 'layoff', meld, side, cards} or
 * {type: 'swap', meld, position, slot}; cards are {slot, declared}. `known(slot)` is the face of a slot that is public or
 * opened by this entry, else undefined.
 */
import { QUEEN_OF_SPADES, isWild, points } from './cards.mjs';
import { need } from './fault.mjs';
import { laidOff, newMeld, swapFits } from './melds.mjs';
import { PHASE, endTurn } from './rules.mjs';

const usedBy = (steps) => steps.flatMap((step) => (step.type === 'swap' ? [step.slot] : step.cards.map(({ slot }) => slot)));

/** Every slot that an act names, in the order of the act. */
function slotsOf(act) {
  return [...usedBy(act.steps), ...(act.discard === null ? [] : [act.discard]), ...act.shown];
}

/** R60: the hidden slots of the mover's hand that the act uses or shows. */
export function playOpens(state, act) {
  const hand = state.hand[state.mover];
  return [...new Set(slotsOf(act))].filter((slot) => hand.has(slot) && !state.face.has(slot));
}

class Play {
  constructor(state, act, known) {
    Object.assign(this, { state, act, known, card: state.card, mover: state.mover, hand: state.hand[state.mover] });
    this.potTop = null;
    this.potSlots = new Set();
    this.opening = [];
    this.gotDown = false;
  }

  run() {
    const { state, act, card } = this;
    need(!act.takePot || (state.phase !== PHASE.play && !state.stockOnly), 'rules/already_drawn');
    const ofPot = !act.takePot && state.phase === PHASE.draw && usedBy(act.steps).some((slot) => state.pot.includes(slot));
    need(!ofPot, 'rules/pot_whole_pile');
    need(act.takePot || state.phase === PHASE.play, 'rules/must_draw_first');
    const laid = act.steps.reduce((sum, step) => sum + (step.type === 'swap' ? 0 : step.cards.length), 0);
    const held = this.hand.size + (act.takePot ? state.pot.length : 0);
    this.goesOut = held - laid - (act.discard === null ? 0 : 1) === 0;
    if (act.takePot) this.takePot();
    need(!act.call || card.last_card_call !== 'none', 'rules/no_offence');
    for (const step of act.steps) this.step(step);
    this.judgeOpening();
    this.checkLeft();
    this.discard();
    endTurn(state, { discard: act.discard, laid: act.steps.length > 0, called: act.call });
  }

  /** R70 to R72. */
  takePot() {
    const { state, card, hand } = this;
    need(state.pot.length > 0, 'rules/pot_empty');
    need(!card.pot_requires_being_down || state.down[this.mover], 'rules/not_down');
    need(hand.size >= card.pot_min_hand, 'rules/pot_min_hand');
    const free = card.pot_first_turn_free && state.turns.every((turns) => turns === 0);
    if (card.pot_top_card_must_be_melded && !free) this.meldTop();
    this.potSlots = new Set(state.pot);
    this.potTop = state.pot.at(-1);
    state.drawn = { source: 'pot', slots: state.pot };
    for (const slot of state.pot) hand.add(slot);
    state.pot = [];
    state.phase = PHASE.play;
  }

  /** R71: the first step uses the top card. */
  meldTop() {
    const { state, card, hand, known } = this;
    const top = state.pot.at(-1);
    const step = this.act.steps[0];
    const uses = step && step.type !== 'swap' && step.cards.some(({ slot }) => slot === top);
    if (uses && step.type === 'layoff') {
      need(card.pot_layoff_suffices, 'rules/pot_no_layoff');
      const meld = state.melds[step.meld];
      need(!meld || meld.owner === this.mover, 'rules/not_own_meld');
      return;
    }
    need(uses, 'rules/pot_top_must_meld');
    const slots = step.cards.map(({ slot }) => slot);
    need(!slots.some((slot) => this.lies(slot)), 'rules/table_fixed');
    const there = (slot) => known(slot) !== undefined && (hand.has(slot) || state.pot.includes(slot));
    need(slots.every(there), 'rules/card_not_in_hand');
    const own = slots.filter((slot) => hand.has(slot)).length;
    need(own >= card.pot_needs_hand_cards, 'rules/pot_needs_two_hand_cards');
    const others = slots.some((slot) => slot !== top && state.pot.includes(slot));
    need(!others || card.pot_other_pile_cards_in_first_meld, 'rules/pot_other_cards');
  }

  lies(slot) {
    return this.state.melds.some(({ cards }) => cards.some((card) => card.slot === slot));
  }

  /** R62: a slot out of the hand. */
  take(slot) {
    need(!this.lies(slot), 'rules/table_fixed');
    need(this.hand.has(slot) && this.known(slot) !== undefined, 'rules/card_not_in_hand');
    this.hand.delete(slot);
    this.state.face.set(slot, this.known(slot));
    return this.known(slot);
  }

  takeAll(cards) {
    return cards.map(({ slot, declared }) => ({ slot, declared, face: this.take(slot) }));
  }

  /** R63: the rest of the pot may have to wait. */
  checkRest(slots) {
    const locked = !this.card.pot_rest_same_turn && slots.some((s) => this.potSlots.has(s) && s !== this.potTop);
    need(!locked, 'rules/pot_rest_locked');
  }

  step(step) {
    if (step.type === 'lay') {
      this.lay(step);
      return;
    }
    this.judgeOpening();
    const meld = this.state.melds[step.meld];
    need(meld !== undefined, 'rules/no_such_meld');
    if (step.type === 'layoff') this.layOff(step, meld);
    else this.swap(step, meld);
  }

  /** R85. */
  lay({ cards }) {
    const { state, card, mover } = this;
    const given = this.takeAll(cards);
    this.checkRest(cards.map(({ slot }) => slot));
    const meld = newMeld(card, mover, given);
    const second = this.gotDown || this.opening.length > 0;
    need(!card.opening_single_set_of_three || !second, 'rules/opening_single_set');
    state.melds.push(meld);
    if (!state.down[mover]) this.opening.push(meld);
  }

  /** R86: the opening, once its last meld lies. */
  judgeOpening() {
    if (this.opening.length === 0) return;
    const { card, opening } = this;
    const single = opening.length === 1 && opening[0].cards.length === 3;
    need(!card.opening_single_set_of_three || single, 'rules/opening_single_set');
    const waived = card.going_out_waives_minimum && this.goesOut;
    if (card.opening_minimum > 0 && !waived) this.checkMinimum();
    this.opening = [];
    this.gotDown = true;
    this.state.down[this.mover] = true;
  }

  checkMinimum() {
    const { card } = this;
    const topOnly = this.act.takePot && card.pot_opening_counts === 'top_and_hand';
    const hasRest = ({ cards }) => cards.some(({ slot }) => this.potSlots.has(slot) && slot !== this.potTop);
    const seen = this.opening.filter((meld) => !topOnly || !hasRest(meld));
    const counted = seen.filter(
      ({ cards }) => card.opening_joker === 'allowed' || cards.every(({ wild }) => !wild),
    );
    const reaches = (melds) => {
      const values = melds.map(({ cards }) => cards.reduce((sum, { face }) => sum + points(card, face), 0));
      const total = card.opening_several_melds
        ? values.reduce((sum, value) => sum + value, 0)
        : Math.max(0, ...values);
      return total >= card.opening_minimum;
    };
    if (reaches(counted)) return;
    need(!reaches(seen), 'rules/opening_joker');
    need(false, 'rules/below_opening_minimum');
  }

  isTeamMate(seat) {
    return seat !== this.mover && this.state.team[seat] === this.state.team[this.mover];
  }

  /** R90. */
  layOff({ side, cards }, meld) {
    const { state, card, mover } = this;
    const given = this.takeAll(cards);
    this.checkRest(cards.map(({ slot }) => slot));
    const ours = meld.owner === mover || (card.team_layoff && this.isTeamMate(meld.owner));
    need(ours || card.layoff_scope === 'any', 'rules/not_own_meld');
    need(!card.layoff_requires_being_down || state.down[mover], 'rules/not_down');
    if (this.gotDown) {
      need(!card.opening_single_set_of_three, 'rules/opening_single_set');
      need(card.layoff_same_turn_as_opening, 'rules/layoff_opening_turn');
    }
    need(given.length <= (card.layoff_cards_per_action ?? Infinity), 'rules/layoff_too_many');
    need(card.layoff_joker || given.every(({ face }) => !isWild(card, face)), 'rules/layoff_joker');
    need(given.length > 0, 'rules/does_not_fit');
    meld.cards = laidOff(card, meld, side, given);
  }

  /** R95. */
  swap({ position, slot }, meld) {
    const { state, card, mover, hand } = this;
    const ours = meld.owner === mover || this.isTeamMate(meld.owner);
    need(card.joker_swap, 'rules/swap_not_allowed');
    need(ours || card.joker_swap_opponent, 'rules/swap_not_allowed_opponent');
    need(!card.joker_swap_requires_being_down || state.down[mover], 'rules/not_down');
    const face = this.take(slot);
    this.checkRest([slot]);
    const joker = meld.cards[position];
    need(joker?.wild, 'rules/swap_mismatch');
    need(!isWild(card, face) && swapFits(card, meld, joker, face), 'rules/swap_mismatch');
    if (face === QUEEN_OF_SPADES) {
      need(ours || card.queen_swap_opponent_joker, 'rules/queen_swap_opponent');
      need(!ours || card.queen_swap_own_joker, 'rules/queen_swap_own');
    }
    meld.cards = meld.cards.map((one) => (one === joker ? { ...one, slot, face, wild: false, as: face } : one));
    hand.add(joker.slot);
  }

  /** R100: the code that bars going out in this turn, or null. */
  barred() {
    const { card, state, mover } = this;
    if (state.turns[mover] === 0 && !card.going_out_first_turn) return 'rules/no_going_out_first_turn';
    if (this.gotDown && !card.going_out_opening_turn) return 'rules/no_going_out_opening_turn';
    return null;
  }

  /** R102: whether the queen of spades in this slot may go as the last card. */
  queenMayGo(slot) {
    const { card, state } = this;
    if (card.queen_discard === 'last_card') return true;
    if (card.queen_discard !== 'last_card_drawn_this_turn') return false;
    const { source, slots } = state.drawn;
    return slots.includes(slot) && (card.queen_drawn_source === 'any' || source === 'stock');
  }

  /** R101: what lays and lay-offs must leave. */
  checkLeft() {
    const { card, hand, known } = this;
    if (this.act.steps.every((step) => step.type === 'swap')) return;
    const left = [...hand];
    if (left.length < 2 && this.barred()) need(false, this.barred());
    if (left.length === 0) {
      need(!card.discard_required_to_go_out, 'rules/must_keep_discard');
      return;
    }
    if (!left.every((slot) => known(slot) === QUEEN_OF_SPADES)) return;
    const one = left.length === 1 && card.laying_may_leave_only_queens === 'one_if_discardable';
    need(one && this.queenMayGo(left[0]), 'rules/only_queen_left');
  }

  /** R107: the objection to discarding a slot, or null. */
  objection(slot, last) {
    const { card, state, known } = this;
    const face = known(slot);
    if (face === QUEEN_OF_SPADES && !(last && this.queenMayGo(slot))) return 'queen_discard';
    if (!card.discard_joker_allowed && isWild(card, face)) return 'discard_joker';
    if (!card.discard_card_just_taken_allowed && state.drawn.slots.includes(slot)) return 'discard_just_taken';
    return null;
  }

  /** R105 to R110. */
  discard() {
    const { act, hand, known } = this;
    if (act.discard === null) {
      need(hand.size === 0, 'rules/discard_required');
      need(act.shown.length === 0, 'rules/card_not_in_hand');
      return;
    }
    this.take(act.discard);
    const shown = new Set();
    for (const slot of act.shown) {
      const fine = hand.has(slot) && known(slot) !== undefined && !shown.has(slot);
      need(fine, 'rules/card_not_in_hand');
      shown.add(slot);
      this.state.face.set(slot, known(slot));
    }
    const rest = [...hand];
    const objection = this.objection(act.discard, rest.length === 0);
    if (objection !== null) need(this.isForced(objection, rest), `rules/${objection}`);
    if (rest.length === 0 && this.barred()) need(false, this.barred());
    need(objection !== null || act.shown.length === 0, 'rules/card_not_in_hand');
  }

  /** R108. */
  isForced(objection, rest) {
    const { card, known } = this;
    if (objection === 'queen_discard') {
      const queens = rest.every((slot) => known(slot) === QUEEN_OF_SPADES);
      return card.queen_discard_two_queens && rest.length > 0 && queens;
    }
    return rest.every((slot) => known(slot) !== undefined && this.objection(slot, false) !== null);
  }
}

/** Apply a PLAY of the mover to the state; throws the code of the first rule that it breaks. */
export function play(state, act, known) {
  new Play(state, act, known).run();
}
