import type { NounFacts } from '../../tables/noun-facts.ts';

export const auditLogNouns = {
  audit_log: {
    words: { tileLevel: 'tile level', tile: 'tile', tileNext: 'tile', tileThird: 'tile', tileWidth: 'tile' },
  },
} as const satisfies Record<string, NounFacts>;
