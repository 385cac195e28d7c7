import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { serializeValue } from './value-text.ts';

test('every value is written letter by letter as JSON.stringify writes it', () => {
  const hard = [
    '',
    'refund.create',
    'a"b',
    'a\\b',
    'line\nbreak',
    '\u2028',
    '支払い',
    '\ud800',
    '\u007f',
    'x'.repeat(65),
    '$&',
    "it's",
    '\0',
  ];
  for (const value of [...hard, 0, -0, 1.5, 1e21, Number.MAX_SAFE_INTEGER, -7, true, null, [1, 'a'], { a: '"' }]) {
    assert.equal(serializeValue(value), JSON.stringify(value));
  }
  fc.assert(
    fc.property(
      fc.oneof(fc.jsonValue(), fc.string(), fc.string({ unit: 'binary' })),
      (value) => serializeValue(value) === JSON.stringify(value),
    ),
    { numRuns: 2000 },
  );
});
