import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countRepetitions } from '@svc/testing/length/test-length.ts';
import { BENCH_THRESHOLDS } from './run-agent.ts';
import { measureLongLife, simulateAttacks, simulateHonest } from './simulate-risk.ts';

const HIGH_SHARE_MAX = 1 / 10_000;

test('fewer than 1 in 10,000 honest actions reach the high threshold, for each kind of agent', () => {
  for (const { kind, actions, high } of simulateHonest(countRepetitions({ short: 0.1, long: 1 }))) {
    assert.ok(actions > 0, kind);
    assert.ok(high < Math.max(1, actions * HIGH_SHARE_MAX), `${kind}: ${high} of ${actions}`);
  }
});

test('every attack on an agent with a history reaches the elevated threshold, and each by the signals that are made for it', () => {
  const found = simulateAttacks().map(({ title, score, signals, elevatedAt }) => {
    assert.ok(score >= BENCH_THRESHOLDS.elevated && elevatedAt > 0, `${title}: ${score}`);
    return signals.map((each) => each.split(' ')[0]).toSorted();
  });
  assert.deepEqual(found, [
    ['new_destination', 'new_source_address'],
    ['unusual_amount'],
    ['new_source_address', 'unusual_amount'],
    ['enumeration', 'velocity_spike'],
    ['first_tool_use', 'probing', 'repeated_refusals'],
    ['new_destination', 'secret_in_parameters'],
  ]);
});

test('the history of an agent keeps its size', () => {
  const [young, old] = measureLongLife([1_000, countRepetitions({ short: 20_000, long: 1_000_000 })]);
  assert.equal(young?.bytes, old?.bytes);
  assert.ok((old?.bytes ?? Number.POSITIVE_INFINITY) <= 2_000, `${old?.bytes}`);
});
