import type { NounFacts } from '../../tables/noun-facts.ts';

export const delegationNouns = {
  delegation: {
    idPrefix: 'del',
    table: 'delegations',
    parameters: { delegationId: { noun: 'delegation' } },
    eventScope: 'given',
    events: {
      'delegation.created': { webhook: true, severity: 'info', ocsf: ['ENTITY_MANAGEMENT', 'CREATE'], when: 'A delegation was created.' },
      'delegation.reduced': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'The scope, ceiling or expiry of a delegation was narrowed.',
      },
      'delegation.extended': {
        webhook: false,
        severity: 'warning',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'The expiry of a delegation was moved to a later time.',
      },
      'delegation.revoked': {
        webhook: true,
        severity: 'warning',
        ocsf: ['ENTITY_MANAGEMENT', 'DELETE'],
        when: 'A delegation was revoked, with everything derived from it.',
      },
      'delegation.expired': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'DELETE'],
        when: 'A delegation passed its expiry.',
      },
      'delegation.escalation_blocked': {
        webhook: false,
        severity: 'critical',
        ocsf: ['DETECTION_FINDING', 'CREATE'],
        when: 'A delegation that would widen its parent was refused.',
      },
    },
  },
} as const satisfies Record<string, NounFacts>;
