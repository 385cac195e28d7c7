import type { NounFacts } from '../../tables/noun-facts.ts';

export const plannedNouns = {
  registry_listing: {
    events: {
      'registry.listing_published': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'CREATE'],
        when: 'An agent or tool was listed in the registry.',
      },
      'registry.listing_unpublished': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'DELETE'],
        when: 'A listing was removed from the registry.',
      },
    },
  },
  trust_evidence: {
    idPrefix: 'trv',
    events: {
      'trust.evidence_added': { webhook: true, severity: 'info', ocsf: ['ENTITY_MANAGEMENT', 'CREATE'], when: 'Trust evidence was added.' },
      'trust.evidence_revoked': {
        webhook: false,
        severity: 'warning',
        ocsf: ['ENTITY_MANAGEMENT', 'DELETE'],
        when: 'Trust evidence was revoked.',
      },
      'trust.evidence_expiring': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'Trust evidence will expire soon.',
      },
      'trust.evidence_expired': {
        webhook: true,
        severity: 'warning',
        ocsf: ['ENTITY_MANAGEMENT', 'DELETE'],
        when: 'Trust evidence expired.',
      },
      'trust.provider_created': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'CREATE'],
        when: 'A provider of trust evidence was registered.',
      },
    },
  },
} as const satisfies Record<string, NounFacts>;
