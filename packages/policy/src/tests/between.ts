import type { Test } from '../evaluation/node.ts';
import { FALSE, TRUE, UNKNOWN } from '../evaluation/outcome.ts';
import { type Bound, fitsBound } from './bound.ts';

/** Compares from the first bound to the second, both included. */
export const compileBetween = ([low, high]: readonly [Bound, Bound]): Test => {
  const fits = fitsBound(low);
  return (actual) => {
    if (!fits(actual)) return UNKNOWN;
    return actual >= low && actual <= high ? TRUE : FALSE;
  };
};
