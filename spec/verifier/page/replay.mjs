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
    el('h3', {}, name, el('small', {}, ` ${fill(texts.cards, move.hands[seat].length)}`)),
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

/** Where the turn before or after this position begins; the last or first position where there is none. */
function turnFrom(moves, at, by) {
  let to = at + by;
  while (to > 0 && to < moves.length - 1 && moves[to].seat === moves[to - 1].seat) to += by;
  return to;
}

/** The replay of all rounds that were dealt. `watching` {round, at, stop} keeps the place, and stops what plays by itself. */
export function replayView(texts, report, watching) {
  const rounds = report.record.rounds.filter(({ moves }) => moves.length > 0);
  if (rounds.length === 0) return null;
  let timer = null;
  const moves = () => rounds[watching.round].moves;
  const board = el('div', { class: 'board' });
  const caption = el('p', { class: 'caption', 'aria-live': 'polite' });
  const slider = el('input', { type: 'range', min: 0, 'aria-label': texts.replay, oninput: () => goBy(Number(slider.value)) });
  const where = el('span', { class: 'where' });
  const playButton = el('button', { type: 'button', onclick: () => (timer ? watching.stop() : start()) }, texts.play);

  watching.stop = () => {
    clearInterval(timer);
    timer = null;
    playButton.textContent = texts.play;
  };

  function start() {
    if (watching.at === moves().length - 1) go(0);
    playButton.textContent = texts.pause;
    timer = setInterval(() => (watching.at < moves().length - 1 ? go(watching.at + 1) : watching.stop()), 1200);
  }

  function go(index) {
    const at = Math.max(0, Math.min(index, moves().length - 1));
    watching.at = at;
    const { faces, seats } = rounds[watching.round];
    const move = moves()[at];
    const before = at > 0 ? moves()[at - 1] : null;
    slider.max = moves().length - 1;
    slider.value = at;
    where.textContent = fill(texts.position, at + 1, moves().length);
    caption.textContent = describe(texts, report.players, faces, move, before);
    slider.setAttribute('aria-valuetext', `${where.textContent}. ${caption.textContent}`);
    board.replaceChildren(
      middleView(texts, move, faces),
      ...seats.map((seat) => seatView(texts, report.players[seat], move, seat, faces, before)),
    );
  }

  /** Go where a person asks to. */
  function goBy(index) {
    watching.stop();
    go(index);
  }

  const choose = el(
    'select',
    { 'aria-label': texts.whichRound, onchange: () => { watching.round = Number(choose.value); goBy(0); } },
    rounds.map((one, i) => el('option', { value: i, selected: i === watching.round }, fill(texts.round, one.round))),
  );
  const button = (label, to) => el('button', { type: 'button', onclick: () => goBy(to(watching.at)) }, label);
  go(watching.at);
  return el(
    'section',
    { class: 'panel replay' },
    el('h2', {}, texts.replay),
    el('div', { class: 'controls' }, choose, playButton, where),
    el(
      'div',
      { class: 'controls' },
      button(`« ${texts.previousTurn}`, (at) => turnFrom(moves(), at, -1)),
      button(`‹ ${texts.previous}`, (at) => at - 1),
      button(`${texts.next} ›`, (at) => at + 1),
      button(`${texts.nextTurn} »`, (at) => turnFrom(moves(), at, 1)),
    ),
    slider,
    caption,
    board,
  );
}
