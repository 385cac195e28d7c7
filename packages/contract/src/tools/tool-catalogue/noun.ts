import type { NounFacts } from '../../tables/noun-facts.ts';

export const catalogueNouns = {
  catalogue_entry: {
    words: { application: 'application' },
  },
} as const satisfies Record<string, NounFacts>;
