import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parseRate } from './parse-rate.ts';
import { plainDecimal } from './plain-decimal.ts';
import { readProviderAnswer } from './read-provider-answer.ts';

const read = (answer: unknown, base = 'USD') => readProviderAnswer(typeof answer === 'string' ? answer : JSON.stringify(answer), base);
const getRates = (answer: unknown) => {
  const found = read(answer);
  return 'rates' in found ? Object.fromEntries(found.rates) : found;
};
const EUR_AND_JPY = { EUR: '0.92', JPY: '151.5' };

describe('the answer of a provider', () => {
  test('is read in the forms of the common providers', () => {
    const rates = { EUR: 0.92, JPY: 151.5 };
    for (const answer of [
      { amount: 1, base: 'USD', date: '2026-03-01', rates },
      { disclaimer: 'x', timestamp: 1_700_000_000, base: 'USD', rates: { ...rates, USD: 1 } },
      { success: true, base: 'USD', rates },
      { result: 'success', base_code: 'USD', rates: { USD: 1, ...rates } },
      { result: 'success', base_code: 'USD', conversion_rates: rates },
      { success: true, source: 'USD', quotes: { USDEUR: 0.92, USDJPY: 151.5 } },
      [
        { date: '2026-03-01', base: 'USD', quote: 'EUR', rate: 0.92 },
        { date: '2026-03-01', base: 'USD', quote: 'JPY', rate: 151.5 },
      ],
      { base: 'USD', rates: { EUR: '0.92', JPY: '151.50' } },
    ])
      assert.deepEqual(getRates(answer), EUR_AND_JPY, JSON.stringify(answer));
  });

  test('keeps every digit, beyond floating-point precision', () => {
    const text = '{"base":"USD","rates":{"EUR":0.1234567890123456789,"VND":26155.123456789012345678,"BHD":3.76e-1,"KWD":3E-05}}';
    assert.deepEqual(getRates(text), { EUR: '0.123456789012345679', VND: '26155.123456789012345678', BHD: '0.376', KWD: '0.00003' });
  });

  test('may contain unknown currencies, which are skipped and reported', () => {
    const found = read({ base: 'USD', rates: { EUR: 1, XAU: 0.0003, BTC: 0, 'no code': 5, USDT: -1 } });
    assert.deepEqual(found, { rates: new Map([['EUR', '1']]), ignored: ['XAU', 'BTC', 'USDT'] });
  });

  test('is rejected as a whole for one impossible rate', () => {
    for (const rate of [
      '0',
      '-1',
      '-0.5',
      '1e60',
      '1e-60',
      '1e999',
      '"x"',
      '""',
      '"Infinity"',
      '"0x10"',
      'null',
      'true',
      '[1]',
      '{}',
      '"1e99"',
    ])
      assert.deepEqual(
        read(`{"base":"USD","rates":{"JPY":151.5,"EUR":${rate}}}`),
        { fault: 'The rate of EUR must be a number above zero.' },
        rate,
      );
    assert.deepEqual(read({ base: 'USD', rates: { EUR: 1, USD: 2 } }), {
      fault: 'The response states a rate of 2 for the base currency USD; it must be 1.',
    });
  });

  test('must be for the requested base currency', () => {
    for (const base of ['EUR', 'usd', '', null, 1, undefined, ['USD']])
      assert.deepEqual(read({ base, rates: { JPY: 1 } }), { fault: 'The response is not for the base currency USD.' }, String(base));
  });

  test('yields no rate from pages, refusals, truncated, empty or endless texts', () => {
    const unknown = { fault: 'The response is not JSON in a supported format.' };
    for (const answer of [
      '',
      '<html>',
      '{"base":"USD","rates":{"EUR":0.9',
      'NaN',
      '1',
      'null',
      '[]',
      '[1]',
      '{}',
      '"x"',
      '['.repeat(200_000),
    ])
      assert.deepEqual(read(answer), unknown, answer.slice(0, 30));
    for (const answer of [
      { success: false, error: { code: 101 } },
      { base: 'USD', rates: [1] },
      { base: 'USD', rates: null },
      { source: 'USD', quotes: { EURUSD: 1 } },
      [
        { base: 'USD', quote: 'EUR', rate: 1 },
        { base: 'EUR', quote: 'JPY', rate: 1 },
      ],
    ])
      assert.deepEqual(read(answer), unknown, JSON.stringify(answer));
    assert.deepEqual(read({ base: 'USD', rates: {} }), { fault: 'The response contains no rate.' });
    assert.deepEqual(read({ base: 'USD', rates: { XAU: 1 } }), { fault: 'The response contains no rate.' });
    assert.deepEqual(read('{"base":"USD","rates":{"__proto__":{"EUR":1}}}'), { fault: 'The response contains no rate.' });
  });

  test('never throws and never yields a rate that cannot be stored', () => {
    const number = fc.oneof(fc.double(), fc.string(), fc.bigInt().map(String), fc.constant(null));
    const answer = fc.oneof(
      fc.json(),
      fc
        .record({ base: fc.constant('USD'), rates: fc.dictionary(fc.constantFrom('EUR', 'JPY', 'USD', 'X'), number) })
        .map((each) => JSON.stringify(each)),
    );
    fc.assert(
      fc.property(answer, (text) => {
        const found = readProviderAnswer(text, 'USD');
        if ('rates' in found) for (const rate of found.rates.values()) assert.ok(parseRate(rate), rate);
      }),
      { numRuns: 5_000 },
    );
  });
});

test('writes a number plainly, rounded only at the eighteenth decimal place', () => {
  const pairs = [
    ['1', '1'],
    ['007', '7'],
    ['1.50', '1.5'],
    ['100', '100'],
    ['1e2', '100'],
    ['12e-1', '1.2'],
    ['0.0000000000000000014', '0.000000000000000001'],
    ['0.9999999999999999999', '1'],
    ['999999999999999999', '999999999999999999'],
  ] as const;
  for (const [spelled, plain] of pairs) assert.equal(plainDecimal(spelled), plain, spelled);
  for (const spelled of ['0.0000000000000000004', '1000000000000000000', '0', '0e5', '-1', '1e100', '.5', '5.', '1e', ' 1', '9'.repeat(41)])
    assert.equal(plainDecimal(spelled), undefined, spelled);
});
