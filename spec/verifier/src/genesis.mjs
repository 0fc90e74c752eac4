/** The genesis of a game file (30-wire 3): reading it, and what follows from it alone. */
import { equal } from './bytes.mjs';
import { NotAGame } from './fault.mjs';
import { H32 } from './hashing.mjs';
import { NotCanonical, decode } from './msgpack.mjs';
import { BadRuleCard, deckSize, readRuleCard, seatingProblem } from './rulecard.mjs';
import { Key } from './signature.mjs';

export const MAX_GENESIS = 16384;

function require(condition, detail, code = 'genesis/form') {
  if (!condition) throw new NotAGame(code, detail);
}

const isBytes = (value, length) => value instanceof Uint8Array && value.length === length;
const isNumber = (value, most = 0xffffffff) => typeof value === 'number' && value <= most;

/** N1: what no text that people see may hold. */
const HIDDEN = new RegExp(
  '[\\u{0}-\\u{1f}\\u{7f}-\\u{a0}\\u{ad}\\u{34f}\\u{61c}\\u{115f}\\u{1160}\\u{1680}\\u{17b4}\\u{17b5}\\u{180b}-\\u{180f}'
  + '\\u{2000}-\\u{200f}\\u{2028}-\\u{202f}\\u{205f}-\\u{206f}\\u{2800}\\u{3000}\\u{3164}\\u{d800}-\\u{f8ff}'
  + '\\u{fdd0}-\\u{fdef}\\u{fe00}-\\u{fe0f}\\u{feff}\\u{ffa0}\\u{fff9}-\\u{fffb}\\u{fffe}\\u{ffff}\\u{1bca0}-\\u{1bca3}'
  + '\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}\\u{f0000}-\\u{10ffff}]',
  'u',
);

/** U+1FFFE, U+1FFFF, U+2FFFE, .. */
const isNonCharacter = (text) => [...text].some((one) => (one.codePointAt(0) & 0xfffe) === 0xfffe);

/** 1 to 64 bytes without hidden characters. */
function isName(value) {
  if (typeof value !== 'string') return false;
  const { length } = new TextEncoder().encode(value);
  return length >= 1 && length <= 64 && !HIDDEN.test(value) && !isNonCharacter(value);
}

function readPlayer(value) {
  require(Array.isArray(value) && value.length === 3, 'player', 'genesis/players');
  const [name, bot, key] = value;
  require(isName(name), 'name', 'genesis/name');
  require(isNumber(bot, 1), 'bot', 'genesis/players');
  require(isBytes(key, 32), 'key', 'genesis/players');
  return { name, bot: bot === 1, keyBytes: key, key: new Key(key) };
}

function readCanonical(bytes) {
  require(bytes.length <= MAX_GENESIS, 'too long', 'wire/size');
  try {
    return decode(bytes);
  } catch (error) {
    if (error instanceof NotCanonical) throw new NotAGame(`wire/${error.name}`, error.message);
    throw error;
  }
}

function readCard(text) {
  try {
    return readRuleCard(text);
  } catch (error) {
    if (error instanceof BadRuleCard) throw new NotAGame('genesis/rules', error.message);
    throw error;
  }
}

/** The genesis of canonical bytes, checked in the order of G1. Throws NotAGame. */
export function readGenesis(bytes) {
  const value = readCanonical(bytes);
  require(Array.isArray(value) && value.length === 7 && value[0] === 'duizenden', 'another game');
  const [, version, table, rulesName, cardText, players, settings] = value;
  require(version === 1, 'version', 'genesis/version');
  require(isBytes(table, 16), 'table');
  require(typeof rulesName === 'string', 'rules name');
  require(cardText instanceof Uint8Array, 'rule card');
  const card = readCard(cardText);
  require(Array.isArray(settings) && settings.length === 3 && settings.every((one) => isNumber(one)), 'settings');
  const [maxRounds, seeded, created] = settings;
  require(seeded <= 1, 'seeded');
  require(isName(rulesName), 'rules name', 'genesis/name');
  require(Array.isArray(players) && players.length <= 7, 'players', 'genesis/players');
  const seats = players.map(readPlayer);
  require(seats.length >= 2, 'players', 'genesis/players');
  const distinct = seats.every((one, i) => seats.slice(i + 1).every((other) => !equal(one.keyBytes, other.keyBytes)));
  require(distinct, 'two seats have one key', 'genesis/keys');
  const problem = seatingProblem(card, seats.length);
  if (problem) throw new NotAGame('genesis/players', problem);
  return {
    table,
    rulesName,
    card,
    cardText: String.fromCharCode(...cardText),
    rulesHash: H32('dz1/rules', cardText),
    seats,
    n: seats.length,
    N: deckSize(card),
    maxRounds,
    seeded: seeded === 1,
    created,
    head: H32('dz1/genesis', bytes),
  };
}
