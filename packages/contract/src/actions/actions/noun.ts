import type { NounFacts } from '../../tables/noun-facts.ts';

export const actionNouns = {
  action: {
    idPrefix: 'act',
    table: 'actions',
    parameters: { actionId: { noun: 'action' } },
    eventScope: 'columns',
    events: {
      'action.requested': {
        webhook: true,
        severity: 'info',
        ocsf: ['API_ACTIVITY', 'OTHER'],
        when: 'An agent requested a protected action.',
      },
      'action.allowed': { webhook: true, severity: 'info', ocsf: ['API_ACTIVITY', 'OTHER'], when: 'A decision permitted an action.' },
      'action.blocked': { webhook: true, severity: 'warning', ocsf: ['API_ACTIVITY', 'OTHER'], when: 'A decision refused an action.' },
      'action.limited': {
        webhook: false,
        severity: 'info',
        ocsf: ['API_ACTIVITY', 'OTHER'],
        when: 'A decision permitted an action within a limit.',
      },
      'action.masked': {
        webhook: false,
        severity: 'info',
        ocsf: ['API_ACTIVITY', 'OTHER'],
        when: 'A decision permitted an action with values masked.',
      },
      'action.approval_required': {
        webhook: true,
        severity: 'info',
        ocsf: ['API_ACTIVITY', 'OTHER'],
        when: 'A decision held an action until a person approves it.',
      },
      'action.completed': { webhook: true, severity: 'info', ocsf: ['API_ACTIVITY', 'OTHER'], when: 'A permitted action was executed.' },
      'action.failed': {
        webhook: false,
        severity: 'warning',
        ocsf: ['API_ACTIVITY', 'OTHER'],
        when: 'A permitted action failed, or its outcome is unknown.',
      },
      'action.observed': {
        webhook: false,
        severity: 'info',
        ocsf: ['API_ACTIVITY', 'OTHER'],
        when: 'In OBSERVE mode, an action was executed and the decision was only recorded.',
      },
      'action.simulated': {
        webhook: false,
        severity: 'info',
        ocsf: ['API_ACTIVITY', 'OTHER'],
        when: 'In SIMULATE mode, a decision was made and nothing was executed.',
      },
    },
  },
} as const satisfies Record<string, NounFacts>;
