import type { NounFacts } from '../../tables/noun-facts.ts';

export const codeAssistNouns = {
  code_assist: {
    idPrefix: 'cap',
    eventScope: 'organization',
    events: {
      'code_assist.requested': {
        webhook: false,
        severity: 'info',
        ocsf: ['API_ACTIVITY', 'OTHER'],
        when: 'A rewrite of guard code was requested from hosted code assist.',
      },
    },
  },
} as const satisfies Record<string, NounFacts>;
