import { type Bound, fitsBound } from './bound.ts';
import type { Test } from './node.ts';
import { FALSE, TRUE, UNKNOWN } from './outcome.ts';

export const compileGt = (bound: Bound): Test => {
  const fits = fitsBound(bound);
  return (actual) => {
    if (!fits(actual)) return UNKNOWN;
    return actual > bound ? TRUE : FALSE;
  };
};
