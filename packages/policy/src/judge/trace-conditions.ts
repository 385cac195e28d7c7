import type { ConditionTrace } from '@svc/contract/policies/language.ts';
import { newRun } from '../evaluation/node.ts';
import type { CompiledRule } from './compile-version.ts';

/**
 * Returns the conditions of a rule in the order of its traces: every condition leaves a trace, even for an empty request.
 * Depth first, as the rule is written. Records refer to a condition by its position here, so that the order, and that each condition has a
 * position, is a promise to every existing record.
 */
export const listTraceConditions = ({ when }: Pick<CompiledRule, 'when'>): readonly ConditionTrace[] => {
  const run = newRun(Number.POSITIVE_INFINITY);
  when({}, run);
  return run.conditions;
};
