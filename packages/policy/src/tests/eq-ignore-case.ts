import { spend, type Test } from '../evaluation/node.ts';
import { FALSE, TRUE, UNKNOWN } from '../evaluation/outcome.ts';
import { WORK } from '../evaluation/prices.ts';
import { ignoringCase } from '../values/text-patterns.ts';

/** The text equals the expected one ignoring the case of A to Z; other letters must be equal. */
export const compileEqIgnoreCase = (expected: string): Test => {
  const equal = new RegExp(ignoringCase(expected), 'u');
  return (actual, run) => {
    if (typeof actual !== 'string') return UNKNOWN;
    spend(run, WORK.search + actual.length * WORK.character);
    return equal.test(actual) ? TRUE : FALSE;
  };
};
