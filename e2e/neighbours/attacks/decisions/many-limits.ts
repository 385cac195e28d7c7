import { activateRules } from '@svc/testing/agents/governed.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import type { Tenant } from '@svc/testing/people/tenant.ts';
import type { Attack } from '../../attack.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';

type Prepared = { readonly gatewayUrl: string; readonly token: string };

const POLICIES_MAX = 20;
const TESTS = [{ name: 'permits nothing', given: {}, then: { effect: 'BLOCK' } }];
const LIMIT = { max_calls: 1_000_000, max_amount: 9_007_199_254_740_991, window_seconds: 2_678_400 };
const listLimits = (n: number) =>
  Array.from({ length: n }, (_, at) => ({ id: `r${at}`, effect: 'LIMIT', reason: 'So many.', limit: LIMIT }));

/** True if a policy with so many more limits was put in force. */
const isAccepted = async ({ controlUrl, token }: Tenant, name: string, rules: readonly object[]): Promise<boolean> => {
  const policy = await mustCall(controlUrl, 'POST', '/v1/policies', { token, body: { name, rules, tests: TESTS } });
  const activation = { version_id: policy.versions[0].version_id, reason: 'limit' };
  return (await call(controlUrl, 'POST', `/v1/policies/${policy.id}/activate`, { token, body: activation })).status === 200;
};

/** Every decision of the tenant uses the maximum number of counters, and its neighbour's are updated by the same statements. */
export const attack: Attack<Prepared> = {
  title: 'a tenant with as many limits as are accepted asks for decisions over 64 connections, beside one whose decisions are counted too',
  alone: true,
  prepare: async ({ gatewayUrl, victim, newHostile }) => {
    // Its requests state no amount, so only their number is counted.
    const counted = { id: 'calls', effect: 'LIMIT', reason: 'So many.', limit: { max_calls: 1_000_000, window_seconds: 3_600 } };
    await activateRules(victim.governed.tenant, 'Counted', [counted], TESTS);
    const { tenant, token } = await newHostile();
    let size = 200;
    for (let n = 0; n < POLICIES_MAX && size >= 1; n += 1) {
      if (!(await isAccepted(tenant, `Limits ${n}`, listLimits(size)))) size = Math.floor(size / 2);
    }
    return { gatewayUrl, token };
  },
  spend: async ({ gatewayUrl, token }, signal) => {
    const agent = createUnauthenticatedAgent(64);
    const body = JSON.stringify({ tool: 'pay', parameters: {}, amount: 1 });
    await runInParallel(64, signal, () => ask(agent, gatewayUrl, { method: 'POST', path: '/gateway/v1/actions', token, body }));
  },
};
