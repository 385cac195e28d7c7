import type { StageFinding } from '@svc/contract/actions/decisions.ts';
import type { Deciding } from '../facts/decision-request.ts';
import type { Stage } from '../facts/stage.ts';
import { STAGES } from '../pipeline.ts';

const passedOf = (stages: readonly Stage[]): readonly StageFinding[] =>
  Object.freeze(stages.map(({ name }) => Object.freeze({ stage: name, outcome: 'passed' as const })));

/** Findings of a request that passed every stage, as most do: one shared list, recognized by identity. */
export const ALL_PASSED = passedOf(STAGES.act);

/** The same by entry point: exactly that list if every stage is checked. */
export const PASSED_BY: Readonly<Record<Deciding, readonly StageFinding[]>> = {
  act: ALL_PASSED,
  evaluate: STAGES.evaluate.length === STAGES.act.length ? ALL_PASSED : passedOf(STAGES.evaluate),
};
