import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTimeZone, nextAt } from './local-time.ts';
import { mailAt, quietUntil, resolvePreferences } from './preferences.ts';

const at = (text: string): number => Date.parse(text);
const next = (zone: string, clock: string, from: string): string =>
  new Date(nextAt(zone, Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3)), at(from))).toISOString();

test('accepts any name of an IANA time zone, and no offset', () => {
  for (const name of ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'US/Pacific'])
    assert.ok(isTimeZone(name), name);
  for (const name of ['', '+01:00', 'Europe/Nowhere', 'Berlin ', '../etc', 'UTC\n']) assert.ok(!isTimeZone(name), name);
});

test('finds an hour of the day once each day, across both clock changes, and in zones of half and quarter hours', () => {
  assert.equal(next('UTC', '08:00', '2026-03-28T08:00:00Z'), '2026-03-29T08:00:00.000Z');
  assert.equal(next('Europe/Berlin', '08:00', '2026-03-28T07:30:00Z'), '2026-03-29T06:00:00.000Z');
  assert.equal(next('Europe/Berlin', '08:00', '2026-10-24T06:30:00Z'), '2026-10-25T07:00:00.000Z');
  assert.equal(next('Asia/Kathmandu', '00:00', '2026-06-01T12:00:00Z'), '2026-06-01T18:15:00.000Z');
  assert.equal(next('Australia/Lord_Howe', '02:15', '2026-10-03T12:00:00Z'), '2026-10-03T15:30:00.000Z');
  for (const zone of ['Europe/Berlin', 'Australia/Lord_Howe'])
    for (const hour of [0, 2, 3]) {
      let moment = at('2026-01-01T00:00:00Z');
      const days = new Set<string>();
      for (let day = 0; day < 366; day += 1) {
        moment = nextAt(zone, hour * 60, moment);
        days.add(new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(moment));
      }
      assert.equal(days.size, 366, `${zone} ${hour}: each day has its own`);
    }
});

test('returns the end of the gap for a skipped minute, and the first of two for a repeated one', () => {
  assert.equal(next('Europe/Berlin', '02:30', '2026-03-28T20:00:00Z'), '2026-03-29T01:00:00.000Z');
  assert.equal(next('Europe/Berlin', '02:30', '2026-10-24T20:00:00Z'), '2026-10-25T00:30:00.000Z');
  assert.equal(next('Europe/Berlin', '02:30', '2026-10-25T00:30:00Z'), '2026-10-26T01:30:00.000Z');
});

test('applies quiet hours over midnight and over clock changes, and no longer', () => {
  const mine = resolvePreferences({ time_zone: 'Europe/Berlin', quiet_hours: { from: '22:00', until: '02:30' } });
  const until = (text: string) => {
    const ms = quietUntil(mine, at(text));
    return ms === undefined ? undefined : new Date(ms).toISOString();
  };
  assert.equal(until('2026-03-28T20:59:00Z'), undefined);
  assert.equal(until('2026-03-28T21:00:00Z'), '2026-03-29T01:00:00.000Z');
  assert.equal(until('2026-03-29T00:59:00Z'), '2026-03-29T01:00:00.000Z');
  assert.equal(until('2026-03-29T01:00:00Z'), undefined, 'the gap ends them');
  assert.equal(until('2026-10-24T20:00:00Z'), '2026-10-25T00:30:00.000Z');
  assert.equal(until('2026-10-25T01:15:00Z'), undefined, 'the hour that comes twice is quiet once');
});

test('mails urgent notifications in quiet hours, a digest at its hour, and disabled ones never', () => {
  const mine = resolvePreferences({
    time_zone: 'Asia/Kolkata',
    digest_hour: 9,
    quiet_hours: { from: '00:00', until: '23:59' },
    kinds: { webhook_failing: { mail: 'DIGEST' }, key_expiring: { mail: 'OFF' } },
  });
  const now = at('2026-06-01T10:00:00Z');
  const when = (kind: Parameters<typeof mailAt>[1]) => {
    const ms = mailAt(mine, kind, now);
    return ms === undefined ? undefined : new Date(ms).toISOString();
  };
  assert.deepEqual(
    [when('emergency'), when('approval_waiting'), when('webhook_failing'), when('key_expiring')],
    ['2026-06-01T10:00:00.000Z', '2026-06-01T18:29:00.000Z', '2026-06-02T03:30:00.000Z', undefined],
  );
});
