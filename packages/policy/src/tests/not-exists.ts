import type { Test } from '../evaluation/node.ts';
import { FALSE } from '../evaluation/outcome.ts';

/** Asked only of values that are there, so it fails; what is missing is answered by the operator's row. */
export const compileNotExists = (): Test => () => FALSE;
