import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS, SETTINGS } from './limits.ts';

const entries = Object.entries(LIMITS).flatMap(([area, group]) =>
  Object.entries(group).map(([name, value]) => [`${area}.${name}`, value as number | readonly number[]] as const),
);

test('every limit is a whole number and its name ends in a unit', () => {
  assert.ok(entries.length > 40);
  for (const [name, value] of entries) {
    assert.match(name, /(Seconds|Ms|Days|Bytes|Bits|Count|PerMinute|Max|Min)$/);
    for (const number of [value].flat()) assert.ok(Number.isSafeInteger(number) && number >= 0, name);
  }
});

test('the published limits have the published values', () => {
  assert.deepEqual(LIMITS.sessions, {
    lifetimeSeconds: 43200,
    idleTimeoutSeconds: 3600,
    stepUpLifetimeSeconds: 300,
    loginAttemptsMax: 10,
    lockoutSeconds: 900,
  });
  assert.equal(LIMITS.agentTokens.lifetimeSeconds, 900);
  assert.equal(LIMITS.apiKeys.expiryDaysMax, 730);
  assert.equal(LIMITS.policies.testCasesPerPreviewMax, 50);
  assert.equal(LIMITS.webhooks.replayWindowSeconds, 300);
  assert.equal(LIMITS.webhooks.deliveryTimeoutMs, 10_000);
  assert.equal(LIMITS.egress.timeoutMs, 15_000);
  assert.equal(LIMITS.platformKey.cacheSeconds, 300);
});

test('a webhook is tried eight times, each wait longer than the previous', () => {
  const delays = LIMITS.webhooks.retryDelaysSeconds;
  assert.equal(delays.length, 8);
  for (let index = 1; index < delays.length; index += 1) assert.ok((delays[index] ?? 0) > (delays[index - 1] ?? 0));
});

test('parameters fit into a body, and an idle session ends before its lifetime does', () => {
  assert.ok(LIMITS.bodies.parametersBytesMax < LIMITS.bodies.requestBytesMax);
  assert.ok(LIMITS.sessions.idleTimeoutSeconds < LIMITS.sessions.lifetimeSeconds);
});

test('every setting has a unique name in capitals', () => {
  const names = Object.values(SETTINGS);
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.match(name, /^[A-Z]+(_[A-Z]+)*$/);
});
