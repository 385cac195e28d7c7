import type { NounFacts } from '../../tables/noun-facts.ts';

export const sessionNouns = {
  session: {
    idPrefix: 'ses',
    table: 'sessions',
    parameters: { sessionId: { noun: 'session' } },
    eventScope: 'given',
    events: {
      'session.revoked': { webhook: false, severity: 'info', ocsf: ['AUTHENTICATION', 'LOGOFF'], when: 'A session was revoked.' },
    },
  },
} as const satisfies Record<string, NounFacts>;
