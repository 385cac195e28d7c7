import { activateRules } from '@svc/testing/agents/governed.ts';
import type { Attack } from '../../attack.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';

type Prepared = { readonly controlUrl: string; readonly token: string; readonly policyId: string };

const contains = (field: string, texts: string) => ({ any: [...texts].map((value) => ({ field, op: 'contains', value })) });

/** Distinguishes very many cases: it uses all the time and memory that a proof may. */
const COSTLY = { all: [contains('principal.id', 'abcdefgh'), contains('agent.id', '01234567')] };

export const attack: Attack<Prepared> = {
  title: 'a tenant asks for proofs and replays at their limits, and analyses what it saves',
  prepare: async (scene) => {
    const { tenant, owner } = await scene.newHostile();
    const rules = Array.from({ length: 100 }, (_, n) => ({ id: `r${n}`, effect: 'ALLOW', reason: 'r', when: COSTLY }));
    const policyId = await activateRules(tenant, 'replayed', [{ id: 'allow', effect: 'ALLOW', reason: 'r' }]);
    await owner('PATCH', `/v1/policies/${policyId}`, { rules: rules.slice(0, 20) });
    return { controlUrl: scene.controlUrl, token: tenant.token, policyId };
  },
  spend: async ({ controlUrl, token, policyId }, signal) => {
    const agent = createUnauthenticatedAgent(24);
    const check = JSON.stringify({ when: COSTLY, at_least: 'BLOCK' });
    const edit = JSON.stringify({ rules: [{ id: 'r', effect: 'BLOCK', reason: 'r', when: COSTLY }] });
    const requests = [
      { method: 'POST', path: '/v1/policies/invariants/check', body: check },
      { method: 'GET', path: `/v1/policies/${policyId}/diff?from=1&to=2&days=90` },
      { method: 'PATCH', path: `/v1/policies/${policyId}`, body: edit },
    ] as const;
    await runInParallel(24, signal, (turn) => ask(agent, controlUrl, { ...(requests[turn % 3] ?? requests[0]), token }));
  },
};
