import { readAudience, SDK, signAssertion } from '@svc/testing/agents/agent.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import type { NounTests } from '../noun-tests.ts';
import type { NounScene } from '../scene/scene.ts';

const assert = async ({ planes, places }: NounScene, path: string): Promise<TestResponse> => {
  const { agent } = places.ENFORCE;
  const assertion = signAssertion(agent, await readAudience(planes.gatewayUrl));
  return call(planes.gatewayUrl, 'POST', path, { body: { agent_id: agent.id, assertion, sdk: SDK } });
};

export const identityTests = {
  bodies: ({ agent }) => ({
    endAgentSession: {},
    mintToken: { agent_id: agent.id, assertion: 'x', sdk: { name: 'n', version: '1', runtime: 'r' } },
    handshake: { agent_id: agent.id, assertion: 'x', sdk: { name: 'n', version: '1', runtime: 'r' } },
  }),
  recipes: {
    mintToken: async (scene) => [{ answer: await assert(scene, '/gateway/v1/token'), events: [] }],
    handshake: async (scene) => [{ answer: await assert(scene, '/gateway/v1/handshake'), events: [] }],
    endAgentSession: async (scene) => {
      const { token, session_id } = (await assert(scene, '/gateway/v1/token')).json.data;
      const answer = await scene.ask(token, 'POST', '/gateway/v1/logout', {});
      const by = { type: 'AGENT', id: scene.places.ENFORCE.agent.id };
      return [{ answer, by, events: [['session.revoked', 'session', session_id ?? '*']] }];
    },
  },
} as const satisfies NounTests;
