import { spend, type Test } from '../evaluation/node.ts';
import { FALSE, TRUE, UNKNOWN } from '../evaluation/outcome.ts';
import { WORK } from '../evaluation/prices.ts';
import { pathsUnder } from '../values/text-patterns.ts';

/**
 * The text is a path that is certainly the directory or inside it, case-sensitive. A path that a program may read differently does not
 * match.
 */
export const compilePathUnder = (directory: string): Test => {
  const under = new RegExp(pathsUnder(directory), 'u');
  return (actual, run) => {
    if (typeof actual !== 'string') return UNKNOWN;
    spend(run, WORK.search + actual.length * WORK.character);
    return under.test(actual) ? TRUE : FALSE;
  };
};
