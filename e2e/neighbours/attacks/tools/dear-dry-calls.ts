import type { Attack } from '../../attack.ts';
import { HOSTILE_DOWNSTREAM } from '../../calling-tool.ts';
import { activateExpensivePolicies, buildExpensiveParameters } from '../../expensive-policies.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';

type Prepared = { readonly controlUrl: string; readonly token: string; readonly id: string; readonly agentId: string };

/** A dry call with an agent is a complete decision, on the plane that serves people. */
export const attack: Attack<Prepared> = {
  title: 'a tenant asks for dry calls that cost all that a decision may, over 64 connections',
  longOnly: true,
  prepare: async (scene) => {
    const { tenant, tool, agent } = await scene.newHostile({
      tool: {
        kind: 'HTTP',
        destination_allowlist: [new URL(HOSTILE_DOWNSTREAM).host],
        execution: { method: 'POST', url: HOSTILE_DOWNSTREAM },
      },
    });
    await activateExpensivePolicies(tenant);
    return { controlUrl: scene.controlUrl, token: tenant.token, id: tool.id, agentId: agent.id };
  },
  spend: async ({ controlUrl, token, id, agentId }, signal) => {
    const agent = createUnauthenticatedAgent(64);
    const body = JSON.stringify({ agent_id: agentId, parameters: buildExpensiveParameters() });
    await runInParallel(64, signal, () => ask(agent, controlUrl, { method: 'POST', path: `/v1/tools/${id}/dry-call`, token, body }));
  },
};
