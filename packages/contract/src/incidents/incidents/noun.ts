import type { NounFacts } from '../../tables/noun-facts.ts';

export const incidentNouns = {
  incident: {
    idPrefix: 'inc',
    table: 'incidents',
    parameters: { incidentId: { noun: 'incident' } },
    eventScope: 'columns',
    events: {
      'incident.created': { webhook: true, severity: 'warning', ocsf: ['DETECTION_FINDING', 'CREATE'], when: 'An incident was opened.' },
      'incident.updated': { webhook: false, severity: 'info', ocsf: ['DETECTION_FINDING', 'UPDATE'], when: 'An incident was changed.' },
      'incident.contained': { webhook: false, severity: 'info', ocsf: ['DETECTION_FINDING', 'UPDATE'], when: 'An incident was contained.' },
      'incident.resolved': { webhook: true, severity: 'info', ocsf: ['DETECTION_FINDING', 'CLOSE'], when: 'An incident was resolved.' },
      'incident.closed': { webhook: false, severity: 'info', ocsf: ['DETECTION_FINDING', 'CLOSE'], when: 'An incident was closed.' },
    },
  },
  incident_entry: { idPrefix: 'ine' },
} as const satisfies Record<string, NounFacts>;
