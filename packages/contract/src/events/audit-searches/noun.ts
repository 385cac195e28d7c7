import type { NounFacts } from '../../tables/noun-facts.ts';

export const auditSearchNouns = {
  audit_search: {
    idPrefix: 'asr',
    table: 'audit_searches',
    parameters: { searchId: { noun: 'saved search' } },
  },
} as const satisfies Record<string, NounFacts>;
