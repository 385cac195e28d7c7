import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRate } from './parse-rate.ts';

test('parses a decimal to its exact fraction', () => {
  assert.deepEqual(parseRate('0.9231'), { numerator: 9231n, denominator: 10_000n });
  assert.deepEqual(parseRate('151'), { numerator: 151n, denominator: 1n });
  assert.deepEqual(parseRate('1.0'), { numerator: 10n, denominator: 10n });
  assert.deepEqual(parseRate('0.000000000000000001'), { numerator: 1n, denominator: 10n ** 18n });
  assert.deepEqual(parseRate('999999999999999999.999999999999999999')?.denominator, 10n ** 18n);
});

test('rejects anything but a plain positive decimal within the bounds', () => {
  const bad = [
    '0',
    '0.0',
    '-1',
    '+1',
    '1e3',
    '1E3',
    '0x10',
    ' 1',
    '1 ',
    '1,5',
    '1_000',
    '.5',
    '5.',
    '01',
    '00.5',
    '',
    'NaN',
    'Infinity',
    '1\n',
    '\u0661',
  ];
  const long = ['1000000000000000000', '0.0000000000000000001', '9'.repeat(100_000)];
  for (const text of [...bad, ...long]) assert.equal(parseRate(text), undefined, text.slice(0, 30));
});
