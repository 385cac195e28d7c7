import type { NounFacts } from '../../tables/noun-facts.ts';

export const contextNouns = {
  flow_context: {
    idPrefix: 'ctx',
    table: 'agent_contexts',
    parameters: { contextId: { noun: 'flow context' } },
    eventScope: 'given',
    addedEvents: {
      'context.labels_cleared': {
        severity: 'warning',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'A person cleared labels of a flow context.',
      },
    },
  },
} as const satisfies Record<string, NounFacts>;
