import type { NounFacts } from '../../tables/noun-facts.ts';

export const riskEventNouns = {
  risk_event: {
    idPrefix: 'rsk',
    table: 'risk_events',
    parameters: { riskEventId: { noun: 'risk event' } },
    eventScope: 'columns',
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
    },
  },
} as const satisfies Record<string, NounFacts>;
