import type { ConditionTrace } from '@svc/contract/policies/language.ts';
import type { LinearPattern } from '../values/linear-pattern.ts';
import type { ReadAddress } from '../values/read-address.ts';
import type { TruthValue } from './outcome.ts';
import type { PolicyContext } from './policy-context.ts';

/** All values that a path with `*` leads to, and the object keys of its `*` steps (dotted; null if there were none). */
export type Expansion = { readonly values: unknown[]; readonly keys: (string | null)[] };

/**
 * The state of one evaluation: the trace of the current rule, if that rule met a text too long to search, and the fields that were read
 * and missing. `work` is the remaining budget, in units of about a nanosecond. Results shared by several conditions are cached here
 * until the decision is made, and no longer.
 */
export type EvaluationState = {
  conditions: ConditionTrace[];
  tooLong: boolean;
  unknownFields: Set<string> | null;
  work: number;
  searched: Map<LinearPattern, Map<string, boolean>> | null;
  expanded: Map<string, Expansion> | null;
  /** Keyed by text, for texts longer than addresses are. */
  addresses: Map<string, ReadAddress> | null;
  /** Keyed by the shown text or list. */
  shown: Map<unknown, unknown> | null;
  /** Remaining characters of values that its traces may show. */
  telling: number;
};

/** Maximum length of all values in a trace, so that many conditions on one long value do not create a long record of it. */
const TOLD_CHARS_MAX = 131_072;

export const newRun = (work: number): EvaluationState => ({
  conditions: [],
  tooLong: false,
  unknownFields: null,
  work,
  searched: null,
  expanded: null,
  addresses: null,
  shown: null,
  telling: TOLD_CHARS_MAX,
});

/** A compiled condition. Every part is evaluated, decided or not, so that the trace is complete. */
export type Node = (context: PolicyContext, run: EvaluationState) => TruthValue;

/** Judges a present value; UNKNOWN means that its type does not fit. */
export type Test = (actual: unknown, run: EvaluationState) => TruthValue;

export const noteUnknown = (run: EvaluationState, field: string): void => {
  run.unknownFields ??= new Set();
  run.unknownFields.add(field);
};

/** Thrown if a decision would exceed its work budget: the caller gets no decision, and so no permission. */
export class OutOfWork extends Error {
  constructor() {
    super('a decision takes more work than it may');
  }
}

/** Spends work units, or ends the evaluation. Called only if a condition can be expensive; the others are paid for with their rule. */
export const spend = (run: EvaluationState, units: number): void => {
  run.work -= units;
  if (run.work < 0) throw new OutOfWork();
};
