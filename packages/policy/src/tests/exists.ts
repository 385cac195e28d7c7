import type { Test } from '../evaluation/node.ts';
import { TRUE } from '../evaluation/outcome.ts';

/** Called only for present values, so it holds; the operator's row has the outcome for a missing one. */
export const compileExists = (): Test => () => TRUE;
