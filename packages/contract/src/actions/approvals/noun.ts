import type { NounFacts } from '../../tables/noun-facts.ts';

export const approvalNouns = {
  approval: {
    idPrefix: 'apr',
    table: 'approvals',
    parameters: { approvalId: { noun: 'approval' } },
    eventScope: 'columns',
    events: {
      'approval.requested': {
        webhook: true,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'CREATE'],
        when: 'A person was asked to decide on an action.',
      },
      'approval.approved': {
        webhook: true,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'The required number of people approved; the action can continue.',
      },
      'approval.denied': { webhook: true, severity: 'info', ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'], when: 'An approval was denied.' },
      'approval.expired': {
        webhook: true,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'DELETE'],
        when: 'An approval expired before it was granted or used.',
      },
      'approval.cancelled': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'A pending approval was withdrawn.',
      },
      'approval.escalated': {
        webhook: false,
        severity: 'warning',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'A pending approval was escalated because it was not decided in time.',
      },
      'approval.info_requested': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'An approver asked the requester a question.',
      },
      'approval.delegated': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'An approver reassigned a decision to another approver.',
      },
    },
    addedEvents: {
      'approval.vote_cast': {
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'A person voted on an approval; the decision is a separate event.',
      },
      'approval.vote_withdrawn': {
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'A person withdrew their approving vote before the approval was used.',
      },
      'approval.restored': {
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'An approval is usable again: the call that used it was never sent.',
      },
      'approval.edited': {
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'An approver narrowed the request; earlier votes no longer count.',
      },
    },
  },
} as const satisfies Record<string, NounFacts>;
