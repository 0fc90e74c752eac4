/** Canonical bytes: what is written reads back, and nothing else reads. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unhex } from '../src/bytes.mjs';
import { NotCanonical, decode, encode } from '../src/msgpack.mjs';

test('values of every size read back as they were written', () => {
  const values = [
    0, 127, 128, 255, 256, 65535, 65536, 4294967295, '', 'a'.repeat(31), 'a'.repeat(32), 'é'.repeat(200), '\ufeffx',
    new Uint8Array(0), new Uint8Array(255), new Uint8Array(256), new Uint8Array(65536), [], Array(15).fill(1),
    Array(16).fill(1), Array(1024).fill(0), [[[[[[[[]]]]]]]],
  ];
  for (const value of values) assert.deepEqual(decode(encode(value)), value);
});

test('everything that is not the shortest form of an allowed value is refused', () => {
  const wrong = [
    '', 'c0', 'c2', 'c3', 'ff', 'e0', '80', 'd001', 'ca00000000', 'cb0000000000000000', 'cf0000000000000001', 'c70100',
    'd40000', 'cc7f', 'cd00ff', 'ce0000ffff', 'c50001aa', 'c60000000100', 'd901', 'd90161', 'da000161', 'dc000101',
    'dd0000000101', '0101', 'c401', 'a161ff', 'a1ff', 'a2c080', 'a3eda080', '9101ff', '92 01'.replace(' ', ''),
    '999191919191919191'.slice(2) + '9190',
  ];
  for (const bytes of wrong) assert.throws(() => decode(unhex(bytes)), NotCanonical, bytes);
});

test('arrays of more than 1 024 elements and nesting of more than 8 are refused', () => {
  assert.throws(() => decode(encode(Array(1025).fill(1))), NotCanonical);
  assert.throws(() => decode(encode([[[[[[[[[]]]]]]]]])), NotCanonical);
});
