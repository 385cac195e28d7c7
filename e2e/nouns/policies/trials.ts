import type { NounTests } from '../noun-tests.ts';
import { RULES, TESTS } from './policies.ts';

export const trialTests = {
  bodies: ({ agent }) => ({
    checkPolicy: { rules: RULES },
    simulatePolicy: { agentId: agent.id },
    runPolicyTests: {},
    previewPolicyTests: { cases: TESTS },
  }),
} as const satisfies NounTests;
