import { call, mustCall } from '@svc/testing/people/client.ts';
import type { Attack } from '../../attack.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';

type Prepared = { readonly gatewayUrl: string; readonly token: string };

const letters = Array.from({ length: 60_000 }, (_, at) => ((at * 7_919 + ((at * at) >> 3)) % 3 ? 'a' : 'b')).join('');

/** A schema with the maximum number of patterns, evaluated on the longest text. */
export const attack: Attack<Prepared> = {
  title: 'a tenant sends 60,000 characters to a tool whose schema holds 20 dear patterns',
  prepare: async (scene) => {
    const { tenant, agent, token } = await scene.newHostile();
    const owner = { token: tenant.token };
    const allOf = Array.from({ length: 20 }, (_, n) => ({ pattern: `a[ab]{${60 + n}}[^ab]` }));
    const tool = await mustCall(tenant.controlUrl, 'POST', '/v1/tools', {
      ...owner,
      body: {
        name: 'read',
        environment_id: tenant.environment_id,
        required_capability: 'pay',
        kind: 'SDK',
        parameters_schema: { type: 'object', properties: { t: { type: 'string', allOf } } },
      },
    });
    await call(tenant.controlUrl, 'POST', `/v1/tools/${tool.id}/agents`, { ...owner, body: { agent_id: agent.id } });
    return { gatewayUrl: scene.gatewayUrl, token };
  },
  spend: async ({ gatewayUrl, token }, signal) => {
    const agent = createUnauthenticatedAgent(8);
    const body = JSON.stringify({ tool: 'read', parameters: { t: letters } });
    await runInParallel(8, signal, () => ask(agent, gatewayUrl, { method: 'POST', path: '/gateway/v1/actions', token, body }));
  },
};
