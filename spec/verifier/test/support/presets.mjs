/** The presets of 10-rules 2, read from the specification, with settings changed at will. */
import { readFileSync } from 'node:fs';

const text = readFileSync(new URL('../../../10-rules.md', import.meta.url), 'utf8');
const rows = text
  .split('<!-- generated: settings -->')[1]
  .split('<!-- end of settings -->')[0]
  .trim()
  .split('\n')
  .map((row) => row.split('|').slice(1, -1).map((cell) => cell.trim().replaceAll('`', '')));
const [[, ...names], , ...settings] = rows;

export const PRESETS = names;

/** The canonical text of a preset with changes `{key: value}`. */
export function cardText(preset, changes = {}) {
  const column = names.indexOf(preset) + 1;
  if (column === 0) throw new RangeError(preset);
  const card = Object.fromEntries(settings.map((row) => [row[0], row[column]]));
  for (const [key, value] of Object.entries(changes)) {
    if (!(key in card)) throw new RangeError(key);
    card[key] = String(value);
  }
  if (card.resign === 'ends_game') delete card.resign;
  return Object.keys(card).sort().map((key) => `${key}=${card[key]}\n`).join('');
}
