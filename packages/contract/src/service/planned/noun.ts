import type { NounFacts } from '../../tables/noun-facts.ts';

export const plannedNouns = {
  code_assist: {
    events: {
      'code_assist.requested': {
        webhook: false,
        severity: 'info',
        ocsf: ['API_ACTIVITY', 'OTHER'],
        when: 'A rewrite of guard code was requested from hosted code assist.',
      },
    },
  },
  integration: {
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
        when: 'An integration with another application was changed.',
      },
    },
  },
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
  risk_event: {
    idPrefix: 'rsk',
    events: {
      'risk.event_created': { webhook: false, severity: 'warning', ocsf: ['DETECTION_FINDING', 'CREATE'], when: 'A risk signal fired.' },
      'risk.threshold_exceeded': {
        webhook: true,
        severity: 'critical',
        ocsf: ['DETECTION_FINDING', 'CREATE'],
        when: 'The risk of an agent passed its threshold.',
      },
      'risk.acknowledged': {
        webhook: false,
        severity: 'info',
        ocsf: ['DETECTION_FINDING', 'UPDATE'],
        when: 'A person acknowledged a risk event.',
      },
      'risk.configuration_updated': {
        webhook: false,
        severity: 'warning',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'The settings of risk signals were changed.',
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
