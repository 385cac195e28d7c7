import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readBase64, readBase64Url } from './canonical-base64.ts';

const bytes = fc.uint8Array({ maxLength: 80 }).map((list) => Buffer.from(list));

test('encodes and decodes bytes in both alphabets', () => {
  fc.assert(
    fc.property(bytes, (original) => {
      assert.deepEqual(readBase64(original.toString('base64')), original);
      assert.deepEqual(readBase64Url(original.toString('base64url')), original);
    }),
  );
});

test('decodes no two texts to the same bytes', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'AQgw9_-+/= \n.é'), maxLength: 12 });
  fc.assert(
    fc.property(letters, letters, (one, other) => {
      for (const read of [readBase64, readBase64Url]) {
        const first = read(one);
        const second = read(other);
        if (first !== null && second !== null && one !== other) assert.notDeepEqual(first, second);
      }
    }),
    { numRuns: 2000 },
  );
});

test('rejects wrong padding, junk, leftover bits and the other alphabet', () => {
  for (const text of ['QQ==', 'QR', 'Q', 'QQ\n', ' QQ', 'Q.Q', 'QQ+/', 'QQ\u0000', 'ＱＱ']) assert.equal(readBase64Url(text), null, text);
  for (const text of ['QQ', 'QR==', 'QQ=', 'QQ===', 'QQ==\n', 'QQ-_', 'Q Q=', 'QQ==QQ==']) assert.equal(readBase64(text), null, text);
});
