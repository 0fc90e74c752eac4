/** The replay: every position of a round with all hands open, the melds, the pot, and what was done. */
import { JOKER, QUEEN_OF_SPADES, rankOf, suitOf } from '../src/cards.mjs';
import { el } from './dom.mjs';
import { fill } from './texts.mjs';

const SYMBOLS = ['♠', '♥', '♦', '♣'];

/** `V♠`, `joker`, `?`. */
export function cardText(texts, face) {
  if (face === undefined) return '?';
  if (face === JOKER) return texts.joker;
  if (face >= 64) return texts.ranks[face - 64];
  return texts.ranks[rankOf(face)] + SYMBOLS[suitOf(face)];
}

function cardName(texts, face) {
  if (face === undefined) return '?';
  if (face >= JOKER) return cardText(texts, face);
  return `${texts.suits[suitOf(face)]} ${texts.ranks[rankOf(face)]}`;
}

/** One card; a joker shows small what it stands for. */
function cardView(texts, face, { as, marked } = {}) {
  const red = face < JOKER && [1, 2].includes(suitOf(face));
  const kind = face === undefined ? 'back' : face === JOKER ? 'joker' : red ? 'red' : 'black';
  const queen = face === QUEEN_OF_SPADES ? ' queen' : '';
  const stands = as === undefined || as === face ? null : el('small', {}, cardText(texts, as));
  const label = stands ? `${cardName(texts, face)} (${cardName(texts, as)})` : cardName(texts, face);
  const shown = face === JOKER ? '★' : cardText(texts, face);
  return el('span', { class: `card ${kind}${queen}${marked ? ' marked' : ''}`, role: 'img', 'aria-label': label }, shown, stands);
}

/** What a move was, as a sentence. */
function describe(texts, names, faces, move, before) {
  const { moves } = texts;
  const card = (slot) => cardText(texts, faces.get(slot));
  const cards = (list) => list.map(({ slot }) => card(slot)).join(' ');
  const name = names[move.seat];
  switch (move.type) {
    case 'deal': return fill(moves.deal, names[move.mover]);
    case 'draw': return fill(move.open ? moves.drawOpen : moves.draw, name, card(move.slot));
    case 'penalty': return fill(moves.penalty, name, card(move.slot));
    case 'challenge': return fill(moves.challenge, name, names[move.challenged]);
    case 'exchange': return move.returned === null ? fill(moves.decline, name) : fill(moves.exchange, name, card(move.returned), card(move.offered));
    case 'play': {
      const { act } = move;
      const parts = [];
      if (act.takePot) parts.push(fill(moves.takePot, fill(texts.cards, before.pot.length)));
      for (const step of act.steps) {
        if (step.type === 'swap') parts.push(fill(moves.swap, card(step.slot)));
        else parts.push(fill(moves[step.type], cards(step.cards)));
      }
      if (act.call) parts.push(moves.call);
      if (act.discard !== null) parts.push(fill(moves.discard, card(act.discard)));
      if (move.out === move.seat) parts.push(moves.out);
      return `${name} ${parts.join(', ')}.`;
    }
    default: return fill(moves[move.type], name);
  }
}

/** Slots in the order in which people sort a hand. */
function sorted(slots, faces) {
  const key = (slot) => {
    const face = faces.get(slot);
    return face === undefined ? 99 : face;
  };
  return [...slots].sort((a, b) => key(a) - key(b) || a - b);
}

function seatView(texts, name, move, seat, faces, before) {
  const had = new Set(before?.hands[seat] ?? []);
  const hand = sorted(move.hands[seat], faces).map((slot) =>
    cardView(texts, faces.get(slot), { marked: before !== null && !had.has(slot) }),
  );
  const own = move.melds.filter(({ owner }) => owner === seat);
  const melds = own.map(({ cards }) =>
    el('span', { class: 'meld' }, cards.map(({ face, as }) => cardView(texts, face, { as }))),
  );
  const turn = move.seat === seat ? ' turn' : '';
  return el(
    'section',
    { class: `seat${turn}` },
    el('h4', {}, name, el('small', {}, ` ${fill(texts.cards, move.hands[seat].length)}`)),
    el('div', { class: 'cards', role: 'group', 'aria-label': `${texts.hand} ${name}` }, hand.length ? hand : texts.nothing),
    melds.length ? el('div', { class: 'melds', role: 'group', 'aria-label': texts.melds }, melds) : null,
  );
}

function middleView(texts, move, faces) {
  const pot = move.pot.map((slot) => cardView(texts, faces.get(slot)));
  return el(
    'section',
    { class: 'middle' },
    el('div', {}, el('b', {}, texts.stock), ` ${fill(texts.cards, move.stock)}`),
    move.openCard === null ? null : el('div', {}, el('b', {}, texts.openCard), ' ', cardView(texts, faces.get(move.openCard))),
    el('div', {}, el('b', {}, texts.pot), ` ${fill(texts.cards, move.pot.length)}`),
    el('div', { class: 'cards' }, pot),
  );
}

/** The replay of all rounds that were dealt. */
export function replayView(texts, report) {
  const rounds = report.record.rounds.filter(({ moves }) => moves.length > 0);
  if (rounds.length === 0) return null;
  let round = rounds[0];
  let at = 0;
  let timer = null;
  const board = el('div', { class: 'board' });
  const caption = el('p', { class: 'caption', 'aria-live': 'polite' });
  const slider = el('input', { type: 'range', min: 0, 'aria-label': texts.replay, oninput: () => go(Number(slider.value)) });
  const where = el('span', { class: 'where' });
  const playButton = el('button', { type: 'button', onclick: () => (timer ? stop() : start()) }, texts.play);

  function stop() {
    clearInterval(timer);
    timer = null;
    playButton.textContent = texts.play;
  }

  function start() {
    if (at === round.moves.length - 1) go(0);
    playButton.textContent = texts.pause;
    timer = setInterval(() => (at < round.moves.length - 1 ? go(at + 1) : stop()), 1200);
  }

  function go(index) {
    at = Math.max(0, Math.min(index, round.moves.length - 1));
    const move = round.moves[at];
    const before = at > 0 ? round.moves[at - 1] : null;
    slider.max = round.moves.length - 1;
    slider.value = at;
    where.textContent = fill(texts.position, at + 1, round.moves.length);
    caption.textContent = describe(texts, report.players, round.faces, move, before);
    board.replaceChildren(
      middleView(texts, move, round.faces),
      ...report.players.map((name, seat) => seatView(texts, name, move, seat, round.faces, before)),
    );
  }

  const choose = el(
    'select',
    { 'aria-label': fill(texts.round, ''), onchange: () => { stop(); round = rounds[Number(choose.value)]; go(0); } },
    rounds.map((one, i) => el('option', { value: i }, fill(texts.round, one.round))),
  );
  const step = (by, label) => el('button', { type: 'button', onclick: () => { stop(); go(at + by); } }, label);
  go(0);
  return el(
    'section',
    { class: 'panel' },
    el('h2', {}, texts.replay),
    el('div', { class: 'controls' }, choose, step(-1, texts.previous), playButton, step(1, texts.next), where),
    slider,
    caption,
    board,
  );
}
