import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { getBytesLimit } from './take-bytes.ts';

const deps = { rates: { ...LIMITS.rates, organizationKibPerMinute: 50_000 } };
const person = { caller: { organizationId: 'org_1', actor: { id: 'usr_1' } } as never };
const agent = { agent: { organizationId: 'org_1', agentId: 'agt_1' } as never };

const listUses = (row: Parameters<typeof getBytesLimit>[0], who: Parameters<typeof getBytesLimit>[2], headers: Record<string, string>) =>
  getBytesLimit(row, deps, who, headers)?.uses;

test('a body over 4 KiB counts by its declared length, and one without as the largest of its row', () => {
  assert.equal(listUses(ENDPOINTS.act, agent, { 'content-length': '4096' }), undefined);
  assert.equal(listUses(ENDPOINTS.act, agent, { 'content-length': '4097' }), 5);
  assert.equal(listUses(ENDPOINTS.act, agent, { 'content-length': '65536' }), 64);
  assert.equal(listUses(ENDPOINTS.act, agent, { 'transfer-encoding': 'chunked' }), 256);
  assert.equal(listUses(ENDPOINTS.listAgents, person, {}), undefined);
});

test('people and agents of an organization have separate budgets, and another organization its own', () => {
  const getKey = (who: Parameters<typeof getBytesLimit>[2]) =>
    getBytesLimit(ENDPOINTS.createTool, deps, who, { 'content-length': '9000' })?.whole?.key;
  assert.equal(getKey(person), getKey({ caller: { organizationId: 'org_1', actor: { id: 'apk_1' } } as never }));
  assert.equal(getKey(person), getKey({ directory: { organizationId: 'org_1' } as never }));
  assert.notEqual(getKey(person), getKey(agent));
  assert.notEqual(getKey(person), getKey({ caller: { organizationId: 'org_2', actor: { id: 'usr_1' } } as never }));
});

test('one person, key or agent may send half of it, or the largest document if that is more', () => {
  const said = { 'content-length': '9000' };
  const ownOf = (who: Parameters<typeof getBytesLimit>[2], organizationKibPerMinute = 50_000) =>
    getBytesLimit(ENDPOINTS.createTool, { rates: { ...deps.rates, organizationKibPerMinute } }, who, said);
  const by = (id: string) => ({ caller: { organizationId: 'org_1', actor: { id } } as never });
  assert.equal(ownOf(by('usr_1'))?.limit, 25_000);
  assert.equal(ownOf(by('usr_1'))?.whole?.limit, 50_000);
  assert.equal(ownOf(by('usr_1'), 16_384)?.limit, 16_384);
  assert.equal(ownOf(by('usr_1'), 20_000)?.limit, 16_384);
  assert.notEqual(ownOf(by('usr_1'))?.key, ownOf(by('usr_2'))?.key);
});

test('a body declared larger than its row permits counts as nothing, since it is not read', () => {
  for (const said of ['262145', '300000000', '18446744073709551615'])
    assert.equal(listUses(ENDPOINTS.act, agent, { 'content-length': said }), undefined, said);
  assert.equal(listUses(ENDPOINTS.act, agent, { 'content-length': '262144' }), 256);
});

test('a new version counts as the largest possible, since it keeps what its body omits', () => {
  for (const row of [ENDPOINTS.updatePolicy, ENDPOINTS.rollbackPolicy, ENDPOINTS.updateTool])
    assert.equal(listUses(row, person, { 'content-length': '20' }), 256, row.path);
});

test('no stop is delayed by what an organization has sent, and no unauthenticated client is counted twice', () => {
  for (const row of [ENDPOINTS.pauseEnvironment, ENDPOINTS.revokeAgent])
    assert.equal(listUses(row, person, { 'content-length': '9000' }), undefined, row.path);
  assert.equal(listUses(ENDPOINTS.signup, {}, { 'content-length': '9000' }), undefined);
});
