import type { Attack } from '../../attack.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';

type Prepared = { readonly controlUrl: string; readonly token: string; readonly agentId: string };

/** Each view is computed from everything about an agent and its environment. */
export const attack: Attack<Prepared> = {
  title: 'a tenant asks what its agent may do over 32 connections without pause',
  prepare: async (scene) => {
    const { tenant, agent } = await scene.newHostile();
    return { controlUrl: scene.controlUrl, token: tenant.token, agentId: agent.id };
  },
  spend: async ({ controlUrl, token, agentId }, signal) => {
    const agent = createUnauthenticatedAgent(32);
    await runInParallel(32, signal, () => ask(agent, controlUrl, { method: 'GET', path: `/v1/agents/${agentId}/authority`, token }));
  },
};
