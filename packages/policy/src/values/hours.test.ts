import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInHours, parseHours, parseMinute } from './hours.ts';

const isIn = (hours: string, clock: string): boolean => {
  const parsed = parseHours(hours);
  assert.ok(!('fault' in parsed), hours);
  return isInHours(parseMinute(clock), parsed);
};

test('includes the beginning of a span and not its end', () => {
  assert.deepEqual(
    ['08:29', '08:30', '12:00', '16:59', '17:00'].map((clock) => isIn('08:30-17:00', clock)),
    [false, true, true, true, false],
  );
});

test('accepts a span past midnight', () => {
  assert.deepEqual(
    ['21:59', '22:00', '23:59', '00:00', '05:59', '06:00', '12:00'].map((clock) => isIn('22:00-06:00', clock)),
    [false, true, true, true, true, false, false],
  );
});

test('accepts midnight as 00:00 at the beginning of a day and as 24:00 at its end', () => {
  assert.equal(isIn('18:00-24:00', '23:59'), true);
  assert.equal(isIn('18:00-24:00', '00:00'), false);
  assert.equal(isIn('18:00-00:00', '23:59'), true);
  assert.equal(isIn('18:00-00:00', '00:00'), false);
  assert.equal(isIn('00:00-24:00', '00:00'), true);
});

test('puts each minute of the day into a span or into its complement, never both', () => {
  for (let minute = 0; minute < 1440; minute++) {
    for (const [from, to] of [
      [1320, 360],
      [0, 1],
      [510, 1020],
    ] as const)
      assert.notEqual(isInHours(minute, { from, to }), isInHours(minute, { from: to, to: from }));
  }
});
