import type { NounFacts } from '../../tables/noun-facts.ts';

export const integrationNouns = {
  integration: {
    idPrefix: 'itg',
    table: 'integrations',
    parameters: { integrationId: { noun: 'integration' } },
    eventScope: 'columns',
    events: {
      'integration.created': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'CREATE'],
        when: 'An integration with another application was set up.',
      },
      'integration.updated': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'An integration with another application was changed or removed.',
      },
    },
  },
} as const satisfies Record<string, NounFacts>;
