import type { Attack } from '../../attack.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';

/** Sends as fast as one agent of another organization can. */
export const attack: Attack<{ readonly gatewayUrl: string; readonly token: string }> = {
  title: 'a tenant asks for decisions over 64 connections without pause',
  prepare: async (scene) => ({ gatewayUrl: scene.gatewayUrl, token: (await scene.newHostile()).token }),
  spend: async ({ gatewayUrl, token }, signal) => {
    const agent = createUnauthenticatedAgent(64);
    const body = JSON.stringify({ tool: 'pay', parameters: {} });
    await runInParallel(64, signal, () => ask(agent, gatewayUrl, { method: 'POST', path: '/gateway/v1/actions', token, body }));
  },
};
