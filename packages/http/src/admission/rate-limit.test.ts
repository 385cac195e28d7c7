import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { isUncounted } from '@svc/contract/rows/budget.ts';
import { listSecrets } from '@svc/contract/rows/secret.ts';
import { newMemoryRateLimiter } from '@svc/shared-state/memory-rate-limiter.ts';
import type { Caller } from '../calls/call.ts';
import { getLimit, refuseRateLimited } from './rate-limit.ts';

const deps = {
  rates: {
    ...{ loginPerMinute: 1, controlPlanePerMinute: 2, gatewayTokenPerMinute: 3, gatewayActionsPerMinute: 4 },
    ...{ addressPerMinute: 5, organizationPerMinute: 6, organizationActionsPerMinute: 7, organizationKibPerMinute: 8 },
  },
};

const getCaller = (userId: string, sessionId: string, organizationId = 'org_1') =>
  ({ caller: { organizationId, credentialId: sessionId, actor: { type: 'USER', id: userId, name: null } } as unknown as Caller }) as const;

const getKey = (row: Parameters<typeof getLimit>[0], who: Parameters<typeof getLimit>[2], ip = '192.0.2.1') =>
  getLimit(row, deps, who, ip)?.key;

test('a person has one budget for any number of sessions', () => {
  const first = getKey(ENDPOINTS.listAgents, getCaller('usr_1', 'ses_1'));
  assert.equal(getKey(ENDPOINTS.createTool, getCaller('usr_1', 'ses_2')), first);
  assert.notEqual(getKey(ENDPOINTS.listAgents, getCaller('usr_2', 'ses_1')), first);
  assert.notEqual(getKey(ENDPOINTS.listAgents, getCaller('usr_1', 'ses_1', 'org_2')), first);
});

test('an organization has one budget for all its people, keys and agents, which delays no emergency', () => {
  const wholeOf = (row: Parameters<typeof getLimit>[0], who: Parameters<typeof getLimit>[2]) =>
    getLimit(row, deps, who, '192.0.2.1')?.whole;
  const getAgent = (agentId: string) => ({ agent: { agentId, organizationId: 'org_1' } as never });
  const ofPeople = wholeOf(ENDPOINTS.listAgents, getCaller('usr_1', 'ses_1'));
  assert.equal(ofPeople?.limit, 6);
  assert.deepEqual(wholeOf(ENDPOINTS.createTool, getCaller('usr_2', 'ses_2')), ofPeople);
  assert.notDeepEqual(wholeOf(ENDPOINTS.listAgents, getCaller('usr_3', 'ses_3', 'org_2')), ofPeople);
  const ofAgents = wholeOf(ENDPOINTS.act, getAgent('agt_1'));
  assert.equal(ofAgents?.limit, 7);
  assert.deepEqual(wholeOf(ENDPOINTS.act, getAgent('agt_2')), ofAgents);
  for (const row of [ENDPOINTS.pauseEnvironment, ENDPOINTS.revokeAgent, ENDPOINTS.suspendAgent])
    assert.equal(wholeOf(row, getCaller('usr_1', 'ses_1')), undefined, row.path);
});

test('another address of the same network has no new budget for guessing', () => {
  const guess = (ip: string) => getKey(ENDPOINTS.login, {}, ip);
  assert.equal(guess('2001:db8:1:2::1'), guess('2001:db8:1:2:ffff:ffff:ffff:ffff'));
  assert.notEqual(guess('2001:db8:1:2::1'), guess('2001:db8:1:3::1'));
  assert.equal(guess('::ffff:192.0.2.1'), guess('192.0.2.1'));
  assert.notEqual(guess('192.0.2.1'), guess('192.0.2.2'));
});

test('budgets that anyone can open are separate from those of authenticated callers', () => {
  const isUnproven = (row: Parameters<typeof getLimit>[0], who: Parameters<typeof getLimit>[2]) =>
    getLimit(row, deps, who, '192.0.2.1')?.unproven;
  for (const row of [ENDPOINTS.login, ENDPOINTS.signup]) assert.equal(isUnproven(row, {}), true, row.path);
  for (const row of [ENDPOINTS.stepUp, ENDPOINTS.listAgents])
    assert.equal(isUnproven(row, getCaller('usr_1', 'ses_1')), undefined, row.path);
  assert.equal(isUnproven(ENDPOINTS.act, { agent: { agentId: 'agt_1', organizationId: 'org_1' } as never }), undefined);
});

