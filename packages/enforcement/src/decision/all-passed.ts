import type { StageFinding } from '@svc/contract/actions/decisions.ts';
import { PIPELINE } from '../pipeline.ts';

/** What the pipeline finds of nearly every request: one list for all of them, known by its identity. */
export const ALL_PASSED: readonly StageFinding[] = Object.freeze(
  PIPELINE.map(({ name }) => Object.freeze({ stage: name, outcome: 'passed' as const })),
);
