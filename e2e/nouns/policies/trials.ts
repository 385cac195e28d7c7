import type { NounTests } from '../noun-tests.ts';
import { newPolicy, TESTS } from './policies.ts';

export const trialTests = {
  bodies: ({ agent }) => ({
    simulatePolicy: { agentId: agent.id },
    saveSimulation: { agent_id: agent.id, name: 'A request' },
    runPolicyTests: {},
    previewPolicyTests: { cases: TESTS },
  }),
  recipes: {
    saveSimulation: async (scene) => {
      const { id } = await newPolicy(scene);
      const body = { agent_id: scene.places.ENFORCE.agent.id, name: 'A request' };
      return [{ answer: await scene.send('POST', `/v1/policies/${id}/simulations`, body), events: [['policy.simulated', 'policy', id]] }];
    },
  },
} as const satisfies NounTests;
