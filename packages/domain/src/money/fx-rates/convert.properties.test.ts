import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { convertMinor } from './convert.ts';
import { newRateTable, type StoredRate } from './rate-table.ts';

const AT = new Date('2026-03-01T12:00:00.000Z');
const RUNS = { numRuns: 20_000 };

const places = { USD: 2, EUR: 2, JPY: 0, KWD: 3 } as const;
type Code = keyof typeof places;
const codes = fc.shuffledSubarray(Object.keys(places) as Code[], { minLength: 3, maxLength: 3 });
const amounts = fc.oneof(fc.integer({ min: 0, max: 100_000 }), fc.maxSafeNat());
/** Up to 18 digits before and after the point, never zero. */
const rates = fc
  .tuple(fc.bigInt(1n, 10n ** 15n), fc.integer({ min: 0, max: 18 }))
  .map(([digits, shift]) => {
    const text = digits.toString().padStart(shift + 1, '0');
    return shift === 0 ? text : `${text.slice(0, -shift)}.${text.slice(-shift)}`;
  })
  .filter((text) => /^(0|[1-9]\d{0,17})(\.\d{1,18})?$/.test(text));

const stored = (base: string, quote: string, rate: string): StoredRate => ({
  id: `fxr_${base}${quote}`,
  base_currency: base,
  quote_currency: quote,
  rate,
  source: 'MANUAL',
  effective_at: '2026-01-01T00:00:00.000Z',
});

/** A decimal times 10^18, read digit by digit. */
const scaled = (rate: string): bigint => {
  const [whole = '', decimals = ''] = rate.split('.');
  return BigInt(whole) * 10n ** 18n + BigInt(decimals.padEnd(18, '0'));
};
const SCALE = 10n ** 18n;

/** `result` is the smallest whole number not below `numerator / denominator`: checked without a division. */
const isCeiling = (result: number, numerator: bigint, denominator: bigint): boolean =>
  BigInt(result) * denominator >= numerator && (result === 0 || BigInt(result - 1) * denominator < numerator);

test('converts to the exact product, rounded up once, in either direction of the rate', () => {
  fc.assert(
    fc.property(codes, amounts, rates, ([from, to], amount, rate) => {
      if (!from || !to) return;
      const [up, down] = [10n ** BigInt(places[to]), 10n ** BigInt(places[from])];
      const straight = convertMinor(amount, from, to, newRateTable('GBP', [stored(from, to, rate)]), AT);
      const turned = convertMinor(amount, from, to, newRateTable('GBP', [stored(to, from, rate)]), AT);
      if ('ok' in straight) assert.ok(isCeiling(straight.ok, BigInt(amount) * scaled(rate) * up, SCALE * down));
      else assert.ok('too_large' in straight && BigInt(amount) * scaled(rate) * up > BigInt(Number.MAX_SAFE_INTEGER) * SCALE * down);
      if ('ok' in turned) assert.ok(isCeiling(turned.ok, BigInt(amount) * SCALE * up, scaled(rate) * down));
      else assert.ok('too_large' in turned && BigInt(amount) * SCALE * up > BigInt(Number.MAX_SAFE_INTEGER) * scaled(rate) * down);
    }),
    RUNS,
  );
});

test('multiplies two rates that meet in the base currency exactly before rounding', () => {
  fc.assert(
    fc.property(codes, amounts, rates, rates, ([from, middle, to], amount, first, second) => {
      if (!from || !middle || !to) return;
      const table = newRateTable(middle, [stored(from, middle, first), stored(middle, to, second)]);
      const found = convertMinor(amount, from, to, table, AT);
      const numerator = BigInt(amount) * scaled(first) * scaled(second) * 10n ** BigInt(places[to]);
      const denominator = SCALE * SCALE * 10n ** BigInt(places[from]);
      if ('ok' in found) assert.ok(isCeiling(found.ok, numerator, denominator));
      else assert.ok('too_large' in found && numerator > BigInt(Number.MAX_SAFE_INTEGER) * denominator);
    }),
    RUNS,
  );
});

test('never reduces an amount by a round trip, and preserves order', () => {
  fc.assert(
    fc.property(
      codes,
      fc.integer({ min: 0, max: 1_000_000_000 }),
      fc.integer({ min: 0, max: 1_000_000 }),
      rates,
      ([from, to], amount, more, rate) => {
        if (!from || !to) return;
        const table = newRateTable('GBP', [stored(from, to, rate)]);
        const there = convertMinor(amount, from, to, table, AT);
        const larger = convertMinor(amount + more, from, to, table, AT);
        if (!('ok' in there)) return;
        const back = convertMinor(there.ok, to, from, table, AT);
        assert.ok(!('ok' in back) || back.ok >= amount);
        assert.ok(!('ok' in larger) || larger.ok >= there.ok);
      },
    ),
    RUNS,
  );
});
