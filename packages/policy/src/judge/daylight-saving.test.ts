import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FieldCondition } from '@svc/contract/policies/language.ts';
import { localTime } from '../values/local-time.ts';
import { compileUnbound } from './compile-set.ts';
import { compileVersion } from './compile-version.ts';
import { evaluate } from './evaluate.ts';

const setOf = (condition: FieldCondition) =>
  compileUnbound(
    compileVersion({
      policy_id: 'pol_1',
      policy_name: 'p',
      version_id: 'pvr_1',
      version_number: 1,
      binding: { scope: 'ORGANIZATION', id: 'org_1' },
      body: { rules: [{ id: 'r', effect: 'ALLOW', reason: 'r', when: condition }], tests: [] },
    }),
  );

/** Returns the instants at which the condition holds, by the clocks of a zone. */
const holdsAt = (condition: FieldCondition, zone: string, instants: readonly string[]): boolean[] => {
  const set = setOf(condition);
  return instants.map((instant) => evaluate(set, { time: localTime(new Date(instant), zone) }).effect === 'ALLOW');
};
const within = (hours: string): FieldCondition => ({ field: 'time.clock', op: 'within_hours', value: hours });

/** Counts the minutes of 48 hours around a clock change that are in a span of the day. */
const minutesWithin = (hours: string, zone: string, from: string): number => {
  const start = Date.parse(from);
  const instants = Array.from({ length: 2_880 }, (_, minute) => new Date(start + minute * 60_000).toISOString());
  return holdsAt(within(hours), zone, instants).filter(Boolean).length;
};

describe('a rule with hours', () => {
  test('follows the wall clock before and after clocks are put forward', () => {
    const instants = ['2026-03-28T08:30:00.000Z', '2026-03-28T07:30:00.000Z', '2026-03-29T07:30:00.000Z', '2026-03-29T06:30:00.000Z'];
    assert.deepEqual(holdsAt(within('09:00-17:00'), 'Europe/Berlin', instants), [true, false, true, false]);
  });

  test('follows the wall clock before and after clocks are put back', () => {
    const instants = ['2026-10-24T07:30:00.000Z', '2026-10-24T06:30:00.000Z', '2026-10-25T08:30:00.000Z', '2026-10-25T07:30:00.000Z'];
    assert.deepEqual(holdsAt(within('09:00-17:00'), 'Europe/Berlin', instants), [true, false, true, false]);
  });

  test('over midnight covers a night that is an hour shorter or longer', () => {
    const spring = [
      '2026-03-28T20:59:00.000Z',
      '2026-03-28T21:00:00.000Z',
      '2026-03-29T00:59:00.000Z',
      '2026-03-29T01:00:00.000Z',
      '2026-03-29T03:59:00.000Z',
      '2026-03-29T04:00:00.000Z',
    ];
    assert.deepEqual(holdsAt(within('22:00-06:00'), 'Europe/Berlin', spring), [false, true, true, true, true, false]);
    const autumn = [
      '2026-10-24T19:59:00.000Z',
      '2026-10-24T20:00:00.000Z',
      '2026-10-25T00:30:00.000Z',
      '2026-10-25T01:30:00.000Z',
      '2026-10-25T04:59:00.000Z',
      '2026-10-25T05:00:00.000Z',
    ];
    assert.deepEqual(holdsAt(within('22:00-06:00'), 'Europe/Berlin', autumn), [false, true, true, true, true, false]);
  });

  test('holds in no minute of a skipped hour, and twice in a repeated one', () => {
    assert.equal(minutesWithin('02:00-03:00', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'), 60);
    assert.equal(minutesWithin('02:00-03:00', 'Europe/Berlin', '2026-03-29T23:00:00.000Z'), 120);
    assert.equal(minutesWithin('02:00-03:00', 'Europe/Berlin', '2026-10-24T22:00:00.000Z'), 180);
    assert.equal(minutesWithin('02:00-03:00', 'America/New_York', '2026-03-08T05:00:00.000Z'), 60);
    assert.equal(minutesWithin('01:00-02:00', 'America/New_York', '2026-11-01T04:00:00.000Z'), 180);
  });

  test('follows a zone that moves by half an hour', () => {
    // Lord Howe moves from +11:00 to +10:30 on 5 April 2026 at 02:00, and back on 4 October.
    assert.equal(minutesWithin('01:30-02:00', 'Australia/Lord_Howe', '2026-04-04T13:00:00.000Z'), 90);
    assert.equal(minutesWithin('02:00-02:30', 'Australia/Lord_Howe', '2026-10-03T13:30:00.000Z'), 30);
    const instants = ['2026-04-04T14:45:00.000Z', '2026-04-04T15:15:00.000Z', '2026-04-04T15:30:00.000Z'];
    assert.deepEqual(holdsAt(within('01:30-02:00'), 'Australia/Lord_Howe', instants), [true, true, false]);
    assert.deepEqual(holdsAt(within('22:00-02:00'), 'Australia/Lord_Howe', instants), [true, true, false]);
  });

  test('on a weekday belongs to the day of the zone, also when that day has 23 or 25 hours', () => {
    const sunday: FieldCondition = { field: 'time.weekday', op: 'on_weekdays', value: ['SUN'] };
    const getHours = (zone: string, from: string) => {
      const start = Date.parse(from);
      return holdsAt(
        sunday,
        zone,
        Array.from({ length: 72 }, (_, hour) => new Date(start + hour * 3_600_000).toISOString()),
      ).filter(Boolean).length;
    };
    assert.equal(getHours('Europe/Berlin', '2026-03-28T00:00:00.000Z'), 23);
    assert.equal(getHours('Europe/Berlin', '2026-10-24T00:00:00.000Z'), 25);
    assert.equal(getHours('UTC', '2026-10-24T00:00:00.000Z'), 24);
  });
});
