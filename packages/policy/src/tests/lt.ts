import type { Test } from '../evaluation/node.ts';
import { FALSE, TRUE, UNKNOWN } from '../evaluation/outcome.ts';
import { type Bound, fitsBound } from './bound.ts';

export const compileLt = (bound: Bound): Test => {
  const fits = fitsBound(bound);
  return (actual) => {
    if (!fits(actual)) return UNKNOWN;
    return actual < bound ? TRUE : FALSE;
  };
};
