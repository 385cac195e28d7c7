import type { NounFacts } from '../../tables/noun-facts.ts';

export const invitationNouns = {
  invitation: {
    idPrefix: 'inv',
    table: 'invitations',
    parameters: { invitationId: { noun: 'invitation' } },
    eventScope: 'organization',
  },
} as const satisfies Record<string, NounFacts>;
