import type { NounFacts } from '../../tables/noun-facts.ts';

export const runtimeNouns = {
  runtime: {
    idPrefix: 'rtm',
    table: 'runtimes',
    parameters: { runtimeId: { noun: 'runtime' } },
    words: { workflowId: 'workflow' },
    eventScope: 'columns',
  },
  runtime_finding: {
    idPrefix: 'fnd',
    table: 'runtime_findings',
    parameters: { findingId: { noun: 'runtime finding' } },
    eventScope: 'columns',
  },
  verification_run: {
    idPrefix: 'run',
    table: 'verification_runs',
  },
} as const satisfies Record<string, NounFacts>;
