import type { NounFacts } from '../../tables/noun-facts.ts';

export const invariantNouns = {
  policy_invariant: {
    idPrefix: 'pin',
    table: 'policy_invariants',
    parameters: { invariantId: { noun: 'invariant' } },
    eventScope: 'given',
  },
} as const satisfies Record<string, NounFacts>;
