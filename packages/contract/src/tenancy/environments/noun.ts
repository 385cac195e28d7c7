import type { NounFacts } from '../../tables/noun-facts.ts';

export const environmentNouns = {
  environment: {
    idPrefix: 'env',
    table: 'environments',
    parameters: { environmentId: { noun: 'environment' } },
    eventScope: 'environment',
    events: {
      'environment.created': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'CREATE'],
        when: 'An environment was created.',
      },
      'environment.updated': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'An environment was changed.',
      },
      'environment.mode_changed': {
        webhook: false,
        severity: 'warning',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'The enforcement mode of an environment was changed; a reduction is recorded as critical.',
      },
      'environment.paused': {
        webhook: false,
        severity: 'critical',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'All protected execution of an environment was paused.',
      },
      'environment.resumed': {
        webhook: false,
        severity: 'warning',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'Protected execution of an environment was resumed.',
      },
    },
  },
} as const satisfies Record<string, NounFacts>;
