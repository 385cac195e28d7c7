import type { NounFacts } from '../../tables/noun-facts.ts';

export const organizationNouns = {
  organization: {
    idPrefix: 'org',
    eventScope: 'organization',
    events: {
      'organization.created': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'CREATE'],
        when: 'An organization was created, with its first owner.',
      },
      'organization.updated': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'An organization was changed or deleted.',
      },
      'organization.base_currency_changed': {
        webhook: false,
        severity: 'warning',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'The base currency of an organization was changed.',
      },
    },
  },
  subscription: {
    events: {
      'subscription.updated': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'The subscription of the organization was changed.',
      },
    },
  },
  usage: {
    events: {
      'usage.recorded': { webhook: false, severity: 'info', ocsf: ['API_ACTIVITY', 'OTHER'], when: 'Usage of the service was counted.' },
    },
  },
} as const satisfies Record<string, NounFacts>;
