import type { OperatorName } from '@svc/contract/policies/language.ts';
import { FALSE, type Outcome, TRUE, UNKNOWN } from '../evaluation/outcome.ts';

/** The outcome that more of the value cannot change: a number can grow, and a list can get more elements. */
const LASTS: Readonly<Record<string, Outcome>> = {
  gt: TRUE,
  gte: TRUE,
  lt: FALSE,
  lte: FALSE,
  contains: TRUE,
  not_contains: FALSE,
};

/** Returns the outcome of a test on a part of a value. */
export const outcomeOnPart = (op: OperatorName, outcome: Outcome): Outcome => {
  if (op === 'exists' || op === 'not_exists') return outcome;
  return LASTS[op] === outcome ? outcome : UNKNOWN;
};
