/** Ed25519 as strict as the specification says: other libraries accept some of these. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ED25519_TORSION_SUBGROUP, ed25519 } from '@noble/curves/ed25519.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { ascii, concat, le, le32, unhex } from '../src/bytes.mjs';
import { Key } from '../src/signature.mjs';

const secret = new Uint8Array(32).fill(7);
const publicKey = ed25519.getPublicKey(secret);
const message = ascii('a message');
const signature = ed25519.sign(message, secret);
const L = ed25519.Point.Fn.ORDER;

test('a signature holds for its message and key only', () => {
  const key = new Key(publicKey);
  assert.ok(key.verifies(message, signature));
  assert.ok(!key.verifies(ascii('another'), signature));
  assert.ok(!new Key(ed25519.getPublicKey(new Uint8Array(32).fill(8))).verifies(message, signature));
  assert.ok(!key.verifies(message, signature.subarray(1)));
});

test('s + L is refused', () => {
  const s = le(signature.subarray(32)) + L;
  assert.ok(!new Key(publicKey).verifies(message, concat(signature.subarray(0, 32), le32(s))));
});

test('keys of small order verify nothing, although s = 0 and R = O solve the equation', () => {
  for (const point of ED25519_TORSION_SUBGROUP) {
    const key = new Key(unhex(point));
    for (const R of ED25519_TORSION_SUBGROUP) {
      assert.ok(!key.verifies(message, concat(unhex(R), new Uint8Array(32))));
    }
  }
});

test('R of small order is refused under a proper key', () => {
  const { scalar } = ed25519.utils.getExtendedPublicKey(secret);
  for (const R of ED25519_TORSION_SUBGROUP) {
    const r = unhex(R);
    const k = le(sha512(concat(r, publicKey, message))) % L;
    assert.ok(!new Key(publicKey).verifies(message, concat(r, le32((k * scalar) % L))));
  }
});

test('keys that are no canonical point verify nothing', () => {
  for (const bytes of [le32(2n ** 255n - 19n), le32(2n ** 255n - 18n), le32(2n ** 256n - 1n), le32(2n)]) {
    assert.ok(!new Key(bytes).verifies(message, signature));
  }
});

test('a torsion component in R is noticed: there is no cofactor', () => {
  const torsion = ed25519.Point.fromHex(ED25519_TORSION_SUBGROUP[1]);
  const R = ed25519.Point.fromBytes(signature.subarray(0, 32)).add(torsion).toBytes();
  assert.ok(!new Key(publicKey).verifies(message, concat(R, signature.subarray(32))));
});
