import { newAgent } from '@svc/testing/agents/agent.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import type { Attack } from '../../attack.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';

const AGENTS = 4;

type Prepared = { readonly controlUrl: string; readonly token: string; readonly bodies: readonly string[] };

/** Every decision waits for the same row, at the gateway and at the control plane. */
export const attack: Attack<Prepared> = {
  title: 'a tenant has four agents decided for over 64 connections, all on one counter of their root principal',
  prepare: async ({ controlUrl, newHostile }) => {
    const governed = await newHostile({
      rules: [
        { id: 'allow', effect: 'ALLOW', reason: 'Allowed here.' },
        { id: 'cap', effect: 'LIMIT', reason: 'So many.', limit: { max_calls: 1_000_000, window_seconds: 3_600, per: 'root_principal' } },
      ],
      tests: [{ name: 'limited', given: {}, then: { effect: 'LIMIT' } }],
    });
    const { token } = governed.tenant;
    const bodies: string[] = [];
    for (let n = 0; n < AGENTS; n += 1) {
      const { id } = await newAgent(governed.tenant, { capabilities: ['pay'] });
      await newControlClient(controlUrl, token).authorizeAgentForTool({ params: { toolId: governed.tool.id }, body: { agent_id: id } });
      await newControlClient(controlUrl, token).createDelegation({ body: { delegate_agent_id: id } });
      bodies.push(JSON.stringify({ agent_id: id, tool: 'pay', parameters: {} }));
    }
    return { controlUrl, token, bodies };
  },
  spend: async ({ controlUrl, token, bodies }, signal) => {
    const agent = createUnauthenticatedAgent(64);
    await runInParallel(64, signal, (turn) =>
      ask(agent, controlUrl, { method: 'POST', path: '/v1/actions/evaluate', token, body: bodies[turn % AGENTS] ?? '' }),
    );
  },
};
