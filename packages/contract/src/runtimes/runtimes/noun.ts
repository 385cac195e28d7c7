import type { NounFacts } from '../../tables/noun-facts.ts';

export const runtimeNouns = {
  runtime: {
    idPrefix: 'rtm',
  },
  runtime_finding: {
    idPrefix: 'fnd',
  },
  verification_run: {
    idPrefix: 'run',
  },
} as const satisfies Record<string, NounFacts>;
