import type { NounFacts } from '../../tables/noun-facts.ts';

export const plannedNouns = {
  registry_listing: {
    events: {
      'registry.listing_published': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'CREATE'],
        when: 'An agent or tool was listed in the registry.',
      },
      'registry.listing_unpublished': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'DELETE'],
        when: 'A listing was removed from the registry.',
      },
    },
  },
} as const satisfies Record<string, NounFacts>;
