import type { NounFacts } from '../../tables/noun-facts.ts';

export const infoNouns = {
  request: {
    idPrefix: 'req',
    words: { guideName: 'guide' },
  },
} as const satisfies Record<string, NounFacts>;
