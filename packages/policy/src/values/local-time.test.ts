import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { localTime } from './local-time.ts';

const at = (instant: string, zone: string): string => {
  const { hour, clock, weekday, date } = localTime(new Date(instant), zone);
  assert.equal(hour, Number(clock.slice(0, 2)));
  return `${weekday} ${date} ${clock}`;
};

test('shows the date and hour of a zone, not those of UTC', () => {
  assert.equal(at('2026-03-01T23:30:00.000Z', 'UTC'), 'SUN 2026-03-01 23:30');
  assert.equal(at('2026-03-01T23:30:00.000Z', 'Asia/Kolkata'), 'MON 2026-03-02 05:00');
  assert.equal(at('2026-03-01T23:30:00.000Z', 'Pacific/Kiritimati'), 'MON 2026-03-02 13:30');
  assert.equal(at('2026-03-01T23:30:00.000Z', 'America/Los_Angeles'), 'SUN 2026-03-01 15:30');
  assert.equal(at('2026-12-31T23:59:59.999Z', 'UTC'), 'THU 2026-12-31 23:59');
  assert.equal(at('2027-01-01T00:00:00.000Z', 'UTC'), 'FRI 2027-01-01 00:00');
});

test('never shows the hour skipped in spring', () => {
  assert.equal(at('2026-03-29T00:59:59.999Z', 'Europe/Berlin'), 'SUN 2026-03-29 01:59');
  assert.equal(at('2026-03-29T01:00:00.000Z', 'Europe/Berlin'), 'SUN 2026-03-29 03:00');
  assert.equal(at('2026-03-08T09:59:00.000Z', 'America/Los_Angeles'), 'SUN 2026-03-08 01:59');
  assert.equal(at('2026-03-08T10:00:00.000Z', 'America/Los_Angeles'), 'SUN 2026-03-08 03:00');
});

test('shows the hour repeated in autumn twice', () => {
  assert.equal(at('2026-10-25T00:30:00.000Z', 'Europe/Berlin'), 'SUN 2026-10-25 02:30');
  assert.equal(at('2026-10-25T01:30:00.000Z', 'Europe/Berlin'), 'SUN 2026-10-25 02:30');
  assert.equal(at('2026-10-25T02:30:00.000Z', 'Europe/Berlin'), 'SUN 2026-10-25 03:30');
  assert.equal(at('2026-04-04T15:15:00.000Z', 'Australia/Lord_Howe'), 'SUN 2026-04-05 01:45');
});

test('shows midnight as hour 0 of the new day', () => {
  assert.equal(at('2026-06-30T22:00:00.000Z', 'Europe/Berlin'), 'WED 2026-07-01 00:00');
});

test('throws for a zone that does not exist', () => {
  assert.throws(() => localTime(new Date(0), 'Mars/Olympus'), RangeError);
});

test('returns results independent of earlier calls', () => {
  const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe');
  const instant = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(fc.array(fc.tuple(instant, zone), { minLength: 1, maxLength: 6 }), (asked) => {
      for (const [now, timeZone] of [...asked, ...asked]) {
        const shown = localTime(now, timeZone);
        const whole = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(now);
        assert.equal(`${shown.date} ${shown.clock}`, whole);
      }
    }),
  );
});
