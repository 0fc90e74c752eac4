/**
 * ristretto255 (RFC 9496) as 20-crypto 5.1 wants it: one gate for received points, received scalars below q, and sums of
 * many multiples. Arithmetic is @noble/curves; nothing here is secret, so nothing needs constant time.
 */
import { ristretto255, ristretto255_hasher } from '@noble/curves/ed25519.js';
import { mulAddUnsafe, pippenger } from '@noble/curves/abstract/curve.js';
import { le } from './bytes.mjs';

export const Point = ristretto255.Point;
export const q = Point.Fn.ORDER;
export const G = Point.BASE;
export const O = Point.ZERO;

/** A residue in 0..q-1. */
export function mod(value) {
  const rest = value % q;
  return rest < 0n ? rest + q : rest;
}

/** A received point, or null when the bytes are not the canonical encoding of a point other than the identity. */
export function decodePoint(bytes) {
  if (bytes.length !== 32) return null;
  try {
    const point = Point.fromBytes(bytes);
    return point.equals(O) ? null : point;
  } catch {
    return null;
  }
}

/** A received scalar, or null when the integer is not below q. */
export function decodeScalar(bytes) {
  if (bytes.length !== 32) return null;
  const value = le(bytes);
  return value < q ? value : null;
}

/** value * point; zero and the identity are fine. */
export function times(point, value) {
  const reduced = mod(value);
  return reduced === 0n || point.equals(O) ? O : point.multiplyUnsafe(reduced);
}

/** Make later multiples of a point cheap, from the first one on; worth it from some ten multiples on. */
export const prepare = (point) => (point.equals(O) ? point : point.precompute(6));

/** A sum of multiples that collects equal bases: `add(point, coefficient)`, then `value()`. */
export class Sum {
  constructor() {
    this.terms = new Map();
  }

  add(point, coefficient) {
    this.terms.set(point, mod((this.terms.get(point) ?? 0n) + coefficient));
    return this;
  }

  value() {
    const points = [];
    const scalars = [];
    for (const [point, scalar] of this.terms) {
      if (scalar === 0n || point.equals(O)) continue;
      points.push(point);
      scalars.push(scalar);
    }
    if (points.length < 40) return mulAddUnsafe(Point, points, scalars);
    return pippenger(Point, points, scalars);
  }

  isZero() {
    return this.value().equals(O);
  }
}

/** The one-way map of 64 bytes to a point. */
export const fromHash = (bytes) => ristretto255_hasher.deriveToCurve(bytes);
