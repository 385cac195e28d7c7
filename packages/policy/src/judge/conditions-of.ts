import type { ConditionTrace } from '@svc/contract/policies/language.ts';
import { newRun } from '../evaluation/node.ts';
import type { CompiledRule } from './compile-version.ts';

/**
 * The conditions of a rule in the order of every trace of it: every condition leaves its trace, even in a request that holds nothing.
 * Depth first, as the rule is written. Records name a condition by its place here, so that the order, and that each condition has a place,
 * is a promise to every record there is.
 */
export const conditionsOf = ({ when }: Pick<CompiledRule, 'when'>): readonly ConditionTrace[] => {
  const run = newRun(Number.POSITIVE_INFINITY);
  when({}, run);
  return run.conditions;
};
