import type { NounFacts } from '../../tables/noun-facts.ts';

export const cliNouns = {
  cli_request: {
    idPrefix: 'cli',
    words: { requestId: 'command-line request' },
    events: {
      'cli.authorization_approved': {
        webhook: false,
        severity: 'info',
        ocsf: ['AUTHENTICATION', 'OTHER'],
        when: 'A person approved a command-line sign-in.',
      },
      'cli.authorization_denied': {
        webhook: false,
        severity: 'warning',
        ocsf: ['AUTHENTICATION', 'OTHER'],
        when: 'A person denied a command-line sign-in.',
      },
      'cli.session_issued': {
        webhook: false,
        severity: 'info',
        ocsf: ['AUTHENTICATION', 'LOGON'],
        when: 'The command line exchanged an approved sign-in for a session.',
      },
    },
  },
} as const satisfies Record<string, NounFacts>;
