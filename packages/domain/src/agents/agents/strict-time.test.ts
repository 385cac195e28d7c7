import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseStrictTime } from './strict-time.ts';

test('reads every instant in the exact form back to the same millisecond', () => {
  const years1To9999 = fc.date({
    min: new Date('0001-01-01T00:00:00.000Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  });
  fc.assert(fc.property(years1To9999, (date) => parseStrictTime(date.toISOString()) === date.getTime()));
});

test('accepts 29 February in leap years only', () => {
  assert.equal(parseStrictTime('2024-02-29T00:00:00.000Z'), Date.UTC(2024, 1, 29));
  assert.equal(parseStrictTime('2000-02-29T00:00:00.000Z'), Date.UTC(2000, 1, 29));
  assert.equal(parseStrictTime('2026-02-29T00:00:00.000Z'), null);
  assert.equal(parseStrictTime('1900-02-29T00:00:00.000Z'), null);
});

const refused: readonly (readonly [string, unknown])[] = [
  ['30 February', '2026-02-30T10:00:00.000Z'],
  ['31 April', '2026-04-31T10:00:00.000Z'],
  ['month 13', '2026-13-01T10:00:00.000Z'],
  ['year 0', '0000-01-01T10:00:00.000Z'],
  ['month 0', '2026-00-10T10:00:00.000Z'],
  ['day 0', '2026-01-00T10:00:00.000Z'],
  ['hour 24', '2026-01-01T24:00:00.000Z'],
  ['minute 60', '2026-01-01T10:60:00.000Z'],
  ['a leap second', '2016-12-31T23:59:60.000Z'],
  ['a missing Z', '2026-01-01T10:00:00.000'],
  ['an offset', '2026-01-01T10:00:00.000+00:00'],
  ['a lower-case z', '2026-01-01T10:00:00.000z'],
  ['a lower-case t', '2026-01-01t10:00:00.000Z'],
  ['a space for the T', '2026-01-01 10:00:00.000Z'],
  ['no milliseconds', '2026-01-01T10:00:00Z'],
  ['microseconds', '2026-01-01T10:00:00.000000Z'],
  ['a comma before the fraction', '2026-01-01T10:00:00,000Z'],
  ['a trailing newline', '2026-01-01T10:00:00.000Z\n'],
  ['a leading space', ' 2026-01-01T10:00:00.000Z'],
  ['a six-digit year', '+002026-01-01T10:00:00.000Z'],
  ['Arabic-Indic digits', '٢٠٢٦-01-01T10:00:00.000Z'],
  ['full-width digits', '2026-01-01T10:00:00.000Z'.replace('2026', '２０２６')],
  ['an empty text', ''],
  ['epoch seconds', 1767261600],
  ['epoch seconds as text', '1767261600'],
  ['NaN', Number.NaN],
  ['null', null],
  ['undefined', undefined],
  ['a Date', new Date(0)],
  ['a list holding a time', ['2026-01-01T10:00:00.000Z']],
];

for (const [what, text] of refused) {
  test(`rejects ${what} as a time`, () => assert.equal(parseStrictTime(text), null));
}
