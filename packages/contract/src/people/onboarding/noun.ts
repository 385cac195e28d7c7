import type { NounFacts } from '../../tables/noun-facts.ts';

export const onboardingNouns = {
  onboarding: {
    words: { step: 'step' },
    events: {
      'onboarding.completed': {
        webhook: false,
        severity: 'info',
        ocsf: ['API_ACTIVITY', 'OTHER'],
        when: 'The onboarding was completed and the initial mode was applied.',
      },
    },
  },
} as const satisfies Record<string, NounFacts>;
