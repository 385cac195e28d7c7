import type { NounFacts } from '../../tables/noun-facts.ts';

export const credentialNouns = {
  credential: {
    idPrefix: 'cred',
    table: 'credentials',
    parameters: { credentialId: { noun: 'credential' } },
    eventScope: 'columns',
    events: {
      'credential.created': { webhook: false, severity: 'info', ocsf: ['ENTITY_MANAGEMENT', 'CREATE'], when: 'A credential was stored.' },
      'credential.issued': {
        webhook: true,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'CREATE'],
        when: 'A credential was leased for one action.',
      },
      'credential.rotated': {
        webhook: true,
        severity: 'warning',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'The secret of a credential was replaced.',
      },
      'credential.revoked': {
        webhook: true,
        severity: 'warning',
        ocsf: ['ENTITY_MANAGEMENT', 'DELETE'],
        when: 'A credential was revoked.',
      },
      'credential.lease_expired': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'DELETE'],
        when: 'A lease expired before it was returned.',
      },
      'credential.rotation_failed': {
        webhook: false,
        severity: 'critical',
        ocsf: ['API_ACTIVITY', 'UPDATE'],
        when: 'The secret of a credential could not be replaced.',
      },
    },
  },
  credential_lease: {
    idPrefix: 'lea',
  },
} as const satisfies Record<string, NounFacts>;
