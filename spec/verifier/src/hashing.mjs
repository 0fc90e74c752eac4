/** The hashes of 20-crypto 5.1 (H, H32, Hs, Hp), the transcript, and the constant points. SHA-512 is the only hash. */
import { sha512 } from '@noble/hashes/sha2.js';
import { ascii, concat, le, u16, u32, u8 } from './bytes.mjs';
import { fromHash, q } from './group.mjs';

export { sha512 };

/** H(tag, fields..): 64 bytes. */
export function H(tag, ...fields) {
  const parts = [u8(tag.length), ascii(tag)];
  for (const field of fields) parts.push(u32(field.length), field);
  return sha512(concat(...parts));
}

export const H32 = (tag, ...fields) => H(tag, ...fields).subarray(0, 32);
export const Hs = (tag, ...fields) => le(H(tag, ...fields)) % q;
export const Hp = (tag, ...fields) => fromHash(H(tag, ...fields));

function constants(tag) {
  const known = new Map();
  return (index) => {
    if (!known.has(index)) known.set(index, Hp(tag, u16(index)));
    return known.get(index);
  };
}

/** h_i, i = 1..256: generators of the commitments. */
export const generator = constants('dz1/gen');
/** M_c, c = 0..255: the point of card c. */
export const cardPoint = constants('dz1/card');

/** The Fiat-Shamir transcript T(label). */
export class Transcript {
  constructor(label) {
    this.state = H('dz1/t', ascii(label));
  }

  absorb(name, data) {
    this.state = sha512(concat(this.state, u8(name.length), ascii(name), u32(data.length), data));
    return this;
  }

  #ask(name) {
    this.state = sha512(concat(this.state, u8(name.length), ascii(name), ascii('?')));
  }

  /** A scalar; zero means that the proof is invalid, which the caller checks. */
  challenge(name) {
    this.#ask(name);
    return le(sha512(concat(this.state, u8(1)))) % q;
  }

  vector(name, count) {
    this.#ask(name);
    return Array.from({ length: count }, (_, i) => le(sha512(concat(this.state, u8(2), u16(i + 1)))) % q);
  }
}
