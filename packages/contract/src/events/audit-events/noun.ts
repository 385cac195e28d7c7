import type { NounFacts } from '../../tables/noun-facts.ts';

export const auditEventNouns = {
  audit_event: {
    idPrefix: 'evt',
    table: 'audit_events',
    parameters: { eventId: { noun: 'audit event' } },
    events: {
      'audit.exported': { webhook: false, severity: 'warning', ocsf: ['API_ACTIVITY', 'READ'], when: 'Audit events were exported.' },
      'audit.retention_updated': {
        webhook: false,
        severity: 'critical',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'The retention of audit events was changed, or expired events were removed.',
      },
      'audit.integrity_verified': {
        webhook: false,
        severity: 'info',
        ocsf: ['API_ACTIVITY', 'READ'],
        when: 'The audit events were verified against the log.',
      },
    },
    addedEvents: {
      'audit.event_rejected': {
        severity: 'critical',
        ocsf: ['API_ACTIVITY', 'OTHER'],
        when: 'Audit events that the service did not write were found.',
      },
      'audit.events_adopted': {
        severity: 'warning',
        ocsf: ['API_ACTIVITY', 'OTHER'],
        when: 'An upgrade authenticated events from an earlier version that were not sealed yet.',
      },
    },
  },
} as const satisfies Record<string, NounFacts>;
