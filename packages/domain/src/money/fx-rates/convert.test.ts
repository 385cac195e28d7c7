import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { convertMinor } from './convert.ts';
import { newRateTable, type StoredRate } from './rate-table.ts';

const AT = new Date('2026-03-01T12:00:00.000Z');

const stored = (pair: string, rate: string, more: Partial<StoredRate> = {}): StoredRate => ({
  id: 'fxr_1',
  base_currency: pair.slice(0, 3),
  quote_currency: pair.slice(4),
  rate,
  source: 'AUTOMATIC',
  effective_at: '2026-01-01T00:00:00.000Z',
  ...more,
});

const convert = (amount: number, from: string, to: string, rates: StoredRate[], at = AT) =>
  convertMinor(amount, from, to, newRateTable('USD', rates), at);
const getOk = (...given: Parameters<typeof convert>) => {
  const found = convert(...given);
  return 'ok' in found ? found.ok : found;
};

describe('converting an amount', () => {
  test('keeps to the decimal places of each currency', () => {
    assert.equal(getOk(100_00, 'EUR', 'USD', [stored('EUR/USD', '1.0825')]), 108_25);
    assert.equal(getOk(100_00, 'USD', 'JPY', [stored('USD/JPY', '151.5')]), 15_150);
    assert.equal(getOk(15_150, 'JPY', 'USD', [stored('USD/JPY', '151.5')]), 100_00);
    assert.equal(getOk(100_00, 'USD', 'KWD', [stored('USD/KWD', '0.3075')]), 30_750);
    assert.equal(getOk(1_000, 'JPY', 'KWD', [stored('JPY/KWD', '0.002')]), 2_000);
  });

  test('rounds up, so that a part of a cent is a cent', () => {
    assert.equal(getOk(1, 'JPY', 'USD', [stored('USD/JPY', '151.5')]), 1);
    assert.equal(getOk(3_333, 'EUR', 'USD', [stored('EUR/USD', '1.00001')]), 3_334);
    assert.equal(getOk(0, 'EUR', 'USD', [stored('EUR/USD', '1.00001')]), 0);
  });

  test('is exact beyond floating point', () => {
    assert.equal(getOk(100, 'EUR', 'USD', [stored('EUR/USD', '1.1')]), 110);
    assert.equal(getOk(9_007_199_254_740_991, 'EUR', 'USD', [stored('EUR/USD', '1')]), 9_007_199_254_740_991);
    assert.equal(getOk(9_007_199_254_740_990, 'EUR', 'USD', [stored('EUR/USD', '1.000000000000000001')]), 9_007_199_254_740_991);
  });

  test('needs no rate between a currency and itself', () => {
    assert.equal(getOk(500, 'EUR', 'EUR', []), 500);
    assert.equal(getOk(500, 'ABC', 'ABC', []), 500);
  });

  test('uses the base currency, and no other, if the pair has no rate', () => {
    const rates = [stored('USD/EUR', '0.5'), stored('GBP/USD', '2'), stored('EUR/CHF', '3')];
    assert.equal(getOk(100, 'GBP', 'EUR', rates), 100);
    assert.deepEqual(convert(100, 'GBP', 'CHF', rates), { missing: ['GBP', 'CHF'] });
    assert.equal(getOk(100, 'GBP', 'EUR', [...rates, stored('GBP/EUR', '7')]), 700);
  });

  test('names a missing rate, and a result that is too large for a number', () => {
    assert.deepEqual(convert(1, 'EUR', 'USD', []), { missing: ['EUR', 'USD'] });
    assert.deepEqual(convert(1, 'ABC', 'USD', [stored('ABC/USD', '1')]), { missing: ['ABC', 'USD'] });
    assert.deepEqual(convert(9_007_199_254_740_991, 'EUR', 'USD', [stored('EUR/USD', '1.1')]), { too_large: ['EUR', 'USD'] });
  });

  test('throws for an invalid amount', () => {
    for (const amount of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])
      assert.throws(() => convert(amount, 'EUR', 'USD', [stored('EUR/USD', '1')]), RangeError, String(amount));
  });
});

describe('the rate in force', () => {
  test('prefers a rate set by a person to a fetched one, in any direction', () => {
    const fetched = stored('EUR/USD', '9', { id: 'fxr_9', effective_at: '2026-02-28T00:00:00.000Z' });
    assert.equal(getOk(100, 'EUR', 'USD', [fetched, stored('EUR/USD', '2', { source: 'MANUAL' })]), 200);
    assert.equal(getOk(100, 'EUR', 'USD', [fetched, stored('USD/EUR', '0.5', { source: 'MANUAL' })]), 200);
  });

  test('changes at its moment by the clock of the decision', () => {
    const rates = [
      stored('EUR/USD', '1', { id: 'fxr_1' }),
      stored('EUR/USD', '2', { id: 'fxr_2', effective_at: '2026-03-01T12:00:00.000Z' }),
      stored('EUR/USD', '3', { id: 'fxr_3', effective_at: '2026-03-01T12:00:00.001Z', source: 'MANUAL' }),
    ];
    assert.equal(getOk(100, 'EUR', 'USD', rates, new Date('2026-03-01T11:59:59.999Z')), 100);
    assert.equal(getOk(100, 'EUR', 'USD', rates, new Date('2026-03-01T12:00:00.000Z')), 200);
    assert.equal(getOk(100, 'EUR', 'USD', rates, new Date('2026-03-01T12:00:00.001Z')), 300);
    assert.deepEqual(convert(100, 'EUR', 'USD', rates, new Date('2025-12-31T23:59:59.999Z')), { missing: ['EUR', 'USD'] });
  });

  test('is the latest stored if two become effective at the same moment', () => {
    const rates = [stored('EUR/USD', '2', { id: 'fxr_02' }), stored('EUR/USD', '1', { id: 'fxr_01' })];
    assert.equal(getOk(100, 'EUR', 'USD', rates), 200);
    assert.equal(getOk(100, 'EUR', 'USD', rates.toReversed()), 200);
  });
});

test('fails every decision for an unreadable stored rate instead of skipping it', () => {
  for (const rate of ['0', '-1', '1e3', 'NaN', '', '1.', '.5', '01'])
    assert.throws(() => newRateTable('USD', [stored('EUR/USD', rate)]), /cannot be read/, rate);
  assert.throws(() => newRateTable('USD', [stored('EUR/USD', '1', { effective_at: 'yesterday' })]), /cannot be read/);
});
