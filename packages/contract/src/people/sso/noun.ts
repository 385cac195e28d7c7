import type { NounFacts } from '../../tables/noun-facts.ts';

export const ssoNouns = {
  sso_connection: {
    idPrefix: 'sso',
    table: 'sso_connections',
    parameters: { connectionId: { noun: 'single sign-on connection' } },
    eventScope: 'organization',
    events: {
      'sso.connection_updated': {
        webhook: false,
        severity: 'warning',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'A single sign-on connection was changed.',
      },
    },
  },
  sso_identity: {
    idPrefix: 'idn',
    table: 'sso_identities',
    parameters: { identityId: { noun: 'linked identity' } },
  },
} as const satisfies Record<string, NounFacts>;
