import type { Attack } from '../../attack.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';

/** With rate limits that are never reached, so that only the slots limit. */
export const attack: Attack<{ readonly gatewayUrl: string; readonly token: string }> = {
  title: 'a tenant without a budget asks for decisions over 500 connections without pause',
  longOnly: true,
  env: { SVC_RATE_GATEWAY_ACTIONS_PER_MINUTE: '100000000' },
  prepare: async (scene) => ({ gatewayUrl: scene.gatewayUrl, token: (await scene.newHostile()).token }),
  spend: async ({ gatewayUrl, token }, signal) => {
    const agent = createUnauthenticatedAgent(500);
    const body = JSON.stringify({ tool: 'pay', parameters: {} });
    await runInParallel(500, signal, () => ask(agent, gatewayUrl, { method: 'POST', path: '/gateway/v1/actions', token, body }));
  },
};
