/** The rules against the examples of 10-rules: what is a meld, what a lay-off does, what a rule card may say. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ascii } from '../src/bytes.mjs';
import { faceFromName, faceName } from '../src/cards.mjs';
import { Fault } from '../src/fault.mjs';
import { laidOff, newMeld, swapFits } from '../src/melds.mjs';
import { BadRuleCard, SETTINGS, readRuleCard, seatingProblem } from '../src/rulecard.mjs';
import { finalScores, isOver, winners } from '../src/scores.mjs';
import { PRESETS, cardText } from './support/presets.mjs';

const NAMED = {
  exact_bridge: ['basis', { joker_swap_match: 'exact_bridge' }],
  no_wild_two: ['modern', { wild_two_may_be_two: false }],
  no_ace_low: ['klassiek', { ace_low: false }],
};
const cardOf = (name, changes = {}) => {
  const [preset, own] = NAMED[name] ?? [name, {}];
  return readRuleCard(ascii(cardText(preset, { ...own, ...changes })));
};

/** `X=QD` as a listed card; every card gets a slot of its own. */
let slots = 0;
function listed(text) {
  return text.split(' ').map((name) => {
    const [face, declared] = name.split('=');
    return { slot: slots++, face: faceFromName(face), declared: declared ? faceFromName(declared) : 255 };
  });
}

const shown = ({ face, wild, as }) => (wild ? `${faceName(face)}=${faceName(as)}` : faceName(face));

/** The cards of a meld as named, or the code of the rule that it breaks. */
function outcome(make) {
  try {
    return make().map(shown);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error.code.replace('rules/', '');
  }
}

/** Rows of the tables of the specification whose header begins so. */
function rows(header) {
  const lines = readFileSync(new URL('../../10-rules.md', import.meta.url), 'utf8').split('\n');
  const start = lines.findIndex((line) => line.startsWith(header));
  assert.ok(start >= 0);
  const end = lines.findIndex((line, i) => i > start && !line.startsWith('|'));
  return lines.slice(start + 2, end).map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim()));
}

const codeIn = (text) => /^`([a-z_]+)`/.exec(text)?.[1];
const declaredIn = (text) => text.match(/[2X][SHDC]?=[A-Z0-9]+/g) ?? [];

test('melds: every example of section 13', () => {
  const examples = rows('| under | cards | outcome |');
  assert.ok(examples.length > 25);
  for (const [under, cards, result] of examples) {
    const got = outcome(() => newMeld(cardOf(under), 0, listed(cards.replaceAll('`', ''))).cards);
    const what = `${under} ${cards} ${result}`;
    if (codeIn(result)) assert.equal(got, codeIn(result), what);
    else {
      assert.ok(Array.isArray(got), `${what}: ${got}`);
      const named = declaredIn(result).map((one) => (one.startsWith('X=') ? one.slice(2) : one));
      for (const one of named) assert.ok(got.some((text) => text.endsWith(one)), `${what}: ${got}`);
    }
  }
});

test('lay-offs: every example of section 15', () => {
  const examples = rows('| under | run or set | laid off | outcome |');
  assert.ok(examples.length > 10);
  for (const [under, lying, given, result] of examples) {
    const card = cardOf(under);
    const [cards, side] = given.split(', side ');
    const meld = newMeld(card, 0, listed(lying.replaceAll('`', '')));
    const put = (where) => outcome(() => laidOff(card, meld, where, listed(cards.replaceAll('`', ''))));
    const got = put(side === 'low' ? 1 : 0);
    const what = `${under} ${lying} + ${given}: ${result}`;
    if (codeIn(result)) assert.equal(got, codeIn(result), what);
    else {
      assert.ok(Array.isArray(got), `${what}: ${got}`);
      for (const one of declaredIn(result)) assert.ok(got.includes(one), `${what}: ${got}`);
    }
    const low = /with side low (X=\w+)/.exec(result);
    if (low) assert.ok(put(1).includes(low[1]), what);
  }
});

test('swaps: the examples of section 16', () => {
  const fits = (under, cards, name) => {
    const card = cardOf(under);
    const meld = newMeld(card, 0, listed(cards));
    return swapFits(card, meld, meld.cards.find(({ wild }) => wild), faceFromName(name));
  };
  assert.deepEqual(['8S', '8D', '8H'].map((name) => fits('basis', '8C 8H X=8', name)), [true, true, false]);
  assert.deepEqual(['8D', '8C'].map((name) => fits('klassiek', '8S 8H X=8D', name)), [true, false]);
  assert.deepEqual(['QD', 'QH'].map((name) => fits('klassiek', 'JD X=QD KD', name)), [true, false]);
});

