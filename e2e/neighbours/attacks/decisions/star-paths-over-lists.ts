import { activateRules } from '@svc/testing/agents/governed.ts';
import type { Attack } from '../../attack.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';

type Prepared = { readonly gatewayUrl: string; readonly token: string };

const conditions = Array.from({ length: 12 }, (_, n) => ({ field: 'parameters.l.*', op: 'eq', value: n + 1 }));

/** Every rule reads each of the maximum number of elements. */
export const attack: Attack<Prepared> = {
  title: 'a tenant sends lists of 32,000 elements to rules on paths with "*"',
  prepare: async (scene) => {
    const { tenant, token } = await scene.newHostile();
    await activateRules(tenant, 'Lists', [{ id: 'r', effect: 'BLOCK', reason: 'x', when: { any: conditions } }]);
    return { gatewayUrl: scene.gatewayUrl, token };
  },
  spend: async ({ gatewayUrl, token }, signal) => {
    const agent = createUnauthenticatedAgent(8);
    const body = JSON.stringify({ tool: 'pay', parameters: { l: Array.from({ length: 32_700 }, () => 0) } });
    await runInParallel(8, signal, () => ask(agent, gatewayUrl, { method: 'POST', path: '/gateway/v1/actions', token, body }));
  },
};
