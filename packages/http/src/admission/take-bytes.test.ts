import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { bytesLimitOf } from './take-bytes.ts';

const deps = { rates: { ...LIMITS.rates, organizationKibPerMinute: 50_000 } };
const person = { caller: { organizationId: 'org_1' } as never };
const agent = { agent: { organizationId: 'org_1' } as never };

const usesOf = (row: Parameters<typeof bytesLimitOf>[0], who: Parameters<typeof bytesLimitOf>[2], headers: Record<string, string>) =>
  bytesLimitOf(row, deps, who, headers)?.uses;

test('a body over 4 KiB counts by what it says of its length, and one that says nothing as the largest that its row takes', () => {
  assert.equal(usesOf(ENDPOINTS.act, agent, { 'content-length': '4096' }), undefined);
  assert.equal(usesOf(ENDPOINTS.act, agent, { 'content-length': '4097' }), 5);
  assert.equal(usesOf(ENDPOINTS.act, agent, { 'content-length': '65536' }), 64);
  assert.equal(usesOf(ENDPOINTS.act, agent, { 'transfer-encoding': 'chunked' }), 256);
  assert.equal(usesOf(ENDPOINTS.listAgents, person, {}), undefined);
});

test('people and agents of an organization draw on budgets of their own, and another organization on none of these', () => {
  const keyOf = (who: Parameters<typeof bytesLimitOf>[2]) =>
    bytesLimitOf(ENDPOINTS.createTool, deps, who, { 'content-length': '9000' })?.key;
  assert.equal(keyOf(person), keyOf({ caller: { organizationId: 'org_1', credentialId: 'another' } as never }));
  assert.equal(keyOf(person), keyOf({ directory: { organizationId: 'org_1' } as never }));
  assert.notEqual(keyOf(person), keyOf(agent));
  assert.notEqual(keyOf(person), keyOf({ caller: { organizationId: 'org_2' } as never }));
});

test('no stop is held up by what an organization has sent, and no stranger is counted twice', () => {
  for (const row of [ENDPOINTS.pauseEnvironment, ENDPOINTS.revokeAgent])
    assert.equal(usesOf(row, person, { 'content-length': '9000' }), undefined, row.path);
  assert.equal(usesOf(ENDPOINTS.signup, {}, { 'content-length': '9000' }), undefined);
});