test('only monitoring rows are not counted at all, with a stated reason', () => {
  const rows = Object.entries(ENDPOINTS).filter(([, { budget }]) => isUncounted(budget));
  assert.deepEqual(
    rows.map(([name]) => name),
    ['controlLive', 'controlReady', 'gatewayLive', 'gatewayReady'],
  );
  for (const [name, row] of rows) {
    assert.ok(isUncounted(row.budget) && row.budget.none.length > 20, name);
    assert.equal(getLimit(row, deps, {}, '192.0.2.1'), undefined, name);
  }
});

test('guesses at a secret are counted, on every row that accepts one from an unknown caller', () => {
  const guessable = Object.entries(ENDPOINTS).filter(
    ([, row]) => row.credential === 'none' && 'body' in row && listSecrets(row.body).size > 0,
  );
  const counted = guessable.map(([name, row]) => [name, getLimit(row, deps, {}, '192.0.2.1')?.key ?? row.budget]);
  assert.deepEqual(Object.fromEntries(counted), {
    signup: 'signup:192.0.2.1',
    checkSignup: 'signup:192.0.2.1',
    startSignup: 'mail:192.0.2.1',
    verifySignup: 'login:192.0.2.1',
    login: 'login:192.0.2.1',
    verifyMfa: 'login:192.0.2.1',
    prepareMfa: 'signup:192.0.2.1',
    resetPassword: 'login:192.0.2.1',
    redeemCliSignIn: 'signup:192.0.2.1',
    readInvitation: 'login:192.0.2.1',
    acceptInvitation: 'login:192.0.2.1',
    mintToken: 'assertion',
    handshake: 'assertion',
    issueOauthToken: 'assertion',
  });
});

test('a request that is counted for a caller is not served without one', () => {
  for (const row of [ENDPOINTS.getInfo, ENDPOINTS.listAgents, ENDPOINTS.act])
    assert.throws(() => getLimit(row, deps, {}, '192.0.2.1'), /unauthenticated caller/, row.path);
});

test('a refusal states whose budget is exhausted, and nothing beyond what the caller has proved', () => {
  const said = (row: Parameters<typeof getLimit>[0], who: Parameters<typeof getLimit>[2]): string => {
    const limit = getLimit(row, deps, who, '192.0.2.1');
    assert.ok(limit);
    const limiter = newMemoryRateLimiter();
    for (;;) {
      const budget = limiter.take(limit, 60_000, limit.whole);
      if (!budget.allowed) return refuseRateLimited(budget, limit.whose).message ?? '';
    }
  };
  const alone = getCaller('usr_1', 'ses_1');
  assert.match(said(ENDPOINTS.listAgents, alone), /^You have made too many requests/);
  assert.match(said(ENDPOINTS.stepUp, alone), /^This session/);
  assert.match(said(ENDPOINTS.login, {}), /passwords and codes were tried from this IP address/);
  assert.match(said(ENDPOINTS.startSignup, {}), /^Too many mails with a code were requested from this IP address/);
  assert.match(said(ENDPOINTS.startPasswordReset, {}), /^Too many mails with a code/);
  assert.match(said(ENDPOINTS.signup, {}), /^Too many requests from this IP address/);
  assert.match(said(ENDPOINTS.act, { agent: { agentId: 'agt_1', organizationId: 'org_1' } as never }), /^This agent/);
  const shared = getLimit(ENDPOINTS.listAgents, deps, alone, '192.0.2.1')?.whole;
  const limiter = newMemoryRateLimiter();
  const takeAs = (userId: string) => {
    const limit = getLimit(ENDPOINTS.listAgents, deps, getCaller(userId, 'ses_1'), '192.0.2.1');
    assert.ok(limit);
    const budget = limiter.take(limit, 60_000, limit.whole);
    return budget.allowed ? undefined : refuseRateLimited(budget, limit.whose).message;
  };
  for (let used = 0; used < (shared?.limit ?? 0); used += 1) assert.equal(takeAs(`usr_${used}`), undefined);
  assert.match(takeAs('usr_of_nothing_yet') ?? '', /^Your organization/);
});