test('every preset is a rule card, and every other text is refused', () => {
  assert.equal(PRESETS.length, 6);
  for (const preset of PRESETS) {
    const text = cardText(preset);
    const card = readRuleCard(ascii(text));
    assert.deepEqual(Object.keys(card), Object.keys(SETTINGS));
    const lines = text.trimEnd().split('\n');
    const wrong = [
      text.slice(0, -1),
      `${text}\n`,
      text.replace('decks=2', 'decks=02'),
      text.replace('decks=2', 'decks= 2'),
      text.replace('decks=2', 'decks=5'),
      text.replace('ace_high=true', 'ace_high=True'),
      `${lines.slice(1).join('\n')}\n`,
      `${[lines[1], lines[0], ...lines.slice(2)].join('\n')}\n`,
      text.replace('decks=2', 'decks=none'),
    ];
    for (const other of wrong) assert.throws(() => readRuleCard(ascii(other)), BadRuleCard);
    assert.equal(card.resign, 'ends_game');
    assert.equal(readRuleCard(ascii(text.replace('run_max', 'resign=play_on\nrun_max'))).resign, 'play_on');
    for (const word of ['ends_game', 'none', '']) {
      assert.throws(() => readRuleCard(ascii(text.replace('run_max', `resign=${word}\nrun_max`))), BadRuleCard);
    }
  }
});

test('settings that exclude each other are refused, and tables that cannot be seated', () => {
  const refused = [
    ['basis', { players_min: 7, players_max: 6 }],
    ['basis', { jokers_in_deck: 3 }],
    ['basis', { jokers_in_deck: 10 }],
    ['basis', { two_as_joker: true }],
    ['basis', { joker_points: 'none' }],
    ['modern', { joker_points: 5 }],
    ['online', { joker_swap_opponent: true }],
    ['online', { joker_swap: true }],
    ['basis', { layoff_run_ends: false }],
    ['spelregelwijzer', { going_out_waives_minimum: true }],
    ['basis', { last_card_call: 'points' }],
    ['klassiek', { pot_layoff_suffices: true }],
    ['klassiek', { pot_needs_hand_cards: 2 }],
    ['klassiek', { team_size: 2 }],
    ['basis', { team_size: 1 }],
    ['basis', { team_size: 2, resign: 'play_on' }],
  ];
  for (const [preset, changes] of refused) {
    assert.throws(() => readRuleCard(ascii(cardText(preset, changes))), BadRuleCard, JSON.stringify(changes));
  }
  assert.deepEqual([1, 2, 7, 8].map((n) => seatingProblem(cardOf('basis'), n) === null), [false, true, true, false]);
  assert.notEqual(seatingProblem(cardOf('basis', { hand_size: 20 }), 6), null);
  const teams = cardOf('basis', { team_size: 2 });
  assert.deepEqual([2, 3, 4, 6].map((n) => seatingProblem(teams, n) === null), [false, false, true, true]);
});

test('a game ends at the target, ties go on where the card says so, and the highest wins', () => {
  assert.equal(isOver(cardOf('klassiek'), 0, 3, [990, 999]), false);
  assert.equal(isOver(cardOf('klassiek'), 0, 3, [1000, 0]), true);
  assert.equal(isOver(cardOf('klassiek'), 3, 3, [0, 0]), true);
  const extra = cardOf('klassiek', { tie_at_top: 'extra_round' });
  assert.equal(isOver(extra, 0, 3, [1005, 1005, 0]), false);
  assert.deepEqual(winners(cardOf('klassiek'), [1005, 1010, 1010]), [1, 2]);
  const teams = cardOf('basis', { team_size: 2 });
  assert.equal(isOver(teams, 0, 1, [600, 0, 500, 0]), true);
  assert.deepEqual(winners(teams, [600, 700, 500, 100]), [0, 2]);
  assert.equal(finalScores(cardOf('klassiek'), [1010, 400, 300, 201])[0], '709.7');
  assert.deepEqual(finalScores(cardOf('klassiek'), [-5, 0]), ['-5.0', '5.0']);
  const left = [1010, 400, 300, 201];
  assert.equal(isOver(cardOf('klassiek'), 0, 3, left, [1, 2, 3]), false);
  assert.deepEqual(winners(cardOf('klassiek'), left, [1, 2, 3]), [1]);
  assert.deepEqual(finalScores(cardOf('klassiek'), left, [1, 2, 3]), ['709.7', '149.5', '-0.5', '-149.0']);
});
