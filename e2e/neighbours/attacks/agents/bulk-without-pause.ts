import type { Attack } from '../../attack.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';
import { makeMany } from '../../many-agents.ts';

type Prepared = { readonly controlUrl: string; readonly token: string; readonly ids: readonly string[] };

const AGENTS = 1_000;

export const attack: Attack<Prepared> = {
  title: 'one person of a tenant suspends and resumes a thousand agents, over and over, one call after the other',
  prepare: async (scene) => {
    const { agent, tenant } = await scene.newHostile();
    return { controlUrl: scene.controlUrl, token: tenant.token, ids: await makeMany(scene, agent.id, AGENTS) };
  },
  spend: async ({ controlUrl, token, ids }, signal) => {
    const agent = createUnauthenticatedAgent(1);
    await runInParallel(1, signal, async (turn) => {
      const body = JSON.stringify({ agent_ids: ids, operation: turn % 2 === 0 ? 'suspend' : 'resume', reason: 'r' });
      await ask(agent, controlUrl, { method: 'POST', path: '/v1/agents/bulk', token, body });
    });
  },
};
