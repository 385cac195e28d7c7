import type { Attack } from '../../attack.ts';
import { activateExpensivePolicies, buildExpensiveParameters } from '../../expensive-policies.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';

type Prepared = { readonly gatewayUrl: string; readonly token: string };

/** Counters are read before rules are evaluated, so all of these decisions have waited first. */
export const attack: Attack<Prepared> = {
  title: 'a tenant whose policies count and cost all that one decision may asks for the dearest decisions, over 64 connections',
  longOnly: true,
  prepare: async (scene) => {
    const { tenant, token } = await scene.newHostile();
    await activateExpensivePolicies(tenant, { extraConditions: [{ field: 'velocity.calls_1m', op: 'gte', value: 0 }] });
    return { gatewayUrl: scene.gatewayUrl, token };
  },
  spend: async ({ gatewayUrl, token }, signal) => {
    const agent = createUnauthenticatedAgent(64);
    const body = JSON.stringify({ tool: 'pay', parameters: buildExpensiveParameters() });
    await runInParallel(64, signal, () => ask(agent, gatewayUrl, { method: 'POST', path: '/gateway/v1/actions', token, body }));
  },
};
