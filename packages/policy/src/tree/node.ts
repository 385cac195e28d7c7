import type { ConditionTrace } from '@svc/contract/policy-language.ts';
import type { PolicyContext } from '../context.ts';
import type { Outcome } from './outcome.ts';

/**
 * What one evaluation gathers: the trace of the rule at hand, whether that rule met a text too long to look into,
 * and the fields asked for and not given.
 */
export type Run = { conditions: ConditionTrace[]; tooLong: boolean; unknownFields: string[] | null };

/** A compiled condition. Every part is evaluated, decided or not, so that the trace is whole. */
export type Node = (context: PolicyContext, run: Run) => Outcome;

/** Judges a value that is there; UNKNOWN says that its type does not fit. */
export type Test = (actual: unknown) => Outcome;

export const noteUnknown = (run: Run, field: string): void => {
  if (run.unknownFields === null) run.unknownFields = [field];
  else if (!run.unknownFields.includes(field)) run.unknownFields.push(field);
};
