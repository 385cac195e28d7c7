import type { NounFacts } from '../../tables/noun-facts.ts';

export const incidentNouns = {
  incident: {
    idPrefix: 'inc',
    events: {
      'incident.created': { webhook: true, severity: 'warning', ocsf: ['DETECTION_FINDING', 'CREATE'], when: 'An incident was opened.' },
      'incident.updated': { webhook: false, severity: 'info', ocsf: ['DETECTION_FINDING', 'UPDATE'], when: 'An incident was changed.' },
      'incident.contained': { webhook: false, severity: 'info', ocsf: ['DETECTION_FINDING', 'UPDATE'], when: 'An incident was contained.' },
      'incident.resolved': { webhook: true, severity: 'info', ocsf: ['DETECTION_FINDING', 'CLOSE'], when: 'An incident was resolved.' },
      'incident.closed': { webhook: false, severity: 'info', ocsf: ['DETECTION_FINDING', 'CLOSE'], when: 'An incident was closed.' },
    },
  },
  emergency: {
    events: {
      'security.emergency_action_executed': {
        webhook: true,
        severity: 'critical',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'An emergency control was executed.',
      },
      'security.break_glass_granted': {
        webhook: false,
        severity: 'critical',
        ocsf: ['ENTITY_MANAGEMENT', 'CREATE'],
        when: 'Emergency access was granted for a short time.',
      },
      'security.break_glass_expired': {
        webhook: false,
        severity: 'warning',
        ocsf: ['ENTITY_MANAGEMENT', 'DELETE'],
        when: 'Emergency access expired.',
      },
      'security.destination_blocked': {
        webhook: false,
        severity: 'warning',
        ocsf: ['DETECTION_FINDING', 'CREATE'],
        when: 'A call to a destination that is not permitted was blocked.',
      },
    },
  },
} as const satisfies Record<string, NounFacts>;
