/** Byte strings: joining, comparing, hexadecimal, and little-endian integers (20-crypto 5.1). */

/** All parts, one after another. */
export function concat(...parts) {
  let length = 0;
  for (const part of parts) length += part.length;
  const out = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** Whether two byte strings are the same. Public data only: not constant-time. */
export function equal(a, b) {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

export const hex = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');

export function unhex(text) {
  if (text.length % 2 || /[^0-9a-f]/.test(text)) throw new RangeError('not lower-case hexadecimal');
  return Uint8Array.from({ length: text.length / 2 }, (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16));
}

export const ascii = (text) => Uint8Array.from(text, (c) => c.charCodeAt(0));

export const u8 = (value) => Uint8Array.of(value);
export const u16 = (value) => Uint8Array.of(value & 255, value >>> 8);
export const u32 = (value) => Uint8Array.of(value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24);

/** The integer of little-endian bytes. */
export function le(bytes) {
  let text = '';
  for (let i = bytes.length - 1; i >= 0; i--) text += bytes[i].toString(16).padStart(2, '0');
  return BigInt(`0x${text || '0'}`);
}

/** 32 little-endian bytes of an integer below 2^256. */
export function le32(value) {
  const text = value.toString(16).padStart(64, '0');
  const out = new Uint8Array(32);
  for (let i = 0; i < 32; i++) out[31 - i] = parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return out;
}

/** Bytes cut in pieces of one size; the length must be a multiple of it. */
export function pieces(bytes, size) {
  if (bytes.length % size) throw new RangeError('not a multiple');
  return Array.from({ length: bytes.length / size }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
}
