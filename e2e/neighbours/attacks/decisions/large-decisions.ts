import type { Attack } from '../../attack.ts';
import { buildExpensiveParameters } from '../../expensive-policies.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';

type Prepared = { readonly gatewayUrl: string; readonly token: string };

/** Each is stored as long as the record. */
export const attack: Attack<Prepared> = {
  title: 'a tenant asks for decisions with the largest parameters over 64 connections',
  longOnly: true,
  prepare: async (scene) => {
    const { token } = await scene.newHostile();
    return { gatewayUrl: scene.gatewayUrl, token };
  },
  spend: async ({ gatewayUrl, token }, signal) => {
    const agent = createUnauthenticatedAgent(64);
    const body = JSON.stringify({ tool: 'pay', parameters: buildExpensiveParameters() });
    await runInParallel(64, signal, () => ask(agent, gatewayUrl, { method: 'POST', path: '/gateway/v1/actions', token, body }));
  },
};
