import type { NounFacts } from '../../tables/noun-facts.ts';

export const riskSettingsNouns = {
  risk_settings: {
    events: {
      'risk.configuration_updated': {
        webhook: false,
        severity: 'warning',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'The settings of risk signals were changed.',
      },
    },
  },
} as const satisfies Record<string, NounFacts>;
