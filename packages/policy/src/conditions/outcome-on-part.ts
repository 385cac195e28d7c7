import type { OperatorName } from '@svc/contract/policies/language.ts';
import { FALSE, TRUE, type TruthValue, UNKNOWN } from '../evaluation/outcome.ts';

/** The outcome that more of the value cannot change: a number can grow, and a list can get more elements. */
const LASTS: Readonly<Record<string, TruthValue>> = {
  gt: TRUE,
  gte: TRUE,
  lt: FALSE,
  lte: FALSE,
  contains: TRUE,
  not_contains: FALSE,
};

/** Returns the outcome of a test on a part of a value. */
export const outcomeOnPart = (op: OperatorName, outcome: TruthValue): TruthValue => {
  if (op === 'exists' || op === 'not_exists') return outcome;
  return LASTS[op] === outcome ? outcome : UNKNOWN;
};
