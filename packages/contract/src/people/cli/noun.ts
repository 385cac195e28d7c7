import type { NounFacts } from '../../tables/noun-facts.ts';

export const cliNouns = {
  cli_request: {
    idPrefix: 'cli',
    words: { requestId: 'request of the command line' },
    events: {
      'cli.authorization_approved': {
        webhook: false,
        severity: 'info',
        ocsf: ['AUTHENTICATION', 'OTHER'],
        when: 'A person approved a sign-in of the command line.',
      },
      'cli.authorization_denied': {
        webhook: false,
        severity: 'warning',
        ocsf: ['AUTHENTICATION', 'OTHER'],
        when: 'A person denied a sign-in of the command line.',
      },
      'cli.session_issued': {
        webhook: false,
        severity: 'info',
        ocsf: ['AUTHENTICATION', 'LOGON'],
        when: 'The command line redeemed an approved sign-in for a session.',
      },
    },
  },
} as const satisfies Record<string, NounFacts>;
