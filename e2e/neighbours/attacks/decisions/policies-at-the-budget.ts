import type { Attack } from '../../attack.ts';
import { activateExpensivePolicies, buildExpensiveParameters } from '../../expensive-policies.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';

type Prepared = { readonly gatewayUrl: string; readonly token: string };

/** The maximum of accepted policies, each searching every text of the largest request for a slow pattern. */
export const attack: Attack<Prepared> = {
  title: 'a tenant whose policies cost all that one decision may asks for the dearest decisions',
  longOnly: true,
  prepare: async (scene) => {
    const { tenant, token } = await scene.newHostile();
    await activateExpensivePolicies(tenant);
    return { gatewayUrl: scene.gatewayUrl, token };
  },
  spend: async ({ gatewayUrl, token }, signal) => {
    const agent = createUnauthenticatedAgent(64);
    const body = JSON.stringify({ tool: 'pay', parameters: buildExpensiveParameters() });
    await runInParallel(64, signal, () => ask(agent, gatewayUrl, { method: 'POST', path: '/gateway/v1/actions', token, body }));
  },
};
