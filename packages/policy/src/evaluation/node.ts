import type { ConditionTrace } from '@svc/contract/policies/language.ts';
import type { LinearPattern } from '../values/linear-pattern.ts';
import type { ReadAddress } from '../values/read-address.ts';
import type { Outcome } from './outcome.ts';
import type { PolicyContext } from './policy-context.ts';

/** Every value that a path with `*` leads to, and the object keys its `*` steps took (dotted; null when they took none). */
export type Expansion = { readonly values: unknown[]; readonly keys: (string | null)[] };

/**
 * What one evaluation gathers: the trace of the rule at hand, whether that rule met a text too long to look into, and the fields asked for
 * and not given. `work` is what it may still spend, in units of about a nanosecond. What several conditions would work out alike is kept here
 * until the decision is made, and no longer.
 */
export type Run = {
  conditions: ConditionTrace[];
  tooLong: boolean;
  unknownFields: Set<string> | null;
  work: number;
  searched: Map<LinearPattern, Map<string, boolean>> | null;
  expanded: Map<string, Expansion> | null;
  /** By the text, where it is longer than addresses are. */
  addresses: Map<string, ReadAddress> | null;
  /** By the text or list that was shown. */
  shown: Map<unknown, unknown> | null;
  /** Characters of values that its traces may still tell. */
  telling: number;
};

/** A trace tells of values as long as this in all, so that many conditions on one long value make no long record of it. */
const TOLD_CHARS_MAX = 131_072;

export const newRun = (work: number): Run => ({
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

/** A compiled condition. Every part is evaluated, decided or not, so that the trace is whole. */
export type Node = (context: PolicyContext, run: Run) => Outcome;

/** Judges a value that is there; UNKNOWN says that its type does not fit. */
export type Test = (actual: unknown, run: Run) => Outcome;

export const noteUnknown = (run: Run, field: string): void => {
  run.unknownFields ??= new Set();
  run.unknownFields.add(field);
};

/** Thrown where a decision would take more work than it may: whoever asked gets no decision, and so no permission. */
export class OutOfWork extends Error {
  constructor() {
    super('a decision takes more work than it may');
  }
}

/** Spends units of work, or ends the evaluation. Asked only where a condition can cost much; the others are paid for with their rule. */
export const spend = (run: Run, units: number): void => {
  run.work -= units;
  if (run.work < 0) throw new OutOfWork();
};
