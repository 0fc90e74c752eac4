/**
 * Canonical bytes (30-wire 1): msgpack of unsigned integers below 2^32, byte strings, text and arrays, every value in its
 * shortest form only. Reading refuses everything else, so that reading and writing are inverses of each other.
 */
import { concat } from './bytes.mjs';

export const MAX_ARRAY = 1024;
export const MAX_NESTING = 8;
const MAX_READ = 256;

/** Bytes that are not canonical. `name` is the second half of the code `wire/..`, the message is for people. */
export class NotCanonical extends Error {
  constructor(reason, name = 'undecodable') {
    super(reason);
    this.name = name;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads on after a value that may not be there or a form that is too long: W4 names what cannot be read at all first, then
 * values, then forms.
 */
class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
    this.wrong = null;
  }

  note(reason, name) {
    if (this.wrong === null || (name === 'value' && this.wrong.name !== 'value')) this.wrong = new NotCanonical(reason, name);
  }

  /** A value that is not used on the wire: over with it, `count` bytes. */
  unused(count) {
    this.take(count);
    this.note('a value that is not used', 'value');
    return 0;
  }

  /** An integer in a form that is never the shortest of a value that is allowed. */
  longer(count, signed) {
    const bytes = this.take(count);
    const value = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
    const unfit = (signed && bytes[0] >= 0x80) || value > 0xffffffff;
    this.note('not the shortest form, or out of range', unfit ? 'value' : 'non-canonical');
    return 0;
  }

  map(count) {
    if (count > 0) throw new NotCanonical('a map');
    return this.unused(0);
  }

  take(count) {
    if (this.at + count > this.bytes.length) throw new NotCanonical('cut short');
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  /** A big-endian number of `count` bytes that does not fit a shorter form. */
  number(count, least) {
    let value = 0;
    for (const byte of this.take(count)) value = value * 256 + byte;
    if (value < least) this.note('not the shortest form', 'non-canonical');
    return value;
  }

  array(count, depth) {
    if (count > MAX_ARRAY) throw new NotCanonical('array too long');
    if (depth >= MAX_READ) throw new NotCanonical('nested far too deep');
    if (depth >= MAX_NESTING) this.note('nested too deep', 'value');
    return Array.from({ length: count }, () => this.value(depth + 1));
  }

  text(count) {
    try {
      return utf8.decode(this.take(count));
    } catch (error) {
      if (error instanceof NotCanonical) throw error;
      throw new NotCanonical('text is not UTF-8');
    }
  }

  value(depth) {
    const tag = this.take(1)[0];
    if (tag <= 0x7f) return tag;
    if (tag >= 0x90 && tag <= 0x9f) return this.array(tag & 15, depth);
    if (tag >= 0xa0 && tag <= 0xbf) return this.text(tag & 31);
    if (tag >= 0xe0) return this.unused(0);
    switch (tag) {
      case 0x80: case 0xc0: case 0xc2: case 0xc3: return this.unused(0);
      case 0xca: return this.unused(4);
      case 0xcb: return this.unused(8);
      case 0xcf: return this.longer(8, false);
      case 0xd0: return this.longer(1, true);
      case 0xd1: return this.longer(2, true);
      case 0xd2: return this.longer(4, true);
      case 0xd3: return this.longer(8, true);
      case 0xde: return this.map(this.number(2, 0));
      case 0xdf: return this.map(this.number(4, 0));
      case 0xc4: return this.take(this.number(1, 0));
      case 0xc5: return this.take(this.number(2, 0x100));
      case 0xc6: return this.take(this.number(4, 0x10000));
      case 0xcc: return this.number(1, 0x80);
      case 0xcd: return this.number(2, 0x100);
      case 0xce: return this.number(4, 0x10000);
      case 0xd9: return this.text(this.number(1, 32));
      case 0xda: return this.text(this.number(2, 0x100));
      case 0xdb: return this.text(this.number(4, 0x10000));
      case 0xdc: return this.array(this.number(2, 16), depth);
      case 0xdd: return this.array(this.number(4, 0x10000), depth);
      default: throw new NotCanonical('a type that is not used');
    }
  }
}

/** The value of canonical bytes: numbers, Uint8Array, strings, arrays. Throws NotCanonical. */
export function decode(bytes) {
  const reader = new Reader(bytes);
  const value = reader.value(0);
  if (reader.at !== bytes.length) throw new NotCanonical('trailing bytes');
  if (reader.wrong !== null) throw reader.wrong;
  return value;
}

function head(value, short, forms) {
  if (short !== null) return Uint8Array.of(short);
  for (const [limit, tag, size] of forms) {
    if (value >= limit) continue;
    const out = new Uint8Array(1 + size);
    out[0] = tag;
    for (let i = size, rest = value; i > 0; i--, rest = Math.floor(rest / 256)) out[i] = rest % 256;
    return out;
  }
  throw new RangeError('too large');
}

const FORMS = (tags) => [[0x100, tags[0], 1], [0x10000, tags[1], 2], [0x100000000, tags[2], 4]];

/** The canonical bytes of a value; text is a string, bytes a Uint8Array. */
export function encode(value) {
  if (typeof value === 'number') return head(value, value < 0x80 ? value : null, FORMS([0xcc, 0xcd, 0xce]));
  if (value instanceof Uint8Array) return concat(head(value.length, null, FORMS([0xc4, 0xc5, 0xc6])), value);
  if (typeof value === 'string') {
    const bytes = new TextEncoder().encode(value);
    return concat(head(bytes.length, bytes.length < 32 ? 0xa0 | bytes.length : null, FORMS([0xd9, 0xda, 0xdb])), bytes);
  }
  if (!Array.isArray(value)) throw new TypeError('no such value on the wire');
  const short = value.length < 16 ? 0x90 | value.length : null;
  const forms = [[0x10000, 0xdc, 2], [0x100000000, 0xdd, 4]];
  return concat(head(value.length, short, forms), ...value.map(encode));
}
