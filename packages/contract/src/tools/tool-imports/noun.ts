import type { NounFacts } from '../../tables/noun-facts.ts';

export const toolImportNouns = {
  tool_import: {
    idPrefix: 'tim',
    table: 'tool_imports',
    parameters: { importId: { noun: 'tool import' } },
    words: { proposalKey: 'proposed tool' },
  },
} as const satisfies Record<string, NounFacts>;
