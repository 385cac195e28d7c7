import type { NounFacts } from '../../tables/noun-facts.ts';

export const memberNouns = {
  member: {
    idPrefix: 'mem',
    table: 'members',
    parameters: { memberId: { noun: 'member' }, directoryUserId: { noun: 'user', table: 'scim_users' } },
    eventScope: 'organization',
    events: {
      'member.invited': {
        webhook: false,
        severity: 'info',
        ocsf: ['ACCOUNT_CHANGE', 'OTHER'],
        when: 'A person was invited to the organization.',
      },
      'member.joined': { webhook: false, severity: 'info', ocsf: ['ACCOUNT_CHANGE', 'CREATE'], when: 'A person joined the organization.' },
      'member.role_changed': {
        webhook: false,
        severity: 'warning',
        ocsf: ['ACCOUNT_CHANGE', 'ATTACH_POLICY'],
        when: 'The role of a member was changed.',
      },
      'member.removed': { webhook: false, severity: 'warning', ocsf: ['ACCOUNT_CHANGE', 'DELETE'], when: 'A member was removed.' },
    },
    addedEvents: {
      'member.invitation_confirmed': {
        severity: 'warning',
        ocsf: ['ACCOUNT_CHANGE', 'OTHER'],
        when: 'A person confirmed an invitation that an API key created, and it was sent.',
      },
    },
  },
} as const satisfies Record<string, NounFacts>;
