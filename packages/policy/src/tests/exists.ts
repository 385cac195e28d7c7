import type { Test } from '../evaluation/node.ts';
import { TRUE } from '../evaluation/outcome.ts';

/** Asked only of values that are there, so it holds; what is missing is answered by the operator's row. */
export const compileExists = (): Test => () => TRUE;
