import type { Test } from '../evaluation/node.ts';
import { FALSE } from '../evaluation/outcome.ts';

/** Called only for present values, so it fails; the operator's row has the outcome for a missing one. */
export const compileNotExists = (): Test => () => FALSE;
