import type { NounFacts } from '../../tables/noun-facts.ts';

export const a2aNouns = {
  a2a_connection: {
    idPrefix: 'a2a',
    table: 'a2a_connections',
    parameters: { a2aConnectionId: { noun: 'A2A connection' } },
    eventScope: 'columns',
    events: {
      'a2a.connection_created': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'CREATE'],
        when: 'A connection to a remote agent was registered; it cannot be used yet.',
      },
      'a2a.connection_updated': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'The settings of a connection to a remote agent were changed.',
      },
      'a2a.connection_blocked': {
        webhook: true,
        severity: 'warning',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'A connection was blocked, including running sessions.',
      },
      'a2a.passport_verified': {
        webhook: false,
        severity: 'info',
        ocsf: ['API_ACTIVITY', 'READ'],
        when: 'The passport of a remote agent was verified against its registered key.',
      },
      'a2a.interaction_allowed': {
        webhook: false,
        severity: 'info',
        ocsf: ['API_ACTIVITY', 'OTHER'],
        when: 'A message between agents was allowed.',
      },
      'a2a.interaction_blocked': {
        webhook: false,
        severity: 'warning',
        ocsf: ['API_ACTIVITY', 'OTHER'],
        when: 'A message between agents was refused.',
      },
    },
  },
} as const satisfies Record<string, NounFacts>;
