import type { StageFinding } from '@svc/contract/actions/decisions.ts';
import type { Deciding } from '../facts/command.ts';
import type { Stage } from '../facts/stage.ts';
import { STAGES } from '../pipeline.ts';

const passedOf = (stages: readonly Stage[]): readonly StageFinding[] =>
  Object.freeze(stages.map(({ name }) => Object.freeze({ stage: name, outcome: 'passed' as const })));

/** What the pipeline finds of nearly every request: one list for all of them, known by its identity. */
export const ALL_PASSED = passedOf(STAGES.act);

/** The same by way in: that very list, wherever every stage is asked. */
export const PASSED_BY: Readonly<Record<Deciding, readonly StageFinding[]>> = {
  act: ALL_PASSED,
  evaluate: STAGES.evaluate.length === STAGES.act.length ? ALL_PASSED : passedOf(STAGES.evaluate),
};
