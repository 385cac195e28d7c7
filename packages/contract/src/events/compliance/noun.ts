import type { NounFacts } from '../../tables/noun-facts.ts';

export const complianceNouns = {
  compliance_control: {
    events: {
      'compliance.control_updated': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'The state of a compliance control was changed.',
      },
    },
  },
} as const satisfies Record<string, NounFacts>;
