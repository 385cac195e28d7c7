import type { NounFacts } from '../../tables/noun-facts.ts';

export const trustNouns = {
  trust_provider: {
    idPrefix: 'trp',
    table: 'trust_providers',
    parameters: { trustProviderId: { noun: 'provider of trust evidence' } },
    eventScope: 'organization',
    events: {
      'trust.provider_created': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'CREATE'],
        when: 'A provider of trust evidence was registered.',
      },
    },
  },
  trust_evidence: {
    idPrefix: 'trv',
    table: 'trust_evidence',
    parameters: { trustEvidenceId: { noun: 'trust evidence' } },
    eventScope: 'columns',
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
    },
  },
} as const satisfies Record<string, NounFacts>;
