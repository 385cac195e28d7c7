import { newKeyPair, readAudience, SDK, signAssertion } from '@svc/testing/agents/agent.ts';
import type { Attack } from '../../attack.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';

/** Well-formed and in the name of an existing agent, so that each needs a verification. */
export const attack: Attack<{ readonly gatewayUrl: string; readonly agentId: string; readonly audience: string }> = {
  title: 'a stranger sends assertions in the name of the neighbour over 32 connections',
  longOnly: true,
  alone: true,
  env: { SVC_RATE_ADDRESS_PER_MINUTE: '1000000' },
  prepare: async ({ gatewayUrl, victim }) => ({
    gatewayUrl,
    agentId: victim.governed.agent.id,
    audience: await readAudience(gatewayUrl),
  }),
  spend: async ({ gatewayUrl, agentId, audience }, signal) => {
    const agent = createUnauthenticatedAgent(32);
    const { privateKey } = newKeyPair();
    const assertion = signAssertion({ id: agentId, privateKey }, audience);
    const body = JSON.stringify({ agent_id: agentId, assertion, sdk: SDK });
    await runInParallel(32, signal, () => ask(agent, gatewayUrl, { method: 'POST', path: '/gateway/v1/token', body }));
  },
};
