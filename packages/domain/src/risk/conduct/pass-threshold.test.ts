import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newConduct } from './conduct.ts';
import { passThreshold } from './pass-threshold.ts';

const MINUTE = 60_000;
const NOW = Date.parse('2026-06-10T12:00:00.000Z');

const at = (conduct: ReturnType<typeof newConduct>, risk: number, ms: number) => {
  Object.assign(conduct.families[0] as object, { points: risk, at: Math.floor(ms / 1000) });
  return passThreshold(conduct, 70, ms);
};

test('reports a risk around the threshold for two hours once or twice, and a rise of 20 at once', () => {
  const conduct = newConduct();
  let reports = 0;
  for (let minute = 0; minute < 120; minute += 1)
    if (at(conduct, minute % 2 === 0 ? 69 : 71, NOW + minute * MINUTE) !== undefined) reports += 1;
  assert.ok(reports >= 1 && reports <= 2, String(reports));
  assert.equal(at(conduct, 95, NOW + 121 * MINUTE), 95);
  assert.equal(at(conduct, 96, NOW + 122 * MINUTE), undefined);
});

test('reports again after ten minutes of low risk and an hour', () => {
  const conduct = newConduct();
  assert.equal(at(conduct, 80, NOW), 80);
  for (let minute = 1; minute <= 20; minute += 1) at(conduct, 10, NOW + minute * MINUTE);
  assert.equal(at(conduct, 80, NOW + 30 * MINUTE), undefined);
  for (let minute = 31; minute <= 61; minute += 1) at(conduct, 10, NOW + minute * MINUTE);
  assert.equal(at(conduct, 80, NOW + 62 * MINUTE), 80);
});
