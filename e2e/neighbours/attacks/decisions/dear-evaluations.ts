import type { Attack } from '../../attack.ts';
import { activateExpensivePolicies, buildExpensiveParameters } from '../../expensive-policies.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';

type Prepared = { readonly controlUrl: string; readonly token: string; readonly tool: string; readonly agentId: string };

/** People and keys request decisions on the plane that serves people. */
export const attack: Attack<Prepared> = {
  title: 'a tenant has its people evaluate actions that cost all that a decision may, over 64 connections',
  longOnly: true,
  prepare: async (scene) => {
    const { tenant, tool, agent } = await scene.newHostile();
    await activateExpensivePolicies(tenant);
    return { controlUrl: scene.controlUrl, token: tenant.token, tool: tool.name, agentId: agent.id };
  },
  spend: async ({ controlUrl, token, tool, agentId }, signal) => {
    const agent = createUnauthenticatedAgent(64);
    const body = JSON.stringify({ agent_id: agentId, tool, parameters: buildExpensiveParameters(), dry_run: true });
    await runInParallel(64, signal, () => ask(agent, controlUrl, { method: 'POST', path: '/v1/actions/evaluate', token, body }));
  },
};
