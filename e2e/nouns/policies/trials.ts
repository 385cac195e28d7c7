import type { NounTests } from '../noun-tests.ts';
import { TESTS } from './policies.ts';

export const trialTests = {
  bodies: ({ agent }) => ({
    simulatePolicy: { agentId: agent.id },
    runPolicyTests: {},
    previewPolicyTests: { cases: TESTS },
  }),
} as const satisfies NounTests;
