import { mintToken, newAgent } from '@svc/testing/agents/agent.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import type { Attack } from '../../attack.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';

/** Each agent has a rate limit of its own; they share only their organization. */
export const attack: Attack<{ readonly gatewayUrl: string; readonly tokens: readonly string[] }> = {
  title: 'a tenant lets eight agents have decisions recorded over 256 connections',
  prepare: async (scene) => {
    const { tenant, tool, token } = await scene.newHostile();
    const others = await Promise.all(
      Array.from({ length: 7 }, async () => {
        const agent = await newAgent(tenant, { capabilities: ['pay'] });
        await newControlClient(scene.controlUrl, tenant.token).authorizeAgentForTool({
          params: { toolId: tool.id },
          body: { agent_id: agent.id },
        });
        return await mintToken(scene.gatewayUrl, agent);
      }),
    );
    return { gatewayUrl: scene.gatewayUrl, tokens: [token, ...others] };
  },
  spend: async ({ gatewayUrl, tokens }, signal) => {
    const agent = createUnauthenticatedAgent(256);
    const body = JSON.stringify({ tool: 'pay', parameters: {} });
    await runInParallel(256, signal, (turn) =>
      ask(agent, gatewayUrl, { method: 'POST', path: '/gateway/v1/actions', token: tokens[turn % tokens.length] ?? '', body }),
    );
  },
};
