/**
 * Ed25519 with the semantics of libsodium's crypto_sign_verify_detached (20-crypto 5.7): canonical key, key and R not of
 * small order, s below the order, no cofactor, and R compared as bytes.
 */
import { ed25519 } from '@noble/curves/ed25519.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { concat, equal, le } from './bytes.mjs';

const Point = ed25519.Point;
const L = Point.Fn.ORDER;

/** A verifier for one key. Keys of small order and bytes that are no key verify nothing. */
export class Key {
  constructor(bytes) {
    this.bytes = bytes;
    try {
      const point = Point.fromBytes(bytes, false);
      this.negated = point.isSmallOrder() ? null : point.negate().precompute(6);
    } catch {
      this.negated = null;
    }
  }

  verifies(message, signature) {
    if (this.negated === null || signature.length !== 64) return false;
    const R = signature.subarray(0, 32);
    const s = le(signature.subarray(32));
    if (s >= L) return false;
    const k = le(sha512(concat(R, this.bytes, message))) % L;
    const left = s === 0n ? Point.ZERO : Point.BASE.multiplyUnsafe(s);
    const right = k === 0n ? Point.ZERO : this.negated.multiplyUnsafe(k);
    const sum = left.add(right);
    return !sum.isSmallOrder() && equal(sum.toBytes(), R);
  }
}
